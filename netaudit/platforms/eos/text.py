"""EOS configuration text as a tree: which line stands below which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

LARGEST: Final = 32 * 1024 * 1024
"""Characters of a text that are read; a running configuration of the largest chassis has a tenth of it."""
DEEPEST: Final = 6
"""Levels that a line can stand below another one: EOS has four (a neighbor of a family of a VRF of a router)."""
_FRAME = ("end", "exit", "exit-address-family")
"""Lines that end a block and say nothing."""


class Unreadable(ValueError):
    """Text that is not what EOS writes."""


@dataclass(slots=True)
class Line:
    """One command, its words set apart by single blanks, and the commands below it."""

    text: str
    number: int
    below: list[Line] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Its words; never none."""
        return self.text.split()


def parse(text: str) -> list[Line]:
    """The top lines of a configuration. Comments and the text of banners are left out; raises `Unreadable`."""
    if len(text) > LARGEST:
        raise Unreadable(f"the configuration is longer than {LARGEST} characters")
    if "\0" in text:
        raise Unreadable("the configuration is not text")
    top: list[Line] = []
    above: list[tuple[int, list[Line]]] = [(-1, top)]
    for number, raw in _commands(text):
        indent = len(raw) - len(raw.lstrip(" \t"))
        while above[-1][0] >= indent:
            above.pop()
        line = Line(text=" ".join(raw.split()), number=number)
        above[-1][1].append(line)
        if len(above) <= DEEPEST:
            above.append((indent, line.below))
    return top


def _commands(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) of what is a command."""
    banner = False
    for number, raw in enumerate(text.splitlines(), start=1):
        stripped = raw.strip()
        if banner:
            banner = stripped != "EOF"
            continue
        if not stripped or stripped.startswith("!") or (raw == stripped and stripped in _FRAME):
            continue
        if stripped in _FRAME:
            continue
        banner = raw.startswith("banner ")
        yield number, raw


def paths(lines: Iterable[Line], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every line with those that it stands below; a line that only opens a block is one, too."""
    for line in lines:
        here = (*above, line.text)
        yield here
        yield from paths(line.below, here)
