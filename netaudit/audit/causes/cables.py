"""Cables that end elsewhere than planned: each swap, shift or turned module once, with the fewest moves (CAB-02)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.audit.causes.blocks import Block, blocks
from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.causes.crossings import Crossing, crossings
from netaudit.audit.causes.miswired import (
    effect,
    elsewhere,
    ends_of,
    in_place_of_another,
    missing,
    observed_links,
    own_place,
)
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, Link, LinkEnd

MOST_MOVES = 16
"""Moves that an instruction lists one by one; of more the first ones say how it goes on."""


def moved_cables(context: Context) -> Iterator[Cause]:
    """One cause for each group of cables that took each other's places, or a place that should be free."""
    heard = dict(_heard(context))
    found = crossings(context.links, heard)
    for block in blocks(found, lambda one: _side(context, one), context.numbered):
        one = block.crossings[0]
        if len(block.crossings) == 1 and len(one.observed) == 2 and not one.ring:
            yield from _single(context, one, heard)
        else:
            yield from _cause(context, block)
    for end, far in list(_lost(context)):
        yield elsewhere(context, end, far)


def _lost(context: Context) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """(end, its planned far end) of cables that lead to somebody the model cannot place, while the far end is dark."""
    for audit in context.audits.values():
        for path in audit.merged:
            end = LinkEnd(device=audit.name, port=path[2]) if path[:2] == ("lldp", "neighbors") else None
            fact = context.fact(end) if end is not None else None
            if end is None or fact is None or not isinstance(fact.neighbor, tuple) or fact.oper_up is False:
                continue
            far = context.far(end)
            there = context.fact(far) if far is not None else None
            is_dark = there is not None and there.oper_up is False
            if far is not None and is_dark and any(context.open_at(far, ("ports.*.oper_up",))):
                yield end, far


def _heard(context: Context) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """(end, the end it hears) wherever the model plans another one and knows the one heard."""
    for audit in context.audits.values():
        for port, fact in audit.facts.items():
            if not isinstance(fact.neighbor, tuple) or ("lldp", "neighbors", port) not in audit.merged:
                continue  # as planned, or in maintenance, where anybody may be heard
            end = LinkEnd(device=audit.name, port=port)
            there = LinkEnd(device=fact.neighbor[0], port=fact.neighbor[1])
            if context.far(end) == there or not (context.far(end) or context.far(there)):
                continue
            if _is_end(context, there) and _is_end(context, end) and not _contradicted(context, end, there):
                yield end, there


def _is_end(context: Context, end: LinkEnd) -> bool:
    """Does the model know this port, in use or spare?"""
    return end in context.links or end.port in context.numbered(end.device)


def _contradicted(context: Context, end: LinkEnd, there: LinkEnd) -> bool:
    """Does the far end, or one that should hear one of both, tell otherwise? Then where the cable runs is not known."""
    back = context.fact(there)
    other = back is not None and isinstance(back.neighbor, tuple) and back.neighbor != (end.device, end.port)
    # a MAC address is taken for the planned port: the end that can tell decides
    if other and there.port not in context.audits[there.device].unnamed:
        return True
    return any(_still_heard(context, one) for one in (end, there))


def _still_heard(context: Context, end: LinkEnd) -> bool:
    """Does the planned far end of this one hear it, in words that tell it from others?"""
    far = context.far(end)
    fact = context.fact(far) if far is not None else None
    if far is None or fact is None or fact.neighbor != (end.device, end.port) or fact.oper_up is False:
        return False  # a port that is down hears nobody: what it remembers, or is taken to hear, says nothing
    audit = context.audits[far.device]
    return far.port not in audit.unnamed and far.port not in audit.unverifiable


def _single(context: Context, one: Crossing, heard: Mapping[LinkEnd, LinkEnd]) -> Iterator[Cause]:
    """One plug in a wrong place. The cable whose place that is may be nowhere: two things to do."""
    end, there = next((e, heard[e]) for e in one.ends if e in heard)
    if end not in context.links or (there in context.links and not context.is_switch(end)):
        end, there = there, end
    home, other = context.links[end], context.links.get(there)
    if other is None:
        yield own_place(context, home, end, there)
        return
    dark, near = context.far(there), context.far(end)
    if dark is not None and near is not None and _cannot_meet(context, near, dark):
        yield from _cause(context, Block(crossings=(_closed(one),), moves=()))
        return
    fact = context.fact(dark) if dark is not None else None
    lost = fact is not None and fact.oper_up is False and any(context.open_at(dark, ("ports.*.oper_up",)))  # type: ignore[arg-type]
    seen_there = context.take_symptoms([there])
    comparisons = (*context.take_symptoms([home.a, home.b]), *seen_there)
    yield in_place_of_another(context, home, end, there, comparisons)
    if lost and dark is not None:
        yield missing(context, other, dark, there, end)


def _cannot_meet(context: Context, one: LinkEnd, two: LinkEnd) -> bool:
    """Are both dark, and would a cable between them stay dark for their speeds differ? Then it may well be there."""
    facts = context.fact(one), context.fact(two)
    if any(fact is None or fact.oper_up is not False for fact in facts):
        return False
    speeds = {context.speed(one), context.speed(two)}
    return len(speeds) == 2 and None not in speeds


