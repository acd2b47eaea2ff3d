"""How much headroom SONiC's dynamic buffer model gives a priority group on NVIDIA switches, in exact arithmetic.

Source of the formula, unless a term says otherwise: sonic-net/sonic-swss e6b0c5b5,
cfgmgr/buffer_headroom_mellanox.lua, as worked out in headroom.md 2.2 and sonic.md 4. Published lookup tables of
Spectrum-1 to -6 are reproduced byte for byte (tests/lossless), each with the traffic pattern its makers used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from netaudit.lossless.derivation import Term, require, round_up

SONIC_PAUSE_QUANTA: Mapping[int, int] = MappingProxyType(
    {
        800_000: 905,
        400_000: 905,
        200_000: 453,
        100_000: 394,
        50_000: 147,
        40_000: 118,
        25_000: 80,
        10_000: 67,
        1_000: 2,
        100: 1,
    }
)
"""Speed in Mb/s → pause quanta until the peer stops, as buffer_headroom_mellanox.lua has them (IEEE 802.3 31B.3.7).

905 at 800G is half the time of 400G: it is what the switch will use, not what physics asks for (see `ceiling`)."""

QUANTUM_BYTES = 64
"""A pause quantum is 512 bit times (IEEE 802.3 Annex 31B)."""
MIN_FRAME_BYTES = 64
"""Smallest Ethernet frame; a cell holds one at least."""
KIB = 1024
LIGHT_M_PER_S = 198_000_000
"""Light in fibre, as buffer_headroom_mellanox.lua has it (5.05 ns/m)."""
TILE_BYTES_PER_GBPS = 15
"""120 bit times a Gb/s on the way between dies: Spectrum-4 and -5."""
ALL_SMALL_ALLOWANCE_BYTES = 2 * KIB
"""Added without a shared headroom pool where the pattern is kinder than all-small packets."""

_LUA = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """What one lossless priority group gets."""

    xoff_bytes: int
    """Bytes that may still arrive after XOFF was sent."""
    xon_bytes: int
    """Fill level at which the sender may go on."""
    size_bytes: int
    """Bytes reserved for the group; `xon_bytes` where a shared pool carries the headroom."""
    terms: tuple[Term, ...]
    """Delay terms in bytes, the one with unit `x`, the frame begun, extras, and the sums xoff, xon and size."""
    method: str = "SONiC's formula for NVIDIA switches"
    """Which formula, as a report names it."""
    generic: bool = False
    """Nothing is published of the ASIC: its delays are a margin of ours, and reports must say so."""
    step_bytes: int = KIB
    """What xoff is rounded up to."""
    xon_offset_bytes: int | None = None
    """The sender may go on so far below the threshold, on ASICs that count from there."""


def headroom(
    *,
    speed_mbps: int,
    length_m: float | Fraction,
    port_mtu_bytes: int,
    lossless_mtu_bytes: int,
    small_packet_percent: int,
    lanes: int,
    cell_bytes: int,
    pipeline_kib: Fraction,
    mac_phy_kib: Fraction,
    tile: bool,
    extra_kib: int,
    gearbox_ns: int,
    shared_headroom: bool,
    peer_response_kib: Fraction = Fraction("3.8"),
    pause_quanta: Mapping[int, int] = SONIC_PAUSE_QUANTA,
    small_by: str = "bytes",
) -> Headroom:
    """xoff, xon and size of a priority group.

    `peer_response_kib` stands in for speeds that `pause_quanta` lacks (asic_table.j2: 3.8). `small_by` says what the
    small packets are a percentage of: `bytes` today, `packets` in tables made with older releases (Spectrum-1 to -3,
    SN5600-V256). Raises ValueError for arguments outside the formula.
    """
    require(speed_mbps > 0 and length_m >= 0 and lanes > 0 and cell_bytes > 0, "speed, lanes and cell must be positive")
    factor, fill = _fill(small_packet_percent, lossless_mtu_bytes, cell_bytes, small_by)
    delay = (
        Term(name="frame on the wire here", value=port_mtu_bytes, unit="B", source="port MTU; PFC does not pre-empt"),
        *_cable_and_phy(speed_mbps, length_m, mac_phy_kib, gearbox_ns),
        _peer_response(speed_mbps, peer_response_kib, pause_quanta),
        *_tile(speed_mbps, tile),
    )
    extra = _extra(delay, fill, factor, lossless_mtu_bytes, extra_kib, shared_headroom or small_packet_percent == 100)
    xoff = _xoff(delay, Fraction(fill.value), lossless_mtu_bytes) + sum(int(term.value) for term in extra)
    xon, size, sums = _xon_and_size(xoff, port_mtu_bytes, lanes, pipeline_kib, shared_headroom)
    begun = Term(name="frame the peer has begun", value=lossless_mtu_bytes, unit="B", source="MTU of the class")
    return Headroom(xoff_bytes=xoff, xon_bytes=xon, size_bytes=size, terms=(*delay, fill, begun, *extra, *sums))


def _fill(small_percent: int, lossless_mtu_bytes: int, cell_bytes: int, small_by: str) -> tuple[Fraction, Term]:
    """(bytes of cell a byte of the smallest frames fills, the same of the assumed traffic as a term)."""
    require(0 <= small_percent <= 100, "small_packet_percent is a percentage")
    require(small_by in ("bytes", "packets"), "small_by is `bytes` or `packets`")
    factor = _cells_per_small_frame(cell_bytes, exact=small_by == "packets")
    occupancy = _occupancy(small_percent, lossless_mtu_bytes, factor, small_by)
    source = f"{small_percent} % small packets (by {small_by}), each filling {float(factor):g} times its bytes"
    return factor, Term(name="cells a byte of delay fills", value=occupancy, unit="x", source=source)


def _xoff(delay: tuple[Term, ...], fill: Fraction, lossless_mtu_bytes: int) -> int:
    delay_bytes = sum((Fraction(term.value) for term in delay), Fraction(0))
    return round_up(lossless_mtu_bytes + delay_bytes * fill, KIB)


def _extra(
    delay: tuple[Term, ...], fill: Term, factor: Fraction, lossless_mtu_bytes: int, extra_kib: int, exempt: bool
) -> tuple[Term, ...]:
    """What is added after rounding; `exempt` from the allowance are shared headroom and all-small traffic."""
    terms = []
    if extra_kib:
        terms.append(Term(name="extra of the ASIC", value=extra_kib * KIB, unit="B", source=_LUA))
    assumed = _xoff(delay, Fraction(fill.value), lossless_mtu_bytes) + extra_kib * KIB
    if not exempt and assumed + ALL_SMALL_ALLOWANCE_BYTES < _xoff(delay, factor, lossless_mtu_bytes):
        terms.append(
            Term(name="allowance for all-small traffic", value=ALL_SMALL_ALLOWANCE_BYTES, unit="B", source=_LUA)
        )
    return tuple(terms)


def _xon_and_size(
    xoff: int, port_mtu_bytes: int, lanes: int, pipeline_kib: Fraction, shared_headroom: bool
) -> tuple[int, int, tuple[Term, ...]]:
    eight = lanes == 8
    xon = round_up(pipeline_kib * KIB, KIB) * (2 if eight else 1)
    size = xon if shared_headroom else round_up(xoff + xon + (port_mtu_bytes if eight else 0), KIB)
    why_xon = "pipeline latency of the ASIC" + (", doubled on 8 lanes" if eight else "")
    why_size = "xoff + xon" + (" + port MTU on 8 lanes" if eight else "") + ", rounded up to 1024 B"
    if shared_headroom:
        why_size = "xon: the shared headroom pool carries xoff"
    terms = (
        Term(name="xoff", value=xoff, unit="B", source="delay x cells + frame begun, rounded up to 1024 B, + extras"),
        Term(name="xon", value=xon, unit="B", source=why_xon),
        Term(name="size", value=size, unit="B", source=why_size),
    )
    return xon, size, terms


def _cells_per_small_frame(cell_bytes: int, *, exact: bool) -> Fraction:
    """How many bytes of cell a byte of the smallest frames occupies. Older tables were made without rounding it up."""
    if cell_bytes > 2 * MIN_FRAME_BYTES:
        factor = Fraction(cell_bytes, MIN_FRAME_BYTES)
    else:
        factor = Fraction(2 * cell_bytes, 1 + cell_bytes)
    return factor if exact else Fraction(math.ceil(factor))


def _occupancy(small_percent: int, lossless_mtu_bytes: int, factor: Fraction, small_by: str) -> Fraction:
    """Bytes of cell that a byte of the assumed traffic occupies, 1 for large packets alone."""
    if small_by == "packets":
        return 1 + Fraction(small_percent, 100) * (factor - 1)
    mean_bytes = Fraction(small_percent * MIN_FRAME_BYTES + (100 - small_percent) * lossless_mtu_bytes, 100)
    # The original has 100 here, not small_percent: small shares come out larger than they are (headroom.md 2.2).
    small_percent_of_bytes = 100 * MIN_FRAME_BYTES / mean_bytes
    return (100 - small_percent_of_bytes + small_percent_of_bytes * factor) / 100


def _cable_and_phy(
    speed_mbps: int, length_m: float | Fraction, mac_phy_kib: Fraction, gearbox_ns: int
) -> tuple[Term, ...]:
    cable = 2 * Fraction(length_m) * speed_mbps * 1_000_000_000 / LIGHT_M_PER_S / 8_000
    terms = (
        Term(
            name="bytes on the cable", value=cable, unit="B", source=f"there and back over {length_m} m at 198,000 km/s"
        ),
        Term(name="MAC and PHY", value=mac_phy_kib * KIB, unit="B", source="asic_table.j2: mac_phy_delay"),
    )
    if not gearbox_ns:
        return terms
    gearbox = 2 * Fraction(speed_mbps * gearbox_ns, 8 * KIB)
    return (*terms, Term(name="gearbox", value=gearbox, unit="B", source=f"{gearbox_ns} ns, passed twice"))


def _peer_response(speed_mbps: int, fallback_kib: Fraction, pause_quanta: Mapping[int, int]) -> Term:
    quanta = pause_quanta.get(speed_mbps)
    if quanta is None:
        return Term(name="peer reacts", value=fallback_kib * KIB, unit="B", source="asic_table.j2: peer_response_time")
    return Term(
        name="peer reacts",
        value=quanta * QUANTUM_BYTES,
        unit="B",
        source=f"{quanta} pause quanta of 512 bit at {speed_mbps // 1000}G, {_LUA}",
    )


def _tile(speed_mbps: int, tile: bool) -> tuple[Term, ...]:
    if not tile:
        return ()
    value = Fraction(speed_mbps, 1000) * TILE_BYTES_PER_GBPS
    return (Term(name="between dies of the chip", value=value, unit="B", source=f"15 B per Gb/s, {_LUA}"),)
