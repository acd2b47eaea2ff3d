"""Single statements and what they mean: what the contract of leaves cannot say, or what others write otherwise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from netaudit.platforms import junos
from netaudit.render import render
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Buffers, Device, Policy, PolicyRule, Qos, Watchdog
from netaudit.state.walk import differences, dotted, with_leaf
from platforms.example import devices


def read(text: str) -> Device:
    return junos.read_config({"junos.conf": text}, "leaf1")


def bgp(text: str) -> Bgp:
    found = read(text).bgp
    assert found is not None
    return found


def qos(text: str) -> Qos:
    found = read(text).qos
    assert found is not None
    return found


def rendered(number: int = 0) -> str:
    return render(junos.quantize(devices("junos")[number]))["junos.conf"]


def changed(old: str, new: str) -> dict[str, object]:
    """Leaves that differ once a line of the leaf's configuration is another one."""
    text = rendered()
    assert old in text
    before, after = read(text), read(text.replace(old, new))
    return {dotted(d.path): d.observed for d in differences(before, after)}


BREAKS: dict[str, tuple[str, str, dict[str, object]]] = {
    "a DSCP without PFC at the input": (
        "set class-of-service congestion-notification-profile PFC-3-3M-QFX5240 input dscp code-point 011010 pfc\n",
        "",
        dict.fromkeys((f"qos.ports.{key}.pfc" for key in ("1/1", "1/2", "2/1", "2/2")), frozenset()),
    ),
    "a pause that stops another queue": (
        "profile PFC-3-3M-QFX5240 output ieee-802.1 code-point 011 flow-control-queue 3\n",
        "profile PFC-3-3M-QFX5240 output ieee-802.1 code-point 011 flow-control-queue 0\n",
        {
            **dict.fromkeys((f"qos.ports.{k}.pfc_to_queue" for k in ("1/1", "1/2", "2/1", "2/2")), "PFC-3-3M-QFX5240"),
        },
    ),
    "ECN off": (
        "set class-of-service schedulers ROCE-400G explicit-congestion-notification\n",
        "",
        {"qos.wred.ROCE-400G.ecn": False},
    ),
    "another share": (
        "schedulers ROCE-400G transmit-rate percent 60\n",
        "schedulers ROCE-400G transmit-rate percent 50\n",
        {"qos.schedulers.ROCE-400G.weight": 50},
    ),
    "a shorter cable": (
        "profile PFC-3-34M-QFX5240 input cable-length 34\n",
        "profile PFC-3-34M-QFX5240 input cable-length 5\n",
        dict.fromkeys((f"buffers.ports.{key}.cable_length_m" for key in ("63", "64")), 5),
    ),
    "another threshold of the lossless partition": (
        "lossless dynamic-threshold 7\n",
        "lossless dynamic-threshold 3\n",
        {"buffers.profiles.lossless.alpha": Fraction(1, 16)},
    ),
    "a shaper on a port": (
        "set class-of-service interfaces et-0/0/63 scheduler-map PORT-800G\n",
        "set class-of-service interfaces et-0/0/63 scheduler-map PORT-800G\n"
        "set class-of-service interfaces et-0/0/63 shaping-rate 100g\n",
        {"qos.ports.64.shaper": "100g"},
    ),
    "a rewrite rule on a port": (
        "set class-of-service interfaces et-0/0/63 scheduler-map PORT-800G\n",
        "set class-of-service interfaces et-0/0/63 scheduler-map PORT-800G\n"
        "set class-of-service interfaces et-0/0/63 unit 0 rewrite-rules dscp SITE\n",
        {"qos.ports.64.rewrite": "SITE"},
    ),
    "no equal paths in the chip": (
        "set routing-options forwarding-table export PFE-LB\n",
        "",
        {"bgp.maximum_paths": 1},
    ),
    "a policy without the one for what is our own": (
        "set protocols bgp group FABRIC export ( ORIGINATE && FABRIC-OUT )\n",
        "set protocols bgp group FABRIC export FABRIC-OUT\n",
        dict.fromkeys((f"bgp.neighbors.{key}.export_policy" for key in ("61", "62", "63", "64")), "FABRIC-OUT alone"),
    ),
    "an MTU of IP of its own": (
        "set interfaces et-0/0/63 unit 0 family inet\n",
        "set interfaces et-0/0/63 unit 0 family inet mtu 9000\n",
        {"ports.64.mtu_bytes": 9000},
    ),
    "four sub-ports": (
        "set interfaces et-0/0/0 number-of-sub-ports 2\n",
        "set interfaces et-0/0/0 number-of-sub-ports 4\n",
        {"ports.1/1.breakout": "4x"},
    ),
    "a partition of another name": (
        "egress buffer-partition lossy percent 10\n",
        "egress buffer-partition losy percent 10\n",
        {"buffers.pools.egress_lossy_pool": ABSENT},
    ),
}


