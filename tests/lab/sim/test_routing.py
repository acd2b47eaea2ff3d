"""Sessions, routes and LLDP of the whole lab, and what changes them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from lab.sim import example
from lab.sim.conftest import Lab
from netaudit.lab.sim.lldp import neighbors
from netaudit.lab.sim.tables import table

Boot = Callable[..., Lab]
PEER = "10.0.2.0/29"
"""The block of leaf2."""


def conf(name: str, *changes: tuple[str, str]) -> dict[str, str]:
    """The lab's files with a changed frr.conf."""
    text = example.frr_conf(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {f"devices/{name}/etc/sonic/frr/frr.conf": text}


def database(name: str, table_name: str, key: str, row: dict[str, str] | None) -> dict[str, str]:
    """The lab's files with one row of a CONFIG_DB changed."""
    config = example.config(name)
    if row is None:
        del config[table_name][key]
    else:
        config.setdefault(table_name, {})[key] = row
    return {f"devices/{name}/etc/sonic/config_db.json": json.dumps(config)}


def test_every_session_is_up_and_every_leaf_reaches_the_other_over_all_uplinks(lab: Lab) -> None:
    assert {state for name in lab.fabric.switches for state in lab.states(name).values()} == {"Established"}
    assert lab.hops("leaf1", PEER) == set(example.UPLINKS)
    assert lab.hops("leaf1", "fd00:ff::2/128") == set(example.UPLINKS)
    assert lab.hops("leaf1", "10.255.0.11/32") == {"Ethernet56", "Ethernet48"}
    assert lab.hops("spine1", PEER) == set(example.DOWNLINKS["leaf2"])
    assert set(lab.paths("leaf1", PEER)) == {"4200100000 4200000001"}
    assert lab.paths("spine1", "10.255.0.12/32") == []


def test_the_bgp_table_marks_one_best_and_the_others_beside_it(lab: Lab) -> None:
    found = lab.show("leaf1", "show bgp ipv4 unicast json")["routes"][PEER]
    assert [(one.get("bestpath"), one.get("multipath")) for one in found] == [(True, None), *[(None, True)] * 3]
    assert {one["nexthops"][0]["hostname"] for one in found} == {"spine1", "spine2"}


@pytest.mark.parametrize(("family", "prefix"), [("ipv4", PEER), ("ipv6", "fd00:ff::2/128")])
def test_a_path_names_a_link_local_next_hop_in_both_scopes_and_uses_one(lab: Lab, family: str, prefix: str) -> None:
    path = lab.show("leaf1", f"show bgp {family} unicast json")["routes"][prefix][0]
    assert [(hop["scope"], hop.get("used")) for hop in path["nexthops"]] == [("global", True), ("link-local", None)]


def test_link_local_networks_are_connected_routes_and_nothing_else(lab: Lab) -> None:
    routes = lab.show("leaf1", "show ipv6 route json")["fe80::/64"]
    assert {route["protocol"] for route in routes} == {"connected"}
    assert [route.get("selected") for route in routes] == [True, None, None, None]
    assert "fe80::/64" not in table(lab.fabric, lab.switch("leaf1"), "APPL_DB", "ROUTE_TABLE")


def test_prefixes_sent_count_those_that_the_peer_sent_too(lab: Lab) -> None:
    """As FRR does where it has several peers of one kind; measured with FRR 8.4.4 on this very lab."""
    peers = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]
    assert {(peer["pfxRcd"], peer["pfxSnt"]) for peer in peers.values()} == {(3, 6)}
    peers = lab.show("spine1", "show bgp summary json")["ipv4Unicast"]["peers"]
    assert {(peer["pfxRcd"], peer["pfxSnt"]) for peer in peers.values()} == {(2, 5)}


def test_what_a_peer_said_is_still_shown_when_its_session_is_gone(lab: Lab) -> None:
    assert set(lab.states("leaf1").values()) == {"Established"}
    lab.patch("leaf1", ("replace", "/PORT/Ethernet56/admin_status", "down"))
    peer = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]["Ethernet56"]
    assert (peer["state"], peer["remoteAs"], peer["hostname"]) == ("Idle", 4200100000, "spine1")
    assert (peer["connectionsEstablished"], peer["connectionsDropped"]) == (1, 1)
    lab.run("leaf1", "sudo systemctl restart bgp")
    peer = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]["Ethernet56"]
    assert (peer["state"], peer["remoteAs"], peer["connectionsEstablished"]) == ("Idle", 0, 0)


