"""The tree of a YAML text, each node with its place; PyYAML's events, composed within bounds.

PyYAML's own composer knows no limit of depth and forgets where an alias stands, so it is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

from netaudit.diag import Diagnostic, Invalid, Source

MAX_EVENTS = 50_000
"""Values, and beginnings and ends of lists and mappings. Judgement: 1,500 units are 10,000; more takes minutes."""
MAX_DEPTH = 32
"""Levels of nesting; an intent has 6. Judgement: deep enough for anyone, far from Python's recursion limit."""
_UNUSABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
"""What an escape (`\\x1b`, `\\ud800`) may smuggle past YAML's own check: no text of an intent needs it."""
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""What YAML 1.1's reader, PyYAML's, counts as the end of a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A single value; `plain` is unquoted."""

    text: str
    plain: bool
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Keys and values in the order of the file; a key may stand there twice."""

    entries: tuple[tuple[Node, Node], ...]
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A `*name`, with what its anchor holds."""

    target: Node
    source: Source


Node: TypeAlias = Scalar | Sequence | Table | Alias


def lines(text: str) -> tuple[str, ...]:
    """The lines of a text, without their ends, as YAML counts them."""
    return tuple(_BREAK.split(text))


def compose(text: str, file: str) -> Node | None:
    """The tree of the only document in `text`, `None` if it is empty. Raises `Invalid` for what is not YAML."""
    rows = lines(text)
    loader: yaml.SafeLoader | None = None
    try:
        loader = yaml.SafeLoader(text)
        return _Reader(file=file, rows=rows, anchors={}).document(_events(loader, file))
    except ReaderError as error:
        raise Invalid([_unreadable(error, text, file)]) from None
    except yaml.MarkedYAMLError as error:
        raise Invalid([_broken(error, file, rows)]) from None
    except (ValueError, OverflowError):
        # PyYAML lets these through for an escape beyond Unicode and for a version number of thousands of digits.
        mark = loader.get_mark() if loader else None
        source = Source(file=file, line=mark.line + 1, column=mark.column + 1) if mark else Source(file=file, line=1)
        message = "this is not YAML: an escape or a number beyond its range"
        raise Invalid([Diagnostic(message=message, source=source)]) from None


def _events(loader: yaml.SafeLoader, file: str) -> Iterator[Event]:
    number = 0
    while loader.check_event():
        event: Event = loader.get_event()  # type: ignore[no-untyped-call]  # the stubs leave it open
        number += 1
        if number > MAX_EVENTS:
            source = Source(file=file, line=event.start_mark.line + 1 if event.start_mark else 1)
            message = f"more than {MAX_EVENTS:,} values; an intent has a few hundred"
            raise Invalid([Diagnostic(message=message, source=source, hint="tables of devices and cables are CSVs")])
        yield event


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    file: str
    rows: tuple[str, ...]
    anchors: dict[str, Node]

    def document(self, events: Iterator[Event]) -> Node | None:
        root: Node | None = None
        started = 0
        for event in events:
            if isinstance(event, DocumentStartEvent):
                started += 1
                if started > 1:
                    raise self._refused(
                        event, "a second document starts here", "one file holds one fabric; remove `---`"
                    )
            elif isinstance(event, (ScalarEvent, SequenceStartEvent, MappingStartEvent, AliasEvent)):
                root = self.node(event, events, 1)
        return root

    def node(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self._refused(
                event, f"nested deeper than {MAX_DEPTH} levels", "an intent needs 6; is a bracket missing?"
            )
        if isinstance(event, AliasEvent):
            if event.anchor not in self.anchors:
                hint = "an anchor `&name` stands before its first `*name`, and not around it"
                raise self._refused(event, f"no anchor `&{event.anchor}` is known here", hint)
            return Alias(target=self.anchors[event.anchor], source=self.place(event))
        self._no_tag(event)
        made: Node
        if isinstance(event, ScalarEvent):
            if _UNUSABLE.search(event.value):
                raise self._refused(event, "an escape in this text is a control character or half a character", "")
            made = Scalar(text=event.value, plain=event.style is None, source=self.place(event))
        elif isinstance(event, SequenceStartEvent):
            made = self._sequence(event, events, depth)
        else:
            made = self._table(event, events, depth)
        if event.anchor is not None:  # type: ignore[attr-defined]  # every node event has one; the stubs' base does not
            self.anchors[event.anchor] = made  # type: ignore[attr-defined]
        return made

    def _sequence(self, start: Event, events: Iterator[Event], depth: int) -> Sequence:
        items: list[Node] = []
        for event in events:
            if isinstance(event, SequenceEndEvent):
                return Sequence(items=tuple(items), source=self.place(start, event))
            items.append(self.node(event, events, depth + 1))
        raise AssertionError("PyYAML ends what it starts")

    def _table(self, start: Event, events: Iterator[Event], depth: int) -> Table:
        entries: list[tuple[Node, Node]] = []
        for event in events:
            if isinstance(event, MappingEndEvent):
                return Table(entries=tuple(entries), source=self.place(start, event))
            key = self.node(event, events, depth + 1)
            entries.append((key, self.node(next(events), events, depth + 1)))
        raise AssertionError("PyYAML ends what it starts")

    def place(self, start: Event, end: Event | None = None) -> Source:
        """Where a node stands; over several lines, the rest of its first one is marked."""
        since, until = start.start_mark, (end or start).end_mark
        if since is None or until is None:
            raise AssertionError("PyYAML marks every event that it parses")
        line, column = since.line, since.column
        row = self.rows[line] if line < len(self.rows) else ""
        stop = until.column if until.line == line else len(row.rstrip())
        return Source(file=self.file, line=line + 1, column=column + 1, width=max(1, stop - column))

    def _no_tag(self, event: Event) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise self._refused(event, "a YAML tag (`!…`) has no meaning in an intent", "leave it out")

    def _refused(self, event: Event, message: str, hint: str) -> Invalid:
        return Invalid([Diagnostic(message=message, source=self.place(event), hint=hint)])


def _unreadable(error: ReaderError, text: str, file: str) -> Diagnostic:
    before = lines(text[: error.position])
    source = Source(file=file, line=len(before), column=len(before[-1]) + 1)
    return Diagnostic(
        message=f"the character U+{ord(text[error.position]):04X} is not allowed in YAML",
        source=source,
        hint="delete it; it is a control character that editors do not show",
    )


def _broken(error: yaml.MarkedYAMLError, file: str, rows: tuple[str, ...]) -> Diagnostic:
    mark = error.problem_mark or error.context_mark
    began = error.context_mark
    if began and mark and not "".join(rows[mark.line :])[mark.column :].strip():
        mark = began  # at the end of the file nothing can be seen; what was left open can
    line, column = (mark.line, mark.column) if mark else (0, 0)
    if line >= len(rows):
        line, column = len(rows) - 1, len(rows[-1])
    problem, remedy = _words(error.problem or error.context or "")
    context = _CONTEXTS.get(error.context or "", "what it belongs to")
    since = f"{context} began in line {began.line + 1}" if began and mark is not began else ""
    hint = "; ".join(part for part in (remedy, since) if part)
    return Diagnostic(
        message=f"this is not YAML: {problem}",
        source=Source(file=file, line=line + 1, column=column + 1),
        hint=hint,
    )


def _words(problem: str) -> tuple[str, str]:
    """PyYAML's word for a problem in ours, and the remedy if there is one that usually helps."""
    for start, ours, remedy in _PROBLEMS:
        if problem.startswith(start):
            return ours, remedy
    return problem or "it ends too early", ""


