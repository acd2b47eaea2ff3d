"""Ports that are not there because their cage is split otherwise than planned, each cage once (INT-11)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, Failures, LinkEnd, Store
from netaudit.state.walk import Path

HUNG_ON = ("ports.*", "interfaces.*", "bgp.neighbors.*", "qos.ports.*", "buffers.ports.*", "lldp.neighbors.*")
"""What a device cannot have for a port that it does not have."""
FOLD_FROM = 3
"""So many cages of one device are one finding: a hardware profile, or a whole table, is another one."""


def missing_ports(context: Context) -> Iterator[Cause]:
    """One cause for each cage of which planned ports are missing in what runs."""
    for audit in context.audits.values():
        cages: dict[str, list[str]] = {}
        for path, merged in audit.merged.items():
            if len(path) == 2 and path[0] == "ports" and merged.observed.get(Store.RUNNING) is ABSENT:
                cages.setdefault(_cage(path[1]), []).append(path[1])
        groups = [list(cages)] if len(cages) >= FOLD_FROM else [[cage] for cage in cages]
        for group in groups:
            yield _cause(context, audit, group, [port for cage in group for port in cages[cage]])


def _cage(port: str) -> str:
    return port.partition("/")[0]


def _cause(context: Context, audit: DeviceAudit, cages: list[str], missing: list[str]) -> Cause:
    rule = by_id("INT-11")
    present = [p[1] for p in audit.merged if len(p) == 2 and p[0] == "ports" and _cage(p[1]) in cages]
    ends = [LinkEnd(device=audit.name, port=port) for port in dict.fromkeys((*missing, *present))]
    links = [context.links[end] for end in ends if end in context.links]
    comparisons = context.take(audit.name, _paths(context, ends))
    comparisons += context.take_symptoms(end for link in links for end in (link.a, link.b))
    place = f"{audit.name}:{missing[0]}"
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    far = (end.device for link in links for end in (link.a, link.b) if context.is_switch(end))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=audit.name,
            object=place,
            title=f"{place}{more} {'are' if more else 'is'} not there",
            effect=f"{len(links)} planned link{'s' if len(links) != 1 else ''} cannot be up. {rule.why}",
            fix=f"netaudit plan INTENT --where {audit.name} -o plan.json",
            devices=tuple(dict.fromkeys((audit.name, *far))),
            objects=tuple(map(str, ends)),
            comparisons=comparisons,
            instruction=rule.fix,
        ),
        failures=Failures(links=frozenset(links)),
    )


def _paths(context: Context, ends: list[LinkEnd]) -> list[Path]:
    return [merged.path for end in ends for merged in context.open_at(end, HUNG_ON)]