def test_own_prefixes_have_an_empty_path_and_the_discard_route_is_static(lab: Lab) -> None:
    own = lab.show("leaf1", "show bgp ipv4 unicast json")["routes"]["10.0.1.0/29"][0]
    assert (own["path"], own["weight"], own["nexthops"][0]["ip"], own["bestpath"]) == ("", 32768, "0.0.0.0", True)
    routes = lab.show("leaf1", "show ip route json")
    assert [(one["protocol"], one["nexthops"][0]["blackhole"]) for one in routes["10.0.1.0/29"]] == [("static", True)]
    assert [one["protocol"] for one in routes["10.0.1.0/31"]] == ["connected"]
    assert routes["10.255.0.1/32"][0]["nexthops"][0]["interfaceName"] == "Loopback0"


def test_a_network_without_a_route_is_in_the_table_not_valid_and_not_announced(boot: Boot) -> None:
    lab = boot(conf("leaf1", ("ip route 10.0.1.0/29 blackhole\n", "")))
    (own,) = lab.show("leaf1", "show bgp ipv4 unicast json")["routes"]["10.0.1.0/29"]
    assert ("valid" in own, "bestpath" in own, own["weight"]) == (False, False, 32768)
    assert lab.paths("leaf2", "10.0.1.0/29") == []


def test_without_import_check_it_is_announced_all_the_same(boot: Boot) -> None:
    changes = (
        ("ip route 10.0.1.0/29 blackhole\n", ""),
        (" bgp router-id", " no bgp network import-check\n bgp router-id"),
    )
    assert boot(conf("leaf1", *changes)).paths("leaf2", "10.0.1.0/29") != []


def test_the_fabric_takes_what_is_redistributed(boot: Boot) -> None:
    lab = boot(conf("leaf1", ("  network 10.0.1.0/29\n", "  redistribute connected\n")))
    assert lab.hops("leaf2", "10.0.1.0/31") == set(example.UPLINKS)
    assert lab.hops("leaf2", "10.0.1.0/29") == set()


def test_a_session_without_policies_stays_up_and_empty_where_rfc_8212_is_on(boot: Boot) -> None:
    lab = boot(conf("leaf1", ("  neighbor FABRIC route-map IN4 out\n", "")))
    peer = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]["Ethernet56"]
    assert (peer["state"], peer["peerState"], peer["pfxSnt"]) == ("Established", "Policy", 0)
    assert (lab.paths("leaf2", "10.0.1.0/29"), lab.hops("leaf1", PEER)) == ([], set(example.UPLINKS))


def test_and_full_where_it_is_off(boot: Boot) -> None:
    changes = (("  neighbor FABRIC route-map IN4 out\n", ""), (" bgp ebgp-requires-policy\n", ""))
    assert boot(conf("leaf1", *changes)).paths("leaf2", "10.0.1.0/29") != []


def test_a_route_map_that_is_not_defined_lets_nothing_through(boot: Boot) -> None:
    lab = boot(conf("leaf1", ("route-map IN4 in", "route-map GONE in")))
    assert lab.hops("leaf1", PEER) == set()


def test_one_family_less_at_one_end_leaves_the_other(boot: Boot) -> None:
    lab = boot(conf("leaf1", ("  network fd00:ff::1/128\n  neighbor FABRIC activate\n", "  network fd00:ff::1/128\n")))
    assert lab.hops("leaf1", PEER) == set(example.UPLINKS)
    assert lab.hops("leaf1", "fd00:ff::2/128") == set()
    assert "ipv6Unicast" not in lab.show("leaf1", "show bgp summary json")


def test_the_maximum_of_paths_limits_each_family_alone(boot: Boot) -> None:
    text = example.frr_conf("leaf1").replace("  maximum-paths 64\n", "  maximum-paths 2\n", 1)
    lab = boot({"devices/leaf1/etc/sonic/frr/frr.conf": text})
    assert (len(lab.hops("leaf1", PEER)), len(lab.hops("leaf1", "fd00:ff::2/128"))) == (2, 4)


def port(name: str, native: str, **fields: str) -> dict[str, str]:
    """The lab's files with some fields of a port changed."""
    return database(name, "PORT", native, {**example.port_rows(name)[native], **fields})


EXTERNAL = " neighbor FABRIC remote-as external\n"
STUCK = {
    "no link-local at the other end": (database("spine1", "INTERFACE", "Ethernet0", {}), "Active"),
    "none at this end": (database("leaf1", "INTERFACE", "Ethernet56", {}), "Idle"),
    "another speed": (port("spine1", "Ethernet0", speed="400000"), "Idle"),
    "the port down": (port("leaf1", "Ethernet56", admin_status="down"), "Idle"),
    "no peer there": (conf("spine1", (" neighbor Ethernet0 interface peer-group FABRIC\n", "")), "Active"),
    "an internal one wanted": (conf("spine1", ("remote-as external", "remote-as internal")), "Idle"),
    "another ASN wanted": (conf("leaf1", ("remote-as external", "remote-as 4200100001")), "Idle"),
    "shut down": (conf("leaf1", (EXTERNAL, f"{EXTERNAL} neighbor FABRIC shutdown\n")), "Idle (Admin)"),
}


