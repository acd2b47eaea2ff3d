"""An NX-OS configuration that netaudit did not write, read into the state; and text that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import ABSENT, Device, Interface, Policy, PolicyRule, Scheduler, Watchdog

from .fabrics import fabric

HASHED = frozenset({"source-ip", "destination-ip", "protocol", "source-port", "destination-port"})


def read(text: str) -> Device:
    return nxos.read_config({"nxos.cfg": text}, "leaf1")


@pytest.fixture(scope="module")
def leaf(request: pytest.FixtureRequest) -> Device:
    shared: Path = request.getfixturevalue("shared")
    return read((shared / "data" / "vendor-examples" / "nxos-leaf.cfg").read_text(encoding="utf-8"))


def test_the_example_leafs_ports_are_read(leaf: Device) -> None:
    assert leaf.system is not None
    assert leaf.system.hostname == "leaf1"
    port = (leaf.ports or {})["5"]
    assert (port.native, port.enabled, port.speed_mbps) == ("Ethernet1/5", True, 400_000)
    assert (port.mtu_bytes, port.fec, port.breakout) == (9216, "rs", ABSENT)
    assert port.description == "spine1 Ethernet1/1"
    assert list(leaf.ports or {}) == [str(n) for n in range(1, 9)]


def test_the_example_leafs_addresses_are_read_and_management_is_left_out(leaf: Device) -> None:
    assert (leaf.interfaces or {}).keys() == {*(str(n) for n in range(1, 9)), "Loopback0"}
    one = Interface(vrf="default", addresses=frozenset({"203.0.113.1/31"}), link_local=False)
    assert (leaf.interfaces or {})["5"] == one


def test_the_example_leafs_speaker_is_read_through_its_template(leaf: Device) -> None:
    bgp = leaf.bgp
    assert bgp is not None
    assert (bgp.asn, bgp.router_id, bgp.multipath_relax, bgp.maximum_paths) == (65101, "192.0.2.11", True, 64)
    assert (bgp.keepalive_s, bgp.hold_s) == (60, 180)
    neighbor = (bgp.neighbors or {})["203.0.113.0"]
    assert (neighbor.remote, neighbor.families, neighbor.import_policy) == ("65001", frozenset({"ipv4"}), ABSENT)


def test_what_no_leaf_stands_for_is_told(leaf: Device) -> None:
    """The example announces what is connected, through a route-map over exact lengths, and has BFD."""
    assert leaf.bgp is not None
    assert isinstance(leaf.bgp.unmodelled, frozenset)
    assert "address-family ipv4 unicast redistribute direct route-map RM-CONN" in leaf.bgp.unmodelled
    assert "neighbor 203.0.113.0 bfd" in leaf.bgp.unmodelled
    assert "route-map RM-CONN permit 10 match ip address prefix-list PL-CONN" in leaf.bgp.unmodelled


def test_the_example_leafs_queues_are_read(leaf: Device) -> None:
    qos = leaf.qos
    assert qos is not None
    marks = (qos.dscp_to_tc or {})["QOS_CLASSIFICATION"]
    assert (marks[26], marks[48], marks[0]) == (3, 7, 0)
    assert len(marks) == 64
    assert (qos.schedulers or {})["QOS_EGRESS_PORT q7"].kind == "strict"
    assert (qos.schedulers or {})["QOS_EGRESS_PORT q3"] == Scheduler(kind="dwrr", weight=50)
    marking = ((qos.wred or {})["QOS_EGRESS_PORT q3"].colours or {})["green"]
    assert (marking.kmin_bytes, marking.kmax_bytes, marking.pmax_percent) == (150_000, 3_000_000, 7)
    port = (qos.ports or {})["1"]
    assert list(port.queues or {}) == ["3", "0", "7"]
    assert (port.dscp_to_tc, port.rewrite, port.pfc) == ("QOS_CLASSIFICATION", ABSENT, frozenset({3}))
    assert isinstance(port.watchdog, Watchdog)
    assert (port.watchdog.action, port.watchdog.restore_ms) == ("drop", ABSENT)
    assert (qos.watchdog_poll_ms, qos.hash_fields) == (100, HASHED)


def test_what_nobody_of_us_configures_stands_in_rows(leaf: Device) -> None:
    rows = (leaf.raw or {})["nxos.cfg"] or {}
    assert {"feature nxapi", "grpc port 50051", "interface mgmt0 > vrf member management"} <= rows.keys()
    assert not any(name.startswith(("router bgp", "interface Ethernet", "class-map")) for name in rows)


PORT = "interface Ethernet1/5\n"
ENABLED = {
    "no shutdown": (f"{PORT}  no switchport\n  no shutdown\n", True),
    "shutdown": (f"{PORT}  shutdown\n", False),
    "a routed port without a word": (f"{PORT}  no switchport\n", False),
    "a switched port without a word": (PORT, True),
    "the last word counts": (f"{PORT}  shutdown\n  no shutdown\n", True),
}


@pytest.mark.parametrize(("text", "up"), ENABLED.values(), ids=ENABLED)
def test_a_port_is_up_or_down(text: str, up: bool) -> None:
    assert (read(text).ports or {})["5"].enabled is up


def test_ports_of_a_breakout_have_the_speed_of_its_map() -> None:
    text = (
        "interface breakout module 1 port 5-6 map 400g-2x\n"
        "interface Ethernet1/5/1\ninterface Ethernet1/5/2\n  speed 200000\ninterface Ethernet1/6/1\n"
    )
    ports = read(text).ports or {}
    assert [(k, p.breakout, p.speed_mbps) for k, p in ports.items()] == [
        ("5/1", "400g-2x", 400_000),
        ("5/2", None, 200_000),
        ("6/1", "400g-2x", 400_000),
    ]


def test_a_port_of_another_module_keeps_its_name() -> None:
    assert list(read("interface Ethernet2/5\n  no shutdown\n").ports or {}) == ["Ethernet2/5"]


def test_bundles_tunnels_and_subinterfaces_are_nobodys() -> None:
    text = "interface port-channel1\ninterface nve1\ninterface Ethernet1/5.100\n  ip address 10.0.0.1/24\n"
    device = read(text)
    assert (device.ports, device.interfaces) == ({}, {})


def test_vlans_come_in_ranges_and_vlan_1_is_on_every_box() -> None:
    text = (
        "vlan 1,10,20-21\n"
        f"{PORT}  switchport\n  switchport access vlan 10\n"
        "interface Ethernet1/6\n  switchport mode trunk\n  switchport trunk native vlan 20\n"
        "  switchport trunk allowed vlan 10,20-21\n"
    )
    vlans = read(text).vlans or {}
    assert {n: (set(v.members or ()), set(v.tagged or ())) for n, v in vlans.items()} == {  # type: ignore[arg-type]
        "10": ({"5"}, {"6"}),
        "20": ({"6"}, set()),
        "21": (set(), {"6"}),
    }


SPEAKER = "router bgp 65000.10\n  address-family ipv4 unicast\n    maximum-paths 64\n"


def test_templates_are_inherited_and_the_neighbors_own_word_wins() -> None:
    text = f"""{SPEAKER}  template peer-policy PP
    allowas-in
    route-map A in
  template peer-session PS
    remote-as 65001
  template peer SPINE
    inherit peer-session PS
    address-family ipv4 unicast
      inherit peer-policy PP 10
      route-map B in
      route-map C out
  neighbor 10.0.0.1
    inherit peer SPINE
    remote-as 65002
  neighbor 10.0.0.3 remote-as 65003
    address-family ipv4 unicast
      allowas-in 2
