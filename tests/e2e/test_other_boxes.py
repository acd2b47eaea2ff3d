"""Boxes that are not NVIDIA's: booted as they ship, pushed, and found as intended, on a lab of real gRPC and SSH."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.hardware import switch
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

TEXT = """\
schema: 1
fabric: other
planes: [a]
rails: 1
units: {{su1: {{hosts: 2}}}}
hosts: {{nic: cx7, speed: {speed}}}
leaf: {{model: {leaf}, platform: sonic}}
spine: {{model: {spine}, platform: sonic, count: 1, links: 1, speed: {speed}}}
cables: {{host-leaf: 3m dac, leaf-spine: 30m {medium}}}
devices: devices.csv
"""
PAIRS = {
    "aliases and names by speed, one pool each way": ("dell-z9664f", "nokia-ixr7220-h5-64o", "400G", "dr4"),
    "other lanes than names, pools without headroom": ("nexthop-4010", "nexthop-4010", "400G", "dr4"),
    "fixed limits in place of alpha": ("arista-7260cx3-64", "nvidia-sn3800", "100G", "sr4"),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_fabric_of_other_boxes_is_pushed_and_as_intended(tmp_path: Path, pair: str) -> None:
    leaf, spine, speed, medium = PAIRS[pair]
    skus = [switch(name).default_hwsku for name in (leaf, spine)]
    rows = [
        f"a/su1/r1,a-su1-r1-leaf,S1,02:00:00:00:01:01,{skus[0]},198.51.100.11",
        f"a/spine/1,a-spine1,S2,02:00:00:00:01:02,{skus[1]},198.51.100.12",
    ]
    (tmp_path / "devices.csv").write_text("\n".join(("place,name,serial,mac,hwsku,management", *rows, "")))
    file = tmp_path / "fabric.yml"
    file.write_text(TEXT.format(leaf=leaf, spine=spine, speed=speed, medium=medium))
    expected = pipeline.load_fabric(file)
    write_lab(expected.built, tmp_path / "lab")
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(tmp_path / "lab")))
    try:
        pipeline.carry_out(pipeline.plan(expected, targets), targets, tmp_path / "runs")
        found = pipeline.audit(expected, str(file), pipeline.observe(expected, targets))
    finally:
        control.down(tmp_path / "lab")
    assert [finding.title for finding in found.findings] == []
    assert not found.not_audited
