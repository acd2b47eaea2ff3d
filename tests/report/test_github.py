from __future__ import annotations

import re

import pytest

from netaudit.audit.findings import AuditResult
from netaudit.audit.report import github
from netaudit.audit.report.paper import of_audit, of_check
from netaudit.diag import Diagnostic, Source

from .changed import ACCEPTED, CHANGED, EVIL_CHANGED
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED

ALL = [CLEAN, FINDINGS, NOT_AUDITED, HOSTILE, CHANGED, ACCEPTED, EVIL_CHANGED]
COMMAND = re.compile(r"::(error|warning|notice) ([a-zA-Z]+=[^,:\r\n]*(?:,[a-zA-Z]+=[^,:\r\n]*)*)::(.*)")


def read(line: str) -> tuple[str, dict[str, str], str]:
    """One line as the runner reads it: level, properties and message, unescaped."""
    found = COMMAND.fullmatch(line)
    assert found, line
    properties = dict(pair.split("=", 1) for pair in found[2].split(","))
    return found[1], {k: plain(v) for k, v in properties.items()}, plain(found[3])


def plain(text: str) -> str:
    for code, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def commands(result: AuditResult) -> list[tuple[str, dict[str, str], str]]:
    return [read(line) for line in github.render(of_audit(result)).decode().splitlines()]


@pytest.mark.parametrize("result", ALL)
def test_every_line_is_one_command_whatever_devices_say(result: AuditResult) -> None:
    made = commands(result)
    counted = len(result.findings) + len(result.not_audited)
    assert len(made) == counted + 1


def test_an_annotation_stands_at_its_line_and_says_what_to_do() -> None:
    level, properties, message = commands(FINDINGS)[0]
    assert level == "error"
    assert properties == {
        "file": "intent/tokyo-gpu1.yaml",
        "line": "23",
        "col": "19",
        "endColumn": "23",
        "title": "QOS-02 a-su1-r3-leaf",
    }
    assert message.splitlines()[0] == "The stock QoS map replaced ours on a-su1-r3-leaf"
    assert message.splitlines()[-1] == "netaudit plan intent/ --where a-su1-r3-leaf -o plan.json"


def test_percent_colon_and_comma_survive() -> None:
    found = Diagnostic(message="50 %25: a, b\n::error::x", source=Source(file="a,b:c%.yml", line=1))
    paper = of_check(version="1", fabric="f", intent="i", verdict="v", exit_code=2, diagnostics=[found], rules={})
    level, properties, message = read(github.render(paper).decode().splitlines()[0])
    assert properties["file"] == "a,b:c%.yml"
    assert message == "50 %25: a, b\\n::error::x"
    assert level == "error"


def test_levels_are_those_of_github_and_the_last_line_is_the_verdict() -> None:
    made = commands(FINDINGS)
    assert [level for level, _, _ in made] == ["error"] * 4 + ["warning", "notice", "notice"]
    assert made[-1][2] == "tokyo-gpu1 is not as intended: 4 causes explain 41 errors; start with a-su1-r3-leaf"


def test_not_audited_is_an_error_and_waived_is_only_counted() -> None:
    assert sum("NOT AUDITED" in message for level, _, message in commands(NOT_AUDITED)[:-1] if level == "error") == 3
    (last,) = commands(ACCEPTED)
    assert last[2].endswith("0 findings, 1 waived")
    assert commands(CHANGED)[-1][2].endswith("; 1 waived")


def test_a_new_finding_is_marked() -> None:
    assert commands(CHANGED)[0][1]["title"] == "QOS-02 a-su1-r3-leaf (new)"
