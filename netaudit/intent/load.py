"""The intent that a file holds, or every problem of it at once, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from netaudit.diag import Diagnostic, Invalid, Severity, Source
from netaudit.intent import consistency, later
from netaudit.intent.beside import tables_beside
from netaudit.intent.expand import expanded
from netaudit.intent.include import included
from netaudit.intent.nodes import lines
from netaudit.intent.partial import Partial, partial, whole
from netaudit.intent.problems import described
from netaudit.intent.raw import raw_beside
from netaudit.intent.schema import IntentModel
from netaudit.intent.tables import CableRow, DeviceRow
from netaudit.intent.text import At, Data, Document, parse, read_text

if TYPE_CHECKING:
    from netaudit.hardware import NicModel, SwitchModel
    from netaudit.intent.own import OwnHardware


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What was asked for, and where each part of it is written."""

    model: IntentModel
    file: str
    """As it was given."""
    devices: tuple[DeviceRow, ...]
    cables: Mapping[frozenset[str], CableRow]
    """The two ends, `device:cage[/sub]`, as written → the row."""
    host_names: Mapping[tuple[str, int], str]
    """(unit, index) → name; hosts without a name of their own are not here."""
    host_ports: Mapping[tuple[str, int], Mapping[str, str]]
    """(unit, index) → NIC port (`r2/a`) → the port id it sends by LLDP."""
    host_status: Mapping[tuple[str, int], str]
    """(unit, index) → planned, active, drained or retired; hosts that are as their unit is are not here."""
    hardware: Mapping[str, SwitchModel | NicModel]
    """Models of the site's own, by name."""
    raw: tuple[str, ...]
    """The text of each entry of `model.raw`."""
    warnings: tuple[Diagnostic, ...]
    """What can be built and is unlikely to be meant."""
    workspace: tuple[Path, ...]
    """Files of the other fabrics that stand beside this one."""
    document: Document = field(repr=False)
    texts: Mapping[str, tuple[str, ...]] = field(repr=False)
    """The lines of every file that was read."""

    def source(self, path: str) -> Source | None:
        """Where a path (`leaf.model`, `overrides.0.set.speed`) is written, or its nearest ancestor; `None` for none."""
        nearest = self.document.nearest(tuple(path.split(".")))
        return nearest[1].best if nearest else None

    def given(self, path: str) -> bool:
        """Whether that very path is written; if not, its value is the schema's default."""
        return tuple(path.split(".")) in self.document.marks

    def text(self, source: Source) -> str:
        """The line that a source stands in; empty for a file that is not of this intent."""
        rows = self.texts.get(source.file, ())
        return rows[source.line - 1] if 0 < source.line <= len(rows) else ""


def load(path: Path) -> Intent:
    """The intent in a file, or in the only fabric file of a folder. Raises `Invalid` with all problems of it."""
    path = _file_of(path)
    file = str(path)
    document = parse(read_text(path, file), file)
    if not isinstance(document.data, Mapping):
        raise Invalid([*document.problems.values(), _no_mapping(document)])
    parts = included(document, path.parent)
    document = parts.document
    assert isinstance(document.data, Mapping)
    soon = tuple(later.unsupported(document))
    document, data, wrong = expanded(document, later.without(document.data, later.removed(document)))
    read, errors = _model(document, data)
    found = [*document.problems.values(), *parts.problems]
    found += [diagnostic for at, diagnostic in (*wrong, *errors) if not _below(at, document.problems)]
    places = {diagnostic.source for diagnostic in found}  # one error a place: what follows from it is noise
    found += [diagnostic for _, diagnostic in soon if diagnostic.source not in places]
    own = _own(path.parent, read, document)
    if own is not None:
        read = own[0]
    beside = tables_beside(path.parent, read, document)
    raw = raw_beside(path.parent, read, document)
    places |= {diagnostic.source for diagnostic in found}
    found += [diagnostic for diagnostic in consistency.problems(read, document) if diagnostic.source not in places]
    everything = tuple(dict.fromkeys((*found, *(own[1].problems if own else ()), *beside.problems, *raw.problems)))
    if any(diagnostic.severity is Severity.ERROR for diagnostic in everything):
        raise Invalid(everything)
    return Intent(
        model=read.model,
        file=file,
        devices=beside.devices,
        cables=beside.cables,
        host_names={(host.unit, host.index): host.name for host in beside.hosts if host.name},
        host_status={(host.unit, host.index): host.status for host in beside.hosts if host.status},
        host_ports={(host.unit, host.index): host.ports for host in beside.hosts if host.ports},
        raw=raw.snippets,
        warnings=everything,
        document=document,
        hardware=own[1].entries if own else {},
        texts={file: document.lines, **document.others, **(own[1].texts if own else {}), **beside.texts, **raw.texts},
        workspace=parts.fabrics,
    )


def _own(folder: Path, read: Partial, document: Document) -> tuple[Partial, OwnHardware] | None:
    """The intent that knows its own models, and those; `None` where it names no files of them."""
    if not read.has(frozenset({"hardware"})) or not read.model.hardware:
        return None
    from netaudit.intent.own import own_hardware, with_own  # a schema of its own, which few intents have use for

    found = own_hardware(folder, read, document)
    return with_own(read, found), found


def _below(at: At, paths: Mapping[At, Diagnostic]) -> bool:
    return any(at[:length] in paths for length in range(1, len(at) + 1))


def _file_of(path: Path) -> Path:
    """The file itself, or the only one in a folder that describes a fabric."""
    found = fabric_files(path)
    if len(found) == 1:
        return found[0]
    message = f"`{path}` is a folder with no fabric in it"
    hint = "name the file; a fabric's file has the key `fabric:`"
    if found:
        message = f"`{path}` is a folder with {len(found)} fabrics in it"
        hint = "name one: " + ", ".join(str(file) for file in found[:10])
    raise Invalid([Diagnostic(message=message, source=Source(file=str(path), line=1), hint=hint)])


def fabric_files(path: Path) -> tuple[Path, ...]:
    """The files of a folder that describe a fabric each; of anything else itself."""
    try:
        if not path.is_dir():
            return (path,)
    except OSError:  # a name too long for the system: the reader says so
        return (path,)
    return tuple(file for file in sorted((*path.glob("*.yml"), *path.glob("*.yaml"))) if _has_fabric(file))


def _has_fabric(file: Path) -> bool:
    try:
        return any(line.startswith("fabric:") for line in lines(read_text(file, str(file))))
    except Invalid:
        return False


def _no_mapping(document: Document) -> Diagnostic:
    source = document.marks[()].value if () in document.marks else Source(file=document.file, line=1)
    if document.data is None:
        return Diagnostic(
            message="this intent is empty", source=source, hint="`netaudit init DIR` writes one to start from"
        )
    return Diagnostic(
        message="an intent is a mapping of keys to values", source=source, hint="for example fabric: tokyo-gpu1"
    )


def _model(document: Document, data: Mapping[str, Data]) -> tuple[Partial, list[tuple[At, Diagnostic]]]:
    """As much of the model as can be read, and what is wrong with the rest."""
    try:
        return whole(IntentModel.model_validate(data)), []
    except ValidationError as error:
        return partial(data), list(described(error.errors(include_url=False), document))
