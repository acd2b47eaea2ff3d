"""Design rules on intent, fabric and expected state, before any change: each check is one function of `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from netaudit.checks import (
    balancing,
    beside,
    budget,
    cables,
    chain,
    deadlock,
    ecn,
    headroom,
    hosts,
    lengths,
    overrides,
    platform,
    raw,
    room,
    routing,
    sizes,
    traffic,
    trimming,
)
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
    room.fit,
    room.sharing,
    sizes.mtu,
    sizes.overridden,
    traffic.notifications,
    traffic.shares,
    traffic.watchdog,
    chain.conflicts,
    chain.unreached,
    chain.strangers,
    chain.control,
    chain.notifications,
    chain.unmarked,
    chain.unmarkable,
    chain.strict,
    chain.slow,
    chain.long_links,
    chain.whole,
    trimming.trims,
    balancing.hashed,
    balancing.able,
    balancing.queue_pairs,
    balancing.out_of_order,
    balancing.pinned,
    balancing.idle,
    balancing.speeds,
    balancing.width,
    balancing.seeds,
    ecn.given,
    ecn.computed,
    ecn.far,
    routing.widest_path,
    routing.parallel_links,
    beside.level_links,
    beside.loops,
    deadlock.circles,
    overrides.places,
    overrides.speeds,
    overrides.effects,
    overrides.ends,
    raw.places,
    raw.disagreements,
    platform.refused,
    platform.barred,
    platform.estimates,
    platform.foreign,
    platform.owns,
    headroom.rounding,
    headroom.computing,
    lengths.measured_lengths,
    ecn.everywhere,
)


OF_DEVICES: tuple[Check, ...] = (platform.unsupported, platform.rounded)
"""What is asked of the expected state of whole devices, which a design that is refused may not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks of a fabric found."""

    diagnostics: tuple[Diagnostic, ...]
    """Errors first, then warnings and infos; each in the order of the files."""
    facts: Mapping[str, str]
    """`fabric`, `lossless`, `bgp`, `deadlock`, `declared` → the line of the summary."""
    tables: tuple[tuple[str, ...], ...] = field(default=())
    """For each role whose headroom does not fit: what costs most and what would help, as lines of text."""
    data: Mapping[str, object] = field(default_factory=dict)
    """What else was looked at on demand, for programs: `equivalence`."""

    def count(self, severity: Severity) -> int:
        """How many diagnostics of that severity there are."""
        return sum(d.severity is severity for d in self.diagnostics)


def check(expected: Expected, today: date | None = None) -> Checked:
    """Every design rule on one fabric. Without `today` nothing is said of dates (expired overrides)."""
    given = design(expected, today)
    found = [diagnostic for rule in CHECKS for diagnostic in rule(given)]
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        found += (diagnostic for rule in OF_DEVICES for diagnostic in rule(given))
    refused = [worst for worst, _ in budget.fullest(given).values() if not worst.fits]
    return Checked(
        diagnostics=tuple(sorted(found, key=_order)),
        facts=facts(given),
        tables=tuple(room.table(given, worst) for worst in refused),
    )


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def _order(diagnostic: Diagnostic) -> tuple[int, str, int, int]:
    source = diagnostic.source
    place = (source.file, source.line, source.column) if source else ("", 0, 0)
    return _RANK[diagnostic.severity], *place


__all__ = ["CHECKS", "RULES", "Check", "Checked", "check"]
