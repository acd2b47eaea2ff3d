"""How the chip's memory is divided: the pools of the HWSKU's template, less what our headroom needs beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netaudit import lossless
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import Headroom
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import PoolTemplate
from netaudit.lossless import Derived

TEMPLATES = {0: "t0", 1: "t1", 3: "t0"}
"""Tier → buffer template: a leaf is ToRRouter → t0, a spine LeafRouter → t1 (sonic.md section 1), a block as a leaf."""


def templates(device: FabricDevice) -> tuple[PoolTemplate, ...]:
    """The pools the HWSKU's template gives a device of this tier."""
    pools = device.model.hwskus[device.hwsku].pools
    return pools.get(TEMPLATES.get(device.place.tier, "t1")) or next(iter(pools.values()), ())


def headroom_bytes(fabric: Fabric, found: Iterable[Headroom]) -> int:
    """Headroom of a switch, all lossless classes of all ports."""
    return len(lossless_priorities(fabric.intent)) * sum(h.size_bytes for h in found)


def ingress_lossless(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], found: Iterable[Headroom]
) -> Derived:
    """The ingress lossless pool: the template's size, or what our headroom leaves where that is less."""
    template = next((p for p in templates(device) if p.direction == "ingress" and "lossless" in p.name), None)
    used = [port for port in laid.values() if port.peer is not None]
    kept = lossless.reserved(
        ports_up=len(used),
        eight_lane_ports_up=sum(len(port.lanes) == 8 for port in used),
        pipeline_kib=device.model.headroom.pipeline_kib,
    )
    return lossless.ingress_pool(
        template_bytes=template.size_bytes if template else device.model.buffer_bytes,
        buffer_bytes=device.model.buffer_bytes,
        cell_bytes=device.model.cell_bytes,
        headroom_bytes=headroom_bytes(fabric, found),
        reserved_bytes=kept.value,
    )
