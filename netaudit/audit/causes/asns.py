"""Devices that speak with another ASN than planned, each once, however many peers see it (BGP-02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.compare import DeviceAudit
from netaudit.audit.findings import Consequence, Finding
from netaudit.audit.rules import by_id
from netaudit.state import Failures, LinkEnd, Store

_LENIENT = "sessions come up all the same; every AS path through it is wrong, and loop prevention with it"
_STRICT = "sessions whose other end names its number stay down; where one comes up, every AS path through it is wrong"
OWN = (("bgp", "asn"), ("system", "asn"))


def wrong_asns(context: Context) -> Iterator[Cause]:
    """By the device's own word, or by that of its peers where it was not read."""
    for name in context.expectation.devices:
        audit = context.audits.get(name)
        if audit is None:
            continue
        number = _own_word(audit) if audit.seen else _peers_word(context, name)
        if number is not None:
            yield _cause(context, audit, number)


def _own_word(audit: DeviceAudit) -> int | None:
    """The ASN it runs with, if that is the wrong one. Wrong in a file alone is left to the leaf rule."""
    merged = audit.merged.get(("bgp", "asn"))
    if merged is None:
        return None
    value = merged.observed.get(Store.STATE if audit.asn is not None else Store.RUNNING)
    return value if isinstance(value, int) else None


def _peers_word(context: Context, name: str) -> int | None:
    """What all peers that hear it say, if they agree on a wrong number."""
    told = Counter(
        fact.remote_asn
        for end in _far_ends(context, name)
        if (fact := context.fact(end)) is not None
        and fact.remote_asn is not None
        and any(context.open_at(end, ("bgp.neighbors.*.remote_asn",)))
    )
    return next(iter(told)) if len(told) == 1 else None


def _far_ends(context: Context, name: str) -> Iterator[LinkEnd]:
    """Ends of other switches whose cables, as they run or else as planned, end on this device."""
    yield from context.heard_from.get(name, ())
    for end in context.far_ends[name]:
        planned = context.fact(end)
        if planned is not None and not isinstance(planned.neighbor, tuple):
            yield end


def _speaks_as(context: Context, device: str) -> int | None:
    """The ASN a device has, by its own word if it was read."""
    seen = context.audits[device].asn if device in context.audits else None
    bgp = context.expectation.device(device).bgp
    planned = bgp.asn if bgp is not None and isinstance(bgp.asn, int) else None
    return seen if seen is not None else planned


def _other_end(context: Context, end: LinkEnd) -> LinkEnd:
    """Where the cable at an end ends, as it runs or else as planned."""
    fact = context.fact(end)
    if fact is not None and isinstance(fact.neighbor, tuple):
        return LinkEnd(device=fact.neighbor[0], port=fact.neighbor[1])
    link = context.links[end]
    return link.b if link.a == end else link.a


def _demands_another(context: Context, end: LinkEnd, number: int) -> bool:
    """Does the plan of an end name the number of its peer, so that a session with this one does not come up?"""
    bgp = context.expectation.device(end.device).bgp
    for key, neighbor in (bgp.neighbors or {}).items() if bgp is not None else ():
        if end.port in (key, neighbor.over):
            return isinstance(neighbor.remote, str) and neighbor.remote.isdecimal() and int(neighbor.remote) != number
    return False


def _cause(context: Context, audit: DeviceAudit, number: int) -> Cause:
    rule = by_id("BGP-02")
    comparisons = list(context.take(audit.name, OWN))
    peers = list(_far_ends(context, audit.name))
    seen = context.take_symptoms(peers, ("bgp.neighbors.*.remote_asn",))
    # a session to a peer of the same number is refused; any other dead one has a reason of its own
    strict = [end for end in peers if _demands_another(context, end, number)]
    refused = [end for end in peers if end in strict or _speaks_as(context, end.device) == number]
    near = [_other_end(context, end) for end in refused]
    seen += context.take_symptoms((*refused, *near), ("bgp.neighbors.*.session",))
    devices = tuple(dict.fromkeys((audit.name, *(end.device for end in peers))))
    expected = next((c.expected for c in comparisons), next((c.expected for c in seen), ""))
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=audit.name,
            object=audit.name,
            title=f"{audit.name} speaks BGP as ASN {number}, not {expected}",
            effect=_STRICT if strict else _LENIENT,
            fix=f"netaudit plan INTENT --where {audit.name} -o plan.json",
            devices=(audit.name,),
            objects=(audit.name,),
            comparisons=(*comparisons, *seen),
            consequences=(
                Consequence(text=f"{len(peers)} sessions that see it", count=len(peers), devices=devices[1:]),
            ),
        ),
        failures=Failures(asns={audit.name: number}, sessions=frozenset(strict)),
    )
