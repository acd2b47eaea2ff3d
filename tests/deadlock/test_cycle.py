"""The shortest circle of a graph, against walks of every length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from netaudit.deadlock.cycle import shortest_cycle

NODES = range(8)


def shortest_closed_walk(pairs: set[tuple[int, int]]) -> int:
    """Steps of the shortest walk from a node back to it, 0 if there is none: walks are lengthened by one at a time."""
    walks = set(pairs)
    for steps in range(1, len(NODES) + 1):
        if any(a == b for a, b in walks):
            return steps
        walks = {(a, c) for a, b in walks for b_, c in pairs if b == b_}
    return 0


@given(st.sets(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=20))
def test_the_shortest_circle_is_as_short_as_the_shortest_there_is(pairs: set[tuple[int, int]]) -> None:
    edges: dict[int, set[int]] = {}
    for a, b in pairs:
        edges.setdefault(a, set()).add(b)

    found = shortest_cycle(edges)

    assert len(found) == shortest_closed_walk(pairs)
    for node, after in zip(found, found[1:] + found[:1], strict=True):
        assert after in edges[node]


def test_a_long_chain_has_none() -> None:
    assert shortest_cycle({n: {n + 1} for n in range(100_000)}) == ()


def test_a_node_that_waits_for_itself_is_a_circle() -> None:
    assert shortest_cycle({"a": {"b"}, "b": {"b"}}) == ("b",)
