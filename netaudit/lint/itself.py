"""What a headroom table can contradict in itself: lengths, speeds, sizes, rows twice, lengths in use."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

from netaudit.diag import Diagnostic, Severity
from netaudit.lint.common import by_length, by_speed, hint_of, say, unlikely
from netaudit.lint.silicon import CELLS, FRAME_BYTES, ROUNDING_BYTES, Silicon, cable_bytes
from netaudit.lint.table import Bound, Row, Table, speed_text

SHARED_SIZE_BYTES: Final = 20_480
"""A group of a shared pool keeps at most two frames in cells: 18,796 B on Tomahawk 5, 19,456 B on Spectrum."""
MADE_BY_FORMULA: Final = frozenset(f"Spectrum-{generation}" for generation in range(1, 7))
"""ASICs whose ports of 8 lanes keep a frame more."""


def growth(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-01: a longer cable that gets less, or less more than it holds."""
    for speed_mbps, rows in by_speed(table):
        for short, long in pairwise(rows):
            more = long.xoff_bytes - short.xoff_bytes
            holds = cable_bytes(speed_mbps, long.length_m) - cable_bytes(speed_mbps, short.length_m)
            span = f"{long.length_m - short.length_m:,} m more cable hold {round(holds):,} B more"
            if more < 0:
                message = (
                    f"{long.name} has {long.xoff_bytes:,} B, {-more:,} B less than {short.length_m:,} m, though {span}"
                )
                hint = hint_of(chip, long, "take the row of a longer cable, or compute it anew")
                yield say(Severity.ERROR, "TAB-01", long.at("xoff"), message, hint)
            elif 0 < more < holds - ROUNDING_BYTES:
                message = f"{long.name} has {more:,} B more than {short.length_m:,} m, though {span}"
                hint = hint_of(chip, long, "one of the two rows is wrong")
                yield say(Severity.ERROR, "TAB-01", long.at("xoff"), message, hint)


