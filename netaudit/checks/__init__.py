"""Design rules on intent, fabric and expected state, before any change: each check is one function of `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from netaudit.checks import budget, cables, ecn, headroom, hosts, overrides, platform, raw, routing, sizes, traffic
from netaudit.checks.design import Design, design
from netaudit.checks.facts import facts
from netaudit.checks.rules import RULES
from netaudit.diag import Diagnostic, Severity
from netaudit.expect import Expected

Check = Callable[[Design], Iterator[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    cables.reach,
    cables.measured,
    hosts.nic,
    headroom.rows,
    headroom.published,
    headroom.caps,
    headroom.policies,
    budget.fit,
    sizes.mtu,
    sizes.overridden,
    traffic.notifications,
    traffic.shares,
    traffic.watchdog,
    ecn.given,
    ecn.computed,
    routing.widest_path,
    routing.parallel_links,
    overrides.places,
    overrides.speeds,
    overrides.effects,
    overrides.ends,
    raw.places,
    platform.refused,
    platform.unsupported,
    platform.owns,
    headroom.rounding,
    ecn.everywhere,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks of a fabric found."""

    diagnostics: tuple[Diagnostic, ...]
    """Errors first, then warnings and infos; each in the order of the files."""
    facts: Mapping[str, str]
    """`fabric`, `lossless`, `bgp`, `declared` → the line of the summary."""
    tables: tuple[tuple[str, ...], ...] = field(default=())
    """For each role whose headroom does not fit: what costs most and what would help, as lines of text."""

    def count(self, severity: Severity) -> int:
        """How many diagnostics of that severity there are."""
        return sum(d.severity is severity for d in self.diagnostics)


def check(expected: Expected, today: date | None = None) -> Checked:
    """Every design rule on one fabric. Without `today` nothing is said of dates (expired overrides)."""
    given = design(expected, today)
    found = [diagnostic for rule in CHECKS for diagnostic in rule(given)]
    refused = [worst for worst, _ in budget.fullest(given).values() if not worst.fits]
    return Checked(
        diagnostics=tuple(sorted(found, key=_order)),
        facts=facts(given),
        tables=tuple(budget.table(given, worst) for worst in refused),
    )


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def _order(diagnostic: Diagnostic) -> tuple[int, str, int, int]:
    source = diagnostic.source
    place = (source.file, source.line, source.column) if source else ("", 0, 0)
    return _RANK[diagnostic.severity], *place


__all__ = ["CHECKS", "RULES", "Check", "Checked", "check"]
