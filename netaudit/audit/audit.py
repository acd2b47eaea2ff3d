"""The whole audit: pass one for each device, then causes, routes and what is left, as one result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from netaudit.audit.causes import CAUSES, Context
from netaudit.audit.compare import DeviceAudit, compare, unseen_areas
from netaudit.audit.findings import AuditResult, DeviceVerdict, Finding, NotAudited, Unverifiable
from netaudit.audit.leaves import left, with_routes
from netaudit.audit.observed import Observation, Problem
from netaudit.audit.routes import explained, hardware_findings, route_findings
from netaudit.diag import Severity
from netaudit.state import BlindSpot, Expectation, Store


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
    asked = [name for name in expectation.devices if scope is None or name in scope]
    excused = {n: expectation.excuse(n) for n in asked if n not in audits or not audits[n].seen}
    chosen = [name for name in asked if not excused.get(name)]
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
    findings = [with_routes(cause.finding, explained(context, cause)) for cause in causes]
    of_routes, hung = route_findings(context)
    findings += of_routes
    findings += hardware_findings(context)
    findings += [f for a in audits.values() for f in left(context, a, hung.get(a.name))]
    return AuditResult(
        fabric=expectation.fabric,
        intent="INTENT",
        started_at=started_at,
        finished_at=started_at,
        devices=tuple(_verdict(expectation, a) for a in audits.values()),
        findings=tuple(sorted(findings, key=_rank)),
        not_audited=not_audited,
        declared=(*_declared(expectation), *_excused(expectation, excused)),
        unverifiable=tuple(_unverifiable(audits)),
        links=len(expectation.links),
        route_tables=sum(a.routes is not None for a in audits.values()),
    )


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
        cause = problem.reason if problem else ""
        yield NotAudited(device=audit.name, what=f"{store} {area}", reason=reason, cause=cause)


def _nearest(problems: Iterable[Problem], store: Store, asked: str) -> Problem | None:
    """The problem that is most likely why what was asked is not there: of that store, with most words in common."""
    words = set(asked.replace("'", " ").split())
    of_store = [p for p in problems if p.store is store]
    return max(of_store, key=lambda p: len(words & set(p.asked.replace("'", " ").split())), default=None)


def _verdict(expectation: Expectation, audit: DeviceAudit) -> DeviceVerdict:
    seen = "not" if not audit.seen else "part" if audit.unseen else "complete"
    return DeviceVerdict(
        name=audit.name,
        place=audit.place,
        audited=seen,
        read_at=audit.observation.read_at,
        stores=tuple(map(str, audit.stores)),
        values=audit.values,
        address=audit.observation.address,
    )


def _declared(expectation: Expectation) -> tuple[BlindSpot, ...]:
    spots = (spot for name in expectation.devices for spot in expectation.blind_spots(name))
    return tuple(dict.fromkeys(spots))


def _excused(expectation: Expectation, excused: Mapping[str, str]) -> Iterator[BlindSpot]:
    """Devices that gave no answer and need not: planned ones, and those in maintenance."""
    for name, reason in excused.items():
        if reason:
            yield BlindSpot(what=name, where=str(expectation.devices[name]), reason=reason)


def _unverifiable(audits: Mapping[str, DeviceAudit]) -> Iterator[Unverifiable]:
    where = tuple(f"{a.name}:{port}" for a in audits.values() for port in dict.fromkeys(a.unverifiable))
    if where:
        yield Unverifiable(
            what="which NIC port is plugged in",
            where=where,
            reason="the host sends no LLDP, or a port id that does not name the NIC port",
        )
    doubts: dict[str, list[str]] = {}
    for audit in audits.values():
        for port, why in audit.observation.doubts:
            doubts.setdefault(why, []).append(f"{audit.name}:{port}")
    for why, ports in doubts.items():
        yield Unverifiable(what="how long the cable is", where=tuple(ports), reason=why)
    unnamed = tuple(f"{a.name}:{port}" for a in audits.values() for port in a.unnamed)
    if unnamed:
        yield Unverifiable(
            what="which port of the planned neighbor is plugged in",
            where=unnamed,
            reason="the neighbor sends a MAC address or a number of its own as LLDP port id, which names no port",
        )
