"""What of a running configuration a push may change: that much is kept for a rollback, and nothing of others."""

from __future__ import annotations

import json
from collections.abc import Iterable

from netaudit.platforms import Files
from netaudit.platforms.sonic.tables import Row, Table, Tables, parse_database
from netaudit.platforms.sonic.vrf import beside_ours
from netaudit.platforms.sonic.write import AREAS_OF_TABLES, BOX, METADATA, MODELLED, candidate, owned_tables


def kept(running: Files, rendered: Files, owns: Iterable[str]) -> Files:
    """The part of the running files that `candidate` replaces, in a form that `candidate` puts back.

    What belongs to others is not in it: they may have changed it before the rollback, and it may hold their secrets.
    """
    areas = tuple(owns)
    ours, theirs = parse_database(rendered["config_db.json"]), parse_database(running["config_db.json"])
    new = parse_database(candidate(rendered, running, areas)["config_db.json"])
    foreign = beside_ours(ours, theirs) if "addressing" in areas else {}
    tables: Tables = {
        name: _owned(name, theirs.get(name, {}), new.get(name, {}), foreign.get(name, {}))
        for name in owned_tables(ours, areas)
    }
    for name, table in ours.items():
        if name not in AREAS_OF_TABLES and name != "DEVICE_METADATA":
            tables[name] = _said(table, theirs.get(name, {}))
    box = theirs.get("DEVICE_METADATA", {}).get("localhost", {})
    known = {*BOX, *(field for fields in METADATA.values() for field in fields)}
    fields = {field for area in areas for field in METADATA.get(area, ())}
    fields |= ours.get("DEVICE_METADATA", {}).get("localhost", {}).keys() - known
    tables["DEVICE_METADATA"] = {"localhost": {field: value for field, value in box.items() if field in fields}}
    # Not `dump`: a table that is ours and was empty must be said to be so, or nothing empties it again.
    text = json.dumps(tables, indent=1, sort_keys=True) + "\n"
    return {"config_db.json": text, "frr.conf": running["frr.conf"] if "bgp" in areas else ""}


def _owned(name: str, theirs: Table, new: Table, foreign: Table) -> Table:
    """The rows of a table of ours. Of a row that stays, the fields that no leaf stands for are somebody else's."""
    known = MODELLED.get(name)
    rows: Table = {}
    for key, row in theirs.items():
        if key not in foreign:
            stays = key in new and known is not None
            rows[key] = {f: v for f, v in row.items() if f in known} if stays and known is not None else row
    return rows


def _said(ours: Table, theirs: Table) -> Table:
    """Of rows of the site's own what a push writes: the fields that the intent says, as they were."""
    found: Table = {}
    for key, row in ours.items():
        if key in theirs:
            old: Row = {field: value for field, value in theirs[key].items() if field in row}
            found[key] = old
    return found