def flat(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-02: lengths that share one value, though the cable between them holds more than rounding hides."""
    for speed_mbps, rows in by_speed(table):
        for xoff, alike in groupby(rows, key=lambda row: row.xoff_bytes):
            same = list(alike)
            holds = cable_bytes(speed_mbps, same[-1].length_m) - cable_bytes(speed_mbps, same[0].length_m)
            if len(same) < 2 or holds <= ROUNDING_BYTES:
                continue
            worst = chip.need(speed_mbps, same[-1].length_m, bulk=False, shared=True)
            covered = worst is not None and worst.xoff_bytes <= xoff
            lengths = ", ".join(f"{row.length_m:,}" for row in same)
            message = f"{speed_text(speed_mbps)}: one value, {xoff:,} B, for {lengths} m"
            message += ", enough for the longest" if covered else f", though the longest holds {round(holds):,} B more"
            severity = Severity.WARNING if covered else Severity.ERROR
            yield say(severity, "TAB-02", same[-1].at("xoff"), message, hint_of(chip, same[-1], "compute each length"))


def copied(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-07: the same bytes at two speeds, though a cable holds more at the faster one; once for each two speeds."""
    same: dict[tuple[int, int], list[tuple[Row, Row]]] = {}
    for rows in by_length(table).values():
        for slow, fast in pairwise(rows):
            if slow.xoff_bytes == fast.xoff_bytes:
                same.setdefault((slow.speed_mbps, fast.speed_mbps), []).append((slow, fast))
    for (slow_mbps, fast_mbps), pairs in same.items():
        slow, fast = pairs[-1]
        lengths = ", ".join(f"{row.length_m:,}" for row, _ in pairs)
        message = (
            f"{speed_text(slow_mbps)} has the rows of {speed_text(fast_mbps)} at {lengths} m: {fast.xoff_bytes:,} B"
        )
        hint = hint_of(chip, fast, "one was copied from the other; right for one of the two at most")
        yield say(Severity.WARNING, "TAB-07", slow.at("xoff"), message, hint)


def faster(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-11: a slower port that has more, though all that arrives grows with speed."""
    for rows in by_length(table).values():
        for slow, fast in pairwise(rows):
            if slow.xoff_bytes > fast.xoff_bytes:
                more = f"{speed_text(slow.speed_mbps)} with {slow.xoff_bytes:,} B"
                message = f"{fast.name} has {fast.xoff_bytes:,} B, less than {more}"
                yield say(
                    Severity.WARNING, "TAB-11", fast.at("xoff"), message, hint_of(chip, fast, "one of them is wrong")
                )


def size(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-03: reserved is less than xon and xoff, and no shared pool carries the rest."""
    if table.shared:
        return
    rows = [row for row in table.rows if not unlikely(row) and _dedicated(row, table, chip)]
    short = [row for row in rows if row.size_bytes < row.xon_bytes + row.xoff_bytes]
    beyond = {row.size_bytes - row.xoff_bytes for row in short}
    if len(short) == len(rows) > 1 and len(beyond) == 1 and min(beyond) >= 0:
        message = f"size is xoff + {min(beyond):,} B in all {len(rows)} rows, less than xon + xoff"
        hint = "right where xon counts within xoff (Broadcom's older tables), too small where it does not (NVIDIA)"
        yield say(Severity.WARNING, "TAB-03", short[0].at("size"), message, hint)
        return
    for row in rows:
        both = row.xon_bytes + row.xoff_bytes
        wide = chip.asic in MADE_BY_FORMULA and row.speed_mbps == 800_000
        if row.size_bytes < both:
            less = both - row.size_bytes
            message = f"{row.name}: size {row.size_bytes:,} B is {less:,} B less than xon + xoff, {both:,} B"
            hint = f"size {both:,}; or BUFFER_POOL.xoff, if a shared pool shall carry it"
            yield say(Severity.ERROR, "TAB-03", row.at("size"), message, hint)
        elif wide and 0 < both + FRAME_BYTES - row.size_bytes < FRAME_BYTES:
            less = both + FRAME_BYTES - row.size_bytes
            message = f"{row.name}: size {row.size_bytes:,} B is {less:,} B less than xon + xoff + one frame of 9,216 B"
            hint = "ports of 8 lanes keep one frame more (sonic-swss buffer_headroom_mellanox.lua)"
            yield say(Severity.WARNING, "TAB-03", row.at("size"), message, hint)


def _dedicated(row: Row, table: Table, chip: Silicon) -> bool:
    """The group keeps its own headroom: it says so by its size, or the pool by having no xoff."""
    if table.shared is False and chip.asic not in CELLS:
        return True
    return row.size_bytes > max(row.xon_bytes, SHARED_SIZE_BYTES)


def twice(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-10: a second row for a speed and length; which one is taken depends on who reads."""
    first: dict[tuple[int, int], Row] = {}
    for row in table.rows:
        before = first.setdefault((row.speed_mbps, row.length_m), row)
        if before is not row:
            differs = "the same" if before.xoff_bytes == row.xoff_bytes else f"{before.xoff_bytes:,} B"
            message = f"{row.name} stands in line {before.source.line} already, with {differs}"
            yield say(Severity.ERROR, "TAB-10", row.source, message, "take one out: buffermgrd keeps the last")


def stale(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-14: a group that kept the profile of a speed or length its port no longer has; one for ports alike."""
    told: dict[tuple[int, int, int, int], list[Bound]] = {}
    for bound in table.stale:
        key = (bound.speed_mbps, bound.length_m, bound.profile_speed_mbps, bound.profile_length_m)
        told.setdefault(key, []).append(bound)
    for (speed_mbps, length_m, other_mbps, other_m), same in told.items():
        ports = f"{same[0].port} and {len(same) - 1} more" if len(same) > 1 else same[0].port
        message = (
            f"{ports} at {speed_text(speed_mbps)} with {length_m:,} m has the profile of {speed_text(other_mbps)} at "
            f"{other_m:,} m"
        )
        less = other_mbps < speed_mbps or other_m < length_m
        hint = (
            f"bind pg_lossless_{speed_mbps}_{length_m}m_profile; buffermgrd does so when speed or length is set again"
        )
        severity = Severity.ERROR if less else Severity.WARNING
        yield say(severity, "TAB-14", same[0].source, message, hint)


def missing(table: Table, chip: Silicon) -> Iterator[Diagnostic]:
    """TAB-04: ports whose speed and length have no row get no headroom at all."""
    rows = table.rows or table.beside
    if table.dynamic or not rows:
        return
    known = {(row.speed_mbps, row.length_m) for row in rows}
    for use in table.uses:
        if (use.speed_mbps, use.length_m) in known:
            continue
        lengths = sorted(length for speed, length in known if speed == use.speed_mbps)
        longer = next((length for length in lengths if length >= use.length_m), None)
        ports = f"{use.ports[0]} and {len(use.ports) - 1} more" if len(use.ports) > 1 else use.ports[0]
        message = (
            f"{speed_text(use.speed_mbps)} at {use.length_m:,} m, in use on {ports}, has no row: no lossless "
            "profile, so lossless packets drop"
        )
        has = f"{', '.join(f'{length:,}' for length in lengths)} m" if lengths else "no row at all"
        hint = f"{longer} m is the next row" if longer else f"a row for it; {speed_text(use.speed_mbps)} has {has}"
        yield say(Severity.ERROR, "TAB-04", use.source, message, hint)
