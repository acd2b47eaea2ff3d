"""Findings of the rules for all that no cause explains: equal differences, and those of one object, are one finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from netaudit.audit.causes import Context
from netaudit.audit.causes.context import show, worst
from netaudit.audit.causes.policies import is_routing_setting, runs
from netaudit.audit.causes.related import is_named, port_of
from netaudit.audit.chain import is_lossless, is_map_entry, told
from netaudit.audit.compare import DeviceAudit, Merged
from netaudit.audit.computed import INSTRUCTION, TITLES, WHYS, computed
from netaudit.audit.findings import Consequence, Finding
from netaudit.audit.routes import Hung
from netaudit.audit.rules import SAVED, Rule, by_id, for_path
from netaudit.diag import Severity
from netaudit.state import ABSENT, LldpNeighbor, Store
from netaudit.state.walk import Kind, Path, dotted, matches

FOLD_FROM = 3
"""So many equal differences on one device are one finding: one thing to do (design/README.md, «Count causes first»)."""
_GROUPS = "buffers.ports.*.groups"
_FOLDED = ("bgp.neighbors.*.import_policy", "bgp.neighbors.*.export_policy")
"""Policies of a session, in and out: set once for all sessions, so that equal differences are one finding."""


def left(context: Context, audit: DeviceAudit, routes: Hung | None) -> Iterator[Finding]:
    """Findings for every difference that no cause took; `routes` hang on the first that decides about routes."""
    for rule, members, folded in _groups(context, audit):
        for part in [members] if folded else _parts(members):
            if part[0].path not in audit.merged:
                continue  # it follows from another of these
            carries = any(runs(m.observed) and is_routing_setting(m.path) for m in part)
            yield hanging(_finding(context, audit, rule, part), routes if carries else None)
            routes = None if carries else routes


def _parts(members: list[Merged]) -> list[list[Merged]]:
    """Each by itself; but the priority groups of a port together, as `3-4` that became `3` and `4` is one change."""
    parts: dict[str, list[Merged]] = {}
    for merged in members:
        alone = not matches(_GROUPS, merged.path)
        parts.setdefault(dotted(merged.path) if alone else port_of(merged.path), []).append(merged)
    return list(parts.values())


def hanging(finding: Finding, routes: Hung | None) -> Finding:
    """The finding with the routes that are wrong because of it, and the first of them as evidence."""
    if routes is None:
        return finding
    return replace(with_routes(finding, routes.consequence), comparisons=(*finding.comparisons, *routes.evidence))


def with_routes(finding: Finding, routes: Consequence | None) -> Finding:
    """The finding with the routes that are wrong because of it."""
    return replace(finding, consequences=(*finding.consequences, routes)) if routes is not None else finding


def _groups(context: Context, audit: DeviceAudit) -> Iterator[tuple[Rule, list[Merged], bool]]:
    """(rule, differences, whether they are one finding) of what does not follow from another difference."""
    related = context.related(audit.name)
    live = {path: merged for path, merged in audit.merged.items() if set(merged.observed) != {Store.SAVED}}
    followed = {path for merged in live.values() for path in related.followers([merged]) if path != merged.path}
    groups: dict[tuple[str, ...], list[Merged]] = {}
    for merged in list(audit.merged.values()):
        if merged.path not in followed:
            rule = _rule(context, merged)
            groups.setdefault((rule.id, *_alike(audit, rule, merged)), []).append(merged)
    for (rule_id, *_), members in groups.items():
        rule = by_id(rule_id)
        path = members[0].path
        always = (
            rule is SAVED or path[0] == "raw" or is_named(path) or any(matches(pattern, path) for pattern in _FOLDED)
        )
        yield rule, members, always or len(_parts(members)) >= FOLD_FROM


def _alike(audit: DeviceAudit, rule: Rule, merged: Merged) -> tuple[str, ...]:
    """What differences of a rule have in common to be one finding: one object, or the same value on many ports."""
    if rule is SAVED:
        return ()
    if merged.path[0] == "raw":
        return (merged.path[0],)
    if is_named(merged.path):
        return (dotted(merged.path[:3]),)
    if matches(_GROUPS, merged.path):
        here = [m for p, m in audit.merged.items() if p[:4] == merged.path[:4]]
        return (_GROUPS, *(f"{m.path[-1]} {show(m.expected)} {show(m.observed[worst(m.observed)])}" for m in here))
    if any(matches(pattern, merged.path) for pattern in _FOLDED):
        return _policies_of(audit, merged.path[2])
    if merged.path == ("bgp", "requires_policy"):
        # what asks for a policy and the session without one are one thing: Established, no routes
        bare = [p[2] for p in audit.merged if any(matches(pattern, p) for pattern in _FOLDED)]
        return _policies_of(audit, bare[0]) if bare else (dotted(merged.path),)
    return _shape(merged), show(merged.expected), show(merged.observed[worst(merged.observed)])


def _policies_of(audit: DeviceAudit, neighbor: str) -> tuple[str, ...]:
    """What the policies of a session are instead, both directions together."""
    here = [m for p, m in audit.merged.items() if p[2:3] == (neighbor,) and any(matches(f, p) for f in _FOLDED)]
    return ("policies", *(f"{m.path[3]} {show(m.observed[worst(m.observed)])}" for m in here))


def _shape(merged: Merged) -> str:
    """The path with its numbers taken out, so that the same leaf of many ports is one group."""
    return dotted(tuple("*" if part[:1].isdigit() else part for part in merged.path))


def _rule(context: Context, merged: Merged) -> Rule:
    if set(merged.observed) == {Store.SAVED}:
        return SAVED
    if merged.path[:2] == ("lldp", "neighbors") and merged.kind is not Kind.MISSING:
        heard = merged.observed.get(Store.STATE)
        known = isinstance(heard, LldpNeighbor) and context.expectation.neighbor(str(heard.system), str(heard.port))
        return by_id("CAB-01" if known and merged.kind is Kind.WRONG else "CAB-04")
    if is_unreported(merged):
        return by_id("INT-12")
    if matches("qos.ports.*.watchdog", merged.path) and ABSENT in merged.observed.values() and len(merged.path) == 4:
        return by_id("WD-01")
    return for_path(merged.path)


def is_unreported(merged: Merged) -> bool:
    """An MTU of 0, which no port has: the switch does not tell it (EOS does so over OpenConfig)."""
    return matches("ports.*.mtu_bytes", merged.path) and set(merged.observed.values()) == {0}


def _finding(context: Context, audit: DeviceAudit, rule: Rule, members: list[Merged]) -> Finding:
    if is_map_entry(members[0].path):
        expected = context.expectation.device(audit.name)
        members = sorted(members, key=lambda merged: not is_lossless(merged.path, expected))
    objects = _objects(audit.name, members)
    rule = by_id("ECN-01") if rule.id == "ECN-03" and _inverted(context, audit.name, members) else rule
    first = members[0]
    place = _place(audit.name, first) if len(objects) == 1 else f"{len(objects)} places of {audit.name}"
    value = first.observed[worst(first.observed)]
    what = dotted(first.path[-2:]) if len(first.path) > 1 else first.path[0]
    several = len(members) > 1 and (rule is SAVED or len(objects) != len(members))
    more = f" and {len(members) - 1} more" if several else ""
    untold = is_unreported(first)
    made = computed(members)
    beside = "" if untold or made else _beside_the_configuration(members)
    why = f"The configuration is as intended, but {beside}." if beside else WHYS.get(made, rule.why)
    plain = f"{what}: expected {show(first.expected)}, observed {show(value)}{' (not reported)' if untold else ''}"
    comparisons = context.take_with_followers(audit.name, members)
    title = TITLES.get(made, rule.name).format(object=audit.name if rule is SAVED else place)
    by_hand = "look at the logs of the box: what it refused, and why" if beside else INSTRUCTION if made else rule.fix
    return Finding(
        rule=rule.id,
        severity=Severity.INFO if made == "more" else rule.severity,
        device=audit.name,
        object=audit.name if rule is SAVED else objects[0],
        title=f"{title}: configured, and {_IN_SHORT[beside]}" if beside else title,
        effect=f"{_chain(context, audit, first) or plain}{more}. {why}",
        fix=f"netaudit show explain INTENT {objects[0]} mtu"
        if untold
        else f"netaudit plan INTENT --where {audit.name} -o plan.json",
        devices=(audit.name,),
        objects=objects,
        comparisons=comparisons,
        instruction=by_hand,
    )


_UNPROGRAMMED, _NOT_RUN = "the box did not program it", "the speaker does not run so"
_IN_SHORT = {_UNPROGRAMMED: "not programmed", _NOT_RUN: "not what runs"}


def _beside_the_configuration(members: list[Merged]) -> str:
    """What a box does otherwise although it is configured as intended; empty where it is not."""
    if all(set(m.observed) == {Store.APPLIED} for m in members):
        return _UNPROGRAMMED
    as_configured = all(set(m.observed) == {Store.STATE} and Store.RUNNING in m.right for m in members)
    return _NOT_RUN if as_configured else ""


def _chain(context: Context, audit: DeviceAudit, merged: Merged) -> str:
    """What becomes of a DSCP, where a map that decides about it runs otherwise."""
    if not is_map_entry(merged.path) or Store.RUNNING not in merged.observed:
        return ""
    return told(merged.path, context.expectation.device(audit.name), audit.running)


def _objects(device: str, members: list[Merged]) -> tuple[str, ...]:
    """Each place once; several leaves of one named object are at one place."""
    first = members[0].path
    if len(members) > 1 and is_named(first) and all(m.path[:3] == first[:3] for m in members):
        return (f"{device} {dotted(first[:3])}",)
    return tuple(dict.fromkeys(_object(device, m) for m in members))


def _inverted(context: Context, device: str, members: list[Merged]) -> bool:
    """Does a colour of this WRED profile, as observed, start to mark above where it marks all?"""
    path = members[0].path
    qos = context.expectation.device(device).qos
    planned = (qos.wred or {}).get(path[2]) if qos is not None else None
    for colour, marking in ((planned.colours if planned else None) or {}).items():
        seen = {m.path[5]: m.observed[worst(m.observed)] for m in members if len(m.path) == 6 and m.path[4] == colour}
        low = seen.get("kmin_bytes", marking.kmin_bytes)
        high = seen.get("kmax_bytes", marking.kmax_bytes)
        if isinstance(low, int) and isinstance(high, int) and low > high:
            return True
    return False


def _place(device: str, merged: Merged) -> str:
    """How a title speaks of it: the port, the named profile of the device, or the device."""
    port = _object(device, merged)
    named = merged.path[2] if len(merged.path) > 2 else ""
    return port if ":" in port else f"{named} of {device}" if named else device


def _object(device: str, merged: Merged) -> str:
    """`device:port` for what hangs on a port, else the device and the leaf."""
    path: Path = merged.path
    if path[0] == "vlans" and len(path) > 1:
        return f"{device}:Vlan{path[1]}"
    for position, name in enumerate(path[:-1]):
        if name in ("ports", "interfaces", "neighbors") and position + 1 < len(path):
            return f"{device}:{path[position + 1]}"
    return f"{device} {dotted(path)}"
