"""What is the same all over the fabric and worked out once: plane policies, marking thresholds, shared objects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from netaudit.expect import ecn
from netaudit.expect.classes import Class
from netaudit.expect.headroom import groups, policy
from netaudit.expect.overrides import disabled
from netaudit.expect.policies import PlaneRules, plane_rules
from netaudit.expect.pools import shared_buffer
from netaudit.fabric import Fabric, FabricDevice
from netaudit.lossless import Ecn
from netaudit.state import Link, LinkEnd

T = TypeVar("T")


@dataclass(frozen=True)
class Wide:
    """Answers that do not depend on the device, remembered. One for each fabric."""

    fabric: Fabric
    _kept: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """The one object for a key: equal things are shared, so comparing and storing them is cheap."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast(T, self._kept[key])

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every cable of the fabric."""
        return tuple(self.fabric.links())

    @cached_property
    def disabled(self) -> frozenset[LinkEnd]:
        """Ends of links that are meant to be down."""
        return disabled(self.fabric)

    @cached_property
    def plane_rules(self) -> Mapping[str, PlaneRules]:
        """Plane → what it may announce."""
        return {plane: plane_rules(self.fabric, plane) for plane in self.fabric.intent.model.planes}

    def marking(self, kind: Class, speed_mbps: int, device: FabricDevice | None = None) -> Ecn:
        """ECN thresholds of a class at a speed: by the smallest shared buffer of any role, so that both ends agree.

        A deep buffer has its own: none of the bounds of a chip holds there, and its longest link does (ecn.md 5).
        """
        role = device.place.role if device is not None and device.model.buffer_class == "deep" else None
        return self.shared(("ecn", kind.name, speed_mbps, role), lambda: self._marking(kind, speed_mbps, role))

    def _marking(self, kind: Class, speed_mbps: int, role: str | None) -> Ecn:
        pools = [found for found in self._pools if role in (None, found[0].place.role)]
        device, shared_bytes = min(pools, key=lambda item: item[1])
        return ecn.marking(
            self.fabric,
            kind,
            speed_mbps,
            shared_bytes=shared_bytes,
            cell_bytes=device.model.cell_bytes,
            alpha=policy(self.fabric, device.model, device.place.role).alpha,
            # the least buffer of all is deep only where all are
            deep=device.model.buffer_class == "deep",
            ports=sum(port.peer is not None for port in self.fabric.ports(device.name).values()),
            far_m=self.far_m(device) if role is not None else 0.0,
        )

    def far_m(self, device: FabricDevice) -> float:
        """The longest cable of a device where it is longer than any of the paths between hosts, else 0."""
        found = max(
            self.fabric.cabling(LinkEnd(device=device.name, port=key), port.peer, port.kind).length_m
            for key, port in self.fabric.ports(device.name).items()
            if port.peer is not None
        )
        return found if found > max(ecn.path_m(self.fabric)) else 0.0

    @cached_property
    def _pools(self) -> list[tuple[FabricDevice, int]]:
        """One device of each role, the fullest, with what lossless groups of one part of its buffer share."""
        fullest: dict[str, tuple[FabricDevice, int]] = {}
        for device in self._samples():
            laid = self.fabric.ports(device.name)
            speeds = {key: port.speed_mbps for key, port in laid.items()}
            found = list(groups(self.fabric, device, laid, speeds))
            size = shared_buffer(self.fabric, device, laid, [h for _, h in found]).value
            if device.place.role not in fullest or size < fullest[device.place.role][1]:
                fullest[device.place.role] = (device, size)
        return list(fullest.values())

    def _samples(self) -> list[FabricDevice]:
        """One leaf of each unit and one spine: the others of a unit are laid out alike."""
        chosen: dict[tuple[str, str], FabricDevice] = {}
        for device in self.fabric.devices.values():
            chosen.setdefault((device.place.role, device.place.unit), device)
        return list(chosen.values())
