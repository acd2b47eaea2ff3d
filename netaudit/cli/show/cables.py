"""Where the length of a cable comes from: a measured row, or the class it is in."""

from __future__ import annotations

from dataclasses import dataclass

from netaudit.diag import Source
from netaudit.expect.overrides import settings_for
from netaudit.fabric import Fabric, FabricPort
from netaudit.state import LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable:
    """One cable as planned."""

    a: LinkEnd
    """The end that was asked for."""
    b: LinkEnd
    kind: str
    length_m: float
    medium: str
    source: Source | None
    measured: bool

    @property
    def origin(self) -> str:
        """`cables.csv:2, measured`, or `intent.yml:17:15, class leaf-spine`."""
        if self.measured and self.source:
            return f"{self.source.file}:{self.source.line}, measured"
        return f"{self.source or 'intent'}, class {self.kind}"

    @property
    def place(self) -> str:
        """`cables.csv:2` or `intent.yml:17:15`."""
        return self.origin.partition(",")[0]


def cable(fabric: Fabric, device: str, port: str) -> Cable | None:
    """The cable of a port; `None` for a spare one."""
    return cable_of(fabric, device, fabric.ports(device)[port])


def cable_of(fabric: Fabric, device: str, laid: FabricPort) -> Cable | None:
    """The same for a port that is at hand."""
    if laid.peer is None:
        return None
    here = LinkEnd(device=device, port=laid.key)
    found = fabric.cabling(here, laid.peer, laid.kind)
    row = fabric.intent.cables.get(frozenset((str(here), str(laid.peer))))
    return Cable(
        a=here,
        b=laid.peer,
        kind=laid.kind,
        length_m=found.length_m,
        medium=found.medium,
        source=row.source if row else fabric.intent.source(fabric.cable_path(laid.kind)),
        measured=row is not None,
    )


def speed_mbps(fabric: Fabric, device: str, laid: FabricPort) -> int:
    """The speed of a port, overrides considered, without working out the rest of the device."""
    return settings_for(fabric, fabric.devices[device], laid).speed_mbps(laid.speed_mbps)
