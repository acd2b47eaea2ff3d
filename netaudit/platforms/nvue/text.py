"""The text that `nv config show -o yaml` prints, as a tree whose every part knows its lines.

A small part of YAML, and nothing else of it: block mappings and lists, scalars, empty `{}` and `[]`. No anchors, no
aliases and no tags, so no text can grow (nvue.md section 1; the text comes from a device and may be anything).
Every scalar stays text: what NVUE writes is read by those who know what it means.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

LIMIT_BYTES: Final = 16 * 1024 * 1024
"""Far above the file of any switch: 130 ports have about 250 KB."""
MAX_DEPTH: Final = 40
_COMMENT: Final = re.compile(r"\s#.*$")
_QUOTED: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?=\s|$)""")
_NO_KEY: Final = "#&*!|>%@`{}[],\"'"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "/": "/", "0": "\0", " ": " ", "e": "\x1b"}
_ESCAPE: Final = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U00[01][0-9A-Fa-f]{5}|.)", re.DOTALL)
_BLOCK: Final = re.compile(r"[|>](?:[+-]?[1-9]?|[1-9][+-]?)")
_BARE_EMPTY: Final = ("", "~", "null")


class Unreadable(ValueError):
    """Text that is no configuration of NVUE."""


@dataclass(slots=True)
class Node:
    """One value: a scalar (`text`), a mapping (`children`) or a list (`items`), and the lines it stands on."""

    text: str | None = None
    children: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    start: int = 0
    end: int = 0
    """First line, that of its key, and the line behind the last one."""
    indent: int = 0
    """Column of its key."""
    below: int = 0
    """Column of the keys below it, if there are any."""


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str
    """From the first character that is no blank; without a comment that is a line of its own."""


def parse(text: str) -> Node:
    """The tree of a text. Raises `Unreadable`, with the line, for whatever is not of the part described above."""
    if len(text) > LIMIT_BYTES:
        raise Unreadable(f"the text has more than {LIMIT_BYTES // 2**20} MiB")
    lines = []
    for number, line in enumerate(text.split("\n")):
        bare = line.strip()
        if not bare or bare.startswith("#") or (line.startswith(("---", "...", "%")) and len(bare) < 80):
            continue
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise Unreadable(f"line {number + 1}: a tab in the indentation")
        lines.append(_Line(number, len(line) - len(line.lstrip(" ")), bare))
    reader = _Reader(lines, text.split("\n"))
    node = reader.value(0, 0) if lines else Node()
    if reader.at < len(lines):
        raise Unreadable(f"line {lines[reader.at].number + 1}: the indentation fits nothing above it")
    node.end = lines[-1].number + 1 if lines else 0
    return node


def split_key(text: str) -> tuple[str, str] | None:
    """A line's key as written and what follows its colon; None where it has none. Linear in its length."""
    quoted = _QUOTED.match(text)
    if quoted:
        return quoted[1], text[quoted.end() :].strip()
    if text[:1] in _NO_KEY or text.startswith(("? ", "- ")):
        return None
    end = text.find(": ")
    if end < 0:
        end = len(text) - 1 if text.endswith(":") else -1
    comment = text.find(" #")
    if end < 0 or 0 <= comment < end:
        return None
    return text[:end].rstrip(), text[end + 1 :].strip()


