"""Sessions that are not Established although the link is up, each once; a setting that explains it first (BGP-01)."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.findings import Finding
from netaudit.audit.rules import by_id, for_path
from netaudit.state import Failures, Link, LinkEnd

SESSION = ("bgp.neighbors.*.session", "bgp.neighbors.*.remote_asn", "bgp.neighbors.*")
LOOK = "look at the neighbor in BGP on both ends: last error, last reset"
START = "no BGP daemon runs on the switch: read its log, then start it"
SETTINGS = (
    "interfaces.*",
    "bgp.neighbors.*.vrf",
    "bgp.neighbors.*.remote",
    "bgp.neighbors.*.families",
    "bgp.neighbors.*.import_policy",
    "bgp.neighbors.*.export_policy",
)


def dead_sessions(context: Context) -> Iterator[Cause]:
    """One cause for each dead session; all sessions of one speaker are one."""
    dead = [link for link in context.expectation.links if _is_down(context, link)]
    concerned = {end.device for link in dead for end in (link.a, link.b)}
    order = [name for name in context.expectation.devices if name in concerned]
    # first whose daemon says nothing: a switch all of whose neighbors are such has no session either
    for device in sorted(order, key=lambda name: not _is_mute(context, name)):
        mine = [link for link in dead if device in (link.a.device, link.b.device)]
        between = sum(context.is_switch(k.a) and context.is_switch(k.b) for k in mine)
        if between > 1 and between == _sessions(context, device):
            yield _cause(context, mine, LinkEnd(device=device, port=""))
            dead = [link for link in dead if link not in mine]
    for link in dead:
        yield _cause(context, [link], link.a)


def _is_down(context: Context, link: Link) -> bool:
    return any(any(context.open_at(end, ("bgp.neighbors.*.session",))) for end in (link.a, link.b))


def _is_mute(context: Context, device: str) -> bool:
    """Is there no speaker on a switch: is its every session down by its own word, and not even its ASN told?"""
    audit = context.audits.get(device)
    if audit is None or not audit.seen or audit.asn is not None:
        return False
    sessions = [link.a if link.a.device == device else link.b for link in context.of_device[device]]
    told = [fact.session for end in sessions if (fact := context.fact(end)) is not None and fact.session is not None]
    return bool(told) and "Established" not in told


def _sessions(context: Context, device: str) -> int:
    return sum(context.is_switch(k.a) and context.is_switch(k.b) for k in context.of_device[device])


def _cause(context: Context, links: list[Link], where: LinkEnd) -> Cause:
    ends = [end for link in links for end in (link.a, link.b)]
    settings = [(end, merged) for end in ends for merged in context.open_at(end, SETTINGS)]
    rule = for_path(settings[0][1].path) if settings else by_id("BGP-01")
    comparisons = [c for end, merged in settings for c in context.take(end.device, [merged.path])]
    comparisons += context.take_symptoms(ends, SESSION)
    if settings:
        where = settings[0][0]
    place = str(where) if where.port else where.device
    whole = len(links) > 1
    title = f"The BGP session {links[0].a} – {links[0].b} is not Established although its link is up"
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=rule.severity,
            device=where.device,
            object=place,
            title=rule.name.format(object=place)
            if settings
            else f"No BGP session of {where.device} is Established although its links are up"
            if whole
            else title,
            effect="no traffic takes this link" if not whole else "no traffic passes the switch",
            fix=f"netaudit plan INTENT --where {where.device} -o plan.json"
            if settings
            else f"netaudit show links INTENT {where.device}",
            devices=tuple(dict.fromkeys((where.device, *(e.device for e in ends)))),
            objects=tuple(f"{link.a} – {link.b}" for link in links),
            comparisons=tuple(comparisons),
            instruction="" if settings else START if whole and _is_mute(context, where.device) else LOOK,
        ),
        failures=Failures(sessions=frozenset(ends)),
    )
