"""Where the cables of a switch go: each pair of roles by one formula, port = place × links + j (DESIGN.md rule 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from netaudit.fabric.kinds import LEAF_SPINE, SPINE_SUPERSPINE, block_kind
from netaudit.fabric.model import FabricDevice, Layout
from netaudit.state import LinkEnd

if TYPE_CHECKING:
    from netaudit.fabric.topology import Fabric

Peers = Iterator[tuple[str, LinkEnd]]
"""(port, far end) of cables."""


def peers(fabric: Fabric, device: FabricDevice, layout: Layout) -> Peers:
    """Every cable of a device that the pattern has."""
    role = device.place.role
    if role == "leaf":
        yield from _hosts(fabric, device, layout)
        yield from _to_spines(fabric, device)
    elif role == "spine":
        yield from _to_leaves(fabric, device)
        yield from _to_superspines(fabric, device)
        yield from _to_blocks(fabric, device)
    elif role == "superspine":
        yield from _from_superspine(fabric, device)
        yield from _to_blocks(fabric, device)
    else:
        yield from _from_block(fabric, device)


def _hosts(fabric: Fabric, device: FabricDevice, layout: Layout) -> Peers:
    """Host h on port h; where a leaf serves several rails, rail by rail, each with room for the hosts of a unit."""
    place, model = device.place, fabric.intent.model
    room = model.host_capacity  # asks every unit
    for nth in range(model.leaf.rails):
        nic = f"r{place.rail + nth}/{place.plane}"
        for host in range(1, model.units[place.unit].hosts + 1):
            known = fabric.host_at.get((place.unit, host))
            if known is not None:
                yield layout.downlinks[nth * room + host - 1], LinkEnd(device=known.name, port=nic)


def _to_spines(fabric: Fabric, leaf: FabricDevice) -> Peers:
    links, count = fabric.intent.model.spine.links, fabric.intent.model.spine.count
    for number in range((leaf.group - 1) * count + 1, leaf.group * count + 1):
        spine = fabric.spines.get((leaf.place.plane, number))
        if spine is not None:
            yield from _cables(fabric, LEAF_SPINE, links, (leaf, (number - 1) % count), (spine, leaf.slot))


def _to_leaves(fabric: Fabric, spine: FabricDevice) -> Peers:
    links, count = fabric.intent.model.spine.links, fabric.intent.model.spine.count
    for leaf in fabric.alike(spine.place.plane, "leaf", spine.group):
        yield from _cables(fabric, LEAF_SPINE, links, (spine, leaf.slot), (leaf, (spine.place.number - 1) % count))


def _to_superspines(fabric: Fabric, spine: FabricDevice) -> Peers:
    body = fabric.intent.model.superspine
    if body is None:
        return
    nth = (spine.place.number - 1) % fabric.intent.model.spine.count + 1
    for far in fabric.alike(spine.place.plane, "superspine", nth if body.wiring == "grouped" else 0):
        yield from _cables(fabric, SPINE_SUPERSPINE, body.links, (spine, far.slot), (far, spine.slot))


def _from_superspine(fabric: Fabric, device: FabricDevice) -> Peers:
    body, count = fabric.intent.model.superspine, fabric.intent.model.spine.count
    assert body is not None  # there is a superspine
    for (plane, number), spine in fabric.spines.items():
        if plane == device.place.plane and device.group in (0, (number - 1) % count + 1):
            yield from _cables(fabric, SPINE_SUPERSPINE, body.links, (device, spine.slot), (spine, device.slot))


def _to_blocks(fabric: Fabric, device: FabricDevice) -> Peers:
    at = device.place.number - 1
    for (plane, name, number), far in fabric.blocks.items():
        block = fabric.intent.model.blocks[name]
        if plane == device.place.plane and block.to == device.place.role:
            kind = block_kind(name, block.to)
            yield from _cables(fabric, kind, block.links, (device, number - 1), (far, at))


def _from_block(fabric: Fabric, device: FabricDevice) -> Peers:
    block = fabric.intent.model.blocks[device.place.role]
    kind = block_kind(device.place.role, block.to)
    for (plane, number), far in (fabric.spines if block.to == "spine" else fabric.superspines).items():
        if plane == device.place.plane:
            yield from _cables(fabric, kind, block.links, (device, number - 1), (far, device.index))


def _cables(
    fabric: Fabric, kind: str, links: int, one: tuple[FabricDevice, int], other: tuple[FabricDevice, int]
) -> Peers:
    """The parallel cables of a pair, from `one`: each device with the place of the other among its ports of a kind."""
    (here, at), (there, far_at) = one, other
    mine = fabric.layouts[here.place.role].groups[kind]
    theirs = fabric.layouts[there.place.role].groups[kind]
    for j in range(links):
        yield mine[at * links + j], LinkEnd(device=there.name, port=theirs[far_at * links + j])
