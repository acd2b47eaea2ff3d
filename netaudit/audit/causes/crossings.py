"""Which cables changed places: planned and observed cables laid over each other make rings and chains.

Every end has at most one planned and one observed cable. Where both differ they alternate, so what hangs together is a
ring (cables in each other's places) or a chain (it begins and ends at a port that is free, dark, or not ours to see).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from netaudit.state import Link, LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One plug to be moved."""

    here: LinkEnd
    home: LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """One ring or chain of cables."""

    ends: tuple[LinkEnd, ...]
    """In the order of the walk, planned and observed cables in turn."""
    planned: Mapping[LinkEnd, LinkEnd]
    """End → the one that a cable of the model leads to."""
    observed: Mapping[LinkEnd, LinkEnd]
    """End → the one that its cable leads to now."""
    links: tuple[Link, ...]
    """The cables of the model."""
    ring: bool

    @property
    def sides(self) -> tuple[tuple[LinkEnd, ...], tuple[LinkEnd, ...]]:
        """Every second end: moving the plugs on one of these sides is enough to set all right."""
        return self.ends[0::2], self.ends[1::2]

    def moves(self, side: tuple[LinkEnd, ...]) -> tuple[Move, ...]:
        """The plugs to move on a side, one for each cable that has a place: no fewer can do, as each cable is wrong.

        In the order in which the place that a plug goes to is free; of a ring the first one has to be pulled before.
        """
        homes = {e: self.planned[o] for e in side if (o := self.observed.get(e)) is not None and o in self.planned}
        free = [home for home in homes.values() if home not in homes]
        return tuple(move for place in free or list(homes)[:1] for move in _filling(homes, place))


def _filling(homes: Mapping[LinkEnd, LinkEnd], place: LinkEnd) -> Iterator[Move]:
    """Plug by plug into the place that became free last."""
    owner = {home: end for end, home in homes.items()}
    begin = place
    while place in owner:
        yield Move(here=owner[place], home=place)
        place = owner[place]
        if place == begin:
            return


def crossings(links: Mapping[LinkEnd, Link], heard: Mapping[LinkEnd, LinkEnd]) -> list[Crossing]:
    """All rings and chains. `heard`: end → the end it hears, where that is not the planned one; one way is enough."""
    observed: dict[LinkEnd, LinkEnd] = {}
    for end, there in heard.items():
        if observed.get(end, there) == there and observed.get(there, end) == end:
            observed[end], observed[there] = there, end
    planned = {end: link.b if link.a == end else link.a for end in observed for link in _of(links, end)}
    planned |= {far: end for end, far in planned.items()}
    found: list[Crossing] = []
    left = dict.fromkeys(observed)
    while left:
        crossing = _walk(next(iter(left)), planned, observed)
        for end in crossing.ends:
            left.pop(end, None)
        found.append(replace(crossing, links=tuple(sorted({k for end in crossing.ends for k in _of(links, end)}))))
    return found


def _of(links: Mapping[LinkEnd, Link], end: LinkEnd) -> tuple[Link, ...]:
    return (links[end],) if end in links else ()


def _walk(start: LinkEnd, planned: Mapping[LinkEnd, LinkEnd], observed: Mapping[LinkEnd, LinkEnd]) -> Crossing:
    """From an end both ways; a ring comes back to it."""
    forth = _along(start, (observed, planned))
    ring = len(forth) > 1 and planned.get(forth[-1]) == start
    ends = forth if ring else [*reversed(_along(start, (planned, observed))[1:]), *forth]
    inside = set(ends)
    return Crossing(
        ends=tuple(ends),
        planned={e: f for e in ends if (f := planned.get(e)) in inside},
        observed={e: f for e in ends if (f := observed.get(e)) in inside},
        links=(),
        ring=ring,
    )


def _along(start: LinkEnd, turns: tuple[Mapping[LinkEnd, LinkEnd], Mapping[LinkEnd, LinkEnd]]) -> list[LinkEnd]:
    """The ends from one on, by these cables in turn, until there is none or the first one comes again."""
    ends, at = [start], 0
    while (after := turns[at % 2].get(ends[-1])) is not None and after != start:
        ends.append(after)
        at += 1
    return ends
