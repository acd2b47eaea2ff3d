"""The files of an intent with other lengths of cables in them: all that nobody asked to change stays as it is."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from netaudit.diag import Invalid, Source
from netaudit.intent import Intent, tables
from netaudit.intent.nodes import lines
from netaudit.intent.text import Data, parse
from netaudit.lengths.decide import Change

HEADER: Final = "a,b,length"
NAME: Final = "cables.csv"
_LINE: Final = re.compile("[^\r\n\x85\u2028\u2029]*(?:\r\n|[\r\n\x85\u2028\u2029]|$)")
_NO_END: Final = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One file: its text as it is, `None` where there is none, and as it shall be."""

    file: str
    before: str | None
    after: str


class Uneditable(Exception):
    """A change that has to be made by hand: why, and how."""

    def __init__(self, message: str, source: Source | None, hint: str) -> None:
        self.message, self.source, self.hint = message, source, hint
        super().__init__(message)


def edits(intent: Intent, changes: Sequence[Change], texts: Mapping[str, str]) -> tuple[Edit, ...]:
    """The table first, then the intent if it has to name it. `texts`: file → its text now. Raises `Uneditable`."""
    if not changes:
        return ()
    table = table_file(intent)
    if table is not None:
        after = _with_rows(intent, texts[table], changes)
        if not _holds(table, after, intent, changes):
            hint = f"{', '.join(HEADER.split(','))}: netaudit tune INTENT -o json  has the values"
            raise Uneditable(
                f"{table} cannot be rewritten without a risk for its rows", Source(file=table, line=1), hint
            )
        return (Edit(file=table, before=texts[table], after=after),)
    naming, name = _new_table(intent, texts)
    table = str(Path(naming.file).with_name(name))
    rows = "".join(f"{_cells(change, HEADER)}\n" for change in changes)
    return (
        Edit(file=table, before=None, after=f"{HEADER}\n{rows}"),
        Edit(file=naming.file, before=texts[naming.file], after=_naming(intent, naming, name, texts[naming.file])),
    )


def table_file(intent: Intent) -> str | None:
    """The table of measured cables that an intent names; `None` for none."""
    mark = intent.document.marks.get(("cables", "measured"))
    if intent.model.cables.measured is None or mark is None:
        return None
    return str(Path(mark.value.file).parent / intent.model.cables.measured)


def naming_file(intent: Intent) -> str:
    """The file in which the classes of cables are written."""
    source = intent.source("cables.leaf-spine")
    return source.file if source is not None else intent.file


def _with_rows(intent: Intent, text: str, changes: Sequence[Change]) -> str:
    """The table with those lengths: a cell is replaced where the cable has a row, else a row is added at the end."""
    rows = _lines(text)
    header = next((row for row in rows if row.strip() and not row.lstrip("\ufeff \t").startswith("#")), f"{HEADER}\n")
    ending = "\r\n" if header.endswith("\r\n") else "\n"
    added: list[str] = []
    for change in changes:
        row = intent.cables.get(frozenset((str(change.link.a), str(change.link.b))))
        if row is None:
            added.append(_cells(change, header) + ending)
            continue
        cell = row.row.cell("length")
        mark = int(cell.line == 1 and text.startswith("\ufeff"))
        line, start = rows[cell.line - 1], cell.column - 1 + mark
        rows[cell.line - 1] = line[:start] + _length(change) + line[start + cell.width :]
    if added and rows and not rows[-1].endswith(("\n", "\r")):
        rows[-1] += ending
    return "".join((*rows, *added))


def _lines(text: str) -> list[str]:
    """The lines with their ends, counted as the reader of the intent counts them."""
    return [line for line in _LINE.findall(text) if line]


def _holds(file: str, text: str, intent: Intent, changes: Sequence[Change]) -> bool:
    """Does a table hold the rows that the intent knows, with the new lengths?"""
    wanted = {ends: row.length_m for ends, row in intent.cables.items()}
    wanted |= {frozenset((str(change.link.a), str(change.link.b))): change.length_m for change in changes}
    found, problems = tables.cables(lines(text.removeprefix("\ufeff")), file, None)
    return not problems and {ends: row.length_m for ends, row in found.items()} == wanted


def _cells(change: Change, header: str) -> str:
    """A row in the order of the columns."""
    values = {"a": str(change.link.a), "b": str(change.link.b), "length": _length(change)}
    columns = [name.strip().strip('"').strip() for name in header.strip("\ufeff \r\n").split(",")]
    return ",".join(values.get(name, "") for name in columns)


def _length(change: Change) -> str:
    return f"{change.length_m:.9g}m"


def _new_table(intent: Intent, texts: Mapping[str, str]) -> tuple[Source, str]:
    """Where the intent's classes of cables stand, and a name for the table beside them that is not taken."""
    source = intent.source("cables.leaf-spine")
    if source is None or source.file not in texts:
        raise Uneditable(
            "the intent does not say where its cables are", source, "add `measured: cables.csv` to `cables`"
        )
    folder = Path(source.file).parent
    for name in (NAME, f"{intent.model.fabric}-{NAME}"):
        if not (folder / name).exists():
            return source, name
    hint = f"write `measured: {NAME}` below `cables` if that is the table, or name another one"
    raise Uneditable(f"{folder / NAME} is there, and the intent does not name it", source, hint)


def _naming(intent: Intent, at: Source, name: str, text: str) -> str:
    """The intent with `measured` beside the class of leaf-spine cables, checked by reading it."""
    rows = _lines(text)
    line = rows[at.line - 1]
    start = at.column - 1 + int(at.line == 1 and text.startswith("\ufeff"))
    key = line[:start].rpartition("leaf-spine")[0].strip("\ufeff")
    if key.strip(" '\"") == "":
        ending = "\r\n" if line.endswith("\r\n") else "\n"
        indent = key[: len(key) - len(key.lstrip(" "))] if key.strip() else key
        rows[at.line - 1] = line if line.endswith(("\n", "\r")) else line + ending
        rows.insert(at.line, f"{indent}measured: {name}{ending}")
    else:
        stop = start + at.width
        rows[at.line - 1] = f"{line[:stop]}, measured: {name}{line[stop:]}"
    after = "".join(rows)
    if not _adds_only(text, after, name):
        hint = f"add `measured: {name}` below `cables` by hand, and run this again"
        raise Uneditable("the table cannot be named in the intent without a risk for what stands beside", at, hint)
    return after


def _adds_only(before: str, after: str, name: str) -> bool:
    """Does the new text say the same as the old one, and that?"""
    try:
        one, other = (parse(text.removeprefix("\ufeff"), "").data for text in (before, after))
    except Invalid:
        return False
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    cables = one.get("cables")
    wanted: dict[str, Data] = {**one, "cables": {**cables, "measured": name}} if isinstance(cables, Mapping) else {}
    return wanted == dict(other)


def patch(changed: Sequence[Edit]) -> str:
    """A unified diff that `patch -p0` takes."""
    return "".join(line for edit in changed for line in _diff(edit))


def _diff(edit: Edit) -> Iterator[str]:
    old, new = _lines(edit.before or ""), _lines(edit.after)
    origin = "/dev/null" if edit.before is None else edit.file
    for line in difflib.unified_diff(old, new, fromfile=origin, tofile=edit.file):
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}"
