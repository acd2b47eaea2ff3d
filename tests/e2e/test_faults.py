"""Every kind of fault, alone, on a lab of real gRPC and SSH: its rule once, its exit code, its place; then healed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from e2e.conftest import Lab
from e2e.test_main_job import FAULTS as FIRST_FAULTS
from e2e.test_vlan import ONE_FINDING as OF_VLANS
from e2e.test_vrf import ONE_FINDING as OF_VRFS
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.gnmi import LIMIT_VARIABLE
from netaudit.lab import control
from netaudit.lab.sim.faults import FAULTS as KINDS

pytestmark = pytest.mark.lab

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
UPLINK, HOST = f"{LEAF}:64", f"{LEAF}:1/1"
LINK, HOST_LINK = f"{UPLINK} – {SPINE}:1", f"su1-h1:r1/a – {HOST}"

# what is broken → the one rule, the exit code (3 is not audited, warnings leave it 0), an object of the finding
ONE_FINDING = {
    f"optic-length {HOST} 7": ("CAB-07", 2, HOST_LINK),
    f"optic-length {UPLINK} 60": ("CAB-07", 2, LINK),
    f"pfc {UPLINK}": ("PFC-01", 2, UPLINK),
    f"dscp {LEAF} 26 0": ("QOS-02", 2, f"{LEAF} qos.dscp_to_tc.ROCE.26"),
    f"dscp-stock {LEAF}": ("QOS-02", 2, HOST),
    f"tc {SPINE} 3 4": ("QOS-03", 2, f"{SPINE} qos.tc_to_queue.ROCE.3"),
    f"tc-group {SPINE} 3 0": ("QOS-03", 2, f"{SPINE} qos.tc_to_pg.ROCE.3"),
    f"ecn {LEAF} ROCE-400G 433152 9731840": ("ECN-03", 2, f"{LEAF} qos.wred.ROCE-400G"),
    f"ecn {LEAF} ROCE-400G 9433152 1731840": ("ECN-01", 2, f"{LEAF} qos.wred.ROCE-400G"),
    f"ecn-off {SPINE} ROCE-800G": ("ECN-07", 2, f"{SPINE} qos.wred.ROCE-800G.ecn"),
    f"ecn-unbound {UPLINK}": ("ECN-07", 2, UPLINK),
    f"weight {LEAF} ROCE 20": ("ETS-01", 2, f"{LEAF} qos.schedulers.ROCE.weight"),
    f"watchdog {HOST}": ("WD-01", 2, HOST),
    f"watchdog-stop {LEAF}": ("WD-01", 2, HOST),
    f"watchdog-time {HOST} 50": ("WD-02", 0, HOST),
    f"watchdog-poll {LEAF} 1000": ("WD-05", 0, f"{LEAF} qos.watchdog_poll_ms"),
    f"cable-length {UPLINK} 5m": ("HDR-01", 2, UPLINK),
    f"headroom {LEAF} pg_lossless_800000_40m_profile 100000": (
        "HDR-03", 2, f"{LEAF} buffers.profiles.pg_lossless_800000_40m_profile.xoff_bytes"),
    f"profile {UPLINK} pg_lossless_400000_5m_profile": ("HDR-02", 2, UPLINK),
    f"no-headroom {UPLINK}": ("HDR-02", 2, UPLINK),
    f"mtu {UPLINK} 9100": ("INT-04", 2, UPLINK),
    f"mtu {HOST} 1500": ("INT-04", 2, HOST),
    f"fec {UPLINK} none": ("INT-03", 2, LINK),
    f"fec {HOST} none": ("INT-03", 2, HOST),
    f"speed {UPLINK} 400000": ("INT-02", 2, LINK),
    f"speed {HOST} 200000": ("INT-02", 2, HOST),
    f"shut {UPLINK}": ("INT-01", 2, LINK),
    f"shut {SPINE}:1": ("INT-01", 2, LINK),
    f"shut {HOST}": ("INT-01", 2, HOST_LINK),
    f"enable {LEAF}:14": ("INT-01", 2, f"{LEAF}:14"),
    f"lanes {UPLINK} {LEAF}:63": ("INT-02", 2, LINK),
    f"lanes {UPLINK} {LEAF}:14": ("INT-02", 2, LINK),
    f"address {HOST} 10.0.0.2/31": ("ADR-01", 2, HOST),
    "address a-spine2:Loopback0 10.255.32.1/32": ("ADR-01", 2, "a-spine2:Loopback0"),
    f"address {LEAF}:Loopback0 10.255.0.2/32": ("ADR-01", 2, f"{LEAF}:Loopback0"),
    f"ecmp {LEAF} 2": ("BGP-07", 2, f"{LEAF} bgp.maximum_paths"),
    f"ecmp {SPINE} 1": ("BGP-07", 2, f"{SPINE} bgp.maximum_paths"),
    f"relax {LEAF}": ("BGP-07", 2, f"{LEAF} bgp.multipath_relax"),
    f"typed {LEAF} router bgp 4200000000 ; no bgp bestpath as-path multipath-relax": (
        "BGP-07", 2, f"{LEAF} bgp.multipath_relax"),
    f"policy {LEAF} in": ("BGP-11", 2, UPLINK),
    f"policy {LEAF} out": ("BGP-11", 2, UPLINK),
    f"policy {SPINE} in": ("BGP-11", 2, f"{SPINE}:1"),
    f"policy {SPINE} out": ("BGP-11", 2, f"{SPINE}:1"),
    f"unsaved {LEAF}": ("MGT-03", 0, HOST),
    f"unapplied {UPLINK} mtu 9100": ("INT-04", 2, UPLINK),
    f"unapplied-headroom {UPLINK} pg_lossless_400000_5m_profile": ("HDR-02", 2, UPLINK),
    f"stuck-route {LEAF} 10.0.0.112/28": ("RIB-04", 2, "10.0.0.112/28"),
    f"lldp {LEAF}": ("MGT-09", 2, LEAF),
    f"lldp {SPINE}": ("MGT-09", 2, SPINE),
    f"lldp-port {UPLINK}": ("CAB-03", 2, f"{SPINE}:1"),
    f"lie {UPLINK}": ("INT-01", 2, LINK),
    f"lie {SPINE}:1": ("INT-01", 2, LINK),
    f"lie {HOST}": ("INT-01", 2, HOST_LINK),
    f"impostor {LEAF} a-su1-r2-leaf": ("MGT-08", 3, LEAF),
    f"impostor {SPINE} b-spine1": ("MGT-08", 3, SPINE),
}  # fmt: skip

NO_FINDING = (
    f"plug-length {HOST} 65535",
    f"plug-length {HOST} abc",
    f"port-id {SPINE} alias",
    f"port-id {SPINE} name",
    f"port-id {SPINE} mac",
    f"port-id {SPINE} mac-only",
    f"large {LEAF} PORT 5",
    f"numbers {LEAF} ints",
    f"numbers {LEAF} strings",
    f"no-sync {LEAF}",
    f"slow {LEAF} 20",
)

# what cannot be seen → what of the device is not audited, and words of the reason
NOT_AUDITED = {
    f"cut-off {LEAF} WRED_PROFILE": ("running qos", ("gNMI CONFIG_DB WRED_PROFILE", "cut off")),
    f"cut-off {LEAF} PORT": ("running ports", ("gNMI CONFIG_DB PORT", "cut off")),
    f"cut-off {LEAF} ROUTE_TABLE": ("applied routes", ("gNMI APPL_DB ROUTE_TABLE", "cut off")),
    f"cut-off {LEAF} LLDP_ENTRY_TABLE": ("state lldp", ("gNMI APPL_DB LLDP_ENTRY_TABLE", "cut off")),
    f"large {LEAF} BUFFER_PG 70": (
        "running buffers", ("BUFFER_PG", "70.0 MiB", "64.0 MiB", LIMIT_VARIABLE)),
    f"cut-off {LEAF} TRANSCEIVER_INFO": ("state ports", ("gNMI STATE_DB TRANSCEIVER_INFO", "cut off")),
    f"hang {LEAF}": ("everything", ("no answer in",)),
}  # fmt: skip


# switches whose bgpd has died → the sessions that are down with it: to 2 spines or 8 leaves, 2 links each
DEAD_BGPD = {(LEAF,): 4, (SPINE,): 16, (SPINE, "a-spine2"): 16, (LEAF, "a-su1-r2-leaf"): 4}


@contextmanager
def broken(lab: Lab, fault: str) -> Iterator[None]:
    """The lab with one fault."""
    kind, *arguments = fault.split()
    control.break_(lab.folder, kind, arguments)
    try:
        yield
    finally:
        control.heal(lab.folder)


def found(lab: Lab, fault: str) -> AuditResult:
    with broken(lab, fault):
        return lab.audit()


def test_every_kind_of_fault_is_tried() -> None:
    tried = [
        *ONE_FINDING,
        *OF_VLANS,
        *OF_VRFS,
        *NO_FINDING,
        *NOT_AUDITED,
        *(words[0] for words, *_ in FIRST_FAULTS.values()),
        "bgpd",
    ]
    assert {fault.split()[0] for fault in tried} == set(KINDS)


@pytest.mark.parametrize("fault", ONE_FINDING)
def test_a_fault_alone_is_one_finding_at_its_place(lab: Lab, fault: str) -> None:
    rule, code, place = ONE_FINDING[fault]
    result = found(lab, fault)
    assert [f.rule for f in result.findings] == [rule], [f.title for f in result.findings]
    assert place in result.findings[0].objects
    assert result.exit_code() == code
    assert {n.device for n in result.not_audited} == ({place} if code == 3 else set())


@pytest.mark.parametrize("fault", NO_FINDING)
def test_what_is_only_told_otherwise_is_no_finding(lab: Lab, fault: str) -> None:
    result = found(lab, fault)
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)


@pytest.mark.parametrize("fault", NOT_AUDITED)
def test_what_cannot_be_seen_is_not_audited_and_all_else_is(lab: Lab, fault: str) -> None:
    what, words = NOT_AUDITED[fault]
    with broken(lab, fault):
        seen = pipeline.observe(lab.expected, lab.targets, timeout_s=2.0 if fault.startswith("hang") else 60.0)
        result = pipeline.audit(lab.expected, "two-plane.yml", seen)
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, what)]
    assert [word for word in words if word not in result.not_audited[0].reason] == []
    assert (result.findings, result.exit_code()) == ((), 3)
    assert {d.name for d in result.devices if d.audited != "complete"} == {LEAF}


@pytest.mark.parametrize("devices", DEAD_BGPD, ids=" ".join)
def test_a_dead_bgpd_is_one_finding_at_its_switch_and_its_settings_are_not_audited(
    lab: Lab, devices: tuple[str, ...]
) -> None:
    try:
        for device in devices:
            control.break_(lab.folder, "bgpd", (device,))
        result = lab.audit()
    finally:
        control.heal(lab.folder)
    assert [(f.rule, f.device) for f in result.findings] == [("BGP-01", device) for device in devices]
    assert [len(f.objects) for f in result.findings] == [DEAD_BGPD[devices]] * len(devices)
    assert all("no BGP daemon runs" in f.instruction and f.consequences for f in result.findings)
    missing = {(n.device, n.what) for n in result.not_audited}
    assert missing == {(d, what) for d in devices for what in ("running bgp", "state bgp", "state routes")}
    assert {n.cause for n in result.not_audited} == {"SSH path: exit code 1: bgpd is not running"}
    assert result.exit_code() == 3


def test_a_switch_that_hangs_costs_a_few_timeouts_and_not_one_for_each_query(lab: Lab) -> None:
    """One for gNMI's first request and one to be sure, two for SSH."""
    started = time.monotonic()
    with broken(lab, f"hang {LEAF}"):
        (seen,) = pipeline.observe(lab.expected, {LEAF: lab.targets[LEAF]}, timeout_s=1.0)
    assert "no answer in 1 s" in seen.failure
    assert time.monotonic() - started < 8.0


