"""The fabric of an intent: every device, port, host and link, by formula (DESIGN.md section 3, rules 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from netaudit.fabric.addressing import numbered_link
from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent
from netaudit.intent.schema.layout import Cable, External
from netaudit.state import Link, LinkEnd

HOST_LEAF, LEAF_SPINE, SPARE = "host-leaf", "leaf-spine", "spare"
PLANNED, ACTIVE, DRAINED, RETIRED = "planned", "active", "drained", "retired"
"""DESIGN.md rule 6. Whatever is retired is not here: its ports are spare, its numbers stay taken."""
_TO_SPINE, _EXTRA = "-spine", "links."


BLOCK_LINKS = 1024
"""Numbers of links that each block id has (DESIGN.md, «Numbered links»)."""


def uplinks_room(model: SwitchModel) -> int:
    """Numbers of links that each leaf has: the cages of its model as a power of two."""
    return 1 << (len(model.fabric_cages) - 1).bit_length()


def block_kind(block: str) -> str:
    """Kind of the links between a block and the spines."""
    return f"{block}{_TO_SPINE}"


def block_of(kind: str) -> str:
    """The block whose links are of that kind."""
    return kind.removesuffix(_TO_SPINE)


def extra_kind(number: int) -> str:
    """Kind of the link that stands at that index of `links`: each has its own speed and cable."""
    return f"{_EXTRA}{number}"


def extra_of(kind: str) -> int | None:
    """The index in `links` of a link of that kind; `None` if it is of the pattern."""
    number = kind.removeprefix(_EXTRA)
    return int(number) if number != kind and number.isdecimal() else None


def is_fabric_link(kind: str) -> bool:
    """Is a link of that kind one between switches, with a BGP session on it?"""
    return kind not in (HOST_LEAF, SPARE)


@dataclass(frozen=True)
class Fabric:
    """What is built. Devices and hosts are held; ports and links are computed when asked for, device by device."""

    intent: Intent
    devices: Mapping[str, FabricDevice]
    """Leaves before spines before blocks, plane by plane; without those that are retired."""
    hosts: Mapping[str, FabricHost]
    layouts: Mapping[str, Layout]
    """Role → how its ports are dealt out."""
    extra: Mapping[str, Mapping[str, FabricPort]] = field(default_factory=dict)
    """Device → all ports of the cages that links beside the pattern take there."""
    today: date | None = None
    """Overrides whose last day is before it are over; `None`: all hold."""

    @property
    def name(self) -> str:
        """Name of the fabric."""
        return self.intent.model.fabric

    @cached_property
    def leaves(self) -> Mapping[tuple[str, int], FabricDevice]:
        """(plane, leaf index) → leaf."""
        return {(d.place.plane, d.index): d for d in self.devices.values() if d.place.role == "leaf"}

    @cached_property
    def spines(self) -> Mapping[tuple[str, int], FabricDevice]:
        """(plane, spine number) → spine."""
        return {(d.place.plane, d.place.number): d for d in self.devices.values() if d.place.role == "spine"}

    @cached_property
    def blocks(self) -> Mapping[tuple[str, str, int], FabricDevice]:
        """(plane, block, number) → device of that block."""
        model = self.intent.model
        found = (d for d in self.devices.values() if d.place.role in model.blocks)
        return {(d.place.plane, d.place.role, d.place.number): d for d in found}

    @cached_property
    def host_at(self) -> Mapping[tuple[str, int], FabricHost]:
        """(unit, index) → host."""
        return {(h.unit, h.index): h for h in self.hosts.values()}

    def ports(self, name: str) -> Mapping[str, FabricPort]:
        """Every port of a device with what it is for and where its cable goes; linear in its ports."""
        device = self.devices[name]
        layout = self.layouts[device.place.role]
        peers = dict(self._peers(device, layout))
        return {
            key: replace(port, peer=peers[key], status=self._status(device, peers[key], port.status))
            if key in peers
            else replace(port, kind=SPARE, status=ACTIVE)
            for key, port in self._laid(device, layout).items()
        }

    def _laid(self, device: FabricDevice, layout: Layout) -> Mapping[str, FabricPort]:
        """The ports of a device, cages of extra links split as those need it."""
        extra = self.extra.get(device.name)
        if not extra:
            return layout.ports
        cages = {port.cage for port in extra.values()}
        kept = [port for port in layout.ports.values() if port.cage not in cages]
        return {port.key: port for port in sorted((*kept, *extra.values()), key=lambda p: (p.cage, p.sub))}

    def _status(self, device: FabricDevice, peer: LinkEnd, link: str) -> str:
        far = self.devices.get(peer.device)
        ends = (link, device.place.status, far.place.status if far is not None else ACTIVE)
        return next((status for status in (PLANNED, DRAINED) if status in ends), ACTIVE)

    def _peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        """(port, far end) of every cable of a device."""
        for key, port in self.extra.get(device.name, {}).items():
            if port.peer is not None:
                yield key, port.peer
        if device.place.role == "leaf":
            yield from self._host_peers(device, layout)
            yield from self._up_peers(device, LEAF_SPINE, device.index, self.intent.model.spine.links)
        elif device.place.role == "spine":
            yield from self._leaf_peers(device, layout)
            yield from self._block_peers(device, layout)
        else:
            block = self.intent.model.blocks[device.place.role]
            yield from self._up_peers(device, block_kind(device.place.role), device.index, block.links)

    def _host_peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        place = device.place
        for host in range(1, self.intent.model.units[place.unit].hosts + 1):
            port = f"r{place.rail}/{place.plane}"
            if (place.unit, host) in self.host_at:
                yield layout.downlinks[host - 1], LinkEnd(device=self.host_at[place.unit, host].name, port=port)

    def _up_peers(self, device: FabricDevice, kind: str, index: int, links: int) -> Iterator[tuple[str, LinkEnd]]:
        """Uplink index (spine − 1) · k + j goes to port index · k + j of the spine."""
        here, there = self.layouts[device.place.role].groups[kind], self.layouts["spine"].groups[kind]
        for number in range(1, self.intent.model.spine.count + 1):
            spine = self.spines.get((device.place.plane, number))
            if spine is None:
                continue
            for j in range(links):
                yield here[(number - 1) * links + j], LinkEnd(device=spine.name, port=there[index * links + j])

    def _leaf_peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        links, up = self.intent.model.spine.links, self.layouts["leaf"].uplinks
        for (plane, index), leaf in self.leaves.items():
            for j in range(links if plane == device.place.plane else 0):
                there = up[(device.place.number - 1) * links + j]
                yield layout.downlinks[index * links + j], LinkEnd(device=leaf.name, port=there)

    def _block_peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        for (plane, name, number), far in self.blocks.items():
            links, kind = self.intent.model.blocks[name].links, block_kind(name)
            for j in range(links if plane == device.place.plane else 0):
                there = self.layouts[name].groups[kind][(device.place.number - 1) * links + j]
                yield layout.groups[kind][(number - 1) * links + j], LinkEnd(device=far.name, port=there)

    def outside(self, device: str) -> Mapping[str, External]:
        """The external neighbors that a device has a link to, by name."""
        ports = self.extra.get(device, {}).values()
        names = (port.peer.device for port in ports if port.peer is not None and self.is_external(port.peer.device))
        return {name: self.intent.model.external[name] for name in names}

    def addresses(self, device: FabricDevice, port: FabricPort) -> tuple[str, str] | None:
        """`address/length` here and at the far end of a numbered link between switches; `None` if it has none."""
        extra, all_of_them = extra_of(port.kind), self.intent.model.addressing.fabric == "numbered"
        if port.peer is None or not is_fabric_link(port.kind) or (extra is None and not all_of_them):
            return None
        here = LinkEnd(device=device.name, port=port.key)
        number: int | None
        if extra is not None:
            number, upper = self.intent.model.links[extra].id, True
            lower = self.is_external(port.peer.device) or here < port.peer
        else:
            lower = device.place.role != "spine"
            number, upper = self._link_number(here if lower else port.peer, port.kind)
        if number is None:
            return None
        pool, planes = self.intent.model.addressing.numbered, self.intent.model.planes
        pair = numbered_link(pool, planes.index(device.place.plane), len(planes), number, upper=upper)
        return pair if lower else (pair[1], pair[0])

    def _link_number(self, lower: LinkEnd, kind: str) -> tuple[int, bool]:
        """(number, whether in the upper half) of a link of the pattern, by its lower end (DESIGN.md, «Numbered links»).

        Uplink indices count from 1, as the spines' ports do.
        """
        device = self.devices[lower.device]
        uplink = self.layouts[device.place.role].groups[kind].index(lower.port) + 1
        if kind == LEAF_SPINE:
            return device.index * uplinks_room(device.model) + uplink, False
        block = self.intent.model.blocks[device.place.role]
        return block.id * BLOCK_LINKS + device.index * self.intent.model.spine.count * block.links + uplink, True

    def is_external(self, name: str) -> bool:
        """Is it a neighbor of ours that is not ours?"""
        return name in self.intent.model.external

    def links(self) -> Iterator[Link]:
        """Every cable, the lower end first: hosts to leaves, leaves and blocks to spines, ours to external ones."""
        for device in self.devices.values():
            if device.place.role != "spine" or device.name in self.extra:
                for key, port in self.ports(device.name).items():
                    here = LinkEnd(device=device.name, port=key)
                    if port.peer is not None and self._begins(device, here, port.peer, port.kind):
                        yield self._link(here, port.peer, port.kind)

    def _begins(self, device: FabricDevice, here: LinkEnd, peer: LinkEnd, kind: str) -> bool:
        """Is this the end that a cable is told at? Of two devices of blocks, that of the lesser name."""
        if extra_of(kind) is None:
            return device.place.role != "spine"
        return self.is_external(peer.device) or here < peer

    def _link(self, leaf: LinkEnd, peer: LinkEnd, kind: str) -> Link:
        a, b = (peer, leaf) if kind == HOST_LEAF else (leaf, peer)
        cabling = self.cabling(a, b, kind)
        return Link(a=a, b=b, kind=kind, length_m=cabling.length_m, medium=cabling.medium)

    def cabling(self, a: LinkEnd, b: LinkEnd, kind: str) -> Cabling:
        """Length and medium of a cable: measured where cables.csv has it, else its class."""
        cable = self.cable(kind)
        row = self.intent.cables.get(frozenset((str(a), str(b))))
        if row is not None:
            return Cabling(length_m=row.length_m, medium=cable.medium, origin=f"@{row.source}")
        return Cabling(length_m=cable.length_m, medium=cable.medium, origin=self.cable_path(kind))

    def cable(self, kind: str) -> Cable:
        """The class of cables of a kind of links."""
        cables, blocks = self.intent.model.cables, self.intent.model.blocks
        number = extra_of(kind)
        if number is not None:
            return self.intent.model.links[number].cable
        if block_of(kind) in blocks:
            return blocks[block_of(kind)].cable
        return cables.host_leaf if kind == HOST_LEAF else cables.leaf_spine

    def cable_path(self, kind: str) -> str:
        """Where the intent says it."""
        if extra_of(kind) is not None:
            return f"{kind}.cable"
        return f"blocks.{block_of(kind)}.cable" if block_of(kind) in self.intent.model.blocks else f"cables.{kind}"

    def speed_path(self, kind: str) -> str:
        """Where the intent says how fast a kind of links is; empty for spare ports."""
        if extra_of(kind) is not None:
            return f"{kind}.speed"
        known = {HOST_LEAF: "hosts.speed", LEAF_SPINE: "spine.speed"}
        return f"blocks.{block_of(kind)}.speed" if block_of(kind) in self.intent.model.blocks else known.get(kind, "")


def host_port(end: LinkEnd, planes: tuple[str, ...]) -> str:
    """What a host says of its NIC port by LLDP: `nic{rail}p{port}`; port 1 is in the first plane."""
    rail, _, plane = end.port.partition("/")
    return f"nic{rail[1:]}p{planes.index(plane) + 1}"
