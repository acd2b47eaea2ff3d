"""The rows of a `pg_profile_lookup.ini`: what SONiC's traditional buffer model finds a profile with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from netaudit.diag import Diagnostic, Source
from netaudit.lint.table import Row, Table

COLUMNS: Final = ("speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset")
"""As buffermgrd reads them; the last may be missing."""
MAX_LINES: Final = 10_000
"""The longest published table has 45 rows. Judgement."""
MAX_PROBLEMS: Final = 50
"""Lines that are told: a file of another kind has thousands."""
_WORD = re.compile(r"\S+")
_DIGITS = re.compile(r"[0-9]{1,15}")
_LENGTH = re.compile(r"([0-9]{1,9})m")
_SIGNED = re.compile(r"-?[0-9]{1,9}")
LEAST_COLUMNS: Final = 6


def read_lookup(text: str, file: str, hwsku: str = "") -> Table:
    """The table; a line that cannot be read is a problem of it."""
    rows: list[Row] = []
    problems: list[Diagnostic] = []
    lines = text.split("\n")
    for number, line in enumerate(lines[:MAX_LINES], 1):
        words = [] if line.lstrip().startswith("#") else list(_WORD.finditer(line))
        if not words:
            continue
        wrong = list(_wrong(words, file, number))
        problems += wrong
        if not wrong:
            rows.append(_row(words, file, number))
        if len(problems) > MAX_PROBLEMS:
            break
    if len(lines) > MAX_LINES:
        source = Source(file=file, line=MAX_LINES + 1)
        problems.append(_problem(f"more than {MAX_LINES:,} lines: no table is that long; the rest is not read", source))
    return Table(file=file, kind="lookup", hwsku=hwsku, rows=tuple(rows), problems=tuple(problems))


def _source(word: re.Match[str], file: str, number: int) -> Source:
    return Source(file=file, line=number, column=word.start() + 1, width=len(word[0]))


def _problem(message: str, source: Source, hint: str = "") -> Diagnostic:
    return Diagnostic(message=message, source=source, hint=hint, rule="TAB-13")


def _wrong(words: list[re.Match[str]], file: str, number: int) -> Iterator[Diagnostic]:
    """Why a line is no row."""
    if not LEAST_COLUMNS <= len(words) <= len(COLUMNS):
        message = f"a row has {len(COLUMNS)} columns, the last may be missing; this line has {len(words)}"
        yield _problem(message, _source(words[0], file, number), f"the columns are {' '.join(COLUMNS)}")
        return
    for name, word in zip(COLUMNS, words, strict=False):
        form = {"cable": _LENGTH, "threshold": _SIGNED}.get(name, _DIGITS)
        if form.fullmatch(word[0]) is None:
            hint = {"cable": "a length is metres with their unit: 40m", "speed": "Mb/s: 800000"}.get(
                name, "bytes: 19456"
            )
            said = word[0][:40]
            yield _problem(
                f"`{said}` is no {name}: the switch would not find this row", _source(word, file, number), hint
            )


def _row(words: list[re.Match[str]], file: str, number: int) -> Row:
    found = {name: word[0] for name, word in zip(COLUMNS, words, strict=False)}
    first = words[0]
    width = words[-1].end() - first.start()
    return Row(
        speed_mbps=int(found["speed"]),
        length_m=int(found["cable"].removesuffix("m")),
        size_bytes=int(found["size"]),
        xon_bytes=int(found["xon"]),
        xoff_bytes=int(found["xoff"]),
        xon_offset_bytes=int(found["xon_offset"]) if "xon_offset" in found else None,
        source=Source(file=file, line=number, column=first.start() + 1, width=width),
        columns={name: _source(word, file, number) for name, word in zip(COLUMNS, words, strict=False)},
    )
