"""Hosts in a VLAN, on a lab of real gRPC and SSH: pushed, audited, broken, and changed from a /31 a port and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from expect.test_attached_by_vlan import FOURTH, LEAF, SIXTH, TEXT

from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

VLAN, HOST = f"{LEAF}:Vlan1000", f"{LEAF}:1/1"
# what is broken → the one rule, the exit code, an object of the finding
ONE_FINDING = {
    f"vlan {LEAF} 42": ("ADR-08", 2, f"{LEAF}:Vlan42"),
    "vlan a-spine1 42": ("ADR-08", 2, "a-spine1:Vlan42"),
    f"vlan-gone {LEAF} 1000": ("ADR-08", 2, VLAN),
    f"vlan-member {HOST} 1000 none": ("ADR-07", 2, VLAN),
    f"vlan-member {HOST} 1000 tagged": ("ADR-07", 2, VLAN),
    f"vlan-member {LEAF}:2 1000 untagged": ("ADR-07", 2, VLAN),
    f"vlan-member {HOST} 42 untagged": ("ADR-08", 2, f"{LEAF}:Vlan42"),
    f"address {VLAN} 10.0.0.14/29": ("ADR-01", 2, VLAN),
    f"address {VLAN} 10.0.0.1/29": ("ADR-01", 2, VLAN),
    f"address {VLAN} fd00:aa::7/126": ("ADR-01", 2, VLAN),
    f"mtu {HOST} 1500": ("INT-04", 2, HOST),
}
FOREIGN = {
    "VLAN": {"Vlan42": {"vlanid": "42"}},
    "VLAN_MEMBER": {"Vlan42|Ethernet192": {"tagging_mode": "untagged"}},
    "VLAN_INTERFACE": {"Vlan42": {}, "Vlan42|192.0.2.1/24": {}},
}
"""A VLAN of a second engineer's on a spare port."""


class Lab:
    """A lab that takes the place of a site, and what is done to it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        self.expected = self.load(text)
        write_lab(self.expected.built, folder / "lab")

    def load(self, text: str) -> Expected:
        file = self.folder / "fabric.yml"
        file.write_text(text)
        return pipeline.load_fabric(file)

    def box(self, name: str) -> Path:
        return self.folder / "lab" / "devices" / name

    def boot(self) -> None:
        endpoints = control.up(self.folder / "lab")
        self.targets: dict[str, Target] = dict(pipeline.targets(self.expected, tuple(self.expected.devices), endpoints))

    def push(self, expected: Expected) -> int:
        """The exit code of a push of all that differs; 0 is verified."""
        plan = pipeline.plan(expected, self.targets)
        assert plan.exit_code() == 0
        assert plan.changes
        return pipeline.carry_out(plan, self.targets, self.folder / "runs").exit_code

    def audit(self, expected: Expected) -> AuditResult:
        return pipeline.audit(expected, "fabric.yml", pipeline.observe(expected, self.targets))

    def assert_as_intended(self, expected: Expected) -> None:
        """No finding, nothing unread, and nothing left to change."""
        result = self.audit(expected)
        assert (result.exit_code(), result.findings, result.not_audited) == (0, (), ())
        assert pipeline.plan(expected, self.targets).changes == ()


@contextmanager
def running(folder: Path, text: str) -> Iterator[Lab]:
    lab = Lab(folder, text)
    try:
        lab.boot()
        yield lab
    finally:
        control.down(folder / "lab")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Both families, a planned unit, and on one leaf the VLAN of somebody else."""
    folder = tmp_path_factory.mktemp("vlan")
    made = Lab(folder, TEXT)
    file = made.box(LEAF) / "etc/sonic/config_db.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **FOREIGN}))
    try:
        made.boot()
        assert made.push(made.expected) == 0
        yield made
    finally:
        control.down(folder / "lab")


def test_a_fabric_with_a_planned_unit_is_pushed_and_is_as_intended(lab: Lab) -> None:
    lab.assert_as_intended(lab.expected)
    saved = json.loads((lab.box(LEAF) / "etc/sonic/config_db.json").read_text())
    assert set(saved["VLAN"]) == {"Vlan1000"}, "VLAN 42 is in a table that is ours, as a row of INTERFACE would be"
    assert not any("42" in key.partition("|")[0] for key in (*saved["VLAN_MEMBER"], *saved["VLAN_INTERFACE"]))


@pytest.mark.parametrize("text", [FOURTH, SIXTH], ids=["IPv4", "IPv6 alone"])
def test_a_fabric_of_one_family_is_pushed_and_is_as_intended(tmp_path: Path, text: str) -> None:
    with running(tmp_path, text) as lab:
        assert lab.push(lab.expected) == 0
        lab.assert_as_intended(lab.expected)


@pytest.mark.parametrize("fault", ONE_FINDING)
def test_a_fault_alone_is_one_finding_at_its_place(lab: Lab, fault: str) -> None:
    rule, code, place = ONE_FINDING[fault]
    kind, *words = fault.split()
    control.break_(lab.folder / "lab", kind, words)
    try:
        result = lab.audit(lab.expected)
    finally:
        control.heal(lab.folder / "lab")
    assert [f.rule for f in result.findings] == [rule], [f.title for f in result.findings]
    assert place in result.findings[0].objects
    assert (result.exit_code(), result.not_audited) == (code, ())


def test_what_the_second_engineer_adds_later_is_found_planned_away_and_gone_by_a_push(lab: Lab) -> None:
    control.break_(lab.folder / "lab", "vlan", [LEAF, "42"])
    plan = pipeline.plan(lab.expected, lab.targets)
    assert [change.name for change in plan.changes] == [LEAF]
    assert pipeline.carry_out(plan, lab.targets, lab.folder / "runs").exit_code == 0
    lab.assert_as_intended(lab.expected)
    control.heal(lab.folder / "lab")
    lab.assert_as_intended(lab.expected)


def test_a_fabric_goes_from_a_link_a_port_to_a_vlan_to_another_number_and_back(tmp_path: Path) -> None:
    texts = (
        TEXT.replace("attach: vlan", "attach: routed"),
        TEXT,
        TEXT.replace("attach: vlan", "attach: vlan, vlan: 42"),
        TEXT.replace("attach: vlan", "attach: routed"),
    )
    with running(tmp_path, texts[0]) as lab:
        for text in texts:
            expected = lab.load(text)
            assert lab.push(expected) == 0
            lab.assert_as_intended(expected)
