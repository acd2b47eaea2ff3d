"""The shared reader of OpenConfig: real captures, field case A17, and every way in which servers spell one tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.gnmi.paths import split
from netaudit.gnmi.tree import merged
from netaudit.platforms import openconfig
from netaudit.platforms.openconfig import OcNeighbor, OcPort, OcRoute, OcSession, OcSpeaker

READERS = (
    openconfig.interfaces,
    openconfig.lldp,
    openconfig.sessions,
    openconfig.speakers,
    openconfig.routes,
    openconfig.loc_rib,
)


def capture(shared: Path, name: str) -> str:
    return (shared / "field" / "real" / "gnmi" / name).read_text()


def test_the_bare_state_of_an_eos_interface_is_read_and_its_mtu_of_zero_is_not_told(shared: Path) -> None:
    found = openconfig.interfaces(capture(shared, "eos_oc_interface_state.json"))
    assert found.items == {"Ethernet24": OcPort(name="Ethernet24", enabled=True, oper_up=True, description="")}
    assert not found.problems


def test_all_ports_of_a_sonic_are_read_and_what_a_port_does_not_tell_is_none(shared: Path) -> None:
    found = openconfig.interfaces(capture(shared, "sonic_oc_interfaces_all.json"))
    assert not found.problems
    assert found.items["Ethernet0"] == OcPort(name="Ethernet0", enabled=True, oper_up=False, mtu_bytes=9100)
    assert found.items["Ethernet1"] == OcPort(name="Ethernet1")


def test_a_list_of_one_interface_has_its_speed(shared: Path) -> None:
    found = openconfig.interfaces(capture(shared, "sonic_oc_interface_one.json"))
    assert found.items["Ethernet0"].speed_mbps == 40000


def test_a_bgp_neighbor_of_eos_is_read(shared: Path) -> None:
    found = openconfig.sessions(capture(shared, "eos_oc_bgp_neighbor.json"))
    assert found.items == {
        "default 172.168.14.2": OcSession(
            vrf="default",
            address="172.168.14.2",
            peer_asn=65002,
            state="Established",
            enabled=True,
            families=frozenset({"ipv4"}),
            received={"ipv4": 0},
        )
    }
    assert not found.problems


def test_identities_without_prefix_and_a_neighbor_without_a_state_of_its_session_are_read(shared: Path) -> None:
    text = capture(shared, "eos_oc_bgp_old_unprefixed_identity.json")
    session = openconfig.sessions(text).items["default 20.1.1.1"]
    assert (session.peer_asn, session.state, session.families) == (65001, None, frozenset())
    assert openconfig.speakers(text).items["default"] == OcSpeaker(vrf="default", asn=4206000022, router_id="4.4.4.4")


def test_field_case_a17_differs_in_nothing_from_what_is_intended(shared: Path) -> None:
    answer = json.loads((shared / "field" / "cases" / "A17" / "gnmi_get.json").read_text())
    update = answer["notification"][0]["update"][0]
    tree = json.dumps(merged([(split(update["path"]), update["val"])]))
    for text in (tree, json.dumps(update["val"])):
        port = openconfig.interfaces(text).items["Ethernet0"]
        assert port == OcPort(name="Ethernet0", enabled=True, oper_up=True, mtu_bytes=9100, speed_mbps=400000)


def test_numeric_text_in_a_field_of_text_stays_text() -> None:
    entry = {"name": "Ethernet0", "state": {"name": "Ethernet0", "description": "0123", "mtu": "09100"}}
    port = openconfig.interfaces(json.dumps({"interface": [entry]})).items["Ethernet0"]
    assert (port.description, port.mtu_bytes) == ("0123", 9100)


@pytest.mark.parametrize("asn", [4259840010, "4259840010", "65000.10"])
def test_an_asn_is_one_number_however_it_is_spelled(asn: object) -> None:
    neighbor = {"neighbor-address": "10.0.0.1", "state": {"peer-as": asn, "session-state": "ACTIVE"}}
    session = openconfig.sessions(json.dumps({"neighbor": [neighbor]})).items["default 10.0.0.1"]
    assert (session.peer_asn, session.state) == (4259840010, "Active")


@pytest.mark.parametrize("asn", [0, 4294967296, "65536.1", "65000.", -1, True, "x"])
def test_what_is_no_asn_is_a_problem_and_no_value(asn: object) -> None:
    neighbor = {"neighbor-address": "10.0.0.1", "state": {"peer-as": asn}}
    found = openconfig.sessions(json.dumps({"neighbor": [neighbor]}))
    assert found.items["default 10.0.0.1"].peer_asn is None
    assert len(found.problems) == 1


def test_sessions_stand_in_their_vrf_and_a_zone_or_an_interface_names_their_port() -> None:
    def instance(name: str, *addresses: str) -> object:
        neighbors = [{"neighbor-address": a, "state": {"session-state": "ESTABLISHED"}} for a in addresses]
        bgp = {"bgp": {"neighbors": {"neighbor": neighbors}}}
        return {"name": name, "protocols": {"protocol": [{"identifier": "BGP", "name": "BGP", **bgp}]}}

    tree = {
        "openconfig-network-instance:network-instances": {
            "network-instance": [
                instance("default", "fe80::1%Et1/1", "FE80:0:0::2%Et2/1", "swp1"),
                instance("storage", "10.0.0.1"),
            ]
        }
    }
    found = openconfig.sessions(json.dumps(tree)).items.values()
    assert [(s.vrf, s.address, s.port) for s in found] == [
        ("default", "fe80::1", "Et1/1"),
        ("default", "fe80::2", "Et2/1"),
        ("default", "", "swp1"),
        ("storage", "10.0.0.1", ""),
    ]


def test_lldp_neighbors_stand_by_port_and_a_silent_port_hears_nobody() -> None:
    state = {
        "system-name": "leaf1",
        "port-id": '"Ethernet1"',
        "port-id-type": "openconfig-lldp-types:INTERFACE_NAME",
        "port-description": "to spine",
        "chassis-id": "02:00:00:00:00:01",
    }
    ports = [
        {"name": "Ethernet1", "neighbors": {"neighbor": [{"id": "1", "state": state}]}},
        {"name": "Ethernet2", "state": {"enabled": True}},
    ]
    found = openconfig.lldp(json.dumps({"openconfig-lldp:lldp": {"interfaces": {"interface": ports}}}))
    assert found.items == {
        "Ethernet1": (
            OcNeighbor(
                system="leaf1",
                port_id="Ethernet1",
                port_id_type="INTERFACE_NAME",
                port_description="to spine",
                chassis_id="02:00:00:00:00:01",
            ),
        ),
        "Ethernet2": (),
    }


def test_the_tree_of_interfaces_is_not_taken_for_silence_on_all_ports(shared: Path) -> None:
    assert not openconfig.lldp(capture(shared, "sonic_oc_interfaces_all.json")).items


def test_forwarding_entries_have_the_ports_of_all_their_next_hops() -> None:
    afts = {
        "ipv4-unicast": {
            "ipv4-entry": [
                {"prefix": "10.0.0.0/24", "state": {"next-hop-group": "7", "origin-protocol": "oc-pt:BGP"}},
                {"prefix": "10.0.1.0/24", "state": {"next-hop-group": 9}},
            ]
        },
        "ipv6-unicast": {"ipv6-entry": [{"prefix": "FC00:0::/64", "state": {"next-hop-group": "7"}}]},
        "next-hop-groups": {"next-hop-group": [{"id": "7", "next-hops": {"next-hop": [{"index": 1}, {"index": "2"}]}}]},
        "next-hops": {
            "next-hop": [
                {"index": "1", "interface-ref": {"state": {"interface": "Ethernet1"}}},
                {"index": "2", "state": {"ip-address": "FE80:0::9"}},
            ]
        },
    }
    tree = {"network-instances": {"network-instance": [{"name": "default", "afts": afts}]}}
    ways = frozenset({"Ethernet1", "fe80::9"})
    assert openconfig.routes(json.dumps(tree)).items == {
        "default 10.0.0.0/24": OcRoute(vrf="default", prefix="10.0.0.0/24", hops=ways, origin="BGP"),
        "default 10.0.1.0/24": OcRoute(vrf="default", prefix="10.0.1.0/24"),
        "default fc00::/64": OcRoute(vrf="default", prefix="fc00::/64", hops=ways),
    }


def test_paths_of_the_bgp_table_that_are_not_best_do_not_count() -> None:
    def path(number: int, best: bool) -> object:
        state = {"attr-index": str(number), "best-path": best}
        return {"prefix": "10.0.0.0/24", "origin": "BGP", "path-id": number, "state": state}

    def attributes(number: int, hop: str, *asns: object) -> object:
        segment = {"index": 0, "state": {"type": "AS_SEQ", "member": list(asns)}}
        return {"index": str(number), "state": {"next-hop": hop}, "as-path": {"as-segment": [segment]}}

    unicast = {"loc-rib": {"routes": {"route": [path(1, True), path(2, True), path(3, False)]}}}
    rib = {
        "afi-safis": {"afi-safi": [{"afi-safi-name": "oc-bgp-types:IPV4_UNICAST", "ipv4-unicast": unicast}]},
        "attr-sets": {
            "attr-set": [
                attributes(1, "10.1.0.1", 65001, "65000.1"),
                attributes(2, "10.2.0.1", 65002),
                attributes(3, "10.3.0.1", 65003),
            ]
        },
    }
    found = openconfig.loc_rib(json.dumps({"bgp": {"rib": rib}}))
    assert found.items == {
        "default 10.0.0.0/24": OcRoute(
            vrf="default",
            prefix="10.0.0.0/24",
            hops=frozenset({"10.1.0.1", "10.2.0.1"}),
            as_paths=frozenset({(65001, 4259840001), (65002,)}),
        )
    }


def test_a_port_that_is_listed_twice_is_one_port() -> None:
    ports = [
        {"name": "swp1", "state": {"oper-status": "UP"}},
        {"name": "swp1", "openconfig-interfaces:state": {"mtu": 9216}},
    ]
    found = openconfig.interfaces(json.dumps({"interfaces": {"interface": ports}}))
    assert found.items == {"swp1": OcPort(name="swp1", oper_up=True, mtu_bytes=9216)}


def test_prefixed_and_plain_containers_of_one_name_are_one() -> None:
    entry = {"name": "swp1", "state": {"oper-status": "DOWN"}, "openconfig-interfaces:state": {"admin-status": "UP"}}
    port = openconfig.interfaces(json.dumps({"interface": [entry]})).items["swp1"]
    assert (port.enabled, port.oper_up) == (True, False)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"x"', "7", "[" * 100_000, '{"a":' * 300 + "1" + "}" * 300])
def test_text_that_is_no_tree_gives_nothing_and_raises_nothing(text: str) -> None:
    assert not any(reader(text).items for reader in READERS)


def test_what_cannot_be_parsed_is_a_problem() -> None:
    assert openconfig.interfaces("{").problems == ("the answer is no JSON",)
    assert openconfig.interfaces("[" * 100_000).problems == ("the answer is nested too deeply",)


_WORDS = """
interfaces interface lldp neighbors neighbor network-instances network-instance protocols protocol bgp global
afts next-hops next-hop next-hop-groups next-hop-group ipv4-unicast ipv4-entry rib afi-safis afi-safi loc-rib
routes route attr-sets attr-set as-path as-segment state config name mtu oper-status admin-status prefix index
id neighbor-address peer-as session-state member attr-index system-name port-id ethernet
"""
_NAMES = st.sampled_from(_WORDS.split())
_TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(_NAMES, below, max_size=5),
    max_leaves=40,
)


@given(_TREES)
def test_no_tree_makes_a_reader_raise(tree: object) -> None:
    for reader in READERS:
        reader(json.dumps(tree))
