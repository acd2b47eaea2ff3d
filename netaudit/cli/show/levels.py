"""Which level decides a leaf: default, fabric, role, unit, cables.csv, devices.csv or override (DESIGN.md, rule 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from netaudit.cli.show.cables import Cable, cable
from netaudit.cli.show.fields import origin, value
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import said
from netaudit.diag import Source
from netaudit.expect import Expected
from netaudit.expect.overrides import FIELDS
from netaudit.fabric import Fabric
from netaudit.intent import IntentModel
from netaudit.intent.partial import section_of
from netaudit.intent.schema.base import Section
from netaudit.state import Device, Place
from netaudit.state.walk import Path, matches

PINNED: Mapping[str, str] = {
    "system.hostname": "name",
    "system.hwsku": "hwsku",
    "system.hardware": "hwsku",
    "system.mac": "mac",
    "system.serial": "serial",
    "system.asn": "asn",
    "bgp.asn": "asn",
    "bgp.router_id": "loopback",
    "interfaces.Loopback0.addresses": "loopback",
}
"""Leaf pattern → column of devices.csv that says it."""

BY_CABLE = ("buffers.ports.*.cable_length_m", "buffers.ports.*.groups")
LONGEST = 32
"""Characters of a written value that a table has room for. Judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What one level says of a leaf, as it is written there; an empty `value` is nothing."""

    name: str
    value: str = ""
    where: str = ""
    source: Source | None = None
    note: str = ""
    wins: bool = False


def levels(expected: Expected, device: Device, at: Target, path: Path, formula: str = "") -> tuple[Level, ...]:
    """Every level that could speak, the weakest first; the last that does wins.

    `formula` takes the place of the one that the leaf's origin has.
    """
    plain = origin(device, path)
    below = device
    if plain.startswith("overrides."):
        below = without_overrides(expected).device(at.device)
    key = f"={formula}" if formula else precise(expected.built, below, at, path)
    place = expected.built.devices[at.device].place
    found = [
        *_base(expected, below, path, key, place),
        *_measured(expected, at, path),
        _pinned(expected, at, path),
        *_overrides(expected, at, path),
    ]
    last = max((i for i, level in enumerate(found) if level.value), default=None)
    return tuple(replace(level, wins=i == last) for i, level in enumerate(found))


def without_overrides(expected: Expected, keep: int | None = None) -> Expected:
    """The same fabric with no override, or with one alone."""
    intent = expected.built.intent
    kept = () if keep is None else (intent.model.overrides[keep],)
    model = intent.model.model_copy(update={"overrides": kept})
    return Expected(replace(expected.built, intent=replace(intent, model=model)))


def precise(fabric: Fabric, device: Device, at: Target, path: Path) -> str:
    """The origin of a leaf, narrowed from a section to the key in it that speaks of this device or port."""
    found = origin(device, path)
    if found == "devices" and path[-1] == "asn":
        return "bgp.asn_base"  # what the pin stands above
    if found == "names":
        return f"names.{fabric.devices[at.device].place.role}"
    if found == "cables" and (port := _port_of(path)):
        wire = cable(fabric, at.device, port)
        return f"cables.{wire.kind}" if wire else found
    if found == "traffic" and path[:2] == ("qos", "dscp_to_tc") and path[-1].isdecimal():
        named = (name for name, kind in fabric.intent.model.traffic.items() if int(path[-1]) in kind.dscp)
        return f"traffic.{next(named, 'default')}.dscp"
    return found


def _port_of(path: Path) -> str | None:
    return path[2] if path[1:2] == ("ports",) and len(path) > 2 else None


# ── what is written, or the schema has ────────────────────────────────────────────────────────────────────────────


def _base(expected: Expected, device: Device, path: Path, key: str, place: Place) -> Iterator[Level]:
    """default, fabric, role and unit: at most two of them speak."""
    intent = expected.built.intent
    if key.startswith("=") or not key or key == "devices":
        formula = key.removeprefix("=") if key.startswith("=") else ""
        found = value(device, path)
        text = said(path[-1], found) if formula and found is not None else ""
        yield Level(name="default", value=text, where=f"formula: {formula}" if formula else "")
        written = None
    else:
        given = intent.given(key)
        text = schema_default(key) or ("" if given else in_force(intent.model, key))
        yield Level(name="default", value=text, where=f"schema, {key}" if text else "")
        source = intent.source(key) if given else None
        written = Level(name=_level(key), value=_written(expected, key), where=f"{source}, {key}", source=source)
        written = written if given else None
    names = ["fabric", f"role {place.role}", *([f"unit {place.unit}"] if place.unit else [])]
    if written and written.name not in names:
        names.insert(1, written.name)
    for name in names:
        yield written if written and written.name == name else Level(name=name)


def _level(key: str) -> str:
    head, _, rest = key.partition(".")
    if head in ("leaf", "spine", "superspine"):
        return f"role {head}"
    return f"unit {rest.partition('.')[0]}" if head == "units" and rest else "fabric"


def _written(expected: Expected, key: str) -> str:
    document = expected.built.intent.document
    found = document.marks.get(tuple(key.split(".")))
    if found is None:
        return ""
    text = document.written(found.value)
    if not found.scalar and not text.startswith(("[", "{")):
        return "…"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def schema_default(key: str) -> str:
    """The schema's default of a path, as an intent would write it; empty where it demands a value or knows no key."""
    section: type[Section] = IntentModel
    parts = key.split(".")
    while parts:
        part = parts.pop(0)
        field = next((f for name, f in section.model_fields.items() if part in (name, f.alias)), None)
        if field is None:
            return ""
        if not parts:
            extra = field.json_schema_extra
            if isinstance(extra, dict) and "default" in extra:
                return str(extra["default"])
            return "" if field.is_required() else spelled(field.get_default(call_default_factory=True))
        inner, free = section_of(field.annotation)
        if inner is None:
            return ""
        section = cast("type[Section]", inner)
        if free:
            parts.pop(0)
    return ""


