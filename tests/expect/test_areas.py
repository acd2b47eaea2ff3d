"""The class chain, headroom, pools, ECN, the watchdog, ports and addresses: what each decision comes to, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from audit.world import audited, told, two_plane
from fabric.made import fabric
from intent.example import small

from netaudit.expect import Expected
from netaudit.state import ABSENT, Buffers, Device, Failures, LldpNeighbor, Marking, PortQos, Qos, Store
from netaudit.state.walk import Path as Path_
from netaudit.state.walk import differences, leaves, names

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"


def of(expected: Expected | None = None, name: str = LEAF) -> Device:
    return (expected or two_plane()).device(name)


def qos_of(device: Device) -> Qos:
    assert device.qos is not None
    return device.qos


def buffers_of(device: Device) -> Buffers:
    assert device.buffers is not None
    return device.buffers


def intent(**changes: str) -> Expected:
    return Expected(fabric(small(**changes)))


# --- the chain DSCP → traffic class → queue and priority group → PFC


def test_roce_goes_to_its_lossless_class_cnp_to_its_own_and_all_else_to_the_default() -> None:
    """All 64 values: an unlisted one would fall to the chip's default (sonic.md section 2)."""
    maps = qos_of(of()).dscp_to_tc
    assert maps == {"ROCE": {dscp: {26: 3, 48: 6}.get(dscp, 0) for dscp in range(64)}}


def test_only_the_lossless_class_has_a_priority_group_of_its_own() -> None:
    qos = qos_of(of())
    assert qos.tc_to_queue == {"ROCE": {tc: tc for tc in range(8)}}
    assert qos.tc_to_pg == {"ROCE": {tc: 3 if tc == 3 else 0 for tc in range(8)}}
    assert qos.pfc_to_queue == {"ROCE": {priority: priority for priority in range(8)}}
    assert qos.pfc_to_pg == {"ROCE": {3: 3}}, "NVIDIA chips only (sonic.md section 2)"


def test_pfc_and_its_watchdog_are_on_exactly_the_lossless_priorities() -> None:
    for port in (qos_of(of()).ports or {}).values():
        assert (port.pfc, port.watched) == ({3}, {3})


TWO_CLASSES = (
    "{roce: {dscp: [26], priority: 3, lossless: true, share: 40%, ecn: auto}, "
    "storage: {dscp: [10, 12], priority: 4, lossless: true, share: 20%, ecn: auto}, "
    "control: {dscp: [48], queue: 6, strict: true, cap: 5%}, default: {share: 40%}}"
)


def test_two_lossless_classes_share_one_key_of_priority_groups() -> None:
    """buffermgrd merges 3 and 4 to `3-4`; a row keyed otherwise would stay beside its own (sonic.md section 3)."""
    device = of(intent(traffic=TWO_CLASSES))
    port, buffers = (qos_of(device).ports or {})["64"], (buffers_of(device).ports or {})["64"]
    assert (port.pfc, port.watched) == ({3, 4}, {3, 4})
    assert buffers.groups == {"0": "ingress_lossy_profile", "3-4": "pg_lossless_800000_40m_profile"}
    assert [qos_of(device).dscp_to_tc["ROCE"][dscp] for dscp in (10, 12, 26, 48, 0)] == [4, 4, 3, 6, 0]  # type: ignore[index]


def test_a_class_may_have_another_queue_than_its_priority() -> None:
    traffic = (
        "{roce: {dscp: [26], priority: 3, queue: 5, lossless: true, share: 60%}, "
        "control: {dscp: [48], queue: 6, strict: true, cap: 5%}, default: {share: 40%}}"
    )
    qos = qos_of(of(intent(traffic=traffic)))
    assert qos.dscp_to_tc["ROCE"][26] == 5  # type: ignore[index]
    assert qos.tc_to_pg["ROCE"][5] == 3  # type: ignore[index]
    assert qos.pfc_to_queue["ROCE"][3] == 5  # type: ignore[index]
    assert (qos.ports or {})["64"].pfc == {3}


def test_without_a_lossless_class_there_is_no_pfc_no_headroom_and_no_watchdog() -> None:
    device = of(intent(traffic="{control: {dscp: [48], queue: 6, strict: true, cap: 5%}, default: {share: 100%}}"))
    port: PortQos = (qos_of(device).ports or {})["64"]
    assert (port.pfc, port.watched, port.watchdog, port.pfc_to_pg) == (frozenset(), frozenset(), ABSENT, ABSENT)
    assert (buffers_of(device).ports or {})["64"].groups == {"0": "ingress_lossy_profile"}


