"""The tables of three tiers, of rail-only spines and of valley paths: topology.md sections 5 and 6 as arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from fabric.made import fabric
from hypothesis import given, settings
from hypothesis import strategies as st
from intent.example import small
from tall import Tall, tall

from netaudit.expect import Expected
from netaudit.expect.bgp import maximum_paths
from netaudit.expect.rib import Tables
from netaudit.fabric import FabricDevice
from netaudit.state import Failures, Link, Route

NONE = Failures()
SPEED = "model: nvidia-sn5600, platform: sonic, speed: 800G"
CABLES = "{host-leaf: 3m dac, leaf-spine: 40m dr8, spine-superspine: 90m dr8}"


@cache
def pods(wiring: str, q: int, l: int, s: int, k1: int, k2: int, x: int) -> Expected:  # noqa: E741 (the book's letters)
    """Q pods of l leaves and s spines, k1 links below and k2 above, X superspines; one host block, one loopback."""
    return Expected(
        fabric(
            small(
                planes="[a]",
                rails=str(l),
                units="{" + ", ".join(f"su{n}: {{hosts: 1, pod: {n}}}" for n in range(1, q + 1)) + "}",
                spine=f"{{{SPEED}, count: {s}, links: {k1}, per: pod}}",
                superspine=f"{{model: nvidia-sn5600, wiring: {wiring}, count: {x}, links: {k2}, speed: 800G}}",
                cables=CABLES,
                addressing="{loopbacks: 10.255.0.0/16}",
            )
        )
    )


def learned(expected: Expected, name: str, failures: Failures = NONE) -> dict[str, Route]:
    return {prefix: route for (_, prefix), route in expected.routes(name, failures).items() if route.hops}


def shape_of(routes: Mapping[str, Route]) -> tuple[int, int]:
    """(prefixes, paths)."""
    return len(routes), sum(len(route.hops) for route in routes.values())


SIZES: Mapping[str, tuple[tuple[str, int, int, int, int, int, int], tuple[int, int], tuple[int, int], tuple[int, int]]]
SIZES = {
    # wiring, Q, l, s, k1, k2, X → (prefixes, paths) of a leaf, a spine, a superspine: topology.md section 5, [lab]
    "grouped, first setup": (("grouped", 2, 2, 2, 1, 1, 2), (12, 18), (10, 10), (10, 10)),
    "full, first setup": (("full", 2, 2, 2, 1, 1, 2), (12, 22), (12, 18), (12, 20)),
}


@pytest.mark.parametrize(("size", "leaf", "spine", "top"), SIZES.values(), ids=SIZES)
def test_prefixes_and_paths_of_the_sizes_in_the_book(
    size: tuple[str, int, int, int, int, int, int], leaf: tuple[int, int], spine: tuple[int, int], top: tuple[int, int]
) -> None:
    expected = pods(*size)
    for name, device in expected.built.devices.items():
        wanted = {"leaf": leaf, "spine": spine, "superspine": top}[device.place.role]
        assert (name, shape_of(learned(expected, name))) == (name, wanted)


LABS = [("grouped", 2, 2, 2, 1, 1, 2), ("grouped", 3, 2, 2, 2, 1, 4), ("full", 2, 3, 2, 2, 2, 3)]


@pytest.mark.parametrize("size", LABS, ids=str)
def test_prefixes_and_sessions_of_every_lab_in_the_book(size: tuple[str, int, int, int, int, int, int]) -> None:
    wiring, q, l, s, k1, k2, x = size  # noqa: E741
    expected, a = pods(*size), 1
    g = x // s
    prefixes = {
        "leaf": (q * l - 1) * (a + 1) + q * s + x,
        "spine": q * l * (a + 1) + ((q - 1) + g if wiring == "grouped" else (q - 1) * s + x),
        "superspine": q * l * (a + 1) + (q if wiring == "grouped" else q * s),
    }
    sessions = {
        "leaf": s * k1,
        "spine": l * k1 + (g if wiring == "grouped" else x) * k2,
        "superspine": q * k2 * (1 if wiring == "grouped" else s),
    }
    for name, device in expected.built.devices.items():
        role = device.place.role
        bgp = expected.device(name).bgp
        assert bgp is not None
        assert bgp.neighbors is not None
        assert (name, len(learned(expected, name)), len(bgp.neighbors)) == (name, prefixes[role], sessions[role])


def rows(here: FabricDevice, far: FabricDevice, shape: Tall) -> tuple[int, int] | None:
    """(ECMP width, length of the AS path) by the table of the book; `None`: no route."""
    s, k1, k2, g = shape.spines, shape.links, shape.top_links, shape.group
    grouped, x = shape.wiring == "grouped", shape.superspines
    up = g * k2 if grouped else x * k2
    same_pod, role = here.group == far.group, (here.place.role, far.place.role)
    nth, far_nth = (here.place.number - 1) % s, (far.place.number - 1) % s
    if role == ("leaf", "leaf"):
        return s * k1, 2 if same_pod else 4
    if role == ("leaf", "spine"):
        return (k1, 1) if same_pod else (k1 if grouped else s * k1, 3)
    if role == ("leaf", "superspine"):
        return (k1 if grouped else s * k1), 2
    if role == ("spine", "leaf"):
        return (k1, 1) if same_pod else (up, 3)
    if role == ("spine", "spine"):
        return None if same_pod or (grouped and nth != far_nth) else (up, 2)
    if role == ("spine", "superspine"):
        return (k2, 1) if not grouped or far.group == nth + 1 else None
    if role == ("superspine", "leaf"):
        return (k2 if grouped else s * k2), 2
    if role == ("superspine", "spine"):
        return (k2, 1) if not grouped or here.group == far_nth + 1 else None
    return None  # another superspine: the own ASN in its path


def everything(device: FabricDevice) -> Iterator[str]:
    yield from (*device.blocks, *(text for text in device.loopbacks))


@given(tall(kinds=("pod",)).filter(lambda shape: bool(shape.wiring)), st.data())
@settings(max_examples=40, deadline=None)
def test_every_table_of_three_tiers_is_that_of_the_book(shape: Tall, data: st.DataObject) -> None:
    expected = Expected(fabric(shape.text()))
    pattern = {n: d for n, d in expected.built.devices.items() if d.place.role in ("leaf", "spine", "superspine")}
    here = pattern[data.draw(st.sampled_from(sorted(pattern)))]
    routes = learned(expected, here.name)
    asns = {d.asn for d in expected.built.devices.values() if d.place.plane == here.place.plane}
    for far in pattern.values():
        if far is here:
            continue
        wanted = rows(here, far, shape) if far.place.plane == here.place.plane else None
        for prefix in everything(far):
            found = routes.get(prefix)
            seen = (len(found.hops), *{len(path) for path in found.as_paths}) if found else None
            assert (far.name, prefix, seen) == (far.name, prefix, wanted)
            assert found is None or all(path[-1] == far.asn and set(path) <= asns for path in found.as_paths)
    widest = max(len(route.hops) for route in routes.values()) if routes else 0
    assert widest <= maximum_paths(expected.built)


@given(tall(kinds=("rail",)), st.data())
@settings(max_examples=20, deadline=None)
def test_rail_only_spines_know_the_leaves_of_their_rail_and_nothing_else(shape: Tall, data: st.DataObject) -> None:
    """Traffic of other rails crosses the server; only what blocks announce is in all of them."""
    expected = Expected(fabric(shape.text()))
    devices = expected.built.devices
    pattern = {n: d for n, d in devices.items() if d.place.role in ("leaf", "spine")}
    here = pattern[data.draw(st.sampled_from(sorted(pattern)))]
    routes = learned(expected, here.name)
    for far in pattern.values():
        if far is here:
            continue
        near = (far.place.plane, far.group) == (here.place.plane, here.group)
        wanted = {
            ("leaf", "leaf"): (shape.spines * shape.links, 2),
            ("leaf", "spine"): (shape.links, 1),
            ("spine", "leaf"): (shape.links, 1),
        }.get((here.place.role, far.place.role))
        for prefix in everything(far):
            found = routes.get(prefix)
            seen = (len(found.hops), *{len(path) for path in found.as_paths}) if found else None
            assert (far.name, prefix, seen) == (far.name, prefix, wanted if near else None)


def cut(expected: Expected, a: str, b: str) -> Failures:
    """All links of a pair."""
    return Failures(links=frozenset(k for k in expected.links if {k.a.device, k.b.device} == {a, b}))


def width(expected: Expected, name: str, of: str, failures: Failures) -> int:
    """Next hops to the host block of a leaf, or to the loopback of another device; 0: no route."""
    device = expected.built.devices[of]
    found = learned(expected, name, failures).get(next(everything(device)))
    return len(found.hops) if found else 0


def test_grouped_a_lost_leaf_spine_link_takes_the_leaf_from_all_spines_and_superspines_of_that_number() -> None:
    """Q = 3, l = 2, s = 2, X = 4, k1 = k2 = 1: section 5, «Failures»."""
    expected = pods("grouped", 3, 2, 2, 1, 1, 4)
    lost = cut(expected, "a-su1-r1-leaf", "a-spine1")
    leaf = "a-su1-r1-leaf"
    for name in ("a-spine1", "a-ss1", "a-ss2", "a-spine3", "a-spine5"):
        assert (name, width(expected, name, leaf, lost)) == (name, 0)
    assert width(expected, "a-su1-r2-leaf", leaf, lost) == 1
    assert width(expected, "a-su2-r1-leaf", leaf, lost) == 1
    assert width(expected, "a-spine4", leaf, lost) == 2
    assert width(expected, "a-su2-r1-leaf", "a-su3-r1-leaf", lost) == 2


def test_full_a_lost_leaf_spine_link_leaves_other_pods_all_their_next_hops() -> None:
    expected = pods("full", 2, 2, 2, 1, 1, 3)
    lost = cut(expected, "a-su1-r1-leaf", "a-spine1")
    leaf = "a-su1-r1-leaf"
    assert width(expected, "a-spine1", leaf, lost) == 0
    assert width(expected, "a-su1-r2-leaf", leaf, lost) == 1
    assert width(expected, "a-su2-r1-leaf", leaf, lost) == 2
    assert width(expected, "a-spine3", leaf, lost) == 3
    assert width(expected, "a-ss1", leaf, lost) == 1


def test_grouped_a_lost_spine_superspine_link_takes_the_other_pods_from_that_spine() -> None:
    """g × k2 = 1: its leaves and the remote leaves drop to (s − 1) × k1 for what crosses pods only."""
    expected = pods("grouped", 2, 2, 2, 1, 1, 2)
    lost = cut(expected, "a-spine1", "a-ss1")
    assert width(expected, "a-spine1", "a-su2-r1-leaf", lost) == 0
    assert width(expected, "a-su1-r1-leaf", "a-su2-r1-leaf", lost) == 1
    assert width(expected, "a-su2-r1-leaf", "a-su1-r1-leaf", lost) == 1
    assert width(expected, "a-su1-r1-leaf", "a-su1-r2-leaf", lost) == 2


def test_a_lost_superspine_takes_its_share_of_the_width_between_pods() -> None:
    for wiring, left in (("grouped", 1), ("full", 3)):
        expected = pods(wiring, 2, 2, 2, 1, 1, 4)
        lost = Failures(devices=frozenset({"a-ss1"}))
        assert width(expected, "a-spine1", "a-su2-r1-leaf", lost) == left
        assert width(expected, "a-su1-r1-leaf", "a-su2-r1-leaf", lost) == 2
        assert width(expected, "a-su1-r1-leaf", "a-ss1", lost) == 0


def test_the_default_route_of_a_border_above_the_spines_comes_down_to_every_leaf_and_never_up() -> None:
    text = small(
        planes="[a]",
        units="{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
        spine=f"{{{SPEED}, count: 2, links: 1, per: pod}}",
        superspine="{model: nvidia-sn5600, wiring: full, count: 2, links: 1, speed: 800G}",
        cables=CABLES,
        blocks="{border: {id: 1, model: nvidia-sn5600, platform: sonic, to: superspine, count: 2, links: 1, "
        "speed: 800G, cable: 9m dr8, originates: [0.0.0.0/0]}}",
    )
    expected = Expected(fabric(text))
    found = {name: learned(expected, name).get("0.0.0.0/0") for name in expected.devices}
    lengths = {name: max(map(len, route.as_paths)) if route else None for name, route in found.items()}
    assert lengths == {
        **dict.fromkeys(("a-su1-r1-leaf", "a-su1-r2-leaf", "a-su2-r1-leaf", "a-su2-r2-leaf"), 3),
        **dict.fromkeys(("a-spine1", "a-spine2", "a-spine3", "a-spine4"), 2),
        **dict.fromkeys(("a-ss1", "a-ss2"), 1),
        **dict.fromkeys(("a-border1", "a-border2"), None),
    }


# Two tiers with the ASNs of the spines pinned apart, and no policies: section 5, rows 3 to 5, as the lab measured them.
UNIQUE = "place,asn\na/spine/1,65001\na/spine/2,65002\n"


@cache
def flat(devices: str = "") -> Expected:
    """L = 4, S = 2, k = 2, a = 1."""
    return Expected(
        fabric(
            small(
                planes="[a]",
                units="{su1: {hosts: 1}, su2: {hosts: 1}}",
                spine=f"{{{SPEED}, count: 2, links: 2}}",
                addressing="{loopbacks: 10.255.0.0/16}",
                **({"devices": "devices.csv"} if devices else {}),
            ),
            **({"devices": devices} if devices else {}),
        )
    )


def bare(expected: Expected, name: str, failures: Failures = NONE) -> dict[str, Route]:
    """What AS numbers alone let through."""
    table = Tables(expected.wide, failures, guarded=False).of(name)
    return {prefix: route for (_, prefix), route in table.items() if route.hops}


def test_with_a_shared_asn_the_other_spine_is_unknown_with_and_without_policies() -> None:
    expected = flat()
    assert shape_of(bare(expected, "a-su1-r1-leaf")) == shape_of(learned(expected, "a-su1-r1-leaf")) == (8, 28)
    assert shape_of(bare(expected, "a-spine1")) == shape_of(learned(expected, "a-spine1")) == (8, 16)


def test_with_asns_of_their_own_a_spine_reaches_the_other_through_every_leaf() -> None:
    expected = flat(UNIQUE)
    routes = bare(expected, "a-spine1")
    assert len(routes) == 9  # L × (a + 1) + (S − 1)
    other = routes[expected.built.devices["a-spine2"].loopbacks[0]]
    assert len(other.hops) == 8  # L × k
    assert {len(path) for path in other.as_paths} == {2}
    assert {len(route.hops) for prefix, route in routes.items() if route is not other} == {2}
    assert shape_of(bare(expected, "a-su1-r1-leaf")) == (8, 28)


def test_with_asns_of_their_own_a_spine_that_has_lost_a_leaf_goes_through_the_others() -> None:
    """Section 6, [lab]: 6 valley paths; with a shared ASN none, and remote leaves keep 2 of 4 either way."""
    for devices, valley in (("", 0), (UNIQUE, 6)):
        expected = flat(devices)
        lost = cut(expected, "a-su1-r1-leaf", "a-spine1")
        block = expected.built.devices["a-su1-r1-leaf"].blocks[0]
        found = bare(expected, "a-spine1", lost).get(block)
        assert (len(found.hops) if found else 0) == valley
        assert len(bare(expected, "a-su2-r1-leaf", lost)[block].hops) == 2


def test_the_policies_keep_valleys_away_whatever_the_asns() -> None:
    expected = flat(UNIQUE)
    lost = cut(expected, "a-su1-r1-leaf", "a-spine1")
    block = expected.built.devices["a-su1-r1-leaf"].blocks[0]
    assert block not in learned(expected, "a-spine1", lost)
    assert shape_of(learned(expected, "a-spine1")) == (8, 16)
    assert shape_of(learned(expected, "a-su1-r1-leaf")) == (8, 28)


@cache
def taken(**changes: str) -> Expected:
    """The same four leaves, with what a spine takes or with a link beside the pattern."""
    return Expected(
        fabric(
            small(
                planes="[a]",
                units="{su1: {hosts: 1}, su2: {hosts: 1}}",
                spine=f"{{{SPEED}, count: 2, links: 2}}",
                addressing="{loopbacks: 10.255.0.0/16}",
                **changes,
            ),
            **({"devices": UNIQUE} if "devices" in changes else {}),
        )
    )


def test_spines_that_take_their_own_asn_go_through_the_leaves_again_but_not_past_the_policies() -> None:
    """Section 5, last row: k best for a leaf's prefixes; the other spine through every leaf; after a loss, valleys."""
    expected = taken(bgp="{allowas_in: {spine: 1}}")
    other = expected.built.devices["a-spine2"].loopbacks[0]
    block = expected.built.devices["a-su1-r1-leaf"].blocks[0]
    assert (len(bare(expected, "a-spine1")[other].hops), len(bare(expected, "a-spine1")[block].hops)) == (8, 2)
    assert bare(expected, "a-spine1")[other].as_paths == {(4200000000 + n, 4200100000) for n in range(4)}
    lost = cut(expected, "a-su1-r1-leaf", "a-spine1")
    assert len(bare(expected, "a-spine1", lost)[block].hops) == 6
    assert shape_of(learned(expected, "a-spine1")) == (8, 16)
    assert block not in learned(expected, "a-spine1", lost)


