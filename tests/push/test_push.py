"""A push, end to end over SSH and gNMI: what it does, what it takes back, what it says."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from netaudit.diag import Invalid, Unusable
from netaudit.platforms import Files, Steps
from netaudit.push.apply import GateLine, Undo, push
from netaudit.push.device import Ready, get_ready
from netaudit.push.plan import make_plan
from netaudit.push.preview import preview
from netaudit.push.result import Outcome, Word
from netaudit.push.run import load_run, start_run
from netaudit.push.session import Session
from push.box import Box, Fabric, PlainPlatform, fabric, fails, leaf, once, plain, spine

PLACES = {
    "a-su1-r1": leaf("a", "su1", 1),
    "a-su1-r2": leaf("a", "su1", 2),
    "a-spine1": spine("a", 1),
    "b-su1-r1": leaf("b", "su1", 1),
}
NEW = "new\nimpact drain\n"
ORDER = list(PLACES)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Fabric]:
    with fabric(tmp_path, PLACES) as one:
        yield one


def words(result: object) -> dict[str, str]:
    return {name: outcome.word.value for name, outcome in result.outcomes.items()}


def test_every_device_is_taken_to_the_plan_read_back_and_saved(lab: Fabric) -> None:
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert words(result) == dict.fromkeys(ORDER, "done")
    assert (result.exit_code, result.stopped) == (0, "")
    assert all((box.running, box.saved, box.checkpoints) == (NEW, NEW, {}) for box in lab.boxes.values())


def test_a_plan_after_a_push_has_nothing_to_do(lab: Fabric) -> None:
    push(lab.plan(NEW), lab.means(), runs=lab.runs)
    plan = lab.plan(NEW)
    assert plan.changes == ()
    assert push(plan, lab.means(), runs=lab.runs).exit_code == 0


def test_waves_go_plane_by_plane_leaves_first_each_wave_after_the_gate_of_the_last(lab: Fabric) -> None:
    seen = []

    def gate(wave):
        before = {n: b.running for n, b in lab.boxes.items()}
        seen.append((wave.devices, [n for n in ORDER if before[n] == NEW]))
        return lambda: []

    push(lab.plan(NEW), lab.means(), runs=lab.runs, gate=gate)
    assert seen == [((name,), ORDER[:at]) for at, name in enumerate(ORDER)]


def test_a_changed_running_configuration_stops_the_push_before_anything_is_touched(lab: Fabric) -> None:
    plan = lab.plan(NEW)
    lab.boxes["b-su1-r1"].running = "old\nby hand\n"
    result = push(plan, lab.means(), runs=lab.runs)
    assert words(result) == dict.fromkeys(ORDER, "untouched")
    assert result.exit_code == 4
    assert "changed after the plan" in result.untouched["b-su1-r1"]
    assert not any("checkpoint" in c for box in lab.boxes.values() for c in box.device.ran)


def test_another_box_at_the_same_address_stops_the_push(lab: Fabric) -> None:
    plan = lab.plan(NEW)
    lab.boxes["a-su1-r1"].device.tables[("STATE_DB", "EEPROM_INFO", "0x23")] = json.dumps({"Value": "OTHER"})
    result = push(plan, lab.means(), runs=lab.runs)
    assert result.exit_code == 4
    assert "another box: serial OTHER, SN-a-su1-r1" in result.untouched["a-su1-r1"]


def test_a_device_changed_while_the_push_runs_is_left_alone_and_stops_it(lab: Fabric) -> None:
    plan = lab.plan(NEW)

    def gate(wave):
        lab.boxes["a-spine1"].running = "old\nby hand\n"
        return lambda: []

    result = push(plan, lab.means(), runs=lab.runs, gate=gate)
    assert words(result) == dict(zip(ORDER, ["done", "done", "untouched", "untouched"], strict=True))
    assert result.exit_code == 2
    assert lab.boxes["a-spine1"].running == "old\nby hand\n"


def lies(box: Box) -> tuple[int, str, str]:
    """Says yes and does nothing."""
    return 0, "Patch applied successfully\n", ""


def half(box: Box) -> tuple[int, str, str]:
    box.running = "half\n"
    return 0, "", ""


FAULTS = {
    "the command fails": ({"load": fails("Error: not now")}, "load: exit code 2: Error: not now"),
    "the command lies": ({"load": lies}, "read back: 3 values differ, first - old"),
    "half of it is loaded": ({"load": half}, "read back: 3 values differ, first - half"),
    "saving fails": ({"save": once(fails("disk full"))}, "save: exit code 2: disk full"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_device_that_fails_is_taken_back_and_verified_and_no_other_is_touched(lab: Fabric, case: str) -> None:
    faults, reason = FAULTS[case]
    lab.boxes["a-su1-r2"].faults.update(faults)
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert words(result) == dict(zip(ORDER, ["done", "undone", "untouched", "untouched"], strict=True))
    assert reason in result.undone["a-su1-r2"]
    assert result.exit_code == 2
    assert result.stopped.startswith("wave 2: a-su1-r2: ")
    box = lab.boxes["a-su1-r2"]
    assert (box.running, box.saved, box.checkpoints) == ("old\n", "old\n", {})


def test_a_secret_that_a_device_repeats_is_in_no_log(lab: Fabric) -> None:
    said = "line 7: % Unknown command:  neighbor FABRIC pasword x\n"
    for text in (said, said.replace("pasword x", "password hunter2"), "Error: community hunter2 is too short\n"):
        lab.boxes["a-su1-r1"].faults["load"] = lambda box, text=text: (2, "", text)
        result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
        assert "hunter2" not in Path(result.log).read_text() + str(result)
    assert "community <secret>" in result.undone["a-su1-r1"]


def test_undo_all_takes_back_the_waves_that_passed_too_the_last_first(lab: Fabric) -> None:
    order = []
    for name, box in lab.boxes.items():
        box.faults["rollback"] = lambda box, name=name: order.append(name)
    lab.boxes["a-spine1"].faults["load"] = fails()
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs, undo=Undo.ALL)
    assert words(result) == dict(zip(ORDER, ["undone", "undone", "undone", "untouched"], strict=True))
    assert order == ["a-spine1", "a-su1-r2", "a-su1-r1"]
    assert all(box.running == box.saved == "old\n" for box in lab.boxes.values())


def test_a_failed_gate_takes_back_its_wave_and_keeps_those_that_passed(lab: Fabric) -> None:
    def gate(wave):
        return lambda: [GateLine(ok=wave.number != 2, text="17 drops")]

    result = push(lab.plan(NEW), lab.means(), runs=lab.runs, gate=gate)
    assert words(result) == dict(zip(ORDER, ["done", "undone", "untouched", "untouched"], strict=True))
    assert result.stopped == "wave 2: gate: 17 drops"


def test_a_gate_that_crashes_has_not_passed(lab: Fabric) -> None:
    def gate(wave):
        return lambda: [1 / 0]

    result = push(lab.plan(NEW), lab.means(), runs=lab.runs, gate=gate)
    assert words(result) == dict(zip(ORDER, ["undone", "untouched", "untouched", "untouched"], strict=True))
    assert "ZeroDivisionError" in result.stopped


def test_a_device_that_cannot_be_taken_back_is_unknown_and_wins(lab: Fabric) -> None:
    lab.boxes["a-su1-r1"].faults.update(load=half, rollback=fails("Error: maximum recursion depth exceeded"))
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert words(result) == dict(zip(ORDER, ["unknown", "untouched", "untouched", "untouched"], strict=True))
    assert "undoing failed: rollback: exit code 2: Error: maximum recursion" in result.unknown["a-su1-r1"]
    assert result.exit_code == 3
    assert lab.boxes["a-su1-r1"].checkpoints  # left for the person who looks at it


def test_a_connection_that_ends_during_a_step_is_undone_over_a_new_one(lab: Fabric) -> None:
    lab.boxes["a-su1-r1"].device.cut.add("load new.cfg")
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert result.outcomes["a-su1-r1"].word is Word.UNDONE
    assert "the connection ended before the command did" in result.undone["a-su1-r1"]


def test_a_device_that_needs_time_is_read_again_until_it_holds_the_plan(lab: Fabric) -> None:
    box = lab.boxes["a-su1-r1"]
    looks = []

    def slowly(box: Box) -> tuple[int, str, str] | None:
        looks.append(1)
        return (0, "old\n", "") if box.running == NEW and len(looks) < 6 else None

    plan = lab.plan(NEW)
    box.faults["show"] = slowly
    assert push(plan, lab.means(settle_s=10), runs=lab.runs).exit_code == 0


def interrupts(box: Box) -> None:
    """Ctrl-C while the command runs; it then runs on for a while."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)


