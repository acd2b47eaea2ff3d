"""What each rule is: its id, how bad, what it means and what to do. Comparing needs no code; causes are in `causes`."""

from __future__ import annotations

from collections.abc import Mapping

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


_BY_AREA: Mapping[str, tuple[tuple[str, Rule], ...]] = {
    area: tuple((p, rule) for rule in RULES for p in rule.leaves if p.partition(".")[0] == area)
    for area in {pattern.partition(".")[0] for rule in RULES for pattern in rule.leaves}
}
"""First name of a path → patterns that may name it, so that thousands of differences are named quickly."""


def by_id(rule: str) -> Rule:
    """The rule of that id. Raises `KeyError`."""
    for candidate in RULES:
        if candidate.id == rule:
            return candidate
    raise KeyError(rule)


def for_path(path: Path) -> Rule:
    """The rule that names a leaf most closely, the first of several, or the generic one."""
    naming = [(pattern.count("."), rule) for pattern, rule in _BY_AREA.get(path[0], ()) if matches(pattern, path)]
    return max(naming, key=lambda pair: pair[0], default=(0, GENERIC))[1]


__all__ = ["GENERIC", "RULES", "SAVED", "Rule", "by_id", "for_path"]