def test_in_three_tiers_a_spine_that_takes_its_own_asn_hears_of_the_others_of_its_pod_from_above() -> None:
    text = small(
        planes="[a]",
        units="{su1: {hosts: 1, pod: 1}, su2: {hosts: 1, pod: 2}}",
        spine=f"{{{SPEED}, count: 2, links: 1, per: pod}}",
        superspine="{model: nvidia-sn5600, wiring: full, count: 2, links: 1, speed: 800G}",
        cables=CABLES,
        bgp="{allowas_in: {spine: 1}}",
    )
    expected = Expected(fabric(text))
    found = learned(expected, "a-spine1")[expected.built.devices["a-spine2"].loopbacks[0]]
    assert (len(found.hops), found.as_paths) == (2, {(4200200000, 4200100001)})
    own = expected.built.devices["a-spine1"].loopbacks[0]
    assert own not in learned(expected, "a-spine1"), "its own prefix stays its own"


def test_a_link_between_two_leaves_is_their_way_to_each_other_and_nobody_elses() -> None:
    expected = taken(links='[{a: "a-su1-r1-leaf:30", b: "a-su1-r2-leaf:30", speed: 800G, cable: 5m aoc}]')
    near, far = expected.built.devices["a-su1-r1-leaf"], expected.built.devices["a-su1-r2-leaf"]
    found = learned(expected, near.name)[far.blocks[0]]
    assert (found.hops, found.as_paths) == ({"30"}, {(far.asn,)})
    assert len(learned(expected, "a-su2-r1-leaf")[far.blocks[0]].hops) == 4
    assert {len(route.hops) for route in learned(expected, "a-spine1").values()} == {2}


def test_a_link_between_spines_carries_what_a_spine_has_lost_if_they_have_asns_of_their_own() -> None:
    joined = '[{a: "a-spine1:30", b: "a-spine2:30", speed: 800G, cable: 5m aoc}]'
    shared, apart = taken(links=joined), taken(links=joined, devices="devices.csv")
    block = apart.built.devices["a-su1-r1-leaf"].blocks[0]
    for expected, hops in ((shared, set()), (apart, {"30"})):
        found = learned(expected, "a-spine1", cut(expected, "a-su1-r1-leaf", "a-spine1")).get(block)
        assert (set(found.hops) if found else set()) == hops
        bgp = expected.device("a-spine1").bgp
        assert bgp is not None
        assert ("30" in (bgp.neighbors or {})) == bool(hops), "no session is expected where none can come up"


def test_every_cable_is_told_once() -> None:
    expected = pods("grouped", 3, 2, 2, 2, 1, 4)
    found: list[Link] = [*expected.links]
    assert len(found) == len(set(found)) == 6 + 3 * 2 * 2 * 2 + 3 * 2 * 2
