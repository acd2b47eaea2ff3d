"""Links that are down, each once, with what hangs on them (INT-01); a setting that explains it comes first."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import Merged
from netaudit.audit.findings import Comparison, Consequence, Finding
from netaudit.audit.rules import by_id, for_path
from netaudit.state import ABSENT, Failures, Link, LinkEnd

SETTINGS = (
    "ports.*.enabled",
    "ports.*.speed_mbps",
    "ports.*.fec",
    "ports.*.lanes",
    "ports.*.breakout",
    "ports.*.autoneg",
)
"""Port settings that keep a link down when one end has them wrong."""


def dead_links(context: Context) -> Iterator[Cause]:
    """One cause for each dead link; all links of a switch that nobody can read are one."""
    dead = [link for link in context.expectation.links if _is_down(context, link)]
    lost = frozenset(dead)
    silent = {d for d in context.audits if not context.seen(d) and _all_dead(context, d, lost)}
    for device in sorted(silent):
        yield _dead_device(context, device, [link for link in context.of_device[device] if link in lost])
    for link in dead:
        if not {link.a.device, link.b.device} & silent:
            liar = _contradicted(context, link)
            yield _cause(context, link) if liar is None else _lie(context, link, liar)


def _is_down(context: Context, link: Link) -> bool:
    """An end shows it as down and no cable found so far explains that."""
    return any(
        any(context.open_at(end, ("ports.*.oper_up", "ports.*"))) and _shows_down(context, end)
        for end in (link.a, link.b)
    )


def _shows_down(context: Context, end: LinkEnd) -> bool:
    audit = context.audits[end.device]
    fact = context.fact(end)
    merged = audit.merged.get(("ports", end.port, "oper_up"))
    gone = audit.merged.get(("ports", end.port))
    return (fact is not None and fact.oper_up is False and merged is not None) or (
        gone is not None and any(value is ABSENT for value in gone.observed.values())
    )


def _contradicted(context: Context, link: Link) -> LinkEnd | None:
    """The end that says that the link is down while the far end is up and BGP over it runs; `None` if nobody lies."""
    for end, far in ((link.a, link.b), (link.b, link.a)):
        one, other = context.fact(end), context.fact(far)
        if one is None or other is None or one.oper_up is not False or other.oper_up is not True:
            continue
        if one.session == other.session == "Established" and not any(context.open_at(end, SETTINGS)):
            return end
    return None


def _lie(context: Context, link: Link, end: LinkEnd) -> Cause:
    """A link that carries traffic, and of which one end tells otherwise: nothing is lost, and one word is wrong."""
    rule = by_id("INT-01")
    far = link.b if end == link.a else link.a
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=end.device,
            object=str(end),
            title=f"{end} says that its link is down, {far} and BGP over it say that it is up",
            effect="traffic takes the link; what this switch tells of its ports cannot be relied on",
            fix=f"netaudit show links INTENT {end.device}",
            devices=(end.device, far.device),
            objects=(f"{link.a} – {link.b}",),
            comparisons=context.take_symptoms([end]),
            instruction=f"restart {_tellers(context, end.device)} in a maintenance window",
        )
    )


def _tellers(context: Context, device: str) -> str:
    """What tells of ports on a switch, by its name where that is known."""
    own = "swss and syncd, the daemons" if context.expectation.device(device).platform == "sonic" else "the process"
    return f"{own} that tell{'' if own.endswith('daemons') else 's'} of ports"


def _all_dead(context: Context, device: str, dead: frozenset[Link]) -> bool:
    between = [link for link in context.of_device[device] if context.is_switch(link.a) and context.is_switch(link.b)]
    return len(between) > 1 and all(link in dead for link in between)


def _dead_device(context: Context, device: str, links: list[Link]) -> Cause:
    rule = by_id("INT-01")
    ends = [end for link in links for end in (link.a, link.b)]
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=device,
            object=device,
            title=f"Every link of {device} is down, and it does not answer",
            effect=f"{len(links)} links carry nothing: the switch is off, or cut off",
            fix=f"netaudit audit INTENT --where {device}",
            devices=(device, *dict.fromkeys(e.device for e in ends if e.device != device and context.is_switch(e))),
            objects=tuple(f"{link.a} – {link.b}" for link in links),
            comparisons=context.take_symptoms(ends),
        ),
        failures=Failures(links=frozenset(links), devices=frozenset({device})),
    )


def _cause(context: Context, link: Link) -> Cause:
    ends = [end for end in (link.a, link.b) if end.device in context.audits]
    settings = [(end, merged) for end in ends for merged in context.open_at(end, SETTINGS)]
    rule = for_path(settings[0][1].path) if settings else by_id("INT-01")
    comparisons: list[Comparison] = []
    where = settings[0][0] if settings else ends[0]
    for end, merged in settings:
        if end == where:  # what is wrong at the other end as well is another thing to do
            comparisons += context.take_with_followers(end.device, [merged])
    comparisons += context.take_symptoms(ends)
    for end in ends:
        comparisons += context.take(end.device, [("ports", end.port)])
    title = _title(context, *settings[0]) if settings else f"The link {link.a} – {link.b} is down"
    sessions = sum(c.what.endswith(".session") for c in comparisons)
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=where.device,
            object=str(where),
            title=title,
            effect=_effect(context, link),
            fix=f"netaudit plan INTENT --where {where.device} -o plan.json"
            if settings
            else f"netaudit show links INTENT {where.device}",
            devices=tuple(dict.fromkeys((where.device, *(e.device for e in ends)))),
            objects=(f"{link.a} – {link.b}",),
            comparisons=tuple(comparisons),
            consequences=(Consequence(text="1 BGP session", count=1, devices=tuple(e.device for e in ends)),)
            if sessions
            else (),
            instruction="" if settings else "check plug, optic and cable at both ends",
        ),
        failures=Failures(links=frozenset({link})),
    )


def _title(context: Context, end: LinkEnd, setting: Merged) -> str:
    """What is set otherwise at an end, so that its link cannot come up."""
    if setting.path[2] == "enabled" and False in setting.observed.values():
        return f"{end} is administratively down"
    if setting.path[2] == "lanes" and (owner := _owner(context, end, setting)):
        return f"{end} claims the lanes of {owner}: the chip makes one of the two ports only"
    return for_path(setting.path).name.format(object=end)


def _owner(context: Context, end: LinkEnd, setting: Merged) -> LinkEnd | None:
    """The port that the lanes belong to which another one claims."""
    claimed = {lane for value in setting.observed.values() if isinstance(value, tuple) for lane in value}
    for key, port in (context.expectation.device(end.device).ports or {}).items():
        if key != end.port and isinstance(port.lanes, tuple) and claimed & set(port.lanes):
            return LinkEnd(device=end.device, port=key)
    return None


def _effect(context: Context, link: Link) -> str:
    if not context.is_switch(link.a):
        return f"NIC port {link.a} is cut off: its rail of {link.a.device} has one plane less"
    return f"traffic between {link.a.device} and {link.b.device} has one path less"
