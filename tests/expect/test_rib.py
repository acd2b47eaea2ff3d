"""The tables that every device must hold: topology.md section 5 as formulas, and failures with arithmetic by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from audit.world import far_of, link_at, two_plane
from fabric.made import fabric
from hypothesis import given, settings
from hypothesis import strategies as st
from intent.example import small
from strategies import Shape, shapes

from netaudit.expect import Expected
from netaudit.expect.rib import permits_prefix
from netaudit.state import Failures, Link, LinkEnd, Policy, PolicyRule, Route, RouteKey

NONE = Failures()


@cache
def sized(units: int, spines: int, links: int, speed: str) -> Expected:
    """One plane of 8 rails with so many units: 8 leaves a unit."""
    return Expected(
        fabric(
            small(
                planes="[a]",
                rails="8",
                units="{" + ", ".join(f"su{n}: {{hosts: 1}}" for n in range(1, units + 1)) + "}",
                spine=f"{{model: nvidia-sn5600, platform: sonic, count: {spines}, links: {links}, speed: {speed}}}",
                addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}",
            )
        )
    )


def learned(routes: Mapping[RouteKey, Route]) -> dict[str, Route]:
    return {prefix: route for (_, prefix), route in routes.items() if route.hops}


def paths(routes: Mapping[RouteKey, Route]) -> int:
    """Paths used: with one session a link, as many as hops."""
    return sum(len(route.hops) for route in routes.values())


SIZES: Mapping[str, tuple[tuple[int, int, int, str], tuple[int, int], tuple[int, int]]] = {
    # units of 8 leaves, spines, links, speed → (prefixes, paths) of a leaf, of a spine: topology.md section 5, «Sizes»
    "16 leaves, 8 spines, k = 4": ((2, 8, 4, "800G"), (38, 992), (32, 128)),
    "64 leaves, 32 spines, k = 2": ((8, 32, 2, "400G"), (158, 8_128), (128, 256)),
    "128 leaves, 64 spines, k = 1": ((16, 64, 1, "400G"), (318, 16_320), (256, 256)),
}


@pytest.mark.parametrize(("size", "leaf", "spine"), SIZES.values(), ids=SIZES)
def test_prefixes_and_paths_of_the_sizes_in_the_book(
    size: tuple[int, int, int, str], leaf: tuple[int, int], spine: tuple[int, int]
) -> None:
    expected = sized(*size)
    for name, wanted in (("a-su1-r1-leaf", leaf), ("a-spine1", spine)):
        routes = expected.routes(name, NONE)
        assert (len(learned(routes)), paths(routes)) == wanted


@given(shapes(), st.data())
@settings(max_examples=20)
def test_every_table_is_the_formula(shape: Shape, data: st.DataObject) -> None:
    """L leaves, S spines, k links, a = 1 aggregate; a second loopback (IPv6) is one more prefix of each device."""
    expected = Expected(fabric(shape.text()))
    leaves, spines, k = len(shape.units) * shape.rails, shape.spines, shape.links
    name = data.draw(st.sampled_from(list(expected.devices)))
    place, routes = expected.devices[name], expected.routes(name, NONE)
    own = {prefix for (_, prefix), route in routes.items() if route == Route(frozenset(), frozenset({()}))}
    device = expected.built.devices[name]
    assert own == {*device.loopbacks, *device.blocks}
    found = learned(routes)
    of_spines = {p for p in found if any(p in d.loopbacks for d in expected.built.spines.values())}
    others = {p: r for p, r in found.items() if p not in of_spines}
    if place.role == "leaf":
        assert (len(others), len(of_spines)) == ((leaves - 1) * 3, spines * 2)
        assert all(len(r.hops) == spines * k and {len(p) for p in r.as_paths} == {2} for r in others.values())
        assert all(len(found[p].hops) == k and {len(x) for x in found[p].as_paths} == {1} for p in of_spines)
    else:
        assert (len(others), len(of_spines)) == (leaves * 3, 0), "another spine's loopback has our own ASN in its path"
        assert all(len(r.hops) == k and {len(p) for p in r.as_paths} == {1} for r in others.values())
    asns = {d.asn for d in expected.built.devices.values() if d.place.plane == place.plane}
    assert {asn for r in found.values() for path in r.as_paths for asn in path} <= asns, "planes are disjoint"


LEAF, OTHER, FAR = "a-su1-r1-leaf", "a-su1-r2-leaf", "a-su2-r4-leaf"
SPINE, SECOND = "a-spine1", "a-spine2"
MINE = ("10.0.0.0/28", "10.255.0.1/32", "fd00:ff::1/128")
THEIRS = "10.0.0.16/28"
OF_SPINE, OF_SECOND = "10.255.32.1/32", "10.255.32.2/32"


def route(name: str, prefix: str, failures: Failures = NONE) -> Route | None:
    return two_plane().routes(name, failures).get(("default", prefix))


def hops(name: str, prefix: str, failures: Failures = NONE) -> set[str] | None:
    found = route(name, prefix, failures)
    return None if found is None else set(found.hops)


def changed(failures: Failures) -> dict[str, int]:
    """Device → how many of its routes are otherwise."""
    found = {}
    for name in two_plane().devices:
        whole, broken = two_plane().routes(name, NONE), two_plane().routes(name, failures)
        count = sum(whole.get(key) != broken.get(key) for key in {**whole, **broken})
        if count:
            found[name] = count
    return found


def test_the_example_as_designed() -> None:
    assert route(LEAF, THEIRS) == Route(frozenset({"64", "63", "62", "61"}), frozenset({(4200100000, 4200000001)}))
    assert route(LEAF, OF_SPINE) == Route(frozenset({"64", "63"}), frozenset({(4200100000,)}))
    assert route(SPINE, THEIRS) == Route(frozenset({"3", "4"}), frozenset({(4200000001,)}))
    assert route(SPINE, OF_SECOND) is None
    assert route(LEAF, "10.32.0.16/28") is None, "a prefix of the other plane"


def test_a_dead_link_narrows_its_two_ends_and_nobody_else() -> None:
    """k = 2: the others still see the spine reach the leaf (topology.md section 7)."""
    failures = Failures(links=frozenset({link_at(f"{LEAF}:64")}))
    assert hops(LEAF, THEIRS, failures) == {"63", "62", "61"}
    assert hops(LEAF, OF_SPINE, failures) == {"63"}
    assert hops(SPINE, MINE[0], failures) == {"2"}
    assert hops(FAR, MINE[0], failures) == {"64", "63", "62", "61"}
    assert changed(failures) == {LEAF: 7 * 3 + 2, SPINE: 3}


def test_both_links_to_a_spine_dead_leave_it_without_a_route_and_no_valley_path() -> None:
    """[lab] topology.md section 6: remote leaves keep 2 of 4, the spine has no route at all."""
    failures = Failures(links=frozenset({link_at(f"{LEAF}:64"), link_at(f"{LEAF}:63")}))
    assert hops(SPINE, MINE[0], failures) is None
    assert hops(FAR, MINE[0], failures) == {"62", "61"}
    assert hops(LEAF, OF_SPINE, failures) is None
    assert hops(LEAF, THEIRS, failures) == {"62", "61"}
    # 7 leaves have 3 prefixes narrower; the leaf 21, and loses the spine's 2; the spine loses 3
    assert changed(failures) == {**dict.fromkeys(_others(LEAF), 3), LEAF: 23, SPINE: 3}


def _others(leaf: str) -> list[str]:
    return [n for n, place in two_plane().devices.items() if place.role == "leaf" and place.plane == "a" and n != leaf]


@pytest.mark.parametrize("end", [LinkEnd(device=LEAF, port="64"), LinkEnd(device=SPINE, port="1")])
def test_a_dead_session_is_a_dead_link_for_routes_whichever_end_tells(end: LinkEnd) -> None:
    failures = Failures(sessions=frozenset({end}))
    link = Failures(links=frozenset({link_at(f"{LEAF}:64")}))
    for name in (LEAF, SPINE, FAR):
        assert two_plane().routes(name, failures) == two_plane().routes(name, link)


def test_a_dead_spine_leaves_the_hops_through_the_other() -> None:
    failures = Failures(devices=frozenset({SPINE}))
    assert hops(LEAF, THEIRS, failures) == {"62", "61"}
    assert hops(LEAF, OF_SPINE, failures) is None
    assert two_plane().routes(SPINE, failures) == {}
    assert hops(SECOND, THEIRS, failures) == {"3", "4"}
    # each of 8 leaves: 7 × 3 narrower, 2 loopbacks gone; the spine itself all 8 × 3 and its own 2
    assert changed(failures) == {**dict.fromkeys([LEAF, *_others(LEAF)], 23), SPINE: 26}


def test_a_dead_leaf_takes_its_prefixes_with_it() -> None:
    failures = Failures(devices=frozenset({LEAF}))
    assert [hops(FAR, prefix, failures) for prefix in MINE] == [None, None, None]
    assert changed(failures) == {**dict.fromkeys(_others(LEAF), 3), SPINE: 3, SECOND: 3, LEAF: 28}


def _recabled(*pairs: tuple[str, str]) -> Failures:
    """The far end planned at the second is where the first is."""
    links = []
    for here, planned_at in pairs:
        device, _, port = here.partition(":")
        links.append(Link(a=LinkEnd(device=device, port=port), b=far_of(planned_at), kind="leaf-spine"))
    return Failures(recabled=frozenset(links))


def test_two_uplinks_to_two_spines_exchanged_change_only_the_spines_loopbacks() -> None:
    failures = _recabled((f"{LEAF}:64", f"{LEAF}:61"), (f"{LEAF}:61", f"{LEAF}:64"))
    assert hops(LEAF, THEIRS, failures) == {"64", "63", "62", "61"}
    assert hops(LEAF, OF_SPINE, failures) == {"63", "61"}
    assert hops(LEAF, OF_SECOND, failures) == {"64", "62"}
    assert changed(failures) == {LEAF: 4}


def test_uplinks_of_two_leaves_exchanged_change_the_spines_hops() -> None:
    failures = _recabled((f"{LEAF}:64", f"{OTHER}:64"), (f"{OTHER}:64", f"{LEAF}:64"))
    assert hops(SPINE, MINE[0], failures) == {"2", "3"}
    assert hops(SPINE, THEIRS, failures) == {"1", "4"}
    assert changed(failures) == {SPINE: 6}


def test_uplinks_of_two_planes_exchanged_carry_nothing_past_the_policies() -> None:
    """Each side lets in what its own plane may announce, so a joined plane gains no prefix."""
    failures = _recabled((f"{LEAF}:64", "b-su1-r1-leaf:64"), ("b-su1-r1-leaf:64", f"{LEAF}:64"))
    assert hops(LEAF, THEIRS, failures) == {"63", "62", "61"}
    assert hops(SPINE, MINE[0], failures) == {"2"}
    assert route(SPINE, "10.32.0.0/28", failures) is None
    assert route("b-spine1", MINE[0], failures) is None
    assert route(LEAF, "10.255.160.1/32", failures) is None


def test_a_withdrawn_prefix_is_nowhere_and_the_others_are_everywhere() -> None:
    failures = Failures(withdrawn=frozenset({(LEAF, MINE[0])}))
    assert changed(failures) == dict.fromkeys([LEAF, *_others(LEAF), SPINE, SECOND], 1)


ADDED: Mapping[str, tuple[str, str, int]] = {
    # who, prefix → on how many devices it is
    "by a leaf, whose policy has its own only": (LEAF, "10.0.1.0/28", 1),
    "by a spine, within the plane": (SPINE, "10.0.1.0/28", 9),
    "by a spine, too long": (SPINE, "10.0.1.0/29", 1),
    "by a spine, of the other plane": (SPINE, "10.32.1.0/28", 1),
    "by a spine, of nobody": (SPINE, "192.0.2.0/24", 1),
    "a default route": (SPINE, "0.0.0.0/0", 1),
    "a leaf's, of a leaf it is not of": (OTHER, MINE[0], 1),
}


@pytest.mark.parametrize(("device", "prefix", "devices"), ADDED.values(), ids=ADDED)
def test_a_prefix_too_many_goes_as_far_as_the_policies_let_it(device: str, prefix: str, devices: int) -> None:
    failures = Failures(added=frozenset({(device, prefix)}))
    found = changed(failures)
    assert device in found
    assert len(found) == devices
    assert route(device, prefix, failures) == Route(frozenset(), frozenset({()}))


def test_only_the_shortest_paths_are_used() -> None:
    """A spine that originates a leaf's block is one AS away, the leaf through the other spine is two."""
    failures = Failures(added=frozenset({(SPINE, MINE[0])}))
    assert route(FAR, MINE[0], failures) == Route(frozenset({"64", "63"}), frozenset({(4200100000,)}))
    assert hops(SECOND, MINE[0], failures) == {"1", "2"}
    assert route(LEAF, MINE[0], failures) == Route(frozenset(), frozenset({()})), "its own comes first"


