"""Which lines of the rendered files a leaf makes: the files with it and without it, compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction

from netaudit.platforms import Files
from netaudit.render import render
from netaudit.state import ABSENT, Device
from netaudit.state.walk import Path, with_leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a file, and where in it: `PORT|Ethernet0`, `router bgp 4200000000`."""

    file: str
    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What of a leaf stands in the files; or why nothing does."""

    lines: tuple[Line, ...] = ()
    reason: str = ""
    instead: tuple[Line, ...] = ()
    """Where another value would stand, for a leaf that is the platform's default."""


def rendered(device: Device, path: Path, value: object, files: Files | None = None) -> Rendered:
    """The lines that are there because of the leaf, and are not without it. `files` are the device's, if at hand."""
    if value is None:
        return Rendered(reason="not managed: nothing is written, the device keeps what it has")
    if value is ABSENT:
        return Rendered(reason="must be absent, so nothing is written")
    files = render(device) if files is None else files
    less = _try(device, path, None)
    own = lines_gone(files, less) if less is not None else ()
    other = _other(value) if len(own) != 1 else None
    changed = _try(device, path, other) if other is not None else None
    moved = lines_gone(files, changed) if changed is not None else ()
    if moved and (not own or len(moved) < len(own)):
        own = moved  # without the leaf a whole block may go; the lines that follow its value are fewer
    if own:
        return Rendered(lines=own)
    if isinstance(value, frozenset | tuple | Mapping) and not value:
        return Rendered(reason="nothing may be there, so nothing is written")
    instead = lines_gone(changed, files) if changed is not None else ()
    return Rendered(reason="what the platform does without a line, so nothing is written", instead=instead)


def _try(device: Device, path: Path, value: object) -> Files | None:
    try:
        return render(with_leaf(device, path, value))
    except (ValueError, KeyError, TypeError):  # a value that this platform cannot spell: then nothing is learned
        return None


def _other(value: object) -> object:
    """Another value of the same type; `None` where none is easy to make."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, Fraction):
        return value * 2 if value < 1 else value / 2
    return f"{value}-x" if isinstance(value, str) else None


def lines_gone(files: Files, others: Files) -> tuple[Line, ...]:
    """The lines of `files` that `others` have not, file by file."""
    found: list[Line] = []
    for name, text in files.items():
        gone = _json_gone if name.endswith(".json") else _text_gone
        found += [Line(file=name, place=place, text=line) for place, line in gone(text, others.get(name, ""))]
    return tuple(found)


def _json_gone(text: str, other: str) -> Iterator[tuple[str, str]]:
    return _json_lines(json.loads(text), json.loads(other or "{}"), ())


def _text_gone(text: str, other: str) -> Iterator[tuple[str, str]]:
    """By the order of lines, since equal ones stand in several blocks."""
    if text == other:
        return
    lines = tuple(_text_lines(text))
    before, after = [line for _, line in lines], [line for _, line in _text_lines(other)]
    for what, start, stop, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what in ("delete", "replace"):
            yield from lines[start:stop]


def _json_lines(node: object, other: object, at: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """`TABLE|key` and `"field": value` of every value that the other has not; an empty row is a line of its own."""
    if node == other:
        return
    if isinstance(node, dict) and node:
        theirs = other if isinstance(other, dict) else {}
        for key, item in node.items():
            yield from _json_lines(item, theirs.get(key), (*at, key))
    elif isinstance(node, dict):
        yield "|".join(at), "{}"
    else:
        yield "|".join(at[:-1]), f"{json.dumps(at[-1], ensure_ascii=False)}: {json.dumps(node, ensure_ascii=False)}"


def _text_lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line with the lines it is indented below; comment lines and ends of blocks say nothing."""
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!") or line.startswith("exit"):
            continue
        depth = len(raw) - len(raw.lstrip())
        above = [(level, words) for level, words in above if level < depth]
        yield " / ".join(words for _, words in above), line
        above.append((depth, line))
