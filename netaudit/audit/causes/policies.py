"""Routes that are wrong because routing settings are: they hang on the setting, and are no finding of their own."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_interface

from netaudit.audit.causes.context import Context
from netaudit.audit.compare import DeviceAudit
from netaudit.state import Absent, Failures, LinkEnd, Route, RouteKey, Store
from netaudit.state.walk import Path, matches

SETTINGS = (
    "bgp.policies",
    "bgp.requires_policy",
    "bgp.maximum_paths",
    "bgp.multipath_relax",
    "bgp.networks",
    "bgp.unmodelled",
    "bgp.vrfs",
    "bgp.neighbors.*.vrf",
    "bgp.neighbors.*.import_policy",
    "bgp.neighbors.*.export_policy",
    "bgp.neighbors.*.families",
    "bgp.neighbors.*.allowas_in",
    "interfaces.*.link_local",
)
"""What decides which routes a device takes, uses and passes on, without any session being down."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A route that no failure explains."""

    device: str
    key: RouteKey
    expected: Route | Absent
    observed: Route | Absent


ADDRESSES = "interfaces.*.addresses"


def is_routing_setting(path: Path) -> bool:
    """Does this leaf decide which routes there are?"""
    return any(matches(pattern, path) for pattern in (*SETTINGS, ADDRESSES))


def runs(observed: Container[Store]) -> bool:
    """Is it otherwise in what decides about routes: the running configuration, or the speaker itself?"""
    return Store.RUNNING in observed or Store.STATE in observed


def misplaced(audit: DeviceAudit) -> tuple[frozenset[str], frozenset[str]]:
    """(prefixes that a device lost, prefixes it has too many) by the addresses of its interfaces."""
    lost: set[str] = set()
    gained: set[str] = set()
    for path, merged in audit.merged.items():
        value = merged.observed.get(Store.RUNNING)
        if matches(ADDRESSES, path) and isinstance(merged.expected, frozenset) and isinstance(value, frozenset):
            lost |= {str(ip_interface(str(one)).network) for one in merged.expected - value}
            gained |= {str(ip_interface(str(one)).network) for one in value - merged.expected}
    # another address of the same network, as a wrong gateway is, moves no prefix
    return frozenset(lost - gained), frozenset(gained - lost)


def _is_policy(path: Path) -> bool:
    """Does this leaf decide which routes of others a device takes and passes on?"""
    return any(matches(pattern, path) for pattern in SETTINGS)


@dataclass(slots=True)
class Culprits:
    """Devices whose running routing settings are not as planned, with the prefixes they originate."""

    context: Context
    own: Mapping[str, frozenset[RouteKey]] = field(init=False)
    moved: Mapping[str, tuple[frozenset[str], frozenset[str]]] = field(init=False)
    """Device → prefixes of addresses that it lost, and of those it has too many."""

    def __post_init__(self) -> None:
        audits = self.context.audits.values()
        names = [a.name for a in audits if any(map(_is_policy, self._open(a.name)))]
        self.own = {name: self._originated(name) for name in names}
        self.moved = {a.name: found for a in audits if any(found := misplaced(a))}

    def _open(self, device: str) -> list[Path]:
        merged = self.context.audits[device].merged
        return [path for path, difference in merged.items() if runs(difference.observed)]

    def _originated(self, device: str) -> frozenset[RouteKey]:
        planned = self.context.expectation.routes(device, Failures())
        routes = self.context.audits[device].routes
        seen = routes.whole() if routes is not None else {}
        return frozenset(key for table in (planned, seen) for key, route in table.items() if not route.hops)

    def of(self, wrong: Wrong) -> str | None:
        """The device whose settings a wrong route hangs on: its own, its origin's, or that of all hops that differ."""
        for name, (lost, gained) in self.moved.items():
            if wrong.key[1] in lost or (wrong.key[1] in gained and wrong.device == name):
                return name
        if wrong.device in self.own:
            return wrong.device
        origin = next((name for name, prefixes in self.own.items() if wrong.key in prefixes), None)
        return origin or next((name for name in self.own if self._leads(wrong, name)), None)

    def _leads(self, wrong: Wrong, culprit: str) -> bool:
        hops = [r.hops if isinstance(r, Route) else frozenset() for r in (wrong.expected, wrong.observed)]
        differ = hops[0] ^ hops[1]
        return bool(differ) and all(self._far(wrong.device, port) == culprit for port in differ)

    def _far(self, device: str, port: str) -> str:
        end = LinkEnd(device=device, port=port)
        link = self.context.links.get(end)
        return "" if link is None else (link.a if link.b == end else link.b).device
