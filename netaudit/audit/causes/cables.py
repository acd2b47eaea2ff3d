"""Cables that end elsewhere than planned: swaps and moves, each group of crossed cables once (CAB-02)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, Link, LinkEnd


def moved_cables(context: Context) -> Iterator[Cause]:
    """One cause for each group of cables that took each other's places."""
    heard = dict(_heard(context))
    for group in _groups(context, heard):
        yield _cause(context, group, {end: heard[end] for end in heard if context.links[end] in group})


def _heard(context: Context) -> Iterator[tuple[LinkEnd, LinkEnd]]:
    """(end, the end it hears) wherever the model plans another one and knows the one heard."""
    for audit in context.audits.values():
        for port, fact in audit.facts.items():
            end = LinkEnd(device=audit.name, port=port)
            if not isinstance(fact.neighbor, tuple) or end not in context.links:
                continue
            there = LinkEnd(device=fact.neighbor[0], port=fact.neighbor[1])
            link = context.links[end]
            planned = link.b if end == link.a else link.a
            if there != planned and there in context.links and not _contradicted(context, end, there):
                yield end, there


def _contradicted(context: Context, end: LinkEnd, there: LinkEnd) -> bool:
    """Does the far end hear somebody else? Then one of both is stale, and where the cable runs cannot be told."""
    back = context.fact(there)
    if back is not None and there.port in context.audits[there.device].unnamed:
        return False  # it hears a MAC address, which is taken for the planned port: the end that can tell decides
    return back is not None and isinstance(back.neighbor, tuple) and back.neighbor != (end.device, end.port)


def _groups(context: Context, heard: dict[LinkEnd, LinkEnd]) -> list[list[Link]]:
    """Cables of the model that belong together: the one planned at an end, and the one planned where it is heard."""
    parent: dict[Link, Link] = {}

    def root(link: Link) -> Link:
        while parent.setdefault(link, link) != link:
            link = parent[link]
        return link

    for end, there in heard.items():
        parent[root(context.links[there])] = root(context.links[end])
    groups: dict[Link, list[Link]] = {}
    for link in list(parent):
        groups.setdefault(root(link), []).append(link)
    return [sorted(group) for group in groups.values()]


def _cause(context: Context, group: list[Link], heard: dict[LinkEnd, LinkEnd]) -> Cause:
    rule = by_id("CAB-02")
    ends = [end for link in group for end in (link.a, link.b)]
    comparisons = context.take_symptoms(ends)
    near = _swap_side(context, group)
    places = [str(end) for end in near]
    cables = {frozenset(pair) for pair in heard.items()}
    title = _title(group, places, heard, lonely=len(cables) < len(group))
    switches = tuple(dict.fromkeys(e.device for e in (*near, *ends) if context.is_switch(e)))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=switches[0],
            object=" ↔ ".join(places),
            title=title,
            effect=_effect(group),
            fix=f"netaudit show links INTENT {switches[0]}",
            devices=switches,
            objects=tuple(map(_ends, group)),
            comparisons=comparisons,
            instruction=_instruction(context, near, heard, lonely=len(cables) < len(group)),
        ),
        failures=Failures(links=frozenset(group), recabled=frozenset(_observed_links(context, heard))),
    )


def _title(group: list[Link], places: list[str], heard: dict[LinkEnd, LinkEnd], *, lonely: bool) -> str:
    """`lonely`: a plug that was displaced is in no other place."""
    if len(group) == 2 and lonely:
        end, there = next(iter(heard.items()))
        return f"{end} is plugged in at {there}, the place of another cable"
    if len(group) == 2:
        return f"The cables {_ends(group[0])} and {_ends(group[1])} are swapped"
    return f"{len(group)} cables are plugged in each other's places, from {places[0]} on"


def _ends(link: Link) -> str:
    return f"{link.a} – {link.b}"


def _swap_side(context: Context, group: list[Link]) -> list[LinkEnd]:
    """The ends to move: those on one switch if it has an end of every cable, upper ones first; else the upper ends."""
    for device in dict.fromkeys(end.device for end in (*(k.b for k in group), *(k.a for k in group))):
        ends = [end for link in group for end in (link.b, link.a) if end.device == device]
        if len(ends) == len(group) and context.is_switch(ends[0]):
            return ends
    upper = [link.b for link in group]
    return upper if all(map(context.is_switch, upper)) else [link.a for link in group]


def _effect(group: list[Link]) -> str:
    if all(link.kind == "host-leaf" for link in group):
        hosts = sorted({link.a.device for link in group})
        return f"NIC ports of {', '.join(hosts)} are on another leaf port than planned: addresses do not match"
    return "BGP comes up over swapped cables, so nothing else shows it; repairs and failures hit the wrong link"


def _instruction(context: Context, near: list[LinkEnd], heard: dict[LinkEnd, LinkEnd], *, lonely: bool) -> str:
    if len(near) == 2 and lonely:
        end = next(iter(heard))
        link = context.links[end]
        return f"plug the cable of {end} in at {link.b if link.a == end else link.a}"
    if len(near) == 2:
        return f"swap the plugs at {near[0]} and {near[1]}"
    moves = [f"{there} belongs where {end} is heard" for end, there in sorted(heard.items())]
    return "; ".join(moves)


def _observed_links(context: Context, heard: dict[LinkEnd, LinkEnd]) -> Iterator[Link]:
    """The cables between switches as they run, lower tier first."""
    for end, there in heard.items():
        if context.is_switch(end) and context.is_switch(there):
            tiers = context.expectation.devices
            a, b = sorted((end, there), key=lambda e: (tiers[e.device].tier, e))
            yield Link(a=a, b=b, kind=context.links[end].kind)
