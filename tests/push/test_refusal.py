from __future__ import annotations

import pytest

from netaudit.push.refusal import complaint, refusal, without_secrets

NXOS = r"ERROR:|Invalid command"


@pytest.mark.parametrize(
    ("output", "pattern", "said"),
    [
        ("leaf1(config)# qos x\nERROR: no such queue\nleaf1(config)# end\n", NXOS, "ERROR: no such queue"),
        ("leaf1(config)# qos x\nERROR: no such queue\n", "", ""),
        ("    ^\n% Invalid input\n", "", "% Invalid input"),
        ("description ERROR: is a word here\n% \n", NXOS, ""),
        ("interface A\n  Invalid command (at char 3)\n", NXOS, "Invalid command (at char 3)"),
        ("% Invalid input: username x password 7 0822\n", "", "% Invalid input: username x password <secret>"),
    ],
)
def test_the_line_that_says_no_is_found_wherever_it_stands(output: str, pattern: str, said: str) -> None:
    assert refusal((output,), pattern=pattern) == said


def test_a_line_known_to_be_harmless_is_no_refusal() -> None:
    assert refusal(("% Can't open it\n% Unknown command\n",), harmless=("% Can't open",)) == "% Unknown command"


def test_the_line_that_begins_like_an_error_is_the_one_that_tells() -> None:
    assert complaint("loading\nerror: syntax error\ndone\n") == "error: syntax error"
    assert complaint("loading\nfailed\n") == "failed"
    assert complaint("\n") == ""


def test_a_secret_that_is_known_is_nowhere_in_the_text() -> None:
    assert without_secrets("hunter2 is no good", "hunter2", "") == "<secret> is no good"
