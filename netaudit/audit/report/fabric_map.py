"""Where the causes are: one map a plane, units by rails, so that a bad rail is a column and a bad unit a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from netaudit.audit.findings import AuditResult, DeviceVerdict
from netaudit.audit.report.summary import SEVERITIES, concerned, states
from netaudit.terminal import counted

# design/README.md, Size: a cell is a switch with its sign up to 256 switches, a smaller one up to 2,048, then a unit.
LARGE = 256
HUGE = 2048
WORDS = {"error": "error", "warning": "warning", "info": "info", "unknown": "NOT AUDITED", "good": "as intended"}
_ORDER = ("error", "unknown", "warning", "info", "good")
_SPINES_A_ROW = 8
_UNITS_A_ROW = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One switch, or one unit of a huge fabric, on the map."""

    name: str
    label: str
    """What a screen reader says: `a-su1-r6-leaf: error, 2 causes`."""
    state: str
    """`error`, `warning`, `info`, `unknown` or `good`."""
    partly: bool
    """Some of it was NOT AUDITED, whatever else is said of it."""
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One unit, or a few spines. A place may be empty, or hold more than one switch."""

    head: str
    places: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The rows of one role; the leaves have no title but the rails above them."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneMap:
    """One plane."""

    name: str
    caption: str
    columns: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricMap:
    """The map of the whole fabric."""

    size: str
    """`normal`, `small` or `units`."""
    planes: tuple[PlaneMap, ...]


def fabric_map(result: AuditResult, anchors: Callable[[str], str]) -> FabricMap:
    """Return the map; `anchors` turns a device's name into the address of its part of the page."""
    draw = _drawer(result, anchors)
    planes = dict.fromkeys(device.place.plane for device in result.devices)
    count = len(result.devices)
    size = "normal" if count <= LARGE else "small" if count <= HUGE else "units"
    return FabricMap(
        size=size,
        planes=tuple(
            _plane(plane, [d for d in result.devices if d.place.plane == plane], draw, size) for plane in planes
        ),
    )


Draw = Callable[[Sequence[DeviceVerdict], str], Cell]


def _drawer(result: AuditResult, anchors: Callable[[str], str]) -> Draw:
    """Return what makes the cell of some switches, named by the worst of them."""
    state = states(result)
    named = {missing.device for missing in result.not_audited}
    causes: dict[str, int] = {}
    for finding in result.findings:
        for name in concerned(finding):
            causes[name] = causes.get(name, 0) + 1

    def draw(devices: Sequence[DeviceVerdict], name: str) -> Cell:
        worst = min(devices, key=lambda device: _ORDER.index(state[device.name]))
        partly = any(device.audited != "complete" or device.name in named for device in devices)
        found = sum(causes.get(device.name, 0) for device in devices)
        said = [WORDS[state[worst.name]], counted(found, "cause") if found else ""]
        said += ["NOT AUDITED in part"] if partly and state[worst.name] != "unknown" else []
        said += [worst.place.status] if worst.place.status != "active" else []
        many = [f"{len(devices)} switches, worst {worst.name}"] if len(devices) > 1 else []
        return Cell(
            name=name,
            label=f"{name}: {', '.join(filter(None, (*said, *many)))}",
            state=state[worst.name],
            partly=partly,
            href="#" + anchors(worst.name),
        )

    return draw


def _plane(plane: str, devices: Sequence[DeviceVerdict], draw: Draw, size: str) -> PlaneMap:
    leaves = [device for device in devices if device.place.unit]
    others: dict[str, list[DeviceVerdict]] = {}
    for device in devices:
        if not device.place.unit:
            others.setdefault(device.place.role, []).append(device)
    rails = sorted({device.place.rail for device in leaves}) if size != "units" else []
    width = (
        max([len(rails), *(min(_SPINES_A_ROW, len(some)) for some in others.values())], default=1)
        if size != "units"
        else _UNITS_A_ROW
    )
    blocks = [Block(title="", rows=tuple(_units(leaves, rails, width, draw)))] if leaves and rails else []
    if leaves and not rails:
        blocks = [Block(title="units", rows=tuple(_by_unit(plane, leaves, width, draw)))]
    blocks += [Block(title=_many(role), rows=tuple(_chunks(some, width, draw))) for role, some in others.items()]
    counts = [counted(len(leaves), "leaf", "leaves")] if leaves else []
    counts += [counted(len(some), role, _many(role)) for role, some in others.items()]
    heads = [f"r{rail}" for rail in rails] + [""] * (width - len(rails))
    return PlaneMap(name=plane, caption=", ".join(counts), columns=tuple(heads), blocks=tuple(blocks))


def _many(role: str) -> str:
    return role if role.endswith("s") else f"{role}s" if role in ("spine", "superspine") else role


def _units(leaves: Sequence[DeviceVerdict], rails: Sequence[int], width: int, draw: Draw) -> Iterable[Row]:
    by_place: dict[tuple[str, int], list[DeviceVerdict]] = {}
    for leaf in leaves:
        by_place.setdefault((leaf.place.unit, leaf.place.rail), []).append(leaf)
    for unit in dict.fromkeys(leaf.place.unit for leaf in leaves):
        places = [tuple(draw([leaf], leaf.name) for leaf in by_place.get((unit, rail), [])) for rail in rails]
        yield Row(head=unit, places=(*places, *[()] * (width - len(rails))))


def _by_unit(plane: str, leaves: Sequence[DeviceVerdict], width: int, draw: Draw) -> Iterable[Row]:
    """A unit is one cell, drawn as its worst leaf."""
    units: dict[str, list[DeviceVerdict]] = {}
    for leaf in leaves:
        units.setdefault(leaf.place.unit, []).append(leaf)
    cells = [draw(some, f"{plane} {unit}") for unit, some in units.items()]
    heads = list(units)
    for at in range(0, len(cells), width):
        part = [(cell,) for cell in cells[at : at + width]]
        yield Row(head=heads[at], places=(*part, *[()] * (width - len(part))))


def _chunks(devices: Sequence[DeviceVerdict], width: int, draw: Draw) -> Iterable[Row]:
    for at in range(0, len(devices), width):
        some = devices[at : at + width]
        numbers = [device.place.number or at + i for i, device in enumerate(some, 1)]
        head = str(numbers[0]) if len(some) == 1 else f"{numbers[0]}–{numbers[-1]}"
        cells = [(draw([device], device.name),) for device in some]
        yield Row(head=head, places=(*cells, *[()] * (width - len(cells))))


def worst_first(result: AuditResult, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names, those with the worst cause first, then in the order of the report."""
    rank: Mapping[str, int] = _ranks(result)
    return tuple(sorted(names, key=lambda name: rank.get(name, len(rank))))


def _ranks(result: AuditResult) -> dict[str, int]:
    rank: dict[str, int] = {}
    for severity in SEVERITIES:
        for finding in result.findings:
            if finding.severity is severity:
                for name in concerned(finding):
                    rank.setdefault(name, len(rank))
    return rank
