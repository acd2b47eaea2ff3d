"""Pass two of the routes: what the causes do not explain, and how many routes each cause carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.audit.causes import Cause, Context
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Comparison, Consequence, Finding
from netaudit.audit.rules import by_id
from netaudit.state import ABSENT, Absent, Failures, Route, RouteKey

Wrong = tuple[str, RouteKey, "Route | Absent", "Route | Absent"]
"""Rule, key, expected, observed."""


def route_findings(context: Context) -> Iterator[Finding]:
    """Findings for routes that are wrong with all causes taken into account; the same prefix everywhere is one."""
    left: dict[tuple[str, RouteKey], list[tuple[str, Route | Absent, Route | Absent]]] = {}
    for audit in context.audits.values():
        for rule, key, expected, observed in _wrong(context, audit):
            left.setdefault((rule, key), []).append((audit.name, expected, observed))
    folded: dict[tuple[str, tuple[str, ...]], list[RouteKey]] = {}
    for (rule, key), places in left.items():
        folded.setdefault((rule, tuple(name for name, _, _ in places)), []).append(key)
    for (rule, devices), keys in folded.items():
        yield _finding(rule, devices, keys, left)


def _wrong(context: Context, audit: DeviceAudit) -> Iterator[Wrong]:
    if audit.routes is None:
        return
    expected = context.expectation.routes(audit.name, context.failures)
    either = _without_unread(context, audit.name)
    for key in {**expected, **audit.routes}:
        wanted = expected.get(key, ABSENT)
        found = audit.routes.get(key, ABSENT)
        if (
            found != wanted
            and not (either is not None and found == either.get(key, ABSENT))
            and not _bounded(context, key, found, wanted, either)
        ):
            yield _rule(wanted, found), key, wanted, found


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


def _finding(
    rule_id: str,
    devices: tuple[str, ...],
    keys: list[RouteKey],
    left: Mapping[tuple[str, RouteKey], list[tuple[str, Route | Absent, Route | Absent]]],
) -> Finding:
    rule = by_id(rule_id)
    prefixes = [prefix for _, prefix in keys]
    name, _, found = left[rule_id, keys[0]][0]
    more = f" and {len(prefixes) - 1} more" if len(prefixes) > 1 else ""
    where = name if len(devices) == 1 else f"{len(devices)} devices"
    words = {
        "RIB-01": "is missing" if found is ABSENT else "is there and should not be",
        "RIB-02": "leaves through other ports than planned",
        "RIB-03": "has another AS path than planned",
    }
    comparisons = tuple(
        Comparison(
            what=f"{device} routes.{key[1]}",
            expected=show_route(expected),
            observed={"state": show_route(observed)},
            queries=("show bgp … json", "show ip route json"),
        )
        for key in keys[:20]
        for device, expected, observed in left[rule_id, key][:20]
    )
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        device=name,
        object=prefixes[0],
        title=f"{prefixes[0]}{more} {words[rule_id]} on {where}",
        effect=rule.why,
        fix=f"netaudit show rib INTENT {name}",
        devices=devices,
        objects=tuple(prefixes),
        comparisons=comparisons,
    )


def show_route(route: Route | Absent) -> str:
    """`64, 63 via 4200100000 4200000001`."""
    if not isinstance(route, Route):
        return "absent"
    if not route.hops:
        return "originated here" if route.as_paths == {()} else "no next hop"
    paths = " | ".join(" ".join(map(str, path)) for path in sorted(route.as_paths))
    return f"{', '.join(sorted(route.hops))} via {paths}"


def explained(context: Context, cause: Cause) -> Consequence | None:
    """How many routes on how many devices are otherwise because of this cause alone, and were seen so."""
    if cause.failures == Failures():
        return None
    count, devices = 0, []
    for audit in context.audits.values():
        if audit.routes is None:
            continue
        whole = context.expectation.routes(audit.name, Failures())
        broken = context.expectation.routes(audit.name, cause.failures)
        keys = [k for k in {**whole, **broken} if whole.get(k) != broken.get(k) and audit.routes.get(k) != whole.get(k)]
        if keys:
            count += len(keys)
            devices.append(audit.name)
    if not count:
        return None
    text = f"{count:,} route{'s' if count > 1 else ''} on {len(devices)} device{'s' if len(devices) > 1 else ''}"
    return Consequence(text=text, count=count, devices=tuple(devices))
