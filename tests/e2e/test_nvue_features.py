"""What a fabric can have beside its pattern, on Cumulus Linux: VRFs, VLANs, hosts and neighbors that speak BGP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.test_outside import INTENT as OUTSIDE
from e2e.test_vlan import TEXT as VLANS
from e2e.test_vrf import TEXT as VRFS
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

INTENTS = {"outside": OUTSIDE, "vlans": VLANS, "vrfs": VRFS}


@dataclass(frozen=True)
class Lab:
    """A running lab, pushed to."""

    folder: Path
    expected: Expected
    targets: dict[str, Target]

    def audit(self) -> AuditResult:
        return pipeline.audit(self.expected, "fabric.yml", pipeline.observe(self.expected, self.targets))

    def broken(self, words: str) -> AuditResult:
        kind, *arguments = words.split()
        control.break_(self.folder, kind, arguments)
        try:
            return self.audit()
        finally:
            control.heal(self.folder)


def pushed(folder: Path, text: str) -> Lab:
    file = folder / "fabric.yml"
    file.write_text(text.replace("platform: sonic", "platform: nvue"), encoding="utf-8")
    expected = pipeline.load_fabric(file)
    assert {device.platform for device in expected.built.devices.values()} == {"nvue"}
    write_lab(expected.built, folder / "lab")
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder / "lab")))
    result = pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
    assert (result.exit_code, result.stopped) == (0, "")
    return Lab(folder / "lab", expected, targets)


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Lab]]:
    made: dict[str, Lab] = {}
    try:
        for name, text in INTENTS.items():
            folder = tmp_path_factory.mktemp(name)
            try:
                made[name] = pushed(folder, text)
            finally:
                if name not in made:
                    control.down(folder / "lab")
        yield made
    finally:
        for lab in made.values():
            control.down(lab.folder)


@pytest.mark.parametrize("name", INTENTS)
def test_a_fabric_is_as_intended_once_it_is_pushed(labs: dict[str, Lab], name: str) -> None:
    lab = labs[name]
    result = lab.audit()
    assert [f.title for f in result.findings if f.rule != "RIB-07"] == []
    assert result.not_audited == ()
    assert pipeline.plan(lab.expected, lab.targets).changes == ()


# what is broken → the one rule, an object of the finding
FAULTS = {
    ("outside", "session a-border1:1"): ("BGP-01", "a-border1:1 – core1:et-0/0/1"),
    ("outside", "link a-border1:2/2"): ("INT-01", "a-border1:2/2 – core2:xe-1"),
    ("outside", "asn core1 64999"): ("BGP-02", "core1"),
    ("outside", "withdraw core1 10.160.0.0/16"): ("RIB-01", "10.160.0.0/16"),
    ("outside", "swap a-border1:1 a-border2:4"): ("CAB-02", "a-border1:1 – core1:et-0/0/1"),
    ("outside", "session a-su1-r1-leaf:1/1"): ("BGP-01", "su1-h1:r1/a – a-su1-r1-leaf:1/1"),
    ("vlans", "typed a-su1-r1-leaf nv unset interface swp1s0 bridge"): ("ADR-07", "a-su1-r1-leaf:Vlan1000"),
    ("vlans", "typed a-su1-r1-leaf nv unset interface vlan1000 ipv4"): ("ADR-01", "a-su1-r1-leaf:Vlan1000"),
    ("vrfs", "session a-border1:1"): ("BGP-01", "a-border1:1 – core1:et-0/0/1"),
    ("vrfs", "link a-border1:4"): ("INT-01", "a-border1:4 – a-border2:4"),
    ("vrfs", "withdraw core2 10.170.0.0/16"): ("RIB-01", "10.170.0.0/16 in VRF storage"),
    ("vrfs", "typed a-border1 nv unset interface swp1 vrf"): ("ADR-09", "a-border1:1 – core1:et-0/0/1"),
}


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_a_fault_alone_is_one_finding_at_its_place(labs: dict[str, Lab], name: str, fault: str) -> None:
    rule, place = FAULTS[name, fault]
    result = labs[name].broken(fault)
    assert [f.rule for f in result.findings] == [rule], [(f.title, f.objects) for f in result.findings]
    assert place in result.findings[0].objects