@pytest.mark.parametrize("case", STUCK)
def test_a_session_that_cannot_come_up_says_in_which_state_it_is_stuck(boot: Boot, case: str) -> None:
    changed, state = STUCK[case]
    lab = boot(changed)
    assert lab.states("leaf1")["Ethernet56"] == state
    peer = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]["Ethernet56"]
    assert (peer["pfxRcd"], peer["connectionsEstablished"]) == (0, 0)


def test_the_asn_that_is_demanded_is_the_one_shown_until_the_peer_says_its_own(boot: Boot) -> None:
    asn = {
        name: boot(changed).show("leaf1", "show bgp neighbors json")["Ethernet56"]["remoteAs"]
        for name, changed in {
            "up": {},
            "other": conf("leaf1", ("remote-as external", "remote-as 4200100001")),
            "external and down": database("leaf1", "INTERFACE", "Ethernet56", {}),
        }.items()
    }
    assert asn == {"up": 4200100000, "other": 4200100001, "external and down": 0}


def test_a_numbered_session_runs_between_the_addresses_of_a_link(boot: Boot) -> None:
    changed = {
        **conf(
            "leaf1", (" neighbor Ethernet56 interface peer-group FABRIC\n", " neighbor 10.64.0.0 peer-group FABRIC\n")
        ),
        **conf(
            "spine1", (" neighbor Ethernet0 interface peer-group FABRIC\n", " neighbor 10.64.0.1 peer-group FABRIC\n")
        ),
        **database("leaf1", "INTERFACE", "Ethernet56|10.64.0.1/31", {}),
        **database("spine1", "INTERFACE", "Ethernet0|10.64.0.0/31", {}),
    }
    lab = boot(changed)
    assert lab.states("leaf1")["10.64.0.0"] == "Established"
    assert lab.hops("leaf1", PEER) == set(example.UPLINKS)
    path = next(
        one for one in lab.show("leaf1", "show bgp ipv4 unicast json")["routes"][PEER] if one["peerId"] == "10.64.0.0"
    )
    assert path["nexthops"] == [{"ip": "10.64.0.0", "hostname": "spine1", "afi": "ipv4", "used": True}]


def test_lldp_gives_the_peers_host_name_and_the_alias_of_its_port(lab: Lab) -> None:
    heard = neighbors(lab.fabric, lab.switch("leaf1"))
    assert set(heard) == {"Ethernet0", *example.UPLINKS}
    spine = heard["Ethernet56"]
    assert (spine["lldp_rem_sys_name"], spine["lldp_rem_port_id"], spine["lldp_rem_port_desc"]) == (
        "spine1",
        "etp1",
        "Ethernet0",
    )
    assert (spine["lldp_rem_port_id_subtype"], spine["lldp_rem_chassis_id"]) == ("7", "02:00:00:00:00:0b")
    host = heard["Ethernet0"]
    assert (host["lldp_rem_sys_name"], host["lldp_rem_port_id"]) == ("su1-h1", "nic1p1")


@pytest.mark.parametrize(
    "changed",
    [
        {"cables.csv": example.cables().replace("nic1p1", "")},
        database("leaf1", "LLDP", "GLOBAL", {"enabled": "false"}),
        database("leaf1", "LLDP_PORT", "Ethernet0", {"enabled": "false"}),
        database("leaf1", "FEATURE", "lldp", {"state": "disabled"}),
    ],
    ids=["silent host", "off", "off on the port", "feature off"],
)
def test_where_lldp_is_silent_nothing_is_heard(boot: Boot, changed: dict[str, str]) -> None:
    lab = boot(changed)
    assert "Ethernet0" not in neighbors(lab.fabric, lab.switch("leaf1"))


def test_a_peer_without_alias_sends_the_name_of_its_port(boot: Boot) -> None:
    row = example.port_rows("spine1")["Ethernet0"]
    del row["alias"]
    lab = boot(database("spine1", "PORT", "Ethernet0", row))
    assert neighbors(lab.fabric, lab.switch("leaf1"))["Ethernet56"]["lldp_rem_port_id"] == "Ethernet0"


def test_the_route_table_of_appl_db_lists_every_way_out(lab: Lab) -> None:
    rows = table(lab.fabric, lab.switch("leaf1"), "APPL_DB", "ROUTE_TABLE")
    learned = rows[PEER]
    assert learned["protocol"] == "bgp"
    assert set(learned["ifname"].split(",")) == set(example.UPLINKS)
    assert learned["nexthop"].split(",").count("fe80::ff:fe00:b") == 2
    assert rows["10.0.1.0/29"] == {"blackhole": "true", "protocol": "static"}
    assert rows["10.0.1.0/31"]["ifname"] == "Ethernet0"
    assert "10.0.1.0/32" not in rows