def test_another_asn_of_a_leaf_stands_in_every_path_through_it() -> None:
    failures = Failures(asns={LEAF: 65001})
    assert route(FAR, MINE[0], failures) == Route(frozenset({"64", "63", "62", "61"}), frozenset({(4200100000, 65001)}))
    assert route(LEAF, THEIRS, failures) == route(LEAF, THEIRS)


def test_another_asn_of_a_spine_gives_two_paths_of_one_length_and_no_valley() -> None:
    """multipath-relax uses both; leaves pass on nothing they learned, so the spines still do not see each other."""
    failures = Failures(asns={SPINE: 65001})
    assert route(LEAF, THEIRS, failures) == Route(
        frozenset({"64", "63", "62", "61"}), frozenset({(65001, 4200000001), (4200100000, 4200000001)})
    )
    assert route(SPINE, OF_SECOND, failures) is None


def test_two_leaves_with_one_asn_do_not_see_each_other() -> None:
    """Loop prevention: each finds its own number in the path."""
    failures = Failures(asns={LEAF: 4200000001})
    assert route(LEAF, THEIRS, failures) is None
    assert route(OTHER, MINE[0], failures) is None
    assert hops(FAR, MINE[0], failures) == {"64", "63", "62", "61"}


def test_a_leaf_with_the_asn_of_its_spines_has_no_session_and_no_route() -> None:
    failures = Failures(asns={LEAF: 4200100000})
    assert learned(two_plane().routes(LEAF, failures)) == {}
    assert route(FAR, MINE[0], failures) is None


