"""The ports of a fabric, counted by what they need: what most checks ask, in one walk over the devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from netaudit.expect.headroom import Headroom, NoHeadroom, port_headroom
from netaudit.expect.overrides import settings_for
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import SwitchModel
from netaudit.intent import CableRow
from netaudit.state import LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class PortClass:
    """What ports have in common that need the same headroom and the same cable."""

    role: str
    model: str
    hwsku: str
    kind: str
    """`host-leaf`, `leaf-spine`."""
    speed_mbps: int
    """In force, overrides included."""
    lanes: int
    length_m: float
    medium: str
    measured: bool
    possible: bool
    """The cage can run at this speed as it is split; an override may ask for another."""
    headroom: Headroom | NoHeadroom | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The ports of a class: how many, on which devices, and one of them to point at."""

    count: int
    end: LinkEnd
    peer: LinkEnd
    devices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Devices of one role and model whose ports need the same, and so many of each class."""

    role: str
    model: SwitchModel
    ports: Mapping[PortClass, int]
    devices: tuple[str, ...]


@dataclass(slots=True)
class _Count:
    """The ports of a class so far; devices in their order."""

    end: LinkEnd
    peer: LinkEnd
    count: int = 0
    devices: dict[str, None] = field(default_factory=dict)


def survey(fabric: Fabric) -> tuple[Mapping[PortClass, Members], tuple[Load, ...]]:
    """Every port with a cable by its class, and every device by the classes of its ports; linear in ports."""
    counts: dict[PortClass, _Count] = {}
    alike: dict[tuple[str, str, frozenset[tuple[PortClass, int]]], list[str]] = {}
    for device in fabric.devices.values():
        mine: dict[PortClass, int] = {}
        for end, peer, kind in _ports(fabric, device):
            mine[kind] = mine.get(kind, 0) + 1
            counts.setdefault(kind, _Count(end, peer)).devices[device.name] = None
        for kind, count in mine.items():
            counts[kind].count += count
        key = (device.place.role, device.model.name, frozenset(mine.items()))
        alike.setdefault(key, []).append(device.name)
    classes = {
        kind: Members(count=c.count, end=c.end, peer=c.peer, devices=tuple(c.devices)) for kind, c in counts.items()
    }
    loads = (
        Load(role=role, model=fabric.devices[names[0]].model, ports=dict(ports), devices=tuple(names))
        for (role, _, ports), names in alike.items()
    )
    return classes, tuple(loads)


def able_mbps(device: FabricDevice, port: FabricPort) -> tuple[int, ...]:
    """The speeds that a port can run at, as its cage is split; fastest first."""
    return device.model.cage(port.cage).breakouts.get(port.mode, ())


def measured_row(fabric: Fabric, end: LinkEnd, peer: LinkEnd) -> CableRow | None:
    """The measured cable between two ends."""
    return fabric.intent.cables.get(frozenset((str(end), str(peer))))


def _ports(fabric: Fabric, device: FabricDevice) -> Iterator[tuple[LinkEnd, LinkEnd, PortClass]]:
    for port in fabric.ports(device.name).values():
        if port.peer is not None:
            end = LinkEnd(device=device.name, port=port.key)
            yield end, port.peer, _class(fabric, device, port, end, port.peer)


def _class(fabric: Fabric, device: FabricDevice, port: FabricPort, end: LinkEnd, peer: LinkEnd) -> PortClass:
    speed_mbps = settings_for(fabric, device, port).speed_mbps(port.speed_mbps)
    cabling = fabric.cabling(end, peer, port.kind)
    return PortClass(
        role=device.place.role,
        model=device.model.name,
        hwsku=device.hwsku,
        kind=port.kind,
        speed_mbps=speed_mbps,
        lanes=len(port.lanes),
        length_m=cabling.length_m,
        medium=cabling.medium,
        measured=measured_row(fabric, end, peer) is not None,
        possible=speed_mbps in able_mbps(device, port),
        headroom=port_headroom(fabric, device, port, speed_mbps),
    )
