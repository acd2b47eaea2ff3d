"""Extra links in a VRF: who is bound to it, what runs in it, what is let through, and which routes there are where."""

from __future__ import annotations

import json

import pytest
from conftest import Golden
from fabric.made import fabric, problems
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, LinkEnd, Route, Store
from netaudit.state.walk import differences

NONE = Failures()
BLOCKS = (
    "{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4, "
    "originates: [0.0.0.0/0]}}"
)
LINKS = (
    '[{a: "a-border1:1", b: "core1:et-0/0/1", speed: 400G, cable: 15m dr4, vrf: storage}, '
    '{id: 7, a: "core2:xe-1", b: "a-border1:2/2", speed: 400G, cable: 15m dr4, vrf: storage}, '
    '{a: "a-border1:3", b: "core3:et-0/0/2", speed: 400G, cable: 15m dr4}, '
    '{a: "a-border1:4", b: "a-border2:4", speed: 400G, cable: 5m dr4, vrf: storage}]'
)
TEXT = small(
    blocks=BLOCKS,
    external="{core1: {asn: 64512, prefixes: [10.160.0.0/16, 10.0.0.0/25, 0.0.0.0/0]}, "
    "core2: {asn: 64513, prefixes: [10.170.0.0/16]}, core3: {asn: 64514, prefixes: [10.160.0.0/16, 10.0.0.0/25]}}",
    links=LINKS,
)
"""Two neighbors in the VRF and one in the default one, with prefixes in common, one of them inside a pool of ours."""
SHARED = "10.160.0.0/16"


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


def test_a_device_has_a_vrf_where_one_of_its_links_is_in_it_and_both_ends_are_bound_to_it(expected: Expected) -> None:
    assert {name: expected.device(name).vrfs for name in ("a-border1", "a-border2", "b-border1", "a-spine1")} == {
        "a-border1": frozenset({"storage"}),
        "a-border2": frozenset({"storage"}),
        "b-border1": frozenset(),
        "a-spine1": frozenset(),
    }
    one, two = (expected.device(name).interfaces or {} for name in ("a-border1", "a-border2"))
    bound = {key: interface.vrf for key, interface in one.items()}
    assert {key for key, vrf in bound.items() if vrf == "storage"} == {"1", "2/2", "4"}
    assert bound["3"] == bound["Loopback0"] == "default"
    assert two["4"].vrf == "storage"


def test_each_session_runs_in_the_vrf_of_its_link_and_has_policies_of_that_vrf(expected: Expected) -> None:
    bgp = expected.device("a-border1").bgp
    assert bgp
    found = {key: (n.vrf, n.import_policy, n.export_policy) for key, n in (bgp.neighbors or {}).items()}
    assert found["1"] == ("storage", "CORE1-IN", "VRF_storage_EXTERNAL-OUT")
    assert found["10.68.0.15"] == ("storage", "CORE2-IN", "VRF_storage_EXTERNAL-OUT")
    assert found["4"] == ("storage", "VRF_storage-IN", "VRF_storage-OUT")
    assert found["3"] == ("default", "CORE3-IN", "CORE3-OUT")
    assert (bgp.neighbors or {})["10.68.0.15"].over == "2/2"
    speaker = (bgp.vrfs or {})["storage"]
    assert (speaker.asn, speaker.router_id, speaker.networks) == (bgp.asn, bgp.router_id, frozenset())


def test_only_what_its_neighbors_are_said_to_announce_passes_through_a_vrf_and_no_default_route_leaves_it(
    expected: Expected,
) -> None:
    bgp = expected.device("a-border1").bgp
    assert bgp
    permits = {name: {r.prefix for r in policy.permits} for name, policy in (bgp.policies or {}).items()}
    named = {"10.160.0.0/16", "10.0.0.0/25", "0.0.0.0/0", "10.170.0.0/16"}
    assert permits["VRF_storage-IN"] == permits["VRF_storage-OUT"] == named
    assert permits["VRF_storage_EXTERNAL-OUT"] == named - {"0.0.0.0/0"}
    assert "CORE1-OUT" not in permits
    assert not any(name.startswith("VRF") for name in (expected.device("a-spine1").bgp.policies or {}))  # type: ignore[union-attr]


def test_routes_of_a_vrf_spread_over_its_links_alone_and_nothing_of_ours_is_in_it(expected: Expected) -> None:
    one, two = expected.routes("a-border1", NONE), expected.routes("a-border2", NONE)
    asn = expected.built.devices["a-border1"].asn
    assert one["storage", SHARED] == Route(frozenset({"1"}), frozenset({(64512,)}))
    assert one["default", SHARED] == Route(frozenset({"3"}), frozenset({(64514,)}))
    assert one["storage", "10.170.0.0/16"] == Route(frozenset({"2/2"}), frozenset({(64513,)}))
    assert two["storage", SHARED] == Route(frozenset({"4"}), frozenset({(asn, 64512)}))
    assert ("default", SHARED) not in two
    assert {prefix for vrf, prefix in two if vrf == "storage"} == {
        "10.160.0.0/16", "10.0.0.0/25", "0.0.0.0/0", "10.170.0.0/16"
    }  # fmt: skip
    holders = {name for name in expected.devices if any(vrf != "default" for vrf, _ in expected.routes(name, NONE))}
    assert holders == {"a-border1", "a-border2"}


