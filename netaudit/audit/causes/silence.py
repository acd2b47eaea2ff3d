"""Switches that send no LLDP, each once, however many ports of others hear nobody (MGT-09)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import PortFact
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, LinkEnd
from netaudit.state.walk import Path

AT_LEAST = 2
"""One port that hears nobody may be that port's fault; so many that lead to one switch are that switch's."""


def silent_switches(context: Context) -> Iterator[Cause]:
    """One cause for each switch that no far end hears, over links that are up; those with most far ends first."""
    ends = {device: [end for end in far if _up(context.fact(end))] for device, far in context.far_ends.items()}
    for device, far in sorted(ends.items(), key=lambda item: -len(item[1])):
        if len(far) >= AT_LEAST and all(_hears_nobody(context, end) for end in far):
            yield _cause(context, device, far)


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
            title=f"{device} sends no LLDP",
            effect=f"{len(far)} ports of its neighbors hear nobody: how their cables run cannot be told",
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
