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
    rows = _rows(intent, problems)
    devices: dict[str, FabricDevice] = {}
    if all(models.values()):
        for device in _devices(intent, {r: m for r, m in models.items() if m}, rows, problems):
            if device.name in devices:
                other = devices[device.name].place
                problems.add(
                    "names", f"`{device.name}` is the name of both {other} and {device.place}", "names must differ"
                )
            devices[device.name] = device
    hosts = {h.name: h for h in _hosts(intent, problems)}
    for name in hosts.keys() & devices.keys():
        problems.add("names", f"`{name}` is the name of a host and of a switch")
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
    paths = {"leaf": "spine.links", "spine": "capacity.units"}
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
            problems.add(
                paths[role], f"{role}: {error}", f"a {role} needs {counts}; smaller capacity, or a larger model"
            )
    return result


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
    loopbacks = _loopbacks(intent, place, plane, number, row, problems)
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
        blocks=_blocks(intent, place, plane, index, problems),
        row=row,
    )


def _loopbacks(
    intent: Intent, place: Place, plane: int, number: int, row: DeviceRow | None, problems: _Problems
) -> tuple[str, ...]:
    pools = intent.model.addressing.loopbacks
    planes = len(intent.model.planes)
    found = [
        _tried(problems, "addressing.loopbacks", partial(addressing.loopback, pool, plane, planes, place.tier, number))
        for pool in pools
    ]
    texts = [text for text in found if text is not None]
    if row is not None and row.loopback:
        pinned = row.loopback.partition("/")[0]
        version = 6 if ":" in pinned else 4
        texts = [t for t in texts if (6 if ":" in t else 4) != version]
        texts.insert(0 if version == 4 else len(texts), f"{pinned}/{32 if version == 4 else 128}")
    return tuple(texts)


def _blocks(intent: Intent, place: Place, plane: int, index: int, problems: _Problems) -> tuple[str, ...]:
    if place.role != "leaf":
        return ()
    planes, hosts = len(intent.model.planes), intent.model.host_capacity
    found = [
        _tried(problems, "addressing.hosts", partial(addressing.leaf_block, pool, plane, planes, index, hosts))
        for pool in intent.model.addressing.hosts
    ]
    return tuple(block for block in found if block is not None)


def _tried(problems: _Problems, path: str, compute: Callable[[], object]) -> str | None:
    """The text, or `None` with the pool's problem noted (once for each pool, not for each device)."""
    try:
        return str(compute())
    except addressing.TooSmall as error:
        if not any(d.message.split(":")[0] == str(error).split(":")[0] for d in problems.found):
            problems.add(path, str(error), "a larger pool, or a smaller capacity")
        return None


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
    loopbacks: dict[str, str] = {}
    asns: dict[int, FabricDevice] = {}
    for device in devices.values():
        for loopback in device.loopbacks:
            if loopback in loopbacks:
                source = device.row.source if device.row else None
                problems.add(
                    "addressing.loopbacks",
                    f"{loopback} is the loopback of {loopbacks[loopback]} and {device.name}",
                    source=source,
                )
            loopbacks[loopback] = device.name
        other = asns.setdefault(device.asn, device)
        shared = other.place.role == device.place.role == "spine" and other.place.plane == device.place.plane
        if other is not device and not shared:
            source = device.row.source if device.row else None
            problems.add("bgp.asn_base", f"ASN {device.asn} is that of {other.name} and {device.name}", source=source)
