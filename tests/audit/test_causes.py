"""Each kind of fault alone, as every device shows it, is one finding; what follows from it stands under it."""

from __future__ import annotations

import pytest

from audit.world import (
    Fault,
    announced,
    asn,
    audited,
    dark,
    link_at,
    link_down,
    moved,
    session_down,
    setting,
    swapped,
    told,
    two_plane,
    vanished,
    withdrawn,
)
from netaudit.audit.findings import AuditResult, Finding
from netaudit.state import ABSENT, Failures, Link, LldpNeighbor, Store

LEAF, OTHER_LEAF, FAR_LEAF = "a-su1-r1-leaf", "a-su1-r2-leaf", "b-su1-r1-leaf"
SPINE = "a-spine1"
EVERYWHERE = (Store.RUNNING, Store.SAVED, Store.APPLIED)


def only(result: AuditResult) -> Finding:
    assert len(result.findings) == 1, told(result)
    return result.findings[0]


def carried(finding: Finding) -> list[str]:
    return [c.text for c in finding.consequences]


CABLES = {
    "two uplinks of a leaf to one spine": (swapped(f"{LEAF}:64", f"{LEAF}:63"), [LEAF, SPINE]),
    "two uplinks of a leaf to two spines": (swapped(f"{LEAF}:64", f"{LEAF}:61"), [LEAF, SPINE, "a-spine2"]),
    "uplinks of two leaves": (swapped(f"{LEAF}:64", f"{OTHER_LEAF}:64"), [LEAF, OTHER_LEAF, SPINE]),
    "uplinks of two leaves to two spines": (
        swapped(f"{LEAF}:64", f"{OTHER_LEAF}:62"),
        [LEAF, OTHER_LEAF, SPINE, "a-spine2"],
    ),
    "uplinks of two planes": (swapped(f"{LEAF}:64", f"{FAR_LEAF}:64"), [LEAF, FAR_LEAF, SPINE, "b-spine1"]),
    "plugs at the spines of two planes": (
        swapped("a-spine1:1", "b-spine2:3"),
        [LEAF, "b-su1-r2-leaf", SPINE, "b-spine2"],
    ),
    "two hosts at one leaf": (swapped(f"{LEAF}:1/1", f"{LEAF}:1/2"), [LEAF]),
    "two rails of a host": (swapped(f"{LEAF}:1/1", f"{OTHER_LEAF}:1/1"), [LEAF, OTHER_LEAF]),
    "two planes of a NIC": (swapped(f"{LEAF}:1/1", f"{FAR_LEAF}:1/1"), [LEAF, FAR_LEAF]),
    "hosts of two units": (swapped(f"{LEAF}:1/1", "a-su2-r1-leaf:2/2"), [LEAF, "a-su2-r1-leaf"]),
    "hosts that send their MAC address as port id": (
        swapped(f"{LEAF}:1/1", f"{LEAF}:1/2", port_ids={"su1-h1": "0c:42:a1:00:00:01", "su1-h2": "0c:42:a1:00:00:02"}),
        [LEAF],
    ),
}


@pytest.mark.parametrize(("fault", "devices"), CABLES.values(), ids=CABLES)
def test_swapped_cables_are_one_finding(fault: Fault, devices: list[str]) -> None:
    finding = only(audited(fault))
    assert finding.rule == "CAB-02"
    assert finding.title.endswith("are swapped")
    assert sorted(finding.devices) == sorted(devices)
    assert finding.instruction.startswith("swap the plugs at ")


def test_three_cables_in_each_others_places_are_one_finding() -> None:
    ring = {f"{LEAF}:64": f"{LEAF}:63", f"{LEAF}:63": f"{LEAF}:62", f"{LEAF}:62": f"{LEAF}:64"}
    finding = only(audited(moved(ring)))
    assert (finding.rule, len(finding.objects)) == ("CAB-02", 3)


