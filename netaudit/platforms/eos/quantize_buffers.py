"""Buffers as the one queue profile of a switch holds them (`buffers.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from netaudit.platforms.eos.asics import is_sand
from netaudit.platforms.eos.buffers import HEADROOM_POOL, INGRESS, is_normal, threshold
from netaudit.state import ABSENT, Buffers, Device, Leaf, Pool, Profile


def quantized_buffers(device: Device) -> Buffers:
    """The rows of the normal form; none on chips for whose buffer no words are known (eos.md section 2)."""
    buffers = device.buffers or Buffers()
    if is_sand(device.asic):
        return replace(buffers, model=None, computing=None, pools=None, profiles=None, ports=None)
    rows = buffers.profiles if is_normal(buffers) else _rows(buffers)
    return replace(
        buffers,
        model=None,
        computing=None,
        pools=None if buffers.pools is None else {HEADROOM_POOL: Pool(shared_headroom_bytes=_shared(buffers.pools))},
        profiles=None
        if rows is None
        else {name: row for name, profile in rows.items() if _says_something(row := _row(profile))},
        ports=None,
    )


def _shared(pools: Mapping[str, Pool]) -> Leaf[int]:
    sizes = [p.shared_headroom_bytes for p in pools.values() if isinstance(p.shared_headroom_bytes, int)]
    return max(sizes) if sizes else ABSENT


def _row(profile: Profile) -> Profile:
    alpha = profile.alpha
    return Profile(
        size_bytes=profile.size_bytes,
        alpha=threshold(alpha) if isinstance(alpha, Fraction) else alpha,
        xoff_bytes=profile.xoff_bytes,
        xon_offset_bytes=profile.xon_offset_bytes,
        origin=profile.origin,
    )


def _says_something(row: Profile) -> bool:
    """Is there a line for it?"""
    return any(isinstance(value, int | Fraction) for value in (row.size_bytes, row.alpha, row.xoff_bytes))


def _rows(buffers: Buffers) -> Mapping[str, Profile] | None:
    """What all ports are bound to, as one: of several the one that takes most."""
    if buffers.profiles is None:
        return None
    lossless: dict[str, Profile] = {}
    rows: dict[str, Profile] = {}
    for number, profile in _bound(buffers, "groups"):
        if isinstance(profile.xoff_bytes, int):
            lossless[number] = _larger(lossless.get(number), profile)
        else:
            rows[INGRESS] = _larger(rows.get(INGRESS), profile)
    for number, profile in _bound(buffers, "queues"):
        rows[f"queue {number}"] = _larger(rows.get(f"queue {number}"), profile)
    made = {name: _bare(profile) for name, profile in rows.items()}
    if lossless:
        largest = max(lossless.values(), key=_headroom)
        made[INGRESS] = replace(
            made.get(INGRESS, _bare(Profile())),
            xoff_bytes=largest.xoff_bytes,
            xon_offset_bytes=largest.xon_offset_bytes,
            origin=largest.origin,
        )
    made |= {f"group {number}": _bare(profile) for number, profile in lossless.items()}
    return dict(sorted(made.items()))


def _bare(profile: Profile) -> Profile:
    """Its share alone: what is reserved is left to the switch, and headroom is of all groups together."""
    return Profile(size_bytes=ABSENT, alpha=profile.alpha, origin=profile.origin)


def _headroom(profile: Profile) -> int:
    return profile.xoff_bytes if isinstance(profile.xoff_bytes, int) else 0


def _larger(one: Profile | None, other: Profile) -> Profile:
    if one is None:
        return other
    return max(one, other, key=lambda p: (_headroom(p), p.alpha if isinstance(p.alpha, Fraction) else Fraction(0)))


def _bound(buffers: Buffers, which: str) -> Iterator[tuple[str, Profile]]:
    """(priority group or queue, profile) of every port; `3-4` is both of them. Equal ports are looked at once."""
    profiles = buffers.profiles or {}
    seen = {id(port): port for port in (buffers.ports or {}).values()}
    for port in seen.values():
        table = port.groups if which == "groups" else port.queues
        for numbers, name in (table or {}).items():
            if name in profiles:
                low, _, high = numbers.partition("-")
                for number in range(int(low), int(high or low) + 1):
                    yield str(number), profiles[name]
