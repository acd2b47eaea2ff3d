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
from netaudit.expect.pools import ingress_lossless
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

    def marking(self, kind: Class, speed_mbps: int) -> Ecn:
        """ECN thresholds of a class at a speed: by the smallest shared buffer of any role, so that both ends agree."""
        return self.shared(("ecn", kind.name, speed_mbps), lambda: self._marking(kind, speed_mbps))

    def _marking(self, kind: Class, speed_mbps: int) -> Ecn:
        device, shared_bytes = min(self._pools, key=lambda item: item[1])
        alpha = policy(self.fabric, device.model, device.place.role).alpha
        return ecn.marking(self.fabric, kind, speed_mbps, shared_bytes, device.model.cell_bytes, alpha)

    @cached_property
    def _pools(self) -> list[tuple[FabricDevice, int]]:
        """One device of each role, the fullest, with its shared ingress pool in bytes."""
        fullest: dict[str, tuple[FabricDevice, int]] = {}
        for device in self._samples():
            laid = self.fabric.ports(device.name)
            speeds = {key: port.speed_mbps for key, port in laid.items()}
            found = list(groups(self.fabric, device, laid, speeds))
            size = ingress_lossless(self.fabric, device, laid, [h for _, h in found]).value
            if device.place.role not in fullest or size < fullest[device.place.role][1]:
                fullest[device.place.role] = (device, size)
        return list(fullest.values())

    def _samples(self) -> list[FabricDevice]:
        """One leaf of each unit and one spine: the others of a unit are laid out alike."""
        chosen: dict[tuple[str, str], FabricDevice] = {}
        for device in self.fabric.devices.values():
            chosen.setdefault((device.place.role, device.place.unit), device)
        return list(chosen.values())