def test_an_interrupt_lets_the_device_in_hand_end_and_touches_no_other(lab: Fabric) -> None:
    before = set(threading.enumerate())
    lab.boxes["a-su1-r2"].faults["load"] = interrupts
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert words(result) == dict(zip(ORDER, ["done", "done", "untouched", "untouched"], strict=True))
    assert (result.exit_code, result.stopped) == (130, "interrupted")
    assert lab.boxes["a-su1-r2"].saved == NEW
    assert not any(t.name == "netaudit-each-host" for t in set(threading.enumerate()) - before)
    assert load_run(lab.runs, result.run).to_take_back == ("a-su1-r1", "a-su1-r2")


def test_an_interrupted_device_that_fails_is_still_undone(lab: Fabric) -> None:
    def fault(box: Box) -> tuple[int, str, str]:
        interrupts(box)
        return 2, "", "Error: no\n"

    lab.boxes["a-su1-r1"].faults["load"] = fault
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    assert words(result) == dict(zip(ORDER, ["undone", "untouched", "untouched", "untouched"], strict=True))
    assert result.exit_code == 130
    assert lab.boxes["a-su1-r1"].running == "old\n"


def test_a_task_that_crashes_leaves_its_device_unknown_and_stops_the_push(lab: Fabric) -> None:
    class Crashing(PlainPlatform):
        def equal(self, one: Files, other: Files) -> bool:
            raise ZeroDivisionError

        def steps(self, running: Files, candidate: Files, run: str) -> Steps:
            return PlainPlatform().steps(running, candidate, run)

    plan = lab.plan(NEW)
    means = replace(lab.means(), platforms=lambda name: Crashing())
    result = push(plan, means, runs=lab.runs)
    assert words(result) == dict(zip(ORDER, ["unknown", "untouched", "untouched", "untouched"], strict=True))
    assert "ZeroDivisionError" in result.unknown["a-su1-r1"]
    assert result.exit_code == 3


