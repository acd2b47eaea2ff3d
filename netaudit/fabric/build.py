"""From the intent to the fabric: places, names, numbers and addresses, and every reason why it cannot be built."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from functools import partial

from netaudit import hardware, platforms
from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.fabric import addressing
from netaudit.fabric.layout import DoesNotFit, layout
from netaudit.fabric.model import FabricDevice, FabricHost, Layout
from netaudit.fabric.topology import HOST_LEAF, LEAF_SPINE, Fabric
from netaudit.hardware import SwitchModel
from netaudit.intent import DeviceRow, Intent
from netaudit.state import Place


@dataclass(slots=True)
class _Problems:
    """What stands in the way, gathered until the end of the stage."""

    intent: Intent
    found: list[Diagnostic] = field(default_factory=list)

    def add(self, path: str, message: str, hint: str = "", source: Source | None = None) -> None:
        """Note one problem at an intent path, or at a place of another file."""
        where = source or self.intent.source(path)
        self.found.append(Diagnostic(message=message, source=where, hint=hint))


def build(intent: Intent, today: date | None = None) -> Fabric:
    """The fabric. Raises `Invalid` with every problem that prevents it: models, ports, pools, names, pins."""
    problems = _Problems(intent)
    models = {role: _model(intent, role, problems) for role in ("leaf", "spine")}
    layouts = _layouts(intent, models, problems)
    _pools(intent, problems)
    rows = _rows(intent, problems)
    devices: dict[str, FabricDevice] = {}
    if all(models.values()):
        for device in _devices(intent, {r: m for r, m in models.items() if m}, rows, problems):
            if device.name in devices:
                _same_name(devices[device.name], device, problems)
            devices[device.name] = device
    hosts = {h.name: h for h in _hosts(intent, problems)}
    for name in sorted(hosts.keys() & devices.keys()):
        row = devices[name].row
        source = row.cell("name") if row and row.name else None
        problems.add("hosts.names", f"`{name}` is the name of a host and of a switch", "names must differ", source)
    _unique(devices, problems)
    if problems.found:
        raise Invalid(problems.found)
    return Fabric(intent=intent, devices=devices, hosts=hosts, layouts=layouts, today=today)


def _model(intent: Intent, role: str, problems: _Problems) -> SwitchModel | None:
    name = intent.model.leaf.model if role == "leaf" else intent.model.spine.model
    platform = intent.model.leaf.platform if role == "leaf" else intent.model.spine.platform
    if platform not in platforms.names():
        problems.add(
            f"{role}.platform",
            f"platform `{platform}` is not supported yet",
            f"supported: {', '.join(platforms.names())}",
        )
    try:
        return hardware.switch(name)
    except KeyError:
        near = get_close_matches(name, hardware.switch_names(), 1)
        hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(hardware.switch_names())}"
        problems.add(f"{role}.model", f"no switch model `{name}` in the catalogue", hint)
        return None


def _layouts(intent: Intent, models: Mapping[str, SwitchModel | None], problems: _Problems) -> dict[str, Layout]:
    model = intent.model
    spine = model.spine
    groups = {
        "leaf": (
            [(HOST_LEAF, model.host_capacity, model.hosts.speed)],
            [(LEAF_SPINE, spine.count * spine.links, spine.speed)],
        ),
        "spine": ([(LEAF_SPINE, model.unit_capacity * model.rails * spine.links, spine.speed)], []),
    }
    result: dict[str, Layout] = {}
    for role, (down, up) in groups.items():
        chosen = models[role]
        platform = model.leaf.platform if role == "leaf" else spine.platform
        if chosen is None or platform not in platforms.names():
            continue
        try:
            result[role] = layout(chosen, platforms.platform(platform), down, up)
        except DoesNotFit as error:
            counts = ", ".join(f"{count} {kind} at {speed // 1000}G" for kind, count, speed in (*down, *up))
            hint = f"a {role} needs {counts}; smaller capacity, or a larger model"
            problems.add(_to_blame(intent, role, error), f"{role}: {error}", hint)
    return result


def _to_blame(intent: Intent, role: str, error: DoesNotFit) -> str:
    """The intent path that asks for what does not fit."""
    if error.kind == HOST_LEAF:
        capacity = "capacity.hosts" if intent.given("capacity.hosts") else "units"
        return "hosts.speed" if error.too_fast else capacity
    if error.too_fast:
        return "spine.speed"
    if role == "leaf":
        return "spine.links"
    return "capacity.units" if intent.given("capacity.units") else "units"


def _pools(intent: Intent, problems: _Problems) -> None:
    """Each pool holds all that the capacity is for, so that growth inside it never meets the end of one."""
    model, planes = intent.model, len(intent.model.planes)
    leaves = model.unit_capacity * model.rails
    highest = max(leaves, model.spine.count)
    for number, pool in enumerate(model.addressing.loopbacks):
        need = addressing.loopbacks_need(planes, highest, pool.max_prefixlen)
        if pool.prefixlen > need:
            what = f"{pool} has no room for {planes} planes of {leaves} leaves and {model.spine.count} spines"
            hint = f"a pool of /{need} or shorter: a quarter of a plane's slice is for its leaves, one for its spines"
            problems.add(f"addressing.loopbacks.{number}", what, hint if need >= 0 else "a smaller capacity")
    for number, pool in enumerate(model.addressing.hosts):
        need = addressing.blocks_need(planes, leaves, model.host_capacity, pool.max_prefixlen)
        if pool.prefixlen > need:
            block = addressing.block_length(model.host_capacity, pool.max_prefixlen)
            what = f"{pool} has no room for {planes} planes of {leaves} leaves with a /{block} each"
            hint = f"a pool of /{need} or shorter" if need >= 0 else "a smaller capacity"
            problems.add(f"addressing.hosts.{number}", what, hint)


def _same_name(one: FabricDevice, other: FabricDevice, problems: _Problems) -> None:
    row = next((d.row for d in (other, one) if d.row is not None and d.row.name), None)
    message = f"`{one.name}` is the name of both {one.place} and {other.place}"
    problems.add("names", message, "names must differ", row.cell("name") if row else None)


def _rows(intent: Intent, problems: _Problems) -> dict[str, DeviceRow]:
    """Rows of devices.csv by place, or by the pattern's name where they have no place."""
    rows: dict[str, DeviceRow] = {}
    for row in intent.devices:
        key = row.place or row.name or ""
        if key in rows:
            problems.add(
                "devices", f"two rows for `{key}`, the other is line {rows[key].source.line}", source=row.source
            )
        rows[key] = row
    return rows


