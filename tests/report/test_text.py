from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from netaudit.audit.findings import AuditResult, NotAudited, Unverifiable
from netaudit.audit.report.text import render
from netaudit.diag import Severity
from netaudit.state import BlindSpot
from netaudit.terminal import Style, seen_width

from .samples import (
    ASN,
    CLEAN,
    FINDINGS,
    HOSTILE,
    NOT_AUDITED,
    ONE,
    ONLY_UNKNOWN,
    QOS,
    SPARE,
    WARNINGS,
    large,
    unseen,
    wrong_ca,
)

HERE = Path(__file__).parent
Golden = Callable[[Path, str], None]
FILE = "report-2026-W48.html"
SAMPLES = {
    "clean": CLEAN,
    "findings": FINDINGS,
    "not_audited": NOT_AUDITED,
    "only_unknown": ONLY_UNKNOWN,
    "one": ONE,
    "warnings": WARNINGS,
    "hostile": HOSTILE,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_is_the_golden_file(name: str, golden: Golden) -> None:
    golden(HERE / f"{name}.txt", render(SAMPLES[name], Style(), report=FILE))


def test_everything_is_the_golden_file(golden: Golden) -> None:
    golden(HERE / "everything.txt", render(NOT_AUDITED, Style(), everything=True))


def test_an_ascii_terminal_gets_the_golden_file(golden: Golden) -> None:
    text = render(NOT_AUDITED, Style(unicode=False))
    assert text.isascii()
    golden(HERE / "ascii.txt", text)


def test_a_narrow_terminal_in_colour_gets_the_golden_file(golden: Golden) -> None:
    golden(HERE / "colour.txt", render(NOT_AUDITED, Style(colour=True, width=72)).replace("\x1b", "ESC"))


@pytest.mark.parametrize("result", SAMPLES.values(), ids=SAMPLES)
def test_colour_repeats_what_the_words_say(result: AuditResult) -> None:
    plain, coloured = render(result, Style()), render(result, Style(colour=True))
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("result", SAMPLES.values(), ids=SAMPLES)
def test_the_verdict_is_first_and_one_command_last(result: AuditResult) -> None:
    lines = render(result, Style()).splitlines()
    assert lines[0][:2] in ("✔ ", "✖ ", "▲ ", "? ")
    assert lines[-1].startswith("Next: ")
    assert sum(line.startswith("Next: ") for line in lines) == 1


def test_device_text_neither_colours_nor_breaks_lines() -> None:
    text = render(HOSTILE, Style(colour=False), everything=True)
    assert all(line.isprintable() for line in text.splitlines())
    assert r"\u202e" in text
    assert r"\x1b[31m" in text


@pytest.mark.parametrize("result", [CLEAN, FINDINGS, NOT_AUDITED], ids=["clean", "findings", "not audited"])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_only_the_verdict_and_commands_may_pass_the_edge(result: AuditResult, width: int) -> None:
    for line in render(result, Style(width=width), everything=True).splitlines()[1:]:
        assert seen_width(line) <= width or "netaudit " in line, line


def test_three_causes_are_told_and_all_with_all() -> None:
    numbered = re.compile(r"^  [✖▲●] +\d+  ", re.MULTILINE)
    result = large(2, [f"a-su1-r{rail}-leaf" for rail in range(1, 9)])
    assert len(numbered.findall(render(result, Style()))) == 3
    assert "✖ 5 more error causes: --all" in render(result, Style())
    assert len(numbered.findall(render(result, Style(), everything=True))) == 8


def test_nothing_audited_is_never_as_intended() -> None:
    text = render(replace(CLEAN, devices=()), Style())
    assert text.startswith("? tokyo-gpu1: no switch was audited, so nobody can say it is as intended\n")
    assert text.endswith("Next: netaudit doctor intent/\n")


def test_a_switch_seen_in_part_is_named_even_if_nobody_says_why() -> None:
    quiet = replace(unseen(CLEAN), not_audited=())
    text = render(quiet, Style())
    assert text.startswith("? ")
    assert "b-spine2        no reason is known" in text


def test_a_switch_named_as_not_audited_is_not_complete_whatever_its_own_line_says() -> None:
    gone = (NotAudited(device="a-spine1", what="applied qos", reason="no answer"),)
    text = render(replace(CLEAN, not_audited=gone), Style())
    assert "audited    19 of 20 switches completely, 1 in part; 241,380 values" in text


def test_something_else_than_a_switch_not_audited_is_no_pass() -> None:
    result = replace(CLEAN, not_audited=(NotAudited(device="rule BGP-03", what="everything", reason="it crashed"),))
    assert render(result, Style()).startswith("? tokyo-gpu1: no findings; 1 part of the audit was NOT AUDITED")


def test_infos_are_findings_too_where_something_is_unknown() -> None:
    text = render(replace(unseen(CLEAN), findings=(SPARE,)), Style())
    assert text.startswith("? tokyo-gpu1: no errors, no warnings on 18 of 20 switches; 2 were NOT AUDITED, so nobody")


def test_equal_gaps_are_one_line() -> None:
    gone = tuple(NotAudited(device=f"a-su1-r{r}-leaf", what="everything", reason="no answer") for r in (1, 2, 3, 4))
    assert "    a-su1-r1..r4-leaf   no answer\n" in render(replace(CLEAN, not_audited=gone), Style())


def test_all_that_one_wrong_certificate_hides_is_one_line_a_switch() -> None:
    text = render(replace(CLEAN, not_audited=wrong_ca("a-spine1", "a-spine2")), Style())
    assert text.count("TLS: another CA") == 1
    assert "    a-spine1, a-spine2\n" in text or "    a-spine1, a-spine2   " in text
    assert "running ports, running qos, applied buffers: gNMI TLS: another CA" in " ".join(text.split())


def test_many_parts_are_listed_by_store() -> None:
    parts = ("running ports", "running bgp", "saved bgp", "state bgp", "state routes")
    gone = tuple(NotAudited(device="a-spine1", what=what, reason="no answer") for what in parts)
    assert "running ports, bgp; saved bgp; state bgp, routes: no answer" in render(
        replace(CLEAN, not_audited=gone), Style()
    )


def test_one_question_without_answer_is_named() -> None:
    (one, *_) = wrong_ca("a-spine1")
    assert "running ports: gNMI CONFIG_DB PORT: gNMI TLS" in render(replace(CLEAN, not_audited=(one,)), Style())


def test_a_long_list_of_gaps_is_cut_and_counted() -> None:
    gone = tuple(NotAudited(device=f"a-su1-r{r}-leaf", what="everything", reason=f"reason {r}") for r in range(1, 15))
    assert "    … 4 more: --all\n" in render(replace(CLEAN, not_audited=gone), Style())
    assert "reason 14" in render(replace(CLEAN, not_audited=gone), Style(), everything=True)


def test_blind_spots_and_what_nobody_can_tell_are_counted_and_cut() -> None:
    spots = tuple(BlindSpot(what=f"leaf {n}", where="sonic", reason="") for n in range(8))
    hosts = (Unverifiable(what="far ends", where=("a", "b"), reason="no LLDP"),)
    text = render(replace(CLEAN, declared=spots, unverifiable=hosts), Style())
    assert "declared   8 blind spots: leaf 0 (sonic), " in text
    assert "… 3 more: --all" in text
    assert "unproven   1 thing nobody can tell: far ends (a, b)\n" in text


def test_a_cause_whose_title_names_no_place_gets_its_places() -> None:
    text = render(replace(CLEAN, findings=(ASN,)), Style())
    assert "The BGP speaker runs as AS 4200000010" in text
    assert "\n       b-su1-r2-leaf\n" in text


def test_a_cause_without_effect_and_fix_leaves_no_empty_lines() -> None:
    bare = replace(QOS, effect="", fix="", objects=())
    text = render(replace(CLEAN, findings=(bare,)), Style())
    assert "\n\n\n" not in text
    assert text.endswith("Next: netaudit rules QOS-02\n")
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_infos_alone_are_as_intended() -> None:
    text = render(replace(CLEAN, findings=(SPARE,)), Style())
    assert text.splitlines()[0] == (
        "✔ tokyo-gpu1 is as intended: 20 of 20 switches audited, 0 errors, 0 warnings, 1 info cause"
    )
    assert text.endswith("Next: nothing to do.\n")


def test_one_severity_never_hides_in_another() -> None:
    mixed = tuple(replace(QOS, severity=severity, device=str(severity)) for severity in reversed(Severity))
    lines = render(replace(CLEAN, findings=mixed), Style(), everything=True).splitlines()
    signs = [line[2] for line in lines if re.match(r"  [✖▲●] \d", line)]
    assert signs == ["✖", "▲", "●"]
