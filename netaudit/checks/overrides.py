"""Whether each override meets something, can be done there, and still holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from netaudit.checks.design import Design
from netaudit.checks.say import counted, folded, rate
from netaudit.checks.survey import able_mbps
from netaudit.diag import Diagnostic
from netaudit.fabric import FabricDevice, FabricPort
from netaudit.intent.schema.override import Override
from netaudit.intent.where import Where, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """The ports that an override is about, on one device."""

    device: FabricDevice
    ports: Mapping[str, FabricPort]


def places(design: Design) -> Iterator[Diagnostic]:
    """OVR-01: an override that meets no device, or a port that its device does not have (rule 5)."""
    for number, override in enumerate(design.model.overrides):
        path, where = f"overrides.{number}.where", parse(override.where)
        found = list(_met(design, where))
        if not found:
            yield design.error(
                "OVR-01", path, f"`{override.where}` meets no device of this fabric", near(design, where)
            )
        elif not any(met.ports for met in found):
            met = found[0]
            message = f"{met.device.name} has no port {where.port}"
            yield design.error("OVR-01", path, message, _ports(design, met.device, where))


def _met(design: Design, where: Where) -> Iterator[_Met]:
    for device in design.fabric.devices.values():
        if where.covers(device.name, device.place, device.platform):
            laid = design.fabric.ports(device.name)
            yield _Met(device=device, ports={key: port for key, port in laid.items() if where.covers_port(key)})


def near(design: Design, where: Where) -> str:
    """The nearest name of what does not exist, or what there is."""
    places = {name: device.place for name, device in design.fabric.devices.items()}
    known = {
        "device": (where.device, [*places]),
        "plane": (where.plane, [*dict.fromkeys(p.plane for p in places.values())]),
        "unit": (where.unit, [*dict.fromkeys(p.unit for p in places.values() if p.unit)]),
        "role": (where.role, [*dict.fromkeys(p.role for p in places.values())]),
        "rail": (None if where.rail is None else str(where.rail), [*map(str, range(1, design.model.rails + 1))]),
        "platform": (where.platform, [*dict.fromkeys(d.platform for d in design.fabric.devices.values())]),
    }
    for word, (wanted, names) in known.items():
        if wanted is not None and wanted not in names:
            close = get_close_matches(wanted, names, 1)
            if close:
                return f"did you mean `{close[0]}`?"
            return f"there is no {word} {wanted}; {word}s are {folded(names)}"
    return "each condition meets something, and nothing meets all of them"


def _ports(design: Design, device: FabricDevice, where: Where) -> str:
    laid = design.fabric.ports(device.name)
    parts = [key for key in laid if key.split("/")[0] == str(where.cage)]
    if parts:
        return f"cage {where.cage} is {', '.join(parts)}: write {device.name}:{parts[0]}"
    return f"its cages are 1 to {max(port.cage for port in laid.values())}"


def speeds(design: Design) -> Iterator[Diagnostic]:
    """OVR-02: a speed that the ports cannot run at as their cages are split: that is physics, no policy."""
    for number, override in enumerate(design.model.overrides):
        if (speed := override.settings.speed) is None:
            continue
        odd = [
            (met.device, port)
            for met in _met(design, parse(override.where))
            for port in met.ports.values()
            if port.peer is not None and speed not in able_mbps(met.device, port)
        ]
        if odd:
            device, port = odd[0]
            able = ", ".join(rate(s) for s in able_mbps(device, port))
            more = f" and {counted(len(odd) - 1, 'port')} more" if len(odd) > 1 else ""
            message = (
                f"{device.name}:{port.key}{more} cannot run at {rate(speed)} over {counted(len(port.lanes), 'lane')}"
            )
            path = f"overrides.{number}.set.speed"
            yield design.error("OVR-02", path, message, f"its cage is split as {port.mode}: {able}")


def effects(design: Design) -> Iterator[Diagnostic]:
    """OVR-03: an override without effect: a later one sets the same, or the ports have no cable and stay down."""
    winner: dict[tuple[str, str, str], int] = {}
    overrides = design.model.overrides
    for number, override in enumerate(overrides):
        for met in _met(design, parse(override.where)):
            for key, port in met.ports.items():
                words = (word for word in override.set if port.peer is not None or word != "enabled")
                winner.update({(met.device.name, key, word): number for word in words})
    for number, override in enumerate(overrides):
        if not any(met.ports for met in _met(design, parse(override.where))):
            continue
        left = {word for (_, _, word), last in winner.items() if last == number}
        for word in override.set:
            if word not in left:
                path = f"overrides.{number}.set.{word}"
                yield design.warning("OVR-03", path, f"`{word}` has no effect here", _why(overrides, number, word))


def _why(overrides: tuple[Override, ...], number: int, word: str) -> str:
    later = [n for n in range(number + 1, len(overrides)) if word in overrides[n].set]
    if later:
        return (
            f"override {later[-1] + 1} of the list ({overrides[later[-1]].reason}) sets it again, and the last one wins"
        )
    return "it meets only ports without a cable, and these stay down"


def ends(design: Design) -> Iterator[Diagnostic]:
    """OVR-04: an override whose last day is over."""
    for number, override in enumerate(design.model.overrides):
        if design.today is not None and override.until is not None and override.until < design.today:
            days = (design.today - override.until).days
            message = f"this override ended on {override.until}, {counted(days, 'day')} ago ({override.reason})"
            hint = "take it out, or give it a later `until`: until then it still holds"
            yield design.warning("OVR-04", f"overrides.{number}.until", message, hint)
