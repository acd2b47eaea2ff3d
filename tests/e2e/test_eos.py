"""EOS in a fabric, alone and beside SONiC: push, audit clean, break, find each fault once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from e2e.eos_fabric import LEAF, SPINE, Lab, running
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.ssh import Completed, SshClient, open_ssh
from netaudit.lab import control

pytestmark = pytest.mark.lab

KINDS = (("eos", "eos"), ("sonic", "eos"), ("eos", "sonic"))
HASH = "$6$NETAUDIT$simulated.hash.of.no.password"
"""What stands in every factory configuration and may stand in nothing that netaudit writes."""


@pytest.fixture(scope="module", params=KINDS, ids=lambda kinds: f"{kinds[0]} under {kinds[1]}")
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running(tmp_path_factory.mktemp("eos"), *request.param) as one:
        yield one


def test_the_first_push_brings_every_switch_to_the_intent(lab: Lab) -> None:
    assert (lab.first_push.exit_code, set(lab.first_push.done)) == (0, set(lab.expected.devices))


def test_the_second_push_is_empty(lab: Lab) -> None:
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [(d.name, d.diff) for d in plan.changes] == []
    assert plan.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    assert {d.audited for d in result.devices} == {"complete"}
    assert result.route_tables == len(lab.expected.devices)


def test_what_others_configured_is_there_as_before(lab: Lab) -> None:
    for name in lab.arista():
        text = lab.startup(name).read_text()
        assert HASH in text
        assert "interface Management1\n   vrf MGMT\n   ip address 192.0.2.1/24\n" in text
        assert "ntp server vrf MGMT 192.0.2.123\n" in text


def test_nothing_of_a_run_is_left_on_a_switch(lab: Lab) -> None:
    left = [str(file) for file in lab.boxes.glob("devices/*/mnt/flash/*") if "netaudit" in file.name]
    assert left == []
    for name in lab.arista():
        client = open_ssh(lab.targets[name])
        assert isinstance(client, SshClient)
        with client:
            told = client.run("show configuration sessions | json", 10)
        assert isinstance(told, Completed)
        assert '"pending"' not in told.stdout


def test_no_secret_of_a_switch_is_kept(lab: Lab) -> None:
    kept = [str(f) for f in (lab.folder / "runs").rglob("*") if f.is_file() and "$6$" in f.read_text()]
    assert kept == []


# what is broken → rules found (each once), exit code, the object of the first finding
ANYWHERE = {
    "uplink cut": (["link", f"{LEAF}:63"], ["INT-01"], 2, f"{LEAF}:63 – {SPINE}:2"),
    "host link cut": (["link", f"{LEAF}:1/2"], ["INT-01"], 2, f"su1-h2:r1/a – {LEAF}:1/2"),
    "session stuck": (["session", f"{LEAF}:62"], ["BGP-01"], 2, f"{LEAF}:62 – a-spine2:1"),
    "swap of two uplinks to one spine": (
        ["swap", f"{LEAF}:64", "a-su1-r2-leaf:64"], ["CAB-02"], 2, f"{LEAF}:64 – {SPINE}:1"),
    "swap of two uplinks of one leaf": (
        ["swap", f"{LEAF}:64", f"{LEAF}:62"], ["CAB-02"], 2, f"{LEAF}:64 – {SPINE}:1"),
    "wrong ASN of a spine": (["asn", SPINE, "65001"], ["BGP-02"], 2, SPINE),
    "wrong ASN of a leaf": (["asn", LEAF, "65001"], ["BGP-02"], 2, LEAF),
    "BGP of a spine dead": (["bgpd", SPINE], ["BGP-01"], 3, ""),
    "hosts of a leaf withdrawn": (["withdraw", LEAF, "10.0.0.0/28"], ["RIB-01"], 2, "10.0.0.0/28"),
    "extra prefix that spreads": (["announce", SPINE, "10.32.3.0/28"], ["RIB-01"], 2, "10.32.3.0/28"),
    "default route": (["announce", LEAF, "0.0.0.0/0"], ["RIB-01"], 2, "0.0.0.0/0"),
    "spine unreachable": (["unreachable", SPINE], [], 3, ""),
    "leaf unreachable": (["unreachable", LEAF], [], 3, ""),
    "silent spine": (["lldp", SPINE], ["MGT-09"], 2, ""),
    "a port that is said to be down": (["lie", f"{SPINE}:1"], ["INT-01"], 2, ""),
    "MAC address as port id, name as description": (["port-id", SPINE, "mac"], [], 0, ""),
    "MAC address as port id alone": (["port-id", SPINE, "mac-only"], [], 0, ""),
}  # fmt: skip


def broken(lab: Lab, *words: str) -> AuditResult:
    control.break_(lab.boxes, words[0], words[1:])
    try:
        return lab.audit()
    finally:
        control.heal(lab.boxes)


@pytest.mark.parametrize("name", ANYWHERE)
def test_each_fault_alone_is_named_once(lab: Lab, name: str) -> None:
    words, rules, code, what = ANYWHERE[name]
    result = broken(lab, *words)
    assert [f.rule for f in result.findings] == rules, [f.title for f in result.findings]
    assert result.exit_code() == code
    if what:
        assert what in result.findings[0].objects


QUEUE = "qos profile NETAUDIT-800G ; uc-tx-queue 3 ; "
# lines somebody types on an EOS switch → the rule that finds them
TYPED = {
    "MTU": ("interface {port} ; mtu 1500", "INT-04"),
    "PFC off": ("qos profile NETAUDIT-800G ; no priority-flow-control priority 3", "PFC-01"),
    "watchdog off": ("qos profile NETAUDIT-800G ; no priority-flow-control pause watchdog", "WD-01"),
    "ECN thresholds": (
        QUEUE + "random-detect ecn minimum-threshold 100 kbytes maximum-threshold 200 kbytes max-mark-probability 100",
        "ECN-03",
    ),
    "share of a queue": (QUEUE + "bandwidth percent 20", "ETS-01"),
    "DSCP": ("qos map dscp 26 to traffic-class 4", "QOS-02"),
    "ECMP": ("router bgp {asn} ; maximum-paths 2 ecmp 2", "BGP-07"),
}


@pytest.mark.parametrize("name", TYPED)
def test_a_line_typed_on_a_switch_is_found_once(lab: Lab, name: str) -> None:
    device = lab.arista()[-1] if SPINE not in lab.arista() else SPINE
    bgp = lab.expected.device(device).bgp
    assert bgp is not None
    lines, rule = TYPED[name]
    port = "Ethernet64/1" if "leaf" in device else "Ethernet1/1"
    result = broken(lab, "typed", device, lines.format(port=port, asn=bgp.asn))
    assert [f.rule for f in result.findings] == [rule], [f.title for f in result.findings]
    assert result.exit_code() == 2


def test_a_reload_that_would_bring_back_something_else_is_found(lab: Lab) -> None:
    file = lab.startup(lab.arista()[0])
    good = file.read_text()
    file.write_text(good.replace("\n   mtu 9214\n", "\n   mtu 9000\n", 1))
    try:
        result = lab.audit()
    finally:
        file.write_text(good)
    assert [f.rule for f in result.findings] == ["MGT-03"], [f.title for f in result.findings]


def test_healed_is_as_intended(lab: Lab) -> None:
    assert lab.audit().exit_code() == 0
