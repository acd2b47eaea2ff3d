"""NX-OS with hosts in a VLAN, links in a VRF, and neighbors outside that speak BGP: pushed, clean, broken."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from expect.test_attached_by_vlan import TEXT as VLAN
from expect.test_vrfs import TEXT as VRF

from e2e.test_outside import INTENT as OUTSIDE
from netaudit import pipeline
from netaudit.audit.findings import AuditResult
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

TEXTS = {"VLAN": VLAN, "VRF": VRF, "outside": OUTSIDE}
# fabric → what is broken → the one rule
BROKEN: Mapping[str, Mapping[str, str]] = {
    "VLAN": {
        "typed a-su1-r1-leaf vlan 42": "ADR-08",
        "typed a-su1-r1-leaf interface Ethernet1/1/1 ; no switchport access vlan": "ADR-07",
        "typed a-su1-r1-leaf interface Vlan1000 ; ip address 10.0.0.14/29": "ADR-01",
    },
    "VRF": {
        "session a-border1:1": "BGP-01",
        "link a-border1:2/2": "INT-01",
        "withdraw core2 10.170.0.0/16": "RIB-01",
        "typed a-border1 interface Ethernet1/1 ; no vrf member storage": "ADR-09",
        "typed a-border1 no vrf context storage": "ADR-09",
    },
    "outside": {
        "session a-border1:1": "BGP-01",
        "withdraw core1 10.160.0.0/16": "RIB-01",
        "announce core2 10.0.0.0/30": "RIB-01",
        "session a-su1-r1-leaf:1/1": "BGP-01",
        "swap a-border1:1 a-border2:4": "CAB-02",
    },
}


def intent(name: str) -> str:
    """The text for NX-OS. Its links have addresses, so each that is listed has an id."""
    numbers = itertools.count(11)
    text = TEXTS[name].replace("platform: sonic", "platform: nxos")
    return re.sub(r'\{a: "', lambda _: f'{{id: {next(numbers)}, a: "', text)


def audit(expected: Expected, file: Path, targets: dict[str, Target]) -> AuditResult:
    return pipeline.audit(expected, str(file), pipeline.observe(expected, targets))


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_pushed_once_audited_clean_and_each_fault_is_found_once(tmp_path: Path, name: str) -> None:
    file, boxes = tmp_path / "fabric.yml", tmp_path / "lab"
    file.write_text(intent(name), encoding="utf-8")
    expected = pipeline.load_fabric(file)
    write_lab(expected.built, boxes)
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(boxes)))
    try:
        pushed = pipeline.carry_out(pipeline.plan(expected, targets), targets, tmp_path / "runs")
        assert pushed.exit_code == 0
        assert [d.diff for d in pipeline.plan(expected, targets).changes] == []
        clean = audit(expected, file, targets)
        assert ([f.title for f in clean.findings], clean.not_audited, clean.exit_code()) == ([], (), 0)
        for words, rule in BROKEN[name].items():
            kind, device, *rest = words.split(" ", 2)
            control.break_(boxes, kind, (device, *(rest if kind == "typed" else " ".join(rest).split())))
            found = audit(expected, file, targets)
            assert [f.rule for f in found.findings] == [rule], (words, [f.title for f in found.findings])
            control.heal(boxes)
    finally:
        control.down(boxes)