def test_failures_of_all_kinds_together() -> None:
    failures = Failures(
        links=frozenset({link_at(f"{LEAF}:64")}),
        sessions=frozenset({LinkEnd(device=LEAF, port="62")}),
        withdrawn=frozenset({(OTHER, THEIRS)}),
        asns={FAR: 65001},
    )
    assert hops(LEAF, "10.0.0.112/28", failures) == {"63", "61"}
    assert route(LEAF, "10.0.0.112/28", failures).as_paths == {(4200100000, 65001)}  # type: ignore[union-attr]
    assert route(LEAF, THEIRS, failures) is None
    assert hops(SPINE, MINE[0], failures) == {"2"}
    assert hops(SECOND, MINE[0], failures) == {"2"}


PERMITS = [
    ("10.0.0.0/11", 28, "10.0.0.16/28", True),
    ("10.0.0.0/11", 28, "10.0.0.0/11", True),
    ("10.0.0.0/11", 28, "10.0.0.16/29", False),
    ("10.0.0.0/11", 28, "10.32.0.0/28", False),
    ("10.0.0.0/11", 28, "10.0.0.0/10", False),
    ("fd00:ff::/49", 128, "fd00:ff::1/128", True),
    ("fd00:ff::/49", 128, "fd00:ff:0:8000::1/128", False),
    ("0.0.0.0/0", 32, "fd00:ff::1/128", False),
    ("::/0", 128, "10.0.0.0/28", False),
]


@pytest.mark.parametrize(("rule", "up_to", "prefix", "wanted"), PERMITS)
def test_a_rule_permits_its_prefix_and_longer_ones_up_to_a_length(
    rule: str, up_to: int, prefix: str, wanted: bool
) -> None:
    policy = Policy(permits=frozenset({PolicyRule(prefix=rule, up_to=up_to)}))
    assert permits_prefix(policy, prefix) is wanted


def test_a_policy_without_rules_permits_nothing() -> None:
    assert not permits_prefix(Policy(permits=frozenset()), "10.0.0.0/28")
    assert not permits_prefix(Policy(), "10.0.0.0/28")


def test_equal_routes_are_one_object() -> None:
    """Tables of a large fabric hold few different routes (DESIGN.md section 6)."""
    routes = sized(2, 8, 4, "800G").routes("a-su1-r1-leaf", NONE)
    assert len({id(route) for route in routes.values()}) == len(set(routes.values()))