def test_a_plug_in_the_place_of_another_that_is_nowhere_is_a_wrong_cable_and_a_missing_one() -> None:
    """The uplink of cage 64 is where that of 63 belongs; the other hangs loose, so two ports are dark."""
    planned, displaced = link_at(f"{LEAF}:64"), link_at(f"{LEAF}:63")
    moved_ = Link(a=planned.a, b=displaced.b, kind="leaf-spine")
    result = audited(
        setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port="etp2"), Store.STATE),
        setting(SPINE, "lldp.neighbors.2", LldpNeighbor(system=LEAF, port="etp64"), Store.STATE),
        *(dark(end) for end in (displaced.a, planned.b)),
        Fault(failures=Failures(links=frozenset({planned, displaced}), recabled=frozenset({moved_}))),
    )
    assert told(result) == [("CAB-02", f"{LEAF}:64"), ("INT-01", f"{LEAF}:63")]
    finding, missing = sorted(result.findings, key=lambda f: f.rule)
    assert missing.title == f"{LEAF}:63 has no cable: {SPINE}:2, where it should end, is taken by that of {LEAF}:64"
    assert (finding.rule, finding.title) == (
        "CAB-02",
        f"{LEAF}:64 is plugged in at {SPINE}:2, the place of another cable",
    )
    assert finding.instruction == f"plug the cable of {LEAF}:64 in at {SPINE}:1"


def test_ends_that_contradict_each_other_are_no_swap() -> None:
    """One hears another port, which hears whom it should: one of both is stale (CAB-05), and routes are as planned."""
    stale = setting(LEAF, "lldp.neighbors.64", LldpNeighbor(system=SPINE, port="etp2"), Store.STATE)
    assert told(audited(stale)) == [("CAB-01", f"{LEAF}:64")]


def test_an_uplink_swap_inside_one_spine_touches_no_route() -> None:
    """Both hops stay in the set, so only LLDP shows it."""
    assert carried(only(audited(swapped(f"{LEAF}:64", f"{LEAF}:63")))) == []


def test_planes_joined_by_a_swap_carry_what_the_policies_keep_out() -> None:
    """Each leaf has one hop less of 4 for all that it learned; each spine loses a hop to that leaf."""
    finding = only(audited(swapped(f"{LEAF}:64", f"{FAR_LEAF}:64")))
    learned_by_a_leaf = 7 * 3 + 2 * 2  # of the other leaves aggregate and 2 loopbacks, of each spine 2 loopbacks
    assert carried(finding)[-1] == f"{2 * (learned_by_a_leaf - 2 + 3)} routes on 4 devices"


LINKS = {
    "an uplink": (link_down(f"{LEAF}:64"), f"{LEAF}:64", [LEAF, SPINE]),
    "the same, seen from the spine": (link_down(f"{SPINE}:1"), f"{LEAF}:64", [LEAF, SPINE]),
    "while LLDP still remembers": (link_down(f"{LEAF}:64", still_heard=True), f"{LEAF}:64", [LEAF, SPINE]),
    "a host's cable": (link_down(f"{LEAF}:1/1"), f"{LEAF}:1/1", [LEAF]),
}


@pytest.mark.parametrize(("fault", "place", "devices"), LINKS.values(), ids=LINKS)
def test_a_dead_link_is_one_finding(fault: Fault, place: str, devices: list[str]) -> None:
    finding = only(audited(fault))
    assert (finding.rule, finding.object) == ("INT-01", place)
    assert sorted(finding.devices) == sorted(devices)


def test_a_dead_uplink_carries_its_session_and_its_routes() -> None:
    """The leaf keeps 3 of 4 hops for 21 prefixes of leaves and 1 of 2 for 2 of a spine; the spine 1 of 2 for 3."""
    finding = only(audited(link_down(f"{LEAF}:64")))
    assert carried(finding) == ["1 BGP session", f"{21 + 2 + 3} routes on 2 devices"]


def test_a_dead_host_link_carries_no_route() -> None:
    """The aggregate covers it, so no table shows it (topology.md section 7)."""
    assert carried(only(audited(link_down(f"{LEAF}:1/1")))) == []


def test_a_link_that_only_one_end_calls_down_is_one_finding() -> None:
    finding = only(audited(setting(SPINE, "ports.1.oper_up", False, Store.STATE), session_down(f"{LEAF}:64")))
    assert (finding.rule, finding.object) == ("INT-01", f"{LEAF}:64")


SETTINGS_OF_A_DEAD_LINK = {
    "shut down": ("enabled", False, "INT-01"),
    "FEC off at one end": ("fec", "none", "INT-03"),
    "another speed": ("speed_mbps", 400_000, "INT-02"),
}


