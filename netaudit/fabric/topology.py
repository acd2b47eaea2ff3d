"""The fabric of an intent: every device, port, host and link, by formula (DESIGN.md section 3, rules 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from netaudit.fabric.model import Cabling, FabricDevice, FabricHost, FabricPort, Layout
from netaudit.intent import Intent
from netaudit.state import Link, LinkEnd

HOST_LEAF, LEAF_SPINE, SPARE = "host-leaf", "leaf-spine", "spare"


@dataclass(frozen=True)
class Fabric:
    """What is built. Devices and hosts are held; ports and links are computed when asked for, device by device."""

    intent: Intent
    devices: Mapping[str, FabricDevice]
    """Leaves before spines, plane by plane."""
    hosts: Mapping[str, FabricHost]
    layouts: Mapping[str, Layout]
    """Role → how its ports are dealt out."""
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
    def host_at(self) -> Mapping[tuple[str, int], FabricHost]:
        """(unit, index) → host."""
        return {(h.unit, h.index): h for h in self.hosts.values()}

    def ports(self, name: str) -> Mapping[str, FabricPort]:
        """Every port of a device with what it is for and where its cable goes; linear in its ports."""
        device = self.devices[name]
        layout = self.layouts[device.place.role]
        peers = dict(
            self._leaf_peers(device, layout) if device.place.role == "leaf" else self._spine_peers(device, layout)
        )
        return {
            key: replace(port, peer=peers[key]) if key in peers else replace(port, kind=SPARE)
            for key, port in layout.ports.items()
        }

    def _leaf_peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        place = device.place
        for host in range(1, self.intent.model.units[place.unit].hosts + 1):
            port = f"r{place.rail}/{place.plane}"
            yield layout.downlinks[host - 1], LinkEnd(device=self.host_at[place.unit, host].name, port=port)
        spine = self.intent.model.spine
        down = self.layouts["spine"].downlinks
        for number in range(1, spine.count + 1):
            for j in range(1, spine.links + 1):
                up = layout.uplinks[(number - 1) * spine.links + j - 1]
                there = down[device.index * spine.links + j - 1]
                yield up, LinkEnd(device=self.spines[place.plane, number].name, port=there)

    def _spine_peers(self, device: FabricDevice, layout: Layout) -> Iterator[tuple[str, LinkEnd]]:
        place, spine = device.place, self.intent.model.spine
        up = self.layouts["leaf"].uplinks
        for (plane, index), leaf in self.leaves.items():
            if plane != place.plane:
                continue
            for j in range(1, spine.links + 1):
                here = layout.downlinks[index * spine.links + j - 1]
                yield here, LinkEnd(device=leaf.name, port=up[(place.number - 1) * spine.links + j - 1])

    def links(self) -> Iterator[Link]:
        """Every cable, the lower end first: hosts to leaves, leaves to spines."""
        for device in self.devices.values():
            if device.place.role == "leaf":
                for key, port in self.ports(device.name).items():
                    if port.peer is not None:
                        yield self._link(LinkEnd(device=device.name, port=key), port.peer, port.kind)

    def _link(self, leaf: LinkEnd, peer: LinkEnd, kind: str) -> Link:
        a, b = (peer, leaf) if kind == HOST_LEAF else (leaf, peer)
        cabling = self.cabling(a, b, kind)
        return Link(a=a, b=b, kind=kind, length_m=cabling.length_m, medium=cabling.medium)

    def cabling(self, a: LinkEnd, b: LinkEnd, kind: str) -> Cabling:
        """Length and medium of a cable: measured where cables.csv has it, else its class."""
        cables = self.intent.model.cables
        cable = cables.host_leaf if kind == HOST_LEAF else cables.leaf_spine
        row = self.intent.cables.get(frozenset((str(a), str(b))))
        if row is not None:
            return Cabling(length_m=row.length_m, medium=cable.medium, origin=f"@{row.source}")
        return Cabling(length_m=cable.length_m, medium=cable.medium, origin=f"cables.{kind}")


def host_port(end: LinkEnd, planes: tuple[str, ...]) -> str:
    """What a host says of its NIC port by LLDP: `nic{rail}p{port}`; port 1 is in the first plane."""
    rail, _, plane = end.port.partition("/")
    return f"nic{rail[1:]}p{planes.index(plane) + 1}"
