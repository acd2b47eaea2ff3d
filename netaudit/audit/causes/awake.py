"""Ports that are up although the intent has them down, each once, with the link, session and routes that follow."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import SYMPTOMS, Cause, Context
from netaudit.audit.compare import Merged
from netaudit.audit.findings import Consequence, Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, LinkEnd, Store

FOLD_FROM = 3
"""So many spare ports of one device are one finding: somebody started them all."""


def awake_ports(context: Context) -> Iterator[Cause]:
    """One cause for each port that is administratively up and should not be."""
    for audit in context.audits.values():
        found = [merged for path, merged in audit.merged.items() if _is_awake(path, merged)]
        ends = [LinkEnd(device=audit.name, port=merged.path[1]) for merged in found]
        spare = [(end, merged) for end, merged in zip(ends, found, strict=True) if end not in context.links]
        if len(spare) >= FOLD_FROM:
            yield _cause(context, spare)
        for end, merged in zip(ends, found, strict=True):
            if merged.path in audit.merged:
                yield _cause(context, [(end, merged)])


def _is_awake(path: tuple[str, ...], merged: Merged) -> bool:
    """Wrong in the saved file alone is left to the rule of what was never saved, in the chip alone to the leaf's."""
    wrong = merged.observed.get(Store.RUNNING)
    return len(path) == 3 and path[0] == "ports" and path[2] == "enabled" and merged.expected is False and wrong is True


def _cause(context: Context, awake: list[tuple[LinkEnd, Merged]]) -> Cause:
    rule = by_id("INT-01")
    end = awake[0][0]
    comparisons = context.take_with_followers(end.device, [merged for _, merged in awake])
    link = context.links.get(end) if len(awake) == 1 else None
    both = () if link is None else (link.a, link.b)
    comparisons += context.take_symptoms(both or (end for end, _ in awake), (*SYMPTOMS, "bgp.neighbors.*"))
    runs = link is not None and all((fact := context.fact(one)) and fact.session == "Established" for one in both)
    more = f" and {len(awake) - 1} more are" if len(awake) > 1 else " is"
    far = tuple(one.device for one in both if one.device != end.device and context.is_switch(one))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=end.device,
            object=str(end),
            title=f"{end}{more} up although the intent has {'them' if len(awake) > 1 else 'it'} down",
            effect="traffic takes a link that was taken out of service"
            if runs
            else "whatever is plugged in there becomes part of the fabric",
            fix=f"netaudit plan INTENT --where {end.device} -o plan.json",
            devices=(end.device, *far),
            objects=tuple(str(one) for one, _ in awake),
            comparisons=comparisons,
            consequences=(Consequence(text="1 BGP session", count=1, devices=(end.device, *far)),) if runs else (),
            instruction="push the planned configuration; the port goes down",
        ),
        failures=Failures(recabled=frozenset({link})) if runs and link is not None else Failures(),
    )
