"""What the headroom of a port costs: cells, its part of the buffer and of its caps, and the nearest published row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from netaudit import lossless
from netaudit.cli.show.page import Json
from netaudit.cli.show.values import metres
from netaudit.expect.headroom import Headroom
from netaudit.fabric import FabricDevice
from netaudit.hardware import PgRow
from netaudit.terminal import exact_bytes, share


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The headroom of one port, all its lossless classes, against what there is."""

    cells: int
    """Of one priority group."""
    cell_bytes: int
    factor: Fraction
    """F: bytes of cells that a byte on the wire takes, by the formula."""
    classes: int
    port_bytes: int
    """What all classes of the port may fill."""
    buffer_bytes: int
    """The part of the chip that the port can use."""
    itms: int
    cap_bytes: int
    cap_published: bool
    cap_used_bytes: int
    """What the port takes of a shared headroom pool: xon + xoff - size of each class."""
    dedicated: bool
    shared_bytes: int | None
    """Size of the headroom pool that the groups of the switch share; `None` where there is none."""
    ratio: float
    """xoff of all groups of the switch over that pool; 1 where each has its own."""
    nearest_m: int | None
    nearest: PgRow | None
    """The published row of this speed whose length is nearest, longer first."""
    delta_bytes: int | None
    """xoff given less xoff of that row."""

    @property
    def sharing(self) -> str:
        """Whether each group keeps its own headroom, or a pool is shared."""
        if self.dedicated:
            return "dedicated: each group keeps xon + xoff, so nothing is over-subscribed (1:1)"
        if self.shared_bytes is None:
            return "by the switch: no size of a shared headroom pool is known"
        return f"{self.ratio:.2f}:1, all xoff of the switch over its headroom pool of {exact_bytes(self.shared_bytes)}"


def use_of(
    device: FabricDevice,
    given: Headroom,
    result: lossless.Headroom,
    *,
    speed_mbps: int,
    lanes: int,
    classes: int,
    shared_bytes: int | None,
    all_xoff_bytes: int,
) -> Use:
    """The use of a port that is given this headroom; `result` is the formula for its real length."""
    model = device.model
    rows = {m: r for (speed, m), r in model.hwskus[device.hwsku].pg.items() if speed == speed_mbps}
    nearest = min(rows, key=lambda m: (abs(m - given.real_length_m), -m), default=None)
    row = rows[nearest] if nearest is not None else None
    factor = next(Fraction(term.value) for term in result.terms if term.unit == "x")
    beyond = max(0, given.xon_bytes + given.xoff_bytes - given.size_bytes)
    return Use(
        cells=-(-given.xoff_bytes // model.cell_bytes),
        cell_bytes=model.cell_bytes,
        factor=factor,
        classes=classes,
        port_bytes=classes * max(given.size_bytes, given.size_bytes + beyond),
        buffer_bytes=model.itm_bytes,
        itms=model.itms,
        cap_bytes=model.port_headroom_cap_bytes(lanes),
        cap_published=model.headroom.port_shared_cells > 0,
        cap_used_bytes=0 if given.dedicated else classes * beyond,
        dedicated=given.dedicated,
        shared_bytes=None if given.dedicated else shared_bytes,
        ratio=1.0 if given.dedicated or not shared_bytes else all_xoff_bytes / shared_bytes,
        nearest_m=nearest,
        nearest=row,
        delta_bytes=None if row is None else given.xoff_bytes - row.xoff_bytes,
    )


def use_rows(use: Use) -> Iterator[tuple[str, str]]:
    """The same as facts of a page."""
    yield (
        "cells",
        f"{use.cells:,} of {use.cell_bytes} B · F {float(use.factor):.3f}, bytes of cells a byte on the wire takes",
    )
    part = f"one of {use.itms} parts of the buffer" if use.itms > 1 else "the buffer"
    counted = "1 class" if use.classes == 1 else f"{use.classes} classes"
    taken = f"{100 * use.port_bytes / use.buffer_bytes:.2f} %"
    yield (
        "pool share",
        f"{exact_bytes(use.port_bytes)} for {counted}, {taken} of {part}, {exact_bytes(use.buffer_bytes)}",
    )
    cap = f"of {exact_bytes(use.cap_bytes)} that a port may take of a shared pool"
    if not use.cap_published:
        cap = f"of {exact_bytes(use.cap_bytes)}, its part of the buffer: no cap of a port is published"
    yield "port cap", f"{share(use.cap_used_bytes, use.cap_bytes)} {cap}"
    yield "sharing", use.sharing
    if use.nearest_m is not None and use.nearest is not None and use.delta_bytes is not None:
        delta = "the same" if not use.delta_bytes else f"{abs(use.delta_bytes):,} B {_more(use.delta_bytes)} here"
        yield "nearest row", f"{metres(use.nearest_m)}: {exact_bytes(use.nearest.xoff_bytes)} published, {delta}"
    else:
        yield "nearest row", "none is published for this speed"


def _more(delta: int) -> str:
    return "more" if delta > 0 else "less"


def use_data(use: Use) -> Mapping[str, Json]:
    """The same in JSON."""
    nearest: Json = None
    if use.nearest is not None:
        nearest = {
            "length_m": use.nearest_m,
            "xoff_bytes": use.nearest.xoff_bytes,
            "xon_bytes": use.nearest.xon_bytes,
            "size_bytes": use.nearest.size_bytes,
            "delta_bytes": use.delta_bytes,
        }
    return {
        "cells": use.cells,
        "factor": float(use.factor),
        "lossless_classes": use.classes,
        "port_headroom_bytes": use.port_bytes,
        "pool_share_percent": round(100 * use.port_bytes / use.buffer_bytes, 3),
        "pool_bytes": use.buffer_bytes,
        "port_cap_bytes": use.cap_bytes,
        "port_cap_used_percent": round(100 * use.cap_used_bytes / use.cap_bytes, 2),
        "dedicated": use.dedicated,
        "shared_headroom_bytes": use.shared_bytes,
        "shared_headroom_ratio": round(use.ratio, 3),
        "nearest_published_row": nearest,
    }
