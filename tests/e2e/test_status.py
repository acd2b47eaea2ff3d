"""A unit from planned to active, as a site grows: silence is right, then its own configuration, then traffic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conftest import INTENT
from netaudit import pipeline
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

ABSENT_UNIT = [f"{plane}-su2-r{rail}-leaf" for plane in "ab" for rail in range(1, 5)]


@pytest.fixture
def planned(tmp_path: Path) -> Iterator[tuple[Expected, dict[str, Target], Path]]:
    text = INTENT.read_text().replace("two-plane/", f"{INTENT.parent}/two-plane/")
    file = tmp_path / "planned.yml"
    file.write_text(re.sub(r"(su2: *\{)", r"\1status: planned, ", text, count=1))
    expected = pipeline.load_fabric(file)
    folder = tmp_path / "lab"
    write_lab(expected.built, folder)
    try:
        yield expected, dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder))), folder
    finally:
        control.down(folder)


def test_a_planned_unit_may_be_silent_then_is_configured_and_then_carries_traffic(
    planned: tuple[Expected, dict[str, Target], Path],
) -> None:
    expected, targets, folder = planned
    for name in ABSENT_UNIT:
        control.break_(folder, "unreachable", [name])
    plan = pipeline.plan(expected, targets)
    assert (plan.exit_code(), len(plan.changes)) == (0, 12), "who is not there yet is not missed"
    assert pipeline.carry_out(plan, targets, folder / "runs").exit_code == 0
    result = pipeline.audit(expected, "planned.yml", pipeline.observe(expected, targets))
    assert (result.exit_code(), result.findings, result.not_audited) == (0, (), ())
    assert {spot.what for spot in result.declared} >= set(ABSENT_UNIT), "and it is said"

    control.heal(folder)
    assert pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs").exit_code == 0
    assert pipeline.audit(expected, "planned.yml", pipeline.observe(expected, targets)).exit_code() == 0

    active = pipeline.load_fabric(INTENT)
    assert pipeline.audit(active, "two-plane.yml", pipeline.observe(active, targets)).exit_code() == 2
    assert pipeline.carry_out(pipeline.plan(active, targets), targets, folder / "runs").exit_code == 0
    assert pipeline.audit(active, "two-plane.yml", pipeline.observe(active, targets)).exit_code() == 0
