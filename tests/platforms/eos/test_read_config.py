"""What a configuration text says, in whichever of EOS's own spellings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from netaudit.platforms import eos
from netaudit.platforms.eos.text import LARGEST
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Device, PolicyRule, PortQos, Qos, Watchdog

REAL = Path(__file__).resolve().parents[4] / "shared" / "field" / "real" / "eos"


def read(text: str) -> Device:
    return eos.read_config({"eos.cfg": text}, "leaf1")


def bgp(text: str) -> Bgp:
    found = read(text).bgp
    assert found is not None
    return found


def neighbor(text: str, key: str) -> BgpNeighbor:
    return (bgp(text).neighbors or {})[key]


def qos(text: str) -> Qos:
    found = read(text).qos
    assert found is not None
    return found


def port_qos(text: str, key: str = "1") -> PortQos:
    return (qos(text).ports or {})[key]


@pytest.mark.parametrize(
    ("number", "asn"), [("65101", 65101), ("65101.65101", 4266524237), ("1.0", 65536), ("4294967295", 4294967295)]
)
def test_an_asn_is_a_number_however_it_is_written(number: str, asn: int) -> None:
    """Field case A12."""
    text = f"router bgp {number}\n   neighbor 192.0.2.1 remote-as {number}\n"
    assert bgp(text).asn == asn
    assert neighbor(text, "192.0.2.1").remote == str(asn)


@pytest.mark.parametrize("written", ["2001:db8::1", "2001:DB8::1", "2001:0db8:0:0:0:0:0:1", "2001:db8:0::1"])
def test_an_address_is_one_however_it_is_written(written: str) -> None:
    """Field case A16."""
    text = f"interface Ethernet1/1\n   no switchport\n   ipv6 address {written}/64\n"
    assert (read(text).interfaces or {})["1"].addresses == frozenset({"2001:db8::1/64"})
    assert "2001:db8::1" in (bgp(f"router bgp 1\n   neighbor {written} remote-as 2\n").neighbors or {})


@pytest.mark.parametrize("word", ["peer group", "peer-group"])
def test_older_releases_write_peer_group_with_a_hyphen(word: str) -> None:
    text = (
        f"router bgp 65001\n   neighbor UP {word}\n   neighbor UP remote-as 65002\n   neighbor UP allowas-in\n"
        f"   neighbor 192.0.2.1 {word} UP\n   address-family ipv4\n      neighbor UP activate\n"
    )
    found = neighbor(text, "192.0.2.1")
    assert (found.remote, found.families, found.allowas_in) == ("65002", frozenset({"ipv4"}), {"ipv4": 3})


def test_sessions_over_ports_are_read_from_lists_of_ports() -> None:
    text = (
        "interface Ethernet1/1\n   no switchport\ninterface Ethernet2/1\n   no switchport\n"
        "router bgp 65001\n   neighbor interface Et1/1-2/1 peer-group UP remote-as 65002\n"
    )
    assert {key: n.remote for key, n in (bgp(text).neighbors or {}).items()} == {"1": "65002", "2": "65002"}


@pytest.mark.parametrize(
    ("rules", "remote"),
    [
        (("10 match as-range 65001 result reject", "20 match as-range 1-4294967295 result accept"), "external"),
        (("10 match as-range 0.65001 result reject", "20 match as-range 1-65535.65535 result accept"), "external"),
        (("10 match as-range 1-4294967295 result accept",), "filter ANY"),
        ((), "filter ANY"),
    ],
)
def test_a_filter_that_takes_all_but_our_own_number_is_external(rules: tuple[str, ...], remote: str) -> None:
    body = "".join(f"   {rule}\n" for rule in rules)
    text = (
        f"peer-filter ANY\n{body}router bgp 65001\n   bgp listen range 192.0.2.1/32 peer-group HOSTS peer-filter ANY\n"
    )
    assert neighbor(text, "192.0.2.1").remote == remote


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("seq 10 permit 10.0.0.0/8", PolicyRule(prefix="10.0.0.0/8", up_to=8)),
        ("seq 10 permit 10.0.0.0/8 le 24", PolicyRule(prefix="10.0.0.0/8", up_to=24)),
        ("permit 10.0.0.0/8 eq 8", PolicyRule(prefix="10.0.0.0/8", up_to=8)),
        ("seq 10 permit 10.0.0.0/16 eq 32", None),
        ("seq 10 permit 10.0.0.0/8 ge 24", None),
        ("seq 10 deny 10.0.0.0/8", None),
    ],
)
def test_a_rule_that_no_leaf_stands_for_is_told_and_not_taken_for_another(line: str, rule: PolicyRule | None) -> None:
    found = bgp(f"ip prefix-list P\n   {line}\nroute-map M permit 10\n   match ip address prefix-list P\n")
    assert found.policies is not None
    assert found.policies["M"].permits == (frozenset({rule}) if rule else frozenset())
    assert bool(found.unmodelled) is (rule is None)


@pytest.mark.parametrize(
    "lines",
    [
        "route-map M permit 10\n",
        "route-map M permit 10\n   match ip address prefix-list P\n   set local-preference 5\n",
        "route-map M deny 5\n   match as-path X\n",
        "router bgp 65001\n   redistribute connected\n",
        "router bgp 65001\n   neighbor 192.0.2.1 shutdown\n",
        "router bgp 65001\n   address-family evpn\n      neighbor X activate\n",
        "router bgp 65001\n   vrf X\n      rd 1:1\n",
        "ip prefix-list UNUSED\n   seq 10 permit 10.0.0.0/8\n",
        "peer-filter X\n   10 match community 1:1 result accept\n",
    ],
)
def test_what_no_leaf_stands_for_in_routing_is_unmodelled(lines: str) -> None:
    assert bgp(lines).unmodelled


def test_a_route_map_that_begins_by_refusing_lets_nothing_through() -> None:
    text = "route-map M deny 10\nroute-map M permit 20\n   match ip address prefix-list P\n"
    found = bgp(text)
    assert found.policies is not None
    assert found.policies["M"].permits == frozenset()
    assert found.unmodelled == frozenset({"route-map M permit 20"})


def test_a_policy_is_required_only_where_both_ways_are_closed_for_every_session() -> None:
    strict = "   neighbor UP missing-policy address-family all direction {} action deny\n"
    head = "router bgp 65001\n   neighbor UP peer group\n   neighbor 192.0.2.1 peer group UP\n"
    assert bgp(head).requires_policy is False
    assert bgp(head + strict.format("in")).requires_policy is False
    assert bgp(head + strict.format("in") + strict.format("out")).requires_policy is True


def test_a_vrf_has_the_number_of_the_speaker_or_its_own() -> None:
    text = (
        "router bgp 65001\n   vrf a\n      router-id 1.1.1.1\n   vrf b\n      local-as 65009\n      maximum-paths 8\n"
    )
    vrfs = bgp(text).vrfs or {}
    assert (vrfs["a"].asn, vrfs["a"].router_id, vrfs["a"].maximum_paths) == (65001, "1.1.1.1", ABSENT)
    assert (vrfs["b"].asn, vrfs["b"].maximum_paths) == (65009, 8)


def test_maximum_paths_is_what_both_numbers_allow() -> None:
    assert bgp("router bgp 1\n   maximum-paths 64 ecmp 16\n").maximum_paths == 16


def test_what_nobody_says_is_what_eos_does_by_itself() -> None:
    found = read("interface Ethernet1/1\nrouter bgp 65001\n")
    assert found.ports is not None
    assert found.bgp is not None
    port = found.ports["1"]
    assert (port.enabled, port.mtu_bytes, port.fec, port.autoneg) == (True, 1500, "auto", False)
    assert (port.speed_mbps, port.description) == (ABSENT, ABSENT)
    assert (found.bgp.multipath_relax, found.bgp.keepalive_s, found.bgp.hold_s) == (True, 60, 180)
    assert found.lldp is not None
    assert found.lldp.enabled is True


def test_a_dscp_that_no_line_names_is_in_the_class_that_eos_puts_it_in() -> None:
    """0-7 → 1, 8-15 → 0 (eos.md section 2): class 0 is not best effort there."""
    found = (qos("qos map dscp 26 to traffic-class 3\nqos map dscp 24 25 to traffic-class 5\n").dscp_to_tc or {})[
        "switch"
    ]
    assert [found[dscp] for dscp in (0, 8, 16, 24, 25, 26, 27, 48, 63)] == [1, 0, 2, 5, 5, 3, 3, 6, 7]
    assert len(found) == 64


PROFILE = """\
qos profile P
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control priority 4 drop
   priority-flow-control pause watchdog
   priority-flow-control pause watchdog port action notify-only
   priority-flow-control pause watchdog port timer timeout 0.05 polling-interval auto recovery-time 1.11 forced
   !
   tx-queue 3
      no priority
      bandwidth percent 50
      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes max-mark-probability 10 weight 0
   !
   tx-queue 6
      priority strict
      shape rate 1000 kbps
