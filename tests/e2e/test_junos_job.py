"""The program on a fabric with Junos as a user runs it: racked, pushed, audited, rolled back; and Ctrl-C in a push."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from e2e.test_junos import SMALL
from e2e.test_program import PROGRAM, environment, netaudit, processes_of
from netaudit.lab.sim.nos.junos import text
from netaudit.lab.sim.nos.junos.tree import Tree

pytestmark = pytest.mark.lab


def written(folder: Path, leaf: str, spine: str) -> str:
    """The name of an intent."""
    (folder / "fabric.yml").write_text(SMALL.format(name="juniper", leaf=leaf, spine=spine), encoding="utf-8")
    return "fabric.yml"


def configurations(folder: Path) -> dict[str, list[str]]:
    """Switch → the statements of its configuration in force, in no order: what is set again stands elsewhere."""
    found: dict[str, list[str]] = {}
    for file in (folder / ".netaudit/lab").glob("devices/*/config/juniper.conf"):
        tree = Tree()
        assert text.load_braces(tree, file.read_text()) == []
        found[file.parents[1].name] = sorted(text.set_lines(tree))
    return found


def test_the_walk_by_hand_and_back(tmp_path: Path) -> None:
    intent = written(tmp_path, "junos", "junos")
    targets = str(tmp_path / ".netaudit/lab/targets.json")
    try:
        up = netaudit(tmp_path, "lab", "up", "--sim", intent)
        assert up.returncode == 0, up.stderr
        factory = configurations(tmp_path)
        assert len(factory) == 6
        plan = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json")
        assert plan.returncode == 0, plan.stderr
        push = netaudit(tmp_path, "push", "plan.json", "--targets", targets, "--yes")
        assert push.returncode == 0, push.stderr
        assert push.stdout.startswith("✔ push complete: 6 of 6 devices verified")
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json", "--detailed-exitcode")
        assert again.returncode == 0, again.stdout
        clean = netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s")
        assert clean.returncode == 0, clean.stdout
        assert netaudit(tmp_path, "doctor", intent, "--targets", targets).returncode == 0
        assert netaudit(tmp_path, "lab", "break", "unreachable", "a-spine1").returncode == 0
        partly = netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s", "-o", "json")
        assert partly.returncode == 3
        assert json.loads(partly.stdout)["not_audited"][0]["device"] == "a-spine1"
        assert netaudit(tmp_path, "lab", "heal").returncode == 0
        (run,) = (f.stem for f in (tmp_path / "runs").glob("*-01.json"))
        back = netaudit(tmp_path, "rollback", run, "--targets", targets)
        assert back.returncode == 0, (back.stdout, back.stderr)
        assert configurations(tmp_path) == factory
    finally:
        netaudit(tmp_path, "lab", "down")
    assert processes_of(tmp_path) == []


def test_ctrl_c_in_a_push_leaves_every_switch_old_or_new(tmp_path: Path) -> None:
    intent = written(tmp_path, "junos", "junos")
    targets = str(tmp_path / ".netaudit/lab/targets.json")
    assert netaudit(tmp_path, "lab", "up", intent).returncode == 0
    try:
        assert netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json").returncode == 0
        factory = configurations(tmp_path)
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
            if "leaf commit" in line:
                break
        os.killpg(push.pid, signal.SIGINT)
        out, err = push.communicate(timeout=60)
        assert push.returncode == 130, err
        assert ("none unknown" in out, "Traceback" in err) == (True, False), (out, err)
        now = configurations(tmp_path)
        assert 0 < sum(now[name] == factory[name] for name in factory) < len(factory)
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json")
        assert again.returncode == 0, again.stderr
        assert netaudit(tmp_path, "push", "again.json", "--targets", targets, "--yes").returncode == 0
        assert netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s").returncode == 0
    finally:
        netaudit(tmp_path, "lab", "down")
    assert processes_of(tmp_path) == []