_CONTEXTS = {
    "while parsing a flow sequence": "the list that is open here",
    "while parsing a flow mapping": "the mapping that is open here",
    "while parsing a block mapping": "the block of keys that this stands in",
    "while parsing a block collection": "the list of `-` that this stands in",
    "while scanning a quoted scalar": "the quoted text",
    "while scanning a double-quoted scalar": "the quoted text",
    "while scanning a simple key": "the key",
}
_PROBLEMS = (
    ("mapping values are not allowed here", "a colon where no key can be",
     "text with `: ` in it needs quotes; or this line is indented unlike the one above"),
    ("found character '\\t'", "a tab", "YAML indents with spaces"),
    ("found character '@'", "text cannot start with @", "write it in quotes"),
    ("found character '`'", "text cannot start with a backquote", "write it in quotes"),
    ("found character '%'", "text cannot start with %", "write it in quotes"),
    ("found unexpected end of stream", "a quoted text has no end", "add the closing quote"),
    ("could not find expected ':'", "a key without a colon", "write `key: value`, with a space after the colon"),
    ("expected ',' or ']'", "a list is not closed", "add `,` or `]`"),
    ("expected ',' or '}'", "a mapping is not closed", "add `,` or `}`"),
    ("expected <block end>", "this line is indented unlike the ones it belongs to", ""),
)  # fmt: skip
"""Start of PyYAML's text, ours, and what usually helps."""
