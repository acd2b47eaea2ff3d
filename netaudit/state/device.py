"""One device, expected or observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from netaudit.state.bgp import Bgp
from netaudit.state.buffer import Buffers
from netaudit.state.interface import Interface, Port
from netaudit.state.leaf import Leaf, Origin
from netaudit.state.lldp import Lldp
from netaudit.state.qos import Qos
from netaudit.state.rib import Route, RouteKey
from netaudit.state.system import System
from netaudit.state.vlan import Vlan


class Store(StrEnum):
    """Where a value was read. Wrong in one and right in another is a diagnosis (DESIGN.md, idea 6)."""

    RUNNING = "running"
    """The configuration in force."""
    SAVED = "saved"
    """What a reboot brings back."""
    APPLIED = "applied"
    """What hardware and daemons say they have programmed."""
    STATE = "state"
    """What is: links, sessions, neighbors, routes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a device stands in the fabric. `unit` and `rail` are those of a leaf; `number` counts the others from 1."""

    role: str
    """`leaf`, `spine`, `superspine`, or the name of a block."""
    tier: int
    plane: str
    unit: str = ""
    rail: int = 0
    number: int = 0
    status: str = "active"

    def __str__(self) -> str:
        return f"{self.plane}/{self.unit}/r{self.rail}" if self.unit else f"{self.plane}/{self.role}/{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """The root of the tree that is rendered, read and compared. `None` for a part: not managed, or not seen."""

    name: str
    platform: str
    place: Place | None = field(default=None, compare=False)
    version: str = field(default="", compare=False)
    """Version of the NOS: expected the intended one, observed the one that runs; empty where nobody says it."""
    asic: str = field(default="", compare=False)
    """The chip, as the catalogue calls it (`Tomahawk5`), of an expected device: some words depend on it."""
    system: System | None = None
    vrfs: Leaf[frozenset[str]] = None
    """VRFs that exist on the device beside the default one."""
    ports: Mapping[str, Port] | None = None
    interfaces: Mapping[str, Interface] | None = None
    vlans: Mapping[str, Vlan] | None = None
    bgp: Bgp | None = None
    qos: Qos | None = None
    buffers: Buffers | None = None
    lldp: Lldp | None = None
    raw: Mapping[str, Mapping[str, Mapping[str, Leaf[str]]] | None] | None = None
    """Rows of the site's own beside what is modelled, by the names of the NOS: table → row → field → value."""
    routes: Mapping[RouteKey, Route] | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)