def test_a_prefix_of_ours_that_a_neighbor_announces_in_a_vrf_does_not_touch_the_default_one(expected: Expected) -> None:
    plain = Expected(fabric(small(blocks=BLOCKS)))
    leaf, spine = "a-su1-r1-leaf", "a-spine1"
    assert expected.routes(spine, NONE) == plain.routes(spine, NONE)
    assert expected.routes(leaf, NONE) == plain.routes(leaf, NONE)
    assert expected.device(spine).bgp == plain.device(spine).bgp


def test_a_dead_link_of_a_vrf_takes_its_routes_and_no_others(expected: Expected) -> None:
    link = next(k for k in expected.links if k.a == LinkEnd(device="a-border1", port="1"))
    found = expected.routes("a-border2", Failures(links=frozenset({link})))
    assert {prefix for vrf, prefix in found if vrf == "storage"} == {"10.170.0.0/16"}
    whole = expected.routes("a-border2", NONE)
    assert {k: r for k, r in found.items() if k[0] == "default"} == {
        k: r for k, r in whole.items() if k[0] == "default"
    }


def test_what_a_neighbor_without_a_list_announces_stays_where_it_is_heard() -> None:
    free = Expected(fabric(TEXT.replace("core2: {asn: 64513, prefixes: [10.170.0.0/16]}", "core2: {asn: 64513}")))
    heard = Route(frozenset({"2/2"}), frozenset({(64513,)}))
    assert free.allows("a-border1", ("storage", "198.51.100.0/24"), heard, NONE)
    assert not free.allows(
        "a-border2", ("storage", "198.51.100.0/24"), Route(heard.hops, frozenset({(1, 64513)})), NONE
    )
    assert not free.allows("a-border1", ("storage", "198.51.100.0/24"), Route(heard.hops, frozenset({(64512,)})), NONE)
    permits = (free.device("a-border1").bgp.policies or {})["VRF_storage-OUT"].permits  # type: ignore[union-attr]
    assert "0.0.0.0/0" in {rule.prefix for rule in permits}  # of core1, which is said to announce it
    assert len(permits) == 3


def test_somebody_elses_vrf_is_theirs_where_the_routing_file_is_not_ours(expected: Expected) -> None:
    key, route = ("Vrf-red", "192.0.2.0/24"), Route(frozenset({"9"}), frozenset({(65001,)}))
    assert not expected.allows("a-border1", key, route, NONE)
    partly = Expected(fabric(TEXT + "owns: [ports, addressing, qos, buffers]\n"))
    assert partly.allows("a-border1", key, route, NONE)


def test_a_planned_link_makes_the_vrf_and_no_speaker_and_a_drained_device_tells_nothing() -> None:
    text = small(
        blocks=BLOCKS,
        external="{core1: {asn: 64512, prefixes: [10.160.0.0/16]}}",
        links='[{a: "a-border1:1", b: "core1:x", speed: 400G, cable: 15m dr4, vrf: storage, status: planned}]',
    )
    device = Expected(fabric(text)).device("a-border1")
    assert device.vrfs == {"storage"}
    assert device.bgp
    assert device.bgp.vrfs == {}
    assert (device.interfaces or {})["1"].vrf == "storage"


def test_vrfs_are_read_back_as_they_are_rendered(expected: Expected) -> None:
    for name in ("a-border1", "a-border2", "a-spine1"):
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)


def test_the_files_of_a_border_with_a_vrf_are_as_they_were_reviewed(expected: Expected, golden: Golden) -> None:
    """CONFIG_DB without the tables that have nothing to do with it."""
    files = render(expected.device("a-border1"))
    tables = json.loads(files["config_db.json"])
    golden("render/a-border1-vrf/frr.conf", files["frr.conf"])
    kept = {name: tables[name] for name in ("VRF", "INTERFACE", "LOOPBACK_INTERFACE")}
    golden("render/a-border1-vrf/interfaces.json", json.dumps(kept, indent=1) + "\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [("a-name-too-long", "has 19 characters"), ("mgmt", "management port"), ("twelve-chars", "has 16 characters")],
)
def test_a_name_that_the_switch_cannot_have_is_refused_where_it_stands(name: str, said: str) -> None:
    text = TEXT.replace("cable: 5m dr4, vrf: storage}]", f"cable: 5m dr4, vrf: {name}}}]")
    (found,) = problems(text)
    assert said in found.message
    assert found.source is not None
    assert name in text.splitlines()[found.source.line - 1]


def test_a_name_of_eleven_letters_fits(expected: Expected) -> None:
    device = Expected(fabric(TEXT.replace("vrf: storage", "vrf: eleven-char"))).device("a-border1")
    assert "Vrf_eleven-char" in render(device)["config_db.json"]
