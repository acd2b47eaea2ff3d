"""Border, external neighbors and hosts that speak BGP on a running lab: as intended, and each fault of theirs once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from intent.example import small

from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

INTENT = small(
    units="{su1: {hosts: 2}, su2: {hosts: 1}}",
    hosts="{nic: cx8, speed: 400G, attach: bgp}",
    addressing='{loopbacks: [10.255.0.0/16, "fd00:ff::/48"], hosts: [10.0.0.0/10, "fd00:aa::/40"]}',
    blocks="{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4, "
    'originates: [0.0.0.0/0, "::/0"]}}',
    external="{core1: {asn: 64512, lldp: core1.example.net, "
    'prefixes: [10.160.0.0/16, "fd00:99::/32"]}, core2: {asn: 64513}}',
    links='[{a: "a-border1:1", b: "core1:et-0/0/1", speed: 400G, cable: 15m dr4}, '
    '{id: 7, a: "core2:xe-1", b: "a-border1:2/2", speed: 400G, cable: 15m dr4}, '
    '{a: "a-border2:4", b: "core1:et-0/0/2", speed: 400G, cable: 15m dr4}, '
    '{a: "b-border1:4", b: "core2:et-0/0/9", speed: 400G, cable: 15m dr4}, '
    '{a: "b-border1:5", b: "core2:et-0/0/8", speed: 400G, cable: 15m dr4, status: planned}]',
)
HOST = "a-su1-r1-leaf:1/1"

# what is broken → the one rule, and an object of the finding
ONE_FINDING = {
    "session a-border1:1": ("BGP-01", "a-border1:1 – core1:et-0/0/1"),
    "session a-border1:2/2": ("BGP-01", "a-border1:2/2 – core2:xe-1"),
    "link a-border1:1": ("INT-01", "a-border1:1 – core1:et-0/0/1"),
    "link a-border1:2/2": ("INT-01", "a-border1:2/2 – core2:xe-1"),
    "asn core1 64999": ("BGP-02", "core1"),
    "asn core2 64999": ("BGP-02", "core2"),
    "withdraw core1 10.160.0.0/16": ("RIB-01", "10.160.0.0/16"),
    "withdraw core1.example.net fd00:99::/32": ("RIB-01", "fd00:99::/32"),
    "announce core2 10.0.0.0/30": ("RIB-01", "10.0.0.0/30"),
    "announce core2 10.255.0.1/32": ("RIB-01", "10.255.0.1/32"),
    "announce core2 10.0.0.1/32": ("RIB-01", "10.0.0.1/32"),  # a part of a host block
    "swap a-border1:1 a-border2:4": ("CAB-02", "a-border1:1 – core1:et-0/0/1"),
    "swap a-border1:1 b-border1:4": ("CAB-02", "a-border1:1 – core1:et-0/0/1"),
    f"session {HOST}": ("BGP-01", f"su1-h1:r1/a – {HOST}"),
    f"link {HOST}": ("INT-01", f"su1-h1:r1/a – {HOST}"),
    "asn su2-h1 4200000002": ("BGP-01", "su2-h1:r1/a – a-su2-r1-leaf:1/1"),
}
NO_FINDING = (
    "announce core1 203.0.113.0/24",  # not on its list, so our policy holds it
    "announce core1 10.0.0.0/30",
    "announce core2 203.0.113.0/24",  # it has no list: information, not drift
    "withdraw core2 198.51.100.0/24",
    "asn su1-h1 65001",
    "withdraw su1-h1 10.0.0.1/32",
    "announce su1-h1 0.0.0.0/0",
    "announce su1-h1 10.0.0.0/30",  # the block itself is the leaf's
)


@dataclass(frozen=True, slots=True)
class Border:
    folder: Path
    expected: Expected
    targets: dict[str, Target]

    def audit(self) -> AuditResult:
        return pipeline.audit(self.expected, "fabric.yml", pipeline.observe(self.expected, self.targets))


@pytest.fixture(scope="module")
def border(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Border]:
    folder = tmp_path_factory.mktemp("border")
    (folder / "fabric.yml").write_text(INTENT, encoding="utf-8")
    expected, lab = pipeline.load_fabric(folder / "fabric.yml"), folder / "lab"
    write_lab(expected.built, lab)
    try:
        targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(lab)))
        done = pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
        assert not done.stopped
        yield Border(lab, expected, targets)
    finally:
        control.down(lab)


def test_what_was_pushed_is_as_intended_and_planned_again_changes_nothing(border: Border) -> None:
    again = pipeline.plan(border.expected, border.targets)
    assert (again.changes, again.blocked) == ((), ())
    result = border.audit()
    assert (result.findings, result.not_audited, result.exit_code()) == ((), (), 0)


def test_the_lab_tells_who_else_speaks(border: Border) -> None:
    told = control.status(border.folder)["neighbors"]
    assert isinstance(told, list)
    assert {"core1 AS 64512", "core2 AS 64513", "su1-h1 AS 65534"} <= set(told)


@pytest.mark.parametrize("fault", ONE_FINDING)
def test_a_fault_alone_is_one_finding_at_its_place(border: Border, fault: str) -> None:
    rule, place = ONE_FINDING[fault]
    kind, *arguments = fault.split()
    control.break_(border.folder, kind, arguments)
    try:
        result = border.audit()
    finally:
        control.heal(border.folder)
    assert [f.rule for f in result.findings] == [rule], [f.title for f in result.findings]
    assert place in result.findings[0].objects
    assert result.exit_code() == 2


@pytest.mark.parametrize("fault", NO_FINDING)
def test_what_a_policy_holds_and_what_is_a_neighbors_own_affair_is_no_finding(border: Border, fault: str) -> None:
    kind, *arguments = fault.split()
    control.break_(border.folder, kind, arguments)
    try:
        result = border.audit()
    finally:
        control.heal(border.folder)
    assert (result.findings, result.exit_code()) == ((), 0), [f.title for f in result.findings]
