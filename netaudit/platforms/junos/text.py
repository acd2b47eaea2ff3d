"""Junos configuration text, as set lines or in curly brackets: which statements it holds, and how they are written.

Both forms say the same: a statement is the words from the top of the tree down to a value (`interfaces et-0/0/0 mtu
9216`). Lists in brackets are one statement an element, as `| display set` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

Words: TypeAlias = tuple[str, ...]
Tree: TypeAlias = "dict[str, Tree]"
"""Word → what stands below it; a value is a word without anything below."""

LIMIT_CHARACTERS: Final = 64 * 1024 * 1024
"""Longest text that is read."""
DEEPEST: Final = 64
"""Brackets within each other; Junos has some 15."""
LONGEST: Final = 4096
"""Elements of a list, or words of a statement."""

_PLAIN: Final = re.compile(r'[^\s"{}\[\]();#&|\'\\]+')
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_VERBS: Final = ("set", "deactivate", "activate", "protect", "unprotect", "annotate")
"""What `| display set` prints, and what people put between it."""
_FRAME: Final = ("[edit", "{master", "{primary", "{backup", "{linecard")
"""Lines of a terminal session, not of the configuration."""


class NotJunos(ValueError):
    """Text that is no configuration of Junos; says the line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of `| display set`: `set` or `deactivate`, and the words it is about."""

    verb: str
    words: Words
    line: str
    """As it was written; of curly text, as Junos would print it."""


def spelled(words: Iterable[str]) -> str:
    """The words of a statement as Junos prints them: in quotes where a word would not be one."""
    return " ".join(word(one) for one in words)


def word(text: str) -> str:
    """One word as Junos prints it. An expression of policies in round brackets is printed as it is."""
    if _PLAIN.fullmatch(text) or is_algebra(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


SECRET: Final = "<secret>"
_SECRETS: Final = re.compile(r"\$[0-9][a-z]?\$.*", re.DOTALL)
"""How Junos prints what it has encrypted (`$9$…`) or hashed (`$6$…`)."""
_KEYWORDS: Final = (
    *("authentication-key", "secret", "encrypted-password", "plain-text-password-value", "simple-password", "password"),
    *("key", "community", "pre-shared-key", "authentication-password", "privacy-password", "value"),
)


def shown(words: Words) -> str:
    """The words as a report may print them: without what is secret."""
    hidden = (
        SECRET if _SECRETS.fullmatch(one) or (before in _KEYWORDS and words[0] != "policy-options") else one
        for before, one in zip(("", *words), words, strict=False)
    )
    return " ".join(one if one == SECRET else word(one) for one in hidden)


def is_algebra(text: str) -> bool:
    """Is it an expression of policies, `( ONE && OTHER )`?"""
    return text.startswith("( ") and text.endswith(" )")


def entries(text: str) -> tuple[Entry, ...]:
    """The statements of a configuration, in order. Raises `NotJunos` where it is none."""
    if len(text) > LIMIT_CHARACTERS:
        raise NotJunos(f"the configuration has {len(text)} characters, and {LIMIT_CHARACTERS} are read at most")
    return tuple(_set_entries(text) if has_set_lines(text) else _curly_entries(text))


def has_set_lines(text: str) -> bool:
    """Does the first line that is no comment begin with a verb?"""
    for line in lines_of(without_comments(text)):
        words = line.split(maxsplit=1)
        if words and not line.lstrip().startswith(_FRAME):
            return words[0] in _VERBS and not words[-1].rstrip().endswith(("{", ";"))
    return True


def lines_of(text: str) -> list[str]:
    """The lines of a text, without the end that the last one has."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _set_entries(text: str) -> Iterator[Entry]:
    for number, line in enumerate(lines_of(without_comments(text)), start=1):
        yield from set_entries(line, number)


def set_entries(written: str, number: int) -> Iterator[Entry]:
    """What one line without comments says."""
    line = written.strip()
    if not line or line.startswith(_FRAME):
        return
    tokens = list(_tokens(line, number))
    verb = tokens[0][0]
    if verb not in _VERBS or len(tokens) < 2:
        raise NotJunos(f"line {number} is no statement of Junos")
    if verb in ("set", "deactivate"):
        yield from (Entry(verb, words, f"{verb} {spelled(words)}") for words in _expanded(tokens[1:], number))


def without_comments(text: str) -> str:
    """The text with comments blanked out, line for line; a `#` or `/*` within quotes or a word is none."""
    out, at = [], 0
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|(?:^|(?<=\s))#[^\n]*', text, re.DOTALL):
        out.append(text[at : found.start()])
        piece = found.group()
        out.append(piece if piece.startswith('"') else "\n" * piece.count("\n"))
        at = found.end()
    return "".join((*out, text[at:]))


