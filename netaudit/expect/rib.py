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

from netaudit.expect.policies import EXPORT, allowas_in, import_policy, own_prefixes, policies
from netaudit.expect.respread import respread
from netaudit.expect.vrfs import in_vrf, vrf_exports
from netaudit.expect.wide import Wide
from netaudit.fabric import DEFAULT_VRF, FabricDevice, is_fabric_link
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
    loops: int = 0
    """How often a path that comes over it may hold the hearer's own ASN."""


class Tables:
    """The tables of one VRF all over a fabric with one set of failures.

    Each class of prefixes is spread once, when first needed. Of ours, only the default VRF has prefixes.
    """

    def __init__(self, wide: Wide, failures: Failures, vrf: str = DEFAULT_VRF, *, guarded: bool = True) -> None:
        """`guarded`: with the policies of the sessions. Without them AS numbers alone decide what is taken."""
        self._guarded = guarded
        self._wide = wide
        self._failures = failures
        self._vrf = vrf
        self._export = EXPORT if vrf == DEFAULT_VRF else vrf_exports(vrf)
        self._spread: dict[Class, Mapping[str, Route]] = {}

    def of(self, name: str) -> Mapping[RouteKey, Route]:
        """The routes of one device."""
        if name in self._failures.devices:
            return {}
        found: dict[RouteKey, Route] = {}
        for kind, prefixes in self._classes.items():
            route = self._spread_of(kind).get(name)
            if route is not None:
                found.update(((self._vrf, prefix), route) for prefix in prefixes)
        return found

    def toward(self, prefix: str) -> Mapping[str, Route]:
        """Device → its route to one prefix; one without a route is left out. Works out no other."""
        origins = frozenset(self._origins.get(prefix, ()))
        accept, send = self._filters(prefix, origins)
        numbered = any(session.ipv4_only for sessions in self._sessions.values() for session in sessions)
        kind = (origins, accept, send, numbered and ":" in prefix)
        return self._spread_of(kind)

    def _spread_of(self, kind: Class) -> Mapping[str, Route]:
        """Device → its route to a class, from the tables as designed where only little is otherwise."""
        if kind not in self._spread:
            # where planes are joined, most classes are others than those as designed
            near = self._guarded and self._failures != Failures() and not self._joined
            found = self._respread(kind) if near else None
            self._spread[kind] = self._propagate(kind) if found is None else found
        return self._spread[kind]

    def _respread(self, kind: Class) -> Mapping[str, Route] | None:
        origins, accept, send, _ = kind

        def select(name: str, best: Mapping[str, AsPath]) -> tuple[AsPath, Route] | None:
            doors = {policy for policy in self._policies.get(name, ()) if (name, policy) in accept}
            return self._select(name, best, kind, doors)

        before = self._designed._spread_of(kind)
        return respread(before, self._touched, self._failures.devices, send, origins, select)

    @cached_property
    def _designed(self) -> Tables:
        """The tables with no failure."""
        return Tables.designed(self._wide, self._vrf)

    @staticmethod
    def designed(wide: Wide, vrf: str = DEFAULT_VRF) -> Tables:
        """The tables with no failure, which those under failures are made from: one for each fabric."""
        return wide.shared(("designed", vrf), lambda: Tables(wide, Failures(), vrf))

    @cached_property
    def _touched(self) -> frozenset[str]:
        """Devices that hear otherwise than designed, or hear one with another ASN, or have one."""
        whole, renumbered = self._designed._sessions, self._failures.asns.keys()
        return frozenset(
            name
            for name, heard in self._sessions.items()
            if name in renumbered
            or name in self._failures.devices
            or (heard is not whole[name] and heard != whole[name])
            or (renumbered and any(session.peer in renumbered for session in heard))
        )

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
        used = [session for session in self._sessions[name] if session.port in route.hops]
        loops = max(session.loops for session in used)
        longer = min(len(path) for path in route.as_paths)
        found = {(self._asns[s.peer], *path) for s in used for path in self._alternatives(kind, s.peer)}
        return frozenset(path for path in found if len(path) == longer and path.count(mine) <= loops)

    @cached_property
    def _asns(self) -> Mapping[str, int]:
        """Of every speaker, those of external neighbors too."""
        devices = self._wide.fabric.devices
        ours = {name: self._failures.asns.get(name, device.asn) for name, device in devices.items()}
        return ours | {name: self._failures.asns.get(name, one.asn) for name, one in self._external.items()}

    @property
    def _external(self) -> Mapping[str, External]:
        return self._wide.fabric.intent.model.external

    @cached_property
    def _sessions(self) -> Mapping[str, tuple[_Session, ...]]:
        """Device → what it hears and where. Of the fabric as designed, only what a failure touches is made anew."""
        failures = self._failures
        if failures.recabled or failures.asns:
            return {name: tuple(session for _, session in heard) for name, heard in self._heard().items()}
        heard = self._wide.shared(("heard", self._vrf), Tables(self._wide, Failures(), self._vrf)._heard)
        whole = self._wide.shared(
            ("sessions", self._vrf), lambda: {name: tuple(s for _, s in told) for name, told in heard.items()}
        )
        touched = {end.device for link in failures.links for end in (link.a, link.b)} & heard.keys()
        for name in (*failures.devices, *(end.device for end in failures.sessions)):
            touched |= {name, *(session.peer for _, session in heard.get(name, ()))} & heard.keys()
        anew = {name: tuple(s for link, s in heard[name] if self._works(name, s.peer, link)) for name in touched}
        return {**whole, **anew}

    def _works(self, name: str, peer: str, link: Link) -> bool:
        """Has nothing failed on a session?"""
        failures = self._failures
        if {name, peer} & failures.devices or {link.a, link.b} & failures.sessions:
            return False
        return link not in failures.links

    def _heard(self) -> Mapping[str, list[tuple[Link, _Session]]]:
        """Device → its sessions and their cables. A link needs both ends, two ASNs, and no failure on it."""
        heard: dict[str, list[tuple[Link, _Session]]] = {name: [] for name in self._asns}
        moved = {end for link in self._failures.recabled for end in (link.a, link.b)}
        # a policy hangs on the port: over a cable that was moved another one speaks through it
        planned = {e: f.device for k in self._wide.links for e, f in ((k.a, k.b), (k.b, k.a)) if e in moved}
        for link in self._links():
            a, b = link.a, link.b
            if a.device not in heard or b.device not in heard or {a, b} & self._failures.sessions:
                continue
            if {a.device, b.device} & self._failures.devices or self._asns[a.device] == self._asns[b.device]:
                continue
            for end, far in ((a, b), (b, a)):
                own = self._wide.fabric.devices.get(end.device)  # what is external takes whatever it likes
                policy = self._import(own, planned.get(end, far.device)) if own is not None else ""
                loops = allowas_in(self._wide.fabric, own, far.device) if own is not None else 0
                told = _Session(end.port, far.device, policy, self._is_ipv4_only(link), loops)
                heard[end.device].append((link, told))
        return heard

    def _import(self, device: FabricDevice, peer: str) -> str:
        return import_policy(self._wide.fabric, device, peer, self._vrf)

    def _is_ipv4_only(self, link: Link) -> bool:
        """Does it carry IPv4 alone: are its addresses of that family?"""
        if any(pool.version == 6 for pool in self._wide.fabric.intent.model.addressing.link_pools):
            return False
        return bool(self._wide.fabric.why_numbered(link.a.device, link.b.device, link.kind))

    def _links(self) -> Iterator[Link]:
        """Fabric links as they are: without those that failed, re-cabled ones in place of those of the model."""
        moved = {end for link in self._failures.recabled for end in (link.a, link.b)}
        for link in self._wide.links:
            dead = link in self._failures.links or link.a in self._wide.disabled
            if is_fabric_link(link.kind) and not dead and not {link.a, link.b} & moved and self._holds(link):
                yield link
        yield from filter(self._peers, filter(self._holds, self._failures.recabled - self._failures.links))

    def _peers(self, link: Link) -> bool:
        """Can both ends of a moved cable speak BGP? Addresses of a port are of its planned cable, and fit no other."""
        planned = (one for one in self._wide.links if {one.a, one.b} & {link.a, link.b})
        return not any(self._wide.fabric.why_numbered(one.a.device, one.b.device, one.kind) for one in planned)

    def _holds(self, link: Link) -> bool:
        """Are both ends in this VRF? It is the ports that are, whatever cable is in them."""
        return all(in_vrf(self._wide.fabric, end, self._vrf) for end in (link.a, link.b))

    @cached_property
    def _policies(self) -> Mapping[str, Mapping[str, Policy]]:
        devices, rules = self._wide.fabric.devices, self._wide.plane_rules
        return self._wide.shared(
            ("policies",),
            lambda: {name: policies(self._wide.fabric, d, rules[d.place.plane]) for name, d in devices.items()},
        )

    @cached_property
    def _origins(self) -> Mapping[str, set[str]]:
        """Prefix → the devices that originate it."""
        if self._failures.withdrawn or self._failures.added:
            return self._originated()
        return self._wide.shared(("origins", self._vrf), self._originated)

    def _originated(self) -> Mapping[str, set[str]]:
        origins: dict[str, set[str]] = {}
        for name, prefix in self._own() if self._vrf == DEFAULT_VRF else ():
            origins.setdefault(prefix, set()).add(name)
        ends = {end.device for link in self._wide.links for end in (link.a, link.b) if self._holds(link)}
        for name, external in self._external.items():
            for announced in external.prefixes or () if name in ends else ():
                origins.setdefault(str(announced), set()).add(name)
        return origins

    def _own(self) -> Iterator[tuple[str, str]]:
        """(device, prefix) of all that ours originate."""
        for name, device in self._wide.fabric.devices.items():
            for prefix in own_prefixes(device):
                if (name, prefix) not in self._failures.withdrawn:
                    yield name, prefix
        yield from self._failures.added

    @cached_property
    def _classes(self) -> Mapping[Class, tuple[str, ...]]:
        """Class → its prefixes. Of the fabric as designed, only the prefixes that a failure touches are sorted anew."""
        known: Mapping[Class, tuple[str, ...]] = {}
        redo: Mapping[str, set[str]] = self._origins
        if self._guarded and self._failures != Failures():
            known, redo = self._designed._classes, self._otherwise()
        classes: dict[Class, list[str]] = {}
        for kind, prefixes in known.items():
            kept = [prefix for prefix in prefixes if prefix not in redo] if redo else list(prefixes)
            if kept:
                classes[kind] = kept
        numbered = any(session.ipv4_only for sessions in self._sessions.values() for session in sessions)
        for prefix, names in redo.items():
            if names:
                accept, send = self._filters(prefix, frozenset(names))
                barred = numbered and ":" in prefix
                classes.setdefault((frozenset(names), accept, send, barred), []).append(prefix)
        return {kind: tuple(prefixes) for kind, prefixes in classes.items()}

    def _otherwise(self) -> Mapping[str, set[str]]:
        """Prefix → who originates it, of those that a failure moves, or that a cable between planes lets pass."""
        moved = {prefix for _, prefix in (*self._failures.withdrawn, *self._failures.added)}
        found = {prefix: self._origins.get(prefix, set()) for prefix in moved}
        if self._joined:
            devices = self._wide.fabric.devices
            for prefix, names in self._origins.items():
                if any(name not in devices or devices[name].place.plane in self._joined for name in names):
                    found[prefix] = names
        return found

    @cached_property
    def _joined(self) -> frozenset[str]:
        """Planes between which a cable runs that was moved."""
        devices = self._wide.fabric.devices
        pairs = ((link.a.device, link.b.device) for link in self._failures.recabled)
        planes = (frozenset(devices[name].place.plane for name in pair if name in devices) for pair in pairs)
        return frozenset(plane for joined in planes if len(joined) > 1 for plane in joined)

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
        planes |= self._joined if planes & self._joined else set()
        anywhere = not origins <= devices.keys()
        near = list(devices) if anywhere else [n for n, d in devices.items() if d.place.plane in planes]
        accept = frozenset(
            (n, name)
            for n in near
            for name, policy in self._policies[n].items()
            if name != self._export and (not self._guarded or permitted(policy))
        )
        send = frozenset(
            n
            for n in near
            if not self._guarded
            or (
                (n in origins or devices[n].place.role != "leaf")
                and self._export in self._policies[n]
                and permitted(self._policies[n][self._export])
            )
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
        asns, (_, _, send, barred) = self._asns, kind
        used: list[tuple[AsPath, str]] = []
        # no path is longer: it holds the ASN of a device as often as that allows, and once more
        shortest = len(asns) * (1 + max(self._wide.fabric.intent.model.bgp.allowas_in.values(), default=0)) + 1
        for session in self._sessions[name]:
            if session.peer not in send or session.peer not in best or session.policy not in doors:
                continue
            there = best[session.peer]
            if len(there) >= shortest or (barred and session.ipv4_only):
                continue
            path = (asns[session.peer], *there)
            if path.count(asns[name]) > session.loops:
                continue
            if len(path) < shortest:
                used, shortest = [], len(path)
            used.append((path, session.port))
        if not used:
            return None
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