def in_force(model: object, key: str) -> str:
    """The value that the model has at a path, as text; empty for a section."""
    node = model
    for part in key.split("."):
        if isinstance(node, Mapping):
            node = node.get(part)
        elif isinstance(node, Section):
            fields = type(node).model_fields
            name = next((name for name, f in fields.items() if part in (name, f.alias)), "")
            node = getattr(node, name, None)
    return spelled(node)


def spelled(found: object) -> str:
    """A value of the model as an intent writes it; empty for sections and for nothing."""
    if found is None or isinstance(found, Section | Mapping):
        return "…" if isinstance(found, Section | Mapping) else ""
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, tuple):
        return f"[{', '.join(map(str, found))}]" if found else ""
    return str(found)


# ── what stands beside the intent ─────────────────────────────────────────────────────────────────────────────────


def _measured(expected: Expected, at: Target, path: Path) -> Iterator[Level]:
    """The measured cable, where the leaf depends on a length and the intent names a table."""
    port = _port_of(path)
    table = expected.built.intent.model.cables.measured
    if port is None or table is None or not any(matches(pattern, path) for pattern in BY_CABLE):
        return
    wire: Cable | None = cable(expected.built, at.device, port)
    if wire is None or not wire.measured:
        yield Level(name="cables.csv")
    else:
        yield Level(name="cables.csv", value=f"{wire.length_m:g}m", where=str(wire.source), source=wire.source)


def _pinned(expected: Expected, at: Target, path: Path) -> Level:
    column = next((c for pattern, c in PINNED.items() if matches(pattern, path)), None)
    row = expected.built.devices[at.device].row
    text = row.row.text(column) if row is not None and column is not None else None
    if row is None or column is None or text is None:
        return Level(name="devices.csv")
    source = row.cell(column)
    return Level(name="devices.csv", value=text, where=f"{source}, {column}", source=source)


def _overrides(expected: Expected, at: Target, path: Path) -> Iterator[Level]:
    """Every override that speaks of this leaf, the last of which holds."""
    intent = expected.built.intent
    key = next((key for key, field in FIELDS.items() if path[0] == "ports" and path[-1] == field), None)
    silent = True
    for number, override in enumerate(intent.model.overrides):
        if key is None or key not in override.set:
            continue
        alone = without_overrides(expected, keep=number).device(at.device)
        if not origin(alone, path).startswith("overrides."):
            continue
        silent = False
        full = f"overrides.{number}.set.{key}"
        source = intent.source(full)
        until = f", until {override.until}" if override.until else ""
        note = f"{override.reason}{until}"
        yield Level(name="override", value=_written(expected, full), where=str(source), source=source, note=note)
    if silent:
        yield Level(name="override")
