"""Pass two of the routes: what the causes do not explain, and how many routes each cause carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaudit.audit.causes import Cause, Context
from netaudit.audit.causes.policies import Culprits, Wrong
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Comparison, Consequence, Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, Absent, Failures, Route, RouteKey, Store, route_name

MOST_SHOWN = 100
"""Routes that a finding lists one by one; more tell nothing new."""


EVIDENCE = 3
"""Routes that a finding shows of those that hang on it: what they have in common stands in the first few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hung:
    """Routes that are wrong because of a setting: how many, and the first of them."""

    consequence: Consequence
    evidence: tuple[Comparison, ...]


def route_findings(context: Context) -> tuple[tuple[Finding, ...], Mapping[str, Hung]]:
    """Findings for routes that are wrong with all causes taken into account; the same prefix everywhere is one.

    Beside them, for each device with wrong routing settings, the routes that hang on those.
    """
    culprits = Culprits(context)
    left: dict[tuple[str, bool, RouteKey], list[Wrong]] = {}
    hung: dict[str, list[Wrong]] = {}
    for wrong in (wrong for audit in context.audits.values() for wrong in _wrong(context, audit)):
        culprit = culprits.of(wrong)
        if culprit is not None:
            hung.setdefault(culprit, []).append(wrong)
        else:
            kind = (_rule(wrong.expected, wrong.observed), wrong.observed is ABSENT, wrong.key)
            left.setdefault(kind, []).append(wrong)
    folded: dict[tuple[str, bool, tuple[str, ...]], list[RouteKey]] = {}
    for (rule, missing, key), places in left.items():
        folded.setdefault((rule, missing, tuple(wrong.device for wrong in places)), []).append(key)
    findings = tuple(
        _finding(devices, [route_name(key) for key in keys], [w for key in keys for w in left[rule, missing, key]])
        for (rule, missing, devices), keys in folded.items()
    )
    return findings, {
        name: Hung(
            consequence=consequence([w.device for w in routes]), evidence=tuple(map(_compared, routes[:EVIDENCE]))
        )
        for name, routes in hung.items()
    }


def consequence(devices: Sequence[str]) -> Consequence:
    """`26 routes on 2 devices`, from the device of each route."""
    count, names = len(devices), tuple(dict.fromkeys(devices))
    text = f"{count:,} route{'s' if count > 1 else ''} on {len(names)} device{'s' if len(names) > 1 else ''}"
    return Consequence(text=text, count=count, devices=names)


def _wrong(context: Context, audit: DeviceAudit) -> Iterator[Wrong]:
    if audit.routes is None:
        return
    expected = context.expectation.routes(audit.name, context.failures)
    if not audit.routes.otherwise and expected == context.expectation.routes(audit.name, Failures()):
        return
    either = _without_unread(context, audit.name)
    seen = audit.routes.whole()
    for key in {**expected, **seen}:
        wanted = expected.get(key, ABSENT)
        found = seen.get(key, ABSENT)
        if (
            found != wanted
            and not (either is not None and found == either.get(key, ABSENT))
            and not _bounded(context, key, found, wanted, either)
            and not context.expectation.allows(audit.name, key, None if found is ABSENT else found, context.failures)
        ):
            yield Wrong(audit.name, key, wanted, found)


def _without_unread(context: Context, name: str) -> Mapping[RouteKey, Route] | None:
    """The routes if every device that was not read forwarded nothing; `None` if all were read."""
    unread = frozenset(d for d in context.expectation.devices if not context.seen(d))
    if not unread:
        return None
    failures = Failures(
        links=context.failures.links,
        sessions=context.failures.sessions,
        devices=context.failures.devices | unread,
        recabled=context.failures.recabled,
        withdrawn=context.failures.withdrawn,
        added=context.failures.added,
        asns=context.failures.asns,
    )
    return context.expectation.routes(name, failures)


def _bounded(
    context: Context,
    key: RouteKey,
    found: Route | Absent,
    wanted: Route | Absent,
    either: Mapping[RouteKey, Route] | None,
) -> bool:
    """With some devices unread, any set of hops between «all of them forward» and «none does» passes."""
    if either is None or not isinstance(found, Route) or not isinstance(wanted, Route):
        return False
    least = either.get(key)
    hops = least.hops if least is not None else frozenset()
    return hops <= found.hops <= wanted.hops and found.as_paths <= wanted.as_paths


