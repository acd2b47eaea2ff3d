"""The program on a fabric with Cumulus Linux as a user runs it: racked, pushed, audited, taken back; and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from e2e.test_nvue import HASH, SMALL, STARTUP
from e2e.test_program import PROGRAM, environment, netaudit, processes_of

pytestmark = pytest.mark.lab


def written(folder: Path) -> str:
    """The name of an intent."""
    text = SMALL.format(name="cumulus", leaf="nvue", spine="nvue").replace("count: 4", "count: 2")
    (folder / "fabric.yml").write_text(text, encoding="utf-8")
    return "fabric.yml"


def saved(folder: Path) -> dict[str, str]:
    """Switch → its startup.yaml, which is what runs, since an apply saves."""
    lab = folder / ".netaudit/lab/devices"
    return {box.name: (box / STARTUP).read_text(encoding="utf-8") for box in lab.iterdir()}


def test_the_walk_by_hand_and_back(tmp_path: Path) -> None:
    intent, targets = written(tmp_path), str(tmp_path / ".netaudit/lab/targets.json")
    try:
        up = netaudit(tmp_path, "lab", "up", "--sim", intent)
        assert up.returncode == 0, up.stderr
        factory = saved(tmp_path)
        assert len(factory) == 6
        plan = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json", "--full")
        assert plan.returncode == 0, plan.stderr
        push = netaudit(tmp_path, "push", "plan.json", "--targets", targets, "--yes")
        assert push.returncode == 0, push.stderr
        assert push.stdout.startswith("✔ push complete: 6 of 6 devices verified")
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json", "--detailed-exitcode")
        assert again.returncode == 0, again.stdout
        clean = netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s")
        assert clean.returncode == 0, clean.stdout
        doctor = netaudit(tmp_path, "doctor", intent, "--targets", targets)
        assert doctor.returncode == 0, (
            "an audit needs no gNMI, and a doctor says that there is none and that nothing is lost"
        )
        assert "the gNMI server is not enabled: nv set system gnmi-server state" in doctor.stdout
        assert netaudit(tmp_path, "lab", "break", "unreachable", "a-spine1").returncode == 0
        partly = netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s", "-o", "json")
        assert partly.returncode == 3
        assert json.loads(partly.stdout)["not_audited"][0]["device"] == "a-spine1"
        assert netaudit(tmp_path, "lab", "heal").returncode == 0
        (run,) = (f.stem for f in (tmp_path / "runs").glob("*-01.json"))
        back = netaudit(tmp_path, "rollback", run, "--targets", targets)
        assert back.returncode == 0, (back.stdout, back.stderr)
        assert saved(tmp_path) == factory
        told = "".join((plan.stdout, push.stdout, push.stderr, clean.stdout, back.stdout, back.stderr))
        files = [file for file in tmp_path.rglob("*") if file.is_file() and ".netaudit/lab" not in str(file)]
        assert HASH not in told
        assert [file.name for file in files if HASH.encode() in file.read_bytes()] == []
    finally:
        netaudit(tmp_path, "lab", "down")
    assert processes_of(tmp_path) == []


def test_ctrl_c_in_a_push_leaves_every_switch_old_or_new(tmp_path: Path) -> None:
    intent, targets = written(tmp_path), str(tmp_path / ".netaudit/lab/targets.json")
    assert netaudit(tmp_path, "lab", "up", intent).returncode == 0
    try:
        assert netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json").returncode == 0
        factory = saved(tmp_path)
        push = subprocess.Popen(
            [*PROGRAM, "push", "plan.json", "--targets", targets, "--yes"],
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert push.stderr is not None
        for line in push.stderr:
            if "leaf apply, to be confirmed" in line:
                break
        os.killpg(push.pid, signal.SIGINT)
        out, err = push.communicate(timeout=60)
        assert push.returncode == 130, err
        assert ("none unknown" in out, "Traceback" in err) == (True, False), (out, err)
        now = saved(tmp_path)
        assert 0 < sum(now[name] == factory[name] for name in factory) < len(factory)
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json")
        assert again.returncode == 0, again.stderr
        assert netaudit(tmp_path, "push", "again.json", "--targets", targets, "--yes").returncode == 0
        assert netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s").returncode == 0
    finally:
        netaudit(tmp_path, "lab", "down")
    assert processes_of(tmp_path) == []
