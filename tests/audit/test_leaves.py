"""Any single value that is otherwise is exactly one finding, of the rule that names it, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from intent.example import small
from platforms.nudge import one_of_each, other, shape

from audit.world import (
    Fault,
    appearing,
    audited,
    changed,
    concluded,
    healthy,
    held_part,
    setting,
    told,
    two_plane,
    vanished,
)
from netaudit.audit.rules import GENERIC, by_id, for_path
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.state import ABSENT, Device, Store
from netaudit.state.walk import Path as LeafPath
from netaudit.state.walk import dotted, leaves, matches

LEAF = "a-su1-r1-leaf"

RULES = {
    "system.hostname": "MGT-08",
    "system.mac": "MGT-08",
    "system.hwsku": "MGT-07",
    "system.hardware": "MGT-07",
    "system.tier": "MGT-07",
    "system.asn": "BGP-02",
    "system.own_routing_files": "BGP-12",
    "system.routing_rows": "BGP-12",
    "ports.*.native": "INT-08",
    "ports.*.alias": "INT-08",
    "ports.*.description": "INT-08",
    "ports.*.enabled": "INT-01",
    "ports.*.speed_mbps": "INT-02",
    "ports.*.lanes": "INT-02",
    "ports.*.breakout": "INT-02",
    "ports.*.fec": "INT-03",
    "ports.*.mtu_bytes": "INT-04",
    "ports.*.autoneg": "INT-05",
    "ports.*.pfc_asymmetric": "PFC-05",
    "interfaces.*.link_local": "ADR-03",
    "interfaces.*.vrf": "ADR-09",
    "interfaces": "ADR-01",
    "vlans.*.members": "ADR-07",
    "vlans.*.tagged": "ADR-07",
    "bgp.asn": "BGP-02",
    "bgp.discards": "ADR-04",
    "bgp.keepalive_s": "BGP-06",
    "bgp.hold_s": "BGP-06",
    "bgp.maximum_paths": "BGP-07",
    "bgp.multipath_relax": "BGP-07",
    "bgp.neighbors.*.import_policy": "BGP-11",
    "bgp.neighbors.*.export_policy": "BGP-11",
    "bgp.neighbors.*.vrf": "ADR-09",
    "bgp.neighbors": "BGP-05",
    "bgp": "BGP-11",
    "qos.dscp_to_tc": "QOS-02",
    "qos.switch_dscp_to_tc": "QOS-02",
    "qos.tc_to_queue": "QOS-03",
    "qos.tc_to_pg": "QOS-03",
    "qos.pfc_to_queue": "QOS-03",
    "qos.pfc_to_pg": "QOS-03",
    "qos.schedulers": "ETS-01",
    "qos.wred.*.ecn": "ECN-07",
    "qos.wred": "ECN-03",
    "qos.watchdog_poll_ms": "WD-05",
    "qos.trimming": "LB-09",
    "qos.ports.*.rewrite": "QOS-06",
    "qos.ports.*.shaper": "ETS-04",
    "qos.hash_fields": "LB-01",
    "qos.ports.*.dscp_to_tc": "QOS-02",
    "qos.ports.*.tc_to_queue": "QOS-03",
    "qos.ports.*.tc_to_pg": "QOS-03",
    "qos.ports.*.pfc_to_queue": "QOS-03",
    "qos.ports.*.pfc_to_pg": "QOS-03",
    "qos.ports.*.pfc": "PFC-01",
    "qos.ports.*.watched": "WD-01",
    "qos.ports.*.watchdog": "WD-02",
    "qos.ports.*.queues.*.scheduler": "ETS-01",
    "qos.ports.*.queues.*.wred": "ECN-07",
    "buffers.model": "HDR-05",
    "buffers.pools": "HDR-05",
    "buffers.profiles.*.discard": "LB-09",
    "buffers.profiles": "HDR-03",
    "buffers.ports.*.cable_length_m": "HDR-01",
    "buffers.ports.*.groups": "HDR-02",
    "buffers.ports": "HDR-09",
    "lldp.enabled": "MGT-09",
}
"""Leaf → rule, by hand; the first pattern that matches. It is what reports, waivers and histories are kept by."""


def wanted_rule(path: LeafPath) -> str:
    return next(rule for pattern, rule in RULES.items() if matches(pattern, path))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """One leaf, one spine, one host, two links: every kind of leaf, and an audit takes milliseconds."""
    folder = tmp_path_factory.mktemp("pair")
    (folder / "devices.csv").write_text(
        "place,serial,mac,hwsku\na/su1/r1,MT0001,02:00:00:00:00:01,ACS-SN5600\na/spine/1,MT0002,02:00:00:00:00:02,\n"
    )
    spine = "{model: nvidia-sn5600, platform: sonic, count: 1, links: 2, speed: 800G}"
    file = folder / "pair.yml"
    hosts = "{nic: cx8, speed: 400G, attach: vlan}"
    changes = {"planes": "[a]", "rails": "1", "units": "{su1: {hosts: 1}}", "hosts": hosts}
    file.write_text(small(**changes, spine=spine, devices="devices.csv"))
    return Expected(build(load(file)))


def held(expected: Expected, name: str, store: Store) -> Iterator[tuple[LeafPath, object]]:
    """One leaf of each shape that the store of a device holds."""
    part = held_part(expected.device(name), expected.held(name, store))
    assert isinstance(part, Device)
    yield from one_of_each(part)


def _found(expected: Expected, name: str, store: Store, path: LeafPath, value: object) -> list[tuple[str, str]]:
    world = changed(healthy(expected), name, store, path, value)
    return [(f.rule, f.device) for f in concluded(expected, world).findings]


FOREIGN = ("vrfs",)
"""Where nothing of ours is expected, what is there is somebody else's: test_vrfs.py holds the rule of the leaf."""


