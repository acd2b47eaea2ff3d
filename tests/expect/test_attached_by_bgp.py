"""Hosts that speak BGP: a session a host port, and prefixes that are accepted inside the block of the leaf only."""

from __future__ import annotations

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, PolicyRule, Route, Store
from netaudit.state.walk import differences

TEXT = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2, status: planned}}",
    hosts="{nic: cx8, speed: 400G, attach: bgp}",
    addressing='{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:aa::/40"]}',
)


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


def test_every_host_port_has_a_session_to_the_address_of_its_host_in_each_family(expected: Expected) -> None:
    bgp = expected.device("a-su1-r2-leaf").bgp
    assert bgp
    hosts = {key: n for key, n in (bgp.neighbors or {}).items() if n.import_policy == "HOST-IN"}
    assert {key: set(n.families or ()) for key, n in hosts.items()} == {
        "10.0.0.5": {"ipv4"},
        "10.0.0.7": {"ipv4"},
        "fd00:aa::5": {"ipv6"},
        "fd00:aa::7": {"ipv6"},
    }
    assert {(n.session, n.remote, n.remote_asn) for n in hosts.values()} == {("Established", "external", None)}
    assert not any(n.import_policy == "HOST-IN" for n in (expected.device("a-spine1").bgp.neighbors or {}).values())  # type: ignore[union-attr]


def test_a_host_may_announce_what_is_inside_the_block_and_the_leaf_passes_on_its_block_only(expected: Expected) -> None:
    bgp = expected.device("a-su1-r1-leaf").bgp
    assert bgp
    policies = bgp.policies or {}
    assert policies["HOST-IN"].permits == {
        PolicyRule(prefix="10.0.0.0/30", up_to=32),
        PolicyRule(prefix="fd00:aa::/126", up_to=128),
    }
    out = {rule.prefix for rule in policies["FABRIC-OUT"].permits or ()}
    assert out == {"10.0.0.0/30", "fd00:aa::/126", "10.255.0.1/32", "fd00:ff::1/128"}


def test_no_session_is_expected_to_hosts_of_a_planned_unit(expected: Expected) -> None:
    bgp = expected.device("a-su2-r1-leaf").bgp
    assert bgp
    assert {n.session for n in (bgp.neighbors or {}).values()} == {None}


def test_routes_of_hosts_are_right_inside_the_block_over_a_host_port(expected: Expected) -> None:
    leaf, none = "a-su1-r1-leaf", Failures()
    of_host = Route(frozenset({"1/1"}), frozenset({(65001,)}))
    assert expected.allows(leaf, ("default", "10.0.0.1/32"), of_host, none)
    assert not expected.allows(leaf, ("default", "10.0.0.4/32"), of_host, none)
    assert not expected.allows(leaf, ("default", "10.0.0.0/30"), of_host, none)
    assert not expected.allows(leaf, ("default", "10.0.0.1/32"), Route(frozenset({"64"}), of_host.as_paths), none)
    assert not expected.allows("a-spine1", ("default", "10.0.0.1/32"), of_host, none)


def test_every_device_is_read_back_as_it_is_rendered(expected: Expected) -> None:
    for name in expected.devices:
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)


def test_owning_everything_is_owning_every_area() -> None:
    everything, areas = Expected(fabric(f"{TEXT}owns: [all]\n")), Expected(fabric(TEXT))
    assert everything.device("a-spine1") == areas.device("a-spine1")