@pytest.mark.parametrize(("field", "value", "rule"), SETTINGS_OF_A_DEAD_LINK.values(), ids=SETTINGS_OF_A_DEAD_LINK)
def test_a_setting_that_keeps_a_link_down_is_the_finding_and_the_link_hangs_on_it(
    field: str, value: object, rule: str
) -> None:
    finding = only(audited(setting(SPINE, f"ports.1.{field}", value, *EVERYWHERE), link_down(f"{LEAF}:64")))
    assert (finding.rule, finding.device, finding.object) == (rule, SPINE, f"{SPINE}:1")
    assert carried(finding)[0] == "1 BGP session"


def test_a_dead_session_is_one_finding_with_its_routes() -> None:
    finding = only(audited(session_down(f"{LEAF}:64")))
    assert (finding.rule, finding.object) == ("BGP-01", f"{LEAF}:64")
    assert sorted(finding.devices) == [SPINE, LEAF]
    assert carried(finding) == ["26 routes on 2 devices"]


def test_a_missing_link_local_address_is_the_finding_and_the_session_hangs_on_it() -> None:
    finding = only(audited(setting(LEAF, "interfaces.64.link_local", False), session_down(f"{LEAF}:64")))
    assert (finding.rule, finding.object) == ("ADR-03", f"{LEAF}:64")


ASNS = {
    "of a leaf": (asn(LEAF, 4200009999), LEAF, 4),
    "of a leaf, in all its files": (asn(LEAF, 4200009999, in_database=True, in_files=True), LEAF, 4),
    "of a spine": (asn(SPINE, 4200009999), SPINE, 16),
    "of a leaf, that of another leaf": (asn(LEAF, 4200000001), LEAF, 4),
    "of a leaf, that of its spines": (asn(LEAF, 4200100000), LEAF, 4),
    "of a spine, that of a leaf": (asn(SPINE, 4200000003), SPINE, 16),
}


@pytest.mark.parametrize(("fault", "device", "sessions"), ASNS.values(), ids=ASNS)
def test_a_wrong_asn_is_one_finding_however_many_peers_see_it(fault: Fault, device: str, sessions: int) -> None:
    finding = only(audited(fault))
    assert (finding.rule, finding.object) == ("BGP-02", device)
    assert finding.consequences[0].count == sessions


def test_a_wrong_asn_in_the_database_alone_is_one_finding() -> None:
    """SONiC repeats the number in DEVICE_METADATA; the speaker has the right one."""
    assert told(audited(setting(LEAF, "system.asn", 4200009999))) == [("BGP-02", f"{LEAF} system.asn")]


ORIGINS = {
    "the host block of a leaf": (withdrawn(LEAF, "10.0.0.0/28"), LEAF, "10.0.0.0/28", 10),
    "with its discard route": (withdrawn(LEAF, "10.0.0.0/28", discard_too=True), LEAF, "10.0.0.0/28", 10),
    "a loopback of a leaf": (withdrawn(LEAF, "fd00:ff::1/128"), LEAF, "fd00:ff::1/128", 10),
    "a loopback of a spine": (withdrawn(SPINE, "10.255.32.1/32"), SPINE, "10.255.32.1/32", 9),
}


@pytest.mark.parametrize(("fault", "device", "prefix", "routes"), ORIGINS.values(), ids=ORIGINS)
def test_a_prefix_that_is_not_announced_is_one_finding_at_its_origin(
    fault: Fault, device: str, prefix: str, routes: int
) -> None:
    finding = only(audited(fault))
    assert (finding.rule, finding.device, finding.object) == ("RIB-01", device, prefix)
    assert finding.title == f"{device} does not announce {prefix}"
    assert carried(finding) == [f"{routes} routes on {routes} devices"]


ADDED = {
    "a leaf, whose policy stops it": (announced(LEAF, "10.0.1.0/28"), LEAF, "1 route on 1 device"),
    "a spine, whose policy does not": (announced(SPINE, "10.0.1.0/28"), SPINE, "9 routes on 9 devices"),
}