@pytest.mark.parametrize("store", [Store.RUNNING, Store.APPLIED])
def test_any_single_value_that_is_otherwise_is_one_finding(pair: Expected, store: Store) -> None:
    wrong = {
        f"{name} {dotted(path)}": found
        for name in pair.devices
        for path, value in held(pair, name, store)
        if path[0] not in FOREIGN
        if (found := _found(pair, name, store, path, other(path, value))) != [(wanted_rule(path), name)]
    }
    assert wrong == {}


def test_any_single_value_that_is_wrong_in_the_saved_configuration_alone_is_mgt_03(pair: Expected) -> None:
    wrong = {
        f"{name} {dotted(path)}": found
        for name in pair.devices
        for path, value in held(pair, name, Store.SAVED)
        if path[0] not in FOREIGN
        if (found := _found(pair, name, Store.SAVED, path, other(path, value))) != [("MGT-03", name)]
    }
    assert wrong == {}


def test_any_single_value_that_is_not_seen_is_not_audited_and_no_finding(pair: Expected) -> None:
    """An unset leaf is never a pass: exit code 3, with store and area."""
    wrong = {}
    for name in pair.devices:
        for path, _ in held(pair, name, Store.RUNNING):
            world = changed(healthy(pair), name, Store.RUNNING, path, None)
            result = concluded(pair, world)
            said = [(n.device, n.what) for n in result.not_audited]
            if said != [(name, f"running {path[0]}")] or result.findings or result.exit_code() != 3:
                wrong[f"{name} {dotted(path)}"] = said
    assert wrong == {}


def test_every_leaf_of_the_example_has_a_rule_that_names_it() -> None:
    """The generic rule is for what is added later; what is there today has an id of its own."""
    unnamed = {
        dotted(shape(path))
        for name in (LEAF, "a-spine1")
        for path, _ in leaves(two_plane().device(name))
        if path[0] not in ("name", "platform", "lldp", "routes") and for_path(path) is GENERIC
    }
    assert unnamed == set()


def test_a_value_that_is_wrong_everywhere_is_one_finding_with_all_stores() -> None:
    result = audited(setting(LEAF, "ports.64.mtu_bytes", 1500, Store.RUNNING, Store.SAVED, Store.APPLIED))
    assert told(result) == [("INT-04", f"{LEAF}:64")]
    (comparison,) = result.findings[0].comparisons
    assert comparison.expected == "9216"
    assert comparison.observed == {"running": "1500", "saved": "1500", "applied": "1500"}
    assert comparison.queries == (
        "gNMI CONFIG_DB PORT",
        "/etc/sonic/config_db.json PORT",
        "gNMI APPL_DB PORT_TABLE",
    )
    assert comparison.derivation == "mtu.port"
    assert comparison.source is not None
    assert Path(comparison.source.file).name == "two-plane.yml"


def test_a_value_that_the_box_did_not_program_says_so_and_shows_that_the_configuration_is_right() -> None:
    result = audited(setting(LEAF, "ports.64.mtu_bytes", 1500, Store.APPLIED))
    assert told(result) == [("INT-04", f"{LEAF}:64")]
    assert "the box did not program it" in result.findings[0].effect
    assert result.findings[0].comparisons[0].observed == {"running": "9216", "saved": "9216", "applied": "1500"}


def test_the_same_value_wrong_on_many_ports_is_one_finding() -> None:
    """256 ports with one reason are one thing to do (design/README.md)."""
    ports = ("1/1", "1/2", "2/1", "2/2", "61", "62", "63", "64")
    result = audited(*(setting(LEAF, f"qos.ports.{port}.pfc", frozenset()) for port in ports))
    assert [(f.rule, f.device) for f in result.findings] == [("PFC-01", LEAF)]
    assert result.findings[0].objects == tuple(f"{LEAF}:{port}" for port in ports)


