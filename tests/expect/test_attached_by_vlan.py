"""Hosts in a VLAN: the leaf's block as one subnet, its first address the gateway, and no session to anybody in it."""

from __future__ import annotations

from ipaddress import ip_interface, ip_network

import pytest
from fabric.made import fabric, problems
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.fabric.addressing import block_length, host_ends
from netaudit.render import render
from netaudit.state import Failures, Store
from netaudit.state.walk import differences

HOSTS = "{nic: cx8, speed: 400G, attach: vlan}"
TEXT = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2, status: planned}}",
    hosts=HOSTS,
    addressing='{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:aa::/40"]}',
)
FOURTH = small(hosts=HOSTS)
SIXTH = small(hosts=HOSTS, addressing='{loopbacks: "fd00:ff::/48", hosts: "fd00:aa::/40"}')
LEAF = "a-su1-r2-leaf"


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


def test_every_host_port_is_in_the_vlan_without_a_tag_and_has_no_address_of_its_own(expected: Expected) -> None:
    device = expected.device(LEAF)
    assert device.vlans
    assert set(device.vlans) == {"1000"}
    assert (device.vlans["1000"].members, device.vlans["1000"].tagged) == ({"1/1", "1/2"}, frozenset())
    assert set(device.interfaces or {}) == {"Loopback0", "Vlan1000", "63", "64"}


def test_the_gateway_is_the_first_address_of_each_block(expected: Expected) -> None:
    device, built = expected.device(LEAF), expected.built.devices[LEAF]
    assert built.blocks == ("10.0.0.8/29", "fd00:aa::4/126")
    assert (device.interfaces or {})["Vlan1000"].addresses == {"10.0.0.9/29", "fd00:aa::5/126"}


def test_the_leaf_announces_its_block_and_has_no_session_to_a_host(expected: Expected) -> None:
    bgp = expected.device(LEAF).bgp
    assert bgp
    assert {"10.0.0.8/29", "fd00:aa::4/126"} <= set(bgp.networks or ())
    assert bgp.discards == {"10.0.0.8/29", "fd00:aa::4/126"}
    assert set(bgp.neighbors or {}) == {"63", "64"}
    route = expected.routes("a-su1-r1-leaf", Failures())["default", "10.0.0.8/29"]
    assert route.hops == {"63", "64"}


def test_the_policies_let_the_blocks_through_as_they_are(expected: Expected) -> None:
    policies = expected.device("a-spine1").bgp.policies  # type: ignore[union-attr]
    assert {r.up_to for p in (policies or {}).values() for r in p.permits or () if r.prefix == "10.0.0.0/11"} == {29}
    assert {r.up_to for p in (policies or {}).values() for r in p.permits or () if r.prefix == "fd00:aa::/41"} == {126}


def test_a_spine_and_a_fabric_without_vlan_expect_that_there_is_none(expected: Expected) -> None:
    assert expected.device("a-spine1").vlans == {}
    assert {Expected(fabric(small())).device(name).vlans == {} for name in ("a-su1-r1-leaf", "a-spine1")} == {True}


def test_ports_of_a_planned_unit_are_in_the_vlan_and_down(expected: Expected) -> None:
    device = expected.device("a-su2-r1-leaf")
    assert (device.vlans or {})["1000"].members == {"1/1", "1/2"}
    assert [(device.ports or {})[key].enabled for key in ("1/1", "1/2")] == [False, False]


def test_another_number_is_the_name_of_the_vlan_and_of_its_interface() -> None:
    device = Expected(fabric(small(hosts="{nic: cx8, speed: 400G, attach: vlan, vlan: 42}"))).device(LEAF)
    assert set(device.vlans or {}) == {"42"}
    assert "Vlan42" in (device.interfaces or {})


def test_where_addressing_is_not_ours_no_vlan_is_expected() -> None:
    device = Expected(fabric(TEXT + "owns: [ports, bgp]\n")).device(LEAF)
    assert (device.vlans, device.interfaces) == (None, None)
    assert Expected(fabric(TEXT + "owns: [all]\n")).device(LEAF).vlans == Expected(fabric(TEXT)).device(LEAF).vlans


