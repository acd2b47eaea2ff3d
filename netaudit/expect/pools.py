"""How the chip's memory is divided: the pools of the HWSKU's template, less what our headroom needs beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from netaudit import lossless
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import Headroom, is_dynamic, policy
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import PoolTemplate, pool_roles
from netaudit.lossless import Derived, Term

TEMPLATES = {0: "t0", 1: "t1", 2: "t2", 3: "t0"}
"""Tier → buffer template: a leaf is ToRRouter → t0, a spine LeafRouter → t1, a superspine SpineRouter → t2 (sonic.md
section 1), a block as a leaf."""


def templates(device: FabricDevice) -> tuple[PoolTemplate, ...]:
    """The pools the HWSKU's template gives a device of this tier; one each way of all the buffer if none."""
    hwsku = device.model.hwskus[device.hwsku]
    wanted = TEMPLATES[device.place.tier]
    # most boxes are published without t2: between switches alone t1 is the nearest
    published = hwsku.pools_of("t1" if wanted == "t2" and "t2" not in hwsku.pools else wanted)
    return published or tuple(
        PoolTemplate(
            name=f"{way}_lossless_pool",
            direction=way,
            mode="dynamic",
            size_bytes=device.model.buffer_bytes,
            shared_headroom_bytes=None,
        )
        for way in ("ingress", "egress")
    )


def is_left_to_switch(fabric: Fabric, device: FabricDevice, template: PoolTemplate) -> bool:
    """Whether the switch sizes a pool: where it computes headroom all but the one that is all of the buffer, as SONiC's
    templates of the dynamic model have it (rendered from buffers_defaults_t1.j2 of ACS-SN5600)."""
    return is_dynamic(fabric, device) and template is not pool_roles(templates(device)).get("egress_lossless_pool")


def headroom_bytes(fabric: Fabric, found: Iterable[Headroom]) -> int:
    """Headroom of a switch, all lossless classes of all ports."""
    return len(lossless_priorities(fabric.intent)) * sum(h.size_bytes for h in found)


def shared_headroom(fabric: Fabric, device: FabricDevice, found: Iterable[Headroom]) -> int | None:
    """Size of the headroom that all groups share; `None` where each has its own.

    As the HWSKU's template has it (`shared_size`), what the groups need beyond their own divided by the intent's
    `shared_headroom` otherwise.
    """
    sharing = [h for h in found if not h.dedicated]
    if not sharing:
        return None
    beyond = [max(0, h.xon_bytes + h.xoff_bytes - h.size_bytes) for h in sharing]
    return shared_size(
        fabric,
        device,
        beyond_bytes=len(lossless_priorities(fabric.intent)) * sum(beyond),
        greatest_bytes=max(beyond),
        sharing_ports=len(sharing),
    )


def shared_size(
    fabric: Fabric, device: FabricDevice, *, beyond_bytes: int, greatest_bytes: int, sharing_ports: int
) -> int:
    """The size that the HWSKU's template gives the shared headroom pool; by the intent's over-subscription where it has
    none, or where headroom is computed."""
    if fixed := shared_template(fabric, device):
        return fixed
    chosen = policy(fabric, device.model, device.place.role)
    return lossless.shared_headroom_pool(
        uncovered_bytes=beyond_bytes,
        lossless_ports=sharing_ports,
        ratio=chosen.shared_headroom,
        # a switch that computes knows no such lower bound
        greatest_bytes=0 if chosen.headroom == "dynamic" else greatest_bytes,
        parts=device.model.itms,
    ).value


def shared_template(fabric: Fabric, device: FabricDevice) -> int | None:
    """The size of the shared headroom pool that a template prescribes; `None` where the intent's ratio makes it."""
    if policy(fabric, device.model, device.place.role).headroom != "published":
        return None
    template = pool_roles(templates(device)).get("ingress_lossless_pool")
    return template.shared_headroom_bytes or None if template is not None else None


def ingress_lossless(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], found: Iterable[Headroom]
) -> Derived:
    """The ingress lossless pool: the template's size, or what our headroom leaves where that is less.

    A switch that computes gives each of its ingress pools a like part of what headroom leaves.
    """
    mine, dynamic = tuple(found), is_dynamic(fabric, device)
    pool_bytes = device.model.buffer_bytes if dynamic else _template_bytes(device)
    shared_bytes = shared_headroom(fabric, device, mine) or 0
    whole = lossless.ingress_pool(
        template_bytes=pool_bytes,
        buffer_bytes=device.model.buffer_bytes,
        cell_bytes=device.model.cell_bytes,
        headroom_bytes=headroom_bytes(fabric, mine),
        reserved_bytes=reserved_bytes(device, laid),
        shared_headroom_bytes=0 if within_pool(device, shared_bytes) else shared_bytes,
    )
    pools = 2 if dynamic and sum(pool.direction == "ingress" for pool in templates(device)) > 1 else 1
    split = Term(name="ingress pools", value=pools, unit="x", source="sonic-swss cfgmgr/buffer_pool_mellanox.lua")
    return replace(whole, value=whole.value // pools, terms=(*whole.terms, split)) if pools > 1 else whole


def shared_buffer(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], found: Iterable[Headroom]
) -> Derived:
    """What the lossless groups of one part of the buffer share besides headroom: what ECN and PFC thresholds are of."""
    mine = tuple(found)
    shared_bytes = shared_headroom(fabric, device, mine) or 0
    return lossless.shared_buffer(
        pool_bytes=ingress_lossless(fabric, device, laid, mine).value,
        shared_headroom_bytes=shared_bytes,
        within_pool=within_pool(device, shared_bytes),
        buffer_bytes=device.model.buffer_bytes,
        headroom_bytes=headroom_bytes(fabric, mine),
        reserved_bytes=reserved_bytes(device, laid),
        parts=device.model.itms,
    )


def reserved_bytes(device: FabricDevice, laid: Mapping[str, FabricPort]) -> int:
    """What the ports with a cable keep beside headroom."""
    used = [port for port in laid.values() if port.peer is not None]
    return lossless.reserved(
        ports_up=len(used),
        eight_lane_ports_up=sum(len(port.lanes) == 8 for port in used),
        pipeline_kib=device.model.headroom.pipeline_kib,
    ).value


def within_pool(device: FabricDevice, shared_bytes: int) -> bool:
    """Whether the template's pool has the shared headroom in it: both together are more than the chip has, and the
    chip is none of NVIDIA's, where it stands beside (headroom.md 4.2)."""
    both = _template_bytes(device) + shared_bytes
    return device.model.headroom.method != "formula" and both > device.model.buffer_bytes


def _template_bytes(device: FabricDevice) -> int:
    template = pool_roles(templates(device)).get("ingress_lossless_pool")
    return template.size_bytes if template is not None else device.model.buffer_bytes
