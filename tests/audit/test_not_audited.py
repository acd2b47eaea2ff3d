"""What could not be read is said with its reason, never guessed, and hides no fault that others can see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.world import (
    NOON,
    Fault,
    announced,
    asn,
    broken,
    healthy,
    link_down,
    not_read,
    observations,
    part_unread,
    session_down,
    swapped,
    told,
    two_plane,
    withdrawn,
)
from netaudit.audit.audit import audit
from netaudit.audit.findings import AuditResult
from netaudit.state import Route, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"


def seen_without(*devices: str, faults: tuple[Fault, ...] = ()) -> AuditResult:
    """The audit when these switches do not answer."""
    return audit(two_plane(), not_read(observations(broken(two_plane(), *faults)), *devices), NOON)


@pytest.mark.parametrize("device", [LEAF, SPINE])
def test_an_unreachable_switch_is_not_audited_and_no_finding(device: str) -> None:
    """It forwards on, as all others show; either state of what only it could show passes."""
    result = seen_without(device)
    assert told(result) == []
    assert [(n.device, n.what, n.reason) for n in result.not_audited] == [(device, "everything", "no route to host")]
    assert result.exit_code() == 3


def test_not_audited_wins_over_findings_in_the_exit_code() -> None:
    result = seen_without(LEAF, faults=(link_down("a-su2-r1-leaf:64"),))
    assert told(result) == [("INT-01", "a-su2-r1-leaf:64")]
    assert result.exit_code() == 3


def test_half_the_fabric_unreachable_is_no_finding() -> None:
    devices = [name for name in two_plane().devices if name.startswith("a-")]
    result = seen_without(*devices)
    assert told(result) == []
    assert [n.device for n in result.not_audited] == devices


@pytest.mark.parametrize(("device", "links"), [(LEAF, 4), (SPINE, 16)])
def test_a_switch_that_is_off_is_one_finding_and_not_audited(device: str, links: int) -> None:
    """Its neighbors see every link to it down: off or cut off, which is more than unreachable."""
    ends = [str(e) for k in two_plane().links for e in (k.a, k.b) if e.device == device and k.kind == "leaf-spine"]
    result = seen_without(device, faults=tuple(map(link_down, ends)))
    assert told(result) == [("INT-01", device)]
    assert len(result.findings[0].objects) == links
    assert [n.device for n in result.not_audited] == [device]


SEEN_FROM_THE_OTHER_END = {
    "a dead link": (link_down(f"{LEAF}:64"), ("INT-01", f"{LEAF}:64")),
    "a dead session": (session_down(f"{LEAF}:64"), ("BGP-01", f"{LEAF}:64")),
    "a wrong ASN": (asn(LEAF, 4200009999), ("BGP-02", LEAF)),
    "swapped uplinks": (
        swapped(f"{LEAF}:64", "a-su1-r2-leaf:64"),
        ("CAB-02", "a-spine1:1 ↔ a-spine1:3"),
    ),
}


@pytest.mark.parametrize(("fault", "finding"), SEEN_FROM_THE_OTHER_END.values(), ids=SEEN_FROM_THE_OTHER_END)
def test_a_fault_of_a_switch_that_was_not_read_is_found_from_the_other_end(
    fault: Fault, finding: tuple[str, str]
) -> None:
    result = seen_without(LEAF, faults=(fault,))
    assert told(result) == [finding]
    assert [n.device for n in result.not_audited] == [LEAF]


def test_a_swap_is_found_although_the_spine_of_both_cables_was_not_read() -> None:
    result = seen_without(SPINE, faults=(swapped(f"{LEAF}:64", "a-su1-r2-leaf:64"),))
    assert told(result) == [("CAB-02", "a-spine1:1 ↔ a-spine1:3")]


def test_a_fault_elsewhere_is_found_once_beside_a_switch_that_was_not_read() -> None:
    result = seen_without("a-su1-r2-leaf", faults=(link_down(f"{LEAF}:64"),))
    assert told(result) == [("INT-01", f"{LEAF}:64")]


def test_links_between_two_unread_switches_may_be_up_or_down() -> None:
    """The others keep 2 of 4 hops to the leaf: less than if both forward, more than if neither does."""
    faults = (link_down(f"{LEAF}:64"), link_down(f"{LEAF}:63"))
    result = seen_without(LEAF, SPINE, faults=faults)
    assert told(result) == []
    assert [n.device for n in result.not_audited] == [LEAF, SPINE]


def test_fewer_hops_than_any_state_of_the_unread_switch_explains_are_a_finding() -> None:
    """The other spine was read and has all its links, so a hop through it is missed whatever the unread one does."""
    world = dict(healthy(two_plane()))
    state = world["a-su2-r1-leaf"][Store.STATE]
    key = ("default", "10.0.0.0/28")
    assert state.routes is not None
    narrow = {**state.routes, key: Route(frozenset({"61"}), state.routes[key].as_paths)}
    world["a-su2-r1-leaf"] = {**world["a-su2-r1-leaf"], Store.STATE: replace(state, routes=narrow)}
    result = audit(two_plane(), not_read(observations(world), SPINE), NOON)
    assert told(result) == [("RIB-02", "10.0.0.0/28")]


def test_prefixes_that_only_an_unread_switch_could_explain_are_no_finding() -> None:
    """It may announce them or not: nobody can tell whose fault it is, so it stays NOT AUDITED."""
    assert told(seen_without(LEAF, faults=(withdrawn(LEAF, "10.0.0.0/28"),))) == []


def test_a_prefix_that_nobody_may_announce_is_a_finding_whoever_announces_it() -> None:
    result = seen_without(SPINE, faults=(announced(SPINE, "10.0.1.0/28"),))
    assert told(result) == [("RIB-01", "10.0.1.0/28")]
    assert len(result.findings[0].devices) == 8


PARTS = {
    "running qos": (Store.RUNNING, "qos.wred", "gNMI CONFIG_DB WRED_PROFILE"),
    "running bgp": (Store.RUNNING, "bgp", "sudo vtysh -c 'show running-config'"),
    "saved bgp": (Store.SAVED, "bgp", "sudo cat /etc/sonic/frr/frr.conf"),
    "applied buffers": (Store.APPLIED, "buffers.profiles", "gNMI APPL_DB BUFFER_PROFILE_TABLE"),
    "applied routes": (Store.APPLIED, "routes", "gNMI APPL_DB ROUTE_TABLE"),
    "state lldp": (Store.STATE, "lldp.neighbors", "gNMI APPL_DB LLDP_ENTRY_TABLE"),
    "state routes": (Store.STATE, "routes", "sudo vtysh -c 'show bgp ipv4 unicast json'"),
    "state bgp": (Store.STATE, "bgp", "sudo vtysh -c 'show bgp summary json'"),
}


@pytest.mark.parametrize(("what", "store", "path", "asked"), [(w, *p) for w, p in PARTS.items()], ids=PARTS)
def test_a_part_that_was_not_read_is_named_with_its_reason(what: str, store: Store, path: str, asked: str) -> None:
    seen = part_unread(observations(healthy(two_plane())), LEAF, store, path, asked, "cut off at byte 4,194,304")
    result = audit(two_plane(), seen, NOON)
    assert told(result) == []
    assert [(n.device, n.what, n.reason) for n in result.not_audited] == [
        (LEAF, what, f"{asked}: cut off at byte 4,194,304")
    ]
    assert next(d for d in result.devices if d.name == LEAF).audited == "part"


def test_each_unread_part_has_its_own_reason() -> None:
    seen = observations(healthy(two_plane()))
    for what, (store, path, asked) in PARTS.items():
        seen = part_unread(seen, LEAF, store, path, asked, f"no {what}")
    result = audit(two_plane(), seen, NOON)
    assert {n.what: n.reason.partition(": ")[2] for n in result.not_audited} == {what: f"no {what}" for what in PARTS}


def test_an_unread_part_hides_no_fault_in_the_others() -> None:
    seen = observations(broken(two_plane(), link_down(f"{LEAF}:64")))
    for store, path in ((Store.RUNNING, "qos"), (Store.STATE, "lldp.neighbors"), (Store.STATE, "routes")):
        seen = part_unread(seen, LEAF, store, path, "something", "timed out")
    result = audit(two_plane(), seen, NOON)
    assert told(result) == [("INT-01", f"{LEAF}:64")]
    assert result.exit_code() == 3
