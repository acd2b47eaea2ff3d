"""Partitions of the shared buffer and cable lengths, as bytes and metres of the state."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.junos.chips import UNKNOWN, Chip, unmarked
from netaudit.platforms.junos.cos_interfaces import cos_interfaces
from netaudit.platforms.junos.names import port_of
from netaudit.platforms.junos.quantize_buffers import ALPHAS, LOSSLESS, POOLS
from netaudit.platforms.junos.text import Tree, below, number
from netaudit.state import ABSENT, Buffers, Pool, PortBuffers, Profile

HEADROOM = "lossless-headroom"


def held_by(cos: Tree) -> Chip:
    """The switch whose percents the configuration has, as the names of our profiles say; QFX5240 where none says it."""
    names = (*below(cos, "drop-profiles"), *below(cos, "congestion-notification-profile"))
    found = (held for _, held in map(unmarked, names) if held is not None)
    return next(found, UNKNOWN)


def read_buffers(root: Tree, ports: frozenset[str]) -> Buffers:
    """Partitions as pools, the threshold of the lossless one as its profile, and the cable length of each port."""
    cos = below(root, "class-of-service")
    held = held_by(cos)
    threshold = number(cos, "shared-buffer", "ingress", "buffer-partition", "lossless", "dynamic-threshold")
    known = below(cos, "shared-buffer", "ingress", "buffer-partition", "lossless")
    alpha = ALPHAS[threshold] if threshold is not None and threshold < len(ALPHAS) else ABSENT
    return Buffers(
        pools=dict(_pools(cos, held)),
        profiles={LOSSLESS: Profile(alpha=alpha)} if known else {},
        ports=_lengths(cos, ports),
    )


def _pools(cos: Tree, held: Chip) -> Mapping[str, Pool]:
    found = {}
    for direction in ("ingress", "egress"):
        partitions = below(cos, "shared-buffer", direction, "buffer-partition")
        for name, settings in partitions.items():
            if name == HEADROOM and direction == "ingress":
                continue
            pool = POOLS.get((direction, name), f"{direction}_{name}_pool")
            headroom = number(partitions, HEADROOM, "percent") if (direction, name) == ("ingress", "lossless") else None
            size = number(settings, "percent")
            found[pool] = Pool(
                direction=direction,
                size_bytes=held.partition_bytes(size) if size is not None else ABSENT,
                shared_headroom_bytes=held.partition_bytes(headroom) if headroom is not None else ABSENT,
            )
    return found


def _lengths(cos: Tree, ports: frozenset[str]) -> Mapping[str, PortBuffers]:
    found = {}
    profiles = below(cos, "congestion-notification-profile")
    for name, settings in cos_interfaces(cos, ports).items():
        profile = settings.profile
        length = number(profiles, profile, "input", "cable-length") if profile is not None else None
        if length is not None:
            found[port_of(name)] = PortBuffers(cable_length_m=length)
    return found
