"""The path vector: which paths win, which are used beside them, and what loops and policies stop."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lab.sim.bgp import DENY_ALL, OWN, Direction, Family, Node, converge, held, received, sent
from netaudit.lab.sim.frr_policy import Policy, permits, route_maps
from netaudit.lab.sim.frr_text import load

P = "10.0.0.0/24"


def node(name: str, asn: int, *own: str, relax: bool = True, maximum_paths: int = 64) -> Node:
    number = sum(map(ord, name))
    return Node(name=name, asn=asn, router_id=f"10.0.{number // 256}.{number % 256}", relax=relax,
                maximum_paths=maximum_paths, own=own)  # fmt: skip


def sessions(
    nodes: list[Node],
    *pairs: tuple[str, str],
    policies: dict[tuple[str, str], Policy] | None = None,
    allowas_in: dict[str, int] | None = None,
) -> list[Direction]:
    """Both directions of each pair; a policy at (x, y) is x's own for what it sends to y."""
    index = {one.name: at for at, one in enumerate(nodes)}
    made = []
    for number, pair in enumerate(pairs):
        for source, target in (pair, pair[::-1]):
            made.append(
                Direction(
                    source=index[source],
                    target=index[target],
                    source_key=f"{source}-{target}-{number}",
                    target_key=f"{target}-{source}-{number}",
                    external=nodes[index[source]].asn != nodes[index[target]].asn,
                    policy_out=(policies or {}).get((source, target)),
                    policy_in=None,
                    allowas_in=(allowas_in or {}).get(target, 0),
                )
            )
    return made


def paths(family: Family, name: str, prefix: str = P) -> list[tuple[tuple[int, ...], str]]:
    """(AS path, how it is used) of what a speaker holds."""
    found = held(family, family.index[name], prefix)
    return [(one.as_path, "best" if one.best else "beside" if one.multipath else "") for one in found]


def clos(leaves: int, spines: int, links: int, *, shared: bool, relax: bool = True) -> Family:
    """Leaves with a prefix each, spines with one or with several ASNs."""
    nodes = [node(f"l{at}", 100 + at, f"10.0.{at}.0/24", relax=relax) for at in range(leaves)]
    nodes += [node(f"s{at}", 200 if shared else 200 + at, f"10.255.{at}.0/32", relax=relax) for at in range(spines)]
    pairs = [(f"l{l}", f"s{s}") for l in range(leaves) for s in range(spines) for _ in range(links)]  # noqa: E741
    return converge(nodes, sessions(nodes, *pairs))


def width(family: Family, name: str, prefix: str) -> int:
    return sum(1 for _, use in paths(family, name, prefix) if use)


@given(st.integers(2, 5), st.integers(1, 4), st.integers(1, 3))
def test_two_tiers_hold_what_the_formulas_say(leaves: int, spines: int, links: int) -> None:
    """topology.md section 5, shared spine ASN: counts of prefixes, of paths, and of paths in use."""
    family = clos(leaves, spines, links, shared=True)
    assert width(family, "l0", "10.0.1.0/24") == spines * links
    assert width(family, "l0", "10.255.0.0/32") == links
    assert {path for path, _ in paths(family, "l0", "10.0.1.0/24")} == {(200, 101)}
    assert paths(family, "s0", "10.0.0.0/24") == [((100,), "best"), *[((100,), "beside")] * (links - 1)]
    if spines > 1:
        assert paths(family, "s0", "10.255.1.0/32") == []


def test_spines_with_asns_of_their_own_need_multipath_relax() -> None:
    assert width(clos(4, 2, 2, shared=False), "l0", "10.0.1.0/24") == 4
    assert width(clos(4, 2, 2, shared=False, relax=False), "l0", "10.0.1.0/24") == 2
    assert width(clos(4, 2, 2, shared=False), "s0", "10.255.1.0/32") == 8


