"""Rows of the site's own for config_db.json: which may stand beside ours, how they are merged and asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from netaudit.platforms import Query
from netaudit.platforms.sonic.tables import Row, Table, Tables, Value
from netaudit.state import Leaf, Store

SUFFIXES = (".json",)
"""Files whose tables go to config_db.json."""

RawTables: TypeAlias = "Mapping[str, Mapping[str, Mapping[str, Leaf[str]]] | None]"
"""Table → row → field → value; a table that was not seen is `None`."""

NOTHING = "NULL"
"""The field that Redis gives a row without fields (sonic.md section 0): a row that is there differs from none by it."""
_TABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}", re.ASCII)
METADATA = "DEVICE_METADATA"
_READ = ("hostname", "hwsku", "platform", "mac")
"""Fields of the box itself: read, and never changed (DESIGN.md section 3, «SONiC, owns»)."""


def table_problem(
    path: tuple[str, ...],
    owns: Collection[str],
    tables: Mapping[str, tuple[str, ...]],
    fields: Mapping[str, tuple[str, ...]],
) -> tuple[str, str] | None:
    """(what is wrong, hint) with a table, a row or a field by its path; `None` if it may stand beside ours.

    `tables` and `fields`: what is of an area, of the database and of DEVICE_METADATA.
    """
    name = path[0]
    if len(path) == 1:
        if not _TABLE.fullmatch(name):
            return f"`{name[:60]}` is no table of CONFIG_DB", "its name is in capitals: NTP_SERVER"
        area = next((area for area, names in tables.items() if name in names), "")
        return _of_an_area(f"the table {name}", area, owns) if area else None
    if name != METADATA:
        return None
    if path[1] != "localhost":
        return f"DEVICE_METADATA has no row `{path[1][:60]}`", "its row is localhost"
    if len(path) == 3:
        if path[2] in _READ:
            return f"`{path[2]}` is of the switch: it is read, and never changed", "give it in devices.csv"
        area = next((area for area, names in fields.items() if path[2] in names), "")
        return _of_an_area(f"the field {path[2]}", area, owns) if area else None
    return None


def _of_an_area(what: str, area: str, owns: Collection[str]) -> tuple[str, str]:
    if area in owns or "all" in owns:
        return f"{what} touches the area {area}, which is ours", f"what is of {area} comes from the intent alone"
    hint = f"add {area} to `owns`, or leave it to who manages it"
    return f"{what} is of the area {area}, which `owns` leaves to others", hint


def raw_rows(tables: Mapping[str, Mapping[str, Mapping[str, Value]] | None], areas: Collection[str]) -> RawTables:
    """All rows of the tables that are of no area (`areas`: the names of those that are), as the state has them."""
    return {
        name: None if table is None else {key: _state(row) for key, row in table.items()}
        for name, table in tables.items()
        if name not in areas
    }


def _state(row: Mapping[str, Value]) -> Mapping[str, Leaf[str]]:
    """With the field of a row that has none: an intent that wants a row, and nothing in it, takes it as it is."""
    return {
        NOTHING: NOTHING,
        **{field: ",".join(value) if isinstance(value, list) else value for field, value in row.items()},
    }


def write_raw(raw: RawTables | None) -> Tables:
    """The rows as `config_db.json` has them."""
    return {
        name: {
            key: {f: str(v) for f, v in row.items() if (f, v) != (NOTHING, NOTHING)}
            for key, row in (table or {}).items()
        }
        for name, table in (raw or {}).items()
    }


def merged(one: Mapping[str, Table], other: Mapping[str, Table]) -> Tables:
    """Both, row by row; a field of `other` wins."""
    result: Tables = {name: dict(table) for name, table in one.items()}
    for name, table in other.items():
        rows = result.setdefault(name, {})
        for key, row in table.items():
            before: Row = rows.get(key, {})
            rows[key] = {**before, **row}
    return result


def raw_queries(raw: RawTables | None, known: Collection[str]) -> Iterator[Query]:
    """What has to be asked beside everything that is asked anyway."""
    for table in raw or {}:
        if table not in known:
            yield Query(
                id=table, store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=(table,), optional=True
            )
