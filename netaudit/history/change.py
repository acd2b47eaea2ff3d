"""What is new, persisting and resolved since the audit before. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from netaudit.audit.findings import AuditResult, Change, Earlier, Finding


class State(StrEnum):
    """How a finding stands in an audit."""

    OPEN = "open"
    WAIVED = "waived"
    """There, and accepted."""
    UNKNOWN = "unknown"
    """Open before, on something that was NOT AUDITED: carried on, so that it is not new when it is seen again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A finding as an audit left it."""

    finding: Earlier
    state: State


def since(result: AuditResult, before: Iterable[Standing] | None, when: datetime | None) -> Change:
    """The change of `result` since the audit of `when`, which left `before`; both `None` for the first audit.

    A finding that was waived and counts again is new: the audit before did not count it.
    """
    now = {f.fingerprint: f for f in result.findings}
    if before is None:
        return Change(since=None, new=tuple(now))
    open_before = {s.finding.fingerprint: s.finding for s in before if s.state is not State.WAIVED}
    waived = {w.finding.fingerprint for w in result.waived}
    gone = [e for name, e in open_before.items() if name not in now and name not in waived]
    unseen = _unseen(result)
    return Change(
        since=when,
        new=tuple(name for name in now if name not in open_before),
        persisting=tuple(e for name, e in open_before.items() if name in now),
        resolved=tuple(e for e in gone if e.device not in unseen),
        unknown=tuple(e for e in gone if e.device in unseen),
    )


def standing(result: AuditResult, change: Change, when: datetime) -> tuple[Standing, ...]:
    """How every finding stands after an audit; one line a fingerprint, with the day it was first seen."""
    first = {e.fingerprint: e.first_seen for e in (*change.persisting, *change.unknown)}
    found: dict[str, Standing] = {}
    for finding in result.findings:
        found.setdefault(finding.fingerprint, Standing(finding=_earlier(finding, first, when), state=State.OPEN))
    for waived in result.waived:
        line = Standing(finding=_earlier(waived.finding, first, when), state=State.WAIVED)
        found.setdefault(waived.finding.fingerprint, line)
    for earlier in change.unknown:
        found.setdefault(earlier.fingerprint, Standing(finding=earlier, state=State.UNKNOWN))
    return tuple(found.values())


def _earlier(finding: Finding, first: Mapping[str, datetime], when: datetime) -> Earlier:
    return Earlier(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        severity=finding.severity,
        device=finding.device,
        title=finding.title,
        first_seen=first.get(finding.fingerprint, when),
    )


def _unseen(result: AuditResult) -> frozenset[str]:
    """The devices of which not all was seen. One that the fabric has no more is not among them."""
    named = {n.device for n in result.not_audited}
    return frozenset(named | {d.name for d in result.devices if d.audited != "complete"})
