"""Cables that are not as long as the headroom at their ends assumes, each once with both ends (CAB-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.findings import Comparison, Finding
from netaudit.audit.rules import by_id
from netaudit.diag import Severity
from netaudit.state import Link, LinkEnd, Store
from netaudit.state.length import same_length

FOLD_FROM = 3
"""So many cables of one kind with the same other length are one thing to correct: the length of their class."""


def wrong_lengths(context: Context) -> Iterator[Cause]:
    """One cause for each cable whose plugs tell another length; alike ones together."""
    alike: dict[tuple[str, float, frozenset[float], bool], list[tuple[Link, Mapping[LinkEnd, float]]]] = {}
    for link in context.expectation.links:
        told = {end: m for end in (link.a, link.b) if (m := _told(context, end)) is not None}
        if told:
            short = any(_too_little(context, end, m) for m in told.values() for end in (link.a, link.b))
            alike.setdefault((link.kind, link.length_m, frozenset(told.values()), short), []).append((link, told))
    for (_, _, _, short), cables in alike.items():
        for group in [cables] if len(cables) >= FOLD_FROM else [[one] for one in cables]:
            yield _cause(context, group, short)


def _told(context: Context, end: LinkEnd) -> float | None:
    """The length that the plug at an end tells, where it is not the one that is assumed and nothing explains it yet."""
    audit = context.audits.get(end.device)
    merged = audit.merged.get(("ports", end.port, "cable_m")) if audit is not None else None
    value = merged.observed.get(Store.STATE) if merged is not None else None
    return value if isinstance(value, float) else None


def _covered(context: Context, end: LinkEnd) -> int | None:
    """The length that the headroom of an end is made for; `None` where it has none, or is no switch of ours."""
    if not context.is_switch(end):
        return None
    buffers = context.expectation.device(end.device).buffers
    ports = (buffers.ports if buffers is not None else None) or {}
    length_m = ports[end.port].cable_length_m if end.port in ports else None
    return length_m if isinstance(length_m, int) else None


def _too_little(context: Context, end: LinkEnd, told_m: float) -> bool:
    """Is the headroom of an end made for a shorter cable than this?"""
    covered = _covered(context, end)
    return covered is not None and told_m > covered and not same_length(covered, told_m)


def _cause(context: Context, cables: list[tuple[Link, Mapping[LinkEnd, float]]], short: bool) -> Cause:
    rule = by_id("CAB-07")
    link, told = cables[0]
    ends = [end for one, _ in cables for end in (one.a, one.b) if context.is_switch(end)]
    first = next(end for end in (link.a, link.b) if end in told)
    comparisons: list[Comparison] = []
    for one, _ in cables:
        for end in (one.a, one.b):
            comparisons += context.take(end.device, [("ports", end.port, "cable_m")]) if context.is_switch(end) else ()
    return Cause(
        finding=Finding(
            rule=rule.id,
            severity=Severity.ERROR if short else rule.severity,
            device=first.device,
            object=str(first),
            title=_title(cables),
            effect=_effect(context, link, max(told.values()), short),
            fix="netaudit tune INTENT",
            devices=tuple(dict.fromkeys((first.device, *(end.device for end in ends)))),
            objects=tuple(f"{one.a} – {one.b}" for one, _ in cables),
            comparisons=tuple(comparisons),
            instruction=rule.fix,
        )
    )


def _title(cables: list[tuple[Link, Mapping[LinkEnd, float]]]) -> str:
    link, told = cables[0]
    lengths = " and ".join(f"{m:g} m" for m in dict.fromkeys(told.values()))
    if len(cables) > 1:
        return f"{len(cables)} cables {link.kind} are {lengths} long by their plugs, not {link.length_m:g} m"
    whose = "plugs" if len(told) > 1 else f"plug at {next(iter(told))}"
    return f"The cable {link.a} – {link.b} is {lengths} long by its {whose}, not {link.length_m:g} m"


def _effect(context: Context, link: Link, told_m: float, short: bool) -> str:
    made = {end: m for end in (link.a, link.b) if (m := _covered(context, end)) is not None}
    if not made:
        return "nothing lossless runs over it; the plan of cables is wrong all the same"
    if short:
        end, covered = min(made.items(), key=lambda pair: pair[1])
        return f"headroom of {end} is made for {covered} m: lossless packets may drop there when PFC pauses its peer"
    if told_m < link.length_m:
        return "headroom is made for a longer cable than there is: buffer that bursts could use lies idle"
    return "the headroom still covers it: a profile made for the length that is assumed would not"