def test_weights_are_the_shares_and_a_strict_class_is_capped_at_each_speed() -> None:
    """5 % of 400 Gb/s is 20 Gb/s, 2.5 GB/s; of 800 Gb/s twice that."""
    schedulers = qos_of(of()).schedulers or {}
    assert {name: (s.kind, s.weight, s.cap_bytes_per_s) for name, s in schedulers.items()} == {
        "ROCE": ("dwrr", 60, ABSENT),
        "DEFAULT": ("dwrr", 40, ABSENT),
        "CONTROL-400G": ("strict", ABSENT, 2_500_000_000),
        "CONTROL-800G": ("strict", ABSENT, 5_000_000_000),
    }
    queues = (qos_of(of()).ports or {})["64"].queues or {}
    assert {n: (q.scheduler, q.wred) for n, q in queues.items()} == {
        "0": ("DEFAULT", ABSENT),
        "3": ("ROCE", "ROCE-800G"),
        "6": ("CONTROL-800G", ABSENT),
    }


def test_the_watchdog_is_that_of_the_intent_and_polls_as_often_as_it_must_detect() -> None:
    qos = qos_of(of())
    for port in (qos.ports or {}).values():
        dog = port.watchdog
        assert not isinstance(dog, type(ABSENT))
        assert dog is not None
        assert (dog.detect_ms, dog.restore_ms, dog.action) == (200, 400, "drop")
    assert qos.watchdog_poll_ms == 200
    assert qos_of(of(intent(pfc="{watchdog: {detect: 400ms, restore: 400ms}}"))).watchdog_poll_ms == 200
    assert qos_of(of(intent(pfc="{watchdog: {detect: 100ms, restore: 400ms}}"))).watchdog_poll_ms == 100


def test_spare_ports_are_bound_to_nothing_and_cost_nothing() -> None:
    """DESIGN.md, rule 12: admin down, no headroom."""
    device = of()
    used = {"1/1", "1/2", "2/1", "2/2", "61", "62", "63", "64"}
    assert set(qos_of(device).ports or {}) == used == set(buffers_of(device).ports or {})
    assert {key for key, port in (device.ports or {}).items() if port.enabled} == used
    assert {key for key, port in (device.ports or {}).items() if port.oper_up} == used


# --- ECN


