"""Which nodes of a graph are alike: colour refinement, so that of many equal failures one is worked out.

Two nodes get one colour if their own colours agree and they have as many edges of each colour to nodes of each colour
(1-dimensional Weisfeiler-Leman). Alike by this measure is the same as exchangeable in fabrics that are built by a
pattern; a component's size is part of the first colour, so that a ring of six is not two rings of three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias, TypeVar

K = TypeVar("K", bound=Hashable)
Edge: TypeAlias = tuple[str, str, Hashable]
"""(node, node, colour)."""


def colours(nodes: Mapping[str, Hashable], edges: Sequence[Edge]) -> Mapping[str, int]:
    """Node → number of its colour, the coarsest stable one that respects the colours given. Linear in edges a round."""
    beside: dict[str, list[tuple[Hashable, str]]] = {name: [] for name in nodes}
    for a, b, colour in edges:
        beside[a].append((colour, b))
        beside[b].append((colour, a))
    sizes = _component_sizes(beside)
    current = _numbered({name: (colour, sizes[name]) for name, colour in nodes.items()})
    edge_numbers = _numbered({colour: colour for _, _, colour in edges})
    near = {name: [(edge_numbers[colour], far) for colour, far in list_] for name, list_ in beside.items()}
    count = len(set(current.values()))
    while True:
        seen = {
            name: (current[name], tuple(sorted((colour, current[far]) for colour, far in list_)))
            for name, list_ in near.items()
        }
        refined = _numbered(seen)
        if len(set(refined.values())) == count:
            return refined
        current, count = refined, len(set(refined.values()))


def _numbered(values: Mapping[K, Hashable]) -> dict[K, int]:
    """Equal values get one number, in the order in which they are met."""
    numbers: dict[Hashable, int] = {}
    return {key: numbers.setdefault(value, len(numbers)) for key, value in values.items()}


def _component_sizes(beside: Mapping[str, Sequence[tuple[Hashable, str]]]) -> Mapping[str, int]:
    """Node → how many nodes can be reached from it, itself among them."""
    first = components({name: [far for _, far in list_] for name, list_ in beside.items()})
    sizes = Counter(first.values())
    return {name: sizes[start] for name, start in first.items()}


def components(beside: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Node → the first of those that can be reached from it, itself among them."""
    found: dict[str, str] = {}
    for start in beside:
        if start in found:
            continue
        found[start], waiting = start, [start]
        while waiting:
            for far in beside[waiting.pop()]:
                if far not in found:
                    found[far] = start
                    waiting.append(far)
    return found
