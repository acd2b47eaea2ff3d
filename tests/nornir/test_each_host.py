"""Every device gets an answer or an error, as they finish, and nothing is left running."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing

import pytest

from netaudit.diag import Unusable
from netaudit.nornir.hosts import HostError, each_host

NAMES = [f"leaf{n}" for n in range(30)]
ITEMS = {name: n for n, name in enumerate(NAMES)}


def strict(n: int) -> int:
    if n % 3 == 1:
        raise ValueError(f"no {n}")
    return n * n


def test_every_host_gets_an_answer_or_an_error() -> None:
    found = dict(each_host(ITEMS, strict, workers=4))
    assert found.keys() == ITEMS.keys()
    for name, n in ITEMS.items():
        answer = found[name]
        if n % 3 == 1:
            assert isinstance(answer, HostError)
            assert answer.reason == f"ValueError: no {n}"
            assert "Traceback" in answer.trace
        else:
            assert answer == n * n


def test_a_host_that_failed_is_asked_again_the_next_time() -> None:
    for _ in range(2):
        assert isinstance(dict(each_host({"leaf1": 1}, strict))["leaf1"], HostError)


def test_results_come_as_they_finish_and_not_in_the_end() -> None:
    gate = threading.Event()

    def task(n: int) -> int:
        if n == 0:
            assert gate.wait(10)
        return n

    with closing(each_host({"slow": 0, "quick": 1}, task, workers=2)) as answers:
        assert next(answers) == ("quick", 1)
        gate.set()
        assert next(answers) == ("slow", 0)


def test_an_environment_that_stops_us_is_told_with_its_remedy() -> None:
    def task(n: int) -> int:
        raise Unusable("no password", "export NETAUDIT_PASSWORD=…")

    assert dict(each_host({"leaf1": 1}, task)) == {
        "leaf1": HostError(reason="no password (export NETAUDIT_PASSWORD=…)")
    }


def test_no_host_at_all_gives_nothing() -> None:
    assert list(each_host({}, strict)) == []


def test_on_done_hears_of_every_host_before_it_is_handed_out() -> None:
    heard: list[str] = []
    for name, _ in each_host(ITEMS, strict, workers=4, on_done=lambda name, answer: heard.append(name)):
        assert name in heard
    assert sorted(heard) == sorted(NAMES)


def test_a_bug_of_the_listener_is_raised_to_its_owner() -> None:
    def listener(name: str, answer: object) -> None:
        raise RuntimeError("listener")

    with pytest.raises(RuntimeError, match="listener"):
        list(each_host({"leaf1": 0}, strict, on_done=listener))


BEFORE: set[int] = set()


@pytest.fixture(autouse=True)
def _threads_before() -> None:
    """Threads of other tests' servers in this process are not of each_host's making."""
    BEFORE.clear()
    BEFORE.update(t.ident for t in threading.enumerate() if t.ident is not None)


def left_over() -> list[str]:
    ours = ("netaudit-", "ThreadPoolExecutor")
    return [t.name for t in threading.enumerate() if t.name.startswith(ours) and t.ident not in BEFORE]


def test_a_caller_that_stops_starts_nobody_else_and_leaves_no_thread() -> None:
    begun: list[int] = []

    def task(n: int) -> int:
        begun.append(n)
        time.sleep(0.05)
        return n

    with closing(each_host(ITEMS, task, workers=2)) as answers:
        next(answers)
    assert len(begun) <= 5
    assert left_over() == []


def test_an_interrupt_waits_for_what_has_begun_starts_nobody_else_and_is_raised() -> None:
    ended: list[int] = []
    begun: list[int] = []

    def task(n: int) -> int:
        begun.append(n)
        if n == 0:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.3)
        ended.append(n)
        return n

    with pytest.raises(KeyboardInterrupt):
        list(each_host(ITEMS, task, workers=2))
    assert sorted(ended) == sorted(begun)
    assert 1 <= len(begun) <= 4
    assert left_over() == []


def test_a_second_interrupt_does_not_abandon_what_has_begun() -> None:
    ended: list[int] = []

    def task(n: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        ended.append(n)
        return n

    with pytest.raises(KeyboardInterrupt):
        list(each_host({"leaf1": 1}, task))
    assert ended == [1]
    assert left_over() == []
