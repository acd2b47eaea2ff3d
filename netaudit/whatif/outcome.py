"""What is left of the fabric when something has failed: capacity, width, hot links, and who is cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from netaudit.state import Failures
from netaudit.whatif.events import KINDS, PLANE, Event, keys, singles
from netaudit.whatif.flow import Flows, Hot, flows
from netaudit.whatif.graph import Graph

_EVEN = 9
"""Decimal places that shares are rounded to: sums of equal parts differ in the sixteenth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one event leaves."""

    event: Event
    capacity: float
    """Share of its rate that the worst pair of host ports still has, all planes together (topology.md section 7)."""
    rails: Mapping[tuple[str, int], float]
    """(plane, rail) → share that the worst pair of leaves of the rail has in that plane."""
    paths: int
    """Narrowest set of next-hop interfaces between two leaves in the planes it touches; 0: some have no route."""
    paths_before: int
    hot: tuple[Hot, ...]
    cut: tuple[str, ...]
    """NICs as `host:r<rail>` that no plane is left for, leaves' worth summed up; sorted."""
    cut_count: int
    apart: int
    """Ordered pairs of leaves of one plane that have no route to each other, both alive."""
    unreached: Mapping[str, int]
    """Prefix of a block → leaves without a route to it."""


class Study:
    """Works events out; the fabric as designed once, equal events once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._base = Failures(devices=graph.drained)

    @cached_property
    def before(self) -> Mapping[str, Flows]:
        """Plane → its flows as designed, drained switches left out."""
        return {plane: flows(self.graph, plane, self._base) for plane in self.graph.planes}

    @cached_property
    def colour(self) -> Mapping[str, int]:
        """Switch → class over the whole fabric as designed: planes that are alike share their classes."""
        return self.graph.classes(self._base, self.graph.planes)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What a single failure may be called by: its kind, a role, a kind of link."""
        events = [event for _, event in singles(self.graph, self.colour)]
        return tuple(dict.fromkeys((*KINDS, *(event.what for event in events))))

    def sweep(self, kinds: Iterable[str]) -> Iterator[Outcome]:
        """Every single failure of the given kinds, one outcome for all that are alike."""
        wanted = frozenset(kinds)
        for _, event in singles(self.graph, self.colour):
            if event.kind in wanted:
                yield self.outcome(event)

    def pairs(self, one: str, other: str) -> Iterator[Outcome]:
        """Every two failures at once, `one` and `other` each a kind or a role; one outcome for all that are alike."""
        whole = singles(self.graph, self.colour)
        order = {key: number for number, (key, _) in enumerate(whole)}
        known = keys(self.graph, self.colour)
        for key, event in whole:
            if not _is(event, one):
                continue
            for _, second in singles(self.graph, self.graph.classes(self._with(event.failures), self.graph.planes)):
                second_key = known[second.label]
                if not _is(second, other) or second.label == event.label or second.devices & event.devices:
                    continue
                if one == other and order[second_key] < order[key]:
                    continue  # it came the other way round
                count = event.count * second.count
                same = one == other and second_key == key
                of = tuple(sorted((one, other)))
                yield self.outcome(replace(event | second, count=count // 2 if same else count, of=of))

    def _with(self, failed: Failures) -> Failures:
        return replace(failed, devices=failed.devices | self.graph.drained)

    def outcome(self, event: Event) -> Outcome:
        """One event. Planes that it does not touch stay as designed."""
        lost = event.planes if event.kind == PLANE else frozenset()
        after = {
            plane: flows(self.graph, plane, self._with(event.failures))
            for plane in sorted(event.planes - lost)
            if event.links or event.devices
        }
        now = {**self.before, **after}
        touched = [now[plane] for plane in event.planes - lost]
        before = [self.before[plane] for plane in event.planes]
        cut = tuple(sorted(self._cut(event)))
        return Outcome(
            event=event,
            capacity=round(self._capacity(event, now, lost), _EVEN),
            rails=self._rails(event, now, lost),
            paths=min((flow.narrowest for flow in touched if flow.widths), default=0),
            paths_before=min((flow.narrowest for flow in before if flow.widths), default=0),
            hot=tuple(sorted((h for flow in touched for h in flow.hot), key=lambda h: -h.load)),
            cut=cut[:8],
            cut_count=len(cut),
            apart=sum(flow.apart for flow in touched),
            unreached={prefix: len(leaves) for flow in touched for prefix, leaves in flow.lost.items()},
        )

    def _capacity(self, event: Event, now: Mapping[str, Flows], lost: frozenset[str]) -> float:
        """The worst pair of host ports of one rail position each, over all planes."""
        graph, planes = self.graph, self.graph.planes
        gone = _lost_planes(event)
        worst = 1.0
        spots = {(unit, rail) for _, unit, rail in graph.leaf_at}
        targets = self._targets(now, spots)
        for here in spots:
            for there in targets:
                if here != there:
                    share = sum(self._share(now, lost, p, here, there) for p in planes) / len(planes)
                    worst = min(worst, share)
        for leaf_spot, without in self._nic_spots(gone).items():
            others = [spot for spot in targets if spot != leaf_spot]
            for planes_lost in without:
                left = [p for p in planes if p not in planes_lost]
                shares = (sum(self._share(now, lost, p, leaf_spot, s) for p in left) for s in others)
                worst = min(worst, min(shares, default=len(left)) / len(planes))
        return worst

    def _targets(self, now: Mapping[str, Flows], spots: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
        """Two positions of each class of leaves: a leaf is no target of its own."""
        two: dict[object, list[tuple[str, int]]] = {}
        for spot in sorted(spots):
            leaves = [self.graph.leaf_at.get((p, *spot), "") for p in self.graph.planes]
            classes = [now[p].standing.get(leaf, "") for p, leaf in zip(self.graph.planes, leaves, strict=True)]
            two.setdefault(tuple(classes), []).append(spot)
        return [spot for members in two.values() for spot in members[:2]]

    def _share(
        self, now: Mapping[str, Flows], lost: frozenset[str], plane: str, here: tuple[str, int], there: tuple[str, int]
    ) -> float:
        source, target = self.graph.leaf_at.get((plane, *here)), self.graph.leaf_at.get((plane, *there))
        if plane in lost or source is None or target is None:
            return 0.0
        return now[plane].share(source, target)

    def _nic_spots(self, gone: Mapping[tuple[str, int], frozenset[str]]) -> dict[tuple[str, int], set[frozenset[str]]]:
        """Leaf position → the sets of planes that some NIC below it has lost."""
        found: dict[tuple[str, int], set[frozenset[str]]] = {}
        for (host, rail), planes in gone.items():
            spot = self.graph.spot(host, rail)
            if spot is not None:
                found.setdefault(spot, set()).add(planes)
        return found

    def _rails(self, event: Event, now: Mapping[str, Flows], lost: frozenset[str]) -> Mapping[tuple[str, int], float]:
        found: dict[tuple[str, int], float] = {}
        for plane in sorted(event.planes):
            for leaf, rails in self.graph.rails.items():
                if self.graph.plane(leaf) != plane:
                    continue
                dead = plane in lost or leaf in event.devices
                for rail in rails:
                    share = 0.0 if dead else now[plane].worst_of(leaf)
                    found[plane, rail] = round(min(found.get((plane, rail), 1.0), share), _EVEN)
        return dict(sorted(found.items()))

    def _cut(self, event: Event) -> Iterator[str]:
        """NICs that have no plane left."""
        planes = frozenset(self.graph.planes)
        for (host, rail), gone in _lost_planes(event).items():
            if gone >= planes:
                yield f"{host}:r{rail}"


def _lost_planes(event: Event) -> Mapping[tuple[str, int], frozenset[str]]:
    """(host, rail) → planes in which that NIC has no cable any more."""
    found: dict[tuple[str, int], set[str]] = {}
    for nic in event.nics:
        rail, _, plane = nic.port.partition("/")
        found.setdefault((nic.device, int(rail.removeprefix("r"))), set()).add(plane)
    return {key: frozenset(planes) for key, planes in found.items()}


def _is(event: Event, word: str) -> bool:
    return word in (event.kind, event.what)
