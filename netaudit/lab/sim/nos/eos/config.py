"""EOS's configuration as a tree of lines, and what typing a line does to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from netaudit.lab.sim.nos.eos.grammar import WORD, matching, ordered, rules

Tree: TypeAlias = "dict[str, Tree]"
"""Line → the lines below it. Never changed in place: a configuration in force and one that is edited share parts."""
At: TypeAlias = tuple[str, ...]
"""The lines that lead to a block."""

_SHORT: Final = re.compile(r"^((?:no |default )?(?:neighbor )?interface )(?:et|eth)(?=\d)", re.IGNORECASE)
_DSCPS: Final = re.compile(r"(no )?qos map dscp ((?:\d+ )+\d+) to traffic-class (\d)")
_LIST: Final = re.compile(r"(ip|ipv6) prefix-list (\S+) (seq \d+ .*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """A cage as the box has it."""

    lanes: int
    speed_mbps: int


def names(cages: Mapping[int, Cage]) -> tuple[str, ...]:
    """The interfaces of the front panel: one for each lane of a cage, as a running configuration lists them."""
    return tuple(
        f"Ethernet{number}/{lane}" if cage.lanes > 1 else f"Ethernet{number}"
        for number, cage in cages.items()
        for lane in range(1, cage.lanes + 1)
    )


def clean(cages: Mapping[int, Cage]) -> Tree:
    """What `rollback clean-config` leaves: the interfaces that the box has."""
    return {f"interface {name}": {} for name in (*names(cages), "Management1")}


def block(tree: Tree, at: At) -> Tree:
    """The lines below a place. Raises `KeyError`."""
    for head in at:
        tree = tree[head]
    return tree


def with_block(tree: Tree, at: At, lines: Tree) -> Tree:
    """The same tree with other lines below a place."""
    return {**tree, at[0]: with_block(tree.get(at[0], {}), at[1:], lines)} if at else lines


def text(tree: Tree) -> str:
    """The lines of a configuration, stanzas apart by `!`, as `show running-config` prints them below its head."""
    return "!\n" + "".join(_stanzas(tree)) + "end\n"


def _stanzas(tree: Tree) -> Iterator[str]:
    heads = ordered(tree)
    for head, following in zip(heads, [*heads[1:], ""], strict=True):
        yield f"{head}\n"
        indent = 4 if head.startswith("platform trident") else 3
        yield from _below(tree[head], indent, indent)
        if tree[head] or not following or following.split()[0] != head.split()[0] or tree[following]:
            yield "!\n"


def _below(lines: Tree, depth: int, step: int) -> Iterator[str]:
    for line in (one for one in lines if not lines[one]):
        yield f"{' ' * depth}{line}\n"
    for head in (one for one in lines if lines[one]):
        yield f"{' ' * depth}!\n{' ' * depth}{head}\n"
        yield from _below(lines[head], depth + step, step)


def diff(before: Tree, after: Tree, depth: int = 0) -> Iterator[str]:
    """Lines of `show session-config diffs`: what goes with `-`, what comes with `+`, where it stands above."""
    indent = "   " * depth
    for head in ordered({**before, **after}) if not depth else [*before, *(one for one in after if one not in before)]:
        old, new = before.get(head), after.get(head)
        if old is None or new is None:
            sign = "+" if old is None else "-"
            yield f"{sign}{indent}{head}"
            yield from (f"{sign}{indent}{line}" for line in _whole(new if old is None else old or {}))
        elif old != new:
            yield f" {indent}{head}"
            yield from diff(old, new, depth + 1)


def _whole(lines: Tree | None, depth: int = 1) -> Iterator[str]:
    for head, below in (lines or {}).items():
        yield f"{'   ' * depth}{head}"
        yield from _whole(below, depth + 1)


@dataclass(slots=True)
class Editor:
    """Lines typed one after the other in configuration mode."""

    tree: Tree
    cages: Mapping[int, Cage]
    places: tuple[tuple[At, str], ...] = (((), ""),)
    """From the outermost mode to the one that it is in: its block, and its name."""

    @property
    def word(self) -> str:
        """The mode, as the prompt has it."""
        mode = self.places[-1][1]
        return WORD.get(mode, f"config-{mode}")

    def run(self, typed: str) -> str:
        """What the CLI complains of; empty where it took the line."""
        line = _SHORT.sub(r"\1Ethernet", " ".join(typed.split()))
        if not line or line.startswith("!"):
            return ""
        if line == "exit":
            self.places = self.places[:-1] or self.places
            return ""
        if found := _DSCPS.fullmatch(line):
            return self._each(f"{found[1] or ''}qos map dscp {n} to traffic-class {found[3]}" for n in found[2].split())
        if found := _LIST.fullmatch(line):
            return self._each((f"{found[1]} prefix-list {found[2]}", found[3], "exit"))
        line = re.sub(r"^((?:no )?neighbor (?!interface )\S+ )peer-group\b", r"\1peer group", line)
        for depth in range(len(self.places), 0, -1):
            at, mode = self.places[depth - 1]
            answer = self._try(at, mode, line, depth)
            if answer is not None:
                return answer
        return f"Invalid input (at token 0: '{line.split()[0]}')"

    def _each(self, lines: Iterable[str]) -> str:
        return next((said for said in map(self.run, lines) if said), "")

    def _try(self, at: At, mode: str, line: str, depth: int) -> str | None:
        """The complaint of one mode; `None` where it does not know the line."""
        word, _, rest = line.partition(" ")
        if word in ("no", "default"):
            return self._negate(at, mode, rest, depth, stays=word == "no")
        rule = matching(mode, line)
        if rule is None:
            return None
        if complaint := self._complaint(line):
            return complaint
        lines = dict(block(self.tree, at))
        self.places = self.places[:depth]
        if rule.opens:
            for other in [one for one in lines if rule.same and one != line and _alike(one, line, rule.same)]:
                return f"BGP is already running with AS number {other.split()[-1]}"
            lines.setdefault(line, {})
            self.places = (*self.places, ((*at, line), rule.opens))
        else:
            lines = {one: below for one, below in lines.items() if not self._replaces(mode, line, one, rule.same)}
            if not (rule.no and line in _ON):
                lines[line] = {}
        if line == "switchport":
            lines.pop("no switchport", None)
        self.tree = with_block(self.tree, at, lines)
        return ""

    @staticmethod
    def _replaces(mode: str, line: str, old: str, same: int) -> bool:
        """Is the old line the same setting? Its negation is."""
        bare = old.removeprefix("no ")
        if not _alike(bare, line, same):
            return False
        known = matching(mode, bare)
        return known is not None and not known.opens and known.same == same

    def _complaint(self, line: str) -> str:
        if line.startswith("interface Ethernet") and line.split()[1] not in names(self.cages):
            return f"Interface {line.split()[1]} does not exist"
        return ""

    def _negate(self, at: At, mode: str, line: str, depth: int, *, stays: bool) -> str | None:
        """Take lines out. What is not there is no error, what nobody could have typed is."""
        lines = block(self.tree, at)
        rule = matching(mode, line)
        gone = [one for one in lines if _means(mode, line, one)]
        if rule is None and not gone and not _begins(mode, line):
            return None
        if re.fullmatch(r"interface Ethernet\S+", line):
            kept = {**lines, line: {}} if line in lines else lines  # the port is there, its lines are not
        else:
            kept = {one: below for one, below in lines.items() if one not in gone}
        negation = f"no {line}"
        if stays and _stays(mode, line):
            kept = {one: below for one, below in kept.items() if one.removeprefix("no ") != line} | {negation: {}}
        self.places = self.places[:depth]
        self.tree = with_block(self.tree, at, kept)
        return ""


_ON: Final = frozenset(
    ("switchport", "bgp default ipv4-unicast", "bgp bestpath as-path multipath-relax", "lldp run", "lldp transmit")
) | {"lldp receive"}
"""What is so unless it is negated, and stands in no configuration."""


def _alike(one: str, other: str, same: int) -> bool:
    return one.split()[: same or None] == other.split()[: same or None]


def _stays(mode: str, line: str) -> bool:
    """Is the negation of the line a setting of its own?"""
    if line == "shutdown":
        return mode in ("api", "transport")
    return any(rule.no and (rule.pattern.fullmatch(line) or _short(rule.pattern.pattern, line)) for rule in rules(mode))


def _short(pattern: str, line: str) -> bool:
    """A negation may leave the value out: `no qos trust`, `no error-correction encoding`."""
    return re.split(r" ?\(", pattern, maxsplit=1)[0] == line


def _means(mode: str, line: str, old: str) -> bool:
    """Does the negation of `line` take `old` away? So many words as say which setting it is, or fewer for several."""
    if old.split(" ", 1)[0] != line.split(" ", 1)[0]:
        return False
    rule, negated = matching(mode, old), matching(mode, line)
    if negated is not None and rule is not negated:
        return False
    count = min(len(line.split()), (rule.same if rule else 0) or len(old.split()))
    return old.split()[:count] == line.split()[:count] and not old.startswith("no ")


def _begins(mode: str, line: str) -> bool:
    """Does a line of this mode begin with these words? So `no mtu` is taken where no MTU is set."""
    return any(rule.pattern.pattern.startswith(line) for rule in rules(mode))


def load(lines: str, cages: Mapping[int, Cage]) -> tuple[Tree, tuple[str, ...]]:
    """The tree of a whole configuration, and what the CLI complains of, each with its line."""
    editor = Editor(tree=clean(cages), cages=cages)
    refused = []
    for line in lines.splitlines():
        if line and not line.startswith((" ", "!")):
            editor.places = editor.places[:1]
        if line.strip() != "end" and (said := editor.run(line)):
            refused.append(f"{line.strip()}: {said}")
    return editor.tree, tuple(refused)
