from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from collect.device import PASSWORD, certificates
from collect.test_ssh_client import no_key, other_key

from netaudit.collect.failure import Failure, Kind, ReachStep
from netaudit.collect.ssh import Completed
from netaudit.collect.targets import Target
from netaudit.platforms import Step
from netaudit.push.driver import Driver
from push.apis import Box, eapi, https, nxapi, ssh

LOAD = Step(name="load", driver="load_replace_candidate", content="interface Ethernet1\n mtu 9214\n", timeout_s=20)
SECRET = "neighbor A password hunter2"


@pytest.fixture
def boxes(tmp_path: Path) -> Iterator[Callable[[str], Box]]:
    with ExitStack() as stack:

        def box(name: str) -> Box:
            made = ssh(tmp_path) if name in ("nxos_ssh", "junos") else https(tmp_path, eapi if name == "eos" else nxapi)
            return stack.enter_context(made)

        yield box


def call(target: Target, name: str, *steps: Step) -> list[Completed | Failure]:
    with closing(Driver(target, name)) as driver:
        return [driver.call(step) for step in steps]


def merge(name: str, text: str = "qos x\n") -> tuple[Step, ...]:
    """Steps that every driver of these boxes carries out."""
    return (
        Step(name="load", driver="load_merge_candidate", content=text if name != "junos" else f"set {text}"),
        Step(name="discard", driver="discard_config"),
    )


@pytest.mark.parametrize("name", ["eos", "nxos", "nxos_ssh", "junos"])
def test_a_device_that_proves_who_it_is_is_driven(boxes: Callable[[str], Box], name: str) -> None:
    box = boxes(name)
    results = call(box.target, name, *merge(name))
    assert [r.exit_code for r in results if isinstance(r, Completed)] == [0, 0], results
    assert box.asked
    assert box.logins


def other_ca(target: Target) -> Target:
    assert target.ca is not None
    return replace(target, ca=certificates(target.ca.parent.with_name("other"))[2])


WRONG = {
    "another CA": (other_ca, ("eos", "nxos"), ReachStep.TLS, Kind.TLS_REFUSED),
    "the system's roots": (lambda t: replace(t, ca=None), ("eos", "nxos"), ReachStep.TLS, Kind.TLS_REFUSED),
    "another name": (lambda t: replace(t, address="localhost"), ("eos", "nxos"), ReachStep.TLS, Kind.TLS_REFUSED),
    "another key": (other_key, ("nxos_ssh", "junos"), ReachStep.HOST_KEY, Kind.HOST_KEY_REFUSED),
    "an unknown key": (no_key, ("nxos_ssh", "junos"), ReachStep.HOST_KEY, Kind.HOST_KEY_REFUSED),
}


@pytest.mark.parametrize(("what", "name"), [(what, name) for what, row in WRONG.items() for name in row[1]])
def test_a_device_that_does_not_is_sent_no_password(boxes: Callable[[str], Box], what: str, name: str) -> None:
    box = boxes(name)
    change, _, step, kind = WRONG[what]
    (failure,) = call(change(box.target), name, merge(name)[0])
    if name == "nxos":  # its merge is local: the first thing that is sent is the question of opening it
        (failure,) = call(change(box.target), name, Step(name="commit", driver="commit_config"))
    assert isinstance(failure, Failure)
    assert (failure.step, failure.kind) == (step, kind)
    assert box.logins == []
    assert box.asked == []


@pytest.mark.parametrize("name", ["eos", "junos"])
def test_what_a_device_refuses_is_exit_code_1_and_says_so_without_secrets(
    boxes: Callable[[str], Box], name: str
) -> None:
    box = boxes(name)
    box.says = {"neighbor": "Invalid input", "load-configuration": f"syntax error at password hunter2, not {PASSWORD}"}
    result, _ = call(box.target, name, *merge(name, SECRET))
    assert isinstance(result, Completed)
    assert result.exit_code == 1
    assert "password <secret>" in result.stderr
    assert "hunter2" not in result.stderr
    assert PASSWORD not in result.stderr


def test_what_a_prompt_said_meanwhile_is_there_to_be_looked_at(boxes: Callable[[str], Box]) -> None:
    box = boxes("nxos_ssh")
    box.says = {"qos": "ERROR: no such queue", "copy": "Copy complete."}
    steps = (merge("nxos_ssh")[0], Step(name="commit", driver="commit_config"))
    load, commit = call(box.target, "nxos_ssh", *steps)
    assert (load.stdout, commit.exit_code, commit.stderr) == ("", 0, "")  # NAPALM takes it for done
    assert "ERROR: no such queue" in commit.stdout
    assert PASSWORD not in commit.stdout