def test_no_more_paths_are_used_than_allowed() -> None:
    nodes = [node("a", 1, maximum_paths=2), node("b", 2, P)]
    family = converge(nodes, sessions(nodes, *[("a", "b")] * 4))
    assert [use for _, use in paths(family, "a")] == ["best", "beside", "", ""]


def test_the_shorter_path_wins_and_the_longer_is_kept() -> None:
    nodes = [node("a", 1), node("b", 2), node("c", 3, P)]
    family = converge(nodes, sessions(nodes, ("a", "b"), ("b", "c"), ("a", "c")))
    assert sorted(paths(family, "a")) == [((2, 3), ""), ((3,), "best")]


def test_an_own_prefix_wins_over_any_heard() -> None:
    nodes = [node("a", 1, P), node("b", 2, P)]
    family = converge(nodes, sessions(nodes, ("a", "b")))
    assert paths(family, "a") == [((), "best"), ((2,), "")]
    assert held(family, 0, P)[0].direction == OWN


def test_a_path_through_the_own_as_is_a_loop_unless_allowed() -> None:
    nodes = [node("s1", 9), node("leaf", 1), node("s2", 9, P)]
    pairs = (("s1", "leaf"), ("leaf", "s2"))
    assert paths(converge(nodes, sessions(nodes, *pairs)), "s1") == []
    allowed = converge(nodes, sessions(nodes, *pairs, allowas_in={"s1": 1}))
    assert paths(allowed, "s1") == [((1, 9), "best")]


def test_a_policy_stops_what_it_does_not_permit_and_nothing_else() -> None:
    config, _ = load("ip prefix-list X permit 10.0.0.0/24\nroute-map M permit 10\n match ip address prefix-list X\n")
    nodes = [node("a", 1), node("b", 2, P, "10.0.1.0/24")]
    family = converge(nodes, sessions(nodes, ("a", "b"), policies={("b", "a"): route_maps(config)["M"]}))
    assert (paths(family, "a"), paths(family, "a", "10.0.1.0/24")) == ([((2,), "best")], [])
    assert sent(family, 1) == 1


@pytest.mark.parametrize(("alone", "count"), [(True, 0), (False, 1)])
def test_a_path_goes_back_where_it_came_from_unless_there_is_no_other_peer(alone: bool, count: int) -> None:
    nodes = [node("a", 1), node("b", 2, P)]
    ways = [replace(way, alone=alone) for way in sessions(nodes, ("a", "b"))]
    family = converge(nodes, ways)
    assert (sent(family, 0), paths(family, "b")) == (count, [((), "best")])


def test_spines_that_allow_their_own_as_hold_valley_paths_beside_the_best() -> None:
    """topology.md section 5, measured there: L = 4, k = 2 give 2 best paths and 6 through the other leaves."""
    nodes = [node(f"l{at}", 100 + at, f"10.0.{at}.0/24") for at in range(4)] + [node(f"s{at}", 200) for at in range(2)]
    pairs = [(f"l{leaf}", f"s{spine}") for leaf in range(4) for spine in range(2) for _ in range(2)]
    family = converge(nodes, sessions(nodes, *pairs, allowas_in={"s0": 1, "s1": 1}))
    found = paths(family, "s0", "10.0.0.0/24")
    assert [path for path, use in found if use] == [(100,)] * 2
    assert len([path for path, use in found if not use]) == 6


def test_denying_all_keeps_the_session_and_sends_nothing() -> None:
    nodes = [node("a", 1), node("b", 2, P)]
    family = converge(nodes, sessions(nodes, ("a", "b"), policies={("b", "a"): DENY_ALL}))
    assert paths(family, "a") == []


def test_an_internal_peer_does_not_pass_on_what_an_internal_one_said() -> None:
    nodes = [node("a", 1), node("b", 1), node("c", 1, P)]
    family = converge(nodes, sessions(nodes, ("a", "b"), ("b", "c")))
    assert (paths(family, "b"), paths(family, "a")) == ([((), "best")], [])


