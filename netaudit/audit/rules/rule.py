"""The form of a rule."""

from __future__ import annotations

from dataclasses import dataclass

from netaudit.diag import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that can be wrong. Ids are those of the catalogue of audit rules and are never reused."""

    id: str
    severity: Severity
    name: str
    """The problem, as a sentence without a full stop; `{object}` is the place."""
    why: str
    """How it breaks in the field, and what it costs."""
    fix: str
    """What to do, in words."""
    leaves: tuple[str, ...] = ()
    """Leaf patterns whose differences are this rule; empty for what causes or whole-fabric checks find."""


GENERIC = Rule(
    id="GEN-01",
    severity=Severity.ERROR,
    name="A value of an owned area is not as intended at {object}",
    why="The area is ours, so a value that no rule names is drift all the same.",
    fix="push the intended configuration, or take the area out of `owns`",
)

SAVED = Rule(
    id="MGT-03",
    severity=Severity.WARNING,
    name="The saved configuration differs from what runs on {object}",
    why="Running is as intended, saved is not: a reboot brings the old configuration back.",
    fix="save the running configuration",
)
