"""JSON with the place of every key and value: what a diagnostic points at."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from netaudit.diag import Diagnostic, Invalid, Source

MAX_DEPTH: Final = 32
"""CONFIG_DB has three levels. Judgement."""
MAX_VALUES: Final = 2_000_000
"""Values of a file: a switch of 512 ports has some 20,000. Judgement."""
_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
        (?P<mark>[{}\[\],:])
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<number>-?(?:0|[1-9][0-9]{0,40})(?:\.[0-9]{1,40})?(?:[eE][-+]?[0-9]{1,4})?)(?![0-9A-Za-z_.])
      | (?P<word>true|false|null)(?![0-9A-Za-z_])
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES: Mapping[str, str] = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value and where it begins. Numbers and words stay as written: CONFIG_DB has texts only."""

    value: str | Mapping[str, Node] | tuple[Node, ...]
    start: int
    """Offset of the value in the text."""
    key: int
    """Offset of its key; that of the value where it has none."""
    width: int

    @property
    def text(self) -> str | None:
        """The value, if it is a single one."""
        return self.value if isinstance(self.value, str) else None

    @property
    def table(self) -> Mapping[str, Node]:
        """The members, of an object; of everything else none."""
        return self.value if isinstance(self.value, Mapping) else {}


class Places:
    """Offset → line and column."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def source(self, offset: int, width: int = 1) -> Source:
        """The place of an offset."""
        line = bisect_right(self._starts, offset)
        return Source(file=self._file, line=line, column=offset - self._starts[line - 1] + 1, width=max(1, width))


def parse(text: str, file: str) -> Node:
    """The value of a text. Raises `Invalid` where it is not JSON, and for a key that stands twice."""
    tokens = _Tokens(text, Places(file, text))
    node = _value(tokens, 0)
    tokens.ended()
    return node


class _Tokens:
    def __init__(self, text: str, places: Places) -> None:
        self.text, self.places, self.at, self.values = text, places, 0, 0

    def refuse(self, message: str, offset: int, hint: str = "") -> Invalid:
        return Invalid([Diagnostic(message=message, source=self.places.source(offset), hint=hint, rule="TAB-13")])

    def next(self) -> tuple[str, str, int]:
        """(kind, text, offset) of the next token."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.lastgroup is None:
            rest = re.compile(r"[ \t\r\n]*").match(self.text, self.at)
            offset = rest.end() if rest else self.at
            said = repr(self.text[offset : offset + 1]) if offset < len(self.text) else "the end of the file"
            raise self.refuse(f"not JSON: {said} is not expected here", min(offset, max(0, len(self.text) - 1)))
        self.at = match.end()
        kind = match.lastgroup
        return kind, match[kind], match.start(kind)

    def expect(self, mark: str) -> int:
        kind, text, offset = self.next()
        if kind != "mark" or text != mark:
            raise self.refuse(f"not JSON: `{mark}` is expected, not {text[:40]}", offset)
        return offset

    def ended(self) -> None:
        if self.text[self.at :].strip(" \t\r\n"):
            _, text, offset = self.next()
            raise self.refuse(f"not JSON: {text[:40]} after the end of the value", offset)


def _value(tokens: _Tokens, depth: int, key: int | None = None, *, first: tuple[str, str, int] | None = None) -> Node:
    kind, text, offset = first or tokens.next()
    tokens.values += 1
    if tokens.values > MAX_VALUES or depth > MAX_DEPTH:
        what = f"{MAX_DEPTH} levels" if depth > MAX_DEPTH else f"{MAX_VALUES:,} values"
        raise tokens.refuse(f"more than {what}: no switch has such a file", offset)
    start = offset if key is None else key
    if kind == "mark" and text == "{":
        return Node(value=dict(_members(tokens, depth)), start=offset, key=start, width=1)
    if kind == "mark" and text == "[":
        return Node(value=tuple(_items(tokens, depth)), start=offset, key=start, width=1)
    if kind == "mark":
        raise tokens.refuse(f"not JSON: a value is expected, not `{text}`", offset)
    return Node(value=_plain(text) if kind == "string" else text, start=offset, key=start, width=len(text))


def _members(tokens: _Tokens, depth: int) -> Iterator[tuple[str, Node]]:
    seen: set[str] = set()
    kind, text, offset = tokens.next()
    while (kind, text) != ("mark", "}"):
        if kind != "string":
            raise tokens.refuse(f"not JSON: a key in quotes is expected, not {text[:40]}", offset)
        name = _plain(text)
        if name in seen:
            hint = "take one out: which of the two a switch reads depends on who reads the file"
            raise tokens.refuse(f"the key {text[:60]} stands twice in one object", offset, hint)
        seen.add(name)
        tokens.expect(":")
        yield name, _value(tokens, depth + 1, offset)
        kind, text, offset = tokens.next()
        if (kind, text) == ("mark", ","):
            kind, text, offset = tokens.next()
            if (kind, text) == ("mark", "}"):
                raise tokens.refuse("not JSON: a comma before `}`", offset, "take the comma out")
        elif (kind, text) != ("mark", "}"):
            raise tokens.refuse(f"not JSON: `,` or `}}` is expected, not {text[:40]}", offset)


def _items(tokens: _Tokens, depth: int) -> Iterator[Node]:
    token = tokens.next()
    while token[:2] != ("mark", "]"):
        yield _value(tokens, depth + 1, first=token)
        token = tokens.next()
        if token[:2] == ("mark", ","):
            token = tokens.next()
        elif token[:2] != ("mark", "]"):
            raise tokens.refuse(f"not JSON: `,` or `]` is expected, not {token[1][:40]}", token[2])


def _plain(quoted: str) -> str:
    inner = quoted[1:-1]
    return _ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if code[0] == "u" and len(code) == 5 else _ESCAPES.get(code, code)
