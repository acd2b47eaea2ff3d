"""NX-OS configuration text as a tree: what a line says is known by the lines it is indented below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from netaudit.platforms.nxos.answers_text import Unreadable

MOST_LINES = 1_000_000
"""A box of 2,048 interfaces and as many neighbors has about 60,000."""
MOST_PORTS = 512
"""Cages of a box, and some."""
_BANNERS = ("banner motd ", "banner exec ")


@dataclass(slots=True)
class Line:
    """One statement, with those below it."""

    text: str
    """As NX-OS means it: words with one blank between them."""
    written: str
    """As it stands in the text, with its end cut off; of a banner several lines."""
    below: list[Line] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Its words."""
        return self.text.split(" ")

    def find(self, beginning: str) -> Iterator[str]:
        """What follows `beginning` in each line directly below that begins so."""
        return (line.text[len(beginning) :] for line in self.below if line.text.startswith(beginning))

    def first(self, beginning: str) -> str | None:
        """What follows `beginning` in the last line directly below that begins so: NX-OS takes the last word."""
        found = None
        for rest in self.find(beginning):
            found = rest
        return found

    def has(self, text: str) -> bool:
        """Is a line directly below exactly that?"""
        return any(line.text == text for line in self.below)


def parse(text: str) -> list[Line]:
    """The outermost statements of a text. Blank lines and comments (`!`) mean nothing.

    Raises `Unreadable` for what no device writes: lines without number, and control characters.
    """
    if text.count("\n") > MOST_LINES:
        raise Unreadable(f"a configuration of more than {MOST_LINES:,} lines")
    if "\x00" in text:
        raise Unreadable("a NUL byte in the text: no configuration")
    outermost: list[Line] = []
    open_lines: list[tuple[int, Line]] = []
    rows = iter(text.splitlines())
    for row in rows:
        line = row.strip()
        if not line or line.startswith("!"):
            continue
        depth = len(row) - len(row.lstrip())
        while open_lines and open_lines[-1][0] >= depth:
            open_lines.pop()
        made = Line(text=" ".join(line.split()), written=row.rstrip())
        if not depth and line.startswith(_BANNERS):
            made.written = "\n".join((made.written, *_banner(line, rows)))
        (open_lines[-1][1].below if open_lines else outermost).append(made)
        open_lines.append((depth, made))
    return outermost


def _banner(line: str, rows: Iterator[str]) -> Iterator[str]:
    """The lines of a banner, up to the one with its delimiter: they are text, whatever they look like."""
    begun = line.split(" ", 2)[2]
    if begun[0] in begun[1:]:
        return
    for row in rows:
        yield row
        if begun[0] in row:
            return


def named(lines: Iterable[Line], beginning: str) -> Iterator[tuple[str, Line]]:
    """(what follows, the line) of each statement that begins so."""
    return ((line.text[len(beginning) :], line) for line in lines if line.text.startswith(beginning))


def number(word: str | None, what: str) -> int:
    """A whole number. Raises `Unreadable` for anything else, and for one no setting of NX-OS is as large as."""
    if word is None or not word.isascii() or not word.isdigit() or len(word) > 10:
        raise Unreadable(f"{what}: {(word or '')[:40]!r} is no number")
    return int(word)


def members(words: str, what: str, most: int = 4094) -> frozenset[int]:
    """`1,5-7` → {1, 5, 6, 7}. Raises `Unreadable` for anything else, and above `most`."""
    found: set[int] = set()
    for part in words.replace(" ", ",").split(","):
        first, _, last = part.partition("-")
        if not part:
            continue
        low, high = number(first, what), number(last or first, what)
        if high > most:
            raise Unreadable(f"{what}: {high} is more than {most}")
        found.update(range(low, high + 1))
    return frozenset(found)


def ranges(numbers: Iterable[int]) -> str:
    """{1, 5, 6, 7} → `1,5-7`."""
    runs: list[list[int]] = []
    for one in sorted(numbers):
        if runs and runs[-1][1] == one - 1:
            runs[-1][1] = one
        else:
            runs.append([one, one])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
