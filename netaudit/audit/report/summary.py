"""What every form of the report says alike: the counts, the verdict, the order of the causes, what is not known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network

from netaudit.audit.findings import AuditResult, Finding, NotAudited
from netaudit.diag import Severity
from netaudit.state import Store
from netaudit.terminal import counted, fold, fold_text

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
FEW = 3
"""Parts of a switch that are listed as they are called; more are listed by store."""
FIRST = 3
"""Causes in full on the first screen (design/README.md: at most three)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The counts of one audit. A cause is one finding; its places are what the cause is seen at."""

    causes: Mapping[Severity, tuple[Finding, ...]]
    """Severity → its causes, most traffic lost first."""
    places: Mapping[Severity, int]
    switches: int
    complete: int
    part: int
    """Switches of which some of the expected could not be seen."""
    unseen: int
    """Switches of which nothing could be seen."""
    unknown: int
    """How many switches, or other things where it is no switch, were NOT AUDITED."""
    values: int
    took_s: float
    stores: tuple[str, ...]

    @property
    def ranked(self) -> tuple[Finding, ...]:
        """All causes: errors, then warnings, then infos."""
        return tuple(finding for severity in SEVERITIES for finding in self.causes[severity])

    @property
    def urgent(self) -> tuple[Finding, ...]:
        """The causes worth doing: errors, then warnings."""
        return self.causes[Severity.ERROR] + self.causes[Severity.WARNING]

    @property
    def state(self) -> str:
        """The state of the whole: `error`, `unknown`, `warning` or `good`."""
        if self.causes[Severity.ERROR]:
            return "error"
        if self.unknown:
            return "unknown"
        return "warning" if self.causes[Severity.WARNING] else "good"


def summary(result: AuditResult) -> Summary:
    """Return the counts of `result`."""
    causes = {s: tuple(f for f in result.findings if f.severity is s) for s in SEVERITIES}
    complete, part, unseen = coverage(result)
    seen = {store for device in result.devices for store in device.stores}
    others = {n.device for n in result.not_audited} - {device.name for device in result.devices}
    return Summary(
        causes=causes,
        places={s: sum(place_count(f) for f in causes[s]) for s in SEVERITIES},
        switches=len(result.devices),
        complete=complete,
        part=part,
        unseen=unseen,
        # An audit of no switch at all proves nothing, so it counts as one unknown thing.
        unknown=part + unseen + len(others) or int(not result.devices),
        values=sum(device.values for device in result.devices),
        took_s=(result.finished_at - result.started_at).total_seconds(),
        stores=tuple(store for store in Store if store in seen),
    )


def coverage(result: AuditResult) -> tuple[int, int, int]:
    """Return how many switches were audited completely, in part and not at all.

    A switch that is named as NOT AUDITED is never complete, whatever its own line says.
    """
    named = {n.device for n in result.not_audited}
    unseen = sum(device.audited == "not" for device in result.devices)
    complete = sum(device.audited == "complete" and device.name not in named for device in result.devices)
    return complete, len(result.devices) - complete - unseen, unseen


def place_count(finding: Finding) -> int:
    """Return at how many places the cause is seen; 1 where none is listed."""
    return len(set(finding.objects)) or 1


def places(finding: Finding) -> str:
    """Return `96 ports`, `2 prefixes`, `3 switches`; empty for a single place."""
    objects = set(finding.objects)
    if len(objects) < 2:
        return ""
    if all(map(_is_port, objects)):
        return counted(len(objects), "port")
    if all(map(_is_prefix, objects)):
        return counted(len(objects), "prefix", "prefixes")
    return counted(len(objects), "switch", "switches") if objects <= {*finding.devices} else f"{len(objects):,} places"


def concerned(finding: Finding) -> tuple[str, ...]:
    """Return the devices of a cause, the one to look at first in front."""
    return tuple(dict.fromkeys((finding.device, *finding.devices)))


def _is_port(text: str) -> bool:
    return re.fullmatch(r"[^\s:]+:\d+(/\d+)?", text) is not None


def _is_prefix(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def where(finding: Finding, to: str = "..") -> tuple[str, ...]:
    """Return the folded places of a cause; where these do not name their devices, the devices come first."""
    objects = tuple(dict.fromkeys(finding.objects)) or (finding.object,)
    devices = set(concerned(finding))
    named = all(name in devices or name.rpartition(":")[0] in devices for name in objects)
    return fold(objects if named else (*concerned(finding), *objects), to)


def verdict(result: AuditResult, counts: Summary, show: Callable[[str], str] = str) -> str:
    """Return the one sentence that may be quoted. `show` makes names printable."""
    fabric = show(result.fabric)
    errors = counts.causes[Severity.ERROR]
    if errors and counts.unknown:
        return f"{fabric} is not as intended, and {_unknown(counts)}; start with {show(errors[0].device)}"
    if errors:
        return f"{fabric} is not as intended: {explained(counts)}; start with {show(errors[0].device)}"
    if counts.unknown:
        return _unknown_only(fabric, counts)
    if counts.causes[Severity.WARNING]:
        start = show(counts.causes[Severity.WARNING][0].device)
        return f"{fabric} has no errors{_limit(result)} but {_causes(counts, Severity.WARNING)}; start with {start}"
    audited = f"{fabric} is as intended{_limit(result)}: {counts.complete:,} of {counts.switches:,} switches audited"
    waived = f", {len(result.waived):,} waived" if result.waived else ""
    if counts.causes[Severity.INFO]:
        return f"{audited}, 0 errors, 0 warnings, {_causes(counts, Severity.INFO)}{waived}"
    return f"{audited}, 0 findings{waived}"


def _limit(result: AuditResult) -> str:
    return f" in {', '.join(result.only)}" if result.only else ""


def explained(counts: Summary) -> str:
    """Return `3 causes explain 463 errors`, `1 cause explains 96 errors`, `2 errors`."""
    causes, seen = len(counts.causes[Severity.ERROR]), counts.places[Severity.ERROR]
    if causes == seen:
        return counted(causes, "error")
    return f"{counted(causes, 'cause')} {'explains' if causes == 1 else 'explain'} {counted(seen, 'error')}"


def _causes(counts: Summary, severity: Severity) -> str:
    return counted(len(counts.causes[severity]), f"{severity} cause")


def _unknown(counts: Summary) -> str:
    switches = counts.part + counts.unseen
    if switches:
        return f"{switches:,} of {counts.switches:,} switches {'was' if switches == 1 else 'were'} NOT AUDITED"
    things = counted(counts.unknown, "part")
    return f"{things} of the audit {'was' if counts.unknown == 1 else 'were'} NOT AUDITED"


def _unknown_only(fabric: str, counts: Summary) -> str:
    if not counts.switches:
        return f"{fabric}: no switch was audited, so nobody can say it is as intended"
    warnings = counts.causes[Severity.WARNING]
    found = f"{_causes(counts, Severity.WARNING)}, no errors" if warnings else "no findings"
    found = "no errors, no warnings" if counts.ranked and not warnings else found
    if not counts.part + counts.unseen:
        return f"{fabric}: {found}; {_unknown(counts)}, so nobody can say it is as intended"
    missing = counts.part + counts.unseen
    return (
        f"{fabric}: {found} on {counts.complete:,} of {counts.switches:,} switches; "
        f"{missing:,} {'was' if missing == 1 else 'were'} NOT AUDITED, so nobody can say it is as intended"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What was not audited for one reason: the switches, what is missing of them, why, and what that leaves open."""

    devices: tuple[str, ...]
    what: str
    """Empty for everything."""
    reason: str
    effects: tuple[str, ...]

    @property
    def text(self) -> str:
        """`applied buffers, applied qos: no answer in 60 s`."""
        return f"{self.what}: {self.reason}" if self.what else self.reason