def _tokens(text: str, line: int) -> Iterator[tuple[str, bool]]:
    """(word, whether it was in quotes), and the brackets, of text without comments."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] == '"':
            found = _QUOTED.match(text, at)
            if found is None:
                raise NotJunos(f"line {line} has a quote that does not end")
            yield re.sub(r"\\(.)", r"\1", found.group(1)), True
            at = found.end()
        elif text[at] == "(":
            end = _closing(text, at, line)
            yield f"( {' '.join(text[at + 1 : end].replace('(', ' ( ').replace(')', ' ) ').split())} )", True
            at = end + 1
        elif text[at] in "{}[];":
            yield text[at], False
            at += 1
        else:
            start = at
            while at < len(text) and not text[at].isspace() and text[at] not in '{}[];"':
                at += 1
            yield text[start:at], False


def _closing(text: str, at: int, line: int) -> int:
    depth = 0
    for position in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
        if depth > DEEPEST:
            break
    raise NotJunos(f"line {line} has a bracket that does not end")


def _expanded(tokens: list[tuple[str, bool]], line: int) -> Iterator[Words]:
    """One statement for each element of a list in brackets."""
    before: list[str] = []
    items: list[str] | None = None
    for text, quoted in tokens:
        if not quoted and text == "[":
            if items is not None:
                raise NotJunos(f"line {line} has a list within a list")
            items = []
        elif not quoted and text == "]":
            if items is None:
                raise NotJunos(f"line {line} ends a list that has not begun")
            yield from ((*before, item) for item in items)
            return
        elif not quoted and text in "{};":
            raise NotJunos(f"line {line} has {text!r} where a word must stand")
        elif items is not None:
            items.append(text)
        else:
            before.append(text)
        if len(before) > LONGEST or (items is not None and len(items) > LONGEST):
            raise NotJunos(f"line {line} is longer than any statement of Junos")
    if items is not None:
        raise NotJunos(f"line {line} has a list that does not end")
    yield tuple(before)


_MARKS: Final = ("inactive:", "protect:", "active:", "replace:")


def _curly_entries(text: str) -> Iterator[Entry]:
    """The statements of `show configuration`, each with the words of the blocks around it."""
    blocks: list[Words] = []
    words: list[tuple[str, bool]] = []
    inactive = False
    line = 1
    for number, written in enumerate(lines_of(without_comments(text)), start=1):
        line = number
        if written.lstrip().startswith(_FRAME):
            continue
        for token, quoted in _tokens(written, number):
            if not quoted and token in _MARKS and not words:
                inactive = inactive or token == "inactive:"
            elif quoted or token not in "{};":
                words.append((token, quoted))
            elif token == "}":
                if not blocks or words:
                    raise NotJunos(f"line {number} ends a block that has not begun, or in the middle of a statement")
                blocks.pop()
            else:
                here = tuple(word for block in blocks for word in block)
                yield from _statement(here, words, number, inactive=inactive, opens=token == "{")
                if token == "{":
                    blocks.append(tuple(word for word, _ in words))
                    if len(blocks) > DEEPEST or not words:
                        raise NotJunos(f"line {number} begins a block that no statement names, or is too deep")
                words, inactive = [], False
    if blocks or words:
        raise NotJunos(f"the text ends at line {line} within a block or a statement")


def _statement(
    around: Words, tokens: list[tuple[str, bool]], line: int, *, inactive: bool, opens: bool
) -> Iterator[Entry]:
    """What one statement, or the head of a block, says; that of a block alone says that it is there."""
    if not tokens:
        return
    found = [(*around, *words) for words in _expanded(tokens, line)]
    # the head of a block is a statement of its own where nothing is within it, and of no harm where something is
    if not opens:
        yield from (Entry("set", words, f"set {spelled(words)}") for words in found)
    if inactive:
        yield from (Entry("deactivate", words, f"deactivate {spelled(words)}") for words in found)


def active(found: Iterable[Entry]) -> tuple[Words, ...]:
    """The statements that are in force: those that nobody has deactivated."""
    known = tuple(found)
    off = {entry.words for entry in known if entry.verb == "deactivate"}
    if not off:
        return tuple(entry.words for entry in known if entry.verb == "set")
    lengths = sorted({len(words) for words in off})
    return tuple(
        entry.words
        for entry in known
        if entry.verb == "set" and not any(entry.words[:length] in off for length in lengths)
    )


def tree(statements: Iterable[Words]) -> Tree:
    """The statements by their words."""
    root: Tree = {}
    for words in statements:
        node = root
        for one in words:
            node = node.setdefault(one, {})
    return root


def below(node: Tree, *path: str) -> Tree:
    """What stands below some words; empty where they are not there."""
    for one in path:
        node = node.get(one, {})
    return node


def has(node: Tree, *path: str) -> bool:
    """Is there such a statement, or one that begins so?"""
    for one in path:
        if one not in node:
            return False
        node = node[one]
    return True


def value(node: Tree, *path: str) -> str | None:
    """The value of a setting; the last where it is there twice, as Junos takes it."""
    return next(reversed(below(node, *path)), None)


def number(node: Tree, *path: str) -> int | None:
    """The value of a setting that is a whole number; `None` where it is none."""
    text = value(node, *path)
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,18}", text) else None
