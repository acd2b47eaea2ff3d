"""Juniper's accepted example, read: a configuration that is not of our making, with a wildcard for all ports."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from netaudit.platforms import junos
from netaudit.state import ABSENT, Device, Scheduler, Watchdog
from platforms.junos.curly import curly

EXAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "vendor-examples" / "junos-leaf.set"


@cache
def example() -> Device:
    if not EXAMPLE.exists():
        pytest.skip("the accepted example is in the project's shared folder, which is not here")
    return junos.read_config({"junos.conf": EXAMPLE.read_text()}, "leaf1")


def test_it_says_the_same_in_blocks() -> None:
    example()
    assert junos.read_config({"junos.conf": curly(EXAMPLE.read_text())}, "leaf1") == example()


def test_its_ports_and_addresses() -> None:
    device = example()
    assert device.system is not None
    assert device.system.hostname == "leaf1"
    assert list(device.ports or {}) == [str(cage) for cage in range(1, 9)]
    assert {port.mtu_bytes for port in (device.ports or {}).values()} == {9202}
    assert {port.speed_mbps for port in (device.ports or {}).values()} == {400_000}
    interfaces = device.interfaces or {}
    assert interfaces["1"].addresses == frozenset({"198.51.100.0/31"})
    assert interfaces["Loopback0"].addresses == frozenset({"192.0.2.11/32"})
    assert [key for key, one in interfaces.items() if one.link_local] == ["5", "6", "7", "8"]


def test_its_classes_and_pfc_on_every_port_by_the_wildcard() -> None:
    qos = example().qos
    assert qos is not None
    row = (qos.dscp_to_tc or {})["ROCE"]
    assert {dscp: queue for dscp, queue in row.items() if queue} == {26: 4, 48: 3, 56: 7}
    assert len(row) == 64
    assert qos.pfc_to_queue == {"ROCE": {3: 4}}
    ports = qos.ports or {}
    assert list(ports) == [str(cage) for cage in range(1, 9)] or set(ports) == {str(cage) for cage in range(1, 9)}
    for port in ports.values():
        assert port.pfc == frozenset({3})
        assert port.watchdog == Watchdog(detect_ms=200, restore_ms=200, action="drop")
        assert {queue: one.scheduler for queue, one in (port.queues or {}).items()} == {
            "0": "S-BE",
            "4": "S-ROCE",
            "3": "S-CNP",
            "7": "S-NC",
        }
        assert (port.queues or {})["4"].wred == "ECN-ROCE"


def test_its_schedulers_thresholds_and_partitions() -> None:
    device = example()
    assert device.qos is not None
    assert device.buffers is not None
    schedulers = device.qos.schedulers or {}
    assert schedulers["S-CNP"] == Scheduler(kind="strict", weight=5, cap_bytes_per_s=ABSENT)
    assert schedulers["S-ROCE"].weight == 45
    wred = (device.qos.wred or {})["ECN-ROCE"]
    assert wred.ecn is True
    half = 84_206 * 1024 // 2
    assert (wred.colours or {})["green"].kmin_bytes == half * 55 // 100
    assert (wred.colours or {})["green"].kmax_bytes == half * 90 // 100
    pools = device.buffers.pools or {}
    assert pools["ingress_lossless_pool"].size_bytes == 84_206 * 1024 * 66 // 100
    assert pools["ingress_lossless_pool"].shared_headroom_bytes == 84_206 * 1024 * 24 // 100
    assert (device.buffers.profiles or {})["lossless"].alpha == 8
    assert {port.cable_length_m for port in (device.buffers.ports or {}).values()} == {40}


def test_its_sessions_and_what_of_its_routing_no_leaf_stands_for() -> None:
    bgp = example().bgp
    assert bgp is not None
    assert (bgp.asn, bgp.router_id, bgp.maximum_paths, bgp.multipath_relax) == (65_101, "192.0.2.11", 64, True)
    assert set(bgp.neighbors or {}) == {"5", "6", "7", "8"}
    session = (bgp.neighbors or {})["5"]
    assert session.remote == "65001-65004"
    assert session.families == frozenset({"ipv4", "ipv6"})
    assert session.export_policy == "EXPORT"
    assert bgp.requires_policy is False
    assert isinstance(bgp.unmodelled, frozenset)
    assert "set protocols bgp group SPINES bfd-liveness-detection multiplier 3" in bgp.unmodelled
    assert any("policy-statement EXPORT" in line for line in bgp.unmodelled)
    assert not any("PFE-LB" in line for line in bgp.unmodelled)


def test_it_has_no_problem() -> None:
    example()
    assert junos.problems({"junos.conf": EXAMPLE.read_text()}) == ()
