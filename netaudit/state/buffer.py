"""Buffer pools, buffer profiles (headroom among them) and what each port is bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A piece of the chip's memory."""

    direction: Leaf[str] = None
    """`ingress` or `egress`."""
    size_bytes: Leaf[int] = None
    shared_headroom_bytes: Leaf[int] = None
    """Size of the shared headroom pool; `ABSENT` where each priority group carries its own."""
    dynamic: Leaf[bool] = None
    """Profiles limit by a share of the free part (alpha), not by bytes."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a priority group or a queue may take of a pool. A lossless one has `xoff_bytes`."""

    pool: Leaf[str] = None
    size_bytes: Leaf[int] = None
    """Reserved bytes."""
    alpha: Leaf[Fraction] = None
    """Share of the free part of the pool, alpha / (1 + alpha) of it."""
    limit_bytes: Leaf[int] = None
    """Fixed limit in place of `alpha`."""
    xon_bytes: Leaf[int] = None
    xoff_bytes: Leaf[int] = None
    """Headroom: what may still arrive after XOFF was sent."""
    xon_offset_bytes: Leaf[int] = None
    discard: Leaf[str] = None
    """`trim`: of what finds no room the header goes on. `ABSENT`: it is dropped."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """What a switch that computes headroom by itself is told to compute it for."""

    lossless_mtu_bytes: Leaf[int] = None
    """Largest packet of the lossless classes."""
    small_packet_percent: Leaf[int] = None
    """Part of the traffic that is in the smallest packets."""
    alpha: Leaf[Fraction] = None
    """That of the profiles it makes."""
    oversubscription: Leaf[int] = None
    """Headroom of all groups over the pool that they share; `ABSENT` where each carries its own."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortBuffers:
    """The profiles a port uses, by their names in `Buffers.profiles`."""

    cable_length_m: Leaf[int] = None
    """The length the device computes or looks up its headroom for."""
    groups: Mapping[str, str] | None = None
    """Priority group (`0`, or a merged range `3-4`) → profile, the one that the switch makes where it computes."""
    queues: Mapping[str, str] | None = None
    """Queue or range of queues → profile."""
    ingress: Leaf[tuple[str, ...]] = None
    """Profiles that bound the port as a whole at ingress."""
    egress: Leaf[tuple[str, ...]] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffers:
    """All buffers of a device."""

    model: Leaf[str] = None
    """`traditional` (rows as written) or `dynamic` (the switch computes)."""
    computing: Leaf[Computing] = None
    pools: Mapping[str, Pool] | None = None
    profiles: Mapping[str, Profile] | None = None
    ports: Mapping[str, PortBuffers] | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)
