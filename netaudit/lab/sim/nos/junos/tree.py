"""A configuration of the simulated Junos as a tree of statements: taken from lines, changed, compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from netaudit.lab.sim.nos.junos.schema import Head, Kind, Refusal, Way, partial, ways

_NUMBERS = re.compile(r"(\d+)")


@dataclass(slots=True)
class Tree:
    """One statement with all below it; the root is none. Copied before it is changed where somebody else has it."""

    kind: Kind | None = None
    children: dict[Head, Tree] = field(default_factory=dict)
    inactive: bool = False

    def copy(self) -> Tree:
        """A tree that shares nothing that is ever changed."""
        return Tree(self.kind, {head: child.copy() for head, child in self.children.items()}, self.inactive)

    def sorted(self) -> list[tuple[Head, Tree]]:
        """The children as Junos shows them: by kind, interfaces by their numbers, all else as it came."""
        named = [(child.kind.at if child.kind else 0, head, child) for head, child in self.children.items()]
        by_number = [child.kind is not None and child.kind.element == "interface" for _, _, child in named]
        order = [
            (at, [int(part) if part.isdigit() else part for part in _NUMBERS.split(head[0])] if natural else [])
            for (at, head, _), natural in zip(named, by_number, strict=True)
        ]
        places = sorted(range(len(named)), key=lambda place: order[place])
        return [named[place][1:] for place in places]

    def active(self) -> Iterator[tuple[Head, Tree]]:
        """The children that are in force."""
        return ((head, child) for head, child in self.children.items() if not child.inactive)

    def get(self, *words: str) -> Tree | None:
        """The statement in force that words lead to, each step being one or more of them."""
        if not words:
            return self
        for head, child in self.active():
            if tuple(words[: len(head)]) == head and (found := child.get(*words[len(head) :])) is not None:
                return found
        return None

    def value(self, *words: str) -> str:
        """The value of a statement in force; empty where there is none."""
        return next(iter(self.values(*words)), "")

    def values(self, *words: str) -> tuple[str, ...]:
        """The values of a statement in force, in their order."""
        for size in range(len(words)):
            holder = self.get(*words[:size]) if size else self
            if holder is not None:
                rest = words[size:]
                found = [
                    head[len(rest)]
                    for head, child in holder.active()
                    if head[: len(rest)] == rest
                    and len(head) == len(rest) + 1
                    and child.kind is not None
                    and child.kind.ends
                ]
                if found:
                    return tuple(found)
        return ()

    def entries(self, *words: str) -> Iterator[tuple[str, Tree]]:
        """(key, statement) of the list entries in force below words: `("unit",)`, or none for lists without a word."""
        for head, child in self.active():
            if child.kind is not None and child.kind.what == "list" and head[:-1] == words:
                yield head[-1], child


def find(tree: Tree, heads: Sequence[Head]) -> Tree | None:
    """The statement at exactly these heads."""
    at: Tree | None = tree
    for head in heads:
        at = at.children.get(head) if at else None
    return at


def put(tree: Tree, way: Way) -> None:
    """Set a statement; of what has one value the old one goes."""
    at = tree
    for head, kind in way:
        child = at.children.get(head)
        if child is None:
            if kind.what == "leaf":
                at.children = {old: one for old, one in at.children.items() if one.kind is not kind}
            child = at.children[head] = Tree(kind)
        at = child


def _heads(way: Way) -> tuple[Head, ...]:
    return tuple(head for head, _ in way)


def _matching(tree: Tree, words: Sequence[str]) -> tuple[Tree, list[Head]]:
    """The statement above, and the heads that the words of a `delete` mean. Raises `Refusal` where there is none."""
    way, start = partial(words)
    holder = find(tree, _heads(way))
    found = [] if holder is None else [head for head in holder.children if head[: len(start)] == start]
    if holder is None or not found:
        raise Refusal("statement not found", " ".join(words))
    return holder, found


def delete(tree: Tree, words: Sequence[str]) -> None:
    """Delete what words stand for, all of it. Raises `Refusal` where it is not there."""
    if not words:
        tree.children.clear()
        return
    holder, found = _matching(tree, words)
    for head in found:
        del holder.children[head]
    _prune(tree, words)


_PRESENT = ("family", "unicast", "multipath", "pfc-watchdog")
"""Beginnings of statements that mean something without any below them."""


def _prune(tree: Tree, words: Sequence[str]) -> None:
    """Take away the levels above a deleted statement that hold nothing any more."""
    way, _ = partial(words)
    for size in range(len(way), 0, -1):
        heads = [head for head, _ in way[:size]]
        level, above = find(tree, heads), find(tree, heads[:-1])
        kind = way[size - 1][1]
        if level is None or above is None or level.children or kind.what != "container" or heads[-1][0] in _PRESENT:
            return
        del above.children[heads[-1]]


def activate(tree: Tree, words: Sequence[str], *, wanted: bool) -> None:
    """Take the mark `inactive:` from a statement, or put it there. Raises `Refusal`."""
    holder, found = _matching(tree, words)
    for head in found:
        holder.children[head].inactive = not wanted


def insert(tree: Tree, words: Sequence[str]) -> None:
    """`insert WHAT before|after WHICH`: put one entry of a list beside another. Raises `Refusal`."""
    side = next((place for place, word in enumerate(words) if word in ("before", "after")), 0)
    if not side:
        raise Refusal("missing argument.", "before")
    holder, found = _matching(tree, words[:side])
    other, moved = tuple(words[side + 1 :]), found[0]
    if other not in holder.children:
        raise Refusal("statement not found", " ".join(other))
    kept = [(head, child) for head, child in holder.children.items() if head != moved]
    at = next(place for place, (head, _) in enumerate(kept) if head == other) + (words[side] == "after")
    kept.insert(at, (moved, holder.children[moved]))
    holder.children = dict(kept)


def merge(tree: Tree, other: Tree) -> None:
    """Put all of another tree into one, as `load merge` does."""
    for head, child in other.children.items():
        kind = child.kind
        if kind is not None and kind.what == "leaf" and head not in tree.children:
            tree.children = {old: one for old, one in tree.children.items() if one.kind is not kind}
        mine = tree.children.setdefault(head, Tree(kind))
        mine.inactive = child.inactive
        merge(mine, child)


def set_words(tree: Tree, words: Sequence[str]) -> None:
    """Carry out the words of one line: `set`, `delete`, `activate`, `deactivate`, `insert`. Raises `Refusal`."""
    verb, rest = words[0], words[1:]
    if verb == "set":
        for way in list(ways(rest)):
            put(tree, way)
    elif verb == "delete":
        delete(tree, rest)
    elif verb in ("activate", "deactivate"):
        activate(tree, rest, wanted=verb == "activate")
    elif verb == "insert":
        insert(tree, rest)
    else:
        raise Refusal("unknown command.", verb)


def words_of(line: str) -> list[str]:
    """The words of a line; quoted text is one, brackets and semicolons stand for themselves."""
    found: list[str] = []
    for match in re.finditer(r'"((?:\\.|[^"\\])*)"|([\[\](){};])|([^\s"\[\](){};]+(?:"[^"]*")?)|(")', line):
        if match[4]:
            raise Refusal("syntax error, missing closing quote", line[match.start() :][:40])
        found.append(re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2] or match[3])
    return found


def children_of(tree: Tree | None) -> Mapping[Head, Tree]:
    """What stands below a statement, nothing where it is not there."""
    return tree.children if tree is not None else {}
