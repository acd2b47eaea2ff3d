"""Faults on different things are different findings, and none hides another."""

from __future__ import annotations

from itertools import combinations

import pytest

from audit.world import (
    Fault,
    announced,
    asn,
    audited,
    link_down,
    session_down,
    setting,
    swapped,
    told,
    two_plane,
    withdrawn,
)
from netaudit.state import ABSENT, Store

FAULTS: dict[str, tuple[Fault, tuple[str, str]]] = {
    "swap": (
        swapped("a-su1-r1-leaf:64", "a-su1-r1-leaf:61"),
        ("CAB-02", "a-su1-r1-leaf:61 ↔ a-su1-r1-leaf:64"),
    ),
    "host swap": (
        swapped("b-su1-r1-leaf:1/1", "b-su1-r1-leaf:2/2"),
        ("CAB-02", "b-su1-r1-leaf:1/1 ↔ b-su1-r1-leaf:2/2"),
    ),
    "link": (link_down("a-su1-r2-leaf:62"), ("INT-01", "a-su1-r2-leaf:62")),
    "session": (session_down("a-su1-r3-leaf:63"), ("BGP-01", "a-su1-r3-leaf:63")),
    "leaf ASN": (asn("a-su1-r4-leaf", 4200009999), ("BGP-02", "a-su1-r4-leaf")),
    "spine ASN": (asn("b-spine2", 4201109999), ("BGP-02", "b-spine2")),
    "withdrawn": (withdrawn("a-su2-r1-leaf", "10.0.0.64/28"), ("RIB-01", "10.0.0.64/28")),
    "announced": (announced("b-spine1", "10.32.1.0/28"), ("RIB-01", "10.32.1.0/28")),
    "MTU": (setting("a-su2-r2-leaf", "ports.64.mtu_bytes", 1500), ("INT-04", "a-su2-r2-leaf:64")),
}


PAIRS = tuple(combinations(FAULTS, 2))


@pytest.mark.parametrize(("one", "two"), PAIRS, ids=map(" and ".join, PAIRS))
def test_two_faults_are_two_findings(one: str, two: str) -> None:
    result = audited(FAULTS[one][0], FAULTS[two][0])
    assert told(result) == sorted((FAULTS[one][1], FAULTS[two][1]))


def test_all_faults_at_once_are_as_many_findings() -> None:
    result = audited(*(fault for fault, _ in FAULTS.values()))
    assert told(result) == sorted(finding for _, finding in FAULTS.values())


def test_faults_of_one_kind_on_one_device_are_told_apart() -> None:
    result = audited(link_down("a-su1-r1-leaf:64"), link_down("a-su1-r1-leaf:61"), link_down("a-su1-r1-leaf:1/1"))
    assert told(result) == [("INT-01", f"a-su1-r1-leaf:{port}") for port in ("1/1", "61", "64")]


def test_both_links_to_a_spine_down_leave_it_without_a_way_to_the_leaf() -> None:
    """No valley path takes their place, so the spine has no route to the leaf at all (topology.md section 6)."""
    result = audited(link_down("a-su1-r1-leaf:64"), link_down("a-su1-r1-leaf:63"))
    assert told(result) == [("INT-01", "a-su1-r1-leaf:63"), ("INT-01", "a-su1-r1-leaf:64")]


def test_a_swap_beside_a_dead_cable_of_the_same_leaf_is_told_apart() -> None:
    result = audited(swapped("a-su1-r1-leaf:64", "a-su1-r1-leaf:61"), link_down("a-su1-r1-leaf:62"))
    assert told(result) == [("CAB-02", "a-su1-r1-leaf:61 ↔ a-su1-r1-leaf:64"), ("INT-01", "a-su1-r1-leaf:62")]


def test_a_dead_session_of_a_speaker_with_a_wrong_asn_is_a_finding_of_its_own() -> None:
    result = audited(asn("a-su1-r1-leaf", 4200009999), session_down("a-su1-r1-leaf:63"))
    assert told(result) == [("BGP-01", "a-su1-r1-leaf:63"), ("BGP-02", "a-su1-r1-leaf")]


@pytest.mark.parametrize("device", ["a-su1-r1-leaf", "a-spine1"])
def test_a_wrong_asn_is_one_finding_where_nobody_hears_lldp(device: str) -> None:
    """Cables are taken to run as planned where nothing says how they do."""
    silent = [
        setting(end.device, f"lldp.neighbors.{end.port}", ABSENT, Store.STATE)
        for link in two_plane().links
        for end in (link.a, link.b)
        if link.kind == "leaf-spine" and device in (link.a.device, link.b.device)
    ]
    assert told(audited(asn(device, 4200009999), *silent)) == [("BGP-02", device), ("MGT-09", device)]


def test_the_worst_comes_first() -> None:
    """Errors before warnings; among errors what touches most routes and sessions."""
    result = audited(
        setting("a-spine1", "ports.1.description", "to nowhere"),
        setting("a-spine1", "ports.2.mtu_bytes", 1500),
        withdrawn("a-su2-r1-leaf", "10.0.0.64/28"),
        link_down("a-su1-r2-leaf:62"),
    )
    assert [f.rule for f in result.findings] == ["INT-01", "RIB-01", "INT-04", "INT-08"]