def test_an_interrupt_before_the_first_wave_touches_nothing(lab: Fabric) -> None:
    plan = lab.plan(NEW)
    lab.boxes["a-su1-r1"].faults["show"] = once(interrupts)
    result = push(plan, lab.means(), runs=lab.runs)
    assert words(result) == dict.fromkeys(ORDER, "untouched")
    assert result.exit_code == 130


def test_a_rollback_is_a_push_of_what_was_there_before(lab: Fabric) -> None:
    run = push(lab.plan(NEW), lab.means(), runs=lab.runs).run
    past = load_run(lab.runs, run)
    assert past.to_take_back == tuple(ORDER)
    plan = make_plan(past.fabric, "", [preview(past.wanted(n), lab.targets[n], plain) for n in past.to_take_back])
    assert push(plan, lab.means(), runs=lab.runs).exit_code == 0
    assert all(box.running == box.saved == "old\n" for box in lab.boxes.values())


def test_a_run_that_touched_nothing_has_nothing_to_take_back(lab: Fabric) -> None:
    lab.boxes["a-su1-r1"].faults["load"] = fails()
    run = push(lab.plan(NEW), lab.means(), runs=lab.runs).run
    assert load_run(lab.runs, run).to_take_back == ()


def test_a_push_that_was_killed_can_be_taken_back_where_it_had_begun(lab: Fabric) -> None:
    plan = lab.plan(NEW)
    with start_run(lab.runs) as run:
        run.record("lab", {name: Outcome(word=Word.UNKNOWN, reason="the push did not end") for name in ORDER})
        with Session(lab.targets["a-su1-r1"], 5.0) as session:
            ready = get_ready(plan.changes[1], plain("plain"), session, run)
    assert isinstance(ready, Ready)
    assert load_run(lab.runs, run.name).to_take_back == ("a-su1-r1",)


def test_an_unknown_run_is_named_with_the_last_one(lab: Fabric) -> None:
    run = push(lab.plan(NEW), lab.means(), runs=lab.runs).run
    with pytest.raises(Invalid) as caught:
        load_run(lab.runs, "2001-01-01-01")
    assert caught.value.diagnostics[0].hint == f"the last one is {run}"
    for name in ("../runs", "", "plan"):
        with pytest.raises(Invalid):
            load_run(lab.runs, name)


def test_two_pushes_at_a_time_are_refused(lab: Fabric) -> None:
    with start_run(lab.runs), pytest.raises(Unusable, match="another push is running"):
        push(lab.plan(NEW), lab.means(), runs=lab.runs)


def test_the_log_tells_each_step_of_each_device(lab: Fabric) -> None:
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    log = Path(result.log).read_text()
    for text in (
        "a-su1-r1 checkpoint done in",
        "a-spine1 load done in",
        "b-su1-r1 read back done in",
        "wave 2 one leaf",
    ):
        assert text in log


def test_files_that_may_hold_secrets_are_the_owners_alone(lab: Fabric) -> None:
    result = push(lab.plan(NEW), lab.means(), runs=lab.runs)
    kept = lab.runs / result.run / "a-su1-r1.json"
    assert kept.stat().st_mode & 0o077 == 0
