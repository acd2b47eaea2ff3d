"""The part of an audit that some rules found: what else it found is left out, counted and said to be."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from difflib import get_close_matches

from netaudit.audit.findings import AuditResult, Change
from netaudit.audit.rules import RULES
from netaudit.diag import Diagnostic, Invalid
from netaudit.state import BlindSpot


def wanted_rules(text: str) -> tuple[str, ...]:
    """`BGP,HDR-02` → the rules and families it names. Raises `Invalid` for a word that is neither."""
    known = {word for rule in RULES for word in (rule.id, family(rule.id))}
    words = tuple(dict.fromkeys(part.strip().upper() for part in text.split(",")))
    problems = []
    for word in words:
        if word not in known:
            close = get_close_matches(word, sorted(known), n=1)
            hint = (
                f"did you mean {close[0]}?" if close else "a rule as HDR-02, a family as BGP; netaudit rules lists them"
            )
            problems.append(Diagnostic(message=f"--only: there is no audit rule `{word}`", hint=hint))
    if problems:
        raise Invalid(problems)
    return words


def family(rule: str) -> str:
    """`HDR-02` → `HDR`."""
    return rule.partition("-")[0]


def only(result: AuditResult, words: Collection[str]) -> AuditResult:
    """The audit as far as those rules go. What was NOT AUDITED stays: nobody knows which rule it would have broken."""
    meant = _meant(words)
    findings = tuple(f for f in result.findings if meant(f.rule))
    left = len(result.findings) - len(findings)
    reason = (
        f"{left:,} {'finding' if left == 1 else 'findings'} of them left out"
        if left
        else "not asked for; they found nothing"
    )
    spot = BlindSpot(what="every other rule", where=f"--only {','.join(words)}", reason=reason)
    change = result.change
    return replace(
        result,
        findings=findings,
        waived=tuple(w for w in result.waived if meant(w.finding.rule)),
        waiver_notes=tuple(n for n in result.waiver_notes if meant(n.waiver.rule)),
        declared=(spot, *result.declared),
        change=_part(change, words) if change is not None else None,
        trend=(),
        only=tuple(words),
    )


def _meant(words: Collection[str]) -> Callable[[str], bool]:
    return lambda rule: rule in words or family(rule) in words


def _part(change: Change, words: Collection[str]) -> Change:
    meant = _meant(words)
    return replace(
        change,
        new=tuple(f for f in change.new if meant(f.partition("|")[0])),
        persisting=tuple(e for e in change.persisting if meant(e.rule)),
        resolved=tuple(e for e in change.resolved if meant(e.rule)),
        unknown=tuple(e for e in change.unknown if meant(e.rule)),
    )
