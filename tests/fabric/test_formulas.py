"""Ports, addresses and ASNs from a place alone, against numbers worked out by hand (DESIGN.md section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_network

import pytest
from audit.world import two_plane
from hypothesis import given
from hypothesis import strategies as st
from intent.example import small

from fabric.made import fabric
from netaudit.fabric import Fabric, addressing

SMALL = two_plane().built
"""2 planes, 4 rails, su1 and su2, laid out for 4 units of 8 hosts; 2 spines a plane, 2 links a pair."""


@pytest.fixture(scope="module")
def large() -> Fabric:
    """2 planes, 8 rails, units 1 and 3 of 64 hosts, laid out for 3; 16 spines a plane, 2 links a pair: full leaves."""
    return fabric(
        small(
            rails="8",
            units="{su1: {hosts: 64}, su3: {hosts: 64}}",
            capacity="{units: 3, hosts: 64}",
            spine="{model: nvidia-sn5600, platform: sonic, count: 16, links: 2, speed: 800G}",
            addressing='{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:100::/40"]}',
        )
    )


SMALL_DEVICES: Mapping[str, tuple[int, int, tuple[str, ...], tuple[str, ...]]] = {
    # name: leaf index or number − 1, ASN, loopbacks, host block. A /16 in two slices is two /17, a quarter 8,192.
    "a-su1-r1-leaf": (0, 4200000000, ("10.255.0.1/32", "fd00:ff::1/128"), ("10.0.0.0/28",)),
    "a-su1-r4-leaf": (3, 4200000003, ("10.255.0.4/32", "fd00:ff::4/128"), ("10.0.0.48/28",)),
    "a-su2-r1-leaf": (4, 4200000004, ("10.255.0.5/32", "fd00:ff::5/128"), ("10.0.0.64/28",)),
    "b-su2-r4-leaf": (7, 4201000007, ("10.255.128.8/32", "fd00:ff:0:8000::8/128"), ("10.32.0.112/28",)),
    "a-spine1": (0, 4200100000, ("10.255.32.1/32", "fd00:ff:0:2000::1/128"), ()),
    "b-spine2": (1, 4201100000, ("10.255.160.2/32", "fd00:ff:0:a000::2/128"), ()),
}

LARGE_DEVICES: Mapping[str, tuple[int, int, tuple[str, ...], tuple[str, ...]]] = {
    # index 23 of a /25 each: 23 × 128 = 2,944 = 11 × 256 + 128
    "a-su1-r1-leaf": (0, 4200000000, ("10.255.0.1/32", "fd00:ff::1/128"), ("10.0.0.0/25", "fd00:100::/121")),
    "a-su3-r8-leaf": (23, 4200000023, ("10.255.0.24/32", "fd00:ff::18/128"), ("10.0.11.128/25", "fd00:100::b80/121")),
    "b-su3-r1-leaf": (
        16,
        4201000016,
        ("10.255.128.17/32", "fd00:ff:0:8000::11/128"),
        ("10.32.8.0/25", "fd00:100:80::800/121"),
    ),
    "b-spine16": (15, 4201100000, ("10.255.160.16/32", "fd00:ff:0:a000::10/128"), ()),
}


@pytest.mark.parametrize(("name", "wanted"), SMALL_DEVICES.items(), ids=SMALL_DEVICES)
def test_numbers_of_a_device(name: str, wanted: tuple[int, int, tuple[str, ...], tuple[str, ...]]) -> None:
    device = SMALL.devices[name]
    assert (device.index, device.asn, device.loopbacks, device.blocks) == wanted
    assert device.router_id == wanted[2][0].partition("/")[0]


@pytest.mark.parametrize(("name", "wanted"), LARGE_DEVICES.items(), ids=LARGE_DEVICES)
def test_numbers_of_a_device_of_a_large_fabric(
    large: Fabric, name: str, wanted: tuple[int, int, tuple[str, ...], tuple[str, ...]]
) -> None:
    device = large.devices[name]
    assert (device.index, device.asn, device.loopbacks, device.blocks) == wanted


SMALL_PORTS: Mapping[tuple[str, str], tuple[str, str, int]] = {
    # (device, port): far end, native name, Mb/s. Hosts up from cage 1, two a cage; uplinks down from cage 64
    ("a-su1-r1-leaf", "1/1"): ("su1-h1:r1/a", "Ethernet0", 400_000),
    ("a-su1-r1-leaf", "1/2"): ("su1-h2:r1/a", "Ethernet4", 400_000),
    ("a-su1-r1-leaf", "2/2"): ("su1-h4:r1/a", "Ethernet12", 400_000),
    ("b-su2-r3-leaf", "2/1"): ("su2-h3:r3/b", "Ethernet8", 400_000),
    ("a-su1-r1-leaf", "64"): ("a-spine1:1", "Ethernet504", 800_000),
    ("a-su1-r1-leaf", "63"): ("a-spine1:2", "Ethernet496", 800_000),
    ("a-su1-r1-leaf", "62"): ("a-spine2:1", "Ethernet488", 800_000),
    ("a-su1-r1-leaf", "61"): ("a-spine2:2", "Ethernet480", 800_000),
    ("a-su2-r4-leaf", "64"): ("a-spine1:15", "Ethernet504", 800_000),
    ("a-su2-r4-leaf", "61"): ("a-spine2:16", "Ethernet480", 800_000),
    ("a-spine1", "15"): ("a-su2-r4-leaf:64", "Ethernet112", 800_000),
    ("a-spine2", "9"): ("a-su2-r1-leaf:62", "Ethernet64", 800_000),
}

LARGE_PORTS: Mapping[tuple[str, str], tuple[str, str, int]] = {
    ("a-su1-r1-leaf", "32/2"): ("su1-h64:r1/a", "Ethernet252", 400_000),
    ("a-su3-r8-leaf", "33"): ("a-spine16:48", "Ethernet256", 800_000),
    ("a-su3-r8-leaf", "34"): ("a-spine16:47", "Ethernet264", 800_000),
    ("a-su3-r8-leaf", "64"): ("a-spine1:47", "Ethernet504", 800_000),
    ("b-spine16", "48"): ("b-su3-r8-leaf:33", "Ethernet376", 800_000),
}


@pytest.mark.parametrize(("end", "wanted"), SMALL_PORTS.items(), ids=map(":".join, SMALL_PORTS))
def test_a_port_and_where_its_cable_goes(end: tuple[str, str], wanted: tuple[str, str, int]) -> None:
    port = SMALL.ports(end[0])[end[1]]
    assert (str(port.peer), port.native, port.speed_mbps) == wanted


@pytest.mark.parametrize(("end", "wanted"), LARGE_PORTS.items(), ids=map(":".join, LARGE_PORTS))
def test_a_port_of_a_large_fabric(large: Fabric, end: tuple[str, str], wanted: tuple[str, str, int]) -> None:
    port = large.ports(end[0])[end[1]]
    assert (str(port.peer), port.native, port.speed_mbps) == wanted


def test_room_for_hosts_that_are_not_there_yet_is_split_already() -> None:
    """Laid out for 8 hosts: cages 3 and 4 are 2x400G too, and spare."""
    ports = SMALL.ports("a-su1-r1-leaf")
    assert [(ports[key].mode, ports[key].kind, ports[key].peer) for key in ("3/1", "4/2")] == [
        ("2x400G", "spare", None)
    ] * 2
    assert ports["5"].mode == "1x800G"


def test_a_spine_keeps_room_for_the_units_it_is_laid_out_for() -> None:
    ports = SMALL.ports("a-spine1")
    assert [key for key, port in ports.items() if port.peer is not None] == [str(n) for n in range(1, 17)]


def test_links_that_are_slower_than_the_cage_are_packed_and_fall_in_sub_ports_too() -> None:
    """64/2, 64/1, 63/2 (DESIGN.md section 3, «Indices»)."""
    slow = fabric(small(spine="{model: nvidia-sn5600, platform: sonic, count: 2, links: 2, speed: 400G}"))
    ports = slow.ports("a-su1-r1-leaf")
    assert {key: str(ports[key].peer) for key in ("64/2", "64/1", "63/2", "63/1")} == {
        "64/2": "a-spine1:1/1",
        "64/1": "a-spine1:1/2",
        "63/2": "a-spine2:1/1",
        "63/1": "a-spine2:1/2",
    }


ADDRESSES = {
    ("10.0.0.0/28", 1): ("10.0.0.0/31", "10.0.0.1/31"),
    ("10.0.0.0/28", 8): ("10.0.0.14/31", "10.0.0.15/31"),
    ("10.0.11.128/25", 64): ("10.0.11.254/31", "10.0.11.255/31"),
    ("fd00:100::b80/121", 64): ("fd00:100::bfe/127", "fd00:100::bff/127"),
}


@pytest.mark.parametrize(("where", "wanted"), ADDRESSES.items(), ids=str)
def test_the_even_address_of_a_host_link_is_the_leafs(where: tuple[str, int], wanted: tuple[str, str]) -> None:
    assert addressing.host_link(ip_network(where[0]), where[1]) == wanted


BLOCKS = {1: 31, 2: 30, 4: 29, 8: 28, 9: 27, 32: 26, 64: 25, 128: 24, 256: 23}
"""topology.md section 4 and DESIGN.md section 3: 4 hosts /29, 8 /28, 32 /26, 64 /25, 128 /24, 256 /23."""


@pytest.mark.parametrize(("hosts", "length"), BLOCKS.items())
def test_a_host_block_is_the_smallest_power_of_two_that_holds_its_links(hosts: int, length: int) -> None:
    assert addressing.block_length(hosts, 32) == length
    assert addressing.block_length(hosts, 128) == 96 + length


SLICES = {
    1: ["10.0.0.0/10"],
    2: ["10.0.0.0/11", "10.32.0.0/11"],
    3: ["10.0.0.0/12", "10.16.0.0/12", "10.32.0.0/12"],
    4: ["10.0.0.0/12", "10.16.0.0/12", "10.32.0.0/12", "10.48.0.0/12"],
    5: ["10.0.0.0/13", "10.8.0.0/13", "10.16.0.0/13", "10.24.0.0/13", "10.32.0.0/13"],
}


@pytest.mark.parametrize(("planes", "slices"), SLICES.items())
def test_a_pool_is_cut_into_the_next_power_of_two_of_planes(planes: int, slices: list[str]) -> None:
    pool = ip_network("10.0.0.0/10")
    assert [str(addressing.plane_slice(pool, plane, planes)) for plane in range(planes)] == slices


ASNS = {
    (0, 0, 0): 4200000000,
    (0, 0, 511): 4200000511,
    (1, 0, 7): 4201000007,
    (1, 1, 0): 4201100000,
    (3, 2, 4): 4203200004,
    (0, 3, 201): 4200300201,
}
"""(plane, tier, number) → base + plane × 1,000,000 + tier × 100,000 + number."""


@pytest.mark.parametrize(("place", "asn"), ASNS.items(), ids=str)
def test_an_asn_comes_from_plane_tier_and_number(place: tuple[int, int, int], asn: int) -> None:
    assert addressing.asn(4200000000, *place) == asn


def test_a_router_id_without_ipv4_is_made_of_the_place() -> None:
    """IPv6-only works: 32 bits that no two devices share (DESIGN.md, rule 13)."""
    only = fabric(small(addressing='{loopbacks: ["fd00:ff::/48"], hosts: ["fd00:100::/40"]}'))
    assert only.devices["b-spine2"].loopbacks == ("fd00:ff:0:a000::2/128",)
    ids = [device.router_id for device in only.devices.values()]
    assert len(set(ids)) == len(ids)
    assert only.devices["a-su1-r1-leaf"].router_id == "1.0.0.1"


@given(planes=st.integers(1, 9), highest=st.integers(1, 5000), slack=st.integers(0, 3))
def test_a_pool_as_large_as_is_asked_for_holds_every_loopback_and_one_bit_less_does_not(
    planes: int, highest: int, slack: int
) -> None:
    need = addressing.loopbacks_need(planes, highest, 32)
    pool = ip_network(f"0.0.0.0/{max(0, need - slack)}")
    last = [addressing.loopback(pool, planes - 1, planes, tier, highest) for tier in (0, 1)]
    assert len(set(last)) == 2
    with pytest.raises(addressing.TooSmall):
        addressing.loopback(ip_network(f"0.0.0.0/{need + 1}"), planes - 1, planes, 1, highest)


@given(planes=st.integers(1, 9), leaves=st.integers(1, 500), hosts=st.integers(1, 300))
def test_a_pool_as_large_as_is_asked_for_holds_every_block_and_one_bit_less_does_not(
    planes: int, leaves: int, hosts: int
) -> None:
    need = addressing.blocks_need(planes, leaves, hosts, 32)
    pool = ip_network(f"0.0.0.0/{need}")
    block = addressing.leaf_block(pool, planes - 1, planes, leaves - 1, hosts)
    assert block.subnet_of(addressing.plane_slice(pool, planes - 1, planes))  # type: ignore[arg-type]
    with pytest.raises(addressing.TooSmall):
        addressing.leaf_block(ip_network(f"0.0.0.0/{need + 1}"), planes - 1, planes, leaves - 1, hosts)
