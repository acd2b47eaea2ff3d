"""What each rule is: its id, how bad, what it means and what to do. Comparing needs no code; causes are in `causes`."""

from __future__ import annotations

from netaudit.audit.rules import addressing, bgp, buffers, cabling, general, interfaces, qos, rib
from netaudit.audit.rules.rule import GENERIC, SAVED, Rule
from netaudit.state.walk import Path, matches

RULES: tuple[Rule, ...] = (
    *cabling.RULES,
    *interfaces.RULES,
    *addressing.RULES,
    *bgp.RULES,
    *rib.RULES,
    *qos.RULES,
    *buffers.RULES,
    *general.RULES,
    SAVED,
    GENERIC,
)


def by_id(rule: str) -> Rule:
    """The rule of that id. Raises `KeyError`."""
    for candidate in RULES:
        if candidate.id == rule:
            return candidate
    raise KeyError(rule)


def for_path(path: Path) -> Rule:
    """The first rule that names a leaf, or the generic one."""
    for rule in RULES:
        if any(matches(pattern, path) for pattern in rule.leaves):
            return rule
    return GENERIC


__all__ = ["GENERIC", "RULES", "SAVED", "Rule", "by_id", "for_path"]
