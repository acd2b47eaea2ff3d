"""What an intent file holds as plain data, and where in the file each path of it stands.

Scalars follow YAML 1.2's core schema, less octal, hexadecimal, `.inf` and `.nan`. What YAML 1.1 and 1.2 read
differently (`no`, `0123`, `1:30`) is refused unless quoted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.intent.nodes import MAX_DEPTH, Alias, Node, Scalar, Sequence, Table, compose, lines

MAX_BYTES = 8 * 2**20
"""Size of a file. Judgement: the largest fabric's intent has a few KiB; its tables have 100 B a device."""
MAX_ALIASED = 50_000
"""Nodes that aliases may add. Judgement: stops `&a [*b, *b, …]` towers, which grow tenfold a line."""
MAX_DIGITS = 18
"""Digits of a whole number: no number of an intent has more."""

Data: TypeAlias = "bool | int | float | str | tuple[Data, ...] | Mapping[str, Data] | None"
At: TypeAlias = tuple[str, ...]
"""A path: keys, and indices of lists, as text."""

_INT = re.compile(r"[-+]?(?:0|[1-9]\d*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?:\.\d*)?[eE][-+]?\d+)", re.ASCII)
_FLOAT_EXPONENT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)[eE][-+]?\d+", re.ASCII)
_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_YAML_1_1_SWITCH = re.compile(r"yes|no|on|off", re.IGNORECASE)
"""`y` and `n` are left alone: no library reads them as switches, and planes may be called x and y."""
_LEADING_ZERO = re.compile(r"[-+]?0\d+", re.ASCII)
_SEXAGESIMAL = re.compile(r"[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where a path stands: its key, if it has one, and its value."""

    key: Source | None
    value: Source
    scalar: bool

    @property
    def best(self) -> Source:
        """What to point at when the whole path is meant: a single value itself, else the key that heads it."""
        return self.value if self.scalar or self.key is None else self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A read file: its data, the place of each path, and what is wrong although it could be read."""

    file: str
    lines: tuple[str, ...]
    data: Data
    marks: Mapping[At, Mark]
    problems: Mapping[At, Diagnostic]
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """File → its lines, of every part that is included."""

    def line(self, source: Source) -> str:
        """The line a source stands in, without its end."""
        rows = self.lines if source.file == self.file else self.others.get(source.file, ())
        return rows[source.line - 1] if 0 < source.line <= len(rows) else ""

    def written(self, source: Source) -> str:
        """The marked text as it is written."""
        return self.line(source)[source.column - 1 : source.column - 1 + source.width]

    def content(self, *at: str) -> Source | None:
        """Where the text of a single value starts: behind the quote, if it has one."""
        mark = self.marks.get(at)
        if mark is None:
            return None
        quote = int(self.written(mark.value)[:1] in ("'", '"'))
        source = mark.value
        width = max(1, source.width - 2 * quote)
        return Source(file=source.file, line=source.line, column=source.column + quote, width=width)

    def nearest(self, at: At) -> tuple[At, Mark] | None:
        """The mark of the path itself or of the nearest ancestor that is written."""
        for length in range(len(at), 0, -1):
            if at[:length] in self.marks:
                return at[:length], self.marks[at[:length]]
        return None


def read_text(path: Path, file: str) -> str:
    """The text of a file, without a byte order mark. Raises `Invalid` saying what stands in the way."""
    here = Source(file=file, line=1)
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise Invalid([Diagnostic(message=f"there is no file `{file}`", source=here)]) from None
    except IsADirectoryError:
        raise Invalid([Diagnostic(message=f"`{file}` is a folder, not a file", source=here)]) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Invalid([Diagnostic(message=f"`{file}` cannot be read: {reason}", source=here)]) from None
    if len(raw) > MAX_BYTES:
        message = f"`{file}` is larger than {MAX_BYTES // 2**20} MiB; an intent has a few KiB"
        raise Invalid([Diagnostic(message=message, source=here)])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = lines(raw[: error.start].decode("utf-8", "replace"))
        source = Source(file=file, line=len(before), column=len(before[-1]) + 1)
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise Invalid([Diagnostic(message=message, source=source, hint="save the file as UTF-8")]) from None


def parse(text: str, file: str) -> Document:
    """Data and places of a YAML text. Raises `Invalid` for a syntax error; lesser problems are in the document."""
    root = compose(text.removeprefix("\ufeff"), file)
    walk = _Walk(marks={}, problems={}, aliased=[0])
    data = walk.plain(root, (), False) if root is not None else None
    return Document(
        file=file,
        lines=lines(text.removeprefix("\ufeff")),
        data=data,
        marks=walk.marks,
        problems=walk.problems,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    marks: dict[At, Mark]
    problems: dict[At, Diagnostic]
    aliased: list[int]
    """One number: how many nodes aliases have added so far."""

    def plain(self, node: Node, at: At, inside_alias: bool, key: Source | None = None) -> Data:
        while isinstance(node, Alias):
            inside_alias, node = True, node.target
        if inside_alias:
            self._count(node)
        if len(at) > MAX_DEPTH:  # aliases of aliases; without them the composer has refused it already
            message = f"nested deeper than {MAX_DEPTH} levels by aliases"
            raise Invalid([Diagnostic(message=message, source=node.source, hint="an intent needs 6")])
        self.marks[at] = Mark(key=key, value=node.source, scalar=isinstance(node, Scalar))
        match node:
            case Scalar():
                return self._scalar(node, at)
            case Sequence():
                return tuple(self.plain(item, (*at, str(i)), inside_alias) for i, item in enumerate(node.items))
            case Table():
                return self._table(node, at, inside_alias)

    def _count(self, node: Node) -> None:
        self.aliased[0] += 1
        if self.aliased[0] > MAX_ALIASED:
            message = f"aliases repeat more than {MAX_ALIASED:,} values"
            raise Invalid([Diagnostic(message=message, source=node.source, hint="write fewer `*name`")])

    def _table(self, node: Table, at: At, inside_alias: bool) -> Data:
        entries: dict[str, tuple[Scalar, Node, bool]] = {}
        merges: list[tuple[Node, bool]] = []
        for key_node, value in node.entries:
            key = key_node.target if isinstance(key_node, Alias) else key_node
            if not isinstance(key, Scalar):
                self.problems[(*at, "?")] = Diagnostic(message="a key is a single word", source=key_node.source)
            elif key.plain and key.text == "<<":
                merges.append((value, inside_alias))
            elif key.text in entries:
                self._duplicate(key, entries[key.text][0], at)
            else:
                self._check_key(key, at)
                entries[key.text] = (key, value, inside_alias)
        for value, through_alias in merges:
            self._merge(value, at, through_alias, entries)
        return {
            name: self.plain(value, (*at, name), through_alias, key.source)
            for name, (key, value, through_alias) in entries.items()
        }

    def _merge(
        self,
        value: Node,
        at: At,
        inside_alias: bool,
        into: dict[str, tuple[Scalar, Node, bool]],
        via: Source | None = None,
    ) -> None:
        """Add what `<<` brings; a key that is there already wins, and of several sources the first.

        A key that came by an alias is located at the alias (`via`), where it was put into this mapping.
        """
        while isinstance(value, Alias):
            inside_alias, via, value = True, via or value.source, value.target
        if inside_alias:
            self._count(value)
        if isinstance(value, Sequence):
            for item in value.items:
                self._merge(item, at, inside_alias, into, via)
            return
        if not isinstance(value, Table):
            message = "`<<` takes a mapping, or a list of mappings"
            self.problems[(*at, "<<")] = Diagnostic(message=message, source=via or value.source)
            return
        nested: list[Node] = []
        for key, found in value.entries:
            if inside_alias:
                self._count(key)
            if isinstance(key, Scalar) and key.plain and key.text == "<<":
                nested.append(found)
            elif isinstance(key, Scalar) and key.text not in into:
                into[key.text] = (replace(key, source=via or key.source), found, inside_alias)
        for found in nested:
            self._merge(found, at, inside_alias, into, via)

    def _duplicate(self, key: Scalar, first: Scalar, at: At) -> None:
        self.problems[(*at, f"{key.text} again in line {key.source.line}, column {key.source.column}")] = Diagnostic(
            message=f"key `{key.text}` stands here a second time",
            source=key.source,
            hint=f"the first is in line {first.source.line}; YAML would silently keep one of them",
        )

    def _check_key(self, key: Scalar, at: At) -> None:
        value, trap = _read(key)
        if trap is None and key.plain and not isinstance(value, str):
            trap = (f"key `{key.text}` is text and needs quotes", f'write "{key.text}":')
        if trap is not None:
            self.problems[(*at, key.text)] = Diagnostic(message=trap[0], source=key.source, hint=trap[1])

    def _scalar(self, node: Scalar, at: At) -> Data:
        value, trap = _read(node)
        if trap is not None:
            self.problems.setdefault(at, Diagnostic(message=trap[0], source=node.source, hint=trap[1]))
        return value


def _read(node: Scalar) -> tuple[Data, tuple[str, str] | None]:
    """The value of a scalar, and (message, hint) if it is one of those that YAML versions read differently."""
    text = node.text
    if not node.plain:
        return text, None
    if text in _WORDS:
        return _WORDS[text], None
    if _YAML_1_1_SWITCH.fullmatch(text):
        switch = "true" if text.lower() in ("yes", "on") else "false"
        return text, (f"unquoted `{text}` is text to some readers of YAML and {switch} to others",
                      f'write "{text}" for text, {switch} for a switch')  # fmt: skip
    if _LEADING_ZERO.fullmatch(text):
        return text, (f"unquoted `{text}` is octal to some readers of YAML and decimal to others",
                      f'write "{text}" for text, {int(text[:MAX_DIGITS])} for a number')  # fmt: skip
    if _SEXAGESIMAL.fullmatch(text):
        return text, (f"unquoted `{text}` is a number of base 60 to some readers of YAML", f'write "{text}"')
    if _INT.fullmatch(text):
        if len(text.lstrip("+-")) > MAX_DIGITS:
            return text, (f"a number of {len(text)} digits", f"no number of an intent has more than {MAX_DIGITS}")
        return int(text), None
    if _FLOAT.fullmatch(text) or _FLOAT_EXPONENT.fullmatch(text):
        number = float(text)
        return (number, None) if math.isfinite(number) else (text, ("a number beyond all bounds", "write it in digits"))
    return text, None
