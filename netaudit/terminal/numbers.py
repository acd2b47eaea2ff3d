"""Counts, shares, sizes, times and dates as a person reads them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


def number(value: int) -> str:
    """`1,229,440`."""
    return f"{value:,}"


def counted(value: int, one: str, many: str = "") -> str:
    """`1 cause`, `1,204 drops`; `many` where the plural is not `one` with an s."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def share(part: float, whole: float) -> str:
    """Return `18 %`, a whole percent; never `0 %` or `100 %` unless it is exactly that. `–` of nothing."""
    if not whole:
        return "–"
    percent = 100 * part / whole
    if 0 < percent < 1:
        return "< 1 %"
    return "> 99 %" if 99 < percent < 100 else f"{percent:.0f} %"


def exact_bytes(value: int) -> str:
    """`408,576 B`: what a device is given."""
    return f"{value:,} B"


def rough_bytes(value: float) -> str:
    """`28.6 MB` (10^6), one decimal: sums."""
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value:.0f} B"


def duration(seconds: float) -> str:
    """`8.1 s`, `41 s`, `4 min 12 s`, `18 min 02 s`, `3 h 05 min`, `2 d 18 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s".replace(".0 s", " s")
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / 3600)
    return f"{hours // 24} d {hours % 24} h"


def moment(when: datetime, zone: tzinfo = UTC) -> str:
    """`2026-11-23 06:00 JST`: an aware time as a person reads it."""
    local = when.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M} {local.tzname()}"


def moments(when: datetime, zone: tzinfo = UTC) -> str:
    """`2026-11-23 06:00 JST (2026-11-22 21:00 UTC)`: a time of the site, UTC beside it where the two differ."""
    try:
        same = when.astimezone(zone).utcoffset() == UTC.utcoffset(None)
    except OverflowError:  # the last hours of the year 9999 have no time there
        same = True
    if same:
        return moment(when)
    return f"{moment(when, zone)} ({moment(when)})"


def stamp(when: datetime) -> str:
    """`2026-11-23T01:12:04Z`: an aware time in a log."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