def test_a_route_of_a_port_goes_with_its_link(lab: Lab) -> None:
    lab.patch("leaf1", ("replace", "/PORT/Ethernet0/admin_status", "down"))
    assert "10.0.1.0/31" not in lab.show("leaf1", "show ip route json")


def test_a_vlan_has_its_network_while_a_member_is_up(boot: Boot) -> None:
    config = example.config("leaf1")
    del config["INTERFACE"]["Ethernet0"], config["INTERFACE"]["Ethernet0|10.0.1.0/31"]
    config |= {
        "VLAN": {"Vlan10": {"vlanid": "10"}},
        "VLAN_MEMBER": {
            "Vlan10|Ethernet0": {"tagging_mode": "untagged"},
            "Vlan10|Ethernet4": {"tagging_mode": "untagged"},
        },
        "VLAN_INTERFACE": {"Vlan10": {}, "Vlan10|10.0.1.1/29": {}},
    }
    lab = boot({"devices/leaf1/etc/sonic/config_db.json": json.dumps(config)})
    assert lab.show("leaf1", "show ip route json")["10.0.1.0/29"][0]["nexthops"][0]["interfaceName"] == "Vlan10"
    lab.patch("leaf1", ("replace", "/PORT/Ethernet0/admin_status", "down"))
    assert lab.show("leaf1", "show ip route json")["10.0.1.0/29"][0]["protocol"] == "static"


def test_static_routes_lead_where_they_say(boot: Boot) -> None:
    lines = "ip route 192.0.2.0/25 10.0.1.1\nip route 192.0.2.128/25 Ethernet0\nipv6 route 2001:db8::/32 Null0\n"
    lab = boot({"devices/leaf1/etc/sonic/frr/frr.conf": example.frr_conf("leaf1") + lines})
    routes = lab.show("leaf1", "show ip route json")
    assert routes["192.0.2.0/25"][0]["nexthops"][0]["ip"] == "10.0.1.1"
    assert routes["192.0.2.128/25"][0]["nexthops"][0]["interfaceName"] == "Ethernet0"
    assert lab.show("leaf1", "show ipv6 route json")["2001:db8::/32"][0]["nexthops"][0]["blackhole"] is True


def test_an_address_that_frr_gives_counts_like_one_of_the_database(boot: Boot) -> None:
    lines = "interface Ethernet4\n ip address 192.0.2.0/31\ninterface Ethernet0\n ip address 192.0.2.2/31\n"
    lab = boot({"devices/leaf1/etc/sonic/frr/frr.conf": example.frr_conf("leaf1") + lines})
    routes = lab.show("leaf1", "show ip route json")
    assert ("192.0.2.2/31" in routes, "192.0.2.0/31" in routes) == (True, False)  # nothing is in Ethernet4


def test_each_form_of_a_question_gives_the_same_facts(lab: Lab) -> None:
    summary = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]
    assert lab.show("leaf1", "show bgp ipv4 unicast summary json") == summary
    neighbors_json = lab.show("leaf1", "show bgp neighbors json")
    assert lab.show("leaf1", "show bgp vrf all neighbors json")["default"]["Ethernet56"] == neighbors_json["Ethernet56"]
    assert {key: one["bgpState"] for key, one in neighbors_json.items()} == lab.states("leaf1")
    own = lab.show("leaf1", "show bgp ipv4 unicast 10.0.1.0/29 json")["paths"][0]
    assert (own["aspath"]["string"], own["local"], own["bestpath"]) == ("Local", True, {"overall": True})


def test_a_switch_without_bgp_answers_with_nothing(boot: Boot) -> None:
    lab = boot({"devices/leaf1/etc/sonic/frr/frr.conf": ""})
    questions = (
        "show bgp summary json",
        "show bgp ipv4 unicast json",
        "show bgp neighbors json",
        "show bgp ipv4 summary json",
    )
    assert [lab.show("leaf1", question) for question in questions] == [{}] * 4
    assert table(lab.fabric, lab.switch("leaf1"), "STATE_DB", "NEIGH_STATE_TABLE") == {}
    assert set(lab.states("spine1").values()) == {"Active", "Established"}


def test_the_same_fabric_gives_the_same_answers(boot: Boot) -> None:
    answers = [boot().run("leaf1", "vtysh -c 'show bgp ipv4 unicast json'").out for _ in range(2)]
    assert answers[0] == answers[1]