"""
    bgp = read(text).bgp
    assert bgp is not None
    assert bgp.asn == 65000 * 65536 + 10
    one, two = (bgp.neighbors or {})["10.0.0.1"], (bgp.neighbors or {})["10.0.0.3"]
    assert (one.remote, one.import_policy, one.export_policy, one.allowas_in) == ("65002", "B", "C", {"ipv4": 3})
    assert (two.remote, two.import_policy, two.allowas_in) == ("65003", ABSENT, {"ipv4": 2})
    assert bgp.unmodelled == frozenset()


def test_templates_that_inherit_from_each_other_are_refused() -> None:
    text = f"{SPEAKER}  template peer A\n    inherit peer B\n  template peer B\n    inherit peer A\n"
    with pytest.raises(ValueError, match="inherit from each other"):
        read(f"{text}  neighbor 10.0.0.1\n    inherit peer A\n")


def test_families_with_different_limits_are_as_wide_as_the_narrower() -> None:
    text = f"{SPEAKER}  address-family ipv6 unicast\n    network fd00::/64\n"
    assert read(text).bgp is not None
    assert read(text).bgp.maximum_paths == 1  # type: ignore[union-attr]


POLICY = """ip prefix-list A seq 5 permit 10.0.0.0/8 le 24
ip prefix-list A seq 10 permit 10.1.0.0/16
ipv6 prefix-list A-V6 seq 5 permit fd00::/16 le 128
route-map A permit 10
  match ip address prefix-list A
