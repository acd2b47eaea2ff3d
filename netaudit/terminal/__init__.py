"""How netaudit writes on a terminal: symbols, colour, visible control characters, folded names, numbers, columns.

Text is put together from pieces: `Style.show` for everything that came from a device or a file, `Style.paint` for the
colour of a role, then the layout functions, which measure what is seen and not what is sent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

from netaudit.diag import Severity
from netaudit.terminal.characters import safe, to_ascii
from netaudit.terminal.layout import LIST_LIMIT, NARROW, WIDTH, columns, cut, pad, seen_width, spread, wrapped
from netaudit.terminal.names import fold, fold_text
from netaudit.terminal.numbers import counted, duration, exact_bytes, moment, moments, number, rough_bytes, share, stamp

__all__ = [
    "LIST_LIMIT",
    "NARROW",
    "WIDTH",
    "Role",
    "Style",
    "Symbol",
    "columns",
    "counted",
    "cut",
    "duration",
    "exact_bytes",
    "fold",
    "fold_text",
    "moment",
    "moments",
    "number",
    "pad",
    "rough_bytes",
    "safe",
    "seen_width",
    "share",
    "spread",
    "stamp",
    "style_of",
    "symbol_of",
    "to_ascii",
    "wrapped",
]


class Symbol(StrEnum):
    """The one sign of a state, always beside its word; stands at the start of a line or before its last text."""

    GOOD = "✔"
    ERROR = "✖"
    WARNING = "▲"
    INFO = "●"
    UNKNOWN = "?"
    WAIVED = "◌"
    RUNNING = "▸"
    UNDONE = "↶"
    UNTOUCHED = "·"
    NEW = "+"
    PERSISTING = "="
    RESOLVED = "-"
    DIFFERS = "≠"


class Role(StrEnum):
    """What a colour says; it only repeats what a word or symbol says."""

    GOOD = "good"
    BAD = "bad"
    CARE = "care"
    QUIET = "quiet"
    LINK = "link"
    UNKNOWN = "unknown"
    BOLD = "bold"


_SGR: Mapping[Role, str] = {  # ECMA-48 8.3.117, Select Graphic Rendition; the eight colours follow the user's scheme
    Role.GOOD: "32",
    Role.BAD: "1;31",
    Role.CARE: "33",
    Role.QUIET: "2",
    Role.LINK: "34",
    Role.UNKNOWN: "7",
    Role.BOLD: "1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What the reader's terminal can show. Made once a command by `style_of`; a pure value in tests."""

    unicode: bool = True
    colour: bool = False
    width: int = WIDTH

    def show(self, text: str) -> str:
        """Return `text` as it may be printed: one line, nothing hidden, in ASCII where the terminal needs that."""
        return self.symbol(safe(text))

    def symbol(self, text: str) -> str:
        """Return our own text or symbol in the terminal's characters."""
        return text if self.unicode else to_ascii(text)

    def paint(self, text: str, role: Role) -> str:
        """Return `text` in the colour of `role`; unchanged without colour. The text must be safe already."""
        return f"\x1b[{_SGR[role]}m{text}\x1b[0m" if self.colour and text else text


def style_of(stream: TextIO | None = None, environ: Mapping[str, str] | None = None) -> Style:
    """Return what `stream` (default stdout) can show, under the variables NO_COLOR, TERM, NETAUDIT_ASCII, COLUMNS."""
    stream = sys.stdout if stream is None else stream
    environ = os.environ if environ is None else environ
    terminal = stream.isatty()
    encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    colour = terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Style(
        unicode=encoding.startswith("utf") and environ.get("NETAUDIT_ASCII", "") in ("", "0"),
        colour=colour,
        width=min(WIDTH, _columns_of(stream, environ)) if terminal else WIDTH,
    )


def _columns_of(stream: TextIO, environ: Mapping[str, str]) -> int:
    said = environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH
    except (OSError, ValueError):  # a terminal that does not know its size, a stream without a descriptor
        return WIDTH


def symbol_of(severity: Severity) -> tuple[Symbol, Role]:
    """Return the sign of a severity and the role of its colour."""
    return {
        Severity.ERROR: (Symbol.ERROR, Role.BAD),
        Severity.WARNING: (Symbol.WARNING, Role.CARE),
        Severity.INFO: (Symbol.INFO, Role.QUIET),
    }[severity]
