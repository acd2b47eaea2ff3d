"""The shortest circle of a graph, against networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from netaudit.deadlock.cycle import shortest_cycle

NODES = range(8)


@given(st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=20))
def test_the_shortest_circle_is_as_short_as_the_shortest_there_is(pairs: set[tuple[int, int]]) -> None:
    edges: dict[int, set[int]] = {}
    for a, b in pairs:
        edges.setdefault(a, set()).add(b)

    found = shortest_cycle(edges)

    lengths = [len(cycle) for cycle in nx.simple_cycles(nx.DiGraph(list(pairs)))]
    assert len(found) == min(lengths, default=0)
    for node, after in zip(found, found[1:] + found[:1], strict=True):
        assert after in edges[node]


def test_a_long_chain_has_none() -> None:
    assert shortest_cycle({n: {n + 1} for n in range(100_000)}) == ()


def test_a_node_that_waits_for_itself_is_a_circle() -> None:
    assert shortest_cycle({"a": {"b"}, "b": {"b"}}) == ("b",)
