"""VRFs that a device should have and has not, or whose speaker is missing, each with all that ran in it (ADR-09)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Consequence, Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, Failures, LinkEnd, Store
from netaudit.state.walk import Path

ROWS: Path = ("vrfs",)
SYMPTOMS = ("bgp.neighbors.*.session", "bgp.neighbors.*.remote_asn", "bgp.neighbors.*")


def missing_vrfs(context: Context) -> Iterator[Cause]:
    """One cause for each device and VRF. Missing in the saved file alone is left to the rule of what was not saved."""
    for audit in context.audits.values():
        for vrf, why in {**_without_speaker(audit), **_without_row(audit)}.items():
            yield _cause(context, audit, vrf, why)


def _without_row(audit: DeviceAudit) -> dict[str, str]:
    """VRF → why nothing runs in it, for those that are not there."""
    merged = audit.merged.get(ROWS)
    seen = merged.observed.get(Store.RUNNING) if merged is not None else None
    if merged is None or not isinstance(seen, frozenset) or not isinstance(merged.expected, frozenset):
        return {}
    return dict.fromkeys(sorted(map(str, merged.expected - seen)), "is not there")


def _without_speaker(audit: DeviceAudit) -> dict[str, str]:
    """The same for those in which BGP does not run."""
    return {
        path[2]: "has no BGP speaker"
        for path, merged in audit.merged.items()
        if path[:2] == ("bgp", "vrfs") and len(path) == 3 and merged.observed.get(Store.RUNNING) is ABSENT
    }


def _cause(context: Context, audit: DeviceAudit, vrf: str, why: str) -> Cause:
    rule = by_id("ADR-09")
    near = [end for end in _ends(context, audit.name, vrf) if not _runs(context, end)]
    links = [context.links[end] for end in near if end in context.links]
    ends = [end for link in links for end in (link.a, link.b)]
    comparisons = context.take(audit.name, (ROWS, ("bgp", "vrfs", vrf)))
    comparisons += context.take_symptoms(ends, SYMPTOMS)
    count = len(links)
    devices = tuple(dict.fromkeys((audit.name, *(end.device for end in ends if context.is_switch(end)))))
    lost = Consequence(text=f"{count} BGP session{'s' if count != 1 else ''}", count=count, devices=devices)
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=audit.name,
            object=f"{audit.name} VRF {vrf}",
            title=f"VRF {vrf} of {audit.name} {why}",
            effect="no session in it comes up: what is behind it cannot be reached",
            fix=f"netaudit plan INTENT --where {audit.name} -o plan.json",
            devices=devices,
            objects=(f"{audit.name} VRF {vrf}",),
            comparisons=comparisons,
            consequences=(lost,) if count else (),
            instruction=rule.fix,
        ),
        failures=Failures(sessions=frozenset(ends)),
    )


def _runs(context: Context, end: LinkEnd) -> bool:
    """Is the session Established all the same? Then it loses no route."""
    fact = context.fact(end)
    return fact is not None and fact.session == "Established"


def _ends(context: Context, device: str, vrf: str) -> list[LinkEnd]:
    """The ends of a device that are planned in a VRF."""
    interfaces = context.expectation.device(device).interfaces or {}
    return [LinkEnd(device=device, port=key) for key, one in interfaces.items() if one.vrf == vrf]
