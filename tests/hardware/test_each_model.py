"""Each model of the catalogue as leaf and as spine of a tiny fabric: `check` judges it, and makes sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit import hardware
from netaudit.checks import Checked
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.hardware import SwitchModel
from netaudit.intent import load
from netaudit.pipeline_check import check_all

TINY = """\
schema: 1
fabric: tiny
planes: [a]
rails: 1
units: {{su1: {{hosts: 2}}, su2: {{hosts: 2}}}}
hosts: {{nic: {nic}, speed: {speed}G}}
leaf: {{model: {model}, platform: {nos}}}
spine: {{model: {model}, platform: {nos}, count: 2, links: 1, speed: {speed}G}}
cables: {{host-leaf: 3m {medium}, leaf-spine: 30m {medium}}}
addressing: {{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10}}
buffers: {{shallow: {{headroom: {headroom}}}, deep: {{headroom: {headroom}}}}}
"""

BARRED = {"cisco-8122-64eh-o", "marvell-d64p512t", "micas-w6940-64oc", "nokia-ixr7250e-36x400g"}
"""PLT-04 is an error: what this version would render for them is wrong."""
DEEP = {"arista-7280r4-32qf-32df", "nexthop-5010", "nokia-ixr7250-x4"}
"""PLT-04 is a warning: VOQ boxes can be designed with."""
NO_TABLE = {"cisco-8122-64eh-o", "nokia-ixr7250-x4"}
"""No published row at the speeds of their cages."""


def speed_of(model: SwitchModel) -> int:
    """The fastest speed up to 400G, in Gb/s, that its cages have and its default table knows."""
    sku = model.hwskus[model.default_hwsku]
    cages = {speed for speeds in model.fabric_cages[0].breakouts.values() for speed in speeds}
    able = [speed for speed in (400_000, 200_000, 100_000) if speed in cages]
    return next((speed for speed in able if sku.lengths_m(speed)), (able or [800_000])[0]) // 1000


def judged(folder: Path, name: str, headroom: str) -> Checked:
    speed = speed_of(hardware.switch(name))
    nic = "cx8" if speed == 400 else "cx7"
    medium = "dr8" if speed == 800 else "dr4" if speed == 400 else "sr4"
    file = folder / "tiny.yml"
    nos = "junos" if hardware.switch(name).vendor == "Juniper" else "sonic"
    text = TINY.format(model=name, nos=nos, speed=speed, nic=nic, medium=medium, headroom=headroom)
    file.write_text(text, encoding="utf-8")
    return check_all(Expected(build(load(file))))


def errors(found: Checked) -> set[str | None]:
    return {d.rule for d in found.diagnostics if d.severity is Severity.ERROR}


@pytest.mark.parametrize("name", hardware.switch_names())
def test_a_fabric_of_one_model_with_computed_headroom_is_good_or_barred_with_the_reason(tmp_path, name):
    found = judged(tmp_path, name, "computed")
    refused = errors(found) - ({"NIC-01", "CAB-09"} if name == "nokia-ixr7250-x4" else set())  # 800G only
    assert refused == ({"PLT-04"} if name in BARRED else set())
    warned = {d.rule for d in found.diagnostics if d.severity is Severity.WARNING}
    assert ("PLT-04" in warned) is (name in DEEP)


@pytest.mark.parametrize("name", hardware.switch_names())
def test_a_published_table_is_taken_or_what_it_lacks_is_said(tmp_path, name):
    found = judged(tmp_path, name, "published")
    refused = errors(found) - {"NIC-01", "CAB-09", "PLT-04"}
    assert ("HDR-02" in refused) is (name in NO_TABLE)
    # tables of older releases are below what physics asks for today, and are told so
    assert refused <= {"HDR-02", "HDR-03"}
    for diagnostic in found.diagnostics:
        assert diagnostic.rule != "OWN-01", diagnostic.message
