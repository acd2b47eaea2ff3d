"""The tables that an intent names, read from beside it, and whether they speak of devices and hosts that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from netaudit.diag import Diagnostic, Invalid
from netaudit.intent import tables, tiers
from netaudit.intent.nodes import lines
from netaudit.intent.partial import Partial
from netaudit.intent.ports import translator
from netaudit.intent.schema import IntentModel
from netaudit.intent.tables import CableRow, DeviceRow, HostRow
from netaudit.intent.text import Document, read_text

MAX_COMPARED = 5_000
"""Names that a misspelt one is compared with; a larger fabric would take seconds a row, and gets no suggestion."""
MAX_SUGGESTIONS = 100
"""Rows of a table that get a suggestion: a table of another fabric has thousands of strange rows."""
_NAMING = frozenset(
    {"planes", "rails", "units", "leaf.rails", "spine.count", "spine.per", "superspine", "blocks", "names", "capacity"}
)
"""Sections that say which devices there are, and how they are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What the tables hold."""

    devices: tuple[DeviceRow, ...] = ()
    cables: Mapping[frozenset[str], CableRow] = field(default_factory=dict)
    hosts: tuple[HostRow, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def tables_beside(folder: Path, read: Partial, document: Document) -> Beside:
    """The tables that the readable sections name; paths start at the folder of the file that names them."""
    model = read.model
    problems: list[Diagnostic] = []
    texts: dict[str, tuple[str, ...]] = {}

    def rows(name: str | None, *at: str) -> tuple[tuple[str, ...], str] | None:
        if name is None:
            return None
        mark = document.marks.get(at)
        file = str((Path(mark.value.file).parent if mark and mark.value.file in document.others else folder) / name)
        try:
            texts[file] = lines(read_text(Path(file), file))
        except Invalid as error:
            problems.extend(error.diagnostics)
            return None
        return texts[file], file

    devices: tuple[DeviceRow, ...] = ()
    cables: Mapping[frozenset[str], CableRow] = {}
    hosts: tuple[HostRow, ...] = ()
    if read.has(frozenset({"devices"})) and (found := rows(model.devices, "devices")):
        devices, wrong = tables.devices(*found)
        problems.extend(wrong)
        if read.has(_NAMING):
            devices, wrong = _placed(devices, model)
            problems.extend(wrong)
    if read.has(frozenset({"cables.measured"})) and (found := rows(model.cables.measured, "cables", "measured")):
        cables, wrong = tables.cables(*found, translator(read))
        problems.extend(wrong)
    if read.has(frozenset({"hosts.names"})) and (found := rows(model.hosts.names, "hosts", "names")):
        hosts, wrong = tables.hosts(*found)
        problems.extend((*wrong, *(_strangers(hosts, model) if read.has(frozenset({"units"})) else ())))
    return Beside(devices=devices, cables=cables, hosts=hosts, problems=tuple(problems), texts=texts)


def pattern_names(model: IntentModel) -> Mapping[str, str]:
    """Name by the pattern → place, of every switch of the fabric."""
    found: dict[str, str] = {}
    for plane in model.planes:
        for block, body in model.blocks.items():
            for number in range(1, body.count + 1):
                name = model.names.block.replace("{plane}", plane).replace("{block}", block)
                found[name.replace("{n}", str(number))] = f"{plane}/{block}/{number}"
        for unit in model.units:
            for rail in tiers.first_rails(model):
                name = model.names.leaf.replace("{plane}", plane).replace("{unit}", unit).replace("{rail}", str(rail))
                found[name] = f"{plane}/{unit}/r{rail}"
        spines = (("spine", model.names.spine, number) for _, number in tiers.spine_numbers(model))
        tops = (("superspine", model.names.superspine, number) for _, number in tiers.superspine_numbers(model))
        for role, pattern, number in (*spines, *tops):
            found[pattern.replace("{plane}", plane).replace("{n}", str(number))] = f"{plane}/{role}/{number}"
    return found


def _placed(rows: tuple[DeviceRow, ...], model: IntentModel) -> tuple[tuple[DeviceRow, ...], tuple[Diagnostic, ...]]:
    """Each row with its place, and the rows that have none in this fabric."""
    names = pattern_names(model)
    places = {place: name for name, place in names.items()}
    problems: list[Diagnostic] = []
    placed: list[DeviceRow] = []
    first: dict[str, DeviceRow] = {}
    for row in rows:
        column = "place" if row.place is not None else "name"
        known = places if row.place is not None else names
        text = row.place if row.place is not None else row.name
        if text is None:
            continue  # the cell was filled and could not be read: reported already
        if text not in known:
            near = get_close_matches(text, list(known), n=1) if _few(known, problems) else []
            problems.append(_nowhere(row, column, text, near))
            continue
        place = text if column == "place" else names[text]
        if place in first and (row.place is None or first[place].row.text("place") is None):
            message = f"{text} is already in line {first[place].source.line}, by its name or place"
            problems.append(Diagnostic(message=message, source=row.cell(column)))
        first.setdefault(place, row)
        placed.append(tables.named_place(row, place))
    return tuple(placed), tuple(problems)


def _few(known: Mapping[str, str], problems: list[Diagnostic]) -> bool:
    """Whether a suggestion is worth its time: each compares a name with every other."""
    return len(known) <= MAX_COMPARED and len(problems) < MAX_SUGGESTIONS


def _nowhere(row: DeviceRow, column: str, text: str, close: list[str]) -> Diagnostic:
    hint = f"did you mean `{close[0]}`?" if close else ""
    if column == "name":
        hint = hint or "a device with a name of its own needs its `place`, as a/su1/r3"
    return Diagnostic(message=f"this fabric has no {column} {text}", source=row.cell(column), hint=hint)


def _strangers(hosts: tuple[HostRow, ...], model: IntentModel) -> Iterator[Diagnostic]:
    """Hosts that the units do not have."""
    for number, host in enumerate(hosts):
        unit = model.units.get(host.unit)
        if unit is None:
            close = get_close_matches(host.unit, list(model.units), n=1) if number < MAX_SUGGESTIONS else []
            hint = f"did you mean `{close[0]}`?" if close else ""
            yield Diagnostic(message=f"there is no unit {host.unit}", source=host.row.cell("unit"), hint=hint)
        elif host.index > unit.hosts:
            message = f"unit {host.unit} has {unit.hosts} hosts, and this is number {host.index}"
            yield Diagnostic(message=message, source=host.row.cell("index"))
