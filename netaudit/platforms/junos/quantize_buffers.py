"""Buffers as Junos can hold them: partitions in whole percents, and one threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from netaudit.platforms.junos.chips import Chip
from netaudit.state import Buffers, Leaf, Pool, Profile, Qos

LOSSLESS: Final = "lossless"
"""Name of the one profile, that of the lossless partition."""
LOSSY_PERCENT: Final = 10
HEADROOM_PERCENT: Final = 24
"""Partitions of Juniper's design for AI clusters: 66 % lossless, 24 % headroom, 10 % lossy (junos.md section 1, J1)."""
MOST_HEADROOM_PERCENT: Final = 80
POOLS: Final[Mapping[tuple[str, str], str]] = {
    ("ingress", "lossless"): "ingress_lossless_pool",
    ("ingress", "lossy"): "ingress_lossy_pool",
    ("egress", "lossless"): "egress_lossless_pool",
    ("egress", "lossy"): "egress_lossy_pool",
}
"""Direction and partition → the pool's name in the state."""
ALPHAS: Final = tuple(Fraction(2) ** power for power in range(-7, 4))
"""`dynamic-threshold` 0 to 10: 1/128 to 8, the steps of the chips of the family (junos.md section 2)."""


def quantized_buffers(buffers: Buffers, qos: Qos | None, held: Chip) -> Buffers:
    """The partitions of the shared buffer, the threshold of the lossless one, and the lengths of cables."""
    lossless = qos is None or any(port.pfc for port in (qos.ports or {}).values() if isinstance(port.pfc, frozenset))
    return replace(
        buffers,
        pools=None if buffers.pools is None else _pools(buffers, held) if lossless else {},
        profiles=None if buffers.profiles is None else _profiles(buffers.profiles) if lossless else {},
    )


def _pools(buffers: Buffers, held: Chip) -> Mapping[str, Pool]:
    """The partitions of the shared buffer. Those of another NOS's chip say how much headroom is wanted, no more."""
    pools = buffers.pools or {}
    if all(pool.dynamic is None for pool in pools.values()):
        return {name: _partition(pool, held) for name, pool in pools.items()}
    headroom = _headroom_percent(buffers, held)
    sizes = {"lossless": 100 - LOSSY_PERCENT - headroom, "lossy": LOSSY_PERCENT}
    return {
        name: Pool(
            size_bytes=held.partition_bytes(sizes[partition]),
            shared_headroom_bytes=held.partition_bytes(headroom)
            if (direction, partition) == ("ingress", "lossless")
            else None,
            origin=next(iter(pools.values())).origin if pools else None,
        )
        for (direction, partition), name in POOLS.items()
    }


def _partition(pool: Pool, held: Chip) -> Pool:
    return replace(
        pool,
        size_bytes=_whole_percents(pool.size_bytes, held),
        shared_headroom_bytes=_whole_percents(pool.shared_headroom_bytes, held),
    )


def _whole_percents(size_bytes: Leaf[int], held: Chip) -> Leaf[int]:
    if not isinstance(size_bytes, int):
        return size_bytes
    return held.partition_bytes(min(100, round(held.partition_percent(size_bytes))))


def _headroom_percent(buffers: Buffers, held: Chip) -> int:
    """What all headroom together needs of the shared buffer, Juniper's 24 % at least."""
    shared = next(
        (p.shared_headroom_bytes for p in (buffers.pools or {}).values() if isinstance(p.shared_headroom_bytes, int)), 0
    )
    profiles = buffers.profiles or {}
    bound = (profile for port in (buffers.ports or {}).values() for profile in (port.groups or {}).values())
    needed = shared or sum(_xoff(profiles.get(profile)) for profile in bound)
    percent = held.partition_percent(needed)
    return min(MOST_HEADROOM_PERCENT, max(HEADROOM_PERCENT, -(-percent.numerator // percent.denominator)))


def _xoff(profile: Profile | None) -> int:
    return profile.xoff_bytes if profile is not None and isinstance(profile.xoff_bytes, int) else 0


def _profiles(profiles: Mapping[str, Profile]) -> Mapping[str, Profile]:
    """The threshold of the lossless partition: the least of those that lossless groups have."""
    known = [profiles[LOSSLESS]] if LOSSLESS in profiles else [p for p in profiles.values() if _xoff(p)]
    alphas = [p.alpha for p in known if isinstance(p.alpha, Fraction)]
    if not known:
        return {LOSSLESS: Profile()}  # the partition is there, and no group says how it is shared
    alpha: Leaf[Fraction] = step(min(alphas)) if alphas else known[0].alpha
    return {LOSSLESS: Profile(alpha=alpha, origin=known[0].origin)}


def step(alpha: Fraction) -> Fraction:
    """The nearest alpha that there is a threshold for, on a scale of powers of two; the smaller of two."""
    return min(ALPHAS, key=lambda one: (max(one / alpha, alpha / one), one)) if alpha > 0 else ALPHAS[0]
