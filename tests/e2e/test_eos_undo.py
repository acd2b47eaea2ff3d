"""A push to EOS that goes wrong at each of its moments: refused, lied to, too late, lost, interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.eos_fabric import STARTUP, Lab, running, write
from e2e.test_program import PROGRAM, environment, netaudit
from netaudit import pipeline
from netaudit.collect.ssh import Completed, SshClient, open_ssh
from netaudit.lab import control
from netaudit.labdir import write_lab
from netaudit.nornir.hosts import each_host
from netaudit.platforms import Step, Steps, eos
from netaudit.push.apply import GateLine, Means, push
from netaudit.push.device import Ready, Times, change, change_one, get_ready
from netaudit.push.plan import DevicePlan, Status
from netaudit.push.preview import preview
from netaudit.push.result import Outcome, Word
from netaudit.push.run import start_run
from netaudit.push.session import Session

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running(tmp_path_factory.mktemp("eos"), "eos", "eos") as one:
        yield one


def entry(lab: Lab, name: str, more: str) -> DevicePlan:
    """A plan of one switch with more lines than the intent has."""
    wanted = pipeline.wanted(lab.expected, name)
    text = wanted.files["eos.cfg"]
    return preview(replace(wanted, files={"eos.cfg": text + more}), lab.targets[name], timeout_s=10)


def test_a_refused_line_is_named_and_nothing_runs_of_what_was_loaded(lab: Lab) -> None:
    """The session ends, the next switch is not touched, the exit code is not 0 (field case A21)."""
    name = lab.arista()[0]
    before = lab.startup(name).read_text()
    plan = entry(lab, name, "interface Loopback77\n   description ours for a moment\n   prioritty-flow-control on\n")
    with start_run(lab.folder / "refused") as run:
        outcome = change_one(plan, lab.targets[name], run, Times(answer_s=10, settle_s=2))
    assert outcome.word is Word.UNTOUCHED
    assert "'prioritty-flow-control on' failed: invalid command" in outcome.reason
    assert lab.startup(name).read_text() == before
    assert lab.audit().exit_code() == 0


def changed(lab: Lab, name: str, alter: Callable[[Steps], Steps], folder: str) -> tuple[Outcome, str, str]:
    """One switch, changed by steps that somebody altered; and its saved text before and after."""
    before = lab.startup(name).read_text()
    plan = entry(lab, name, "interface Loopback77\n   description ours for a moment\n")
    with start_run(lab.folder / folder) as run, Session(lab.targets[name], 10) as session:
        ready = get_ready(plan, eos, session, run)
        assert isinstance(ready, Ready)
        outcome = change(replace(ready, steps=alter(ready.steps)), session, run, Times(answer_s=10, settle_s=2))
    return outcome, before, lab.startup(name).read_text()


LIE = Step(name="lie", command="enable")
ALTERED: Mapping[str, Callable[[Steps], Steps]] = {
    "a commit that is read back as nothing": lambda steps: replace(steps, apply=(LIE,)),
    "a commit that somebody else's line comes into": lambda steps: replace(
        steps, apply=(*steps.apply, Step(name="else", command="configure\ninterface Loopback99\nend"))
    ),
    "a confirmation that comes too late": lambda steps: replace(steps, apply=(replace(steps.apply[0], revert_s=1),)),
    "a confirmation that is lost": lambda steps: replace(
        steps, save=(Step(name="lost", command="no such command", ok=frozenset({0, 1}), refusal="% "),)
    ),
    "a fault after everything was confirmed": lambda steps: replace(
        steps, save=(*steps.save, Step(name="full", command="copy flash:none startup-config"))
    ),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_goes_wrong_in_the_middle_is_taken_back_and_saved_as_it_was(lab: Lab, what: str) -> None:
    name = lab.arista()[0]
    if "too late" in what:
        control.break_(lab.boxes, "slow", [name, "700"])  # so that reading back takes longer than the switch waits
    outcome, before, after = changed(lab, name, ALTERED[what], "altered")
    control.heal(lab.boxes)
    assert outcome.word is Word.UNDONE, outcome
    assert after.replace("\n!", "") == before.replace("\n!", "")
    assert lab.audit().exit_code() == 0


def test_a_gate_that_fails_takes_back_what_was_confirmed(tmp_path: Path) -> None:
    intent = write(tmp_path, "eos", "eos")
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, tmp_path / "lab")
    targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(tmp_path / "lab")))
    try:
        before = {file.parts[-4]: file.read_text() for file in (tmp_path / "lab/devices").glob(f"*/{STARTUP}")}
        plan = pipeline.plan(expected, targets)
        result = push(
            plan,
            Means(targets=targets, each_host=each_host, times=Times(answer_s=10, settle_s=5)),
            runs=tmp_path / "runs",
            gate=lambda wave: lambda: [GateLine(ok=wave.number < 2, text="17 drops")],
        )
        assert result.exit_code == 2
        assert {outcome.word for outcome in result.outcomes.values()} == {Word.DONE, Word.UNDONE, Word.UNTOUCHED}
        for name in result.undone:
            assert (tmp_path / "lab/devices" / name / STARTUP).read_text() == before[name]
    finally:
        control.down(tmp_path / "lab")


def test_ctrl_c_in_a_push_leaves_every_switch_old_or_new(tmp_path: Path) -> None:
    intent, lab = write(tmp_path, "eos", "eos").name, tmp_path / ".netaudit/lab"
    targets = str(lab / "targets.json")
    assert netaudit(tmp_path, "lab", "up", intent).returncode == 0
    try:
        assert netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "plan.json").returncode == 0
        factory = {file.parts[-4]: file.read_text() for file in lab.glob(f"devices/*/{STARTUP}")}
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
            if "r2-leaf commit done" in line:
                break
        os.killpg(push.pid, signal.SIGINT)
        out, err = push.communicate(timeout=60)
        assert push.returncode == 130, err
        assert ("none unknown" in out, "Traceback" in err) == (True, False), (out, err)
        old = [name for name, text in factory.items() if text == (lab / f"devices/{name}/{STARTUP}").read_text()]
        assert 0 < len(old) < len(factory)
        again = netaudit(tmp_path, "plan", intent, "--targets", targets, "-o", "again.json")
        assert again.returncode == 0, again.stderr
        assert netaudit(tmp_path, "push", "again.json", "--targets", targets, "--yes").returncode == 0
        assert netaudit(tmp_path, "audit", intent, "--targets", targets, "--settle", "0s").returncode == 0
        run = sorted((tmp_path / "runs").glob("*.json"))[-1].stem
        assert netaudit(tmp_path, "rollback", run, "--targets", targets).returncode == 0
    finally:
        netaudit(tmp_path, "lab", "down")


def typed(lab: Lab, name: str, *lines: str) -> None:
    """Lines in one login of somebody else's."""
    client = open_ssh(lab.targets[name])
    assert isinstance(client, SshClient)
    with client:
        done = client.run("\n".join(lines), 10)
    assert isinstance(done, Completed)
    assert done.exit_code == 0, done.stdout


