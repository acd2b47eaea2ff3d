"""What every check is given: the expected state, today's date, and the ports counted by what they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from netaudit.diag import Diagnostic, Severity, Source
from netaudit.expect import Expected
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import Headroom, NoHeadroom, port_headroom
from netaudit.expect.overrides import settings_for
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import SwitchModel
from netaudit.intent import CableRow, Intent
from netaudit.intent.schema import IntentModel
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


@dataclass(frozen=True)
class Design:
    """One fabric before any change, and the day on which it is looked at."""

    expected: Expected
    today: date | None = None
    """`None`: nothing is said of dates."""

    @property
    def fabric(self) -> Fabric:
        """What is built."""
        return self.expected.built

    @property
    def intent(self) -> Intent:
        """What was asked for, and where."""
        return self.expected.built.intent

    @property
    def model(self) -> IntentModel:
        """What was asked for."""
        return self.expected.built.intent.model

    @property
    def lossless(self) -> int:
        """How many lossless classes there are."""
        return len(lossless_priorities(self.intent))

    @cached_property
    def classes(self) -> Mapping[PortClass, Members]:
        """Every port with a cable, counted by what it needs. One walk over the devices; memory is one entry a class."""
        return self._counted[0]

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """Every device, counted by what its ports need together."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[Mapping[PortClass, Members], tuple[Load, ...]]:
        first: dict[PortClass, tuple[LinkEnd, LinkEnd]] = {}
        counts: dict[PortClass, int] = {}
        where: dict[PortClass, dict[str, None]] = {}
        alike: dict[tuple[str, str, frozenset[tuple[PortClass, int]]], list[str]] = {}
        for device in self.fabric.devices.values():
            mine: dict[PortClass, int] = {}
            for end, peer, kind in self._ports(device):
                first.setdefault(kind, (end, peer))
                counts[kind] = counts.get(kind, 0) + 1
                mine[kind] = mine.get(kind, 0) + 1
                where.setdefault(kind, {})[device.name] = None
            key = (device.place.role, device.model.name, frozenset(mine.items()))
            alike.setdefault(key, []).append(device.name)
        members = {
            kind: Members(count=counts[kind], end=end, peer=peer, devices=tuple(where[kind]))
            for kind, (end, peer) in first.items()
        }
        loads = tuple(
            Load(role=role, model=self.fabric.devices[names[0]].model, ports=dict(ports), devices=tuple(names))
            for (role, _, ports), names in alike.items()
        )
        return members, loads

    def _ports(self, device: FabricDevice) -> Iterator[tuple[LinkEnd, LinkEnd, PortClass]]:
        for port in self.fabric.ports(device.name).values():
            if port.peer is not None:
                end = LinkEnd(device=device.name, port=port.key)
                yield end, port.peer, self._class(device, port, end, port.peer)

    def _class(self, device: FabricDevice, port: FabricPort, end: LinkEnd, peer: LinkEnd) -> PortClass:
        speed_mbps = settings_for(self.fabric, device, port).speed_mbps(port.speed_mbps)
        cabling = self.fabric.cabling(end, peer, port.kind)
        return PortClass(
            role=device.place.role,
            model=device.model.name,
            hwsku=device.hwsku,
            kind=port.kind,
            speed_mbps=speed_mbps,
            lanes=len(port.lanes),
            length_m=cabling.length_m,
            medium=cabling.medium,
            measured=self.row(end, peer) is not None,
            headroom=port_headroom(self.fabric, device, port, speed_mbps),
        )

    def row(self, end: LinkEnd, peer: LinkEnd) -> CableRow | None:
        """The measured cable between two ends."""
        return self.intent.cables.get(frozenset((str(end), str(peer))))

    def length_source(self, kind: PortClass) -> Source | None:
        """Where the length of a class is written: the measured row, else the class of cables."""
        members = self.classes[kind]
        row = self.row(members.end, members.peer)
        return row.row.cell("length") if row is not None else self.intent.source(f"cables.{kind.kind}")

    def found(self, severity: Severity, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """One diagnostic at an intent path or a place in a file."""
        source = self.intent.source(path) if isinstance(path, str) else path
        return Diagnostic(message=message, source=source, hint=hint, severity=severity, rule=rule)

    def error(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """Traffic is at risk, or the fabric cannot be as asked for: nothing is pushed."""
        return self.found(Severity.ERROR, rule, path, message, hint)

    def warning(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """It works and has a price that the reader should know."""
        return self.found(Severity.WARNING, rule, path, message, hint)

    def info(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """To know; nothing needs to be done."""
        return self.found(Severity.INFO, rule, path, message, hint)
