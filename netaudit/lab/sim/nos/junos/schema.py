"""The grammar as a tree of kinds of statements, and what words of a line stand for in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

Head: TypeAlias = tuple[str, ...]
"""The words of one statement that make it what it is: `("unit", "0")`, `("mtu", "9216")`."""

_MARKS: Final = {"=": "leaf", "*": "leaves", "!": "flag", "~": "line", "...": "free"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kind:
    """One kind of statement."""

    words: Head
    """What it begins with; nothing, where the key or the value comes at once."""
    what: str
    """`container`, `list`, `leaf`, `leaves`, `flag`, `line` (the rest of the line), `free` (anything)."""
    element: str = ""
    """Its name in XML, where it begins with nothing."""
    allowed: str = ""
    """`256..16000`, or choices with bars between them; empty: any value."""
    one_line: bool = False
    below: tuple[Kind, ...] = ()
    at: int = 0
    """Its place among its brothers."""

    @property
    def ends(self) -> bool:
        """Whether nothing can stand below it."""
        return self.what not in ("container", "list")


Step: TypeAlias = tuple[Head, Kind]
Way: TypeAlias = tuple[Step, ...]


class Refusal(Exception):
    """What the box does not take: its words, the word that it stumbles over, and the hierarchy level."""

    def __init__(self, message: str, element: str = "", level: str = "") -> None:
        self.message = message
        self.element = element
        self.level = level
        super().__init__(message)


@cache
def root() -> tuple[Kind, ...]:
    """The statements at the top."""
    blocks: dict[str, list[str]] = {}
    for line in files(__package__).joinpath("grammar.txt").read_text(encoding="utf-8").splitlines():
        if line.endswith(":") and not line.startswith((" ", "#")):
            current = blocks.setdefault(line[:-1], [])
        elif line.strip() and not line.startswith("#"):
            current.append(line[2:])
    return _kinds(_lines(blocks["TOP"], blocks))


def _lines(lines: Sequence[str], blocks: Mapping[str, Sequence[str]]) -> list[tuple[int, str]]:
    """(depth, statement) of every line, shared blocks written out."""
    found: list[tuple[int, str]] = []
    for line in lines:
        depth, said = (len(line) - len(line.lstrip())) // 2, line.strip()
        if said.startswith("&"):
            found += [(depth + below, one) for below, one in _lines(blocks[said[1:]], blocks)]
        else:
            found.append((depth, said))
    return found


def _kinds(lines: Sequence[tuple[int, str]]) -> tuple[Kind, ...]:
    """The statements of the first line's depth, each with what stands below it."""
    kinds: list[Kind] = []
    starts = [at for at, (depth, _) in enumerate(lines) if depth == lines[0][0]]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        inside = lines[start + 1 : end]
        kinds.append(_kind(lines[start][1], _kinds(inside) if inside else (), len(kinds)))
    return tuple(kinds)


def _kind(said: str, below: tuple[Kind, ...], at: int) -> Kind:
    words = said.split()
    one_line = words[-1] == "|"
    words = words[: len(words) - one_line]
    mark = next((place for place, word in enumerate(words) if word in _MARKS), len(words))
    allowed = " ".join(words[mark + 1 :])
    keys = [word for word in words[:mark] if word.startswith("<")]
    fixed = tuple(word for word in words[:mark] if not word.startswith("<"))
    what = _MARKS[words[mark]] if mark < len(words) else "list" if keys else "container"
    element = keys[0].strip("<>") if keys and not fixed else ""
    return Kind(words=fixed, what=what, element=element, allowed=allowed, one_line=one_line, below=below, at=at)


def ways(words: Sequence[str]) -> Iterator[Way]:
    """The statements that the words of a `set` line make. Raises `Refusal`."""
    level, at = root(), 0
    way: Way = ()
    last: Way = ()
    while at < len(words):
        kind = _match(level, words, at)
        if kind is None:
            raise Refusal("syntax error", words[at], _level(way))
        start, at = at, at + len(kind.words)
        if kind.what == "container":
            way, level = (*way, (kind.words, kind)), kind.below
            last = way
            continue
        if kind.what == "list":
            if at == len(words):
                raise Refusal("missing argument.", words[start], _level(way))
            way, level = (*way, ((*kind.words, words[at]), kind)), kind.below
            at += 1
            last = way
            continue
        last = ()
        heads, at = _terminals(kind, words, at, way)
        for head in heads:
            yield (*way, (head, kind))
    if last:
        yield last


