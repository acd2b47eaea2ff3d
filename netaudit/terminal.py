"""How netaudit writes on a terminal: symbols, colour, visible control characters, folded names, numbers, columns.

Text is put together from pieces: `Style.show` for everything that came from a device or a file, `Style.paint` for the
colour of a role, then the layout functions, which measure what is seen and not what is sent.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TextIO

from netaudit.diag import Severity

WIDTH = 100
"""Columns of a report; a wider terminal gets no more."""
NARROW = 80
"""Below this a table drops its last column."""
LIST_LIMIT = 10
"""Lines of a list before it is cut."""


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
_PAINT = re.compile(r"\x1b\[[0-9;]*m")

_ASCII = str.maketrans(
    {
        **{"✔": "ok", "✖": "x", "▲": "!", "●": "i", "◌": "w", "▸": ">", "↶": "u", "·": "."},
        **{"≠": "!=", "→": "->", "←": "<-", "│": "|", "×": "x", "÷": "/", "–": "-", "…": "...", "−": "-", "±": "+/-"},
        **{"≤": "<=", "≥": ">=", "µ": "u", "‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "—": "-"},
    }
)
_FAMILIAR = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


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


# ── text of others ────────────────────────────────────────────────────────────────────────────────────────────────


def safe(text: str) -> str:
    r"""Return `text` with control, direction and invisible characters spelled out: `\x1b`, `\u202e`, `\n`.

    Every character of Unicode's categories C* (control, format, surrogate, private, unassigned) and the separators of
    lines and paragraphs is replaced, so that the result is one line, can be encoded, and reads in the order it has.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(c) if _hides(c) else c for c in text)


def _hides(character: str) -> bool:
    category = unicodedata.category(character)
    return category.startswith("C") or category in ("Zl", "Zp")