route-map A-V6 permit 10
  match ipv6 address prefix-list A-V6
"""


def policy(text: str) -> tuple[Policy, frozenset[str]]:
    bgp = read(text).bgp
    assert bgp is not None
    assert isinstance(bgp.unmodelled, frozenset)
    return (bgp.policies or {})["A"], bgp.unmodelled


def test_a_policy_is_both_of_its_route_maps() -> None:
    found, told = policy(POLICY)
    assert found.permits == frozenset(
        {
            PolicyRule(prefix="10.0.0.0/8", up_to=24),
            PolicyRule(prefix="10.1.0.0/16", up_to=16),
            PolicyRule(prefix="fd00::/16", up_to=128),
        }
    )
    assert told == frozenset()


TOLD = {
    "an entry that matches nothing in particular": ("route-map A permit 20\n", "route-map A permit 20"),
    "an entry that denies a list": ("route-map A deny 5\n  match ip address prefix-list A\n", "route-map A deny 5"),
    "something that is set": ("route-map A permit 10\n  set metric 5\n", "route-map A permit 10 set metric 5"),
    "another match": ("route-map A permit 30\n  match tag 5\n", "route-map A permit 30 match tag 5"),
    "a list that no map uses": ("ip prefix-list B seq 5 permit 10.0.0.0/8\n", "ip prefix-list B"),
    "a list with ge": (
        "ip prefix-list A seq 15 permit 10.2.0.0/16 ge 24\n",
        "route-map A permit 10 match ip address prefix-list A",
    ),
}


@pytest.mark.parametrize(("more", "line"), TOLD.values(), ids=TOLD)
def test_what_no_rule_can_say_is_told(more: str, line: str) -> None:
    assert line in policy(f"{POLICY}{more}")[1]


def test_a_route_map_of_another_protocol_is_no_policy_of_ours() -> None:
    found, told = policy(f"{POLICY}router ospf 1\n  redistribute static route-map A\n")
    assert found.permits == frozenset({PolicyRule(prefix="fd00::/16", up_to=128)})
    assert told == frozenset()


def test_a_neighbor_with_different_maps_in_its_families_says_so() -> None:
    text = f"""{SPEAKER}  neighbor 10.0.0.1
    remote-as 65001
    address-family ipv4 unicast
      route-map A in
    address-family ipv6 unicast
      route-map B-V6 in
"""
    bgp = read(text).bgp
    assert bgp is not None
    assert (bgp.neighbors or {})["10.0.0.1"].import_policy == "A and B"


def test_a_peer_by_its_port_is_known_by_that() -> None:
    bgp = read(f"{SPEAKER}  neighbor Ethernet1/5\n    remote-as external\n").bgp
    assert bgp is not None
    assert (bgp.neighbors or {})["5"].remote == "external"


def test_one_address_in_two_vrfs_is_two_sessions() -> None:
    text = (
        f"{SPEAKER}  neighbor 10.0.0.1\n    remote-as 65001\n  vrf red\n    neighbor 10.0.0.1\n      remote-as 65002\n"
    )
    bgp = read(text).bgp
    assert bgp is not None
    assert {key: n.vrf for key, n in (bgp.neighbors or {}).items()} == {
        "10.0.0.1": "default",
        "10.0.0.1 in VRF red": "red",
    }


QOS = """class-map type qos match-any RDMA
  match dscp 24-26,ef
policy-map type qos IN
  class RDMA
    set qos-group 3
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
system qos
  service-policy type network-qos NQ
interface Ethernet1/5
  priority-flow-control mode on
  service-policy type qos input IN
