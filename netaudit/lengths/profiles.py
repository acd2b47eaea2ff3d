"""The headroom profile of each port, looked up device by device."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.expect.headroom import Headroom, NoHeadroom, port_headroom
from netaudit.expect.overrides import settings_for
from netaudit.fabric import Fabric
from netaudit.state import LinkEnd


class Profiles:
    """Of a fabric. The ports of a device are laid out once, however many of them are asked for."""

    def __init__(self, fabric: Fabric) -> None:
        self._fabric = fabric
        self._known: dict[str, Mapping[str, Headroom | NoHeadroom | None]] = {}

    def at(self, end: LinkEnd) -> Headroom | NoHeadroom | None:
        """The profile of a port of ours; `None` for one without a cable."""
        if end.device not in self._known:
            self._known[end.device] = self._of(end.device)
        return self._known[end.device][end.port]

    def made_for_m(self, end: LinkEnd) -> int | None:
        """The length that the profile of a port is made for; `None` where it has none."""
        found = self.at(end)
        return found.cable_length_m if isinstance(found, Headroom) else None

    def _of(self, name: str) -> Mapping[str, Headroom | NoHeadroom | None]:
        fabric, device = self._fabric, self._fabric.devices[name]
        return {
            key: port_headroom(fabric, device, port, settings_for(fabric, device, port).speed_mbps(port.speed_mbps))
            for key, port in fabric.ports(name).items()
        }