def _rule(wanted: Route | Absent, found: Route | Absent) -> str:
    if wanted is ABSENT or found is ABSENT:
        return "RIB-01"
    assert isinstance(wanted, Route)
    assert isinstance(found, Route)
    return "RIB-02" if wanted.hops != found.hops else "RIB-03"


def _finding(devices: tuple[str, ...], prefixes: Sequence[str], places: Sequence[Wrong]) -> Finding:
    first = places[0]
    rule = by_id(_rule(first.expected, first.observed))
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        device=first.device,
        object=prefixes[0],
        title=_title(rule.id, devices, prefixes, missing=first.observed is ABSENT),
        effect=rule.why,
        fix=f"netaudit show rib INTENT {first.device}",
        devices=devices,
        objects=tuple(prefixes),
        comparisons=tuple(_compared(wrong) for wrong in places[:MOST_SHOWN]),
    )


def _compared(wrong: Wrong) -> Comparison:
    return Comparison(
        what=f"{wrong.device} routes.{route_name(wrong.key)}",
        expected=show_route(wrong.expected),
        observed={"state": show_route(wrong.observed)},
        queries=("show bgp … json", "show ip route json"),
    )


def _title(rule: str, devices: Sequence[str], prefixes: Sequence[str], *, missing: bool) -> str:
    several = len(prefixes) > 1
    which = f"{prefixes[0]} and {len(prefixes) - 1} more" if several else prefixes[0]
    where = devices[0] if len(devices) == 1 else f"{len(devices)} devices"
    are, leave, have = ("are", "leave", "have") if several else ("is", "leaves", "has")
    words = {
        "RIB-01": f"{are} missing" if missing else f"{are} there and should not be",
        "RIB-02": f"{leave} through other ports than planned",
        "RIB-03": f"{have} another AS path than planned",
    }
    return f"{which} {words[rule]} on {where}"


def hardware_findings(context: Context) -> Iterator[Finding]:
    """For each device one finding of all routes that its hardware does not have as its routing table has them."""
    rule = by_id("RIB-04")
    for audit in context.audits.values():
        if not audit.unprogrammed:
            continue
        prefixes = tuple(route_name(one.key) for one in audit.unprogrammed)
        several = len(prefixes) > 1
        which = f"{prefixes[0]} and {len(prefixes) - 1} more" if several else prefixes[0]
        yield Finding(
            rule=rule.id,
            severity=rule.severity,
            device=audit.name,
            object=prefixes[0],
            title=f"The hardware of {audit.name} has other next hops than its routing table for {which}",
            effect=rule.why,
            fix=rule.fix,
            devices=(audit.name,),
            objects=prefixes,
            comparisons=tuple(
                Comparison(
                    what=f"{audit.name} routes.{route_name(one.key)}",
                    expected=_show_hops(one.routing),
                    observed={"state": _show_hops(one.routing), "applied": _show_hops(one.hardware)},
                    queries=("show ip route json", context.expectation.asked(audit.name, Store.APPLIED, ("routes",))),
                )
                for one in audit.unprogrammed[:MOST_SHOWN]
            ),
        )


def _show_hops(hops: frozenset[str]) -> str:
    return ", ".join(sorted(hops)) or "no next hop"


def show_route(route: Route | Absent) -> str:
    """`64, 63 via 4200100000 4200000001`."""
    if not isinstance(route, Route):
        return "absent"
    if not route.hops:
        return "originated here" if route.as_paths == {()} else "no next hop"
    paths = " | ".join(" ".join(map(str, path)) for path in sorted(route.as_paths))
    return f"{', '.join(sorted(route.hops))} via {paths}"


def explained(context: Context, cause: Cause) -> Consequence | None:
    """How many routes on how many devices are otherwise because of this cause alone, and were seen so.

    Only what was seen otherwise than designed is looked at: work is linear in that, not in devices × prefixes.
    """
    if cause.failures == Failures():
        return None
    devices: list[str] = []
    for name, keys in context.otherwise.items():
        broken = context.expectation.routes(name, cause.failures)
        whole = context.expectation.routes(name, Failures())
        devices += [name] * sum(whole.get(key) != broken.get(key) for key in keys)
    return consequence(devices) if devices else None
