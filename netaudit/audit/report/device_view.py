"""One switch as the HTML page shows it: in full with a cause or a gap, on one line as intended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TypeVar

from netaudit.audit.findings import AuditResult, DeviceVerdict
from netaudit.audit.report.cause_view import Anchor, Cause
from netaudit.audit.report.fabric_map import WORDS, worst_first
from netaudit.audit.report.panel import Panel, panel
from netaudit.audit.report.summary import FIRST, Gap, concerned, gaps, states
from netaudit.diag import Severity
from netaudit.terminal import counted, moment, moments

PANELS = 100
"""Front panels drawn, those of the worst switches: some 4 kB each (design/README.md, Size)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceView:
    """One device with findings, or of which something was not audited."""

    id: str
    name: str
    state: str
    word: str
    facts: tuple[str, ...]
    gaps: tuple[Gap, ...]
    panel: Panel | None
    causes: tuple[Cause, ...]
    """Those that start here, in full."""
    also: tuple[Cause, ...]
    """Those that start elsewhere."""
    first: bool
    """Belongs to the first screen's causes: open at first, and printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiet:
    """One device that is as intended: one line."""

    id: str
    name: str
    facts: str


def device_views(result: AuditResult, causes: Sequence[Cause], anchor: Anchor) -> tuple[DeviceView, ...]:
    """Return the devices that get more than a line: those with causes, worst first, then those not audited."""
    verdicts = {device.name: device for device in result.devices}
    state = states(result)
    holes = _by_device((name, gap) for gap in gaps(result) for name in gap.devices)
    told = _by_device(
        (name, c) for c in causes for name in concerned(c.finding) if name in verdicts or name == c.first.name
    )
    start = {cause.first.name for cause in causes[:FIRST] if cause.finding.severity is not Severity.INFO}
    names = (*worst_first(result, told), *[name for name in holes if name not in told])
    views = [
        DeviceView(
            id=anchor(name),
            name=name,
            state=(word := state.get(name) or (told[name][0].word if name in told else "unknown")),
            word=WORDS[word],
            facts=_facts(verdicts[name], result.zone) if name in verdicts else ("not a switch of this fabric",),
            gaps=holes.get(name, ()),
            panel=_panel(verdicts[name], told.get(name, ())) if name in verdicts and i < PANELS else None,
            causes=tuple(cause for cause in told.get(name, ()) if cause.first.name == name),
            also=tuple(cause for cause in told.get(name, ()) if cause.first.name != name),
            first=name in start,
        )
        for i, name in enumerate(names)
    ]
    return tuple(views)


T = TypeVar("T")


def _by_device(pairs: Iterable[tuple[str, T]]) -> Mapping[str, tuple[T, ...]]:
    grouped: dict[str, list[T]] = {}
    for name, thing in pairs:
        grouped.setdefault(name, []).append(thing)
    return {name: tuple(things) for name, things in grouped.items()}


def _panel(device: DeviceVerdict, causes: Sequence[Cause]) -> Panel | None:
    return panel(device, [(f"#{cause.id}", cause.finding) for cause in causes])


def _facts(device: DeviceVerdict, zone: tzinfo | None) -> tuple[str, ...]:
    place = device.place
    stands = f"plane {place.plane}, {place.unit}, rail {place.rail}" if place.unit else f"plane {place.plane}"
    read = "not read"
    if device.read_at and device.audited != "not":
        at = device.read_at
        read = f"read {moments(at, zone) if zone else moment(at, at.tzinfo or UTC)}"
    stores = f": {', '.join(device.stores)}" if device.stores and device.audited != "not" else ""
    values = f"{counted(device.values, 'value')} compared"
    facts = (place.role, stands, place.status, device.model, device.address, read + stores, values)
    return tuple(filter(None, facts))


def quiet_lines(result: AuditResult, views: Sequence[DeviceView], anchor: Anchor) -> tuple[Quiet, ...]:
    """Return one line for each device that is not among `views`."""
    loud = {view.name for view in views}
    return tuple(_quiet(device, anchor) for device in result.devices if device.name not in loud)


def _quiet(device: DeviceVerdict, anchor: Anchor) -> Quiet:
    planned = f", {device.place.status}" if device.place.status != "active" else ""
    return Quiet(id=anchor(device.name), name=device.name, facts=f"{counted(device.values, 'value')}{planned}")
