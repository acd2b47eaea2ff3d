"""Switches that send no LLDP, each once (MGT-09), and links over which nobody is heard, each once (CAB-03)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import PortFact
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, Link, LinkEnd
from netaudit.state.walk import Path

AT_LEAST = 2
"""One port that hears nobody may be that port's fault; so many that lead to one switch are that switch's."""


def silent_switches(context: Context) -> Iterator[Cause]:
    """One cause for each switch that no far end hears, over links that are up; those with most far ends first."""
    ends = {device: [end for end in far if _up(context.fact(end))] for device, far in context.far_ends.items()}
    for device, far in sorted(ends.items(), key=lambda item: -len(item[1])):
        deaf = [end for end in far if _hears_nobody(context, end)]
        if len(far) >= AT_LEAST and len(deaf) == len(far):
            yield _cause(context, device, far)
        elif deaf and _is_off(context, device):
            yield _cause(context, device, deaf)


def silent_links(context: Context) -> Iterator[Cause]:
    """One cause for each link that is up, and over which an end or both hear nobody (CAB-03)."""
    for link in context.expectation.links:
        ends = [end for end in (link.a, link.b) if _up(context.fact(end)) and _hears_nobody(context, end)]
        if ends:
            yield _silent_link(context, link, ends)


def _silent_link(context: Context, link: Link, ends: list[LinkEnd]) -> Cause:
    rule = by_id("CAB-03")
    far = link.b if ends[0] == link.a else link.a
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=ends[0].device,
            object=str(ends[0]),
            title=f"{rule.name.format(object=ends[0])}; {far} should be there",
            effect=rule.why,
            fix=f"netaudit show links INTENT {ends[0].device}",
            devices=tuple(dict.fromkeys((ends[0].device, *(e.device for e in (*ends, far) if context.is_switch(e))))),
            objects=tuple(map(str, ends)),
            comparisons=context.take_symptoms(ends, ("lldp.neighbors.*",)),
            instruction=rule.fix,
        )
    )


def _is_off(context: Context, device: str) -> bool:
    """Is LLDP configured off, on the switch or on a port of it?"""
    return device in context.audits and ("lldp", "enabled") in context.audits[device].merged


def _up(fact: PortFact | None) -> bool:
    return fact is not None and fact.oper_up is True and fact.neighbor is not None


def _hears_nobody(context: Context, end: LinkEnd) -> bool:
    """And no cause found so far says why."""
    fact = context.fact(end)
    unexplained = any(context.open_at(end, ("lldp.neighbors.*",)))
    return unexplained and fact is not None and fact.neighbor is ABSENT


def _cause(context: Context, device: str, far: list[LinkEnd]) -> Cause:
    rule = by_id("MGT-09")
    comparisons = context.take_symptoms(far, ("lldp.neighbors.*",))
    comparisons += context.take(device, _own(context, device)) if device in context.audits else ()
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=device,
            object=device,
            title=f"{device} sends no LLDP"
            if len(far) == len(context.far_ends[device])
            else f"LLDP is off on a part of the ports of {device}",
            effect=f"{len(far)} port{'s' if len(far) > 1 else ''} of its neighbors hear nobody: "
            "how their cables run cannot be told",
            fix=f"netaudit plan INTENT --where {device} -o plan.json",
            devices=(device, *dict.fromkeys(end.device for end in far)),
            objects=(device,),
            comparisons=comparisons,
            instruction="restart LLDP on the switch if its configuration is as planned",
        )
    )


def _own(context: Context, device: str) -> list[Path]:
    """Its own setting, and its own ports that hear nobody: an LLDP daemon that is down hears nothing either."""
    merged = context.audits[device].merged
    deaf = [p for p, m in merged.items() if p[:2] == ("lldp", "neighbors") and ABSENT in m.observed.values()]
    return [("lldp", "enabled"), *deaf]
