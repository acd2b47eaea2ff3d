"""The BGP table every device must hold, whole and under failures: eBGP path vector over classes of equal destinations.

Rules that matter in these fabrics: no own ASN in a received path, prepend on sending, policies both ways, shortest AS
path, all equal ones together (multipath-relax), own prefixes first, only the best path is sent on (RFC 4271, RFC 7938).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_network
from typing import TypeAlias

from netaudit.expect.bgp import own_prefixes, policies
from netaudit.expect.wide import Wide
from netaudit.fabric import LEAF_SPINE
from netaudit.state import Failures, Link, Policy, Route, RouteKey

AsPath: TypeAlias = tuple[int, ...]
Class: TypeAlias = tuple[frozenset[str], frozenset[str], frozenset[str]]
"""Devices that originate it, that accept it, that pass it on: prefixes alike in all three spread alike."""

OWN = Route(frozenset(), frozenset({()}))


@dataclass(frozen=True, slots=True)
class _Session:
    """One direction of a session: what `peer` sends arrives on `port`."""

    port: str
    peer: str


class Tables:
    """All tables of a fabric with one set of failures. Each class of prefixes is spread once, when first needed."""

    def __init__(self, wide: Wide, failures: Failures) -> None:
        self._wide = wide
        self._failures = failures
        self._spread: dict[Class, Mapping[str, Route]] = {}

    def of(self, name: str) -> Mapping[RouteKey, Route]:
        """The routes of one device."""
        if name in self._failures.devices:
            return {}
        found: dict[RouteKey, Route] = {}
        for kind, prefixes in self._classes.items():
            if kind not in self._spread:
                self._spread[kind] = self._propagate(kind)
            route = self._spread[kind].get(name)
            if route is not None:
                found.update((("default", prefix), route) for prefix in prefixes)
        return found

    @cached_property
    def _asns(self) -> Mapping[str, int]:
        devices = self._wide.fabric.devices
        return {name: self._failures.asns.get(name, device.asn) for name, device in devices.items()}

    @cached_property
    def _sessions(self) -> Mapping[str, tuple[_Session, ...]]:
        """Device → what it hears and where. A link needs both ends, two ASNs, and no failure on it."""
        heard: dict[str, list[_Session]] = {name: [] for name in self._wide.fabric.devices}
        for link in self._links():
            a, b = link.a, link.b
            if a.device not in heard or b.device not in heard or {a, b} & self._failures.sessions:
                continue
            if {a.device, b.device} & self._failures.devices or self._asns[a.device] == self._asns[b.device]:
                continue
            heard[a.device].append(_Session(a.port, b.device))
            heard[b.device].append(_Session(b.port, a.device))
        return {name: tuple(sessions) for name, sessions in heard.items()}

    def _links(self) -> Iterator[Link]:
        """Fabric links as they are: without those that failed, re-cabled ones in place of those of the model."""
        moved = {end for link in self._failures.recabled for end in (link.a, link.b)}
        for link in self._wide.links:
            dead = link in self._failures.links or link.a in self._wide.disabled
            if link.kind == LEAF_SPINE and not dead and not {link.a, link.b} & moved:
                yield link
        yield from self._failures.recabled - self._failures.links

    @cached_property
    def _policies(self) -> Mapping[str, Mapping[str, Policy]]:
        devices = self._wide.fabric.devices
        return {name: policies(d, self._wide.plane_rules[d.place.plane]) for name, d in devices.items()}

    @cached_property
    def _classes(self) -> Mapping[Class, tuple[str, ...]]:
        """Class → its prefixes."""
        origins: dict[str, set[str]] = {}
        for name, device in self._wide.fabric.devices.items():
            for prefix in own_prefixes(device):
                if (name, prefix) not in self._failures.withdrawn:
                    origins.setdefault(prefix, set()).add(name)
        for name, prefix in self._failures.added:
            origins.setdefault(prefix, set()).add(name)
        classes: dict[Class, list[str]] = {}
        for prefix, names in origins.items():
            accept, send = self._filters(prefix, frozenset(names))
            classes.setdefault((frozenset(names), accept, send), []).append(prefix)
        return {kind: tuple(prefixes) for kind, prefixes in classes.items()}

    def _filters(self, prefix: str, origins: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Devices whose policies let the prefix in, and out. Equal policies are asked once."""
        known: dict[frozenset[object], bool] = {}

        def permitted(policy: Policy) -> bool:
            permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
            if permits not in known:
                known[permits] = permits_prefix(policy, prefix)
            return known[permits]

        devices = self._wide.fabric.devices
        planes = {devices[name].place.plane for name in origins}
        near = [n for n, d in devices.items() if d.place.plane in planes] if not self._failures.recabled else devices
        accept = frozenset(n for n in near if permitted(self._policies[n]["FABRIC-IN"]))
        send = frozenset(
            n
            for n in near
            if (n in origins or devices[n].place.role != "leaf") and permitted(self._policies[n]["FABRIC-OUT"])
        )
        return accept, send

    def _propagate(self, kind: Class) -> Mapping[str, Route]:
        """Rounds of sending until nothing changes. Two tiers settle in three rounds, so this is linear in links."""
        origins, accept, send = kind
        best: dict[str, AsPath] = {name: () for name in origins if name not in self._failures.devices}
        table: dict[str, Route] = dict.fromkeys(best, OWN)
        changed = set(best)
        for _ in range(len(self._asns) + 1):
            listeners = {s.peer for name in changed if name in send for s in self._sessions[name]}
            updates: dict[str, tuple[AsPath, Route]] = {}
            for name in listeners & accept:
                if name in origins:
                    continue
                found = self._select(name, best, send)
                if found is not None and (found[1] != table.get(name)):
                    updates[name] = found
            if not updates:
                break
            for name, (path, route) in updates.items():
                best[name], table[name] = path, route
            changed = set(updates)
        return table

    def _select(self, name: str, best: Mapping[str, AsPath], send: frozenset[str]) -> tuple[AsPath, Route] | None:
        """The best AS path a device hears, and all paths as short as it."""
        mine = self._asns[name]
        paths = []
        for session in self._sessions[name]:
            if session.peer in send and session.peer in best:
                path = (self._asns[session.peer], *best[session.peer])
                if mine not in path:
                    paths.append((path, session.port))
        if not paths:
            return None
        shortest = min(len(path) for path, _ in paths)
        used = [(path, port) for path, port in paths if len(path) == shortest]
        hops = frozenset(port for _, port in used)
        as_paths = frozenset(path for path, _ in used)
        route = self._wide.shared(("route", hops, as_paths), lambda: Route(hops, as_paths))
        return min(as_paths), route


def permits_prefix(policy: Policy, prefix: str) -> bool:
    """Does a rule permit the prefix, itself or as one that is longer but not too long?"""
    network = ip_network(prefix)
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    for rule in permits:
        cover = ip_network(rule.prefix)
        if cover.version == network.version and network.subnet_of(cover) and network.prefixlen <= rule.up_to:  # type: ignore[arg-type]
            return True
    return False
