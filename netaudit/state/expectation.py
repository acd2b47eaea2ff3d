"""What `audit` is given to compare with: a Protocol, so that audit knows neither intent nor fabric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from netaudit.diag import Source
from netaudit.state.device import Device, Place, Store
from netaudit.state.leaf import Origin
from netaudit.state.rib import Route, RouteKey

Held: TypeAlias = "Mapping[str, Held] | bool"
"""Which leaves a store can hold, as a tree of field names; `*` stands for every key, `True` for all below."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LinkEnd:
    """One end of a cable: a device or host of the fabric, and its port as `cage[/sub]` (of a host: `r2/a`)."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Link:
    """A cable of the fabric. `a` is the lower end (host below leaf below spine)."""

    a: LinkEnd
    b: LinkEnd
    kind: str = ""
    """`host-leaf`, `leaf-spine`, …"""
    length_m: float = 0.0
    medium: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """All that a cause may explain; empty is the fabric as designed."""

    links: frozenset[Link] = frozenset()
    """Links that carry nothing."""
    sessions: frozenset[LinkEnd] = frozenset()
    """Ends whose BGP session is down although the link is up; one end is enough."""
    devices: frozenset[str] = frozenset()
    """Devices that forward nothing."""
    recabled: frozenset[Link] = frozenset()
    """Cables as observed, in place of the links of the model that end on the same ports."""
    withdrawn: frozenset[tuple[str, str]] = frozenset()
    """(device, prefix) that the device should originate and does not."""
    added: frozenset[tuple[str, str]] = frozenset()
    """(device, prefix) that the device originates and should not."""
    asns: Mapping[str, int] = field(default_factory=dict)
    """Device → ASN as observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindSpot:
    """Something that is declared as not auditable; printed once, leaves the exit code alone (DESIGN.md, idea 5)."""

    what: str
    """A leaf pattern (`qos.schedulers.*.weight`) or a kind of thing (`NIC side of hosts`)."""
    where: str
    """Platform and store, or the part of the fabric."""
    reason: str


class Expectation(Protocol):
    """The fabric as it should be, answered lazily and device by device."""

    @property
    def fabric(self) -> str:
        """Name of the fabric."""

    @property
    def devices(self) -> Mapping[str, Place]:
        """Every switch of ours, in the order of the fabric."""

    @property
    def hosts(self) -> Mapping[str, frozenset[str]]:
        """Host → its port names in the model."""

    @property
    def outside(self) -> Mapping[str, int]:
        """External neighbor, as links name it → its ASN."""

    def is_ours(self, prefix: str) -> bool:
        """Does a device of ours originate it, or is it a part of a host block of ours?"""

    @property
    def links(self) -> Sequence[Link]:
        """Every cable of the fabric."""

    def device(self, name: str) -> Device:
        """The expected state of one device, without routes."""

    def routes(self, name: str, without: Failures) -> Mapping[RouteKey, Route]:
        """The routes one device must hold when `without` has happened."""

    def held(self, name: str, store: Store) -> Held:
        """Which leaves a store of this device can hold."""

    def neighbor(self, system: str, port: str) -> tuple[str, str | None] | None:
        """(device or host, `cage[/sub]`) that an LLDP system name and port id stand for.

        `None` if the system is not of this fabric; the port is `None` where the id cannot be told (a host sending its
        MAC address), and the id as received where it is none of the system's.
        """

    def allows(self, name: str, key: RouteKey, route: Route | None, without: Failures) -> bool:
        """Is a route (`None`: that there is none) right on a device although it is not that of `routes`?"""

    def excuse(self, name: str) -> str:
        """Why it is right that a device does not answer, as a report says it; empty where it is not."""

    def owns(self, name: str, path: tuple[str, ...]) -> bool:
        """Is a leaf in an area that is ours? Elsewhere a key that only the device has is somebody else's."""

    def asked(self, name: str, store: Store, path: tuple[str, ...]) -> str:
        """What is asked of a device to read a leaf from a store, as a report names it."""

    def blind_spots(self, name: str) -> Sequence[BlindSpot]:
        """What is declared as not auditable on a device."""

    def source(self, origin: Origin | None, field: str) -> Source | None:
        """Where the intent asks for a field of an object with this origin; `None` for a formula."""

    def derivation(self, origin: Origin | None, field: str) -> str:
        """Intent path or formula of that field."""