def test_healing_leaves_a_fabric_as_intended(lab: Lab) -> None:
    control.heal(lab.folder)
    result = lab.audit()
    assert (result.findings, result.not_audited) == ((), ())


def test_a_port_id_that_is_a_mac_address_leaves_the_cabling_of_its_ports_untold(lab: Lab) -> None:
    (told,) = found(lab, f"port-id {SPINE} mac-only").unverifiable
    assert "MAC address" in told.reason
    assert len(told.where) == 16, "8 leaves of the plane, 2 links to the spine each"


@pytest.mark.parametrize(
    ("fault", "carried"),
    [
        # 27 prefixes are known in a plane; a leaf originates 3 and hears 25 of those of others, spine loopbacks among
        # them once each; over 2 paths of 4 only the 21 of leaves are narrower, a spine's own loopbacks have 2 anyway
        (f"ecmp {LEAF} 2", ["21 routes on 1 device"]),
        (f"policy {LEAF} in", ["25 routes on 1 device"]),
        # the 3 prefixes of the leaf are missing on 7 leaves and 2 spines
        (f"policy {LEAF} out", ["27 routes on 9 devices"]),
        (f"speed {UPLINK} 400000", ["1 BGP session", "26 routes on 2 devices"]),
        (f"fec {UPLINK} none", ["1 BGP session", "26 routes on 2 devices"]),
        # the loopback of a spine, missing on itself and 8 leaves
        ("address a-spine2:Loopback0 10.255.32.1/32", ["9 routes on 9 devices"]),
        (f"lie {UPLINK}", []),
    ],
)
def test_what_follows_from_a_fault_hangs_on_its_finding(lab: Lab, fault: str, carried: list[str]) -> None:
    (finding,) = found(lab, fault).findings
    assert [c.text for c in finding.consequences] == carried


