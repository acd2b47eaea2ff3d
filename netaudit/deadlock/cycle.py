"""The shortest cycle of a directed graph, or that there is none."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def shortest_cycle(edges: Mapping[N, Collection[N]]) -> tuple[N, ...]:
    """The nodes of a shortest cycle in order, the first not repeated; empty if there is none.

    Linear where there is none; otherwise a search from each node that is on some cycle.
    """
    best: tuple[N, ...] = ()
    for start in _cyclic(edges):
        found = _back_to(start, edges, len(best) or None)
        if found and (not best or len(found) < len(best)):
            best = found
            if len(best) == 1:
                break
    return best


def _cyclic(edges: Mapping[N, Collection[N]]) -> tuple[N, ...]:
    """Nodes that remain when those without a predecessor, and then those without a successor, are taken off."""
    kept = _peeled(edges)
    turned: dict[N, list[N]] = {node: [] for node in kept}
    for node in kept:
        for far in edges.get(node, ()):
            if far in kept:
                turned[far].append(node)
    return tuple(_peeled(turned))


def _peeled(edges: Mapping[N, Collection[N]]) -> dict[N, None]:
    """Kahn's algorithm: what is left when nodes that nothing leads to are taken off, one after the other."""
    coming: dict[N, int] = dict.fromkeys(edges, 0)
    for targets in edges.values():
        for far in targets:
            coming[far] = coming.get(far, 0) + 1
    waiting = deque(node for node, count in coming.items() if count == 0)
    gone: set[N] = set()
    while waiting:
        node = waiting.popleft()
        gone.add(node)
        for far in edges.get(node, ()):
            coming[far] -= 1
            if coming[far] == 0:
                waiting.append(far)
    return {node: None for node in coming if node not in gone}


def _back_to(start: N, edges: Mapping[N, Collection[N]], shorter_than: int | None) -> tuple[N, ...]:
    """A shortest walk from a node back to it."""
    before: dict[N, N] = {}
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        if shorter_than is not None and steps[node] + 1 >= shorter_than:
            return ()
        for far in edges.get(node, ()):
            if far == start:
                path = [node]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if far not in steps:
                steps[far], before[far] = steps[node] + 1, node
                waiting.append(far)
    return ()