def _terminals(kind: Kind, words: Sequence[str], at: int, way: Way) -> tuple[list[Head], int]:
    """The statements that nothing stands below, one for each value, and where their words end."""
    if kind.what == "flag":
        return [kind.words], at
    if kind.what in ("line", "free"):
        return [(*kind.words, *words[at:])], len(words)
    if at >= len(words):
        raise Refusal("missing argument.", " ".join(kind.words), _level(way))
    values, at = _values(words, at)
    if kind.what == "leaf" and len(values) != 1:
        raise Refusal("syntax error", "[", _level(way))
    for value in values:
        check(kind, value, _level(way))
    return [(*kind.words, value) for value in values], at


def _level(way: Way) -> str:
    return " ".join(word for head, _ in way for word in head)


def _values(words: Sequence[str], at: int) -> tuple[list[str], int]:
    """The values that begin at a word, and where they end: one, or all in brackets; an expression counts as one."""
    if words[at] != "[":
        value, at = _one_value(words, at)
        return [value], at
    values: list[str] = []
    at += 1
    while at < len(words) and words[at] != "]":
        value, at = _one_value(words, at)
        values.append(value)
    return values, at + 1


def _one_value(words: Sequence[str], at: int) -> tuple[str, int]:
    """A word, or all of an expression in parentheses. Raises `Refusal` where that does not end."""
    if words[at] != "(":
        return words[at], at + 1
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] == "(") - (words[place] == ")")
        if depth == 0:
            return " ".join(words[at : place + 1]), place + 1
    raise Refusal("syntax error", "(")


def check(kind: Kind, value: str, level: str) -> None:
    """Refuse a value out of range. Raises `Refusal`."""
    low, dots, high = kind.allowed.partition("..")
    if dots:
        if not re.fullmatch(r"\d{1,10}(\.\d+)?", value, re.ASCII) or not float(low) <= float(value) <= float(high):
            said = f"Value must be a number from {low} to {high}"
            raise Refusal(f"number: '{value}': {said}", value, level)
    elif kind.allowed and value not in kind.allowed.split("|"):
        raise Refusal(f"invalid value '{value}'", value, level)


def _match(level: Sequence[Kind], words: Sequence[str], at: int) -> Kind | None:
    """The kind of statement that begins at a word; one that begins with nothing takes what no other does."""
    best: Kind | None = None
    for kind in level:
        size = len(kind.words)
        if tuple(words[at : at + size]) == kind.words and (best is None or size > len(best.words)):
            best = kind
    return best


def below(way: Way) -> tuple[Kind, ...]:
    """The statements that can stand below one."""
    return way[-1][1].below if way else root()


def partial(words: Sequence[str]) -> tuple[Way, Head]:
    """Where the words of a `delete` lead: to a level, and to how statements there begin. Raises `Refusal`."""
    level, at = root(), 0
    way: Way = ()
    while at < len(words):
        kind = _match(level, words, at)
        if kind is None:
            rest = tuple(words[at:])
            if any(one.words[: len(rest)] == rest for one in level):
                return way, rest
            raise Refusal("syntax error", words[at], _level(way))
        start, at = at, at + len(kind.words)
        if kind.ends:
            values = [] if kind.what in ("flag", "line", "free") or at >= len(words) else _values(words, at)[0]
            rest = tuple(values[:1]) if kind.what in ("leaf", "leaves") else tuple(words[at:])
            return way, (*words[start : start + len(kind.words)], *rest)
        if kind.what == "list" and at == len(words):
            raise Refusal("missing argument.", words[start], _level(way))
        head = kind.words if kind.what == "container" else (*kind.words, words[at])
        at += kind.what == "list"
        way, level = (*way, (head, kind)), kind.below
    return (way[:-1], way[-1][0]) if way else ((), ())


def by_element(level: Sequence[Kind], name: str) -> Mapping[str, Kind]:
    """What an XML element stands for at a level: the second word of two-word statements → kind, or `""` → kind."""
    found: dict[str, Kind] = {}
    for kind in level:
        if kind.element == name or kind.words[:1] == (name,):
            found[kind.words[1] if len(kind.words) > 1 else ""] = kind
    return found
