"""What may fail: every single link, module, switch and plane, sorted into groups of which one stands for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from netaudit.fabric import HOST_LEAF
from netaudit.state import Failures, Link, LinkEnd
from netaudit.whatif.graph import Graph

LINK, MODULE, SWITCH, PLANE = "link", "module", "switch", "plane"
KINDS = (LINK, MODULE, SWITCH, PLANE)
PAIR, NAMED = "pair", "named"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing, or several together, that fail at once."""

    kind: str
    """`link`, `module`, `switch`, `plane`; `pair` and `named` for several."""
    what: str
    """What of it: `leaf-spine`, `spine`, …"""
    label: str
    """The one that is worked out: `a-spine1`, `a-su1-r1-leaf:64/2 to a-spine1:1/1`."""
    count: int = 1
    """How many are alike."""
    devices: frozenset[str] = frozenset()
    links: frozenset[Link] = frozenset()
    """Between switches."""
    nics: frozenset[LinkEnd] = frozenset()
    """NIC ports of hosts that lose their cable."""
    planes: frozenset[str] = frozenset()
    """The planes that it touches."""
    of: tuple[str, ...] = ()
    """What a pair was asked for as, sorted: `("spine", "spine")`."""

    @property
    def failures(self) -> Failures:
        """For the expected tables."""
        return Failures(links=self.links, devices=self.devices)

    def __or__(self, other: Event) -> Event:
        """Both at once."""
        return Event(
            kind=PAIR,
            what=" and ".join(sorted((self.what, other.what))),
            label=f"{self.label} and {other.label}",
            devices=self.devices | other.devices,
            links=self.links | other.links,
            nics=self.nics | other.nics,
            planes=self.planes | other.planes,
        )


def singles(graph: Graph, colour: Mapping[str, int]) -> tuple[tuple[Hashable, Event], ...]:
    """(what it is alike by, event) of every single failure, one event for all that are alike.

    `colour`: of every switch, with all that has failed already.
    """
    first: dict[Hashable, Event] = {}
    counts: Counter[Hashable] = Counter()
    for key, make in _each(graph, colour):
        if key not in first:
            first[key] = make()
        counts[key] += 1
    return tuple((key, replace(event, count=counts[key])) for key, event in first.items())


def keys(graph: Graph, colour: Mapping[str, int]) -> Mapping[str, Hashable]:
    """Label of every single failure → what it is alike by."""
    return {make().label: key for key, make in _each(graph, colour)}


def _each(graph: Graph, colour: Mapping[str, int]) -> Iterator[tuple[Hashable, Callable[[], Event]]]:
    """(what it is alike by, how to make the event) of every single thing that can fail."""
    for link in graph.cables:
        if link.kind == HOST_LEAF:
            yield (LINK, HOST_LEAF, colour[link.b.device]), partial(_of_link, graph, link)
        elif link.b.device in colour and link.a.device in colour:
            yield (LINK, *_like(graph, colour, link)), partial(_of_link, graph, link)
    for cage, cables in graph.modules():
        key = (MODULE, colour[cage.device], tuple(sorted(_like(graph, colour, cable) for cable in cables)))
        yield key, partial(of_links, graph, MODULE, f"{cage} ({len(cables)} cables)", cables)
    for name in graph.doors:
        if name not in graph.drained:
            yield (SWITCH, colour[name]), partial(of_switch, graph, name)
    for plane in graph.planes:
        members = tuple(sorted(colour[name] for name in graph.doors if graph.plane(name) == plane))
        yield (PLANE, members), partial(of_plane, graph, plane)


def _of_link(graph: Graph, link: Link) -> Event:
    return of_links(graph, LINK, str_of(link), (link,))


def _like(graph: Graph, colour: Mapping[str, int], link: Link) -> tuple[str, int, int, int]:
    end = link.a if link.a.device in graph.doors else link.b
    door = graph.doors[end.device][end.port]
    return link.kind, door.speed_mbps, colour.get(link.a.device, -1), colour.get(link.b.device, -1)


def str_of(link: Link) -> str:
    """A cable as people name it."""
    return f"{link.a} to {link.b}"


def of_links(graph: Graph, kind: str, label: str, cables: Iterable[Link]) -> Event:
    """The cables fail together."""
    cables = tuple(cables)
    hosts = [c for c in cables if c.kind == HOST_LEAF]
    ours = {end.device for c in cables for end in (c.a, c.b) if end.device in graph.doors}
    return Event(
        kind=kind,
        what=", ".join(dict.fromkeys(c.kind for c in cables)),
        label=label,
        links=frozenset(c for c in cables if c.kind != HOST_LEAF),
        nics=frozenset(c.a for c in hosts),
        planes=frozenset(map(graph.plane, ours)),
    )


def of_switch(graph: Graph, name: str) -> Event:
    """A switch forwards nothing; hosts below it lose that port."""
    nics = (door.peer for door in graph.doors[name].values() if door.kind == HOST_LEAF)
    return Event(
        kind=SWITCH,
        what=graph.fabric.devices[name].place.role,
        label=name,
        devices=frozenset({name}),
        nics=frozenset(nics),
        planes=frozenset({graph.plane(name)}),
    )


def of_plane(graph: Graph, plane: str) -> Event:
    """All switches of a plane at once."""
    names = [name for name in graph.doors if graph.plane(name) == plane]
    nics = (door.peer for name in names for door in graph.doors[name].values() if door.kind == HOST_LEAF)
    return Event(
        kind=PLANE,
        what=PLANE,
        label=f"plane {plane}",
        devices=frozenset(names),
        nics=frozenset(nics),
        planes=frozenset({plane}),
    )


def together(events: Iterable[Event]) -> Event:
    """All of them at once, as one named event."""
    first, *others = events
    whole = first
    for event in others:
        whole = whole | event
    return replace(whole, kind=NAMED, count=1)