@pytest.mark.parametrize("hosts", [1, 2, 3, 4, 5, 8, 61, 62, 64, 253, 254])
@pytest.mark.parametrize("pool", ["10.0.0.0/8", "fd00::/32"])
def test_a_block_holds_gateway_and_hosts_and_no_half_of_it_would(hosts: int, pool: str) -> None:
    network = ip_network(pool)
    length = block_length(hosts, network.max_prefixlen, "vlan")
    block = next(network.subnets(new_prefix=length))
    usable = [*block.hosts()][: None if block.version == 4 else 1 << 20]
    taken = [host_ends(block, 1, "vlan")[0], *(host_ends(block, n, "vlan")[1] for n in range(1, hosts + 1))]
    assert [ip_interface(one).ip for one in taken] == usable[: hosts + 1]
    assert {ip_interface(one).network for one in taken} == {block}
    beside = 3 if block.version == 4 else 2
    assert 1 << (block.max_prefixlen - length - 1) < max(2 * hosts, hosts + beside)


def test_growth_inside_the_capacity_renumbers_nobody() -> None:
    now, later = (
        Expected(fabric(small(units=f"{{su1: {{hosts: {n}}}}}", hosts=HOSTS, capacity="{units: 4, hosts: 16}")))
        for n in (2, 7)
    )
    assert now.built.devices[LEAF].blocks == later.built.devices[LEAF].blocks
    one, other = now.device(LEAF), later.device(LEAF)
    assert (one.interfaces or {})["Vlan1000"] == (other.interfaces or {})["Vlan1000"]
    assert (one.vlans or {})["1000"].members < (other.vlans or {})["1000"].members  # type: ignore[operator]


def test_a_pool_that_is_too_small_for_subnets_is_refused_with_what_would_do() -> None:
    text = small(
        units="{su1: {hosts: 2}, su2: {hosts: 2}}",
        hosts=HOSTS,
        addressing="{loopbacks: 10.255.0.0/16, hosts: 10.0.0.0/27}",
    )
    (found,) = problems(text)
    assert found.message == "10.0.0.0/27 has no room for 2 planes of 4 leaves with a /29 each"
    assert found.hint == "a pool of /26 or shorter"
    assert problems(text.replace("/27", "/26")) == ()
    assert problems(text.replace("attach: vlan", "attach: routed")) == ()


def test_a_pinned_block_without_room_for_a_gateway_is_refused() -> None:
    rows = "place,block\na/su1/r2,10.9.0.0/30\n"
    (found,) = problems(small(hosts=HOSTS, devices="devices.csv"), devices=rows)
    assert found.message == "10.9.0.0/30 does not hold the 2 hosts that `capacity` is for"
    assert found.hint == "a block of /29 or shorter"
    pinned = fabric(small(hosts=HOSTS, devices="devices.csv"), devices=rows.replace("/30", "/24"))
    assert (Expected(pinned).device(LEAF).interfaces or {})["Vlan1000"].addresses == {"10.9.0.1/24"}


@pytest.mark.parametrize("text", [TEXT, FOURTH, SIXTH], ids=["both", "IPv4", "IPv6 alone"])
def test_every_device_is_read_back_as_it_is_rendered(text: str) -> None:
    expected = Expected(fabric(text))
    for name in expected.devices:
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)


@pytest.mark.parametrize(
    ("leaf", "asked"),
    [
        (("vlans", "1000", "members"), "gNMI CONFIG_DB VLAN_MEMBER"),
        (("vlans", "1000"), "gNMI CONFIG_DB VLAN"),
        (("interfaces", "Vlan1000", "addresses"), "gNMI CONFIG_DB VLAN_INTERFACE"),
    ],
)
def test_a_report_names_the_table_that_was_asked(expected: Expected, leaf: tuple[str, ...], asked: str) -> None:
    assert expected.asked(LEAF, Store.RUNNING, leaf) == asked
    assert expected.asked(LEAF, Store.SAVED, leaf) == asked.replace("gNMI CONFIG_DB", "/etc/sonic/config_db.json")
    assert expected.asked(LEAF, Store.APPLIED, leaf) == ""
    assert any(spot.what == "vlans.*" for spot in expected.blind_spots(LEAF))
