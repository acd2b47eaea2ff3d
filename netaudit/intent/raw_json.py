"""A `raw` file of tables: every problem of it at its place, before anything is made of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from netaudit.diag import Diagnostic, Severity, Source

Judge = Callable[[tuple[str, ...]], "tuple[str, str] | None"]
"""(what is wrong, hint) with a table, a row or a field by its path."""

MAX_DEPTH = 8
"""Levels of brackets; a table has four. Judgement: far from Python's recursion limit."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_SHAPE = 'a file of tables reads {"TABLE": {"key": {"field": "value"}}}'


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of an object, and where it stands."""

    path: tuple[str, ...]
    start: int
    width: int
    again: bool


def json_problems(text: str, file: str, judge: Judge) -> Iterator[Diagnostic]:
    """What is wrong with a text: no JSON, a key that stands twice, another shape than tables of rows, what is ours."""
    deep = _too_deep(text)
    if deep is not None:
        yield _at(text, file, deep, 1, f"more than {MAX_DEPTH} brackets inside each other", _SHAPE)
        return
    try:
        data = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        yield _at(text, file, error.pos, 1, f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}", _SHAPE)
        return
    except ValueError as error:
        yield _at(text, file, 0, 1, f"this is no JSON: {error}", _SHAPE)
        return
    if not isinstance(data, dict) or not data:
        yield _at(text, file, 0, 1, "this is no object of tables" if data else "there is no table in it", _SHAPE)
        return
    keys = tuple(_keys(text))
    twice = [key for key in keys if key.again]
    for key in twice:
        hint = "one of the two says nothing: take it out"
        yield _at(text, file, key.start, key.width, f"`{key.path[-1][:60]}` stands here a second time", hint)
    for key in () if twice else keys:
        wrong = _wrong(data, key.path) or (judge(key.path) if len(key.path) <= 3 else None)
        if wrong is not None:
            yield _at(text, file, key.start, key.width, *wrong)


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no value")


def _too_deep(text: str) -> int | None:
    """Where brackets nest deeper than tables do."""
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token.group()
        depth += (word in "{[") - (word in "}]")
        if depth > MAX_DEPTH:
            return token.start()
    return None


def _keys(text: str) -> Iterator[_Key]:
    """Every key of a text that is JSON, in its order."""
    names: list[str | None] = []  # the key that is open on each level; `None` in a list
    heads: list[set[str]] = []
    waiting = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            names.append("" if word == "{" else None)
            heads.append(set())
            waiting = word == "{"
        elif word in "}]":
            names.pop()
            heads.pop()
            waiting = False
        elif word == ",":
            waiting = names[-1] is not None
        elif word == ":":
            waiting = False
        elif waiting:
            name = str(json.loads(word))
            names[-1] = name
            path = tuple(n for n in names if n is not None)
            yield _Key(path, token.start(), len(word), name in heads[-1])
            heads[-1].add(name)


def _wrong(data: object, path: tuple[str, ...]) -> tuple[str, str] | None:
    """Is it another thing than tables of rows of texts?"""
    value = data
    for name in path:
        value = value[name] if isinstance(value, Mapping) and name in value else None
    name, level = path[-1], len(path)
    if not name or not name.isprintable() or not _is_text(name):
        return f"{name[:60]!r} is no name of a table, a row or a field", "plain text"
    if level < 3:
        if not isinstance(value, Mapping):
            return f"`{name}` is no object of {'rows' if level == 1 else 'fields'}", _SHAPE
        return (f"`{name}` has no row", "name its rows, or leave it out") if level == 1 and not value else None
    if level > 3:
        return f"`{name}` is deeper than a field", _SHAPE
    listed = value if isinstance(value, list) else [value]
    if any(isinstance(one, bool | int | float) for one in listed):
        return f"`{name}` is not text", f'write "{json.dumps(value)}"' if not isinstance(value, list) else "in quotes"
    if not all(isinstance(one, str) and _is_text(one) for one in listed):
        return f"`{name}` is neither text nor a list of texts", 'CONFIG_DB holds texts: "value", or ["one", "two"]'
    return None


def _is_text(text: str) -> bool:
    """Nothing that a terminal or a file would take for something else: control characters, half a character."""
    return not any(ord(char) < 32 or 127 <= ord(char) < 160 or 0xD800 <= ord(char) < 0xE000 for char in text)


def _at(text: str, file: str, position: int, width: int, message: str, hint: str) -> Diagnostic:
    before = text[:position]
    column = position - (before.rfind("\n") + 1) + 1
    source = Source(file=file, line=before.count("\n") + 1, column=column, width=max(1, width))
    return Diagnostic(message=message, source=source, hint=hint, severity=Severity.ERROR)
