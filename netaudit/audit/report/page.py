"""What stands on the HTML page, in the order it stands there: values the template only prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from netaudit.audit.findings import AuditResult, Earlier, WaiverNote
from netaudit.audit.report.cause_view import Anchor, Cause, DeviceLink, anchors, cause_view, link
from netaudit.audit.report.device_view import DeviceView, Quiet, device_views, quiet_lines
from netaudit.audit.report.fabric_map import FabricMap, fabric_map
from netaudit.audit.report.paper import change_text
from netaudit.audit.report.summary import FIRST, Gap, Summary, explained, gaps, states, summary, verdict
from netaudit.audit.report.trend import Trend, trend
from netaudit.diag import Severity
from netaudit.terminal import counted, duration, fold, moments, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first lines: what a manager may quote."""

    title: str
    state: str
    sentence: str
    start: DeviceLink | None
    """Where to begin; said behind the sentence."""
    under: str
    when: str
    shape: str
    took: str
    good: int
    """Switches as intended."""
    exit_code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One finding of before, or one that is accepted."""

    rule: str
    title: str
    device: DeviceLink
    says: str
    """Since when it was there, or by whom and why it is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page."""

    result: AuditResult
    counts: Summary
    head: Head
    causes: tuple[Cause, ...]
    first: tuple[Cause, ...]
    """Those in full on the first screen."""
    map: FabricMap
    gaps: tuple[tuple[Gap, tuple[DeviceLink, ...]], ...]
    devices: tuple[DeviceView, ...]
    quiet: tuple[Quiet, ...]
    families: tuple[str, ...]
    planes: tuple[str, ...]
    unverifiable: tuple[tuple[str, str, str], ...]
    """(what, folded places, reason)."""
    fresh: frozenset[str]
    """Fingerprints of what the audit before did not have; empty on a first one."""
    trend: Trend | None
    changed: str
    """One line: how much is new, persisting and resolved; empty where nobody knows."""
    gone: tuple[Row, ...]
    unknown: tuple[Row, ...]
    waived: tuple[Row, ...]
    notes: tuple[str, ...]
    """Waivers that need a look, and what went wrong beside the audit."""


def page(result: AuditResult) -> Page:
    """Return the page of `result`."""
    counts = summary(result)
    anchor = anchors(result)
    plane = {device.name: device.place.plane for device in result.devices}
    causes = tuple(cause_view(i, finding, plane, anchor) for i, finding in enumerate(counts.ranked, 1))
    views = device_views(result, causes, anchor)
    return Page(
        result=result,
        counts=counts,
        head=_head(result, counts, anchor),
        causes=causes,
        first=causes[: min(FIRST, len(counts.urgent))],
        map=fabric_map(result, anchor),
        gaps=tuple((gap, tuple(link(name, anchor) for name in gap.devices)) for gap in gaps(result)),
        devices=views,
        quiet=quiet_lines(result, views, anchor),
        families=tuple(sorted({finding.rule.partition("-")[0] for finding in result.findings})),
        planes=tuple(dict.fromkeys(device.place.plane for device in result.devices)),
        fresh=_fresh(result),
        trend=trend(result.trend, result.zone),
        changed=change_text(result),
        gone=_before(result.change.resolved if result.change else (), result.zone or UTC, anchor),
        unknown=_before(result.change.unknown if result.change else (), result.zone or UTC, anchor),
        waived=_waived(result, anchor),
        notes=(*(_note(note) for note in result.waiver_notes), *result.notes),
        unverifiable=tuple((u.what, ", ".join(fold(u.where, "…")), u.reason) for u in result.unverifiable),
    )


def _fresh(result: AuditResult) -> frozenset[str]:
    known = result.change is not None and result.change.since is not None
    return frozenset(f.fingerprint for f in result.findings if known and result.is_new(f))


def _before(findings: Sequence[Earlier], zone: tzinfo, anchor: Anchor) -> tuple[Row, ...]:
    return tuple(
        Row(rule=e.rule, title=e.title, device=link(e.device, anchor), says=f"first seen {moments(e.first_seen, zone)}")
        for e in findings
    )


def _waived(result: AuditResult, anchor: Anchor) -> tuple[Row, ...]:
    return tuple(
        Row(
            rule=w.finding.rule,
            title=w.finding.title,
            device=link(w.finding.device, anchor),
            says=f"until {w.waiver.until.isoformat()}, {w.waiver.owner}: {w.waiver.reason}",
        )
        for w in result.waived
    )


def _note(note: WaiverNote) -> str:
    source = note.waiver.source
    return f"{note.text} ({source.file}:{source.line})" if source else note.text


def _head(result: AuditResult, counts: Summary, anchor: Anchor) -> Head:
    start = link(counts.urgent[0].device, anchor) if counts.urgent else None
    sentence = verdict(result, counts)
    return Head(
        title=f"{_short(counts.state)}: {result.fabric}, audit {_week(result.started_at)}",
        state=counts.state,
        sentence=sentence.removesuffix(f"; start with {start.name}") if start else sentence,
        # Only a verdict that blames a switch sends the reader there.
        start=start if start and sentence.endswith(f"; start with {start.name}") else None,
        under=_under(result, counts),
        when=_when(result.started_at, result.zone),
        shape=_shape(result),
        took=duration(counts.took_s),
        good=sum(state == "good" for state in states(result).values()),
        exit_code=result.exit_code(),
    )


def _short(state: str) -> str:
    return {"error": "Not as intended", "unknown": "NOT AUDITED", "warning": "Warnings", "good": "As intended"}[state]


def _week(when: datetime) -> str:
    year, week, _ = when.isocalendar()
    return f"{year}-W{week:02d}"


def _when(when: datetime, zone: tzinfo | None) -> str:
    """With the day of the week at the site."""
    here = zone or when.tzinfo or UTC
    try:
        return f"{when.astimezone(here):%a} {moments(when, here)}"
    except OverflowError:  # the last hours of the year 9999 have no time there
        return f"{when:%a} {moments(when)}"


def _shape(result: AuditResult) -> str:
    places = [device.place for device in result.devices]
    planes, units = {p.plane for p in places}, {p.unit for p in places if p.unit}
    rails = {p.rail for p in places if p.unit}
    parts = (counted(len(planes), "plane"), counted(len(rails), "rail"), counted(len(units), "unit"))
    return ", ".join((*parts, counted(len(places), "switch", "switches")))


def _under(result: AuditResult, counts: Summary) -> str:
    """What stands below the verdict: how much was seen, and what the exit code says."""
    audited = f"{counts.complete:,} of {counts.switches:,} switches were audited completely"
    # With something NOT AUDITED the verdict has no room for the errors.
    found = f"{explained(counts)}. " if counts.unknown and counts.causes[Severity.ERROR] else ""
    if not counts.unknown:
        return f"{audited}: {number(counts.values)} values were compared. Exit code {result.exit_code()}."
    missing = counts.part + counts.unseen
    who = f"{missing:,}" if missing else counted(counts.unknown, "other part")
    were = "was" if (missing or counts.unknown) == 1 else "were"
    code = f"Exit code {result.exit_code()}."
    return f"{found}{audited}; {who} {were} NOT AUDITED, so this report is incomplete. {code}"
