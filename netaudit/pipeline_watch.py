"""What surrounds an audit: the waivers of an intent, what changed since the last one, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from netaudit.audit import kept
from netaudit.audit.findings import AuditResult, FailOn, Waiver
from netaudit.audit.rules import RULES
from netaudit.audit.waivers import pattern, with_waivers
from netaudit.diag import Diagnostic, Invalid, Source, Unusable
from netaudit.expect import Expected
from netaudit.history import Kept, audits, remember, trend
from netaudit.intent.waivers import WaiverRow, add_waiver, has_other_fabrics, load_waivers, waivers_file
from netaudit.intent.where import parse
from netaudit.whole import write_whole

HISTORY: Final = Path(".netaudit/history.sqlite")
LAST: Final = "last-audit.json"
LAST_LIMIT_BYTES: Final = 1 << 28
"""256 MiB. An audit of 1,536 switches is some 20 MB; what is larger is not ours."""


def load_all_waivers(expected: Expected) -> tuple[Waiver, ...]:
    """The waivers beside an intent. Raises `Invalid` with all problems of their file."""
    intent = Path(expected.built.intent.file)
    rows = load_waivers(waivers_file(intent))
    problems: list[Diagnostic] = []
    made: list[Waiver] = []
    for row in rows:
        try:
            _check_rule(row.rule, row.rule_source)
            made.append(_waiver(expected, row))
        except Invalid as error:
            problems += error.diagnostics
    if problems:
        raise Invalid(problems)
    shared = any(not w.devices for w in made) and has_other_fabrics(intent)
    return tuple(w for w in made if w.devices or not shared)


def _waiver(expected: Expected, row: WaiverRow) -> Waiver:
    return Waiver(
        rule=row.rule,
        device=row.device,
        object=row.object,
        owner=row.owner,
        reason=row.reason,
        until=row.until,
        devices=meant_devices(expected, row.device, row.device_source),
        source=row.source,
    )


def meant_devices(expected: Expected, text: str, source: Source | None = None) -> frozenset[str]:
    """The devices that the `device` of a waiver means: by conditions, else by a pattern of names. Raises `Invalid`."""
    built = expected.built.devices
    if "=" in text:
        chosen = parse(text, source)
        return frozenset(n for n in expected.devices if chosen.covers(n, built[n].place, built[n].platform))
    wanted = pattern(text)
    return frozenset(name for name in expected.devices if wanted.fullmatch(name))


def _check_rule(rule: str, source: Source | None) -> None:
    known = [r.id for r in RULES]
    if rule not in known:
        close = get_close_matches(rule.upper(), known, n=1)
        hint = f"did you mean {close[0]}?" if close else "netaudit rules  lists them"
        raise Invalid([Diagnostic(message=f"there is no audit rule `{rule}`", source=source, hint=hint)])


def waive(expected: Expected, wanted: Waiver) -> Waiver:
    """Put a waiver into the file beside the intent; what is there already is read, and must be in order."""
    load_all_waivers(expected)
    _check_rule(wanted.rule, None)
    if not meant_devices(expected, wanted.device):
        close = get_close_matches(wanted.device, list(expected.devices), n=1)
        hint = f"did you mean `{close[0]}`?" if close else "a name, a pattern as a-spine*, or plane=a role=leaf"
        message = f"`{wanted.device}` means no device of {expected.fabric}"
        raise Invalid([Diagnostic(message=message, hint=hint)])
    row = add_waiver(
        waivers_file(Path(expected.built.intent.file)),
        rule=wanted.rule,
        device=wanted.device,
        place=wanted.object,
        owner=wanted.owner,
        reason=wanted.reason,
        until=wanted.until,
    )
    return _waiver(expected, row)


def judged(
    result: AuditResult,
    waivers: tuple[Waiver, ...],
    *,
    history: Path | None,
    intent_sha: str,
    fail_on: FailOn,
    scope: str = "",
    taken: datetime | None = None,
) -> AuditResult:
    """The audit with waivers applied and beside the one before it, which is kept in `history` (`None`: nowhere).

    `taken` is when the snapshot was, where one was audited. A history that cannot be used is a note of the result.
    """
    result = with_waivers(result, waivers, datetime.now(UTC).date())
    if history is None:
        return result
    record = Kept(
        at=taken or result.started_at,
        scope=scope,
        intent_sha=intent_sha,
        source="snapshot" if taken else "devices",
        fail_on=fail_on,
    )
    try:
        result = replace(result, change=remember(history, result, record))
        result = replace(result, trend=trend(audits(history, result.fabric), scope, record.at))
    except Unusable as error:
        result = replace(result, notes=(*result.notes, error.message))
    try:
        keep(result, fail_on, history.parent / LAST)
    except Unusable as error:
        result = replace(result, notes=(*result.notes, error.message))
    return result


def keep(result: AuditResult, fail_on: FailOn, file: Path) -> None:
    """Leave the whole audit for `netaudit report`. Raises `Unusable`."""
    write_whole(file, kept.dump(result, fail_on), private=True)


def last_audit(history: Path) -> tuple[AuditResult, FailOn]:
    """The audit that was kept last. Raises `Invalid`, also where there is none."""
    file = history.parent / LAST
    try:
        with file.open("rb") as stream:
            raw = stream.read(LAST_LIMIT_BYTES + 1)
    except FileNotFoundError:
        hint = "netaudit audit INTENT  makes one; it is kept beside the history (--history)"
        raise Invalid([Diagnostic(message=f"no audit is kept here: there is no {file}", hint=hint)]) from None
    except OSError as error:
        raise Invalid([Diagnostic(message=f"{file} cannot be read: {error.strerror}")]) from None
    if len(raw) > LAST_LIMIT_BYTES:
        raise Invalid([Diagnostic(message=f"{file} is larger than {LAST_LIMIT_BYTES:,} bytes, so it is no audit")])
    return kept.load(raw, str(file))
