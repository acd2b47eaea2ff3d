"""Can the lossless classes wait for each other in a circle? Proved over all expected forwarding, or shown hop by hop.

PFC stops a sender when an ingress buffer is full. If the buffers along a circle of cables each wait for the next, none
ever empties: a deadlock (SIGCOMM'16; Tagger, CoNEXT'17; topology.md section 6). No circle, no deadlock. Equal switches
are looked at once: a circle in the fabric is one among its classes, too, so none there proves that there is none; one
that is found there is looked for again among the real cables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from netaudit.deadlock.cycle import shortest_cycle
from netaudit.deadlock.paths import Forwarding, Hop, waits
from netaudit.expect.rib import Tables
from netaudit.state import Failures
from netaudit.whatif.events import LINK, MODULE, SWITCH, Event, singles
from netaudit.whatif.graph import Graph

Told: TypeAlias = tuple[str, str, str, str]
"""(sending switch, its port, receiving switch, its port)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Buffers that wait for each other."""

    hops: tuple[Told, ...]
    """In order; each waits for the next, the last for the first."""
    event: Event | None
    """What has failed; `None`: nothing."""

    def __str__(self) -> str:
        return " → ".join(f"{sender}:{port}" for sender, port, _, _ in self.hops) + f" → {self.hops[0][0]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Valley:
    """A path that goes up again after it went down, or level: a step of every circle (topology.md section 6)."""

    hops: tuple[Told, ...]
    """Two cables, as in `Cycle`."""
    prefix: str
    """Where the path leads."""
    event: Event | None

    def __str__(self) -> str:
        (first, port, middle, _), (_, out, last, _) = self.hops
        return f"{first}:{port} → {middle}:{out} → {last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The answer, and what it covers."""

    cycle: Cycle | None
    valley: Valley | None
    events: int
    """Single failures of links, modules and switches that were tried, equal ones counted."""
    prefixes: int
    """Destinations, equal ones counted."""


def prove(graph: Graph, *, guarded: bool = True) -> Proof:
    """Look at the whole fabric, and at every single failure. `guarded`: with the policies that are rendered.

    Without them (`guarded=False`) it is seen what AS numbers alone prevent, should a policy ever be missing.
    """
    wide = graph.expected.wide
    base = Failures(devices=graph.drained)
    colour = graph.classes(base, graph.planes)
    before = Forwarding(graph, Tables(wide, base, guarded=guarded))
    tried, valley = 0, None
    for event in _events(graph, colour):
        failures = base if event is None else replace(event.failures, devices=event.devices | graph.drained)
        tried += event.count if event is not None else 0
        after = before if event is None else Forwarding(graph, Tables(wide, failures, guarded=guarded))
        classes = colour if event is None else graph.classes(failures, event.planes)
        circles, step = _possible(graph, classes, before, after)
        if valley is None and step is not None:
            valley = Valley(hops=step[1], prefix=step[0], event=event)
        real = _real(graph, before, after) if circles else ()
        if real:
            cycle = Cycle(hops=real, event=event)
            return Proof(cycle=cycle, valley=valley, events=tried, prefixes=len(_prefixes(graph)))
    return Proof(cycle=None, valley=valley, events=tried, prefixes=len(_prefixes(graph)))


TRIED_PAIRS = 400
"""Pairs of cables that are looked at, at most: of what is alike one, so that a fabric by a pattern has a few dozen."""


def circle_of_two(graph: Graph, *, guarded: bool) -> Cycle | None:
    """A circle that two lost cables would close, with the policies of the sessions or without; `None`: none is found.

    Where one loss makes a valley, a second one makes a circle: each spine goes by the leaf that the other one lost.
    """
    wide = graph.expected.wide
    base = Failures(devices=graph.drained)
    before = Forwarding(graph, Tables(wide, base, guarded=guarded))
    tried = 0
    for _, first in singles(graph, graph.classes(base, graph.planes)):
        if first.kind != LINK or not first.links:
            continue
        one = replace(first.failures, devices=graph.drained)
        for _, second in singles(graph, graph.classes(one, graph.planes)):
            if second.kind != LINK or not second.links or second.links == first.links:
                continue
            tried += 1
            if tried > TRIED_PAIRS:
                return None
            both = first | second
            failures = replace(both.failures, devices=graph.drained)
            after = Forwarding(graph, Tables(wide, failures, guarded=guarded))
            circles, _ = _possible(graph, graph.classes(failures, both.planes), before, after)
            real = _real(graph, before, after) if circles else ()
            if real:
                return Cycle(hops=real, event=both)
    return None


def _events(graph: Graph, colour: Mapping[str, int]) -> Iterator[Event | None]:
    """Nothing at all, then every single failure between switches, one for all that are alike."""
    yield None
    for _, event in singles(graph, colour):
        if event.kind == SWITCH or (event.kind in (LINK, MODULE) and event.links):
            yield event


def _prefixes(graph: Graph) -> Mapping[str, str]:
    """Prefix that lossless traffic goes to → a switch that originates it: hosts' blocks, and what blocks announce."""
    leaves = {graph.fabric.devices[name].blocks[0]: name for name in graph.sent_mbps}
    return {**leaves, **graph.originated}


def _possible(
    graph: Graph, colour: Mapping[str, int], before: Forwarding, after: Forwarding
) -> tuple[bool, tuple[str, tuple[Told, ...]] | None]:
    """(is there a circle among classes of cables? only then there is one among cables; prefix and hops of a valley)."""
    chosen: dict[tuple[int, int], str] = {}
    for prefix, owner in _prefixes(graph).items():
        if prefix in graph.originated:
            chosen[0, len(chosen)] = prefix
        elif owner in colour:
            chosen.setdefault((1, colour[owner]), prefix)
    edges: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    valley = None
    for prefix in chosen.values():
        for held, wanted in waits(graph, before.towards(prefix), after.towards(prefix)):
            if wanted[0] not in colour:
                continue  # of a plane that the failure is not in
            edges.setdefault(_class(graph, colour, held), set()).add(_class(graph, colour, wanted))
            if valley is None and _is_valley(graph, held, wanted):
                valley = prefix, (_told(graph, held), _told(graph, wanted))
    return bool(shortest_cycle(edges)), valley


def _is_valley(graph: Graph, held: Hop, wanted: Hop) -> bool:
    """Does the second cable not lead down although the first one did not lead up?"""
    first, middle = held[0], wanted[0]
    last = graph.doors[middle][wanted[1]].peer.device
    return graph.height(middle) <= graph.height(first) and graph.height(last) >= graph.height(middle)


def _class(graph: Graph, colour: Mapping[str, int], hop: Hop) -> tuple[object, ...]:
    name, port = hop
    door = graph.doors[name][port]
    return colour[name], door.kind, door.speed_mbps, colour[door.peer.device]


def _real(graph: Graph, before: Forwarding, after: Forwarding) -> tuple[Told, ...]:
    """A shortest circle of cables, over all prefixes."""
    edges: dict[Hop, dict[Hop, None]] = {}
    for prefix in _prefixes(graph):
        old, new = before.towards(prefix), after.towards(prefix)
        for held, wanted in waits(graph, old, new):
            edges.setdefault(held, {})[wanted] = None
    return tuple(_told(graph, hop) for hop in shortest_cycle(edges))


def _told(graph: Graph, hop: Hop) -> Told:
    name, port = hop
    peer = graph.doors[name][port].peer
    return name, port, peer.device, peer.port
