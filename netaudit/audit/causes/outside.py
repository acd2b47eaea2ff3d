"""External neighbors that are not as the intent says: another ASN, or a prefix of ours in their announcements.

Each is one cause however many of our ports see it. What hosts behind it are, and how it is built, stays its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.causes.policies import is_routing_setting
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Comparison, Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, LinkEnd, Route

REMOTE = ("bgp.neighbors.*.remote_asn",)


def wrong_outside_asns(context: Context) -> Iterator[Cause]:
    """One for each neighbor that all our ends which hear it hear with the same wrong ASN (BGP-02)."""
    for name in context.expectation.outside:
        ends = [end for end in _our_ends(context, name) if any(context.open_at(end, REMOTE))]
        told = {fact.remote_asn for end in ends if (fact := context.fact(end)) is not None}
        number = next(iter(told)) if len(told) == 1 else None
        if number is not None:
            yield _of_asn(context, name, ends, number)


def _our_ends(context: Context, neighbor: str) -> list[LinkEnd]:
    """The ends of ours of the links to a neighbor."""
    pairs = ((link.a, link.b) for link in context.expectation.links)
    both = ((end, far) for a, b in pairs for end, far in ((a, b), (b, a)))
    return [end for end, far in both if far.device == neighbor and context.is_switch(end)]


def _of_asn(context: Context, name: str, ends: list[LinkEnd], number: int) -> Cause:
    rule = by_id("BGP-02")
    planned = context.expectation.outside[name]
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=ends[0].device,
            object=name,
            title=f"{name} speaks BGP as ASN {number}, not {planned}",
            effect="sessions come up all the same; AS paths through it are others than planned",
            fix=f"netaudit show links INTENT {ends[0].device}",
            devices=tuple(dict.fromkeys(end.device for end in ends)),
            objects=(name, *map(str, ends)),
            comparisons=context.take_symptoms(ends, REMOTE),
            instruction=f"ask who runs {name}: is it the right box, or is the ASN in the intent out of date?",
        ),
        failures=Failures(asns={name: number}),
    )


def taken_prefixes(context: Context) -> Iterator[Cause]:
    """One for each neighbor and prefix of ours that it announces, and that a policy lets in (RIB-01)."""
    names = {end: name for name in context.expectation.outside for end in _our_ends(context, name)}
    seen: dict[tuple[str, str], list[tuple[str, Route]]] = {}
    for audit in context.audits.values():
        ours = {end.port: name for end, name in names.items() if end.device == audit.name}
        if ours and not any(map(is_routing_setting, audit.merged)):
            for name, prefix, route in _taken(context, audit, ours):
                seen.setdefault((name, prefix), []).append((audit.name, route))
    for (name, prefix), places in seen.items():
        yield _of_prefix(name, prefix, places)


def _taken(context: Context, audit: DeviceAudit, ours: dict[str, str]) -> Iterator[tuple[str, str, Route]]:
    """(neighbor, prefix, route) of each route through a neighbor that is somebody's in the fabric, not its own."""
    expected = context.expectation.routes(audit.name, context.failures)
    for key, route in (audit.routes.whole() if audit.routes is not None else {}).items():
        through = {ours[port] for port in route.hops if port in ours}
        if not through or key[0] != "default" or route == expected.get(key):
            continue
        if context.expectation.allows(audit.name, key, route, context.failures):
            continue
        name = next(iter(sorted(through)))
        asn = context.failures.asns.get(name, context.expectation.outside[name])
        if (asn,) in route.as_paths and context.expectation.is_ours(key[1]):
            yield name, key[1], route


def _of_prefix(name: str, prefix: str, places: list[tuple[str, Route]]) -> Cause:
    rule = by_id("RIB-01")
    devices = tuple(device for device, _ in places)
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=devices[0],
            object=prefix,
            title=f"{name} announces {prefix}, which is ours",
            effect="what the border sends there leaves the fabric",
            fix=f"netaudit show rib INTENT {devices[0]}",
            devices=devices,
            objects=(prefix, name),
            comparisons=tuple(
                Comparison(
                    what=f"{device} routes.{prefix}",
                    expected=f"not from {name}",
                    observed={"state": f"{', '.join(sorted(route.hops))} via {name}"},
                    queries=("show bgp … json", "show ip route json"),
                )
                for device, route in places
            ),
            instruction=f"ask who runs {name} why; `external.{name}.prefixes` in the intent keeps anything else out",
        ),
        failures=Failures(added=frozenset({(name, prefix)})),
    )