def test_ecn_thresholds_are_the_rule_of_the_book_in_whole_cells() -> None:
    """RTT0 = 2 × 86 m × 5 ns + 2 × 3 × 0.8 µs + 3 µs = 8.66 µs. 400G: 433,000 B → 2,256 cells of 192; Kmax 4 Kmin.

    800G: Kmin 866,000 B; Kmax is 0.8 × E1 of the smaller pool, 52,161,690 / (8 × 2) = 3,260,105 B (ecn.md section 5).
    """
    marks = {name: (w.ecn, set((w.colours or {}).values())) for name, w in (qos_of(of()).wred or {}).items()}
    slow = Marking(kmin_bytes=2_256 * 192, kmax_bytes=9_020 * 192, pmax_percent=100)
    fast = Marking(kmin_bytes=4_511 * 192, kmax_bytes=13_583 * 192, pmax_percent=100)
    assert marks == {"ROCE-400G": (True, {slow}), "ROCE-800G": (True, {fast})}
    assert (433_000 // 192 + 1, int(0.8 * 52_161_690 / 16) // 192) == (2_256, 13_583)


def test_all_colours_and_both_ends_of_a_link_mark_alike() -> None:
    """ecn.md V7 and V8; the pools of leaf and spine differ, the thresholds do not."""
    leaf, spine = (qos_of(of(name=name)).wred or {} for name in (LEAF, SPINE))
    assert leaf["ROCE-800G"] == spine["ROCE-800G"]
    assert set(leaf["ROCE-800G"].colours or {}) == {"green", "yellow", "red"}


def test_thresholds_that_are_given_are_taken() -> None:
    traffic = (
        "{roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: {kmin: 150kB, kmax: 1500kB, pmax: 7%}}, "
        "control: {dscp: [48], queue: 6, strict: true, cap: 5%}, default: {share: 40%}}"
    )
    wred = qos_of(of(intent(traffic=traffic))).wred or {}
    assert {m for w in wred.values() for m in (w.colours or {}).values()} == {
        Marking(kmin_bytes=150_000, kmax_bytes=1_500_000, pmax_percent=7)
    }


# --- headroom


PUBLISHED: Mapping[tuple[str, str], tuple[str, int, int, int]] = {
    # (kind of cable, its length) → profile, xon, xoff, size: pg_profile_lookup.ini of ACS-SN5600 (sonic.md section 3).
    # At 800G some sizes are 1,024 B short of xon + xoff + 9,216, as published.
    ("host-leaf", "3m dac"): ("pg_lossless_400000_5m_profile", 19_456, 231_424, 250_880),
    ("host-leaf", "5m aoc"): ("pg_lossless_400000_5m_profile", 19_456, 231_424, 250_880),
    ("host-leaf", "6m aoc"): ("pg_lossless_400000_40m_profile", 19_456, 283_648, 303_104),
    ("host-leaf", "300m dr4"): ("pg_lossless_400000_300m_profile", 19_456, 677_888, 697_344),
    ("leaf-spine", "5m dr8"): ("pg_lossless_800000_5m_profile", 38_912, 257_024, 304_128),
    ("leaf-spine", "40m dr8"): ("pg_lossless_800000_40m_profile", 38_912, 362_496, 410_624),
    ("leaf-spine", "41m dr8"): ("pg_lossless_800000_300m_profile", 38_912, 1_150_976, 1_198_080),
}


@pytest.mark.parametrize(("cable", "wanted"), PUBLISHED.items(), ids=map(" ".join, PUBLISHED))
def test_published_headroom_is_the_next_row_that_covers_the_cable(
    cable: tuple[str, str], wanted: tuple[str, int, int, int]
) -> None:
    kind, length = cable
    cables = {"host-leaf": "3m dac", "leaf-spine": "40m dr8", kind: length}
    device = of(intent(cables="{" + ", ".join(f"{k}: {v}" for k, v in cables.items()) + "}"))
    port = (buffers_of(device).ports or {})["1/1" if kind == "host-leaf" else "64"]
    name, xon, xoff, size = wanted
    profile = (buffers_of(device).profiles or {})[name]
    assert port.groups == {"0": "ingress_lossy_profile", "3": name}
    assert (profile.xon_bytes, profile.xoff_bytes, profile.size_bytes, profile.alpha) == (xon, xoff, size, Fraction(1))
    assert port.cable_length_m == int(name.split("_")[3].removesuffix("m")), "what buffermgrd looks the row up by"


def test_a_measured_length_wins_over_its_class_on_both_ends() -> None:
    """40 m is the class; one cable is 41 m, and needs the next row at both its ends (HDR-08)."""
    measured = "a,b,length\na-su1-r1-leaf:64,a-spine1:1,41m\n"
    expected = Expected(
        fabric(small(cables="{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}"), cables=measured)
    )
    lengths = {
        (name, key): port.cable_length_m
        for name in (LEAF, SPINE)
        for key, port in (buffers_of(of(expected, name)).ports or {}).items()
    }
    assert {where for where, length in lengths.items() if length == 300} == {(LEAF, "64"), (SPINE, "1")}


COMPUTED = {"5m aoc": 231_424, "40m dr4": 283_648, "300m dr4": 677_888}
"""Worst-case packets give the published rows of ACS-SN5600 to the byte (sonic.md section 4)."""


@pytest.mark.parametrize(("cable", "xoff"), COMPUTED.items())
def test_computed_headroom_is_for_the_real_length_under_its_name(cable: str, xoff: int) -> None:
    policy = "{shallow: {alpha: 1, headroom: computed, packets: worst-case}}"
    expected = intent(cables=f"{{host-leaf: {cable}, leaf-spine: 40m dr8}}", buffers=policy)
    metres = cable.partition("m")[0]
    profile = (buffers_of(of(expected)).profiles or {})[f"pg_lossless_400000_{metres}m_profile"]
    assert (profile.xoff_bytes, profile.xon_offset_bytes) == (xoff, ABSENT)


def test_computed_headroom_of_three_metres_is_less_than_that_of_the_row_of_five() -> None:
    expected = intent(buffers="{shallow: {alpha: 1, headroom: computed, packets: worst-case}}")
    profile = (buffers_of(of(expected)).profiles or {})["pg_lossless_400000_3m_profile"]
    assert isinstance(profile.xoff_bytes, int)
    assert 220_000 < profile.xoff_bytes < 231_424


def test_pools_are_those_of_the_tier_and_all_are_dynamic() -> None:
    """ACS-SN5600: t0 67,737,959 B for a leaf, t1 52,161,690 B for a spine, egress 158,229,504 B (buffer_pools.csv)."""
    sizes = {
        name: {pool: p.size_bytes for pool, p in (buffers_of(of(name=name)).pools or {}).items()}
        for name in (LEAF, SPINE)
    }
    assert sizes[LEAF]["ingress_lossless_pool"] == 67_737_959
    assert sizes[SPINE]["ingress_lossless_pool"] == 52_161_690
    assert {s["egress_lossless_pool"] for s in sizes.values()} == {158_229_504}
    for pool in (buffers_of(of()).pools or {}).values():
        assert (pool.dynamic, pool.shared_headroom_bytes) == (True, ABSENT)


def test_alpha_is_that_of_the_policy() -> None:
    for text, alpha in (("1/4", Fraction(1, 4)), ("8", Fraction(8))):
        expected = intent(buffers=f"{{shallow: {{alpha: {text}, headroom: published}}}}")
        profile = (buffers_of(of(expected)).profiles or {})["pg_lossless_800000_40m_profile"]
        assert profile.alpha == alpha


def test_every_profile_that_a_port_names_is_there_and_its_pool_too() -> None:
    for name in (LEAF, SPINE):
        buffers = buffers_of(of(name=name))
        for port in (buffers.ports or {}).values():
            assert isinstance(port.ingress, tuple)
            assert isinstance(port.egress, tuple)
            named = {*(port.groups or {}).values(), *(port.queues or {}).values(), *port.ingress, *port.egress}
            assert named <= set(buffers.profiles or {})
        assert {p.pool for p in (buffers.profiles or {}).values()} <= set(buffers.pools or {})


# --- ports, addresses, LLDP


def test_a_used_port_is_up_and_says_where_it_leads() -> None:
    ports = of().ports or {}
    up, host, spare = ports["64"], ports["1/1"], ports["20"]
    assert (up.speed_mbps, up.fec, up.mtu_bytes, up.autoneg, up.description) == (
        800_000,
        "rs",
        9216,
        False,
        "to a-spine1:1",
    )
    assert (host.speed_mbps, len(host.lanes or ()), host.autoneg) == (400_000, 4, None), "copper is left as it is"  # type: ignore[arg-type]
    assert (spare.enabled, spare.oper_up, spare.description, spare.autoneg) == (False, False, ABSENT, None)


def test_a_breakout_stands_on_the_first_port_of_its_cage() -> None:
    ports = of().ports or {}
    assert str(ports["1/1"].breakout).startswith("2x400G[")
    assert ports["1/2"].breakout is None
    assert str(ports["64"].breakout).startswith("1x800G[")


def test_interfaces_are_the_loopback_the_host_links_and_link_local_uplinks() -> None:
    found = {key: (i.addresses, i.link_local) for key, i in (of().interfaces or {}).items()}
    assert found == {
        "Loopback0": ({"10.255.0.1/32", "fd00:ff::1/128"}, None),
        "1/1": ({"10.0.0.0/31"}, False),
        "1/2": ({"10.0.0.2/31"}, False),
        "2/1": ({"10.0.0.4/31"}, False),
        "2/2": ({"10.0.0.6/31"}, False),
        **{key: (frozenset(), True) for key in ("61", "62", "63", "64")},
    }


def test_facts_of_a_box_come_from_devices_csv_and_are_not_invented() -> None:
    system = of().system
    bare = of(intent()).system
    assert system is not None
    assert bare is not None
    assert (system.serial, system.mac, system.hwsku) == ("MT2434X00101", "02:00:00:00:01:01", "ACS-SN5600")
    assert (bare.serial, bare.mac, bare.hwsku, bare.hardware) == (None, None, None, None)
    assert (system.tier, (of(name=SPINE).system or system).tier) == (0, 1)


NEIGHBORS = {
    ("a-spine1", "etp1"): ("a-spine1", "1"),
    ("a-spine1", "Ethernet0"): ("a-spine1", "1"),
    ("a-spine1.fabric.example.net", "Ethernet8"): ("a-spine1", "2"),
    ("a-su1-r1-leaf", "etp1b"): ("a-su1-r1-leaf", "1/2"),
    ("a-spine1", "mgmt0"): ("a-spine1", "mgmt0"),
    ("su1-h1", "nic2p1"): ("su1-h1", "r2/a"),
    ("su1-h1", "nic4p2"): ("su1-h1", "r4/b"),
    ("su1-h1", "nic1p3"): ("su1-h1", None),
    ("su1-h1", "0c:42:a1:00:00:01"): ("su1-h1", None),
    ("su1-h1.gpu.example.net", "nic1p1"): ("su1-h1", "r1/a"),
    ("printer", "1"): None,
    ("", ""): None,
}


@pytest.mark.parametrize(("heard", "wanted"), NEIGHBORS.items(), ids=map(" ".join, NEIGHBORS))
def test_a_neighbor_is_known_by_what_it_sends(heard: tuple[str, str], wanted: tuple[str, str | None] | None) -> None:
    assert two_plane().neighbor(*heard) == wanted


# --- overrides


def overridden(where: str, setting: str) -> Expected:
    return intent(overrides=f'[{{where: "{where}", set: {{{setting}}}, reason: CHG-1}}]')


def fields(expected: Expected, name: str) -> dict[str, dict[str, object]]:
    """Port → what of it is not as without any override."""
    plain = (of(intent(), name).ports or {}).items()
    there = of(expected, name).ports or {}
    return {
        key: found for key, port in plain if (found := {d.field: d.expected for d in differences(there[key], port)})
    }


def test_a_speed_holds_at_both_ends_and_takes_its_profiles_with_it() -> None:
    expected = overridden("a-su1-r1-leaf:64", "speed: 400G")
    assert fields(expected, LEAF) == {"64": {"speed_mbps": 400_000}}
    assert fields(expected, SPINE) == {"1": {"speed_mbps": 400_000}}
    for name, port in ((LEAF, "64"), (SPINE, "1")):
        device = of(expected, name)
        assert (buffers_of(device).ports or {})[port].groups["3"] == "pg_lossless_400000_40m_profile"  # type: ignore[index]
        assert ((qos_of(device).ports or {})[port].queues or {})["3"].wred == "ROCE-400G"
        assert "ROCE-400G" in (qos_of(device).wred or {})


def test_an_mtu_holds_where_it_is_said() -> None:
    expected = overridden("a-su1-r1-leaf:64", "mtu: 1500")
    assert fields(expected, LEAF) == {"64": {"mtu_bytes": 1500}}
    assert fields(expected, SPINE) == {}


def test_a_where_may_name_many_ports() -> None:
    expected = overridden("role=spine plane=b", "mtu: 9000")
    assert fields(expected, "b-spine1").keys() == (of(expected, "b-spine1").ports or {}).keys()
    assert fields(expected, "a-spine1") == fields(expected, "b-su1-r1-leaf") == {}


def test_a_port_that_is_switched_off_takes_its_link_out_of_the_plan() -> None:
    """Admin down at one end, down at both; no session and no neighbor is missed, and no route through it."""
    expected = overridden("a-su1-r1-leaf:64", "enabled: false")
    leaf, spine = of(expected), of(expected, SPINE)
    assert ((leaf.ports or {})["64"].enabled, (leaf.ports or {})["64"].oper_up) == (False, False)
    assert ((spine.ports or {})["1"].enabled, (spine.ports or {})["1"].oper_up) == (True, False)
    for device, port in ((leaf, "64"), (spine, "1")):
        assert device.bgp is not None
        neighbor = (device.bgp.neighbors or {})[port]
        assert (neighbor.session, neighbor.remote_asn, neighbor.remote) == (None, None, "external")
        assert device.lldp is not None
        assert not isinstance((device.lldp.neighbors or {}).get(port), LldpNeighbor)
    routes = expected.routes(LEAF, Failures())
    assert all("64" not in route.hops for route in routes.values())
    assert routes["default", "10.255.0.2/32"].hops == {"63"}


def test_an_audit_of_a_fabric_with_a_port_switched_off_has_no_finding() -> None:
    result = audited(expected=overridden("a-su1-r1-leaf:64", "enabled: false"))
    assert (told(result), result.not_audited) == ([], ())


def test_the_last_override_wins() -> None:
    text = (
        '[{where: "a-su1-r1-leaf", set: {mtu: 9000}, reason: CHG-1}, '
        '{where: "a-su1-r1-leaf:64", set: {mtu: 1500}, reason: CHG-2}]'
    )
    ports = of(intent(overrides=text)).ports or {}
    assert (ports["64"].mtu_bytes, ports["63"].mtu_bytes) == (1500, 9000)


# --- what is ours


AREAS = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")


@pytest.mark.parametrize("area", AREAS)
def test_an_area_that_is_not_ours_is_not_expected_anywhere(area: str) -> None:
    """Every leaf that goes is not managed, never absent; links, sessions and routes are audited in any case."""
    mine = ", ".join(a for a in AREAS if a != area)
    whole, less = of(intent()), of(intent(owns=f"[{mine}]"))
    gone = {path for path, _ in leaves(whole)} - {path for path, _ in leaves(less)}
    assert gone
    assert dict(leaves(less)).items() <= dict(leaves(whole)).items()
    kept = {".".join(path) for path, _ in leaves(less)}
    for audited_in_any_case in (
        "ports.64.oper_up",
        "ports.64.native",
        "bgp.neighbors.64.session",
        "bgp.neighbors.64.remote_asn",
        "bgp.asn",
        "lldp.neighbors.64.system",
        "system.hostname",
    ):
        assert audited_in_any_case in kept


def test_every_leaf_that_is_pushed_belongs_to_one_area() -> None:
    """With no area at all, only facts, links, sessions and neighbors are expected."""
    none = of(intent(owns="[]"))
    kept = {".".join("*" if part[:1].isdigit() else part for part in path) for path, _ in leaves(none)}
    assert kept == {
        "name",
        "platform",
        "system.hostname",
        "ports.*.native",
        "ports.*.oper_up",
        "ports.*.cable_m",
        "bgp.asn",
        "bgp.neighbors.*.remote_asn",
        "bgp.neighbors.*.session",
        "lldp.neighbors.*.system",
        "lldp.neighbors.*.port",
    }


def test_all_is_every_area() -> None:
    assert of(intent(owns="[all]")) == of(intent())


# --- where a value comes from


def origins(tree: object, origin: Mapping[str, str] | None = None, at: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """(leaf, what the nearest origin above it says of it)"""
    if is_dataclass(tree) and not isinstance(tree, type):
        origin = getattr(tree, "origin", None) or origin
        for name in names(type(tree)):
            yield from origins(getattr(tree, name), origin, (*at, name))
    elif isinstance(tree, Mapping) and tree:
        for key, value in tree.items():
            yield from origins(value, origin, (*at, str(key)))
    elif tree is not None:
        told = [(origin or {}).get(part, "") for part in reversed(at)]
        yield at, next(filter(None, told), "")


@pytest.mark.parametrize("name", [LEAF, SPINE])
def test_every_leaf_says_where_it_comes_from(name: str) -> None:
    """An intent path or a formula, so that a finding ends with the line that asks for it."""
    unexplained = {
        ".".join("*" if part[:1].isdigit() else part for part in path)
        for path, told in origins(of(name=name))
        if not told and path[0] not in ("name", "platform")
    }
    assert unexplained == set()


def test_the_line_of_a_value_is_the_one_that_asks_for_it() -> None:
    expected = two_plane()
    port = (expected.device(LEAF).ports or {})["64"]
    source = expected.source(port.origin, "mtu_bytes")
    assert source is not None
    assert Path(source.file).read_text(encoding="utf-8").splitlines()[source.line - 1].startswith("mtu:")
    assert expected.derivation(port.origin, "mtu_bytes") == "mtu.port"
    assert expected.derivation(port.origin, "lanes") == "hardware catalogue"
    assert expected.source(port.origin, "lanes") is None


def test_a_default_says_so() -> None:
    expected = intent()
    port = (expected.device(LEAF).ports or {})["64"]
    assert expected.derivation(port.origin, "mtu_bytes") == "mtu.port (default)"


def test_what_is_asked_and_held_is_the_platforms() -> None:
    expected = two_plane()
    assert expected.asked(LEAF, Store.RUNNING, ("ports", "64", "mtu_bytes")) == "gNMI CONFIG_DB PORT"
    assert expected.held(LEAF, Store.STATE) is not False
    assert [spot.what for spot in expected.blind_spots(LEAF)][-1] == "NIC side of hosts"
