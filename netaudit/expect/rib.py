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

from netaudit.expect.policies import EXPORT, import_policy, own_prefixes, policies
from netaudit.expect.wide import Wide
from netaudit.fabric import extra_of, is_fabric_link
from netaudit.intent.schema.layout import External
from netaudit.state import Failures, Link, Policy, Route, RouteKey

AsPath: TypeAlias = tuple[int, ...]
Door: TypeAlias = tuple[str, str]
"""(device, policy on what it hears): a spine hears leaves and blocks by different ones."""
Class: TypeAlias = tuple[frozenset[str], frozenset[Door], frozenset[str], bool]
"""Devices that originate it, doors it comes in by, devices that pass it on, whether it is an IPv6 one that numbered
links do not carry: prefixes alike in all spread alike."""

OWN = Route(frozenset(), frozenset({()}))


@dataclass(frozen=True, slots=True)
class _Session:
    """One direction of a session: what `peer` sends arrives on `port`."""

    port: str
    peer: str
    policy: str
    """By which the hearer takes it."""
    ipv4_only: bool
    """It runs over a numbered link."""


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

    def as_good(self, name: str, key: RouteKey, route: Route) -> bool:
        """Whether a route is as good as the expected one: where paths tie, a device sends the oldest on (RFC 5004).

        Which of several borders a default route came from is then any of them; the ports and the length are not free.
        """
        for kind, prefixes in self._classes.items():
            if key[1] in prefixes and kind in self._spread:
                expected = self._spread[kind].get(name)
                possible = self._alternatives(kind, name)
                return expected is not None and route.hops == expected.hops and route.as_paths <= possible
        return False

    def _alternatives(self, kind: Class, name: str) -> frozenset[AsPath]:
        """Every AS path that a device may use for a class, whatever ties are broken by on the way."""
        table, mine = self._spread[kind], self._asns[name]
        route = table.get(name)
        if route is None or not route.hops:
            return frozenset({()} if route is not None else ())
        peers = {session.peer for session in self._sessions[name] if session.port in route.hops}
        longer = min(len(path) for path in route.as_paths)
        found = {(self._asns[peer], *path) for peer in peers for path in self._alternatives(kind, peer)}
        return frozenset(path for path in found if len(path) == longer and mine not in path)

    @cached_property
    def _asns(self) -> Mapping[str, int]:
        """Of every speaker, those of external neighbors too."""
        devices = self._wide.fabric.devices
        ours = {name: self._failures.asns.get(name, device.asn) for name, device in devices.items()}
        return ours | {name: external.asn for name, external in self._external.items()}

    @property
    def _external(self) -> Mapping[str, External]:
        return self._wide.fabric.intent.model.external

    @cached_property
    def _sessions(self) -> Mapping[str, tuple[_Session, ...]]:
        """Device → what it hears and where. A link needs both ends, two ASNs, and no failure on it."""
        heard: dict[str, list[_Session]] = {name: [] for name in self._asns}
        for link in self._links():
            a, b = link.a, link.b
            if a.device not in heard or b.device not in heard or {a, b} & self._failures.sessions:
                continue
            if {a.device, b.device} & self._failures.devices or self._asns[a.device] == self._asns[b.device]:
                continue
            for end, far in ((a, b), (b, a)):
                own = self._wide.fabric.devices.get(end.device)  # what is external takes whatever it likes
                policy = import_policy(self._wide.fabric, own, far.device) if own is not None else ""
                heard[end.device].append(_Session(end.port, far.device, policy, self._is_numbered(link)))
        return {name: tuple(sessions) for name, sessions in heard.items()}

    def _is_numbered(self, link: Link) -> bool:
        extra, model = extra_of(link.kind), self._wide.fabric.intent.model
        return model.addressing.fabric == "numbered" if extra is None else model.links[extra].id is not None

    def _links(self) -> Iterator[Link]:
        """Fabric links as they are: without those that failed, re-cabled ones in place of those of the model."""
        moved = {end for link in self._failures.recabled for end in (link.a, link.b)}
        for link in self._wide.links:
            dead = link in self._failures.links or link.a in self._wide.disabled
            if is_fabric_link(link.kind) and not dead and not {link.a, link.b} & moved:
                yield link
        yield from self._failures.recabled - self._failures.links

    @cached_property
    def _policies(self) -> Mapping[str, Mapping[str, Policy]]:
        devices = self._wide.fabric.devices
        rules = self._wide.plane_rules
        return {name: policies(self._wide.fabric, d, rules[d.place.plane]) for name, d in devices.items()}

    @cached_property
    def _classes(self) -> Mapping[Class, tuple[str, ...]]:
        """Class → its prefixes."""
        origins: dict[str, set[str]] = {}
        for name, device in self._wide.fabric.devices.items():
            for prefix in own_prefixes(device):
                if (name, prefix) not in self._failures.withdrawn:
                    origins.setdefault(prefix, set()).add(name)
        for name, external in self._external.items():
            for announced in external.prefixes or ():
                origins.setdefault(str(announced), set()).add(name)
        for name, prefix in self._failures.added:
            origins.setdefault(prefix, set()).add(name)
        classes: dict[Class, list[str]] = {}
        numbered = any(session.ipv4_only for sessions in self._sessions.values() for session in sessions)
        for prefix, names in origins.items():
            accept, send = self._filters(prefix, frozenset(names))
            barred = numbered and ":" in prefix
            classes.setdefault((frozenset(names), accept, send, barred), []).append(prefix)
        return {kind: tuple(prefixes) for kind, prefixes in classes.items()}

    def _filters(self, prefix: str, origins: frozenset[str]) -> tuple[frozenset[Door], frozenset[str]]:
        """Doors that let the prefix in, and devices that let it out. Equal policies are asked once."""
        known: dict[frozenset[object], bool] = {}

        def permitted(policy: Policy) -> bool:
            permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
            if permits not in known:
                known[permits] = permits_prefix(policy, prefix)
            return known[permits]

        devices = self._wide.fabric.devices
        planes = {devices[name].place.plane for name in origins if name in devices}
        anywhere = bool(self._failures.recabled) or not origins <= devices.keys()
        near = list(devices) if anywhere else [n for n, d in devices.items() if d.place.plane in planes]
        accept = frozenset(
            (n, name)
            for n in near
            for name, policy in self._policies[n].items()
            if name != EXPORT and permitted(policy)
        )
        send = frozenset(
            n
            for n in near
            if (n in origins or devices[n].place.role != "leaf") and permitted(self._policies[n][EXPORT])
        )
        return accept, send | (origins - devices.keys())

    def _propagate(self, kind: Class) -> Mapping[str, Route]:
        """Rounds of sending until nothing changes. Two tiers settle in three rounds, so this is linear in links."""
        origins, accept, send, _ = kind
        doors: dict[str, set[str]] = {}
        for name, policy in accept:
            doors.setdefault(name, set()).add(policy)
        best: dict[str, AsPath] = {name: () for name in origins if name not in self._failures.devices}
        table: dict[str, Route] = dict.fromkeys(best, OWN)
        changed = set(best)
        for _ in range(len(self._asns) + 1):
            listeners = {s.peer for name in changed if name in send for s in self._sessions[name]}
            updates: dict[str, tuple[AsPath, Route]] = {}
            for name in listeners:
                if name in origins or name not in doors:
                    continue
                found = self._select(name, best, kind, doors[name])
                if found is not None and (found[1] != table.get(name)):
                    updates[name] = found
            if not updates:
                break
            for name, (path, route) in updates.items():
                best[name], table[name] = path, route
            changed = set(updates)
        return table

    def _select(
        self, name: str, best: Mapping[str, AsPath], kind: Class, doors: set[str]
    ) -> tuple[AsPath, Route] | None:
        """The best AS path a device hears, and all paths as short as it."""
        mine, (_, _, send, barred) = self._asns[name], kind
        paths = []
        for session in self._sessions[name]:
            if session.peer not in send or session.peer not in best or session.policy not in doors:
                continue
            if not (barred and session.ipv4_only):
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