def _spelled(character: str) -> str:
    if character in _FAMILIAR:
        return _FAMILIAR[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def to_ascii(text: str) -> str:
    """Return `text` in ASCII: our signs in their second form, a separating `·` as `;`, all else spelled out."""
    if text.isascii():
        return text
    text = re.sub(r"(?<=\S) · (?=\S)", "; ", text).translate(_ASCII)
    return "".join(c if c.isascii() else _spelled(c) for c in text)


# ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_FOLD_AT_LEAST = 3  # two names are as short unfolded: `a-spine1, a-spine2`


def fold(names: Iterable[str], to: str = "..") -> tuple[str, ...]:
    """Return the names, those that differ in one number folded: `a-su3-r1..r4,r6-leaf`, `a-spine1..16`, `leaf:33–64`.

    Order is that of the first of each group; equal names count once. `to` stands between the ends of a range, except
    for ports, which take `–`.
    """
    rows = list(dict.fromkeys(tuple(re.split(r"(\d+)", name)) for name in names))
    longest = max((len(row) for row in rows), default=0)
    for at in range(longest - 2, 0, -2):  # numbers stand at odd indexes; the last one varies fastest
        rows = _fold_at(rows, at, to)
    return tuple("".join(row) for row in rows)


def fold_text(names: Iterable[str], to: str = "..") -> str:
    """Return the folded names as one text: `a-su3-r6..r8-leaf, a-spine9`."""
    return ", ".join(fold(names, to))


def _fold_at(rows: Sequence[tuple[str, ...]], at: int, to: str) -> list[tuple[str, ...]]:
    groups: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        groups.setdefault(_key_at(row, at), []).append(row)
    folded: dict[tuple[str, ...], None] = {}
    for row in rows:
        key = _key_at(row, at)
        if len(groups[key]) < _FOLD_AT_LEAST:
            folded[row] = None
            continue
        numbers = sorted(int(member[at]) for member in groups[key])
        folded[*key[:at], _ranges(numbers, key[at - 1], key[at + 1], to), *key[at + 2 :]] = None
    return list(folded)


def _key_at(row: tuple[str, ...], at: int) -> tuple[str, ...]:
    """Return the row without its number at `at`; the row itself where it has none that a range may hold (`007`)."""
    plain = at < len(row) and row[at].isdecimal() and row[at] == str(int(row[at]))
    return (*row[:at], "", *row[at + 1 :]) if plain else row


def _ranges(numbers: Sequence[int], before: str, after: str, to: str) -> str:
    """`1..r4,r6-leaf` for the part behind `a-su3-r`: inside a name the letters repeat, at its end they do not."""
    word = re.search(r"[A-Za-z]*$", before)
    again = word.group() if word and after else ""
    between = "–" if before.endswith((":", "/")) else to
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    spelled: list[str] = []
    for run in runs:
        if len(run) >= _FOLD_AT_LEAST:
            spelled.append(f"{run[0]}{between}{again}{run[-1]}")
        else:
            spelled += [str(number) for number in run]
    return f",{again}".join(spelled) + after


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def number(value: int) -> str:
    """`1,229,440`."""
    return f"{value:,}"


def counted(value: int, one: str, many: str = "") -> str:
    """`1 cause`, `1,204 drops`; `many` where the plural is not `one` with an s."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def share(part: float, whole: float) -> str:
    """Return `18 %`, a whole percent; never `0 %` or `100 %` unless it is exactly that. `–` of nothing."""
    if not whole:
        return "–"
    percent = 100 * part / whole
    if 0 < percent < 1:
        return "< 1 %"
    return "> 99 %" if 99 < percent < 100 else f"{percent:.0f} %"


def exact_bytes(value: int) -> str:
    """`408,576 B`: what a device is given."""
    return f"{value:,} B"


def rough_bytes(value: float) -> str:
    """`28.6 MB` (10^6), one decimal: sums."""
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value:.0f} B"


def duration(seconds: float) -> str:
    """`8.1 s`, `41 s`, `4 min 12 s`, `18 min 02 s`, `3 h 05 min`, `2 d 18 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s".replace(".0 s", " s")
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / 3600)
    return f"{hours // 24} d {hours % 24} h"


def moment(when: datetime, zone: tzinfo = UTC) -> str:
    """`2026-11-23 06:00 JST`: an aware time as a person reads it."""
    local = when.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M} {local.tzname()}"


def moments(when: datetime, zone: tzinfo = UTC) -> str:
    """`2026-11-23 06:00 JST (2026-11-22 21:00 UTC)`: a time of the site, UTC beside it where the two differ."""
    try:
        same = when.astimezone(zone).utcoffset() == UTC.utcoffset(None)
    except OverflowError:  # the last hours of the year 9999 have no time there
        same = True
    if same:
        return moment(when)
    return f"{moment(when, zone)} ({moment(when)})"


def stamp(when: datetime) -> str:
    """`2026-11-23T01:12:04Z`: an aware time in a log."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


# ── layout ────────────────────────────────────────────────────────────────────────────────────────────────────────


def seen_width(text: str) -> int:
    """Return how many columns `text` takes: none for colour and combining characters, two for wide ones (UAX #11)."""
    plain = _PAINT.sub("", text)
    if plain.isascii():
        return len(plain)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in plain if not unicodedata.combining(c))


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return `text` with blanks up to `width` columns, before it where `right`."""
    blanks = " " * (width - seen_width(text))
    return blanks + text if right else text + blanks


def spread(left: str, right: str, width: int = WIDTH) -> tuple[str, ...]:
    """Return `left` with `right` at the right edge; on a second line where both do not fit on one."""
    room = width - seen_width(left) - seen_width(right)
    if not right:
        return (left,)
    return (left + " " * room + right,) if room >= 2 else (left, pad(right, width, right=True))


def wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> tuple[str, ...]:
    """Return `text` in lines of at most `width` columns, between words, behind `first` and then `rest` (as wide).

    A word longer than a line stays whole: a command or a name broken in two cannot be copied.
    """
    rest = " " * seen_width(first) if rest is None else rest
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        head = rest if lines else first
        longer = f"{line} {word}" if line else word
        if line and seen_width(head) + seen_width(longer) > width:
            lines.append(head + line)
            line = word
        else:
            line = longer
    return (*lines, (rest if lines else first) + line)


def columns(
    rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), indent: int = 2, width: int = WIDTH
) -> tuple[str, ...]:
    """Return the rows in aligned columns two blanks apart; the columns in `right` end at one edge.

    Below 80 columns the last column is dropped where the table does not fit, and a last line says so.
    """
    lines = _aligned(rows, right, indent)
    if width >= NARROW or not rows or len(rows[0]) < 2 or all(seen_width(line) <= width for line in lines):
        return lines
    return (*_aligned([row[:-1] for row in rows], right, indent), " " * indent + "last column dropped: -o json has all")


def _aligned(rows: Sequence[Sequence[str]], right: frozenset[int], indent: int) -> tuple[str, ...]:
    widths = [max(seen_width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    return tuple(
        (" " * indent + "  ".join(pad(cell, widths[i], right=i in right) for i, cell in enumerate(row))).rstrip()
        for row in rows
    )


def cut(lines: Sequence[str], *, limit: int = LIST_LIMIT, indent: int = 2) -> tuple[str, ...]:
    """Return the lines, or the first `limit` and `… 246 more: --all`."""
    more = len(lines) - limit
    return tuple(lines) if more <= 0 else (*lines[:limit], f"{' ' * indent}… {more:,} more: --all")
