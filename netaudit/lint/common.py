"""What every check of a table shares: how it speaks, and which rows it may speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from netaudit.diag import Diagnostic, Severity, Source
from netaudit.lint.silicon import Silicon
from netaudit.lint.table import Row, Table

SPEEDS_MBPS: Final = frozenset(
    (10, 100, 1000, 2500, 5000, 10_000, 20_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000, 1_600_000)
)
"""What Ethernet runs at."""
LONGEST_M: Final = 150_000
"""Published tables end at 120 km (headroom.md 3)."""
LEAST_BYTES: Final = 1518
"""A headroom below holds no frame: it is in another unit."""


def say(severity: Severity, rule: str, source: Source, message: str, hint: str) -> Diagnostic:
    """One finding."""
    return Diagnostic(message=message, source=source, hint=hint, severity=severity, rule=rule)


def unlikely(row: Row) -> bool:
    """Its units are wrong: nothing else can be said of it."""
    return row.speed_mbps not in SPEEDS_MBPS or row.length_m > LONGEST_M or row.xoff_bytes < LEAST_BYTES


def by_speed(table: Table) -> Iterator[tuple[int, list[Row]]]:
    """(speed, its rows by length, of equal lengths the first)."""
    rows = sorted((row for row in table.rows if not unlikely(row)), key=lambda row: (row.speed_mbps, row.length_m))
    for speed_mbps, same in groupby(rows, key=lambda row: row.speed_mbps):
        yield speed_mbps, list({row.length_m: row for row in reversed(list(same))}.values())[::-1]


def by_length(table: Table) -> Mapping[int, list[Row]]:
    """Length → its rows by speed."""
    found: dict[int, list[Row]] = {}
    for _, rows in by_speed(table):
        for row in rows:
            found.setdefault(row.length_m, []).append(row)
    return found


def hint_of(chip: Silicon, row: Row, otherwise: str) -> str:
    """What the row should hold, where the ASIC is known."""
    worst = chip.need(row.speed_mbps, row.length_m, bulk=False, shared=True)
    return (
        otherwise if worst is None else f"{chip.asic} needs {worst.xoff_bytes:,} B in the worst case ({worst.method})"
    )
