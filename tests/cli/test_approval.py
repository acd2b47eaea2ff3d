"""What a push needs before it begins, and whether the command lines it and a plan end with can be copied."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from netaudit.cli.run import run
from netaudit.platforms import Impact
from netaudit.push.plan import DevicePlan, Plan, Status
from netaudit.push.plan_file import save_plan
from netaudit.push.report import plan_lines
from netaudit.state import Place
from netaudit.terminal import Style

LEAF = Place(role="leaf", tier=1, plane="a", unit="su1", rail=1, number=0, status="active")


def _device(name: str, status: Status) -> DevicePlan:
    return DevicePlan(
        name=name,
        platform="sonic",
        place=LEAF,
        status=status,
        reason="" if status is Status.CHANGE else "SSH TCP: no route",
        files={"frr.conf": "!\n"} if status is Status.CHANGE else {},
        running_sha256="1" * 64,
        candidate_sha256="2" * 64,
        diff=("MTU",),
        impact=Impact.NONE,
    )


@pytest.fixture
def plan_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan of one device that nobody answers for: a push that began would say so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NETAUDIT_TARGETS", raising=False)
    save_plan(Plan(fabric="t", intent_sha256="", devices=(_device("leaf1", Status.CHANGE),)), Path("plan.json"))
    target = {"address": "192.0.2.1", "ssh_port": 1, "gnmi_port": 1}
    Path("targets.json").write_text(json.dumps({"targets": {"leaf1": target}}))
    return Path("plan.json")


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "maybe\n"])
def test_a_push_that_nobody_approves_touches_nothing_and_exits_with_4(
    answer: str, plan_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert run(["push", str(plan_file), "--targets", "targets.json"]) == 4
    err = capsys.readouterr().err
    assert "plan.json is not approved" in err
    assert "--approve " in err
    assert not Path("runs").exists(), "a run has begun"


def test_a_push_without_any_stdin_is_not_approved(
    plan_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert run(["push", str(plan_file), "--targets", "targets.json"]) == 4
    assert "not approved" in capsys.readouterr().err


def test_an_intent_that_is_named_is_held_against_the_plan_however_the_devices_are_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = Plan(fabric="two-plane", intent_sha256="0" * 64, devices=(_device("leaf1", Status.CHANGE),))
    save_plan(made, Path("plan.json"))
    target = {"address": "192.0.2.1", "ssh_port": 1, "gnmi_port": 1}
    Path("targets.json").write_text(json.dumps({"targets": {"leaf1": target}}))
    intent = str(Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml")
    assert run(["push", "plan.json", "--targets", "targets.json", "--intent", intent, "--yes"]) == 4
    assert "was made from another state" in capsys.readouterr().err
    assert not Path("runs").exists(), "a run has begun"


def test_a_plan_with_an_unread_device_ends_with_a_command_that_can_be_copied() -> None:
    plan = Plan(fabric="t", intent_sha256="", devices=(_device("leaf1", Status.UNREAD),))
    last = plan_lines(plan, "plan.json", Style(unicode=False), intent="fab.yml", reach=" --targets t.json")[-1]
    assert last == "Next: netaudit doctor fab.yml --where leaf1 --targets t.json"


def test_a_plan_that_changes_something_ends_with_the_push_and_how_the_devices_are_reached() -> None:
    plan = Plan(fabric="t", intent_sha256="", devices=(_device("leaf1", Status.CHANGE),))
    last = plan_lines(plan, "plan.json", Style(unicode=False), intent="fab.yml", reach=" --intent fab.yml")[-1]
    assert last.endswith("netaudit push plan.json --intent fab.yml")


def test_a_rollback_says_which_two_options_tell_how_devices_are_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NETAUDIT_TARGETS", raising=False)
    assert run(["rollback", "--help"]) == 0
    out = capsys.readouterr().out
    assert "--intent" in out
    assert "--targets" in out


@pytest.mark.parametrize("group", ["schedule", "lab", "show"])
def test_a_group_without_a_command_shows_its_commands_as_lines(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([group]) == 4
    err = capsys.readouterr().err
    assert "\\n" not in err
    assert err.startswith(f"Usage: netaudit {group}")
    assert len(err.splitlines()) > 5


def test_a_format_with_an_equals_sign_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "x.yml", "-o", "json="]) == 4
    assert "`json=` names no file" in capsys.readouterr().err
