"""Tables of tests: text in, table and findings out."""

from __future__ import annotations

import json
from collections.abc import Mapping

from netaudit.diag import Diagnostic
from netaudit.lint import Table, lint, read_config, read_lookup, silicon

SOUND = """\
# speed cable size xon xoff threshold xon_offset
100000 5m 18796 0 147066 0 3556
100000 40m 18796 0 160274 0 3556
400000 5m 18796 0 393192 0 3556
400000 40m 18796 0 446024 0 3556
400000 300m 18796 0 839216 0 3556
800000 5m 18796 0 729488 0 3556
800000 40m 18796 0 835406 0 3556
800000 300m 18796 0 1621536 0 3556
"""
"""Rows of Dell-Z9864f-O64 (sonic-buildimage 086b03bd): the worst case of Tomahawk 5, to the byte."""
TH5 = "Dell-Z9864f-O64"


def found(text: str, hwsku: str = "") -> tuple[Diagnostic, ...]:
    """Findings of a pg_profile_lookup.ini."""
    return judged(read_lookup(text, "pg_profile_lookup.ini", hwsku))


def judged(table: Table | None) -> tuple[Diagnostic, ...]:
    assert table is not None
    return lint(table, silicon(table.hwsku, None, tuple(row.xoff_bytes for row in table.rows)))


def rules(found: tuple[Diagnostic, ...]) -> list[str]:
    """`ERROR TAB-01 3:19`, without the note about xon."""
    return [
        f"{d.severity} {d.rule} {d.source.line}:{d.source.column}"
        for d in found
        if d.source is not None and d.rule != "TAB-08"
    ]


def config(**tables: Mapping[str, object]) -> str:
    """A config_db.json."""
    return json.dumps(tables, indent=1)


def of_config(text: str) -> tuple[Diagnostic, ...]:
    return judged(read_config(text, "config_db.json"))
