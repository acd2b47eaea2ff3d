"""A neighbor that is not ours: a session to it, what it may announce, and what it is told."""

from __future__ import annotations

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, LldpNeighbor, Route, Store
from netaudit.state.walk import differences

NONE = Failures()
TEXT = small(
    blocks="{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4, "
    "originates: [0.0.0.0/0]}}",
    external="{core1: {asn: 64512, lldp: core1.example.net, prefixes: [10.160.0.0/16]}, core2: {asn: 64513}}",
    links='[{a: "a-border1:1", b: "core1:et-0/0/1", speed: 400G, cable: 15m dr4}, '
    '{id: 7, a: "core2:xe-1", b: "a-border1:2/2", speed: 400G, cable: 15m dr4}, '
    '{a: "a-border2:4", b: "core1:et-0/0/2", speed: 400G, cable: 15m dr4, status: planned}, '
    '{a: "b-border1:4", b: "core2:et-0/0/9", speed: 400G, cable: 15m dr4, status: drained}]',
)


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


def test_a_neighbor_is_no_device_of_ours_and_its_cables_are_links(expected: Expected) -> None:
    assert not {"core1", "core2"} & (expected.devices.keys() | expected.hosts.keys())
    assert sum(link.b.device in ("core1", "core2") for link in expected.links) == 4


def test_the_session_runs_over_the_port_or_between_the_addresses_of_a_numbered_link(expected: Expected) -> None:
    border = expected.device("a-border1")
    assert border.bgp
    found = {key: (n.remote_asn, n.import_policy, n.export_policy) for key, n in (border.bgp.neighbors or {}).items()}
    assert found["1"] == (64512, "CORE1-IN", "CORE1-OUT")
    assert found["10.68.0.15"] == (64513, "CORE2-IN", "CORE2-OUT")
    interfaces = border.interfaces or {}
    assert (interfaces["1"].addresses, interfaces["1"].link_local) == (frozenset(), True)
    assert (interfaces["2/2"].addresses, interfaces["2/2"].link_local) == (frozenset({"10.68.0.14/31"}), False)
    text = render(border)["frr.conf"]
    assert " neighbor 10.68.0.15 peer-group " in text
    assert " neighbor Ethernet0 interface peer-group " in text


def test_who_is_heard_is_known_by_the_name_that_its_lldp_says(expected: Expected) -> None:
    lldp = expected.device("a-border1").lldp
    assert lldp
    assert (lldp.neighbors or {})["1"] == LldpNeighbor(system="core1", port="et-0/0/1")
    for said in ("core1.example.net", "core1"):
        assert expected.neighbor(said, "et-0/0/1") == ("core1", "et-0/0/1")
    assert expected.neighbor("core3", "et-0/0/1") is None
    # a cage that an extra link splits has other aliases than those of its role
    assert expected.neighbor("a-border1", "etp2b") == ("a-border1", "2/2")
    assert expected.neighbor("a-border2", "etp2") == ("a-border2", "2")


def test_what_a_neighbor_announces_stays_on_the_border_which_announces_its_default(expected: Expected) -> None:
    told = ("default", "10.160.0.0/16")
    assert expected.routes("a-border1", NONE)[told] == Route(frozenset({"1"}), frozenset({(64512,)}))
    assert [name for name in expected.devices if told in expected.routes(name, NONE)] == ["a-border1"]
    assert ("default", "0.0.0.0/0") in expected.routes("a-su1-r1-leaf", NONE)
    dead = Failures(links=frozenset(link for link in expected.links if str(link.a) == "a-border1:1"))
    assert told not in expected.routes("a-border1", dead)


def test_a_neighbor_is_told_of_the_plane_and_never_of_a_default_route(expected: Expected) -> None:
    bgp = expected.device("a-border1").bgp
    assert bgp
    permits = {name: {(r.prefix, r.up_to) for r in policy.permits} for name, policy in (bgp.policies or {}).items()}
    assert {("10.0.0.0/11", 30), ("10.255.0.0/17", 32)} <= permits["CORE1-OUT"] == permits["CORE2-OUT"]
    assert not {"0.0.0.0/0", "::/0"} & {prefix for prefix, _ in permits["CORE1-OUT"]}
    assert permits["CORE1-IN"] == {("10.160.0.0/16", 16)}
    assert permits["CORE2-IN"] == {("0.0.0.0/0", 32), ("::/0", 128)}


def test_more_than_expected_is_right_where_the_intent_does_not_say_what_a_neighbor_sends(expected: Expected) -> None:
    def route(*path: int) -> Route:
        return Route(frozenset({"2/2"}), frozenset({path}))

    news = ("default", "198.51.100.0/24")
    assert expected.allows("a-border1", news, route(64513, 65551), NONE)
    assert not expected.allows("a-border1", news, route(64512, 65551), NONE)  # core1 has its list
    assert not expected.allows("a-border1", news, route(65551), NONE)
    assert not expected.allows("a-border1", ("default", "10.0.0.0/30"), route(64513), NONE)  # a prefix of ours
    assert not expected.allows("a-border1", ("default", "10.0.0.1/32"), route(64513), NONE)  # and a part of it
    assert expected.allows("a-border1", ("default", "10.0.0.0/8"), route(64513), NONE)
    assert not expected.allows("a-border1", ("default", "10.160.0.0/16"), None, NONE)


def test_a_planned_link_is_down_without_session_and_either_state_of_a_drained_one_passes(expected: Expected) -> None:
    planned, drained = expected.device("a-border2"), expected.device("b-border1")
    assert planned.ports
    assert planned.bgp
    assert (planned.ports["4"].enabled, planned.ports["4"].oper_up) == (False, False)
    assert "4" not in (planned.bgp.neighbors or {})
    assert drained.ports
    assert drained.bgp
    assert (drained.ports["4"].enabled, drained.ports["4"].oper_up) == (True, None)
    assert (drained.bgp.neighbors or {})["4"].session is None


def test_devices_with_extra_links_are_read_back_as_they_are_rendered(expected: Expected) -> None:
    for name in expected.devices:
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)
