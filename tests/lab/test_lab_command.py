"""What `netaudit lab` says of faults, without a lab running."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.cli.run import run
from netaudit.lab.sim.faults import FAULTS


def test_every_fault_is_listed_with_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "faults"]) == 0
    printed = capsys.readouterr().out
    for kind, (arguments, _) in FAULTS.items():
        assert f"  {' '.join((kind, *arguments))}  " in printed


def test_a_fault_without_a_lab_says_how_to_start_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "break", "hang", "a-spine1", "--dir", str(tmp_path)]) == 1
    assert "netaudit lab up" in capsys.readouterr().err
