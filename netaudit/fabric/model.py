"""What is built: devices, ports, hosts and links as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from netaudit.hardware import SwitchModel
from netaudit.intent import DeviceRow
from netaudit.state import LinkEnd, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPort:
    """One port of a switch as it is laid out: what it is for and where its cable goes."""

    key: str
    """`cage` or `cage/sub`."""
    cage: int
    sub: int
    """1-based breakout port; 0 where the cage is not split."""
    lanes: tuple[int, ...]
    speed_mbps: int
    native: str
    alias: str
    mode: str
    """How its cage is split: `1x800G`, `2x400G`."""
    kind: str
    """`host-leaf`, `leaf-spine`, `spine-superspine`, `storage-spine`, `links.0`, or `spare`."""
    peer: LinkEnd | None = None
    status: str = "active"
    """Of its link: planned or drained where one of its ends is, planned before drained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricDevice:
    """A switch: who it is, where it stands, and the numbers it is given."""

    name: str
    place: Place
    index: int
    """Leaf index from 0 within its plane; of the others their number − 1."""
    model: SwitchModel
    hwsku: str
    platform: str
    version: str
    asn: int
    router_id: str
    loopbacks: tuple[str, ...]
    """`address/32` and, with a v6 pool, `address/128`."""
    blocks: tuple[str, ...]
    """Host prefixes of a leaf, v4 first; empty for others."""
    originates: tuple[str, ...] = ()
    """Other prefixes it announces: those of its block."""
    group: int = 0
    """Of a leaf and a spine the rail or pod whose spines it meets or is one of, 1 where that is the plane; of a
    superspine the place in their pods of the spines it meets, 0 where it meets all; of others 0."""
    slot: int = 0
    """Its place, from 0, among the ports of those above it; of a superspine among those of the spines below it."""
    row: DeviceRow | None = None
    """Its line of devices.csv: facts and pins."""

    @property
    def management(self) -> str | None:
        """Management address from devices.csv."""
        return self.row.management if self.row else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricHost:
    """A GPU server. Its NIC ports are named `r<rail>/<plane>`."""

    name: str
    unit: str
    index: int
    """From 1 within its unit."""
    status: str = "active"
    """Of its own, beside that of its unit's leaves: planned, active or drained; a retired one is not built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cabling:
    """Length and medium of one cable, and where both come from."""

    length_m: float
    medium: str
    origin: str
    """Intent path, or the measured row as `file:line`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How ports are dealt out on a model: computed once a role, used by every device of it."""

    ports: Mapping[str, FabricPort]
    """Every port of the switch, spare ones too, without peers."""
    downlinks: tuple[str, ...]
    """Leaf: host 1, 2, …, rail by rail; spine: leaf 0 link 1, link 2, …, counted up from the first cage."""
    uplinks: tuple[str, ...]
    """Counted down from the last cage."""
    groups: Mapping[str, tuple[str, ...]]
    """Kind → its ports, in the order in which they are dealt out."""
