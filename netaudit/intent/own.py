"""The switch and NIC models of the site's own that an intent names files of, or what is wrong with them, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from netaudit import hardware
from netaudit.diag import Diagnostic, Invalid
from netaudit.hardware import NicModel, NicRow, Own, SwitchModel
from netaudit.intent.consistency import at
from netaudit.intent.own_switch import made, problems
from netaudit.intent.partial import Partial
from netaudit.intent.problems import described
from netaudit.intent.schema.hardware import OwnModels, OwnNic
from netaudit.intent.text import Document, parse, read_text

MAX_FILES = 20
"""Judgement: a site has a few models of its own."""
_PCIE_MBPS_A_LANE: Mapping[int, float] = {3: 7877, 4: 15754, 5: 31508, 6: 60500, 7: 121000}
"""PCIe generation → Mb/s of a lane after line coding: 8, 16 and 32 GT/s x 128/130; 60.5 Gb/s of Gen6 after FLIT and FEC
(requirements.md A3), and Gen7 twice that (judgement)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHardware:
    """What the files hold."""

    entries: Mapping[str, SwitchModel | NicModel] = field(default_factory=dict)
    wrong: frozenset[str] | None = frozenset()
    """Names of models that cannot be made of what is written; `None`: a file says nothing, so nobody knows."""
    problems: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def own_hardware(folder: Path, read: Partial, document: Document) -> OwnHardware:
    """The models of the files that `hardware` names; paths start at the folder of the file that names them."""
    entries: dict[str, SwitchModel | NicModel] = {}
    found: list[Diagnostic] = []
    texts: dict[str, tuple[str, ...]] = {}
    written: set[str] = set()
    unread = False
    for number, name in enumerate(read.model.hardware):
        source = document.content("hardware", str(number))
        if number >= MAX_FILES or name in read.model.hardware[:number]:
            message = f"more than {MAX_FILES} files" if number >= MAX_FILES else f"`{name}` is named twice"
            found.append(at.error(message, source))
            continue
        named_in = Path(source.file).parent if source and source.file in document.others else folder
        file = named_in / name
        try:
            part = parse(read_text(file, str(file)), str(file))
        except Invalid as error:
            missing = any(d.message.startswith("there is no file") for d in error.diagnostics)
            found += [at.error(f"there is no file `{name}`", source)] if missing else error.diagnostics
            unread = True
            continue
        texts[str(file)] = part.lines
        for section in part.data.values() if isinstance(part.data, Mapping) else ():
            written |= set(section) if isinstance(section, Mapping) else set()
        found += _file(part, entries)
    wrong = None if unread else frozenset(written - set(entries))
    return OwnHardware(entries=entries, wrong=wrong, problems=tuple(found), texts=texts)


def _file(document: Document, entries: dict[str, SwitchModel | NicModel]) -> Iterator[Diagnostic]:
    """Read one file into `entries`; yields what is wrong with it."""
    yield from document.problems.values()
    if not isinstance(document.data, Mapping):
        mark = document.marks.get(())
        hint = "switches: {acme-9064: {…}}"
        yield at.error("a file of models is a mapping with `switches` or `nics`", mark.value if mark else None, hint)
        return
    try:
        read = OwnModels.model_validate(document.data)
    except ValidationError as error:
        yield from (d for _, d in described(error.errors(include_url=False), document, OwnModels))
        return
    for kind, names in (("switches", read.switches), ("nics", read.nics)):
        for name in names:
            if taken := _taken(name, entries):
                yield at.error(f"`{name}` {taken}", at.key(document, kind, name), "another name")
    for name, switch in read.switches.items():
        wrong = list(problems(switch, document, ("switches", name)))
        yield from wrong
        if not wrong and not _taken(name, entries):
            entries[name] = made(name, switch, document.file)
    for name, nic in read.nics.items():
        if not _taken(name, entries):
            entries[name] = hardware.own_nic(name, _nic(nic), document.file)


def _taken(name: str, entries: Mapping[str, SwitchModel | NicModel]) -> str:
    if name in entries:
        return f"is a model of {entries[name].origin} already"
    if name in hardware.switch_names() or name in hardware.nic_names():
        return "is a model of the catalogue, whose figures are not overridden in silence"
    return ""


def _nic(nic: OwnNic) -> NicRow:
    return {
        "title": nic.title,
        "max_ports": nic.ports,
        "port_speeds_mbps": sorted(nic.speeds, reverse=True),
        "total_mbps": nic.together,
        "pcie_generation": nic.pcie,
        "pcie_lanes": nic.pcie_lanes,
        "pcie_mbps": int(_PCIE_MBPS_A_LANE[nic.pcie] * nic.pcie_lanes),
        "out_of_order": nic.out_of_order,
        "sources": dict.fromkeys(("max_ports", "port_speeds_mbps", "total_mbps", "out_of_order"), nic.source)
        | {"pcie_mbps": f"PCIe {nic.pcie}.0 x{nic.pcie_lanes}, after line coding"},
    }


def with_own(read: Partial, own: OwnHardware) -> Partial:
    """The intent whose names of models carry those of its own files."""
    model = read.model
    change: dict[str, object] = {}
    for section in ("leaf", "spine", "superspine", "hosts"):
        if (body := getattr(model, section, None)) is not None:
            change[section] = _named(body, own)
    if blocks := getattr(model, "blocks", None):
        change["blocks"] = {name: _named(block, own) for name, block in blocks.items()}
    return replace(read, model=model.model_copy(update=change))


def _named(body: BaseModel, own: OwnHardware) -> BaseModel:
    """A section whose model or NIC is one of the intent's own."""
    change: dict[str, str] = {}
    for key in ("model", "nic"):
        text = getattr(body, key, None)
        if not isinstance(text, str) or text in hardware.switch_names() or text in hardware.nic_names():
            continue
        if text in own.entries:
            change[key] = own.entries[text].name
        elif own.wrong is None or text in own.wrong:
            change[key] = Own(text)
    return body.model_copy(update=change) if change else body
