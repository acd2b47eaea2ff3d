"""What one plane still carries under a set of failures: loads by equal-cost splitting along the expected tables.

Traffic is uniform all-to-all between leaves that are joined by design, every host port at its rate, as in topology.md
section 7: with rail-only spines, between the leaves of each rail. A device splits equally over the next-hop interfaces
of its expected BGP route, whatever their speed, as ECMP does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from netaudit.expect.rib import Tables
from netaudit.state import Failures, Route
from netaudit.whatif.graph import Graph

Class: TypeAlias = tuple[int, object, int]
"""Links in one direction that are alike: (colour of the sender, kind and speed, colour of the receiver)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hot:
    """Links in one direction that carry more than they can."""

    device: str
    port: str
    """One of them, by its sending end."""
    count: int
    load: float
    """Offered traffic as a share of the link's speed, above 1."""


@dataclass(frozen=True, kw_only=True)
class Flows:
    """What one plane carries."""

    colour: Mapping[str, int]
    """Switch → its class under these failures."""
    pairs: Mapping[tuple[str, str], float]
    """(leaf, representative leaf) → share of its traffic that arrives, 0 to 1; 0 where there is no route. Leaves that
    are joined by nothing, as on rail-only spines, are no pair."""
    standing: Mapping[str, str]
    """Leaf → the representative that it is like."""
    widths: Mapping[tuple[str, str], int]
    """(leaf, representative leaf) → next-hop interfaces."""
    hot: tuple[Hot, ...] = ()
    lost: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Prefix of a block → leaves that have no route to it."""

    @cached_property
    def _worst(self) -> Mapping[tuple[int, str], float]:
        found: dict[tuple[int, str], float] = {}
        for (source, target), share in self.pairs.items():
            key = self.colour[source], target
            found[key] = min(found.get(key, 1.0), share)
        return found

    def share(self, source: str, target: str) -> float:
        """The share between any two leaves, the worst of what is alike; 0 if one of them is lost, 1 within a leaf."""
        if source == target:
            return 1.0
        if source not in self.standing or target not in self.standing:
            return 0.0
        return self._worst.get((self.colour[source], self.standing[target]), 1.0)

    @cached_property
    def _worst_of(self) -> Mapping[int, float]:
        """Class of a leaf → its worst share, as sender or as receiver."""
        found: dict[int, float] = {}
        for (source, target), share in self.pairs.items():
            for leaf in (source, target):
                found[self.colour[leaf]] = min(found.get(self.colour[leaf], 1.0), share)
        return found

    def worst_of(self, leaf: str) -> float:
        """The worst share of a leaf in either direction; 0 if it is lost."""
        if leaf not in self.standing:
            return 0.0
        return self._worst_of.get(self.colour[leaf], 1.0)

    @property
    def apart(self) -> int:
        """Ordered pairs of leaves that have no route."""
        alike = Counter(self.standing.values())
        return sum(alike[target] for (_, target), share in self.pairs.items() if share == 0)

    @cached_property
    def narrowest(self) -> int:
        """The smallest number of next-hop interfaces between two leaves; 0 if there is no pair."""
        return min(self.widths.values(), default=0)


def flows(graph: Graph, plane: str, failures: Failures) -> Flows:
    """Work one plane out. `failures` holds drained switches, too."""
    alive = [n for n in graph.doors if graph.plane(n) == plane and n not in failures.devices]
    colour = graph.classes(failures, (plane,))
    leaves = [name for name in alive if name in graph.sent_mbps]
    groups: dict[int, list[str]] = {}
    for leaf in leaves:
        groups.setdefault(colour[leaf], []).append(leaf)
    rib = Tables(graph.expected.wide, failures)
    tables = {members[0]: rib.toward(graph.fabric.devices[members[0]].blocks[0]) for members in groups.values()}
    rates = _rates(graph, leaves)
    speeds, sizes, samples = _directed(graph, alive, colour, failures)
    loads = dict.fromkeys(sizes, 0.0)
    for members in groups.values():
        carried = _carried(graph, tables[members[0]], rates, members[0])
        for (device, port), mbps in carried.items():
            loads[_class(graph, colour, device, port)] += mbps * len(members)
    over = {key: loads[key] / sizes[key] / speeds[key] for key in sizes}
    pairs: dict[tuple[str, str], float] = {}
    widths: dict[tuple[str, str], int] = {}
    for members in groups.values():
        target = members[0]
        for leaf, share in _shares(graph, colour, tables[target], over, target).items():
            if leaf in graph.sent_mbps and leaf != target:
                pairs[leaf, target] = share
                widths[leaf, target] = len(tables[target][leaf].hops)
        pairs |= {(leaf, target): 0.0 for leaf in _apart(graph, leaves, tables[target], target)}
    hot = [
        Hot(device=samples[key][0], port=samples[key][1], count=sizes[key], load=load)
        for key, load in over.items()
        if load > 1 + 1e-9
    ]
    return Flows(
        colour=colour,
        pairs=pairs,
        standing={leaf: members[0] for members in groups.values() for leaf in members},
        widths=widths,
        hot=tuple(sorted(hot, key=lambda h: (-h.load, h.device, h.port))),
        lost=_lost(graph, plane, leaves, rib),
    )


def _class(graph: Graph, colour: Mapping[str, int], device: str, port: str) -> Class:
    door = graph.doors[device][port]
    return colour[device], (door.kind, door.speed_mbps), colour[door.peer.device]


def _directed(
    graph: Graph, alive: Sequence[str], colour: Mapping[str, int], failures: Failures
) -> tuple[dict[Class, int], dict[Class, int], dict[Class, tuple[str, str]]]:
    """Speed, number and one example of every class of directed links."""
    speeds: dict[Class, int] = {}
    sizes: dict[Class, int] = {}
    samples: dict[Class, tuple[str, str]] = {}
    there = set(alive)
    for link in graph.links:
        if link.a.device not in there or link.b.device not in there or link in failures.links:
            continue
        for end in (link.a, link.b):
            key = _class(graph, colour, end.device, end.port)
            speeds.setdefault(key, graph.doors[end.device][end.port].speed_mbps)
            sizes[key] = sizes.get(key, 0) + 1
            samples.setdefault(key, (end.device, end.port))
    return speeds, sizes, samples


def _rates(graph: Graph, leaves: Sequence[str]) -> Mapping[str, float]:
    """Leaf → what all others that it is joined with can send, in Mbit/s: its own traffic is shared out by that."""
    together: dict[frozenset[str], int] = {}
    for leaf in leaves:
        joined = graph.regions[leaf]
        together[joined] = together.get(joined, 0) + graph.sent_mbps[leaf]
    total = {one: sum(mbps for other, mbps in together.items() if one & other) for one in together}
    return {leaf: total[graph.regions[leaf]] - graph.sent_mbps[leaf] for leaf in leaves if graph.regions[leaf]}


def _apart(graph: Graph, leaves: Sequence[str], table: Mapping[str, Route], target: str) -> Iterator[str]:
    """Leaves that are joined with the target, and have no route to it."""
    joined = graph.regions[target]
    return (leaf for leaf in leaves if leaf != target and leaf not in table and joined & graph.regions[leaf])


def _carried(
    graph: Graph, table: Mapping[str, Route], rates: Mapping[str, float], target: str
) -> Mapping[tuple[str, str], float]:
    """(switch, port) → Mbit/s towards one leaf, when every other leaf sends it its share."""
    held: dict[str, float] = {}
    for leaf, others_mbps in rates.items():
        if leaf != target and leaf in table:
            held[leaf] = graph.sent_mbps[leaf] * graph.sent_mbps[target] / others_mbps
    found: dict[tuple[str, str], float] = {}
    for device in _far_first(table):
        amount, hops = held.pop(device, 0.0), table[device].hops
        if not amount or not hops:
            continue
        each = amount / len(hops)
        for port in hops:
            peer = graph.doors[device][port].peer.device
            found[device, port] = found.get((device, port), 0.0) + each
            held[peer] = held.get(peer, 0.0) + each
    return found


def _far_first(table: Mapping[str, Route]) -> list[str]:
    """Switches by the length of their path, the longest first: a next hop is always nearer."""
    return sorted(table, key=lambda name: -_length(table[name]))


def _length(route: Route) -> int:
    return min(len(path) for path in route.as_paths)


def _shares(
    graph: Graph, colour: Mapping[str, int], table: Mapping[str, Route], over: Mapping[Class, float], target: str
) -> Mapping[str, float]:
    """Switch → the share that its narrowest link on any path to the target carries."""
    found = {target: 1.0}
    for device in reversed(_far_first(table)):
        if device == target:
            continue
        narrow = 1.0
        for port in table[device].hops:
            peer = graph.doors[device][port].peer.device
            load = over[_class(graph, colour, device, port)]
            narrow = min(narrow, found.get(peer, 0.0), 1 / load if load > 1 + 1e-9 else 1.0)
        found[device] = narrow
    return found


def _lost(graph: Graph, plane: str, leaves: Sequence[str], rib: Tables) -> Mapping[str, frozenset[str]]:
    """Prefixes of blocks that some leaf has no route to."""
    prefixes = {
        prefix: name
        for name, device in graph.fabric.devices.items()
        if device.place.plane == plane and name in graph.doors
        for prefix in device.originates
    }
    found = {}
    for prefix in prefixes:
        table = rib.toward(prefix)
        missing = frozenset(leaf for leaf in leaves if leaf not in table)
        if missing:
            found[prefix] = missing
    return found