def gaps(result: AuditResult) -> tuple[Gap, ...]:
    """Return what was not audited: the parts of a switch with one reason together, equal switches folded.

    A switch whose own line says `part` or `not`, and of which nobody says why, is named all the same.
    """
    reasons = _common_reasons(result.not_audited)
    parts: dict[tuple[str, str, str], list[str]] = {}
    for missing in result.not_audited:
        reason = reasons.get((missing.device, missing.cause), missing.reason)
        parts.setdefault((missing.device, reason, missing.effect), []).append(missing.what)
    named = {n.device for n in result.not_audited}
    for device in result.devices:
        if device.audited != "complete" and device.name not in named:
            what = "everything" if device.audited == "not" else "a part"
            parts[device.name, "no reason is known", ""] = [what]
    alike: dict[tuple[str, str, str], list[str]] = {}
    for (name, reason, effect), whats in parts.items():
        what = "" if "everything" in whats else _by_store(tuple(dict.fromkeys(whats)))
        alike.setdefault((what, reason, effect), []).append(name)
    return tuple(
        Gap(devices=tuple(names), what=what, reason=reason, effects=(effect,) if effect else ())
        for (what, reason, effect), names in alike.items()
    )


def _by_store(whats: Sequence[str]) -> str:
    """`running bgp, applied qos`; of more than a few each store is named once: `running ports, bgp; state ports`."""
    if len(whats) <= FEW:
        return ", ".join(whats)
    stores: dict[str, list[str]] = {}
    for what in whats:
        store, _, area = what.partition(" ")
        stores.setdefault(store, []).append(area)
    return "; ".join(f"{store} {', '.join(filter(None, areas))}".strip() for store, areas in stores.items())


def _common_reasons(missing: Sequence[NotAudited]) -> Mapping[tuple[str, str], str]:
    """(switch, cause) → the cause, where several questions went unanswered for it: one wrong CA fails them all."""
    found: dict[tuple[str, str], set[str]] = {}
    for one in missing:
        if one.cause:
            found.setdefault((one.device, one.cause), set()).add(one.reason)
    return {key: key[1] for key, reasons in found.items() if len(reasons) > 1}


def states(result: AuditResult) -> Mapping[str, str]:
    """Return the state of each switch by its worst cause: `error`, `warning`, `info`, `unknown` or `good`.

    A switch of which nothing was seen is `unknown`, also where others complain about it; one seen in part is
    `unknown` unless a cause says worse.
    """
    worst: dict[str, Severity] = {}
    for finding in result.findings:
        for name in concerned(finding):
            worst[name] = min(worst.get(name, finding.severity), finding.severity, key=SEVERITIES.index)
    named = {n.device for n in result.not_audited}
    return {
        device.name: "unknown" if device.audited == "not" else _state(worst.get(device.name), device.name in named)
        for device in result.devices
    }


def _state(worst: Severity | None, partly: bool) -> str:
    if worst in (Severity.ERROR, Severity.WARNING):
        return str(worst)
    return "unknown" if partly else str(worst or "good")


def blind(spots: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return `headroom watermark (eos)` for each thing, the places of one thing together, in the order given."""
    by_what: dict[str, list[str]] = {}
    for what, place in spots:
        by_what.setdefault(what, []).append(place)
    return tuple(
        f"{what} ({fold_text(dict.fromkeys(p for p in ps if p))})" if any(ps) else what for what, ps in by_what.items()
    )