class _Reader:
    """Lines that are read one after the other."""

    def __init__(self, lines: list[_Line], raw: list[str]) -> None:
        self.lines = lines
        self.raw = raw
        self.at = 0

    def value(self, indent: int, depth: int) -> Node:
        """The mapping or list that begins here, whose entries stand at `indent` or deeper."""
        if depth > MAX_DEPTH:
            raise Unreadable(f"line {self.lines[self.at].number + 1}: more than {MAX_DEPTH} levels")
        first = self.lines[self.at]
        if first.text.startswith("- ") or first.text == "-":
            return self.list_(first.indent, depth)
        if split_key(first.text) is None:
            return self.scalar_line()
        return self.mapping(first.indent, depth)

    def list_(self, indent: int, depth: int) -> Node:
        node = Node(start=self.lines[self.at].number, indent=indent, below=indent)
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            if not (line.text.startswith("- ") or line.text == "-"):
                break
            rest = line.text[1:].lstrip(" ")
            if not rest:
                self.at += 1
                deeper = self.at < len(self.lines) and self.lines[self.at].indent > indent
                node.items.append(self.value(indent + 1, depth + 1) if deeper else Node(text=""))
            else:
                # what follows the dash stands where its first character does
                self.lines[self.at] = _Line(line.number, indent + len(line.text) - len(rest), rest)
                node.items.append(self.value(indent + 1, depth + 1))
            node.end = self._behind()
        return node

    def mapping(self, indent: int, depth: int) -> Node:
        node = Node(start=self.lines[self.at].number, indent=indent, below=indent)
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            found = split_key(line.text)
            if found is None:
                raise Unreadable(f"line {line.number + 1}: no `key: value`: {line.text[:40]!r}")
            key = unquoted(found[0], line.number)
            if key in node.children:
                raise Unreadable(f"line {line.number + 1}: the key {key[:40]!r} is there twice")
            child = self.entry(line, found[1], depth)
            child.start, child.indent, child.end = line.number, indent, self._behind()
            node.children[key] = child
        node.end = self._behind()
        return node

    def entry(self, line: _Line, rest: str, depth: int) -> Node:
        """The value of a key, on its line or below."""
        self.at += 1
        rest = "" if rest.startswith("#") else rest
        if _BLOCK.fullmatch(_COMMENT.sub("", rest)):
            return self.block_scalar(line.indent)
        if rest:
            return self.scalar(rest, line)
        following = self.lines[self.at] if self.at < len(self.lines) else None
        if following is None:
            return Node(text="")
        is_list = following.text.startswith("- ") or following.text == "-"
        if following.indent > line.indent or (is_list and following.indent == line.indent):
            child = self.value(following.indent, depth + 1)
            child.below = following.indent
            return child
        return Node(text="")

    def scalar(self, rest: str, line: _Line) -> Node:
        """A scalar on the line of its key, which longer lines may go on from."""
        empty = _COMMENT.sub("", rest).strip()
        if empty in ("{}", "[]"):
            return Node()
        parts = [rest]
        while self.at < len(self.lines) and self.lines[self.at].indent > line.indent:
            parts.append(self.lines[self.at].text)
            self.at += 1
        return Node(text=unquoted(" ".join(parts), line.number))

    def scalar_line(self) -> Node:
        line = self.lines[self.at]
        self.at += 1
        if line.text in ("{}", "[]"):
            return Node(start=line.number, end=line.number + 1, indent=line.indent)
        text = unquoted(line.text, line.number)
        return Node(text=text, start=line.number, end=line.number + 1, indent=line.indent)

    def block_scalar(self, indent: int) -> Node:
        first = self.lines[self.at].number if self.at < len(self.lines) else len(self.raw)
        while self.at < len(self.lines) and self.lines[self.at].indent > indent:
            self.at += 1
        last = self.lines[self.at].number if self.at < len(self.lines) else len(self.raw)
        return Node(text="\n".join(line.strip() for line in self.raw[first:last]).strip("\n"))

    def _behind(self) -> int:
        """The line behind what was read last."""
        return self.lines[self.at - 1].number + 1


def unquoted(text: str, number: int) -> str:
    """A scalar as it is meant. Raises `Unreadable` for what is no scalar of this part of YAML."""
    if text.startswith("'"):
        found = re.fullmatch(r"'((?:[^']|'')*)'(?:\s+#.*)?", text, re.DOTALL)
        if found is None:
            raise Unreadable(f"line {number + 1}: a quote is not closed")
        return found[1].replace("''", "'")
    if text.startswith('"'):
        found = re.fullmatch(r'"((?:[^"\\]|\\.)*)"(?:\s+#.*)?', text, re.DOTALL)
        if found is None:
            raise Unreadable(f"line {number + 1}: a quote is not closed")
        return _ESCAPE.sub(_escaped, found[1])
    if text[:1] in "&*!|>%@`{[" and text:
        raise Unreadable(f"line {number + 1}: {text[:20]!r} is YAML that no NVUE writes")
    plain = _COMMENT.sub("", text).strip()
    return "" if plain in _BARE_EMPTY else plain


def _escaped(found: re.Match[str]) -> str:
    sign = found[1]
    code = int(sign[1:], 16) if sign[0] in "xuU" and len(sign) > 1 else -1
    return chr(code) if 0 <= code <= sys.maxunicode else _ESCAPES.get(sign, sign)


_PLAIN: Final = re.compile(r"\d+[GMx]|[A-Za-z][\w./@%+=-]*(?:[ :][\w./@%+=(-][\w./@%+=()-]*)*", re.ASCII)
_NUMERIC: Final = re.compile(r"\d[\d.]*/\d+|\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f:.]*(?:/\d+)?", re.ASCII)
_WORDS: Final = frozenset(("on", "off", "yes", "no", "true", "false", "null", "y", "n"))


def spelled(value: object) -> str:
    """A key or a scalar as NVUE writes it: numbers bare, texts that YAML would take for something else in quotes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = str(value)
    safe = _PLAIN.fullmatch(text) or (_NUMERIC.fullmatch(text) and ("/" in text or text.count(".") == 3))
    if safe and text.lower() not in _WORDS and not text.startswith(":"):
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_in_quotes(sign) for sign in text) + '"'


def _in_quotes(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"


def at(node: Node | None, *path: str) -> Node | None:
    """What stands below some keys; None where one is not there."""
    for name in path:
        node = node.children.get(name) if node is not None else None
    return node


def mapping(node: Node | None) -> Mapping[str, Node]:
    """The keys below a node; none where it is a scalar or not there."""
    return node.children if node is not None else {}