def _closed(one: Crossing) -> Crossing:
    """The chain as the ring that it is if the dark ends have the cable between them."""
    first, last = one.ends[0], one.ends[-1]
    return Crossing(
        ends=one.ends,
        planned=one.planned,
        observed={**one.observed, first: last, last: first},
        links=one.links,
        ring=True,
    )


def _side(context: Context, one: Crossing) -> tuple[LinkEnd, ...]:
    """The ends to move: those on one switch, upper ones first; a spare port is always among them."""
    spare = [end for end in one.ends if end not in context.links]
    upper = next(side for side in one.sides if one.links[0].b in side)
    lower = next(side for side in one.sides if side != upper)
    if spare:
        return next(side for side in one.sides if spare[0] in side)
    for side in (upper, lower):
        if len({end.device for end in side}) == 1 and context.is_switch(side[0]):
            return side
    return upper if all(map(context.is_switch, upper)) else lower


def _cause(context: Context, block: Block) -> Iterator[Cause]:
    group = sorted({link for one in block.crossings for link in one.links})
    loose = dict(_loose(context, block)) if block.offset or not all(one.ring for one in block.crossings) else {}
    folded = {end: place for end, place in loose.items() if place is not None}
    links = [link for link in group if not {link.a, link.b} & (loose.keys() - folded.keys())]
    ends = [end for one in block.crossings for end in one.ends if end not in loose or end in folded]
    near = _near(context, block, links)
    comparisons = context.take_symptoms(dict.fromkeys((*(e for k in links for e in (k.a, k.b)), *ends)))
    switches = tuple(dict.fromkeys(e.device for e in (*near, *ends) if context.is_switch(e)))
    recabled = frozenset(observed_links(context, (pair for one in block.crossings for pair in _pairs(one))))
    rule = by_id("CAB-02")
    yield Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=switches[0],
            object=" ↔ ".join(map(str, near)) if len(near) == 2 else f"{near[0]} and {len(near) - 1} more",
            title=_title(block, links, near),
            effect=effect(links, bool(recabled)),
            fix=f"netaudit show links INTENT {switches[0]}",
            devices=switches,
            objects=tuple(map(ends_of, links)),
            comparisons=comparisons,
            instruction=_instruction(block, near, folded),
        ),
        failures=Failures(
            links=frozenset(links),
            recabled=recabled,
        ),
    )
    for dark, place in loose.items():
        if place is None:
            there = context.far(dark)
            assert there is not None
            taken_by = next(one.observed[there] for one in block.crossings if there in one.observed)
            yield missing(context, context.links[dark], dark, there, taken_by)


def _pairs(one: Crossing) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    yield from ((end, there) for end, there in one.observed.items() if one.ends.index(end) < one.ends.index(there))


def _loose(context: Context, block: Block) -> Iterator[tuple[LinkEnd, LinkEnd | None]]:
    """(dark end whose place is taken, the spare port next in the row, where its plug will be; `None` for nowhere)."""
    homes, heres = {m.home for m in block.moves}, {m.here for m in block.moves}
    for one in block.crossings:
        for dark in (one.ends[0], one.ends[-1]) if not one.ring else ():
            place = one.planned.get(dark)
            fact = context.fact(dark)
            if place is None or place not in heres or place in homes or fact is None or fact.oper_up is not False:
                continue
            ports = list(context.numbered(place.device))
            at = context.numbered(place.device)[place.port] + block.offset if place.port in ports else -1
            after = LinkEnd(device=place.device, port=ports[at]) if 0 <= at < len(ports) else None
            yield dark, after if block.offset and after is not None and after not in context.links else None


def _near(context: Context, block: Block, links: list[Link]) -> list[LinkEnd]:
    """The ends to move, in the order of their cables."""
    if block.moves:
        ends = {m.here for m in block.moves} | {m.home for m in block.moves}
    else:
        ends = set(_side(context, block.crossings[0]))
    planned = [end for link in links for end in (link.b, link.a) if end in ends]
    return [*planned, *sorted(ends - set(planned))]


def _title(block: Block, links: list[Link], near: list[LinkEnd]) -> str:
    if block.words:
        return block.words
    if len(links) == 2 and block.crossings[0].ring:
        return f"The cables {ends_of(links[0])} and {ends_of(links[1])} are swapped"
    return f"{len(block.moves)} cables are plugged in each other's places, from {near[0]} on"


def _instruction(block: Block, near: list[LinkEnd], folded: Mapping[LinkEnd, LinkEnd]) -> str:
    if len(near) == 2 and all(one.ring for one in block.crossings):
        return f"swap the plugs at {near[0]} and {near[1]}"
    steps = [f"{move.here} → {move.home}" for move in block.moves]
    rings = sum(one.ring for one in block.crossings)
    begin = f"pull {block.moves[0].home}, then " if rings else ""
    shown = ", ".join(steps[:MOST_MOVES])
    more = f", and {len(steps) - MOST_MOVES} more in the same way" if len(steps) > MOST_MOVES else ""
    last = "".join(f"; the plug of {end} will be in {place}, which is shut" for end, place in folded.items())
    return f"move {len(steps)} plugs: {begin}{shown}{more}{last}"
