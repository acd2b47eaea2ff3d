"""The main job on a virtual fabric with real gRPC and real SSH: push, audit clean, break, find each fault once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.conftest import FOREIGN_DEVICE, FOREIGN_TABLES, Lab
from netaudit import pipeline
from netaudit.lab import control
from netaudit.push.result import PushResult

pytestmark = pytest.mark.lab

# what is broken → rules found (each once), exit code, the object of the first finding
FAULTS = {
    "swap of two uplinks to one spine": (
        ["swap", "a-su1-r1-leaf:64", "a-su1-r2-leaf:64"], ["CAB-02"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "swap of two uplinks of one leaf": (
        ["swap", "a-su1-r1-leaf:64", "a-su1-r1-leaf:62"], ["CAB-02"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "swap across planes": (
        ["swap", "a-su2-r1-leaf:63", "b-su2-r1-leaf:63"], ["CAB-02"], 2, "a-su2-r1-leaf:63 – a-spine1:10"),
    "swap of two hosts": (
        ["swap", "b-su1-r1-leaf:1/1", "b-su1-r2-leaf:1/1"], ["CAB-02"], 2, "su1-h1:r1/b – b-su1-r1-leaf:1/1"),
    "swap of a host with an uplink": (
        ["swap", "a-su1-r1-leaf:1/1", "a-su1-r1-leaf:64"], ["CAB-02"], 2, "a-su1-r1-leaf:64 – a-spine1:1"),
    "uplink cut": (["link", "a-su1-r3-leaf:63"], ["INT-01"], 2, "a-su1-r3-leaf:63 – a-spine1:6"),
    "uplink cut, named from the spine": (["link", "a-spine1:6"], ["INT-01"], 2, "a-su1-r3-leaf:63 – a-spine1:6"),
    "host link cut": (["link", "b-su2-r4-leaf:2/2"], ["INT-01"], 2, "su2-h4:r4/b – b-su2-r4-leaf:2/2"),
    "session stuck": (["session", "b-su2-r1-leaf:62"], ["BGP-01"], 2, "b-su2-r1-leaf:62 – b-spine2:9"),
    "wrong ASN of a spine": (["asn", "b-spine2", "4200999999"], ["BGP-02"], 2, "b-spine2"),
    "wrong ASN of a leaf": (["asn", "a-su1-r1-leaf", "65001"], ["BGP-02"], 2, "a-su1-r1-leaf"),
    "ASN of a leaf is that of its spines": (
        ["asn", "a-su1-r1-leaf", "4200100000"], ["BGP-02"], 2, "a-su1-r1-leaf"),
    "hosts of a leaf withdrawn": (["withdraw", "a-su2-r4-leaf", "10.0.0.112/28"], ["RIB-01"], 2, "10.0.0.112/28"),
    "loopback of a spine withdrawn": (["withdraw", "a-spine1", "10.255.32.1/32"], ["RIB-01"], 2, "10.255.32.1/32"),
    "IPv6 loopback withdrawn": (
        ["withdraw", "b-spine1", "fd00:ff:0:a000::1/128"], ["RIB-01"], 2, "fd00:ff:0:a000::1/128"),
    "extra prefix that spreads": (["announce", "b-spine1", "10.32.3.0/28"], ["RIB-01"], 2, "10.32.3.0/28"),
    "extra prefix that policies stop": (
        ["announce", "a-su1-r1-leaf", "203.0.113.0/24"], ["RIB-01"], 2, "203.0.113.0/24"),
    "default route": (["announce", "a-su1-r1-leaf", "0.0.0.0/0"], ["RIB-01"], 2, "0.0.0.0/0"),
    "spine unreachable": (["unreachable", "a-spine2"], [], 3, ""),
    "leaf unreachable": (["unreachable", "b-su1-r2-leaf"], [], 3, ""),
}  # fmt: skip


def test_the_first_push_brings_every_switch_to_the_intent(lab: Lab) -> None:
    assert isinstance(lab.first_push, PushResult)
    assert lab.first_push.exit_code == 0
    assert set(lab.first_push.done) == set(lab.expected.devices)


def test_the_second_push_is_empty(lab: Lab) -> None:
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [(d.name, d.diff) for d in plan.changes] == []
    assert plan.blocked == ()


def test_a_fabric_as_intended_has_no_finding(lab: Lab) -> None:
    result = lab.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)
    assert {d.audited for d in result.devices} == {"complete"}
    assert result.route_tables == len(lab.expected.devices)


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_alone_is_named_once(lab: Lab, name: str) -> None:
    words, rules, code, what = FAULTS[name]
    control.break_(lab.folder, words[0], words[1:])
    try:
        result = lab.audit()
    finally:
        control.heal(lab.folder)
    assert [f.rule for f in result.findings] == rules, [f.title for f in result.findings]
    assert result.exit_code() == code
    if what:
        assert what in result.findings[0].objects
    if code == 3:
        assert [(n.device, n.what) for n in result.not_audited] == [(words[1], "everything")]


def test_a_dead_link_carries_its_session_and_its_routes(lab: Lab) -> None:
    control.break_(lab.folder, "link", ["a-su1-r3-leaf:63"])
    try:
        (finding,) = lab.audit().findings
    finally:
        control.heal(lab.folder)
    # the leaf loses one of two links to spine 1: all 25 prefixes it learns leave by 3 ports; the spine keeps 1 of 2
    # to the leaf's three prefixes (topology.md section 5); spine loopbacks v4 and v6 are among the leaf's
    assert [c.text for c in finding.consequences] == ["1 BGP session", "26 routes on 2 devices"]


def test_two_faults_on_disjoint_objects_are_two_findings(lab: Lab) -> None:
    control.break_(lab.folder, "link", ["a-su1-r3-leaf:63"])
    control.break_(lab.folder, "swap", ["b-su1-r1-leaf:64", "b-su1-r2-leaf:64"])
    try:
        result = lab.audit()
    finally:
        control.heal(lab.folder)
    assert sorted(f.rule for f in result.findings) == ["CAB-02", "INT-01"]


def test_a_fault_beside_an_unreachable_switch_is_still_found_and_the_exit_code_says_incomplete(lab: Lab) -> None:
    control.break_(lab.folder, "unreachable", ["a-spine1"])
    control.break_(lab.folder, "link", ["a-su1-r3-leaf:63"])
    try:
        result = lab.audit()
    finally:
        control.heal(lab.folder)
    assert [f.rule for f in result.findings] == ["INT-01"]
    assert [n.device for n in result.not_audited] == ["a-spine1"]
    assert result.exit_code() == 3


def test_what_another_owner_put_on_a_switch_is_untouched(lab: Lab) -> None:
    saved = json.loads((lab.box(FOREIGN_DEVICE) / "etc/sonic/config_db.json").read_text())
    assert {name: saved[name] for name in FOREIGN_TABLES} == FOREIGN_TABLES
    assert saved["DEVICE_METADATA"]["localhost"]["timezone"] == "Asia/Tokyo"
    assert saved["PORT"]["Ethernet504"]["tpid"] == "0x8100"
    assert saved["PORT"]["Ethernet504"]["mtu"] == "9216"
    factory = {"FLEX_COUNTER_TABLE", "FEATURE", "MGMT_PORT"}
    assert factory <= saved.keys()


def test_nothing_of_a_push_is_left_on_a_switch(lab: Lab) -> None:
    assert list(lab.box("a-spine1").rglob("*netaudit*")) == []


def test_a_snapshot_audits_as_the_devices_did(lab: Lab, tmp_path: Path) -> None:
    control.break_(lab.folder, "link", ["a-su1-r3-leaf:63"])
    try:
        snapshot, missing = pipeline.record(lab.expected, lab.targets, tmp_path / "snap")
    finally:
        control.heal(lab.folder)
    assert missing == {}
    replayed = pipeline.replay(lab.expected, snapshot, lab.expected.devices)
    result = pipeline.audit(lab.expected, "two-plane.yml", replayed)
    assert [f.rule for f in result.findings] == ["INT-01"]


def test_what_settles_before_the_second_look_is_no_finding(lab: Lab) -> None:
    control.break_(lab.folder, "link", ["a-su1-r3-leaf:63"])
    result = pipeline.audit(
        lab.expected,
        "two-plane.yml",
        list(pipeline.observe(lab.expected, lab.targets)),
        again=lambda names: pipeline.observe(lab.expected, {n: lab.targets[n] for n in names}),
        settle_s=1.0,
        wait=lambda _: control.heal(lab.folder) and None,
    )
    assert result.findings == ()
    assert [c.split()[0] for c in result.changed_during] == ["INT-01"]


def test_only_the_chosen_devices_are_asked_and_spoken_of(lab: Lab) -> None:
    names = pipeline.select(lab.expected, "plane=a unit=su1 role=leaf")
    assert names == tuple(f"a-su1-r{r}-leaf" for r in range(1, 5))
    chosen = {name: lab.targets[name] for name in names}
    result = pipeline.audit(lab.expected, "two-plane.yml", pipeline.observe(lab.expected, chosen), scope=names)
    assert (result.findings, result.not_audited) == ((), ())
    assert [d.name for d in result.devices] == list(names)
