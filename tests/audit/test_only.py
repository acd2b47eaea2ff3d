"""`--only`: a part of an audit says that it is one, hides nothing that nobody saw, and decides about its own rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from report import samples

from netaudit.audit.only import family, only, wanted_rules
from netaudit.audit.report import json as as_json
from netaudit.audit.report import text
from netaudit.audit.report.summary import summary, verdict
from netaudit.diag import Invalid
from netaudit.terminal import Style

SHAPE = json.loads((Path(__file__).parents[1] / "report" / "audit.schema.json").read_text(encoding="utf-8"))
RULES = sorted({finding.rule for finding in samples.FINDINGS.findings})


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_or_its_family_keeps_its_own_findings_alone(rule: str) -> None:
    alone = only(samples.FINDINGS, (rule,))
    assert {finding.rule for finding in alone.findings} == {rule}
    relatives = {finding.rule for finding in only(samples.FINDINGS, (family(rule),)).findings}
    assert relatives == {other for other in RULES if family(other) == family(rule)}


def test_a_part_without_findings_exits_with_0_and_says_what_it_is_part_of() -> None:
    assert samples.FINDINGS.exit_code() == 2
    part = only(samples.FINDINGS, ("WD",))
    assert part.exit_code() == 0
    assert "is as intended in WD:" in verdict(part, summary(part))
    shown = text.render(part, Style(unicode=False))
    assert "every other rule (--only WD)" in shown
    assert f"{len(samples.FINDINGS.findings)} findings of them left out" in part.declared[0].reason


def test_what_was_not_audited_stays_and_still_exits_with_3() -> None:
    part = only(samples.NOT_AUDITED, ("WD",))
    assert part.not_audited == samples.NOT_AUDITED.not_audited
    assert part.exit_code() == 3


def test_json_says_which_rules_it_is_about_and_keeps_its_shape() -> None:
    part = only(samples.FINDINGS, ("QOS", "CAB-02"))
    document = json.loads(as_json.render(part))
    Draft202012Validator(SHAPE).validate(document)
    assert document["only"] == ["QOS", "CAB-02"]
    assert "only" not in json.loads(as_json.render(samples.FINDINGS))


def test_words_are_rules_or_families_in_any_case() -> None:
    assert wanted_rules("bgp, HDR-02,BGP") == ("BGP", "HDR-02")


@pytest.mark.parametrize("text_given", ["HDR-2", "", "BGP,", "route"])
def test_a_word_that_is_no_rule_is_an_error_with_a_hint(text_given: str) -> None:
    with pytest.raises(Invalid) as error:
        wanted_rules(text_given)
    assert "no audit rule" in error.value.diagnostics[0].message
    assert error.value.diagnostics[0].hint
