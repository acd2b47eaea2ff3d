"""The fabric of an intent: every device, port, host and link, by formula (DESIGN.md section 3, rules 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache

from netaudit import platforms
from netaudit.fabric.addressing import Network, half_of_links, numbered_link
from netaudit.fabric.kinds import (
    ACTIVE,
    DEFAULT_VRF,
    DRAINED,
    HOST_LEAF,
    LEAF_SPINE,
    PLANNED,
    SPARE,
    SPINE_SUPERSPINE,
    block_of,
    extra_of,
    is_fabric_link,
)
from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.fabric.wiring import peers
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent, numbering, tiers
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.layout import Cable, External
from netaudit.intent.where import Where, parse
from netaudit.state import Link, LinkEnd

PORTS_KEPT = 64
"""Devices whose ports are kept: 64 of 128 ports are a few MB, and the whole of a small fabric."""
BLOCK_LINKS = 1024
"""Numbers of links that each block id has (DESIGN.md, «Numbered links»)."""
_HEIGHTS = {"spine": 1, "superspine": 2}


def uplinks_room(model: SwitchModel) -> int:
    """Numbers of links that each leaf has: the cages of its model as a power of two."""
    return 1 << (len(model.fabric_cages) - 1).bit_length()


@dataclass(frozen=True)
class Fabric:
    """What is built. Devices and hosts are held; ports and links are computed when asked for, device by device."""

    intent: Intent
    devices: Mapping[str, FabricDevice]
    """Leaves before spines before superspines before blocks, plane by plane; without those that are retired."""
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
    def superspines(self) -> Mapping[tuple[str, int], FabricDevice]:
        """(plane, superspine number) → superspine."""
        return {(d.place.plane, d.place.number): d for d in self.devices.values() if d.place.role == "superspine"}

    def alike(self, plane: str, role: str, group: int) -> Sequence[FabricDevice]:
        """The devices of a role and a group in a plane."""
        return self._alike.get((plane, role, group), ())

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str, int], Sequence[FabricDevice]]:
        found: dict[tuple[str, str, int], list[FabricDevice]] = {}
        for device in self.devices.values():
            found.setdefault((device.place.plane, device.place.role, device.group), []).append(device)
        return found

    def leaf_of(self, plane: str, unit: str, rail: int) -> FabricDevice | None:
        """The leaf that serves a rail of a unit; `None` if it is retired."""
        model = self.intent.model
        first = rail - (rail - 1) % model.leaf.rails
        return self.leaves.get((plane, tiers.leaf_index(model, unit, first)))

    def height(self, device: str) -> int:
        """0 where traffic begins and ends (leaves, blocks, whatever is not ours), 1 a spine, 2 a superspine."""
        known = self.devices.get(device)
        return _HEIGHTS.get(known.place.role, 0) if known is not None else 0

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

    def port_of(self, device: str, own: str) -> str | None:
        """`cage[/sub]` of a port by the name that its NOS, or its LLDP, has for it; `None` where there is none."""
        if device not in self.devices:
            return None
        built, laid = self.devices[device], self.ports(device).items()
        platform = platforms.platform(built.platform)
        spelled = {own, platform.full_name(own)}
        exact = next((key for key, port in laid if port.native in spelled or (port.alias and port.alias == own)), None)
        return exact or platform.cage_of(own, len(built.model.fabric_cages[0].lanes))

    @cached_property
    def ports(self) -> Callable[[str], Mapping[str, FabricPort]]:
        """Name of a device → every port of it with what it is for and where its cable goes; linear in its ports.

        Each area asks for the same device in turn; of a large fabric only the last ones are kept.
        """
        return lru_cache(maxsize=PORTS_KEPT)(self._ports)

    def _ports(self, name: str) -> Mapping[str, FabricPort]:
        device = self.devices[name]
        layout = self.layouts[device.place.role]
        peers = dict(self._peers(device, layout))
        return {
            key: replace(port, peer=peers[key], status=self._status(device, port, peers[key]))
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

    def _status(self, device: FabricDevice, port: FabricPort, peer: LinkEnd) -> str:
        """The status of a link: planned or drained as soon as one end or the link itself is."""
        far, host = self.devices.get(peer.device), self.hosts.get(peer.device)
        ends = {port.status, device.place.status, far.place.status if far is not None else ACTIVE}
        ends.add(host.status if host is not None else ACTIVE)
        ends |= {
            status for where, status in self.link_statuses if _at(where, device, port.key) or _at(where, far, peer.port)
        }
        return next((status for status in (PLANNED, DRAINED) if status in ends), ACTIVE)

    @cached_property
    def link_statuses(self) -> tuple[tuple[Where, str], ...]:
        """(port, status) of the overrides that hold today."""
        return tuple(
            (parse(override.where), override.settings.status)
            for override in self.intent.model.overrides
            if override.settings.status is not None
            and (self.today is None or override.until is None or override.until >= self.today)
        )

    def drained(self, end: LinkEnd) -> bool:
        """Is the link at that end in maintenance by itself, whatever the status of its devices is?"""
        device = self.devices.get(end.device)
        port = self.extra.get(end.device, {}).get(end.port)
        said = (status for where, status in self.link_statuses if _at(where, device, end.port))
        return DRAINED in said or (port is not None and port.status == DRAINED)

    @cached_property
    def planned_links(self) -> bool:
        """Is a host, or a link by an override, planned: not there yet, on a device that is?"""
        planned = {status for _, status in self.link_statuses} | {host.status for host in self.hosts.values()}
        return PLANNED in planned

    def _peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        """(port, far end) of every cable of a device."""
        for key, port in self.extra.get(device.name, {}).items():
            if port.peer is not None:
                yield key, port.peer
        yield from peers(self, device, layout)

    def outside(self, device: str) -> Mapping[str, External]:
        """The external neighbors that a device has a link to, by name."""
        ports = self.extra.get(device, {}).values()
        names = (port.peer.device for port in ports if port.peer is not None and self.is_external(port.peer.device))
        return {name: self.intent.model.external[name] for name in names}

    def vrf(self, kind: str) -> str:
        """The VRF that both ends of a link of this kind are in; all but extra links are in the default one."""
        extra = extra_of(kind)
        return DEFAULT_VRF if extra is None else self.intent.model.links[extra].vrf

    @cached_property
    def vrf_ends(self) -> Mapping[LinkEnd, str]:
        """End of a link → its VRF; the default one is left out."""
        found: dict[LinkEnd, str] = {}
        for name, ports in self.extra.items():
            for key, port in ports.items():
                if port.peer is not None and self.vrf(port.kind) != DEFAULT_VRF:
                    found[LinkEnd(device=name, port=key)] = found[port.peer] = self.vrf(port.kind)
        return found

    def why_numbered(self, one: str, other: str, kind: str) -> str:
        """Why a link of a kind between two devices has addresses (DESIGN.md, rule 9); empty where it is unnumbered.

        It has by the intent, or because a NOS at one of its ends does not peer over link-local addresses. A link beside
        the pattern has those of its `id`.
        """
        model, extra = self.intent.model, extra_of(kind)
        if extra is not None:
            return "" if model.links[extra].id is None else "it has an id"
        if model.addressing.fabric == "numbered":
            return "addressing.fabric is numbered"
        ends = (self.devices[name] for name in (one, other) if name in self.devices)
        return next(filter(None, (numbering.forced(d.platform, d.version) for d in ends)), "")

    def addresses(self, device: FabricDevice, port: FabricPort) -> tuple[tuple[str, str], ...]:
        """(`address/length` here, that at the far end) of a numbered link between switches, IPv4 first; else none."""
        if port.peer is None or not is_fabric_link(port.kind):
            return ()
        if not self.why_numbered(device.name, port.peer.device, port.kind):
            return ()
        extra, here = extra_of(port.kind), LinkEnd(device=device.name, port=port.key)
        if extra is not None:
            lower = self.is_external(port.peer.device) or here < port.peer
        else:
            lower = self.height(device.name) < self.height(port.peer.device)
        model, found = self.intent.model, []
        for pool in model.addressing.link_pools:
            number, upper = model.links[extra].id if extra is not None else None, True
            if number is None:
                number, upper = self._link_number(here if lower else port.peer, port.kind, pool)
            plane = model.planes.index(device.place.plane)
            pair = numbered_link(pool, plane, len(model.planes), number, upper=upper)
            found.append(pair if lower else (pair[1], pair[0]))
        return tuple(found)

    def _link_number(self, lower: LinkEnd, kind: str, pool: Network) -> tuple[int, bool]:
        """(number, whether in the upper half) of a link of the pattern, by its lower end (DESIGN.md, «Numbered links»).

        Uplink indices count from 1, as the spines' ports do.
        """
        device = self.devices[lower.device]
        uplink = self.layouts[device.place.role].groups[kind].index(lower.port) + 1
        model = self.intent.model
        if kind == LEAF_SPINE:
            return device.index * uplinks_room(device.model) + uplink, False
        if kind == SPINE_SUPERSPINE:
            half = half_of_links(pool, len(model.planes))
            return half - 1 - spine_link(model, device.place.number, uplink), False
        block = model.blocks[device.place.role]
        before = device.index * tiers.above(model, device.place.role) * block.links
        return block.id * BLOCK_LINKS + before + uplink, True

    def is_external(self, name: str) -> bool:
        """Is it a neighbor of ours that is not ours?"""
        return name in self.intent.model.external

    def links(self) -> Iterator[Link]:
        """Every cable, the lower end first: hosts to leaves, leaves and blocks up, spines up, ours to external ones."""
        top = "superspine" if self.superspines else "spine"
        for device in self.devices.values():
            if device.place.role != top or device.name in self.extra:
                for key, port in self.ports(device.name).items():
                    here = LinkEnd(device=device.name, port=key)
                    if port.peer is not None and self._begins(device, here, port.peer, port.kind):
                        yield self._link(here, port.peer, port.kind)

    def _begins(self, device: FabricDevice, here: LinkEnd, peer: LinkEnd, kind: str) -> bool:
        """Is this the end that a cable is told at, the lower one? Beside the pattern, that of the lesser name."""
        if extra_of(kind) is not None:
            return self.is_external(peer.device) or here < peer
        return kind == HOST_LEAF or self.height(device.name) < self.height(peer.device)

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
        if kind == SPINE_SUPERSPINE and cables.spine_superspine is not None:
            return cables.spine_superspine
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
        known = {HOST_LEAF: "hosts.speed", LEAF_SPINE: "spine.speed", SPINE_SUPERSPINE: "superspine.speed"}
        return f"blocks.{block_of(kind)}.speed" if block_of(kind) in self.intent.model.blocks else known.get(kind, "")


def spine_link(model: IntentModel, spine: int, uplink: int) -> int:
    """Which of the numbered links above the spines of a plane it is, counted from 0; `uplink` from 1.

    DESIGN.md has no numbers for these: they count down from the end of the half whose beginning leaves have.
    """
    room = 1 << (tiers.uplinks(model).get("spine", 0)).bit_length()
    return (spine - 1) * room + uplink


def host_port(end: LinkEnd, planes: tuple[str, ...]) -> str:
    """What a host says of its NIC port by LLDP: `nic{rail}p{port}`; port 1 is in the first plane."""
    rail, _, plane = end.port.partition("/")
    return f"nic{rail[1:]}p{planes.index(plane) + 1}"


def _at(where: Where, device: FabricDevice | None, port: str) -> bool:
    return device is not None and where.covers(device.name, device.place, device.platform) and where.covers_port(port)
