"""Answers that contradict each other or come from another switch: one finding, and nothing is made of the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.world import NOON, Fault, audited, changed, healthy, observations, setting, swapped, told, two_plane
from netaudit.audit.audit import audit
from netaudit.audit.findings import AuditResult
from netaudit.state import ABSENT, LldpNeighbor, Store

LEAF, OTHER, SPINE = "a-su1-r1-leaf", "a-su1-r2-leaf", "a-spine1"


def answered_by(name: str, other: str) -> AuditResult:
    """At the address of one switch, all that another shows."""
    seen = [
        replace(o, stores=healthy(two_plane())[other]) if o.device == name else o
        for o in observations(healthy(two_plane()))
    ]
    return audit(two_plane(), seen, NOON)


@pytest.mark.parametrize(("name", "other"), [(LEAF, OTHER), (SPINE, "b-spine1"), (LEAF, SPINE)])
def test_another_switch_at_the_address_is_one_finding_and_the_switch_not_audited(name: str, other: str) -> None:
    result = answered_by(name, other)
    assert told(result) == [("MGT-08", name)]
    assert result.findings[0].title == f"{other} answers at the address of {name}"
    assert {c.what.split()[1].split(".")[0] for c in result.findings[0].comparisons} == {"system"}
    assert [(n.device, n.what) for n in result.not_audited] == [(name, "everything")]
    assert result.exit_code() == 3


def test_a_switch_with_another_name_is_compared_all_the_same() -> None:
    """Serial number and MAC are its own: somebody renamed it."""
    result = audited(setting(LEAF, "system.hostname", OTHER), setting(LEAF, "ports.64.mtu_bytes", 9100))
    assert told(result) == [("INT-04", f"{LEAF}:64"), ("MGT-08", f"{LEAF} system.hostname")]
    assert result.not_audited == ()


def test_a_replaced_switch_is_compared_all_the_same() -> None:
    result = audited(setting(LEAF, "system.serial", "MT9999", Store.STATE), setting(LEAF, "ports.64.mtu_bytes", 9100))
    assert told(result) == [("INT-04", f"{LEAF}:64"), ("MGT-08", f"{LEAF} system.serial")]


@pytest.mark.parametrize("end", [f"{LEAF}:64", f"{SPINE}:1"])
def test_an_end_that_calls_a_link_down_over_which_bgp_runs_is_one_finding_without_routes(end: str) -> None:
    device, _, port = end.partition(":")
    result = audited(setting(device, f"ports.{port}.oper_up", False, Store.STATE))
    assert told(result) == [("INT-01", end)]
    assert "says that its link is down" in result.findings[0].title
    assert result.findings[0].consequences == ()


def test_a_port_that_hears_nobody_over_a_link_that_is_up_is_one_finding() -> None:
    result = audited(setting(LEAF, "lldp.neighbors.64", ABSENT, Store.STATE))
    assert told(result) == [("CAB-03", f"{LEAF}:64")]
    assert result.findings[0].title.endswith(f"{SPINE}:1 should be there")


def test_both_ends_of_a_link_that_hear_nobody_are_one_finding() -> None:
    result = audited(
        setting(LEAF, "lldp.neighbors.64", ABSENT, Store.STATE), setting(SPINE, "lldp.neighbors.1", ABSENT, Store.STATE)
    )
    assert [f.rule for f in result.findings] == ["CAB-03"]
    assert result.findings[0].objects == (f"{LEAF}:64", f"{SPINE}:1")


def test_lldp_that_is_configured_off_on_one_port_is_one_finding_at_its_switch() -> None:
    result = audited(
        setting(LEAF, "lldp.enabled", False),
        setting(LEAF, "lldp.neighbors.64", ABSENT, Store.STATE),
        setting(SPINE, "lldp.neighbors.1", ABSENT, Store.STATE),
    )
    assert told(result) == [("MGT-09", LEAF)]
    assert result.findings[0].title == f"LLDP is off on a part of the ports of {LEAF}"


@pytest.mark.parametrize("mac", ["02:00:00:00:01:09", "02-00-00-00-01-09", "020000000109", "0200.0000.0109"])
def test_a_mac_address_for_a_port_id_cannot_be_verified(mac: str) -> None:
    result = audited(setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port=mac), Store.STATE))
    assert told(result) == []
    assert [u.where for u in result.unverifiable if "neighbor" in u.what] == [(f"{LEAF}:64",)]


def test_a_mac_address_of_another_switch_is_still_the_wrong_cable() -> None:
    heard = LldpNeighbor(system="a-spine2", port="02:00:00:00:01:10")
    result = audited(setting(LEAF, "lldp.neighbors.64", heard, Store.STATE))
    assert [(f.rule, f.device) for f in result.findings] == [("CAB-01", LEAF)]


def address(device: str, interface: str, *addresses: str) -> Fault:
    return setting(device, f"interfaces.{interface}.addresses", frozenset(addresses))


def test_a_wrong_address_of_a_host_port_is_one_finding() -> None:
    assert told(audited(address(LEAF, "1/1", "10.0.0.2/31"))) == [("ADR-01", f"{LEAF}:1/1")]


def test_prefixes_that_a_wrong_loopback_no_longer_originates_hang_on_the_address() -> None:
    lost = ("default", "10.255.32.2/32")
    six = "fd00:ff:0:2000::2/128"

    fault = address("a-spine2", "Loopback0", "10.255.32.1/32", six)
    world = dict(fault.shows(healthy(two_plane())))
    for name, seen in world.items():
        routes = seen[Store.STATE].routes
        if routes is not None and lost in routes:
            world = dict(changed(world, name, Store.STATE, ("routes",), {k: r for k, r in routes.items() if k != lost}))
    result = audit(two_plane(), observations(world), NOON)
    assert told(result) == [("ADR-01", "a-spine2:Loopback0")]
    assert [c.text for c in result.findings[0].consequences] == ["9 routes on 9 devices"]


def test_a_swap_beside_a_silent_port_stays_its_own_finding() -> None:
    result = audited(
        swapped(f"{LEAF}:64", f"{LEAF}:63"), setting("b-su1-r1-leaf", "lldp.neighbors.64", ABSENT, Store.STATE)
    )
    assert sorted(f.rule for f in result.findings) == ["CAB-02", "CAB-03"]
