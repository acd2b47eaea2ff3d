"""Prefixes a device should originate and does not, or does and should not: each once, at its origin (RIB-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.causes.policies import misplaced
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Comparison, Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures

DEFAULT = "default"
"""Nothing of ours is originated in another VRF; what is there hangs on the setting (`bgp.vrfs`)."""
LEAVES = (("bgp", "networks"), ("bgp", "discards"))


def wrong_origins(context: Context) -> Iterator[Cause]:
    """One cause for each device and prefix."""
    for audit in context.audits.values():
        if audit.routes is None or not audit.routes.otherwise:
            continue
        planned = context.expectation.routes(audit.name, Failures())
        expected = {p for (vrf, p), route in planned.items() if not route.hops and vrf == DEFAULT}
        seen = audit.routes.whole().items()
        observed = {p for (vrf, p), route in seen if not route.hops and route.as_paths == {()} and vrf == DEFAULT}
        lost, gained = misplaced(audit)  # what follows from a wrong address hangs on that finding
        missing, extra = sorted(expected - observed - lost), sorted(observed - expected - gained)
        comparisons = _settings(context, audit, {*missing, *extra})
        for prefix in missing:
            yield _cause(context, audit.name, prefix, comparisons, missing=True)
        for prefix in extra:
            yield _cause(context, audit.name, prefix, comparisons, missing=False)


def _settings(context: Context, audit: DeviceAudit, prefixes: set[str]) -> tuple[Comparison, ...]:
    """The configured networks and discard routes, where they differ in nothing but these prefixes."""
    paths = []
    for path in LEAVES:
        merged = audit.merged.get(path)
        if merged is None or not isinstance(merged.expected, frozenset):
            continue
        wanted = cast("frozenset[str]", merged.expected)
        told = [cast("frozenset[str]", v) for v in merged.observed.values() if isinstance(v, frozenset)]
        if len(told) == len(merged.observed) and all((wanted ^ value) <= prefixes for value in told):
            paths.append(path)
    return context.take(audit.name, paths)


def _cause(context: Context, device: str, prefix: str, comparisons: tuple[Comparison, ...], *, missing: bool) -> Cause:
    rule = by_id("RIB-01")
    what = Comparison(
        what=f"{device} routes.{prefix}",
        expected="originated here" if missing else "absent",
        observed={"state": "absent" if missing else "originated here"},
        queries=("show bgp … json",),
    )
    pair = frozenset({(device, prefix)})
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=device,
            object=prefix,
            title=f"{device} does not announce {prefix}"
            if missing
            else f"{device} announces {prefix}, which is not planned",
            effect="whatever is behind it cannot be reached" if missing else "traffic for it goes where nobody planned",
            fix=f"netaudit plan INTENT --where {device} -o plan.json",
            devices=(device,),
            objects=(prefix,),
            comparisons=(what, *comparisons),
        ),
        failures=Failures(withdrawn=pair) if missing else Failures(added=pair),
    )
