"""`netaudit whatif`: what it prints, and how it exits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml"
PROGRAM = "from netaudit.cli import main; raise SystemExit(main())"


def whatif(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, "whatif", str(EXAMPLE), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_worst_of_all_single_failures_comes_first() -> None:
    done = whatif("-o", "json")

    outcomes = json.loads(done.stdout)["outcomes"]
    shares = [outcome["capacity"] for outcome in outcomes]
    assert done.returncode == 0
    assert shares == sorted(shares)
    # 64 + 64 cables, 32 modules with two host cables, 16 leaves, 4 spines, 2 planes
    assert sum(outcome["alike"] for outcome in outcomes) == 64 + 64 + 32 + 16 + 4 + 2


def test_a_requirement_that_is_not_met_exits_with_2_and_names_the_failure() -> None:
    done = whatif("--require", "any single leaf: capacity >= 0.85", "--require", "any single spine: capacity >= 0.85")

    assert done.returncode == 2
    assert done.stdout.startswith("✖ 1 requirement of 2 not met")
    assert "any single leaf: capacity >= 0.85: a-su1-r1-leaf leaves capacity 0.5" in done.stdout


def test_a_requirement_that_is_met_exits_with_0() -> None:
    done = whatif("--require", "any two spines: capacity >= 50 %")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("✔ 1 requirement met by 6 failures")


def test_junit_has_a_case_for_what_is_not_met() -> None:
    done = whatif("--require", "any single leaf: cut == 1", "-o", "junit")

    suites = Xml.fromstring(done.stdout)
    assert (done.returncode, suites.get("failures")) == (2, "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--require", "any single spin: cut == 0"), "--require:1:12: error: nothing that fails is called `spin`"),
        (("--fail", "a-spine9"), "--fail:1:1: error: `a-spine9` is no switch that forwards of this fabric"),
        (("--fail", "a-spine1:Ethernet0"), "--fail:1:10: error:"),
        (("--sweep", "cable"), "`cable` is no kind of failure"),
        (("--pairs", "spine"), "`spine` is not two of something"),
    ],
)
def test_what_cannot_be_answered_exits_with_4_and_says_why(arguments: tuple[str, ...], said: str) -> None:
    done = whatif(*arguments)

    assert (done.returncode, done.stdout) == (4, "")
    assert said in done.stderr


def test_the_same_question_has_the_same_answer() -> None:
    assert whatif("--pairs", "leaf,link", "--all").stdout == whatif("--pairs", "leaf,link", "--all").stdout