"""


def queues(text: str) -> tuple[object, object]:
    qos = read(text).qos
    assert qos is not None
    port = (qos.ports or {})["5"]
    return port.pfc, port.rewrite


def test_dscps_come_in_ranges_and_by_name() -> None:
    qos = read(QOS).qos
    assert qos is not None
    assert {d for d, group in (qos.dscp_to_tc or {})["IN"].items() if group == 3} == {24, 25, 26, 46}


PFC = {
    "on": (QOS, frozenset({3})),
    "auto": (QOS.replace("mode on", "mode auto"), frozenset()),
    "off": (QOS.replace("mode on", "mode off"), frozenset()),
    "a class that pauses another priority": (QOS.replace("pfc-cos 3", "pfc-cos 4"), frozenset()),
    "a policy that is not in force": (
        QOS.replace("network-qos NQ\ninterface", "network-qos OTHER\ninterface"),
        frozenset(),
    ),
    "with TLV": (QOS.replace("mode on", "mode on send-tlv"), frozenset({3})),
}


@pytest.mark.parametrize(("text", "pfc"), PFC.values(), ids=PFC)
def test_pfc_is_what_protects_a_class(text: str, pfc: frozenset[int]) -> None:
    assert queues(text)[0] == pfc


def test_a_classifier_that_marks_changes_what_packets_carry() -> None:
    assert queues(QOS)[1] is ABSENT
    assert queues(QOS.replace("    set qos-group 3", "    set qos-group 3\n    set dscp 0"))[1] == "IN"


def test_wred_that_drops_is_no_marking() -> None:
    text = (
        "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    bandwidth percent 50\n"
        "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0\n"
    )
    qos = read(text).qos
    assert qos is not None
    assert (qos.wred or {})["OUT q3"].ecn is False


HEADROOM = """policy-map type queuing ROCE-INQ
  class type queuing c-in-q3
    pause buffer-size 27456 pause-threshold 12480 resume-threshold 12480
interface Ethernet1/5
  service-policy type queuing input ROCE-INQ
"""


def test_headroom_is_what_is_above_the_threshold() -> None:
    buffers = read(HEADROOM).buffers
    assert buffers is not None
    profile = (buffers.profiles or {})["ROCE-INQ"]
    assert (profile.size_bytes, profile.xoff_bytes, profile.xon_bytes) == (27_456, 14_976, 12_480)
    assert ((buffers.ports or {})["5"].groups or {}) == {"3": "ROCE-INQ"}


def test_a_banner_is_text_whatever_it_looks_like() -> None:
    text = "hostname leaf1\nbanner motd ^\nrouter bgp 1\n  router-id 9.9.9.9\n^\nfeature lldp\n"
    device = read(text)
    assert device.bgp is not None
    assert device.bgp.asn is ABSENT
    assert device.lldp is not None
    assert device.lldp.enabled is True


def test_secrets_are_not_among_the_rows() -> None:
    text = "username admin password 5 HIDDEN role x\nsnmp-server community HIDDEN group x\nntp server 192.0.2.1\n"
    rows = (read(text).raw or {})["nxos.cfg"] or {}
    assert list(rows) == ["ntp server 192.0.2.1"]


def test_the_version_that_a_configuration_names_is_told() -> None:
    assert read("version 10.5(2) Bios:version 05.50\nhostname x\n").version == "10.5(2)"


NONE = {
    "JSON": '{"DEVICE_METADATA": {}}',
    "Junos": "set system host-name x",
    "XML": "<rpc-reply/>",
    "a NUL": "hostname x\x00y\n",
    "an address that is none": "interface loopback0\n  ip address 10.0.0.300/24\n",
    "an ASN that is none": "router bgp many\n",
    "a number that is none": "interface Ethernet1/5\n  mtu big\n",
    "a number beyond all": f"interface Ethernet1/5\n  mtu {'9' * 5000}\n",
    "a VLAN that is none": "vlan 5000\n",
    "a range without end": "interface breakout module 1 port 1-99999 map 10g-4x\n",
    "a neighbor without a number": "router bgp 1\n  neighbor 10.0.0.1\n    remote-as\n",
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_what_is_no_configuration_is_refused_and_nothing_else_is_raised(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the reader's own words are tested where they matter
        read(text)


def test_no_file_is_refused() -> None:
    with pytest.raises(ValueError, match=r"nxos\.cfg"):
        nxos.read_config({}, "x")


def test_a_text_of_any_kind_is_read_or_refused() -> None:
    """Every line of a rendering cut, doubled, or with its words turned round."""
    whole = render(fabric("two-plane", ("leaf", "spine")).device("a-su1-r1-leaf"))["nxos.cfg"].splitlines()[:170]
    for number in range(len(whole)):
        for line in ("", whole[number][: len(whole[number]) // 2], " ".join(reversed(whole[number].split()))):
            text = "\n".join((*whole[:number], line, *whole[number + 1 :]))
            try:
                read(text)
            except ValueError as error:
                assert str(error)  # noqa: PT017  # either answer is right, and no other
