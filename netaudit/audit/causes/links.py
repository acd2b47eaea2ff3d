"""Links that are down, each once, with what hangs on them (INT-01); a setting that explains it comes first."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import SYMPTOMS, Cause, Context
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
    silent = {d for d in context.audits if not context.seen(d) and _all_dead(context, d, dead)}
    for device in sorted(silent):
        yield _dead_device(context, device, [link for link in dead if device in (link.a.device, link.b.device)])
    for link in dead:
        if not {link.a.device, link.b.device} & silent:
            yield _cause(context, link)


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


def _all_dead(context: Context, device: str, dead: list[Link]) -> bool:
    mine = [link for link in context.expectation.links if device in (link.a.device, link.b.device)]
    between = [link for link in mine if context.is_switch(link.a) and context.is_switch(link.b)]
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
    for end, merged in settings:
        comparisons += context.take(end.device, [merged.path])
    comparisons += context.take_symptoms(ends, (*SYMPTOMS, "ports.*"))
    where = settings[0][0] if settings else ends[0]
    title = rule.name.format(object=where) if settings else f"The link {link.a} – {link.b} is down"
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


def _effect(context: Context, link: Link) -> str:
    if not context.is_switch(link.a):
        return f"NIC port {link.a} is cut off: its rail of {link.a.device} has one plane less"
    return f"traffic between {link.a.device} and {link.b.device} has one path less"
