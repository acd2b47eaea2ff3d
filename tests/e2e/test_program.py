"""The program as a process: the walk of a user by hand, and Ctrl-C at bad moments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.conftest import Lab

pytestmark = pytest.mark.lab

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = str(REPOSITORY / "intent" / "two-plane.yml")
PROGRAM = [sys.executable, "-c", "from netaudit.cli import main; main()"]


def netaudit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one command in a folder."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=120,
    )


def environment() -> dict[str, str]:
    """Where the checkout is importable, whatever the folder."""
    return {**os.environ, "PYTHONPATH": str(REPOSITORY)}


def processes_of(folder: Path) -> list[str]:
    """Simulators that serve a lab below a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if "netaudit.lab.sim" in line and str(folder) in line:
                found.append(line)
    return found


def test_the_walk_by_hand(tmp_path: Path) -> None:
    up = netaudit(tmp_path, "lab", "up", INTENT)
    assert up.returncode == 0, up.stderr
    targets = str(tmp_path / ".netaudit/lab/targets.json")
    try:
        twice = netaudit(tmp_path, "lab", "up", INTENT)
        assert twice.returncode == 1
        assert "already running" in twice.stderr
        plan = netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "plan.json")
        assert plan.returncode == 0, plan.stderr
        assert plan.stdout.splitlines()[-1].endswith(f"netaudit push plan.json --targets {targets}")
        assert netaudit(tmp_path, "push", "plan.json", "--targets", targets).returncode == 4, "nobody said yes"
        push = netaudit(tmp_path, "push", "plan.json", "--targets", targets, "--yes")
        assert push.returncode == 0, push.stderr
        assert push.stdout.startswith("✔ push complete: 20 of 20 devices verified")
        stale = netaudit(tmp_path, "push", "plan.json", "--targets", targets, "--yes")
        assert stale.returncode == 4, "the devices are no longer what the plan was made from"
        again = netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "again.json", "--detailed-exitcode")
        assert again.returncode == 0, again.stdout
        clean = netaudit(tmp_path, "audit", INTENT, "--targets", targets, "--settle", "0s")
        assert clean.returncode == 0, clean.stdout
        assert clean.stdout.startswith("✔ two-plane is as intended: 20 of 20 switches audited, 0 findings")
        (page,) = tmp_path.glob("report-*.html")
        assert page.read_text().startswith("<!doctype html>")
        assert netaudit(tmp_path, "doctor", INTENT, "--targets", targets).returncode == 0
        broken = netaudit(tmp_path, "lab", "break", "unreachable", "a-spine1")
        assert broken.returncode == 0, broken.stderr
        partly = netaudit(tmp_path, "audit", INTENT, "--targets", targets, "--settle", "0s", "-o", "json")
        assert partly.returncode == 3
        assert json.loads(partly.stdout)["not_audited"][0]["device"] == "a-spine1"
        assert netaudit(tmp_path, "doctor", INTENT, "--targets", targets).returncode == 3
        assert netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "p.json").returncode == 3
        assert netaudit(tmp_path, "lab", "heal").returncode == 0
        (run,) = (f.stem for f in (tmp_path / "runs").glob("*-01.json"))
        back = netaudit(tmp_path, "rollback", run, "--targets", targets)
        assert back.returncode == 0, back.stderr
        factory = netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "f.json", "--detailed-exitcode")
        assert factory.returncode == 2, "the fabric is in factory state again"
    finally:
        assert netaudit(tmp_path, "lab", "down").returncode == 0
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("after_s", [0.4, 1.5, 3.0, 5.0, 8.0])
def test_ctrl_c_in_the_demo_leaves_no_process_and_no_folder(tmp_path: Path, after_s: float) -> None:
    demo = subprocess.Popen(
        [*PROGRAM, "demo"],
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**environment(), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(after_s)
    os.killpg(demo.pid, signal.SIGINT)
    _, err = demo.communicate(timeout=60)
    assert demo.returncode == 130, err
    assert "Traceback" not in err
    assert processes_of(tmp_path) == []
    assert [p for p in tmp_path.iterdir() if p.name.startswith("netaudit-demo-") or p.suffix == ".part"] == []


def test_ctrl_c_in_a_push_leaves_every_switch_old_or_new(tmp_path: Path) -> None:
    targets = str(tmp_path / ".netaudit/lab/targets.json")
    assert netaudit(tmp_path, "lab", "up", INTENT).returncode == 0
    try:
        assert netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "plan.json").returncode == 0
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
            if "reload" in line and "wave 1" not in line:
                break
        os.killpg(push.pid, signal.SIGINT)
        out, err = push.communicate(timeout=60)
        assert push.returncode == 130, err
        assert "none unknown" in out
        assert "Traceback" not in err
        again = netaudit(tmp_path, "plan", INTENT, "--targets", targets, "-o", "again.json")
        assert again.returncode == 0
        assert netaudit(tmp_path, "push", "again.json", "--targets", targets, "--yes").returncode == 0
        assert netaudit(tmp_path, "audit", INTENT, "--targets", targets, "--settle", "0s").returncode == 0
    finally:
        netaudit(tmp_path, "lab", "down")
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("after_s", [0.15, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("command", ["plan", "audit", "collect"])
def test_ctrl_c_while_reading_says_so_and_leaves_nothing_half_written(
    tmp_path: Path, lab: Lab, command: str, after_s: float
) -> None:
    words = {
        "plan": ["plan", INTENT, "-o", "plan.json"],
        "audit": ["audit", INTENT, "--settle", "0s", "-o", "json=audit.json"],
        "collect": ["collect", INTENT, "-o", "snapshot"],
    }[command]
    reading = subprocess.Popen(
        [*PROGRAM, *words, "--targets", str(lab.folder / "targets.json")],
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(after_s)
    os.killpg(reading.pid, signal.SIGINT)
    _, err = reading.communicate(timeout=60)
    assert reading.returncode in (0, 130), "it was over before, or it was interrupted"
    assert "Traceback" not in err
    assert [p.name for p in tmp_path.rglob("*") if ".part" in p.name] == []
