"""What the forms for other programs (JUnit, SARIF, Markdown, GitHub) print alike, of an audit and of a check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC

from netaudit.audit.findings import AuditResult, FailOn, Finding, NotAudited, Waived
from netaudit.audit.report.summary import Gap, gaps, places, summary, verdict
from netaudit.audit.rules import RULES
from netaudit.diag import Diagnostic, Severity, Source
from netaudit.terminal import moments

UNNAMED = "INTENT"
"""The rule of a diagnostic that has none: the intent cannot be read as it is written."""
UNSEEN = "NOT-AUDITED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One finding or diagnostic, one switch that was not audited, or one finding that is accepted."""

    rule: str
    severity: Severity
    title: str
    details: tuple[str, ...]
    """Sentences behind the title."""
    command: str
    """What to type; empty where there is nothing."""
    suite: str
    """The switch, or the file of the intent."""
    place: str
    source: Source | None
    fingerprint: str
    fails: bool
    """Does it make the exit code 2 (or 3)?"""
    new: bool | None = None
    waived: str = ""
    """By whom, why and until when; empty for what counts."""
    unseen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """What a rule is called."""

    name: str
    why: str = ""
    fix: str = ""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One run of `check` or `audit`."""

    command: str
    """`audit` or `check`."""
    version: str
    fabric: str
    intent: str
    verdict: str
    exit_code: int
    items: tuple[Item, ...]
    suites: tuple[str, ...]
    """Every switch, or file, that was looked at: one without an item is as intended."""
    rules: Mapping[str, RuleText]
    facts: Mapping[str, str] = field(default_factory=dict)
    """Lines of the kind `change: 2 new, 1 resolved since …`."""
    gaps: tuple[Gap, ...] = ()
    """What was not audited, folded for people; `items` has each of them."""

    @property
    def counted(self) -> tuple[Item, ...]:
        """What is found and not accepted."""
        return tuple(i for i in self.items if not i.waived and not i.unseen)


def of_audit(result: AuditResult, fail_on: FailOn = Severity.ERROR) -> Paper:
    """The audit as a paper."""
    counts = summary(result)
    return Paper(
        command="audit",
        version=result.version,
        fabric=result.fabric,
        intent=result.intent,
        verdict=verdict(result, counts),
        exit_code=result.exit_code(fail_on),
        items=(
            *(_finding(result, f, _fails(result, f, fail_on)) for f in counts.ranked),
            *(_unseen(n) for n in _missing(result)),
            *(_waived(result, w) for w in result.waived),
        ),
        suites=tuple(device.name for device in result.devices),
        rules={r.id: RuleText(name=r.name, why=r.why, fix=r.fix, severity=r.severity) for r in RULES},
        facts=_facts(result),
        gaps=gaps(result) or tuple(_nothing(result)),
    )


def of_check(
    *,
    version: str,
    fabric: str,
    intent: str,
    verdict: str,
    exit_code: int,
    diagnostics: Iterable[Diagnostic],
    rules: Mapping[str, str],
    beside: Iterable[str] = (),
) -> Paper:
    """What `check` found, or why the intent cannot be read. A suite is a file of the intent, or one `beside` it."""
    found = tuple(diagnostics)
    files = dict.fromkeys((intent, *beside, *(d.source.file for d in found if d.source)))
    return Paper(
        command="check",
        version=version,
        fabric=fabric,
        intent=intent,
        verdict=verdict,
        exit_code=exit_code,
        items=tuple(_diagnostic(d, intent) for d in found),
        suites=tuple(files),
        rules={rule: RuleText(name=name) for rule, name in rules.items()},
    )


def _diagnostic(diagnostic: Diagnostic, intent: str) -> Item:
    rule, source = diagnostic.rule or UNNAMED, diagnostic.source
    return Item(
        rule=rule,
        severity=diagnostic.severity,
        title=diagnostic.message,
        details=(f"hint: {diagnostic.hint}",) if diagnostic.hint else (),
        command="",
        suite=source.file if source else intent,
        place=str(source) if source else intent,
        source=source,
        # Without its line: a fault stays the same fault when lines are added above it.
        fingerprint=f"{rule}|{source.file if source else intent}|{diagnostic.message}",
        fails=diagnostic.severity is Severity.ERROR,
    )


def _fails(result: AuditResult, finding: Finding, fail_on: FailOn) -> bool:
    if isinstance(fail_on, Severity):
        order = (Severity.INFO, Severity.WARNING, Severity.ERROR)
        return order.index(finding.severity) >= order.index(fail_on)
    return result.is_new(finding) and finding.severity is not Severity.INFO


def _finding(result: AuditResult, finding: Finding, fails: bool) -> Item:
    explains = ", ".join(consequence.text for consequence in finding.consequences)
    first = finding.comparisons[0] if finding.comparisons else None
    seen = (
        ""
        if first is None
        else f"{first.what}: expected {first.expected}; observed "
        + ", ".join(f"{value} in {store}" for store, value in first.observed.items())
    )
    details = (
        finding.effect,
        f"explains {explains}" if explains else "",
        seen,
        f"seen at {places(finding)}" if places(finding) else "",
        f"by hand: {finding.instruction}" if finding.instruction else "",
    )
    known = result.change is not None and result.change.since is not None
    return Item(
        rule=finding.rule,
        severity=finding.severity,
        title=finding.title,
        details=tuple(filter(None, details)),
        command=finding.fix,
        suite=finding.device,
        place=finding.object,
        source=next((c.source for c in finding.comparisons if c.source), None),
        fingerprint=finding.fingerprint,
        fails=fails,
        new=result.is_new(finding) if known else None,
    )


def _missing(result: AuditResult) -> Iterator[NotAudited]:
    """What was not audited, also where a switch only says so of itself; an audit of nothing is one such thing."""
    yield from result.not_audited
    named = {n.device for n in result.not_audited}
    for device in result.devices:
        if device.audited != "complete" and device.name not in named:
            what = "everything" if device.audited == "not" else "a part"
            yield NotAudited(device=device.name, what=what, reason="no reason is known")
    if not result.devices and not result.not_audited:
        yield NotAudited(device=result.fabric, what="everything", reason="no switch was audited")


def _nothing(result: AuditResult) -> Iterator[Gap]:
    """An audit of no switch is one gap."""
    for missing in _missing(result):
        yield Gap(devices=(missing.device,), what="", reason=missing.reason, effects=())


def _unseen(missing: NotAudited) -> Item:
    return Item(
        rule=UNSEEN,
        severity=Severity.ERROR,
        title=f"NOT AUDITED: {missing.what} of {missing.device}",
        details=tuple(filter(None, (missing.reason, missing.effect))),
        command="",
        suite=missing.device,
        place=missing.device,
        source=None,
        fingerprint=f"{UNSEEN}|{missing.device}|{missing.what}",
        fails=True,
        unseen=True,
    )


def _waived(result: AuditResult, waived: Waived) -> Item:
    made, waiver = _finding(result, waived.finding, False), waived.waiver
    return Item(
        rule=made.rule,
        severity=made.severity,
        title=made.title,
        details=made.details,
        command="",
        suite=made.suite,
        place=made.place,
        source=made.source,
        fingerprint=made.fingerprint,
        fails=False,
        waived=f"waived until {waiver.until.isoformat()} by {waiver.owner}: {waiver.reason}",
    )


def _facts(result: AuditResult) -> Mapping[str, str]:
    facts: dict[str, str] = {}
    if result.change is not None:
        facts["change"] = change_text(result)
    if result.waived:
        facts["waived"] = waived_text(result)
    for number, note in enumerate(result.waiver_notes, 1):
        at = f" ({note.waiver.source})" if note.waiver.source else ""
        facts[f"waiver {number}"] = note.text + at
    for number, text in enumerate(result.notes, 1):
        facts[f"note {number}"] = text
    return facts


def change_text(result: AuditResult) -> str:
    """`+ 6 new   = 6 persisting   - 5 resolved   since 2026-11-16 06:00 UTC`; what is 0 is left out."""
    change = result.change
    if change is None:
        return ""
    if change.since is None:
        return "first audit that is kept: nothing to compare with"
    since = f"since {moments(change.since, result.zone or UTC)}"
    told = {
        "+": (len(change.new), "new"),
        "=": (len(change.persisting), "persisting"),
        "-": (len(change.resolved), "resolved"),
        "?": (len(change.unknown), "NOT AUDITED now"),
    }
    parts = [f"{sign} {number:,} {word}" for sign, (number, word) in told.items() if number]
    return "   ".join((*parts, since)) if parts else f"nothing new, nothing resolved {since}"


def waived_text(result: AuditResult) -> str:
    """`9 findings by 2 waivers, the next ends 2026-12-31`."""
    waivers = {id(w.waiver): w.waiver for w in result.waived}
    found, by = len(result.waived), len(waivers)
    ends = min(w.until for w in waivers.values()).isoformat()
    ending = f"the next ends {ends}" if by > 1 else f"which ends {ends}"
    return f"{found:,} finding{'s' * (found != 1)} by {by:,} waiver{'s' * (by != 1)}, {ending}"