@pytest.mark.parametrize(("old", "new", "leaves"), BREAKS.values(), ids=BREAKS)
def test_what_somebody_changes_is_seen_where_it_is(old: str, new: str, leaves: dict[str, object]) -> None:
    found = changed(old, new)
    assert {path: found.get(path) for path in leaves} == leaves
    extra = {path for path in found if path not in leaves}
    assert all("losy" in path for path in extra), extra


def test_a_bare_watchdog_takes_the_defaults() -> None:
    text = (
        "set class-of-service congestion-notification-profile P pfc-watchdog\n"
        "set class-of-service congestion-notification-profile P output ieee-802.1 code-point 011 flow-control-queue 3\n"
        "set class-of-service interfaces et-0/0/0 congestion-notification-profile P\n"
    )
    assert (qos(text).ports or {})["1"].watchdog == Watchdog(detect_ms=200, restore_ms=200, action="drop")
    assert qos(text).watchdog_poll_ms == 100


def test_a_name_of_an_interface_goes_before_a_pattern() -> None:
    text = (
        "set interfaces et-0/0/0 mtu 9216\nset interfaces et-0/0/1 mtu 9216\n"
        "set class-of-service interfaces et-* unit * classifiers dscp A\n"
        "set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp B\n"
    )
    assert {key: port.dscp_to_tc for key, port in (qos(text).ports or {}).items()} == {"1": "A", "2": "B"}


def test_code_points_have_names_and_classes_have_defaults() -> None:
    text = (
        "set class-of-service classifiers dscp A forwarding-class no-loss loss-priority low code-points [ af31 cs3 ]\n"
        "set class-of-service classifiers dscp A forwarding-class network-control loss-priority low code-points nc1\n"
        "set class-of-service classifiers dscp A forwarding-class fcoe loss-priority low code-points [ mine unknown ]\n"
        "set class-of-service code-point-aliases dscp mine 000111\n"
    )
    row = (qos(text).dscp_to_tc or {})["A"]
    assert {dscp: queue for dscp, queue in row.items() if queue} == {26: 4, 24: 4, 48: 7, 7: 3}


def test_a_policy_that_is_a_set_of_prefixes_in_any_spelling() -> None:
    text = """\
set policy-options policy-statement P term A from route-filter 10.0.0.0/8 exact
set policy-options policy-statement P term A from route-filter 10.1.0.0/16 orlonger
set policy-options policy-statement P term A from route-filter 10.2.0.0/16 upto /24
set policy-options policy-statement P term A from route-filter 10.3.0.0/16 prefix-length-range /16-/28
set policy-options policy-statement P term A then accept
set policy-options policy-statement P then reject
"""
    rules = {("10.0.0.0/8", 8), ("10.1.0.0/16", 32), ("10.2.0.0/16", 24), ("10.3.0.0/16", 28)}
    assert bgp(text).policies == {"P": Policy(permits=frozenset(PolicyRule(prefix=p, up_to=u) for p, u in rules))}
    assert bgp(text).unmodelled == frozenset()


@pytest.mark.parametrize(
    "line",
    [
        "set policy-options policy-statement P term A from route-filter 10.3.0.0/16 prefix-length-range /20-/28",
        "set policy-options policy-statement P term A from route-filter 10.3.0.0/16 longer",
        "set policy-options policy-statement P term A from community C",
        "set policy-options policy-statement P term A then local-preference 200",
        "set policy-options policy-statement P then accept",
    ],
)
def test_a_policy_that_is_more_than_that_is_what_no_leaf_stands_for(line: str) -> None:
    text = f"""\
{line}
set policy-options policy-statement P term A from route-filter 10.0.0.0/8 exact
set policy-options policy-statement P term A then accept
set policy-options policy-statement P term REST then reject
"""
    found = bgp(text)
    assert found.policies == {}
    assert isinstance(found.unmodelled, frozenset)
    assert line in found.unmodelled


def test_a_policy_without_an_end_is_not_taken_for_one_that_refuses_the_rest() -> None:
    text = (
        "set policy-options policy-statement P term A from route-filter 10.0.0.0/8 exact\n"
        "set policy-options policy-statement P term A then accept\n"
    )
    assert bgp(text).policies == {}


def test_settings_are_those_of_the_neighbor_or_else_of_its_group_or_else_of_all() -> None:
    text = """\
set routing-options autonomous-system 64512.10
set protocols bgp family inet unicast
set protocols bgp group G type external
set protocols bgp group G peer-as 65001
set protocols bgp group G import ALL
set protocols bgp group G neighbor 192.0.2.1
set protocols bgp group G neighbor FD00::1 peer-as 65002
set protocols bgp group G neighbor FD00::1 import OWN
set protocols bgp group G neighbor FD00::1 family inet6 unicast loops 3
set protocols bgp group I type internal
set protocols bgp group I neighbor 192.0.2.9
"""
    found = bgp(text)
    assert found.asn == 64_512 * 65_536 + 10  # field case A12
    neighbors = found.neighbors or {}
    assert set(neighbors) == {"192.0.2.1", "fd00::1", "192.0.2.9"}  # field case A16
    assert neighbors["192.0.2.1"] == BgpNeighbor(
        vrf="default",
        remote="65001",
        import_policy="ALL",
        export_policy=ABSENT,
        families=frozenset({"ipv4"}),
        allowas_in={},
    )
    assert (neighbors["fd00::1"].remote, neighbors["fd00::1"].import_policy) == ("65002", "OWN")
    assert neighbors["fd00::1"].allowas_in == {"ipv6": 2}
    assert neighbors["192.0.2.9"].remote == "internal"


