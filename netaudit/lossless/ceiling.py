"""How much headroom physics can ask for at most, on an ASIC nobody published figures of (headroom.md 1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from netaudit.lossless.derivation import Term, require

CEILING_PAUSE_QUANTA: Mapping[int, int] = MappingProxyType(
    {
        10_000: 67,
        25_000: 80,
        40_000: 118,
        50_000: 147,
        100_000: 394,
        200_000: 453,
        400_000: 905,
        800_000: 1_810,
    }
)
"""Speed in Mb/s → pause quanta a peer may take to stop: IEEE 802.3 31B.3.7 as SONiC quotes it.

1,810 at 800G is the time of 400G, which NVIDIA's own Spectrum-6 table implies (headroom.md 1.1)."""

GENERIC_FIXED_NS = 1_700
"""Interfaces of both ends and the pipeline together. Judgement, a margin and no measurement: chosen so that rows of
Tomahawk 1, 4, 5 and 6 tables that follow length and speed lie at most 2 % above the result (headroom.md 2.5)."""

QUANTUM_BYTES = 64
"""A pause quantum is 512 bit times (IEEE 802.3 Annex 31B)."""
NS_PER_M = 5
"""Fibre and copper alike, rounded up from 4.90 (n = 1.468)."""
GAP_BYTES = 20
"""Preamble, start delimiter and inter-frame gap (IEEE 802.3)."""
PFC_FRAME_BYTES = 64
SMALLEST_PACKET_BYTES = 64
"""The true worst case: one cell for each 84 B on the wire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Headroom by the worst case of every term."""

    xoff_bytes: int
    cells: int
    generic: bool
    """The fixed delay is our margin, not a figure of the ASIC: reports must say so."""
    wire: tuple[Term, ...]
    """Bytes on the wire that arrive until the peer has stopped."""
    fill: Fraction
    """Bytes of cell that a byte of them takes."""
    own_bytes: int
    """Cells of one frame of the class, in bytes."""
    terms: tuple[Term, ...]


def ceiling(
    *,
    speed_mbps: int,
    length_m: float | Fraction,
    port_mtu_bytes: int,
    lossless_mtu_bytes: int,
    cell_bytes: int,
    packet_bytes: int = SMALLEST_PACKET_BYTES,
    fixed_ns: Fraction | int | None = None,
    fixed_source: str = "",
    wire_bytes_per_cell: Fraction | int | None = None,
) -> Ceiling:
    """Bytes that can still arrive after XOFF was decided, in whole cells.

    `packet_bytes` is the size of the packets assumed to arrive, without preamble and gap; it decides more than the
    cable does. `fixed_ns` is all delay but the cable's where the ASIC's is known; without it the IEEE reaction ceiling
    of the speed and a margin of 1,700 ns stand in, and the result is `generic`. `wire_bytes_per_cell` is given in place
    of `packet_bytes` where a vendor's table shows how many bytes on the wire it counts a cell for.
    """
    require(speed_mbps > 0 and length_m >= 0 and cell_bytes > 0, "speed and cell must be positive")
    require(packet_bytes >= SMALLEST_PACKET_BYTES, "no Ethernet frame is below 64 B")
    wire = (
        *_frames(port_mtu_bytes, lossless_mtu_bytes),
        *_fixed(speed_mbps, fixed_ns, fixed_source),
        _cable(speed_mbps, length_m),
    )
    per_byte, cell_term = _cells(packet_bytes, cell_bytes, wire_bytes_per_cell)
    own = math.ceil(Fraction(lossless_mtu_bytes, cell_bytes))
    cells = math.ceil(sum((Fraction(term.value) for term in wire), Fraction(0)) * per_byte + own)
    terms = (
        *wire,
        cell_term,
        Term(
            name="cells of one frame of the class", value=own, unit="cells", source=f"{lossless_mtu_bytes} B, rounded"
        ),
        Term(name="xoff", value=cells * cell_bytes, unit="B", source=f"{cells} cells (headroom.md 1)"),
    )
    return Ceiling(
        xoff_bytes=cells * cell_bytes,
        cells=cells,
        generic=fixed_ns is None,
        wire=wire,
        fill=per_byte * cell_bytes,
        own_bytes=own * cell_bytes,
        terms=terms,
    )


def _cells(packet_bytes: int, cell_bytes: int, wire_bytes_per_cell: Fraction | int | None) -> tuple[Fraction, Term]:
    """(cells that a byte on the wire takes, how that is said)."""
    if wire_bytes_per_cell is not None:
        said = f"a cell of {cell_bytes} B for each {float(wire_bytes_per_cell):g} B on the wire, as the vendor's table"
        return 1 / Fraction(wire_bytes_per_cell), Term(name="cells of a packet", value=1, unit="cells", source=said)
    each = math.ceil(Fraction(packet_bytes, cell_bytes))
    said = f"packets of {packet_bytes} B (+ {GAP_BYTES} B on the wire) in cells of {cell_bytes} B"
    per_byte = Fraction(each, packet_bytes + GAP_BYTES)
    return per_byte, Term(name="cells of a packet", value=each, unit="cells", source=said)


def _frames(port_mtu_bytes: int, lossless_mtu_bytes: int) -> tuple[Term, ...]:
    begun = lossless_mtu_bytes + GAP_BYTES
    return (
        Term(name="frame on the wire here", value=port_mtu_bytes + GAP_BYTES, unit="B", source="port MTU + gap"),
        Term(name="the PFC frame", value=PFC_FRAME_BYTES + GAP_BYTES, unit="B", source="802.1Qbb: 672 bit times"),
        Term(name="frame the peer has begun", value=begun, unit="B", source="MTU of the class + gap"),
    )


def _cable(speed_mbps: int, length_m: float | Fraction) -> Term:
    value = 2 * Fraction(length_m) * NS_PER_M * _bytes_per_ns(speed_mbps)
    return Term(name="bytes on the cable", value=value, unit="B", source=f"there and back over {length_m} m at 5 ns/m")


def _fixed(speed_mbps: int, fixed_ns: Fraction | int | None, source: str) -> tuple[Term, ...]:
    rate = _bytes_per_ns(speed_mbps)
    if fixed_ns is not None:
        said = f"{float(fixed_ns):g} ns {source or 'of this ASIC'}"
        return (Term(name="reaction, interfaces and pipeline", value=rate * Fraction(fixed_ns), unit="B", source=said),)
    quanta, source = _quanta(speed_mbps)
    return (
        Term(name="peer reacts", value=quanta * QUANTUM_BYTES, unit="B", source=source),
        Term(
            name="interfaces and pipeline",
            value=rate * GENERIC_FIXED_NS,
            unit="B",
            source=f"{GENERIC_FIXED_NS} ns, generic: a margin chosen against published tables (headroom.md 2.5)",
        ),
    )


def _quanta(speed_mbps: int) -> tuple[int, str]:
    """The reaction ceiling of a speed; of the next higher one where it is unknown; past 800G the same time as there."""
    for speed, quanta in sorted(CEILING_PAUSE_QUANTA.items()):
        if speed >= speed_mbps:
            return quanta, f"{quanta} pause quanta, ceiling of {speed // 1000}G (IEEE 802.3 31B.3.7, headroom.md 1.1)"
    top = max(CEILING_PAUSE_QUANTA)
    quanta = math.ceil(Fraction(CEILING_PAUSE_QUANTA[top] * speed_mbps, top))
    return quanta, f"{quanta} pause quanta: the time of {top // 1000}G, as no ceiling is published (judgement)"


def _bytes_per_ns(speed_mbps: int) -> Fraction:
    return Fraction(speed_mbps, 8_000)