def test_a_path_that_is_taken_back_is_taken_back_everywhere() -> None:
    """u tells w of o through z, until the path through b and c comes, wins, and holds the AS of w."""
    nodes = [node("o", 1, P), node("z", 2), node("b", 5), node("c", 5), node("u", 3), node("w", 5)]
    pairs = [("o", "z"), ("z", "u"), ("o", "b"), ("b", "c"), ("c", "u"), ("u", "w")]
    family = converge(nodes, sessions(nodes, *pairs))
    assert sorted(paths(family, "u")) == [((2, 1), "beside"), ((5, 1), "best")]
    assert paths(family, "w") == []


def test_an_external_path_wins_over_an_equally_long_internal_one() -> None:
    nodes = [node("a", 1), node("b", 1), node("c", 2, P)]
    family = converge(nodes, sessions(nodes, ("a", "b"), ("a", "c"), ("b", "c")))
    assert sorted(paths(family, "a")) == [((2,), ""), ((2,), "best")]
    best = next(one for one in held(family, 0, P) if one.best)
    assert family.directions[best.direction].external


names = st.sampled_from("abcdef")
graphs = st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=14)


@given(graphs, st.lists(st.integers(1, 4), min_size=6, max_size=6))
def test_a_fixed_point_is_one_nobody_would_leave(pairs: list[tuple[str, str]], asns: list[int]) -> None:
    """On any graph: the best path of each speaker is the best of all that its peers send it, and no path loops."""
    nodes = [node(name, asn, *([P] if name == "a" else [])) for name, asn in zip("abcdef", asns, strict=True)]
    family = converge(nodes, sessions(nodes, *pairs))
    for at, one in enumerate(nodes):
        best = family.chosen[0][at]
        offers = list(received(family, at, P))
        assert all(one.asn not in path for _, path in offers)
        if one.name == "a":
            assert best == ((), OWN)
        else:
            assert (best is None) == (not offers)
            assert best is None or len(best[0]) == min(len(path) for _, path in offers)


@pytest.mark.parametrize(
    ("rules", "prefix", "permitted"),
    [
        ("permit 10.0.0.0/8", "10.0.0.0/8", True),
        ("permit 10.0.0.0/8", "10.1.0.0/16", False),
        ("permit 10.0.0.0/8 le 16", "10.1.0.0/16", True),
        ("permit 10.0.0.0/8 le 16", "10.1.1.0/24", False),
        ("permit 10.0.0.0/8 ge 24", "10.1.1.1/32", True),
        ("permit 10.0.0.0/8 ge 24 le 24", "10.1.1.1/32", False),
        ("permit any", "192.0.2.0/24", True),
        ("deny 10.1.0.0/16 le 32|permit 10.0.0.0/8 le 32", "10.1.2.0/24", False),
        ("deny 10.1.0.0/16 le 32|permit 10.0.0.0/8 le 32", "10.2.2.0/24", True),
        ("permit 10.0.0.0/8 le 32", "fd00::/64", False),
    ],
)
def test_a_prefix_list_says_what_frr_says(rules: str, prefix: str, permitted: bool) -> None:
    lines = "".join(f"ip prefix-list X {rule}\n" for rule in rules.split("|"))
    config, _ = load(f"{lines}route-map M permit 10\n match ip address prefix-list X\n")
    assert permits(route_maps(config)["M"], prefix) is permitted


def test_clauses_of_a_route_map_count_in_the_order_of_their_numbers() -> None:
    text = "ip prefix-list X permit 10.0.0.0/8 le 32\nroute-map M permit 20\nroute-map M deny 10\n"
    policy = route_maps(load(f"{text} match ip address prefix-list X\n")[0])["M"]
    assert (permits(policy, "10.0.0.0/24"), permits(policy, "192.0.2.0/24")) == (False, True)


def test_a_list_that_is_not_defined_permits_nothing() -> None:
    policy = route_maps(load("route-map M permit 10\n match ip address prefix-list NONE\n")[0])["M"]
    assert not permits(policy, P)
