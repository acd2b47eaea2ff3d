"""Numbered links between switches, and fabrics of IPv6 alone."""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_interface
from pathlib import Path

import pytest
from fabric.made import fabric, problems
from intent.example import problems as of_intent
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, Store
from netaudit.state.walk import differences

BLOCK = (
    "{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4, "
    "originates: [0.0.0.0/0]}}"
)
NUMBERED = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2}}",
    blocks=BLOCK,
    addressing="{loopbacks: 10.255.0.0/16, hosts: 10.0.0.0/10, fabric: numbered}",
)
SIXTH = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2}}",
    addressing='{loopbacks: "fd00:ff::/48", hosts: "fd00:aa::/40"}',
)
BOTH = NUMBERED.replace(
    "loopbacks: 10.255.0.0/16, hosts: 10.0.0.0/10, fabric: numbered",
    'fabric: numbered, numbered: [10.64.0.0/12, "fd00:64::/48"], hosts: [10.0.0.0/10, "fd00:aa::/40"]',
)
SIXTH_NUMBERED = SIXTH.replace("{loopbacks", '{fabric: numbered, numbered: "fd00:64::/48", loopbacks')
SOUND = {
    "numbered": NUMBERED,
    "IPv6 alone": SIXTH,
    "numbered in both families": BOTH,
    "IPv6 alone, numbered": SIXTH_NUMBERED,
}


def test_a_numbered_link_has_the_addresses_of_its_leaf_and_uplink() -> None:
    """Leaf index × 64 + uplink index, two addresses each, from the lower half of the slice; even is the leaf's."""
    expected = Expected(fabric(NUMBERED))
    leaf, spine = expected.device("a-su2-r1-leaf"), expected.device("a-spine2")
    number = 2 * 64 + 2  # leaf index 2, the second uplink goes to spine 2
    assert (leaf.interfaces or {})["63"].addresses == {f"10.64.{2 * number // 256}.{2 * number % 256}/31"}
    assert (spine.interfaces or {})["3"].addresses == {f"10.64.{2 * number // 256}.{2 * number % 256 + 1}/31"}
    assert {i.link_local for key, i in (leaf.interfaces or {}).items() if key in ("63", "64")} == {False}
    assert leaf.bgp
    assert set(leaf.bgp.neighbors or {}) == {"10.64.1.3", "10.64.1.5"}
    assert " neighbor 10.64.1.5 peer-group FABRIC\n" in render(leaf)["frr.conf"]
    # the upper half of plane b's slice: block id × 1,024 + link
    border = expected.device("b-border2")
    number = 2 * 1024 + 1 * 2 + 1
    assert (border.interfaces or {})["64/2"].addresses == {str(ip_interface(f"10.76.{number * 2 // 256}.6/31"))}


def test_both_ends_of_every_numbered_link_are_in_one_network_of_their_own() -> None:
    expected = Expected(fabric(NUMBERED))
    networks: Counter[str] = Counter()
    for name in expected.devices:
        device = expected.device(name)
        for key, port in expected.built.ports(name).items():
            if port.peer is not None and port.peer.device in expected.devices:
                (address,) = (device.interfaces or {})[key].addresses or ()
                networks[str(ip_interface(address).network)] += 1
    assert set(networks.values()) == {2}
    assert len(networks) == 2 * (4 * 2 + 2 * 2)  # planes, leaves and border devices, spines


def test_routes_are_those_of_the_same_fabric_without_numbers() -> None:
    numbered, plain = Expected(fabric(NUMBERED)), Expected(fabric(NUMBERED.replace("numbered", "unnumbered")))
    for name in plain.devices:
        assert numbered.routes(name, Failures()) == plain.routes(name, Failures())


def test_numbered_links_do_not_carry_ipv6(tmp_path: Path) -> None:
    (found,) = of_intent(tmp_path, small(addressing="{fabric: numbered}"))
    assert found.message == "fd00:ff::/48 cannot be announced over numbered links, which have IPv4 next hops only"
    (found,) = of_intent(tmp_path, SIXTH.replace('hosts: "fd', 'fabric: numbered, numbered: 10.64.0.0/24, hosts: "fd'))
    assert "cannot be announced over numbered links" in found.message


def test_a_link_with_addresses_of_both_families_has_a_session_for_each() -> None:
    expected = Expected(fabric(BOTH))
    leaf = expected.device("a-su2-r1-leaf")
    assert (leaf.interfaces or {})["63"].addresses == {"10.64.1.4/31", "fd00:64::104/127"}
    assert leaf.bgp is not None
    assert {key: n.families for key, n in (leaf.bgp.neighbors or {}).items() if n.over == "63"} == {
        "10.64.1.5": {"ipv4"},
        "fd00:64::105": {"ipv6"},
    }


@pytest.mark.parametrize("text", [BOTH, SIXTH_NUMBERED])
def test_routes_of_both_families_are_those_of_the_same_fabric_without_numbers(text: str) -> None:
    numbered, plain = Expected(fabric(text)), Expected(fabric(text.replace("fabric: numbered", "fabric: unnumbered")))
    for name in plain.devices:
        assert numbered.routes(name, Failures()) == plain.routes(name, Failures())


def test_an_external_neighbor_over_a_numbered_link_is_told_and_tells_ipv4_only() -> None:
    text = small(
        blocks=BLOCK,
        external='{core1: {asn: 64512, prefixes: [10.160.0.0/16, "fd00:99::/32"]}}',
        links='[{id: 1, a: "a-border1:1", b: "core1:x", speed: 400G, cable: 15m dr4}, '
        '{a: "a-border2:1", b: "core1:y", speed: 400G, cable: 15m dr4}]',
    )
    expected = Expected(fabric(text))
    for name, prefixes in (("a-border1", {"10.160.0.0/16"}), ("a-border2", {"10.160.0.0/16", "fd00:99::/32"})):
        routes = expected.routes(name, Failures())
        assert {prefix for (_, prefix), r in routes.items() if r.as_paths == {(64512,)}} == prefixes
    bgp = expected.device("a-border1").bgp
    assert bgp
    assert {key: n.families for key, n in (bgp.neighbors or {}).items()}["10.68.0.3"] == {"ipv4"}


def test_a_pool_of_numbered_links_that_is_too_small_is_told() -> None:
    text = NUMBERED.replace("fabric: numbered", "fabric: numbered, numbered: 10.64.0.0/23")
    assert [d.message for d in problems(text)] == [
        "10.64.0.0/23: half of the slice 10.64.0.0/24 has no link number 256"
    ]


def test_a_fabric_of_ipv6_alone_has_router_ids_and_no_ipv4_address_anywhere() -> None:
    expected = Expected(fabric(SIXTH))
    ids = {expected.device(name).bgp.router_id for name in expected.devices}  # type: ignore[union-attr]
    assert len(ids) == len(expected.devices)
    for name in expected.devices:
        device = expected.device(name)
        addresses = {a for i in (device.interfaces or {}).values() for a in i.addresses or ()}
        assert addresses
        assert all(ip_interface(address).version == 6 for address in addresses)
        assert device.bgp
        assert {f for n in (device.bgp.neighbors or {}).values() for f in n.families or ()} == {"ipv6"}
    leaf = expected.routes("a-su1-r1-leaf", Failures())
    assert leaf["default", "fd00:aa::8/126"].hops == {"63", "64"}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_every_device_is_read_back_as_it_is_rendered(text: str) -> None:
    expected = Expected(fabric(text))
    for name in expected.devices:
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)