@pytest.mark.parametrize(
    ("fault", "title"),
    [
        (f"shut {UPLINK}", f"{UPLINK} is administratively down"),
        (
            f"lanes {UPLINK} {LEAF}:63",
            f"{UPLINK} claims the lanes of {LEAF}:63: the chip makes one of the two ports only",
        ),
        (f"speed {UPLINK} 400000", f"Speed or lanes of {UPLINK} are not as planned"),
        (f"enable {LEAF}:14", f"{LEAF}:14 is up although the intent has it down"),
        (f"impostor {LEAF} a-su1-r2-leaf", f"a-su1-r2-leaf answers at the address of {LEAF}"),
    ],
)
def test_a_title_says_what_was_done(lab: Lab, fault: str, title: str) -> None:
    assert [f.title for f in found(lab, fault).findings] == [title]


def test_what_the_box_did_not_program_is_told_apart_from_what_is_not_configured(lab: Lab) -> None:
    (finding,) = found(lab, f"unapplied {UPLINK} mtu 9100").findings
    assert finding.title.endswith("configured, and not programmed")
    assert finding.comparisons[0].observed == {"running": "9216", "saved": "9216", "applied": "9100"}


def test_a_stock_dscp_map_names_the_map_and_every_port_that_uses_it(lab: Lab) -> None:
    (finding,) = found(lab, f"dscp-stock {LEAF}").findings
    assert len(finding.objects) == 8
    assert sorted({c.what.split()[1].split(".")[1] for c in finding.comparisons}) == [
        "dscp_to_tc",
        "ports",
        "switch_dscp_to_tc",
    ]


def test_two_faults_on_one_switch_are_two_findings(lab: Lab) -> None:
    with broken(lab, f"mtu {UPLINK} 9100"):
        control.break_(lab.folder, "pfc", [UPLINK])
        control.break_(lab.folder, "weight", [LEAF, "ROCE", "20"])
        result = lab.audit()
    assert sorted(f.rule for f in result.findings) == ["ETS-01", "INT-04", "PFC-01"]


def test_what_is_wrong_beside_a_dead_link_is_no_part_of_it(lab: Lab) -> None:
    with broken(lab, f"shut {UPLINK}"):
        control.break_(lab.folder, "mtu", [UPLINK, "9100"])
        result = lab.audit()
    assert sorted(f.rule for f in result.findings) == ["INT-01", "INT-04"]


def test_settings_at_both_ends_that_keep_a_link_down_are_two_things_to_do(lab: Lab) -> None:
    with broken(lab, f"fec {UPLINK} none"):
        control.break_(lab.folder, "shut", [f"{SPINE}:1"])
        result = lab.audit()
    assert sorted((f.rule, f.device) for f in result.findings) == [("INT-01", SPINE), ("INT-03", LEAF)]
