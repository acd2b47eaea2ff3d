"""How much headroom a priority group needs on an ASIC that is no Spectrum: its maker's curve, or the ceiling."""

from __future__ import annotations

import math
from fractions import Fraction

from netaudit.lossless.ceiling import SMALLEST_PACKET_BYTES, Ceiling, ceiling
from netaudit.lossless.curves import Curve, curve_of
from netaudit.lossless.derivation import Term, round_up
from netaudit.lossless.headroom import Headroom

BULK_PACKET_BYTES = 4158
"""RoCE MTU 4096: the frame without preamble and gap (headroom.md 1)."""
XON_OFFSET_BYTES = 3_556
"""14 cells of 254 B, as Tomahawk 5 tables have it (headroom.md 5)."""
FRAMES_KEPT = 2
"""Frames that a group keeps beside its headroom: Tomahawk 5 tables have 18,796 B, twice the 37 cells of 9,216 B."""


def by_asic(
    *,
    asic: str,
    speed_mbps: int,
    length_m: float | Fraction,
    port_mtu_bytes: int,
    cell_bytes: int,
    bulk: bool,
    fixed_ns: int | None = None,
    own: bool = False,
) -> Headroom:
    """xoff, xon and size by the physics of headroom.md 1, each group with its own headroom.

    The maker's delays are used where a table shows them (`curve_of`), at other speeds `fixed_ns`, the model's one delay
    for all of them, which comes first where the model is the user's `own`. Without any the IEEE ceiling and a margin
    stand in, and the result is `generic`. Every frame may have the port's MTU: a class has no MTU of its
    own that a switch enforces.
    """
    curve = curve_of(asic)
    if curve is not None and curve.speed_of(speed_mbps) is not None and not (own and fixed_ns is not None):
        found, method = _by_curve(curve, speed_mbps, length_m, port_mtu_bytes, bulk)
    else:
        packets = BULK_PACKET_BYTES if bulk else SMALLEST_PACKET_BYTES
        found = ceiling(
            speed_mbps=speed_mbps,
            length_m=length_m,
            port_mtu_bytes=port_mtu_bytes,
            lossless_mtu_bytes=port_mtu_bytes,
            cell_bytes=cell_bytes,
            packet_bytes=packets,
            fixed_ns=fixed_ns,
        )
        method = f"generic ceiling, as no delay of {asic} at this speed is published"
        if fixed_ns is not None:
            method = f"physics with the model's delay, {fixed_ns} ns"
    return _headroom(found, method, port_mtu_bytes, found.xoff_bytes // found.cells)


def _by_curve(
    curve: Curve, speed_mbps: int, length_m: float | Fraction, mtu_bytes: int, bulk: bool
) -> tuple[Ceiling, str]:
    packets = BULK_PACKET_BYTES if bulk and curve.all_small else None
    found = curve.at(speed_mbps, length_m, packet_bytes=packets, mtu_bytes=mtu_bytes)
    return found, f"physics with the delays of the table of {curve.name}"


def _headroom(found: Ceiling, method: str, port_mtu_bytes: int, cell_bytes: int) -> Headroom:
    kept = FRAMES_KEPT * math.ceil(Fraction(port_mtu_bytes, cell_bytes)) * cell_bytes
    size, offset = found.xoff_bytes + kept, round_up(XON_OFFSET_BYTES, cell_bytes)
    own = Term(name="one frame of the class in cells", value=found.own_bytes, unit="B", source="headroom.md 1")
    fill = next(term for term in found.terms if term.name == "cells of a packet")
    terms = (
        *found.wire,
        Term(name="cells a byte of delay fills", value=found.fill, unit="x", source=fill.source),
        own,
        Term(name="xoff", value=found.xoff_bytes, unit="B", source=f"{found.cells} whole cells of {cell_bytes} B"),
        Term(name="xon", value=0, unit="B", source=f"counted from the threshold: {offset:,} B below it"),
        Term(name="size", value=size, unit="B", source=f"xoff + {FRAMES_KEPT} frames in cells, {kept:,} B"),
    )
    return Headroom(
        xoff_bytes=found.xoff_bytes,
        xon_bytes=0,
        size_bytes=size,
        terms=terms,
        method=method,
        generic=found.generic,
        step_bytes=cell_bytes,
        xon_offset_bytes=offset,
    )
