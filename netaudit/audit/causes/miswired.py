"""The findings of single plugs: one in the place of another, one in a spare port, and a cable that is nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.findings import Comparison, Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, Link, LinkEnd

_OUTSIDE = 9
"""Above the tiers 0 to 3 of the design."""


def in_place_of_another(
    context: Context, home: Link, end: LinkEnd, there: LinkEnd, comparisons: tuple[Comparison, ...]
) -> Cause:
    """A plug where another cable belongs (CAB-02)."""
    rule = by_id("CAB-02")
    switches = tuple(dict.fromkeys(e.device for e in (end, there, home.a, home.b) if context.is_switch(e)))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=switches[0],
            object=str(end if context.is_switch(end) else there),
            title=f"{end} is plugged in at {there}, the place of another cable",
            effect=effect([home]),
            fix=f"netaudit show links INTENT {switches[0]}",
            devices=switches,
            objects=(ends_of(home),),
            comparisons=comparisons,
            instruction=f"plug the cable of {end} in at {context.far(end)}",
        ),
        failures=Failures(links=frozenset({home}), recabled=frozenset(observed_links(context, [(end, there)]))),
    )


def own_place(context: Context, home: Link, end: LinkEnd, there: LinkEnd) -> Cause:
    """A plug in a port that should be free, so that its own place is (CAB-01)."""
    rule = by_id("CAB-01")
    ends = (home.a, home.b, there)
    switches = tuple(dict.fromkeys(e.device for e in (end, *ends) if context.is_switch(e)))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=switches[0],
            object=str(end if context.is_switch(end) else there),
            title=f"The cable of {end} is plugged in at {there}, which is spare",
            effect=effect([home]),
            fix=f"netaudit show links INTENT {switches[0]}",
            devices=switches,
            objects=(ends_of(home),),
            comparisons=context.take_symptoms(ends),
            instruction=f"move the plug from {there} to {context.far(end)}",
        ),
        failures=Failures(links=frozenset({home}), recabled=frozenset(observed_links(context, [(end, there)]))),
    )


def elsewhere(context: Context, end: LinkEnd, far: LinkEnd) -> Cause:
    """A cable that leads to a stranger (CAB-04), or to a device of ours that names no port (CAB-01)."""
    fact = context.fact(end)
    assert fact is not None
    assert isinstance(fact.neighbor, tuple)
    system, port = fact.neighbor
    known = context.expectation.neighbor(system, port) is not None
    rule, link = by_id("CAB-01" if known else "CAB-04"), context.links[end]
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=end.device,
            object=str(end),
            title=f"The cable of {end} leads to {system}:{port}, not to {far}",
            effect=effect([link]) if known else f"{far} is down, one path less than planned. {rule.why}",
            fix=f"netaudit show links INTENT {end.device}",
            devices=tuple(dict.fromkeys((end.device, far.device))),
            objects=(ends_of(link),),
            comparisons=context.take_symptoms((link.a, link.b)),
            instruction=f"plug the cable of {end} in at {far}",
        ),
        failures=Failures(links=frozenset({link})),
    )


def missing(context: Context, link: Link, dark: LinkEnd, there: LinkEnd, end: LinkEnd) -> Cause:
    """The cable that should be where the other one is: one of the two hangs loose, or is not there (INT-01)."""
    rule = by_id("INT-01")
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=dark.device,
            object=str(dark),
            title=f"{dark} has no cable: {there}, where it should end, is taken by that of {end}",
            effect="one cable less than planned is plugged in, so moving the other one back is not enough",
            fix=f"netaudit show links INTENT {dark.device}",
            devices=(dark.device,),
            objects=(ends_of(link),),
            comparisons=context.take_symptoms([dark]),
            instruction=f"look for the loose cable of {dark}, and plug it in at {there} when that is free",
        ),
        failures=Failures(links=frozenset({link})),
    )


def ends_of(link: Link) -> str:
    """`leaf:64 – spine:1`."""
    return f"{link.a} – {link.b}"


def effect(group: Sequence[Link], carried: bool = True) -> str:
    """What cables in wrong places do. `carried`: BGP comes up over them."""
    if all(link.kind == "host-leaf" for link in group):
        hosts = sorted({link.a.device for link in group})
        return f"NIC ports of {', '.join(hosts)} are on another leaf port than planned: addresses do not match"
    if not carried:
        return "no session comes up over them: each end demands the ASN of the neighbor that is planned there"
    return "BGP comes up over swapped cables, so nothing else shows it; repairs and failures hit the wrong link"


def observed_links(context: Context, pairs: Iterable[tuple[LinkEnd, LinkEnd]]) -> Iterator[Link]:
    """The cables that carry BGP as they run, lower tier first: at both ends a port that has a session to switches."""
    for pair in pairs:
        if all(_has_session(context, end) for end in pair) and not _strangers(context, *pair):
            a, b = sorted(pair, key=lambda e: (_tier(context, e), e))
            yield Link(a=a, b=b, kind=context.links[pair[0]].kind)


def _has_session(context: Context, end: LinkEnd) -> bool:
    """Is BGP to a switch or an external neighbor planned there? At a spare port, or one to a host, nobody answers."""
    far = context.far(end)
    known = (context.expectation.devices, context.expectation.outside)
    return far is not None and all(any(one.device in names for names in known) for one in (end, far))


def _strangers(context: Context, one: LinkEnd, other: LinkEnd) -> bool:
    """Does an end demand the number of the peer that is planned there, which the other end does not have?"""
    return any(
        (number := _number(context, there)) is not None and demanded_asn(context, end) not in (None, number)
        for end, there in ((one, other), (other, one))
    )


def _number(context: Context, end: LinkEnd) -> int | None:
    bgp = context.expectation.device(end.device).bgp if context.is_switch(end) else None
    return bgp.asn if bgp is not None and isinstance(bgp.asn, int) else None


def demanded_asn(context: Context, end: LinkEnd) -> int | None:
    """The number that the plan of an end demands of its peer; `None` where it takes any other."""
    bgp = context.expectation.device(end.device).bgp if context.is_switch(end) else None
    for key, neighbor in (bgp.neighbors or {}).items() if bgp is not None else ():
        if end.port in (key, neighbor.over):
            return int(neighbor.remote) if isinstance(neighbor.remote, str) and neighbor.remote.isdecimal() else None
    return None


def _tier(context: Context, end: LinkEnd) -> int:
    """Who is not ours stands above all of ours."""
    place = context.expectation.devices.get(end.device)
    return _OUTSIDE if place is None else place.tier
