"""Trimming and the fields of the hash, on a lab of real gRPC and SSH: pushed, audited, changed by patch, taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.platforms import Impact

pytestmark = pytest.mark.lab

TEXT = """\
schema: 1
fabric: trim
planes: [a]
rails: 1
units: {su1: {hosts: 2}}
hosts: {nic: cx8, speed: 400G}
leaf: {model: nvidia-sn5600, platform: sonic}
spine: {model: nvidia-sn5600, platform: sonic, count: 1, links: 1, speed: 400G}
cables: {host-leaf: 3m dac, leaf-spine: 40m dr4}
devices: devices.csv
load_balancing: {hash: [five-tuple]}
traffic:
  roce:    {dscp: [26], queue: 4, share: 60%, ecn: auto, trim: {dscp: 11}}
  trimmed: {dscp: [11], queue: 7, strict: true, cap: 10%}
  control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp, bfd]}
  default: {share: 40%}
"""
DEVICES = """\
place,name,serial,mac,hwsku,management
a/su1/r1,a-su1-r1-leaf,S1,02:00:00:00:01:01,ACS-SN5600,198.51.100.11
a/spine/1,a-spine1,S2,02:00:00:00:01:02,ACS-SN5600,198.51.100.12
"""


class Site:
    """A lab in place of a site, and the intents that are put into force there in turn."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "devices.csv").write_text(DEVICES)
        first = self.load(TEXT)
        write_lab(first.built, folder / "lab")
        endpoints = control.up(folder / "lab")
        self.targets: dict[str, Target] = dict(pipeline.targets(first, tuple(first.devices), endpoints))

    def load(self, text: str) -> Expected:
        file = self.folder / "fabric.yml"
        file.write_text(text)
        return pipeline.load_fabric(file)

    def push(self, text: str) -> set[Impact]:
        """Push until nothing differs; how far each switch was disturbed."""
        expected = self.load(text)
        plan = pipeline.plan(expected, self.targets)
        assert plan.exit_code() == 0
        assert pipeline.carry_out(plan, self.targets, self.folder / "runs").exit_code == 0
        assert pipeline.plan(expected, self.targets).changes == ()
        assert self.found(text) == []
        return {device.impact for device in plan.changes}

    def found(self, text: str) -> list[tuple[str, str]]:
        """(rule, place) of what an audit says against an intent."""
        expected = self.load(text)
        result = pipeline.audit(expected, "fabric.yml", pipeline.observe(expected, self.targets))
        assert result.not_audited == ()
        return sorted((f.rule, f.object) for f in result.findings)


def test_trimming_and_hash_are_pushed_changed_by_patch_and_taken_out(tmp_path: Path) -> None:
    smaller = TEXT.replace("trim: {dscp: 11}", "trim: {dscp: 11, size: 256B}")
    without = smaller.replace(", trim: {dscp: 11, size: 256B}", "")
    site = Site(tmp_path)
    try:
        site.push(TEXT)
        both = [("LB-09", f"{name} qos.trimming.size_bytes") for name in ("a-spine1", "a-su1-r1-leaf")]
        assert site.found(smaller) == both
        assert site.push(smaller) == {Impact.NONE}, "one field of one row"
        assert {rule for rule, _ in site.found(without)} >= {"LB-09"}
        site.push(without)
        unsaid = without.replace("load_balancing: {hash: [five-tuple]}\n", "")
        assert site.found(unsaid) == [], "what the intent says nothing of is the platform's own"
    finally:
        control.down(tmp_path / "lab")
