"""Which lines lead from one configuration to another, as `show diff rollback-patch` prints them."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.lab.sim.nos.nxos.config import Tree


def patch(before: Tree, after: Tree) -> list[str]:
    """Lines to type, with `!` between the blocks as NX-OS has it; empty where nothing differs."""
    return list(_patch(before, after, 0))


def _patch(before: Tree, after: Tree, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for head in before:
        if head not in after:
            yield f"{indent}{head.removeprefix('no ')}" if head.startswith("no ") else f"{indent}no {head}"
    for head, below in after.items():
        if head not in before:
            yield f"{indent}{head}"
            yield from _patch({}, below, depth + 1)
        elif before[head] != below:
            yield f"{indent}{head}"
            yield from _patch(before[head], below, depth + 1)
