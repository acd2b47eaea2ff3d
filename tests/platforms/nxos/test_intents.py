"""Each example intent with NX-OS in one role, and in all: what is rendered is read back as it is expected."""

from __future__ import annotations

import pytest

from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences, dotted

from .fabrics import NAMES, attached, fabric, intent, roles, switches
from .grammar import dangling, faults

CASES = [(name, (role,)) for name in NAMES for role in roles(name)] + [(n, (*roles(n), "blocks")) for n in NAMES]


@pytest.mark.parametrize(("name", "switched"), CASES, ids=[f"{name}-{'-'.join(s)}" for name, s in CASES])
def test_every_kind_of_switch_is_read_back_as_it_is_expected(name: str, switched: tuple[str, ...]) -> None:
    met = 0
    for device in switches(fabric(name, switched)):
        read = nxos.read_config(render(device), device.name)
        found = [dotted(d.path) for d in differences(device, read, nxos.HELD[Store.RUNNING])]
        assert found == [], device.name
        met += 1
    assert met


def test_links_have_addresses_and_sessions_are_known_by_them() -> None:
    """BGP over link-local addresses takes a reload on NX-OS, so one end that runs it numbers a link."""
    expected = fabric("two-plane", ("leaf",))
    leaf, spine = expected.device("a-su1-r1-leaf"), expected.device("a-spine1")
    assert (leaf.platform, spine.platform) == ("nxos", "sonic")
    for device in (leaf, spine):
        assert device.bgp is not None
        assert device.interfaces is not None
        assert all(key.count(".") == 3 for key in device.bgp.neighbors or {})
        assert not any(i.link_local for key, i in device.interfaces.items() if key != "Loopback0")


def test_over_numbered_links_no_session_has_ipv6() -> None:
    """A session between IPv4 addresses carries IPv4: IPv6 loopbacks stay on their switch, and the text says so."""
    device = fabric("two-plane", ("leaf", "spine")).device("a-spine1")
    text = render(device)["nxos.cfg"]
    assert device.bgp is not None
    assert {n.families for n in (device.bgp.neighbors or {}).values()} == {frozenset({"ipv4"})}
    assert "    network fd00:ff:0:2000::1/128" in text
    assert "    address-family ipv6 unicast" not in text.split("\n  neighbor ", 1)[1]


def test_a_session_is_told_the_number_of_its_peer() -> None:
    expected = fabric("two-plane", ("leaf", "spine"))
    for device in switches(expected):
        assert device.bgp is not None
        for neighbor in (device.bgp.neighbors or {}).values():
            assert neighbor.remote == str(neighbor.remote_asn)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_have_roles(name: str) -> None:
    assert roles(name)
    assert intent(name).model.leaf


@pytest.mark.parametrize("v6", [False, True], ids=["v4", "v4 and v6"])
@pytest.mark.parametrize("attach", ["routed", "vlan", "bgp"])
def test_hosts_are_attached_in_each_way(attach: str, v6: bool) -> None:
    for device in switches(attached(attach, v6)):
        text = render(device)["nxos.cfg"]
        read = nxos.read_config({"nxos.cfg": text}, device.name)
        assert [dotted(d.path) for d in differences(device, read, nxos.HELD[Store.RUNNING])] == []
        assert list(faults(text)) == []
        assert list(dangling(text)) == []
        assert nxos.problems({"nxos.cfg": text}) == ()


def test_hosts_in_a_vlan_have_a_gateway_that_routes_what_their_ports_take() -> None:
    text = render(attached("vlan").device("a-su1-r1-leaf"))["nxos.cfg"]
    assert "feature interface-vlan\n" in text
    assert "interface Vlan1000\n  mtu 9216\n  ip address 10.0.0.1/28\n  no shutdown\n" in text
    assert "  description to su1-h1:r1/a\n  switchport access vlan 1000\n" in text


def test_a_host_that_speaks_bgp_may_have_any_number() -> None:
    text = render(attached("bgp").device("a-su1-r1-leaf"))["nxos.cfg"]
    assert text.count("    remote-as external\n") == 4
    assert "      route-map HOST-IN in\n" in text
