"""Where text stands: columns, lines of a width, lists that are cut. Measured is what is seen, not what is sent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

WIDTH = 100
"""Columns of a report; a wider terminal gets no more."""
NARROW = 80
"""Below this a table drops its last column."""
LIST_LIMIT = 10
"""Lines of a list before it is cut."""
_PAINT = re.compile(r"\x1b\[[0-9;]*m")


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
