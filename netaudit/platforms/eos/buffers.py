"""The buffer of Trident and Tomahawk: one queue profile that is applied to the whole switch (eos.md section 2).

The normal form of the state has one row for what every priority group has (`ingress`: its share, and the headroom of
the lossless ones), one for each group with a share of its own (`group 3`) and one for each queue (`queue 3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from netaudit.platforms.eos.text import Line
from netaudit.state import ABSENT, Buffers, Pool, Profile

PROFILE: Final = "NETAUDIT"
"""What our queue profile is called on the device."""
INGRESS: Final = "ingress"
HEADROOM_POOL: Final = "headroom"
"""The one pool that can be set: that from which all headroom is taken."""
ROW = re.compile(r"ingress|group [0-7]|queue [0-7]")
LOWEST, HIGHEST = Fraction(1, 128), Fraction(8)
"""Ends of the closed list of thresholds: powers of two (eos.md section 2)."""
_APPLY = "platform trident mmu queue profile {} apply"
_THRESHOLDS = frozenset(str(Fraction(2) ** n) for n in range(-7, 4))


def threshold(alpha: Fraction) -> Fraction:
    """The nearest of the list, the smaller one of two: 1/128 … 8."""
    steps = [Fraction(2) ** n for n in range(-7, 4)]
    return min(steps, key=lambda step: (max(step / alpha, alpha / step), step)) if alpha > 0 else LOWEST


def is_normal(buffers: Buffers) -> bool:
    """Are these the rows of the normal form already?"""
    return buffers.ports is None and all(map(ROW.fullmatch, buffers.profiles or {}))


def profile_lines(buffers: Buffers) -> list[str]:
    """What stands in the queue profile."""
    return [line for name, profile in _ordered(buffers.profiles or {}) for line in _row(name, profile)]


def _ordered(profiles: Mapping[str, Profile]) -> list[tuple[str, Profile]]:
    return sorted(profiles.items(), key=lambda row: (row[0] != INGRESS, row[0]))


def _row(name: str, profile: Profile) -> Iterator[str]:
    what, _, number = name.partition(" ")
    before = {"group": f"ingress priority-group {number}", "queue": f"egress unicast queue {number}"}.get(what, name)
    if isinstance(profile.size_bytes, int):
        yield f"{before} reserved bytes {profile.size_bytes}"
    if isinstance(profile.alpha, Fraction):
        yield f"{before} threshold {profile.alpha}"
    if isinstance(profile.xoff_bytes, int):
        yield f"ingress headroom bytes {profile.xoff_bytes}"
    if isinstance(profile.xon_offset_bytes, int):
        yield f"ingress resume {profile.xon_offset_bytes}"


def global_lines(buffers: Buffers) -> Iterator[str]:
    """What applies the profile, and bounds the pool of headroom."""
    if profile_lines(buffers):
        yield _APPLY.format(PROFILE)
    size = (buffers.pools or {}).get(HEADROOM_POOL, Pool()).shared_headroom_bytes
    if isinstance(size, int):
        yield f"platform trident mmu headroom-pool limit bytes {size}"


class Reader:
    """Takes lines of the buffer; `buffers` is what they say together."""

    def __init__(self) -> None:
        self._profiles: dict[str, dict[str, dict[str, object]]] = {}
        self._applied = ""
        self._limit: int | None = None

    def line(self, line: Line) -> bool:
        """Take one top line into account; `False` if no leaf stands for it."""
        match line.words:
            case ["platform", "trident", "mmu", "queue", "profile", name, "apply"]:
                self._applied = name
            case ["platform", "trident", "mmu", "queue", "profile", name]:
                rows = self._profiles.setdefault(name, {})
                known = [_read_row(rows, below.words) for below in line.below]
                return all(known)
            case ["platform", "trident", "mmu", "headroom-pool", "limit", *size]:
                self._limit = _bytes(size)
                return self._limit is not None
            case _:
                return False
        return True

    @property
    def buffers(self) -> Buffers:
        """The profile that is applied; one that is not does nothing (eos.md section 2)."""
        rows = self._profiles.get(self._applied, {})
        limit = ABSENT if self._limit is None else self._limit
        return Buffers(
            pools={HEADROOM_POOL: Pool(shared_headroom_bytes=limit)},
            profiles={name: _profile(fields) for name, fields in rows.items()},
        )


def _profile(fields: Mapping[str, object]) -> Profile:
    found = dict.fromkeys(("size_bytes", "alpha", "xoff_bytes", "xon_offset_bytes"), ABSENT)
    return Profile(**{**found, **fields})  # type: ignore[arg-type]  # `_read_row` puts numbers there


def _read_row(rows: dict[str, dict[str, object]], words: list[str]) -> bool:
    match words:
        case ["ingress", "priority-group", number, *said]:
            name = f"group {number}"
        case ["egress", "unicast", "queue", number, *said]:
            name = f"queue {number}"
        case ["ingress", *said]:
            name = INGRESS
        case _:
            return False
    field, value = _setting(name, said)
    if value is None:
        return False
    rows.setdefault(name, {})[field] = value
    return True


def _setting(name: str, said: list[str]) -> tuple[str, object]:
    """(field, value) of what stands behind the name of a row; `None` for the value of what there is no leaf for."""
    match said:
        case ["threshold", value] if value in _THRESHOLDS:
            return "alpha", Fraction(value)
        case ["reserved", *size]:
            return "size_bytes", _bytes(size)
        case ["headroom", *size] if name == INGRESS:
            return "xoff_bytes", _bytes(size)
        case ["resume", *size] if name == INGRESS:
            return "xon_offset_bytes", _bytes(size)
        case _:
            return "", None


def _bytes(words: list[str]) -> int | None:
    """`bytes 98304`, or a bare number, as older releases show it."""
    digits = words[1] if words[:1] == ["bytes"] and len(words) == 2 else words[0] if len(words) == 1 else ""
    return int(digits) if digits.isdecimal() and len(digits) < 13 else None
