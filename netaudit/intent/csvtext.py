"""The rows of a CSV, each cell with its place: commas, optional double quotes, `#` for comment lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from netaudit.diag import Diagnostic, Source

_CELL = re.compile(r'\s*(?:"([^"]*+(?:""[^"]*+)*+)"\s*|([^,]*))(,|$)')
"""Possessive inside of quotes: a quote that is left open in 8 MiB would be tried from every character again."""
MAX_COLUMNS = 100
"""Judgement: the widest table has 11."""
MAX_ROWS = 200_000
"""Judgement: 1,500 switches have 96,000 ports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value and where it stands."""

    text: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line: column → cell. `source` marks the whole of it."""

    cells: Mapping[str, Cell]
    source: Source

    def text(self, column: str) -> str | None:
        """What is filled in; `None` for an empty cell and for a column that the file lacks."""
        cell = self.cells.get(column)
        return (cell.text or None) if cell else None

    def cell(self, column: str) -> Source:
        """Where a column's value stands, or the line if the file lacks the column."""
        cell = self.cells.get(column)
        return cell.source if cell else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The rows that could be read, and what is wrong with the others."""

    rows: tuple[Row, ...]
    problems: tuple[Diagnostic, ...]


def read(rows: tuple[str, ...], file: str, columns: tuple[str, ...], needed: tuple[str, ...]) -> Table:
    """The table in the lines of a file. The first line that is neither empty nor a comment names the columns."""
    problems: list[Diagnostic] = []
    found: list[Row] = []
    header: tuple[Cell, ...] | None = None
    for number, line in enumerate(rows, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(found) >= MAX_ROWS:
            message = f"more than {MAX_ROWS:,} rows"
            problems.append(Diagnostic(message=message, source=_whole(file, number, line)))
            break
        cells = _cells(line, file, number)
        if isinstance(cells, Diagnostic):
            problems.append(cells)
            if header is None:
                break
        elif header is None:
            header = cells
            problems.extend(_header_problems(header, columns, needed))
            if problems:
                break
        elif len(cells) != len(header):
            problems.append(_wrong_count(cells, header, file, number, line))
        else:
            named = {name.text: cell for name, cell in zip(header, cells, strict=True)}
            found.append(Row(cells=named, source=_whole(file, number, line)))
    if header is None and not problems:
        hint = f"the first line names the columns: {','.join(columns)}"
        problems.append(Diagnostic(message="this table is empty", source=Source(file=file, line=1), hint=hint))
    return Table(rows=tuple(found), problems=tuple(problems))


def _cells(line: str, file: str, number: int) -> tuple[Cell, ...] | Diagnostic:
    cells: list[Cell] = []
    position = 0
    while True:
        found = _CELL.match(line, position)
        if not found or (found[1] is None and found[2].lstrip().startswith('"')):
            source = Source(file=file, line=number, column=position + 1, width=max(1, len(line) - position))
            hint = 'a quoted cell ends with " before the comma, on the same line'
            return Diagnostic(message="this cell has unbalanced quotes", source=source, hint=hint)
        group = 1 if found[1] is not None else 2
        text = found[1].replace('""', '"') if group == 1 else found[2].strip()
        start = found.start(group)
        source = Source(file=file, line=number, column=start + 1, width=max(1, len(text)))
        cells.append(Cell(text=text.strip(), source=source))
        if len(cells) > MAX_COLUMNS:
            return Diagnostic(message=f"this line has more than {MAX_COLUMNS} cells", source=_whole(file, number, line))
        if not found[3]:
            return tuple(cells)
        position = found.end()


def _header_problems(
    header: tuple[Cell, ...], columns: tuple[str, ...], needed: tuple[str, ...]
) -> Iterator[Diagnostic]:
    names = [cell.text for cell in header]
    for position, cell in enumerate(header):
        if cell.text in names[:position]:
            yield Diagnostic(message=f"column `{cell.text}` stands here a second time", source=cell.source)
        elif cell.text not in columns:
            yield _unknown_column(cell, columns)
    misspelt = any(name not in columns for name in names)
    for name in needed:
        if name not in names and not misspelt:
            hint = f"columns: {','.join(columns)}"
            yield Diagnostic(message=f"column `{name}` is missing", source=header[0].source, hint=hint)


def _unknown_column(cell: Cell, columns: tuple[str, ...]) -> Diagnostic:
    close = get_close_matches(cell.text.lower(), columns, n=1)
    hint = f"did you mean `{close[0]}`?" if close else f"columns: {','.join(columns)}"
    if ";" in cell.text or "\t" in cell.text:
        hint = f"columns are separated by commas: {','.join(columns)}"
    return Diagnostic(message=f"unknown column `{cell.text}`", source=cell.source, hint=hint)


def _wrong_count(cells: tuple[Cell, ...], header: tuple[Cell, ...], file: str, number: int, line: str) -> Diagnostic:
    source = cells[len(header)].source if len(cells) > len(header) else _whole(file, number, line)
    message = f"this line has {len(cells)} cells, the header has {len(header)}"
    return Diagnostic(message=message, source=source, hint=f"columns: {','.join(cell.text for cell in header)}")


def _whole(file: str, number: int, line: str) -> Source:
    start = len(line) - len(line.lstrip())
    return Source(file=file, line=number, column=start + 1, width=max(1, len(line.strip())))