def _places(intent: Intent) -> Iterator[tuple[Place, int, int]]:
    """(place, plane number from 0, index) of every switch: plane by plane, leaves before spines."""
    model = intent.model
    for number, plane in enumerate(model.planes):
        for unit, body in model.units.items():
            for rail in range(1, model.rails + 1):
                index = (body.id - 1) * model.rails + rail - 1
                yield Place(role="leaf", tier=0, plane=plane, unit=unit, rail=rail), number, index
        for spine in range(1, model.spine.count + 1):
            yield Place(role="spine", tier=1, plane=plane, number=spine), number, spine - 1


def _devices(
    intent: Intent, models: Mapping[str, SwitchModel], rows: Mapping[str, DeviceRow], problems: _Problems
) -> Iterator[FabricDevice]:
    used: set[str] = set()
    for place, plane, index in _places(intent):
        pattern = _pattern_name(intent, place)
        row = rows.get(str(place)) or rows.get(pattern)
        if row is not None:
            used.update((str(place), pattern))
        yield _device(intent, place, plane, index, models[place.role], row, pattern, problems)
    known = [str(place) for place, _, _ in _places(intent)]
    for key, row in rows.items():
        if key not in used:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean `{near[0]}`?" if near else "a place is plane/unit/r<rail> or plane/spine/<number>"
            problems.add("devices", f"`{key}` is no device of this fabric", hint, row.source)


def _pattern_name(intent: Intent, place: Place) -> str:
    pattern = intent.model.names.leaf if place.role == "leaf" else intent.model.names.spine
    return pattern.format(plane=place.plane, unit=place.unit, rail=place.rail, n=place.number, block=place.role)


