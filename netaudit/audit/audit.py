"""The whole audit: pass one for each device, then causes, routes and what is left, as one result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from netaudit.audit.causes import CAUSES, Context
from netaudit.audit.causes.context import show, worst
from netaudit.audit.causes.policies import is_routing_setting
from netaudit.audit.compare import DeviceAudit, Merged, compare, unseen_areas
from netaudit.audit.findings import AuditResult, Consequence, DeviceVerdict, Finding, NotAudited, Unverifiable
from netaudit.audit.observed import Observation, Problem
from netaudit.audit.routes import explained, route_findings
from netaudit.audit.rules import SAVED, Rule, by_id, for_path
from netaudit.diag import Severity
from netaudit.state import BlindSpot, Expectation, LldpNeighbor, Store
from netaudit.state.walk import Kind, dotted

FOLD_FROM = 3
"""So many equal differences on one device are one finding: one thing to do (design/README.md, «Count causes first»)."""


def audit(expectation: Expectation, observations: Iterable[Observation], started_at: datetime) -> AuditResult:
    """The result of one audit. `observations` may be a generator: each device is compared as it arrives."""
    return conclude(expectation, {o.device: compare(expectation, o) for o in observations}, started_at)


def conclude(
    expectation: Expectation,
    audits: Mapping[str, DeviceAudit],
    started_at: datetime,
    scope: Collection[str] | None = None,
) -> AuditResult:
    """Pass two over what pass one left of each device, which is not changed by it.

    A device of `scope` (default: all) without an audit is NOT AUDITED; one outside of it is not spoken of.
    """
    chosen = [name for name in expectation.devices if scope is None or name in scope]
    silent = {n: Observation(device=n, failure="it was not asked") for n in chosen if n not in audits}
    audits = {
        name: replace(audits[name], merged=dict(audits[name].merged))
        if name in audits
        else compare(expectation, silent[name])
        for name in chosen
    }
    not_audited = tuple(n for a in audits.values() for n in _not_audited(expectation, a))
    context = Context(expectation=expectation, audits=audits)
    causes = []
    for find in CAUSES:
        for cause in find(context):
            context.note(cause.failures)
            causes.append(cause)
    findings = [_with_routes(cause.finding, explained(context, cause)) for cause in causes]
    of_routes, hung = route_findings(context)
    findings += of_routes
    findings += [f for a in audits.values() for f in _left(context, a, hung.get(a.name))]
    return AuditResult(
        fabric=expectation.fabric,
        intent="INTENT",
        started_at=started_at,
        finished_at=started_at,
        devices=tuple(_verdict(expectation, a) for a in audits.values()),
        findings=tuple(sorted(findings, key=_rank)),
        not_audited=not_audited,
        declared=_declared(expectation),
        unverifiable=tuple(_unverifiable(audits)),
        links=len(expectation.links),
        route_tables=sum(a.routes is not None for a in audits.values()),
    )


def _with_routes(finding: Finding, routes: Consequence | None) -> Finding:
    return replace(finding, consequences=(*finding.consequences, routes)) if routes is not None else finding


def _rank(finding: Finding) -> tuple[int, int, str, str]:
    """Errors first, then what touches most routes and sessions."""
    severity = (Severity.ERROR, Severity.WARNING, Severity.INFO).index(finding.severity)
    return severity, -sum(c.count for c in finding.consequences), finding.rule, finding.device


def _not_audited(expectation: Expectation, audit: DeviceAudit) -> Iterator[NotAudited]:
    if not audit.seen:
        effect = "its links were seen from the other ends only; either state of it passes"
        yield NotAudited(device=audit.name, what="everything", reason=audit.observation.failure, effect=effect)
        return
    for store, area, path in unseen_areas(audit):
        problem = _nearest(audit.observation.problems, store, expectation.asked(audit.name, store, path))
        reason = f"{problem.asked}: {problem.reason}" if problem else "the device did not show it"
        yield NotAudited(device=audit.name, what=f"{store} {area}", reason=reason)


def _nearest(problems: Iterable[Problem], store: Store, asked: str) -> Problem | None:
    """The problem that is most likely why what was asked is not there: of that store, with most words in common."""
    words = set(asked.replace("'", " ").split())
    of_store = [p for p in problems if p.store is store]
    return max(of_store, key=lambda p: len(words & set(p.asked.replace("'", " ").split())), default=None)


def _left(context: Context, audit: DeviceAudit, routes: Consequence | None) -> Iterator[Finding]:
    """Findings of the leaf rules for every difference that no cause took; `routes` hang on the first routing one."""
    groups: dict[tuple[str, str, str, str], list[Merged]] = {}
    for merged in list(audit.merged.values()):
        rule = _rule(context, merged)
        value = merged.observed[worst(merged.observed)]
        alike = (_shape(merged), show(merged.expected), show(value)) if rule is not SAVED else ("", "", "")
        groups.setdefault((rule.id, *alike), []).append(merged)
    for (rule_id, *_), members in groups.items():
        rule = by_id(rule_id)
        parts = [members] if len(members) >= FOLD_FROM or rule is SAVED else [[m] for m in members]
        for part in parts:
            carries = any(Store.RUNNING in m.observed and is_routing_setting(m.path) for m in part)
            yield _with_routes(_finding(context, audit, rule, part), routes if carries else None)
            routes = None if carries else routes


def _shape(merged: Merged) -> str:
    """The path with its numbers taken out, so that the same leaf of many ports is one group."""
    return dotted(tuple("*" if part[:1].isdigit() else part for part in merged.path))


def _rule(context: Context, merged: Merged) -> Rule:
    if set(merged.observed) == {Store.SAVED}:
        return SAVED
    if merged.path[:2] == ("lldp", "neighbors") and merged.kind is not Kind.MISSING:
        heard = merged.observed.get(Store.STATE)
        known = isinstance(heard, LldpNeighbor) and context.expectation.neighbor(str(heard.system), str(heard.port))
        return by_id("CAB-01" if known and merged.kind is Kind.WRONG else "CAB-04")
    return for_path(merged.path)


def _finding(context: Context, audit: DeviceAudit, rule: Rule, members: list[Merged]) -> Finding:
    objects = tuple(dict.fromkeys(_object(audit.name, m) for m in members))
    first = members[0]
    place = _place(audit.name, first) if len(objects) == 1 else f"{len(objects)} places of {audit.name}"
    value = first.observed[worst(first.observed)]
    what = dotted(first.path[-2:]) if len(first.path) > 1 else first.path[0]
    more = f" and {len(members) - 1} more" if len(members) > 1 and rule is SAVED else ""
    unprogrammed = all(set(m.observed) == {Store.APPLIED} for m in members)
    why = "The configuration is as intended, but the box did not program it." if unprogrammed else rule.why
    comparisons = context.take(audit.name, [m.path for m in members])
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        device=audit.name,
        object=audit.name if rule is SAVED else objects[0],
        title=rule.name.format(object=audit.name if rule is SAVED else place),
        effect=f"{what}: expected {show(first.expected)}, observed {show(value)}{more}. {why}",
        fix=f"netaudit plan INTENT --where {audit.name} -o plan.json",
        devices=(audit.name,),
        objects=objects,
        comparisons=comparisons,
        instruction="look at the logs of the box: what it refused, and why" if unprogrammed else rule.fix,
    )


def _place(device: str, merged: Merged) -> str:
    """How a title speaks of it: the port, the named profile of the device, or the device."""
    port = _object(device, merged)
    named = merged.path[2] if len(merged.path) > 2 else ""
    return port if ":" in port else f"{named} of {device}" if named else device


def _object(device: str, merged: Merged) -> str:
    """`device:port` for what hangs on a port, else the device and the leaf."""
    path = merged.path
    for position, name in enumerate(path[:-1]):
        if name in ("ports", "interfaces", "neighbors") and position + 1 < len(path):
            return f"{device}:{path[position + 1]}"
    return f"{device} {dotted(path)}"


def _verdict(expectation: Expectation, audit: DeviceAudit) -> DeviceVerdict:
    seen = "not" if not audit.seen else "part" if audit.unseen else "complete"
    stores = tuple(str(s) for s in Store if s in audit.observation.stores)
    return DeviceVerdict(
        name=audit.name,
        place=audit.place,
        audited=seen,
        read_at=audit.observation.read_at,
        stores=stores,
        values=audit.values,
        address=audit.observation.address,
    )


def _declared(expectation: Expectation) -> tuple[BlindSpot, ...]:
    spots = (spot for name in expectation.devices for spot in expectation.blind_spots(name))
    return tuple(dict.fromkeys(spots))


def _unverifiable(audits: Mapping[str, DeviceAudit]) -> Iterator[Unverifiable]:
    where = tuple(f"{a.name}:{port}" for a in audits.values() for port in dict.fromkeys(a.unverifiable))
    if where:
        yield Unverifiable(
            what="which NIC port is plugged in",
            where=where,
            reason="the host sends no LLDP, or a port id that does not name the NIC port",
        )
