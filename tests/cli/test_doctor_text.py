"""What `doctor` prints fits a terminal, however many switches there are, and still names each of them."""

from __future__ import annotations

import dataclasses

import pytest

from netaudit.cli.doctor import doctor_text
from netaudit.collect.doctor import STEPS, Examination, Verdict
from netaudit.collect.failure import ReachStep
from netaudit.terminal import Style


def examined(name: str, verdict: Verdict = Verdict.OK) -> tuple[Examination, ...]:
    return tuple(
        Examination(
            name=name,
            transport=transport,
            verdicts=dict.fromkeys(steps, verdict),
            failure=None,
            paths={} if verdict is Verdict.OK else {"vtysh": "no answer"},
            took_s=0.1,
        )
        for transport, steps in STEPS.items()
    )


@pytest.mark.parametrize("width", [80, 100])
def test_a_table_of_many_switches_is_no_wider_than_the_terminal(width: int) -> None:
    names = [f"a-rack{n}-tor{'x' * (n % 3)}" for n in range(1, 40, 2)]
    text, good = doctor_text({name: examined(name) for name in names}, Style(width=width), "fab.yml")
    assert good
    assert max(map(len, text.splitlines())) <= width
    assert "20 switches below" in text


def test_few_names_stand_in_the_table_itself() -> None:
    found = {"leaf1": examined("leaf1"), "leaf2": examined("leaf2", Verdict.FAIL)}
    text, good = doctor_text(found, Style(), "fab.yml")
    assert not good
    assert "below" not in text
    assert [line.split()[:2] for line in text.splitlines() if line.startswith("  leaf")] == [
        ["leaf1", "ok"],
        ["leaf2", "FAIL"],
        ["leaf1", "ok"],
        ["leaf2", "FAIL"],
    ]


def test_a_transport_that_tells_nothing_of_its_own_may_be_silent() -> None:
    verdicts = dict.fromkeys(STEPS["gnmi"], Verdict.OK) | {ReachStep.PATH: Verdict.FAIL}
    paths = {"gNMI lldp": "the gNMI server is not enabled"}
    silent = Examination(
        name="leaf1", transport="gnmi", verdicts=verdicts, failure=None, paths=paths, needed=False, took_s=0.1
    )
    text, complete = doctor_text({"leaf1": (silent,)}, Style(), "f.yml")
    assert complete
    assert text.startswith("✔ 1 switch can be read completely")
    assert "● leaf1 gnmi the gNMI server is not enabled; nothing is lost" in " ".join(text.split())
    needed = dataclasses.replace(silent, needed=True)
    assert not doctor_text({"leaf1": (needed,)}, Style(), "f.yml")[1]
