"""What a headroom table can contradict outside: the ASIC's cells, what it needs, its formula, units of measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from netaudit.diag import Diagnostic, Severity
from netaudit.lint.common import LEAST_BYTES, LONGEST_M, SPEEDS_MBPS, hint_of, say, unlikely
from netaudit.lint.silicon import CELLS, FRAME_BYTES, Silicon, cable_bytes
from netaudit.lint.table import Row, Table, speed_text
from netaudit.lossless import Headroom

WASTE: Final = 1.5
"""Above so many times the worst case headroom is wasted buffer (headroom.md 6)."""
NEARLY_ALL: Final = 0.7
"""A table follows a formula if so many of its rows do. Judgement: declared faults take up to 20 % of one."""


def cells(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-05, TAB-07: no whole number of cells; of another ASIC's cells it was copied from there."""
    step = chip.cell_bytes
    for row in table.rows:
        if step is None or unlikely(row) or row.xoff_bytes % step == 0:
            continue
        other = [asic for asic, cell in CELLS.items() if cell != step and row.xoff_bytes % cell == 0]
        rest = row.xoff_bytes % step
        message = f"{row.name}: xoff {row.xoff_bytes:,} B is {rest:,} B beyond a multiple of {step} B ({chip.why})"
        if other and step in CELLS.values():
            cell = CELLS[other[0]]
            message += f", but {row.xoff_bytes // cell:,} cells of {cell} B: copied from a table of {other[0]}"
            yield say(Severity.WARNING, "TAB-07", row.at("xoff"), message, hint_of(chip, row, "compute the row anew"))
            continue
        up = row.xoff_bytes - rest + step
        yield say(Severity.WARNING, "TAB-05", row.at("xoff"), message, f"{up:,} B is the next whole number of cells")