def _device(
    intent: Intent,
    place: Place,
    plane: int,
    index: int,
    model: SwitchModel,
    row: DeviceRow | None,
    pattern: str,
    problems: _Problems,
) -> FabricDevice:
    number = index + 1
    loopbacks = _loopbacks(intent, place, plane, number, row)
    asn_number = index if place.role == "leaf" else 0
    asn = addressing.asn(intent.model.bgp.asn_base, plane, place.tier, asn_number)
    hwsku = (row.hwsku if row and row.hwsku else None) or model.default_hwsku
    if hwsku not in model.hwskus:
        source = row.cell("hwsku") if row else None
        problems.add(
            "devices",
            f"no HWSKU `{hwsku}` of {model.name} in the catalogue",
            f"known: {', '.join(model.hwskus)}",
            source,
        )
    platform = intent.model.leaf.platform if place.role == "leaf" else intent.model.spine.platform
    return FabricDevice(
        name=(row.name if row and row.name else None) or pattern,
        place=place,
        index=index,
        model=model,
        hwsku=hwsku,
        platform=platform,
        version=(row.version if row and row.version else None) or intent.model.versions.get(platform, ""),
        asn=row.asn if row is not None and row.asn is not None else asn,
        router_id=addressing.router_id(loopbacks, plane, place.tier, number),
        loopbacks=loopbacks,
        blocks=_blocks(intent, place, plane, index),
        row=row,
    )


def _loopbacks(intent: Intent, place: Place, plane: int, number: int, row: DeviceRow | None) -> tuple[str, ...]:
    planes = len(intent.model.planes)
    texts = [
        text
        for pool in intent.model.addressing.loopbacks
        if (text := _fitting(partial(addressing.loopback, pool, plane, planes, place.tier, number)))
    ]
    if row is not None and row.loopback:
        pinned = row.loopback.partition("/")[0]
        version = 6 if ":" in pinned else 4
        texts = [t for t in texts if (6 if ":" in t else 4) != version]
        texts.insert(0 if version == 4 else len(texts), f"{pinned}/{32 if version == 4 else 128}")
    return tuple(texts)


def _blocks(intent: Intent, place: Place, plane: int, index: int) -> tuple[str, ...]:
    if place.role != "leaf":
        return ()
    planes, hosts = len(intent.model.planes), intent.model.host_capacity
    found = (
        _fitting(partial(addressing.leaf_block, pool, plane, planes, index, hosts))
        for pool in intent.model.addressing.hosts
    )
    return tuple(block for block in found if block)


def _fitting(compute: Callable[[], object]) -> str:
    """The text; empty where the pool is too small, which `_pools` has said."""
    try:
        return str(compute())
    except addressing.TooSmall:
        return ""


def _hosts(intent: Intent, problems: _Problems) -> Iterator[FabricHost]:
    seen: dict[str, str] = {}
    for unit, body in intent.model.units.items():
        for index in range(1, body.hosts + 1):
            name = intent.host_names.get((unit, index), f"{unit}-h{index}")
            where = f"{unit} host {index}"
            if name in seen:
                problems.add("hosts.names", f"`{name}` is the name of both {seen[name]} and {where}")
            seen[name] = where
            yield FabricHost(name=name, unit=unit, index=index)


def _unique(devices: Mapping[str, FabricDevice], problems: _Problems) -> None:
    """No loopback twice; no ASN twice but the one that spines of a plane share (RFC 7938, topology.md section 4)."""
    loopbacks: dict[str, FabricDevice] = {}
    asns: dict[int, FabricDevice] = {}
    for device in devices.values():
        for loopback in device.loopbacks:
            other = loopbacks.setdefault(loopback, device)
            if other is not device:
                message = f"{loopback} is the loopback of {other.name} and {device.name}"
                _pinned_twice(problems, "loopback", "addressing.loopbacks", message, (device, other))
        other = asns.setdefault(device.asn, device)
        shared = other.place.role == device.place.role == "spine" and other.place.plane == device.place.plane
        if other is not device and not shared:
            message = f"ASN {device.asn} is that of {other.name} and {device.name}"
            _pinned_twice(problems, "asn", "bgp.asn_base", message, (device, other))


def _pinned_twice(
    problems: _Problems, column: str, path: str, message: str, devices: tuple[FabricDevice, FabricDevice]
) -> None:
    """What two devices share is told at the cell of devices.csv that pins it."""
    row = next((d.row for d in devices if d.row is not None and getattr(d.row, column)), None)
    hint = f"another {column} in this line, or none: the pattern gives each device its own" if row else ""
    problems.add(path, message, hint, row.cell(column) if row else None)
