"""A configuration of NX-OS as a tree of lines: its blocks, its text, and the ports that it makes of the cages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from netaudit.lab.sim.nos.nxos.grammar import sorted_heads

Tree: TypeAlias = "dict[str, Tree]"
"""Line → the lines below it, in the order in which they were typed. Never changed in place once it is in force."""
At: TypeAlias = tuple[str, ...]
"""The lines that a block stands below, from the outermost in."""
_ALWAYS_THERE: Final = ("system qos",)
"""Blocks that every switch has, and shows where something is said in them."""
_BREAKOUT: Final = re.compile(r"interface breakout module 1 port (\d+) map (\d+)g-(\d)x")


@dataclass(frozen=True, slots=True)
class Cage:
    """A cage as the box has it."""

    lanes: int
    speed_mbps: int


def block(tree: Tree, at: At) -> Tree:
    """The lines below a place. Raises `KeyError`."""
    for head in at:
        tree = tree[head]
    return tree


def with_block(tree: Tree, at: At, lines: Tree) -> Tree:
    """The same tree with other lines below a place; what does not change is shared."""
    return {**tree, at[0]: with_block(tree.get(at[0], {}), at[1:], lines)} if at else lines


def text(tree: Tree, depth: int = 0) -> Iterator[str]:
    """The lines of a tree, indented by two."""
    heads = sorted_heads(list(tree)) if not depth else list(tree)
    for head in heads:
        if head in _ALWAYS_THERE and not tree[head]:
            continue
        if not depth and tree[head]:
            yield ""
        yield f"{'  ' * depth}{head}"
        yield from text(tree[head], depth + 1)


def ports(tree: Tree, cages: Mapping[int, Cage]) -> Mapping[str, tuple[str, int, int]]:
    """Native name → (position, lanes, speed by default), of every port that there is: whole cages and their parts."""
    split = {int(found[1]): (int(found[2]), int(found[3])) for head in tree if (found := _BREAKOUT.fullmatch(head))}
    made: dict[str, tuple[str, int, int]] = {}
    for number, cage in cages.items():
        if number not in split:
            made[f"Ethernet1/{number}"] = (str(number), cage.lanes, cage.speed_mbps)
            continue
        speed, parts = split[number]
        for part in range(1, parts + 1):
            made[f"Ethernet1/{number}/{part}"] = (f"{number}/{part}", max(1, cage.lanes // parts), speed * 1000)
    return made


def with_ports(tree: Tree, cages: Mapping[int, Cage]) -> Tree:
    """The tree with a block for each port that there is, and none for one that there is not."""
    there = ports(tree, cages)
    kept = {h: b for h, b in tree.items() if not h.startswith("interface Ethernet") or h.split()[1] in there}
    return kept | {f"interface {name}": {} for name in there if f"interface {name}" not in kept}