def need(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-06: below what large packets need is an error, below the smallest ones a warning, far above it a note."""
    shared = table.shared is not False and not any(row.size_bytes >= row.xoff_bytes for row in table.rows)
    older, small, wasted = _Rows(), _Rows(), _Rows()
    for row in table.rows:
        if unlikely(row):
            continue
        holds = round(cable_bytes(row.speed_mbps, row.length_m))
        bulk = chip.need(row.speed_mbps, row.length_m, bulk=True, shared=shared)
        worst = chip.need(row.speed_mbps, row.length_m, bulk=False, shared=shared)
        if row.xoff_bytes < holds:
            message = f"{row.name}: xoff {row.xoff_bytes:,} B is less than the cable holds there and back, {holds:,} B"
            yield say(
                Severity.ERROR, "TAB-06", row.at("xoff"), message, hint_of(chip, row, "no switch can do with that")
            )
        elif bulk is None or worst is None:
            continue
        elif row.xoff_bytes < bulk.xoff_bytes and chip.made(row.speed_mbps, row.length_m) == row.xoff_bytes:
            older.add(row, bulk.xoff_bytes)
        elif row.xoff_bytes < bulk.xoff_bytes:
            yield _short(row, bulk, chip)
        elif row.xoff_bytes < worst.xoff_bytes and not worst.generic:
            small.add(row, worst.xoff_bytes)
        elif row.xoff_bytes > WASTE * worst.xoff_bytes:
            wasted.add(row, worst.xoff_bytes)
    yield from _together(table, chip, older, small, wasted)


class _Rows:
    """Rows of which one sentence is said, each with what it needs."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.worst: tuple[float, Row, int] | None = None

    def add(self, row: Row, needed: int) -> None:
        self.rows.append(row)
        share = (needed - row.xoff_bytes) / needed
        if self.worst is None or share > self.worst[0]:
            self.worst = (share, row, needed)

    def of(self, table: Table) -> str:
        """`3 of 24 rows`, or all."""
        all_rows = len(self.rows) == len(table.rows)
        return f"all {len(self.rows)} rows" if all_rows else f"{len(self.rows)} of {len(table.rows)} rows"

    def names(self) -> str:
        """`400G at 40, 300 m; 800G at 5 m`."""
        found: dict[int, list[str]] = {}
        for row in sorted(self.rows, key=lambda row: (row.speed_mbps, row.length_m)):
            found.setdefault(row.speed_mbps, []).append(f"{row.length_m:,}")
        return "; ".join(f"{speed_text(speed)} at {', '.join(lengths)} m" for speed, lengths in found.items())


def _together(table: Table, chip: Silicon, older: _Rows, small: _Rows, wasted: _Rows) -> Iterator[Diagnostic]:
    """What is true of many rows alike is said once."""
    if older.worst is not None:
        share, row, needed = older.worst
        message = (
            f"{older.of(table)} hold less than NVIDIA's formula of today gives for bulk packets: made with an older "
            f"state of it; most, {share:.0%}, at {row.name}: {row.xoff_bytes:,} of {needed:,} B"
        )
        hint = "the dynamic buffer model computes with today's; or bind profiles of your own"
        yield say(Severity.WARNING, "TAB-06", row.at("xoff"), message, hint)
    if small.worst is not None:
        share, row, needed = small.worst
        message = (
            f"{small.of(table)} are enough for bulk packets only; of the smallest packets {row.name} drops the most: "
            f"{row.xoff_bytes:,} B, {share:.0%} less than the {needed:,} B that {chip.asic} needs ({small.names()})"
        )
        hint = "enough where lossless traffic is RDMA of large messages; else rows for the worst case"
        yield say(Severity.WARNING, "TAB-06", row.at("xoff"), message, hint)
    if wasted.rows:
        message = f"{wasted.of(table)} have more than {WASTE:g} times the worst case of {chip.asic}: {wasted.names()}"
        yield say(Severity.INFO, "TAB-06", wasted.rows[0].at("xoff"), message, "buffer that no burst can use")


def _short(row: Row, bulk: Headroom, chip: Silicon) -> Diagnostic:
    missing = bulk.xoff_bytes - row.xoff_bytes
    message = (
        f"{row.name}: xoff {row.xoff_bytes:,} B is {missing:,} B ({missing / bulk.xoff_bytes:.0%}) less than "
        f"{chip.asic} needs even for bulk packets ({bulk.method})"
    )
    severity = Severity.WARNING if bulk.generic else Severity.ERROR
    return say(severity, "TAB-06", row.at("xoff"), message, f"at least {bulk.xoff_bytes:,} B")


def formula(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-12: a row that leaves the formula which all others of its table follow to the byte."""
    made = [(row, chip.made(row.speed_mbps, row.length_m)) for row in table.rows if not unlikely(row)]
    apart = [(row, value) for row, value in made if value is not None and value != row.xoff_bytes]
    if not made or not apart or len(apart) > (1 - NEARLY_ALL) * len(made):
        return
    for row, value in apart:
        less = value - row.xoff_bytes
        message = (
            f"{row.name}: xoff {row.xoff_bytes:,} B, {abs(less):,} B {'less' if less > 0 else 'more'} than the formula"
        )
        message += f" that {len(made) - len(apart)} of {len(made)} rows follow to the byte"
        if abs(value - 2 * row.xoff_bytes) <= 1024:
            message += ": it is half"
        elif less in (FRAME_BYTES, FRAME_BYTES - 1024):
            message += ": it leaves out one frame of 9,216 B"
        yield say(Severity.ERROR if less > 0 else Severity.WARNING, "TAB-12", row.at("xoff"), message, f"{value:,} B")


def units(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-09: figures that only make sense in another unit."""
    for row in table.rows:
        if row.speed_mbps not in SPEEDS_MBPS:
            likely = row.speed_mbps * 1000
            hint = f"Mb/s: {likely}" if likely in SPEEDS_MBPS else "speeds are Mb/s: 800000 is 800G"
            message = f"no Ethernet runs at {row.speed_mbps:,} Mb/s: no port finds this row"
            yield say(Severity.ERROR, "TAB-09", row.at("speed"), message, hint)
        elif row.length_m > LONGEST_M:
            message = f"{row.length_m:,} m: the longest published row has 120 km"
            yield say(Severity.ERROR, "TAB-09", row.at("cable"), message, "a length is in metres")
        elif row.xoff_bytes < LEAST_BYTES:
            message = f"{row.name}: xoff {row.xoff_bytes:,} B holds no frame"
            hint = (
                "xoff is in bytes; this looks like cells or KiB" if row.xoff_bytes else "a row needs an xoff in bytes"
            )
            yield say(Severity.ERROR, "TAB-09", row.at("xoff"), message, hint)


def xon(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-08: a sender that may go on before two frames have left; one note a table."""
    low = [row for row in table.rows if max(row.xon_bytes, row.xon_offset_bytes or 0) < 2 * FRAME_BYTES]
    if low:
        first = low[0]
        given = max(first.xon_bytes, first.xon_offset_bytes or 0)
        message = (
            f"{len(low)} of {len(table.rows)} rows let the sender go on {given:,} B below the threshold, less than two "
            f"frames of 9,216 B"
        )
        column = "xon" if first.xon_bytes >= (first.xon_offset_bytes or 0) else "xon_offset"
        hint = "pause may flap; 18,432 B are the advice of DCQCN, what Broadcom ships is less (headroom.md 5)"
        yield say(Severity.INFO, "TAB-08", first.at(column), message, hint)
