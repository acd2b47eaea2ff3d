"""What links and hosts can be beside the common case, on a running lab of Junos: pushed, and as intended."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e import test_outside, test_vlan, test_vrf
from netaudit import pipeline
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

INTENTS = {
    "a VRF, external neighbors in and out of it": test_vrf.TEXT.replace("Vrf_storage", "storage"),
    "hosts in a VLAN": test_vlan.TEXT,
    "hosts and neighbors that speak BGP": test_outside.INTENT,
}


@pytest.mark.parametrize("kind", INTENTS)
def test_a_fabric_is_pushed_and_is_as_intended(tmp_path: Path, kind: str) -> None:
    text = INTENTS[kind].replace("platform: sonic", "platform: junos").replace('sonic: "202411"', 'junos: "24.4R1-EVO"')
    assert "junos" in text
    intent, folder = tmp_path / "intent.yml", tmp_path / "lab"
    intent.write_text(text, encoding="utf-8")
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, folder)
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder)))
    try:
        result = pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
        assert (result.exit_code, result.stopped) == (0, "")
        assert [device.diff for device in pipeline.plan(expected, targets).changes] == []
        audit = pipeline.audit(expected, str(intent), pipeline.observe(expected, targets))
        assert ([f.title for f in audit.findings], audit.not_audited, audit.exit_code()) == ([], (), 0)
    finally:
        control.down(folder)