!
interface Ethernet1/1
   no switchport
   service-profile P
"""


def test_a_port_has_what_its_profile_says() -> None:
    port = port_qos(PROFILE)
    assert port.pfc == frozenset({3})
    assert port.watchdog == Watchdog(detect_ms=50, restore_ms=1110, action="alert")
    assert {number: (q.scheduler, q.wred) for number, q in (port.queues or {}).items()} == {
        "3": ("P/3", "P/3"),
        "6": ("P/6", ABSENT),
    }
    found = qos(PROFILE)
    curve = ((found.wred or {})["P/3"].colours or {})["green"]
    assert (curve.kmin_bytes, curve.kmax_bytes, curve.pmax_percent) == (150_000, 1_500_000, 10)
    assert (found.schedulers or {})["P/6"].cap_bytes_per_s == 125_000


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("priority-flow-control priority 3 drop", "pfc", frozenset()),
        ("priority-flow-control priority 5 no-drop", "pfc", frozenset({3, 5})),
        ("no priority-flow-control", "pfc", frozenset()),
        ("no qos trust", "dscp_to_tc", ABSENT),
        ("qos trust cos", "dscp_to_tc", ABSENT),
        ("no priority-flow-control pause watchdog", "watchdog", ABSENT),
        ("shape rate 50 percent", "shaper", "50 percent"),
        ("service-policy type qos input OTHER", "dscp_to_tc", "policy-map OTHER"),
    ],
)
def test_what_a_port_says_itself_counts_before_its_profile(line: str, field: str, value: object) -> None:
    assert getattr(port_qos(f"{PROFILE}   {line}\n"), field) == value


def test_a_port_trusts_dscp_by_itself_only_where_it_is_routed() -> None:
    pfc = "   priority-flow-control on\n"
    assert port_qos(f"interface Ethernet1/1\n   no switchport\n{pfc}").dscp_to_tc == "switch"
    assert port_qos(f"interface Ethernet1/1\n{pfc}").dscp_to_tc is ABSENT


def test_a_rewrite_of_dscp_is_seen_on_every_port() -> None:
    assert port_qos(f"qos rewrite dscp\n{PROFILE}").rewrite == "traffic-class"
    assert port_qos(PROFILE).rewrite is ABSENT


def test_thresholds_in_segments_are_none_in_bytes() -> None:
    text = PROFILE.replace("150 kbytes", "150 segments").replace("1500 kbytes", "1500 segments")
    assert qos(text).wred == {}


def test_watchdogs_that_look_at_different_intervals_are_as_slow_as_the_slowest() -> None:
    text = PROFILE.replace("polling-interval auto", "polling-interval 0.02")
    assert qos(text).watchdog_poll_ms == 20
    assert qos(f"priority-flow-control pause watchdog default polling-interval 0.1\n{text}").watchdog_poll_ms == 100


def test_a_port_without_timers_has_those_of_the_switch() -> None:
    text = "\n".join(line for line in PROFILE.splitlines() if "port timer" not in line and "port action" not in line)
    switch = (
        "priority-flow-control pause watchdog default timeout 0.2\n"
        "priority-flow-control pause watchdog default recovery-time 0.4\n"
        "priority-flow-control pause watchdog action drop\n"
    )
    assert port_qos(f"{switch}{text}\n").watchdog == Watchdog(detect_ms=200, restore_ms=400, action="drop")
    assert port_qos(f"{text}\n").watchdog == Watchdog(detect_ms=ABSENT, restore_ms=ABSENT, action="errdisable")


def test_a_variant_whose_queues_are_served_otherwise_has_rows_of_its_own() -> None:
    text = PROFILE + PROFILE.replace("profile P", "profile P-v2").replace("percent 50", "percent 30").replace(
        "1/1", "2/1"
    )
    text = text.replace("service-profile P\nqos", "service-profile P\n!\nqos")
    text = text[: text.rindex("service-profile P")] + "service-profile P-v2\n"
    found = qos(text)
    assert sorted(found.schedulers or {}) == ["P-v2/3", "P/3", "P/6"]
    assert ((found.ports or {})["2"].queues or {})["3"].scheduler == "P-v2/3"
    assert ((found.ports or {})["2"].queues or {})["6"].scheduler == "P/6"


def test_only_the_profile_that_is_applied_does_anything() -> None:
    rows = "platform trident mmu queue profile {}\n    ingress headroom {}\n    ingress threshold 1\n"
    text = rows.format("A", "165100") + rows.format("B", "bytes 64000")
    assert read(text).buffers is not None
    assert (read(text).buffers.profiles or {}) == {}  # type: ignore[union-attr]
    applied = read(f"{text}platform trident mmu queue profile A apply\n").buffers
    assert applied is not None
    assert (applied.profiles or {})["ingress"].xoff_bytes == 165_100
    assert (applied.profiles or {})["ingress"].alpha == Fraction(1)


def test_vrfs_of_management_ports_are_not_ours() -> None:
    text = "vrf instance MGMT\nvrf instance storage\ninterface Management1\n   vrf MGMT\n   ip address 192.0.2.1/24\n"
    found = read(text)
    assert found.vrfs == frozenset({"storage"})
    assert found.interfaces == {}


def test_a_trunk_carries_its_vlans_with_tags_but_for_its_native_one() -> None:
    text = (
        "vlan 10,20-21\ninterface Ethernet1/1\n   switchport trunk native vlan 10\n"
        "   switchport trunk allowed vlan 10,20\n   switchport trunk allowed vlan add 21\n   switchport mode trunk\n"
        "interface Ethernet2/1\n   switchport access vlan 20\n"
    )
    vlans = read(text).vlans or {}
    assert {n: (v.members, v.tagged) for n, v in vlans.items()} == {
        "10": (frozenset({"1"}), frozenset()),
        "20": (frozenset({"2"}), frozenset({"1"})),
        "21": (frozenset(), frozenset({"1"})),
    }


def test_the_text_of_a_banner_is_no_configuration() -> None:
    text = "banner motd\ninterface Ethernet1/1\n   shutdown\nEOF\nhostname leaf1\n"
    found = read(text)
    assert found.ports == {}
    assert found.system is not None
    assert found.system.hostname == "leaf1"


def test_the_real_configurations_are_read_as_far_as_they_are_ours() -> None:
    if not REAL.exists():
        pytest.skip("shared reference data is not here: no captures")
    found = bgp((REAL / "running_config_router_bgp_asdot.txt").read_text())
    assert found.asn == 65101 * 65536 + 65101
    assert found.maximum_paths == 32
    assert (found.neighbors or {})["2001:db8::1"].remote == "8403"
    assert (found.neighbors or {})["192.168.0.1"].import_policy == "reject-all"
    assert "neighbor IPv4-PEERS-GROUP-NAME remove-private-as" in (found.unmodelled or ())  # type: ignore[operator]
    profiles = qos((REAL / "avd_qos_pfc_config.cfg").read_text())
    rows = profiles.schedulers or {}
    assert rows["uc_mc_queues_test/1"].weight == 50
    assert (profiles.wred or {})["test/2"].colours is not None


@pytest.mark.parametrize("text", ["\0", "x" * (LARGEST + 1)], ids=["binary", "endless"])
def test_what_is_no_configuration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="configuration"):
        read(text)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(ValueError, match=r"eos\.cfg"):
        eos.read_config({}, "x")


FAMILIES = """\
router bgp 65001
   neighbor UP peer group
   neighbor 192.0.2.1 peer group UP
   neighbor 192.0.2.1 remote-as 65002
   address-family ipv4
      neighbor UP activate
      neighbor UP route-map {} in
   address-family ipv6
      neighbor UP activate
      neighbor UP route-map {} in
"""


def test_a_session_has_a_policy_if_every_family_of_it_has_it() -> None:
    """One family without a policy passes everything, or nothing at all where policies are required."""
    assert neighbor(FAMILIES.format("A", "A"), "192.0.2.1").import_policy == "A"
    assert neighbor(FAMILIES.format("A", "B"), "192.0.2.1").import_policy == "A and B"
    bare = FAMILIES.format("A", "A").replace("      neighbor UP route-map A in\n", "", 1)
    assert neighbor(bare, "192.0.2.1").import_policy is ABSENT
    general = bare.replace("   address-family ipv4\n", "   neighbor UP route-map A in\n   address-family ipv4\n")
    assert neighbor(general, "192.0.2.1").import_policy == "A"


def test_what_is_said_for_the_whole_switch_counts_before_its_ports() -> None:
    assert port_qos(f"priority-flow-control all off\n{PROFILE}").pfc == frozenset()
    dog = port_qos(f"priority-flow-control pause watchdog override action drop\n{PROFILE}").watchdog
    assert isinstance(dog, Watchdog)
    assert dog.action == "drop"
