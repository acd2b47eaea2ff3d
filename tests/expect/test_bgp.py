"""What a speaker is told: numbers, sessions and what passes them."""

from __future__ import annotations

import pytest
from audit.world import two_plane
from fabric.made import fabric
from intent.example import small

from netaudit.expect import Expected
from netaudit.expect.bgp import maximum_paths
from netaudit.state import Bgp, Failures, PolicyRule


def speaker(name: str, expected: Expected | None = None) -> Bgp:
    bgp = (expected or two_plane()).device(name).bgp
    assert bgp is not None
    return bgp


def test_a_leaf_speaks_to_every_spine_over_every_link() -> None:
    bgp = speaker("a-su1-r1-leaf")
    neighbors = bgp.neighbors or {}
    assert sorted(neighbors) == ["61", "62", "63", "64"]
    assert {n.remote_asn for n in neighbors.values()} == {4200100000}
    assert {n.remote for n in neighbors.values()} == {"external"}
    assert {n.session for n in neighbors.values()} == {"Established"}
    assert {n.families for n in neighbors.values()} == {frozenset({"ipv4", "ipv6"})}


def test_a_spine_expects_the_asn_of_each_leaf() -> None:
    neighbors = speaker("b-spine1").neighbors or {}
    assert [neighbors[str(port)].remote_asn for port in (1, 2, 3, 15, 16)] == [
        4201000000,
        4201000000,
        4201000001,
        4201000007,
        4201000007,
    ]
    assert len(neighbors) == 16


def test_a_leaf_lets_out_its_own_prefixes_only_and_a_spine_those_of_its_plane() -> None:
    """A leaf that passes on nothing makes a valley path impossible (topology.md section 6)."""
    leaf, spine = speaker("a-su1-r1-leaf").policies or {}, speaker("a-spine1").policies or {}
    own = {
        PolicyRule(prefix="10.0.0.0/28", up_to=28),
        PolicyRule(prefix="10.255.0.1/32", up_to=32),
        PolicyRule(prefix="fd00:ff::1/128", up_to=128),
    }
    plane = {
        PolicyRule(prefix="10.0.0.0/11", up_to=28),
        PolicyRule(prefix="10.255.0.0/17", up_to=32),
        PolicyRule(prefix="fd00:ff::/49", up_to=128),
    }
    assert (leaf["FABRIC-OUT"].permits, leaf["FABRIC-IN"].permits) == (own, plane)
    assert (spine["FABRIC-OUT"].permits, spine["FABRIC-IN"].permits) == (plane, plane)


def test_the_aggregate_has_a_discard_route_or_nobody_would_hear_of_it() -> None:
    """ADR-04: FRR's import check keeps a network without a covering route for itself."""
    bgp = speaker("a-su1-r1-leaf")
    assert bgp.networks == {"10.0.0.0/28", "10.255.0.1/32", "fd00:ff::1/128"}
    assert bgp.discards == {"10.0.0.0/28"}
    assert speaker("a-spine1").discards == frozenset()


WIDTHS = {(2, 2): 64, (16, 4): 64, (8, 4): 64, (32, 2): 64}


@pytest.mark.parametrize(("uplinks", "paths"), WIDTHS.items(), ids=str)
def test_ecmp_is_64_wide_where_that_holds_the_widest_set(uplinks: tuple[int, int], paths: int) -> None:
    """A wider set than 64 does not fit on a leaf of 64 cages at all (topology.md section 3)."""
    speed = "400G" if uplinks[0] * uplinks[1] > 32 else "800G"
    spine = f"{{model: nvidia-sn5600, platform: sonic, count: {uplinks[0]}, links: {uplinks[1]}, speed: {speed}}}"
    assert maximum_paths(fabric(small(spine=spine))) == paths


def test_ecmp_is_the_next_power_of_two_that_holds_a_wider_set() -> None:
    spine = "{model: nvidia-sn5600, platform: sonic, count: 100, links: 1, speed: 200G}"
    assert maximum_paths(fabric(small(spine=spine, hosts="{nic: cx8, speed: 200G}"))) == 128


def test_a_number_of_paths_that_is_given_wins() -> None:
    assert speaker("a-spine1", Expected(fabric(small(bgp="{maximum_paths: 8}")))).maximum_paths == 8


def test_timers_are_those_of_the_intent() -> None:
    bgp = speaker("a-spine1", Expected(fabric(small(bgp="{keepalive: 10s, hold: 30s}"))))
    assert (bgp.keepalive_s, bgp.hold_s) == (10, 30)


def test_without_ipv6_pools_no_session_has_ipv6() -> None:
    only = Expected(fabric(small(addressing="{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}")))
    assert {n.families for n in (speaker("a-spine1", only).neighbors or {}).values()} == {frozenset({"ipv4"})}


def test_a_pinned_loopback_outside_of_the_pools_is_let_through_in_its_plane_only() -> None:
    expected = Expected(fabric(small(devices="devices.csv"), devices="place,loopback\na/su1/r1,172.16.0.17\n"))
    rule = PolicyRule(prefix="172.16.0.17/32", up_to=32)
    permits = {name: (speaker(name, expected).policies or {})["FABRIC-IN"].permits for name in expected.devices}
    assert {name for name, rules in permits.items() if isinstance(rules, frozenset) and rule in rules} == {
        name for name, place in expected.devices.items() if place.plane == "a"
    }
    assert expected.routes("a-su1-r2-leaf", Failures())["default", "172.16.0.17/32"].hops == {"64", "63"}