@pytest.mark.parametrize(("fault", "device", "routes"), ADDED.values(), ids=ADDED)
def test_a_prefix_that_should_not_be_is_one_finding_at_its_origin(fault: Fault, device: str, routes: str) -> None:
    finding = only(audited(fault))
    assert (finding.rule, finding.device, finding.object) == ("RIB-01", device, "10.0.1.0/28")
    assert carried(finding) == [routes]


def _unsplit(*cages: int) -> list[Fault]:
    """The 2x400G cages of a leaf run as one port each: sub-ports and all that hangs on them are not there."""
    tables = {
        "ports": (*EVERYWHERE, Store.STATE),
        "interfaces": (Store.RUNNING, Store.SAVED),
        "qos.ports": (Store.RUNNING, Store.SAVED),
        "buffers.ports": EVERYWHERE,
        "lldp.neighbors": (Store.STATE,),
    }
    return [
        vanished(LEAF, f"{table}.{cage}/{sub}", *stores)
        for cage in cages
        for sub in (1, 2)
        for table, stores in tables.items()
    ]


def test_a_cage_that_is_split_otherwise_is_one_finding() -> None:
    finding = only(audited(*_unsplit(1)))
    assert (finding.rule, finding.object) == ("INT-11", f"{LEAF}:1/1")
    assert finding.objects == (f"{LEAF}:1/1", f"{LEAF}:1/2")
    assert "2 planned links cannot be up" in finding.effect


def test_two_cages_are_two_findings() -> None:
    assert told(audited(*_unsplit(1, 2))) == [("INT-11", f"{LEAF}:1/1"), ("INT-11", f"{LEAF}:2/1")]


STRANGERS = {
    "a stranger on a planned link": ("64", LldpNeighbor(system="printer", port="1"), "CAB-04"),
    "a stranger on a spare port": ("20", LldpNeighbor(system="printer", port="1"), "CAB-04"),
    "a host on a spare port": ("20", LldpNeighbor(system="su2-h1", port="nic1p1"), "CAB-04"),
    "a spare port of the planned spine": ("64", LldpNeighbor(system=SPINE, port="etp60"), "CAB-01"),
    "nobody, though the link is up": ("64", ABSENT, "CAB-03"),
}


@pytest.mark.parametrize(("port", "neighbor", "rule"), STRANGERS.values(), ids=STRANGERS)
def test_a_wrong_neighbor_is_one_finding(port: str, neighbor: object, rule: str) -> None:
    assert told(audited(setting(LEAF, f"lldp.neighbors.{port}", neighbor, Store.STATE))) == [(rule, f"{LEAF}:{port}")]


def _deaf_and_dumb(device: str) -> list[Fault]:
    """The LLDP daemon of a switch is down: it hears nobody, and nobody hears it."""
    ends = [end for link in two_plane().links for end in (link.a, link.b) if device in (link.a.device, link.b.device)]
    return [
        setting(end.device, f"lldp.neighbors.{end.port}", ABSENT, Store.STATE)
        for end in ends
        if end.device in two_plane().devices
    ]


@pytest.mark.parametrize(("device", "ends"), [(LEAF, 4), (SPINE, 16)])
def test_a_switch_whose_lldp_is_down_is_one_finding(device: str, ends: int) -> None:
    finding = only(audited(*_deaf_and_dumb(device)))
    assert (finding.rule, finding.object) == ("MGT-09", device)
    assert finding.effect.startswith(f"{ends} ports of its neighbors hear nobody")


def test_lldp_that_the_configuration_switches_off_is_the_same_finding() -> None:
    assert told(audited(setting(LEAF, "lldp.enabled", False), *_deaf_and_dumb(LEAF))) == [("MGT-09", LEAF)]


NAMES = {
    "by its alias": LldpNeighbor(system=SPINE, port="etp1"),
    "by its native name": LldpNeighbor(system=SPINE, port="Ethernet0"),
    "by its full name": LldpNeighbor(system=f"{SPINE}.fabric.example.net", port="etp1"),
}


@pytest.mark.parametrize("neighbor", NAMES.values(), ids=NAMES)
def test_a_switch_may_call_itself_and_its_port_by_any_of_its_names(neighbor: LldpNeighbor) -> None:
    assert told(audited(setting(LEAF, "lldp.neighbors.64", neighbor, Store.STATE))) == []
