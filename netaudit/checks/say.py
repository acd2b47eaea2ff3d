"""How numbers, rates and names of many devices read in one line of a check (design: README.md, «Numbers»)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

MOST = 4
"""Names or runs of names that one line bears."""
_DIGITS = re.compile(r"(\d+)")


def rate(speed_mbps: int) -> str:
    """`400G`; `2500M` where no whole gigabits are meant."""
    return f"{speed_mbps // 1000}G" if speed_mbps % 1000 == 0 else f"{speed_mbps}M"


def metres(length_m: float) -> str:
    """`40 m`, `31.5 m`."""
    return f"{length_m:,.6g} m" if length_m < 10_000 else f"{length_m:,.0f} m"


def exact(size_bytes: int) -> str:
    """`231,424 B`: what a device is given."""
    return f"{size_bytes:,} B"


def megabytes(size_bytes: int) -> str:
    """`28.6 MB`, three digits at most: sums, in units of 10^6."""
    value = size_bytes / 1_000_000
    return f"{value:.1f} MB" if value < 1000 else f"{value:,.0f} MB"


def percent(share: Fraction) -> str:
    """`18 %`, whole; what is not nothing is not 0 %."""
    whole = round(share * 100)
    return f"{whole} %" if whole or not share else "below 1 %"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 leaf`, `2 leaves`, `1,024 ports`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def devices(role: str, number: int) -> str:
    """`1 leaf`, `64 leaves`, `32 spines`."""
    return counted(number, role, "leaves" if role == "leaf" else f"{role}s")


def folded(names: Iterable[str]) -> str:
    """`a-su3-r1..r8-leaf, a-spine1..16`: names that differ in one number that counts up become one."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _varies([*runs[-1], name]) is not None:
            runs[-1].append(name)
        else:
            runs.append([name])
    shown = [_run(run) for run in runs[:MOST]]
    left = sum(len(run) for run in runs[MOST:])
    return ", ".join(shown) + (f" and {left:,} more" if left else "")


def _varies(run: list[str]) -> int | None:
    """Which part of the last two names counts up by one, if it is the same all along the run; else `None`."""
    first, before, after = (_DIGITS.split(name) for name in (run[0], run[-2], run[-1]))
    part = _differing(before, after)
    if part is None or part != _differing(first, after) or int(after[part]) != int(before[part]) + 1:
        return None
    return part


def _differing(one: list[str], other: list[str]) -> int | None:
    """The only part, a number, in which two names differ."""
    if len(one) != len(other):
        return None
    parts = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return parts[0] if len(parts) == 1 and parts[0] % 2 else None


def _run(run: list[str]) -> str:
    if len(run) == 1:
        return run[0]
    part = _varies(run)
    first, last = _DIGITS.split(run[0]), _DIGITS.split(run[-1])
    number = part if part is not None else 1
    letter = re.search(r"(?:^|[^A-Za-z])([A-Za-z])$", first[number - 1])
    until = (letter.group(1) if letter else "") + last[number]
    return "".join(first[: number + 1]) + ".." + until + "".join(first[number + 1 :])