def test_hold_times_that_differ_are_not_hidden_by_those_that_do_not() -> None:
    text = "set protocols bgp hold-time 9\nset protocols bgp group A type external\n"
    text += "set protocols bgp group B hold-time 90\n"
    assert bgp(text).hold_s == 90
    assert bgp("set protocols bgp group A hold-time 9\n").hold_s == 9
    assert bgp("").hold_s == 90


def test_a_port_in_a_vrf_is_found_by_the_router_advertisements_of_the_switch() -> None:
    """Routing instances have no router advertisements of their own (J2, junos-conf-routing-instances.yang)."""
    held = with_leaf(junos.quantize(devices("junos")[2]), ("interfaces", "1/1", "link_local"), True)
    text = render(held)["junos.conf"]
    assert "set protocols router-advertisement interface et-0/0/0:0.0\n" in text
    assert "set routing-instances storage interface et-0/0/0:0.0\n" in text
    assert (read(text).interfaces or {})["1/1"].link_local is True


def test_the_management_instance_is_none_of_ours() -> None:
    device = read("set routing-instances mgmt_junos description management\nset system management-instance\n")
    assert device.vrfs == frozenset()


def test_interfaces_of_management_and_aggregates_are_none_of_ours() -> None:
    device = read(
        "set interfaces re0:mgmt-0 unit 0 family inet address 192.0.2.1/24\n"
        "set interfaces em0 unit 0 family inet address 192.0.2.2/24\n"
        "set interfaces lo0 unit 0 family inet filter input PROTECT\n"
        "set interfaces et-0/0/0 unit 0 family inet address 10.0.0.300/24\n"
    )
    assert set(device.interfaces or {}) == {"Loopback0", "1"}
    assert (device.interfaces or {})["1"].addresses == frozenset({"10.0.0.300/24"})
    assert list(device.ports or {}) == ["1"]


def test_lines_of_the_site_are_known_by_their_group_and_read_as_they_were_written() -> None:
    raw = '# ntp\nset system ntp server 192.0.2.123\nset system login message "no entry"\n'
    held = junos.quantize(devices("junos")[0])
    assert held.bgp is not None
    wanted = with_leaf(held, ("bgp", "unmodelled"), junos.raw_lines(raw))
    assert wanted.bgp is not None
    device = replace(wanted, bgp=replace(wanted.bgp, raw=raw))
    text = render(device)["junos.conf"]
    assert "set groups netaudit-raw system ntp server 192.0.2.123\n" in text
    assert text.endswith("set apply-groups netaudit-raw\n")
    assert bgp(text).unmodelled == junos.raw_lines(raw)
    assert bgp(text).unmodelled == frozenset(
        {"set system ntp server 192.0.2.123", 'set system login message "no entry"'}
    )


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("system ntp server 192.0.2.1", "no set line"),
        ("delete system ntp", "no set line"),
        ("set protocols bgp group X type external", "bgp"),
        ("set class-of-service schedulers X priority low", "qos"),
        ("set interfaces et-0/0/1 unit 0 family inet address 10.0.0.1/31", "addressing"),
        ("set groups X system ntp server 192.0.2.1", "group"),
        ('set system login message "no end', "quote"),
    ],
)
def test_a_line_of_the_site_may_not_touch_what_is_ours(line: str, word: str) -> None:
    (number, wrong, hint), *more = junos.raw_problems(f"# notes\n{line}\n", ("bgp", "qos", "addressing"))
    assert (number, more) == (2, [])
    assert word in wrong
    assert hint


def test_a_line_of_the_site_that_is_of_no_area_of_ours_may_stand() -> None:
    text = "set system ntp server 192.0.2.1\nset interfaces re0:mgmt-0 unit 0 family inet dhcp\n"
    assert list(junos.raw_problems(text, ("bgp", "qos", "addressing", "ports"))) == []


def test_a_description_with_quotes_is_read_back() -> None:
    held = with_leaf(junos.quantize(devices("junos")[0]), ("ports", "64", "description"), 'the "old" \\ one; {x}')
    assert (read(render(held)["junos.conf"]).ports or {})["64"].description == 'the "old" \\ one; {x}'


def test_nothing_is_bound_and_nothing_is_there_of_an_empty_configuration() -> None:
    device = read("")
    assert (device.ports, device.interfaces, device.vlans) == ({}, {}, {})
    assert device.buffers == Buffers(pools={}, profiles={}, ports={})
    assert device.qos is not None
    assert device.qos.ports == {}
    assert device.lldp is not None
    assert device.lldp.enabled is False


def test_a_pattern_that_binds_nothing_is_no_port() -> None:
    assert qos("set class-of-service interfaces et-* scheduler-map M\n").ports == {}
