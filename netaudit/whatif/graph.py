"""A plane of the fabric as a graph: which ports lead where, how fast, and what hosts may send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from netaudit.expect.expected import Expected
from netaudit.expect.overrides import settings_for
from netaudit.fabric import DRAINED, HOST_LEAF, PLANNED, Fabric, is_fabric_link
from netaudit.state import Failures, Link, LinkEnd
from netaudit.whatif.symmetry import Edge, colours, components


@dataclass(frozen=True, slots=True)
class Door:
    """What a port of a switch leads to."""

    peer: LinkEnd
    speed_mbps: int
    kind: str


@dataclass(frozen=True)
class Graph:
    """Every switch that may forward, with its cabled ports that are up. Planned ones are not there yet."""

    expected: Expected
    doors: Mapping[str, Mapping[str, Door]]
    """Switch → port → where it leads: to switches and hosts of ours, and to external neighbors."""
    drained: frozenset[str]
    """Switches in maintenance: they count as failed (DESIGN.md rule 6)."""

    @property
    def fabric(self) -> Fabric:
        """The fabric it is the graph of."""
        return self.expected.built

    @cached_property
    def planes(self) -> tuple[str, ...]:
        """Names of the planes, in order."""
        return tuple(self.fabric.intent.model.planes)

    def plane(self, device: str) -> str:
        """The plane of a switch."""
        return self.fabric.devices[device].place.plane

    @cached_property
    def sent_mbps(self) -> Mapping[str, int]:
        """Leaf → what all of its hosts together can send; leaves without hosts are not here."""
        rates = {
            name: sum(door.speed_mbps for door in doors.values() if door.kind == HOST_LEAF)
            for name, doors in self.doors.items()
        }
        return {name: rate for name, rate in rates.items() if rate}

    @cached_property
    def sharing(self) -> Mapping[int, int]:
        """AS number → how many switches have it: spines with a number each forward otherwise than with a shared one."""
        return Counter(device.asn for device in self.fabric.devices.values())

    def height(self, device: str) -> int:
        """0 where traffic begins and ends (leaves, blocks, and whatever is not ours), 1 a spine, 2 a superspine."""
        known = self.fabric.devices.get(device)
        return {"spine": 1, "superspine": 2}.get(known.place.role, 0) if known is not None else 0

    @cached_property
    def originated(self) -> Mapping[str, str]:
        """Prefix that switches of blocks announce → one of them."""
        devices = self.fabric.devices
        return {prefix: name for name in self.doors for prefix in devices[name].originates}

    @cached_property
    def rails(self) -> Mapping[str, frozenset[int]]:
        """Leaf → the rails its hosts' ports are of."""
        return {
            name: frozenset(
                int(door.peer.port.partition("/")[0].removeprefix("r"))
                for door in self.doors[name].values()
                if door.kind == HOST_LEAF
            )
            for name in self.sent_mbps
        }

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Cables between switches of ours that carry traffic, in the order of the fabric."""
        return tuple(
            link
            for link in self.expected.links
            if is_fabric_link(link.kind)
            and link.b.device in self.doors
            and link.a.port in self.doors.get(link.a.device, {})
        )

    @cached_property
    def link_at(self) -> Mapping[LinkEnd, Link]:
        """End → its cable, of all cables that carry traffic: those of hosts and external neighbors, too."""
        found: dict[LinkEnd, Link] = {}
        for link in self.expected.links:
            if any(end.port in self.doors.get(end.device, {}) for end in (link.a, link.b)):
                found[link.a] = found[link.b] = link
        return found

    @cached_property
    def cables(self) -> tuple[Link, ...]:
        """Every cable that carries traffic, once."""
        return tuple(dict.fromkeys(self.link_at.values()))

    @cached_property
    def regions(self) -> Mapping[str, frozenset[str]]:
        """Leaf with hosts → names of what it is joined by: spines (and superspines) that can reach each other, a cable
        to another leaf. Leaves that share none, as those of two rails on rail-only spines, are not meant to talk."""
        beside: dict[str, list[str]] = {name: [] for name in self.doors if self.height(name)}
        for link in self.links:
            a, b = link.a.device, link.b.device
            if a in beside and b in beside:
                beside[a].append(b)
                beside[b].append(a)
        region = components(beside)
        found: dict[str, set[str]] = {name: set() for name in self.sent_mbps}
        for link in self.links:
            a, b = link.a.device, link.b.device
            direct = f"{link.a} {link.b}"
            for leaf, far in ((a, b), (b, a)):
                if leaf in found and (far in region or far in found):
                    found[leaf].add(region.get(far, direct))
        return {leaf: frozenset(names) for leaf, names in found.items()}

    @cached_property
    def leaf_at(self) -> Mapping[tuple[str, str, int], str]:
        """(plane, unit, rail of its place) → leaf with hosts."""
        places = ((name, self.fabric.devices[name].place) for name in self.sent_mbps)
        return {(place.plane, place.unit, place.rail): name for name, place in places}

    def spot(self, host: str, rail: int) -> tuple[str, int] | None:
        """(unit, rail of the leaf's place) that a NIC of a host is below of."""
        return self._spots.get((host, rail))

    @cached_property
    def _spots(self) -> Mapping[tuple[str, int], tuple[str, int]]:
        found: dict[tuple[str, int], tuple[str, int]] = {}
        for (_, unit, place_rail), leaf in self.leaf_at.items():
            for door in self.doors[leaf].values():
                if door.kind == HOST_LEAF:
                    found[door.peer.device, int(door.peer.port.partition("/")[0].removeprefix("r"))] = unit, place_rail
        return found

    def first_colour(self, name: str) -> Hashable:
        """All that makes a switch differ of itself: role, hosts, how many share its AS number, what it originates."""
        device = self.fabric.devices[name]
        return (
            device.place.role,
            device.place.status,
            self.sent_mbps.get(name, 0),
            len(self.rails.get(name, ())),
            self.sharing[device.asn],
            len(device.originates),
        )

    def classes(self, failures: Failures, planes: Collection[str]) -> Mapping[str, int]:
        """Switch of these planes → its class under failures. What failed has a class of its own, below 0."""
        alive = [n for n in self.doors if n not in failures.devices and self.plane(n) in planes]
        found = colours({name: self.first_colour(name) for name in alive}, list(self.working(alive, failures)))
        failed = sorted(name for name in failures.devices if self.plane(name) in planes)
        return {**{name: -1 - number for number, name in enumerate(failed)}, **found}

    def working(self, alive: Sequence[str], failures: Failures) -> Iterator[Edge]:
        """Working links between the given switches."""
        there = set(alive)
        for link, edge in self._edges:
            if edge[0] in there and edge[1] in there and link not in failures.links:
                yield edge

    @cached_property
    def _edges(self) -> tuple[tuple[Link, Edge], ...]:
        found = ((link, self.doors[link.a.device][link.a.port]) for link in self.links)
        return tuple((k, (k.a.device, k.b.device, (door.kind, door.speed_mbps))) for k, door in found)

    def modules(self) -> Iterator[tuple[LinkEnd, tuple[Link, ...]]]:
        """(cage, cables) of every module that carries more than one cable: `cage` without a sub-port."""
        for name, doors in self.doors.items():
            cages: dict[str, list[str]] = {}
            for port in doors:
                cages.setdefault(port.partition("/")[0], []).append(port)
            for cage, ports in cages.items():
                if len(ports) > 1:
                    cables = tuple(self.link_at[LinkEnd(device=name, port=port)] for port in ports)
                    yield LinkEnd(device=name, port=cage), cables


def graph(expected: Expected) -> Graph:
    """The graph of a fabric; linear in its ports."""
    fabric = expected.built
    dark = expected.wide.disabled
    doors: dict[str, dict[str, Door]] = {}
    for name, device in fabric.devices.items():
        if device.place.status == PLANNED:
            continue
        mine = doors.setdefault(name, {})
        for key, port in fabric.ports(name).items():
            if port.peer is None or port.status == PLANNED or LinkEnd(device=name, port=key) in dark:
                continue
            speed_mbps = settings_for(fabric, device, port).speed_mbps(port.speed_mbps)
            mine[key] = Door(port.peer, speed_mbps, port.kind)
    drained = frozenset(n for n, d in fabric.devices.items() if d.place.status == DRAINED and n in doors)
    return Graph(expected, doors, drained)
