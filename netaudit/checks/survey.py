"""The ports of a fabric, counted by what they need: what most checks ask, in one walk over the devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from netaudit.expect.headroom import Headroom, NoHeadroom, port_headroom
from netaudit.expect.overrides import NONE, settings_for
from netaudit.fabric import Cabling, Fabric, FabricDevice, FabricPort
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


Held = tuple[int | None, tuple[tuple[PortClass, int], ...]]
"""What a cage holds: the part of the buffer it uses (`None`: nobody knows), and its ports by their class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Devices of one role and model whose ports need the same, and so many of each class."""

    role: str
    model: SwitchModel
    ports: Mapping[PortClass, int]
    devices: tuple[str, ...]
    cages: Mapping[Held, int] = field(default_factory=dict)
    """What cages hold → how many hold that. A cage is wired to one part of the buffer as a whole."""


@dataclass(slots=True)
class _Count:
    """The ports of a class so far; devices in their order."""

    end: LinkEnd
    peer: LinkEnd
    count: int = 0
    devices: dict[str, None] = field(default_factory=dict)


def survey(fabric: Fabric) -> tuple[Mapping[PortClass, Members], tuple[Load, ...]]:
    """Every port with a cable by its class, and every device by what its cages hold; linear in ports.

    Equal ports are computed once: what a class follows from is compared, not the class.
    """
    known = _Known(fabric)
    counts: dict[int, _Count] = {}
    alike: dict[tuple[str, str, frozenset[tuple[tuple[int | None, tuple[int, ...]], int]]], list[str]] = {}
    for device in fabric.devices.values():
        cages: dict[int, list[int]] = {}
        for port in fabric.ports(device.name).values():
            if port.peer is not None:
                number = known.number(device, port, port.peer)
                cages.setdefault(port.cage, []).append(number)
                count = counts.get(number)
                if count is None:
                    here = LinkEnd(device=device.name, port=port.key)
                    count = counts.setdefault(number, _Count(here, port.peer))
                count.count += 1
                count.devices[device.name] = None
        wired = {c.number: c.itm for c in device.model.cages} if device.model.itms > 1 else {}
        held = Counter((wired.get(cage, 0), tuple(sorted(numbers))) for cage, numbers in cages.items())
        alike.setdefault((device.place.role, device.model.name, frozenset(held.items())), []).append(device.name)
    classes = {
        known.classes[n]: Members(count=c.count, end=c.end, peer=c.peer, devices=tuple(c.devices))
        for n, c in counts.items()
    }
    return classes, tuple(_load(fabric, known, role, held, names) for (role, _, held), names in alike.items())


def _load(
    fabric: Fabric,
    known: _Known,
    role: str,
    held: frozenset[tuple[tuple[int | None, tuple[int, ...]], int]],
    names: list[str],
) -> Load:
    ports: dict[PortClass, int] = {}
    cages: dict[Held, int] = {}
    for (part, numbers), count in sorted(held, key=lambda item: (item[0][1], item[0][0] or 0)):
        inside = Counter(known.classes[number] for number in numbers)
        cages[part, tuple(inside.items())] = count
        for kind, each in inside.items():
            ports[kind] = ports.get(kind, 0) + count * each
    return Load(role=role, model=fabric.devices[names[0]].model, ports=ports, devices=tuple(names), cages=cages)


class _Known:
    """The classes of ports met so far, each with a number."""

    def __init__(self, fabric: Fabric) -> None:
        self.classes: list[PortClass] = []
        self._fabric = fabric
        self._measured = bool(fabric.intent.cables)
        self._overridden = bool(fabric.intent.model.overrides)
        self._numbers: dict[PortClass, int] = {}
        self._able: dict[tuple[str, int, str], tuple[int, ...]] = {}
        self._of: dict[tuple[str, str, str, str, str, int, int, int, bool, float | None], int] = {}

    def number(self, device: FabricDevice, port: FabricPort, peer: LinkEnd) -> int:
        """The class of a port: looked up by all that it follows from, made where that is new."""
        row = measured_row(self._fabric, LinkEnd(device=device.name, port=port.key), peer) if self._measured else None
        settings = settings_for(self._fabric, device, port) if self._overridden else NONE
        speed_mbps = settings.speed_mbps(port.speed_mbps)
        key = (
            device.place.role,
            device.model.name,
            device.hwsku,
            device.platform,
            port.kind,
            speed_mbps,
            settings.mtu_bytes(0),
            len(port.lanes),
            speed_mbps in self._speeds(device, port),
            row.length_m if row is not None else None,
        )
        found = self._of.get(key)
        if found is None:
            made = _class(self._fabric, device, port, peer, speed_mbps)
            found = self._of[key] = self._numbers.setdefault(made, len(self.classes))
            if found == len(self.classes):
                self.classes.append(made)
        return found

    def _speeds(self, device: FabricDevice, port: FabricPort) -> tuple[int, ...]:
        key = (device.model.name, port.cage, port.mode)
        found = self._able.get(key)
        if found is None:
            found = self._able[key] = able_mbps(device, port)
        return found


def able_mbps(device: FabricDevice, port: FabricPort) -> tuple[int, ...]:
    """The speeds that a port can run at, as its cage is split; fastest first."""
    return device.model.cage(port.cage).breakouts.get(port.mode, ())


def measured_row(fabric: Fabric, end: LinkEnd, peer: LinkEnd) -> CableRow | None:
    """The measured cable between two ends."""
    return fabric.intent.cables.get(frozenset((str(end), str(peer))))


def _class(fabric: Fabric, device: FabricDevice, port: FabricPort, peer: LinkEnd, speed_mbps: int) -> PortClass:
    end = LinkEnd(device=device.name, port=port.key)
    cabling: Cabling = fabric.cabling(end, peer, port.kind)
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