def test_two_ports_with_the_same_fault_are_two_findings() -> None:
    result = audited(*(setting(LEAF, f"qos.ports.{port}.pfc", frozenset()) for port in ("1/1", "64")))
    assert told(result) == [("PFC-01", f"{LEAF}:1/1"), ("PFC-01", f"{LEAF}:64")]


def test_a_configuration_that_was_never_saved_is_one_finding() -> None:
    """One command saves it, however much a reboot would bring back."""
    result = audited(
        setting(LEAF, "ports.64.mtu_bytes", 1500, Store.SAVED),
        setting(LEAF, "bgp.hold_s", 180, Store.SAVED),
        vanished(LEAF, "qos.wred.ROCE-800G", Store.SAVED),
    )
    assert told(result) == [("MGT-03", LEAF)]
    assert len(result.findings[0].comparisons) == 3


ROWS: dict[str, tuple[Fault, tuple[str, str]]] = {
    "a port's QoS": (vanished(LEAF, "qos.ports.64"), ("QOS-01", f"{LEAF}:64")),
    "a port's buffers": (vanished(LEAF, "buffers.ports.64"), ("HDR-09", f"{LEAF}:64")),
    "a port's headroom": (vanished(LEAF, "buffers.ports.64.groups.3"), ("HDR-02", f"{LEAF}:64")),
    "a queue": (vanished(LEAF, "qos.ports.64.queues.6"), ("ETS-01", f"{LEAF}:64")),
    "a watchdog": (setting(LEAF, "qos.ports.64.watchdog", ABSENT), ("WD-01", f"{LEAF}:64")),
    "a WRED profile": (vanished(LEAF, "qos.wred.ROCE-800G"), ("ECN-03", f"{LEAF} qos.wred.ROCE-800G")),
    "a colour of a WRED profile": (
        vanished(LEAF, "qos.wred.ROCE-800G.colours.green"),
        ("ECN-03", f"{LEAF} qos.wred.ROCE-800G.colours.green"),
    ),
    "a DSCP of the map": (vanished(LEAF, "qos.dscp_to_tc.ROCE.26"), ("QOS-02", f"{LEAF} qos.dscp_to_tc.ROCE.26")),
    "an interface": (vanished(LEAF, "interfaces.64"), ("ADR-01", f"{LEAF}:64")),
    "a policy": (vanished(LEAF, "bgp.policies.FABRIC-IN"), ("BGP-11", f"{LEAF} bgp.policies.FABRIC-IN")),
    "a neighbor": (vanished(LEAF, "bgp.neighbors.64"), ("BGP-05", f"{LEAF}:64")),
}


@pytest.mark.parametrize(("fault", "finding"), ROWS.values(), ids=ROWS)
def test_a_missing_row_is_one_finding_and_not_one_for_each_of_its_values(
    fault: Fault, finding: tuple[str, str]
) -> None:
    assert told(audited(fault)) == [finding]


@cache
def _some(path: str) -> object:
    tree: object = two_plane().device(LEAF)
    for name in path.split("."):
        tree = tree[name] if isinstance(tree, dict) else getattr(tree, name)
    return tree


EXTRA = {
    "a scheduler": ("qos.schedulers.OLD", "qos.schedulers.ROCE", "ETS-01"),
    "a map": ("qos.dscp_to_tc.AZURE", "qos.dscp_to_tc.ROCE", "QOS-02"),
    "a profile": ("buffers.profiles.old", "buffers.profiles.q_lossy_profile", "HDR-03"),
    "a pool": ("buffers.pools.old", "buffers.pools.egress_lossy_pool", "HDR-05"),
    "an overlapping priority group": ("buffers.ports.64.groups.3-4", "buffers.ports.64.groups.3", "HDR-02"),
    "QoS on a spare port": ("qos.ports.20", "qos.ports.64", "QOS-01"),
    "an address on a spare port": ("interfaces.20", "interfaces.1/1", "ADR-01"),
    "a neighbor": ("bgp.neighbors.20", "bgp.neighbors.64", "BGP-05"),
    "a policy": ("bgp.policies.OLD", "bgp.policies.FABRIC-IN", "BGP-11"),
    "a port": ("ports.99", "ports.64", "INT-11"),
}


@pytest.mark.parametrize(("path", "like", "rule"), EXTRA.values(), ids=EXTRA)
def test_a_row_that_nobody_planned_is_one_finding(path: str, like: str, rule: str) -> None:
    """The area is ours, so what is there beside the plan is drift (DESIGN.md, rule 7)."""
    assert [f.rule for f in audited(appearing(LEAF, path, _some(like))).findings] == [rule]


def test_an_id_that_no_rule_has_is_an_error() -> None:
    with pytest.raises(KeyError):
        by_id("INT-99")
