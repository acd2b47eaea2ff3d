"""The statements in force: those of configuration groups where they are applied, without what is deactivated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from netaudit.platforms.junos import text
from netaudit.platforms.junos.raw import GROUP
from netaudit.platforms.junos.text import Entry, Tree, Words

APPLY: Final = "apply-groups"
MOST_STATEMENTS: Final = 2_000_000
"""Statements that groups may lead to; a switch has some ten thousand."""
POINTS: Final = "code-points"
"""Of a classifier: on one line, the word before each of its values."""
MOST_PORTS: Final = 1_000
"""Ports of a line card that a range may count up to."""
_ONE_LINERS: Final[Mapping[Words, frozenset[str]]] = {
    ("class-of-service", "forwarding-classes", "class"): frozenset({"queue-num", "pfc-priority", "priority"}),
}
"""Lists whose entries Junos prints on one line: words that have a value; all others are flags."""


def effective(entries: Iterable[Entry]) -> tuple[Words, ...]:
    """The statements in force, in order. Those of the site's own group stay in the group."""
    known = _ranged([part for words in text.active(entries) for part in _parts(words)])
    applied = [words for words in known if APPLY in words[:-1] and words[0] != "groups"]
    if not applied:
        return tuple(known)
    groups: dict[str, list[Words]] = {}
    for words in known:
        if words[0] == "groups" and len(words) > 2 and words[1] != GROUP:
            groups.setdefault(words[1], []).append(words[2:])
    own = [words for words in known if words not in set(applied)]
    root = text.tree(words for words in own if words[0] != "groups")
    inherited: list[Words] = []
    for words in applied:
        at = words[: words.index(APPLY)]
        for statement in groups.get(words[-1], ()):
            inherited.extend(_placed(statement, at, root))
            if len(inherited) > MOST_STATEMENTS:
                raise text.NotJunos("its configuration groups lead to more statements than any switch has")
    return (*inherited, *own)


RANGE: Final = ("interfaces", "interface-range")


def _ranged(statements: list[Words]) -> list[Words]:
    """The same with what an interface range says said of each of its members, before what they say themselves."""
    ranges: dict[str, list[Words]] = {}
    members: dict[str, list[str]] = {}
    for words in statements:
        if words[:2] == RANGE and len(words) > 4 and words[3] in ("member", "member-range"):
            names = _between(words[4], words[6]) if words[3] == "member-range" and len(words) > 6 else _listed(words[4])
            members.setdefault(words[2], []).extend(names)
        elif words[:2] == RANGE and len(words) > 3:
            ranges.setdefault(words[2], []).append(words[3:])
    said = [
        ("interfaces", name, *statement)
        for of, names in members.items()
        for name in names
        for statement in ranges.get(of, ())
    ]
    return [*said, *(words for words in statements if words[:2] != RANGE)] if members or ranges else statements


def _listed(member: str) -> list[str]:
    """`et-0/0/[0-2,5]` → the four names. Any other pattern stays as it is."""
    found = re.fullmatch(r"([a-z]+-\d+/\d+/)\[([\d,-]{1,200})\]", member)
    if found is None:
        return [member]
    numbers: list[int] = []
    for part in found.group(2).split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (last or first).isdigit() and int(last or first) < MOST_PORTS:
            numbers.extend(range(int(first), int(last or first) + 1))
    return [f"{found.group(1)}{number}" for number in numbers]


def _between(first: str, last: str) -> list[str]:
    """`et-0/0/0` to `et-0/0/3`: all four."""
    head, _, start = first.rpartition("/")
    other, _, end = last.rpartition("/")
    if head != other or not (start.isdigit() and end.isdigit()) or int(end) >= MOST_PORTS:
        return [first, last]
    return [f"{head}/{number}" for number in range(int(start), int(end) + 1)]


def _placed(statement: Words, at: Words, root: Tree) -> Iterator[Words]:
    """A statement of a group where it applies: below the place of `apply-groups`, wildcards taken for what is there."""
    if statement[: len(at)] != at and not any(word.startswith("<") for word in statement[: len(at)]):
        return
    found: list[tuple[Words, Tree]] = [((), root)]
    for position, word in enumerate(statement):
        if position < len(at) and not _fits(word, at[position]):
            return
        following: list[tuple[Words, Tree]] = []
        for path, node in found:
            if position < len(at):
                following.append(((*path, at[position]), node.get(at[position], {})))
            elif word.startswith("<") and word.endswith(">"):
                following.extend(((*path, name), below) for name, below in node.items() if _fits(word, name))
            else:
                following.append(((*path, word), node.get(word, {})))
        found = following
    yield from (path for path, _ in found)


def _fits(pattern: str, word: str) -> bool:
    if pattern.startswith("<") and pattern.endswith(">"):
        return fnmatchcase(word, pattern[1:-1])
    return pattern == word


def _parts(words: Words) -> Iterator[Words]:
    """One statement for each setting of an entry that Junos prints on one line."""
    if words.count(POINTS) > 1:
        first = words.index(POINTS)
        yield from ((*words[:first], POINTS, point) for point in words[first + 1 :: 2])
        return
    head = words[:3]
    valued = _ONE_LINERS.get(head)
    if valued is None or len(words) <= 5:
        yield words
        return
    at = 4
    while at < len(words):
        wide = 2 if words[at] in valued and at + 1 < len(words) else 1
        yield (*words[:4], *words[at : at + wide])
        at += wide


def expand(pattern: str, names: Iterable[str]) -> list[str]:
    """The names that a pattern of an interface stands for: `et-*`, `et-0/0/[0-3]`, or itself."""
    if not re.search(r"[*\[?]", pattern):
        return [pattern]
    return [name for name in names if fnmatchcase(name, pattern)]
