"""What the overrides say of one port: the last word in DESIGN.md's precedence (rule 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from netaudit.fabric import PLANNED, Fabric, FabricDevice, FabricPort
from netaudit.intent.where import Where, parse
from netaudit.state import LinkEnd

FIELDS = {"speed": "speed_mbps", "mtu": "mtu_bytes", "enabled": "enabled"}
"""Key of `set` → field of a port."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Overridden values of a port, and the intent path of each."""

    values: Mapping[str, int | bool] = field(default_factory=dict)
    paths: tuple[tuple[str, str], ...] = ()
    """(field of `Port`, intent path), to be laid over the origin of the port's class."""

    def speed_mbps(self, otherwise: int) -> int:
        """The speed in force."""
        return int(self.values.get("speed", otherwise))

    def mtu_bytes(self, otherwise: int) -> int:
        """The MTU in force."""
        return int(self.values.get("mtu", otherwise))

    def enabled(self, otherwise: bool) -> bool:
        """The admin state in force; a port without a cable stays down whatever an override says."""
        return otherwise and bool(self.values.get("enabled", True))


NONE = Settings()


def settings_for(fabric: Fabric, device: FabricDevice, port: FabricPort) -> Settings:
    """What all overrides together say of a port; a later one wins. A link has one speed, so both its ends follow."""
    values: dict[str, int | bool] = {}
    paths: dict[str, str] = {}
    for number, where, settings in _holding(fabric):
        mine = where.covers(device.name, device.place, device.platform) and where.covers_port(port.key)
        far = not mine and _far_end(fabric, where, port)
        for key, value in settings.items():
            if mine or (far and key == "speed"):
                values[key] = value
                paths[FIELDS[key]] = f"overrides.{number}.set.{key}"
    return Settings(values, tuple(paths.items())) if values else NONE


def disabled(fabric: Fabric) -> frozenset[LinkEnd]:
    """Both ends of every link that is planned only, or that an override takes down at one of them."""
    ends: set[LinkEnd] = set()
    for name, device in fabric.devices.items():
        extra = fabric.extra.get(name, {}).values()
        if fabric.planned_links or device.place.status == PLANNED or any(port.status == PLANNED for port in extra):
            for key, port in fabric.ports(name).items():
                if port.peer is not None and port.status == PLANNED:
                    ends |= {LinkEnd(device=name, port=key), port.peer}
    for _, where, settings in _holding(fabric):
        if settings.get("enabled") is False:
            for name, device in fabric.devices.items():
                if where.covers(name, device.place, device.platform):
                    for key, port in fabric.ports(name).items():
                        if port.peer is not None and not settings_for(fabric, device, port).enabled(True):
                            ends |= {LinkEnd(device=name, port=key), port.peer}
    return frozenset(ends)


def _far_end(fabric: Fabric, where: Where, port: FabricPort) -> bool:
    peer = fabric.devices.get(port.peer.device) if port.peer else None
    return (
        peer is not None
        and port.peer is not None
        and where.covers(peer.name, peer.place, peer.platform)
        and where.covers_port(port.peer.port)
    )


def _holding(fabric: Fabric) -> Iterator[tuple[int, Where, Mapping[str, int | bool]]]:
    """The overrides that hold today, with their number in the intent."""
    for number, override in enumerate(fabric.intent.model.overrides):
        if fabric.today is None or override.until is None or override.until >= fabric.today:
            yield number, _where(override.where), override.set


@cache
def _where(text: str) -> Where:
    return parse(text)