def test_a_commit_of_somebody_else_that_waits_refuses_the_plan(lab: Lab) -> None:
    """Field case A22."""
    name = "a-su1-r1-leaf"
    typed(
        lab,
        name,
        "configure session na-1",
        "interface Loopback88",
        "end",
        "configure session na-1 commit timer 00:10:00",
    )
    try:
        plan = entry(lab, name, "interface Loopback77\n   description ours for a moment\n")
        assert plan.status is Status.UNREAD
        assert "the commit of session na-1 awaits confirmation until" in plan.reason
    finally:
        typed(lab, name, "configure session na-1 abort")


def test_a_session_of_somebody_else_keeps_a_push_out_and_stays_one_of_ours_goes(lab: Lab) -> None:
    name = "a-su1-r1-leaf"
    typed(lab, name, "configure session na-1", "end", "configure session netaudit-old", "end")
    plan = entry(lab, name, "interface Loopback77\n   description ours for a moment\n")
    with start_run(lab.folder / "locked") as run:
        outcome = change_one(plan, lab.targets[name], run, Times(answer_s=10, settle_s=2))
    assert (outcome.word, "Session is already in use" in outcome.reason) == (Word.UNTOUCHED, True), outcome
    client = open_ssh(lab.targets[name])
    assert isinstance(client, SshClient)
    with client:
        told = client.run("show configuration sessions | json", 10)
    assert isinstance(told, Completed)
    sessions = json.loads(told.stdout)["sessions"]
    assert {session for session, row in sessions.items() if row["state"] == "pending"} == {"na-1"}
    typed(lab, name, "configure session na-1 abort")
    assert lab.audit().exit_code() == 0