def test_a_diff_comes_back_as_text(boxes: Callable[[str], Box]) -> None:
    results = call(boxes("eos").target, "eos", LOAD, Step(name="diff", driver="compare_config"))
    assert [r.stdout for r in results if isinstance(r, Completed)] == ["", "+ mtu 9214"]


def test_a_commit_to_be_confirmed_says_how_long_the_device_waits(boxes: Callable[[str], Box]) -> None:
    box = boxes("eos")
    call(box.target, "eos", LOAD, Step(name="commit", driver="commit_config", revert_s=600))
    assert any(command.endswith("commit timer 00:10:00") for command in box.asked), box.asked


def test_an_answer_that_takes_too_long_is_no_refusal_and_is_not_waited_for(boxes: Callable[[str], Box]) -> None:
    box = boxes("eos")
    with closing(Driver(box.target, "eos")) as driver:
        driver.call(LOAD)
        box.slow_s = 1.0
        late = driver.call(Step(name="commit", driver="commit_config", timeout_s=0.3))
        box.slow_s = 0.0
        assert isinstance(late, Failure)
        assert late.kind is Kind.TIMED_OUT
        session = next(c for c in box.asked if c.startswith("configure session"))
        assert isinstance(driver.call(Step(name="discard", driver="discard_config")), Completed)
        assert box.asked[-1] == f"{session} abort"  # eAPI lost nothing: the session is still known


@pytest.mark.parametrize("name", ["nxos_ssh", "eos"])
def test_a_connection_that_ends_is_a_failure_and_the_next_call_opens_a_new_one(
    boxes: Callable[[str], Box], name: str
) -> None:
    box = boxes(name)
    diff = Step(name="diff", driver="compare_config")
    with closing(Driver(box.target, name)) as driver:
        driver.call(LOAD if name == "eos" else merge(name)[0])
        box.cut = True
        lost = driver.call(diff)
        box.cut = False
        assert isinstance(lost, Failure)
        assert isinstance(driver.call(diff), Completed)


def test_a_wrong_password_is_told_from_a_refusal(boxes: Callable[[str], Box], tmp_path: Path) -> None:
    box = boxes("junos")
    (tmp_path / "password").write_text("wrong")
    (failure,) = call(box.target, "junos", LOAD)
    assert isinstance(failure, Failure)
    assert failure.kind is Kind.AUTH_REFUSED


def test_a_driver_that_could_not_be_verified_is_not_used(boxes: Callable[[str], Box]) -> None:
    box = boxes("eos")
    (unknown,) = call(box.target, "ios", LOAD)
    (renamed,) = call(replace(box.target, tls_name="leaf1"), "eos", LOAD)
    assert isinstance(unknown, Failure)
    assert isinstance(renamed, Failure)
    assert box.asked == []


def test_no_library_logs_what_is_sent(boxes: Callable[[str], Box], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        call(boxes("eos").target, "eos", replace(LOAD, content=SECRET))
    assert "hunter2" not in caplog.text


def test_a_load_is_in_a_session_of_ours_and_none_of_ours_is_left_pending(boxes: Callable[[str], Box]) -> None:
    box = boxes("eos")
    box.sessions = {"netaudit-old": {"state": "pending"}, "netaudit-timed": {"state": "pendingCommitTimer"}}
    box.sessions |= {"na-1": {"state": "completed"}}
    (done,) = call(box.target, "eos", LOAD)
    assert isinstance(done, Completed)
    assert done.exit_code == 0
    entered = [command for command in box.asked if command.startswith("configure session ")]
    assert entered[0] == "configure session netaudit-old abort"
    assert entered[1].startswith("configure session netaudit-")
    assert entered[2] == f"{entered[1]} abort"  # closing without a commit
    assert len(entered) == 3


def test_a_pending_session_of_somebody_else_is_left_alone_and_keeps_ours_out(boxes: Callable[[str], Box]) -> None:
    box = boxes("eos")
    box.sessions = {"na-1": {"state": "pending"}}
    (refused,) = call(box.target, "eos", LOAD)
    assert isinstance(refused, Completed)
    assert (refused.exit_code, refused.stderr) == (1, "Session is already in use")
    assert not any("na-1" in command for command in box.asked)
