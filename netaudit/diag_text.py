"""How diagnostics read: `file:line:column: error: …`, the line, a caret under what is meant, and a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from netaudit.diag import Diagnostic, Severity, Source
from netaudit.terminal import WIDTH, Role, Style, seen_width

PLAIN = Style()
"""Unicode without colour: what a pipe gets."""
_MARGIN = 8
"""Columns before the text of a line: a number of five digits, and ` │ `."""
_SECRET = re.compile(r"""((?:password|secret|token)["']?\s*:\s*)("[^"]*"?|'[^']*'?|[^\s,}\]]+)""", re.IGNORECASE)
_REFERENCE = re.compile(r"""["']?(env|keyring|file):""")


def render_diagnostics(
    diagnostics: Iterable[Diagnostic], text_of: Callable[[Source], str], style: Style = PLAIN
) -> str:
    """The diagnostics as text, an empty line between two; `text_of` gives the line that a source stands in."""
    return "\n".join(_one(diagnostic, text_of, style) for diagnostic in diagnostics)


def line_of_file(source: Source) -> str:
    """The line of a source, read from its file; empty where it cannot be read (any more)."""
    try:
        changed_ns = Path(source.file).stat().st_mtime_ns
        rows = _rows(source.file, changed_ns)
    except (OSError, ValueError):
        return ""
    return rows[source.line - 1] if 0 < source.line <= len(rows) else ""


_GZIP: Final = b"\x1f\x8b"
"""What a file packed by gzip begins with (RFC 1952 section 2.3.1)."""


@lru_cache(maxsize=4)
def _rows(file: str, changed_ns: int) -> tuple[str, ...]:
    """The lines of a file, which is read once for all its problems as long as it does not change."""
    with Path(file).open("rb") as stream:
        data = stream.read(8 * 2**20)
    if data.startswith(_GZIP):
        return ()  # packed: there are no lines in it that a person could look at
    text = data.decode("utf-8-sig", "replace")
    return tuple(re.split("\r\n|[\r\n\x85\u2028\u2029]", text))


def _one(diagnostic: Diagnostic, text_of: Callable[[Source], str], style: Style) -> str:
    source = diagnostic.source
    role = {Severity.ERROR: Role.BAD, Severity.WARNING: Role.CARE}.get(diagnostic.severity, Role.QUIET)
    place = f"{style.paint(style.show(str(source)), Role.BOLD)}: " if source else ""
    rule = f"{diagnostic.rule} " if diagnostic.rule else ""
    rows = [f"{place}{style.paint(diagnostic.severity, role)}: {style.show(rule + diagnostic.message)}"]
    if source:
        rows += _excerpt(source, text_of(source), style, role)
    if diagnostic.hint:
        rows.append(f"      {style.paint('hint:', Role.QUIET)} {style.show(diagnostic.hint)}")
    return "\n".join(rows) + "\n"


def _excerpt(source: Source, line: str, style: Style, role: Role) -> list[str]:
    """The numbered line, cut to the part around the caret if it is long, and the caret."""
    if not line.strip():
        return []
    line = _without_secrets(line).rstrip()
    start = min(source.column - 1, len(line))
    stop = max(start + 1, min(start + source.width, len(line)))
    room = WIDTH - _MARGIN
    first = 0 if len(line) <= room else max(0, min(start - room // 3, len(line) - room))
    last = min(len(line), first + room)
    before, marked, after = line[first:start], line[start : min(stop, last)], line[min(stop, last) : last]
    if first and before:
        before = "…" + before[1:]
    if last < len(line):
        marked, after = (marked, after[:-1] + "…") if after else (marked[:-1] + "…", after)
    before, marked, after = style.show(before), style.show(marked), style.show(after)
    caret = style.paint("^" * max(1, seen_width(marked)), role)
    bar = style.symbol("│")
    return [f"{source.line:5} {bar} {before}{marked}{after}", f"      {bar} {' ' * seen_width(before)}{caret}"]


def _without_secrets(line: str) -> str:
    """The line with every password covered; a reference to one stays readable."""

    def cover(found: re.Match[str]) -> str:
        shown = found[2] if _REFERENCE.match(found[2]) else "*" * len(found[2])
        return found[1] + shown

    return _SECRET.sub(cover, line)
