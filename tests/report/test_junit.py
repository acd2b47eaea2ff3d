from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest

from netaudit.audit.findings import AuditResult
from netaudit.audit.report import junit
from netaudit.audit.report.paper import of_audit, of_check
from netaudit.diag import Diagnostic, Severity, Source

from .changed import ACCEPTED, CHANGED, EVIL_CHANGED
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED, ONLY_UNKNOWN, WARNINGS

ALL = [CLEAN, FINDINGS, NOT_AUDITED, ONLY_UNKNOWN, WARNINGS, HOSTILE, CHANGED, ACCEPTED, EVIL_CHANGED]

# What Jenkins' junit-10.xsd allows where.
INSIDE = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}
NEEDED = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}


def tree(result: AuditResult) -> Xml.Element:
    return Xml.fromstring(junit.render(of_audit(result)))


@pytest.mark.parametrize("result", ALL)
def test_the_document_has_the_structure_that_readers_take(result: AuditResult) -> None:
    root = tree(result)
    assert root.tag == "testsuites"
    for element in root.iter():
        assert NEEDED[element.tag] <= set(element.keys())
        assert {child.tag for child in element} <= INSIDE.get(element.tag, set())


@pytest.mark.parametrize("result", ALL)
def test_the_counts_are_those_of_the_cases(result: AuditResult) -> None:
    root = tree(result)
    for element in (root, *root):
        for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(count, "-1")) == len(element.findall(f".//{tag}"))


def test_every_switch_is_a_suite_and_one_without_a_finding_passes() -> None:
    root = tree(FINDINGS)
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {device.name for device in FINDINGS.devices}
    (case,) = suites["a-spine1"]
    assert (case.get("name"), len(case)) == ("as intended", 0)


@pytest.mark.parametrize("result", ALL)
@pytest.mark.parametrize("fail_on", [Severity.ERROR, Severity.WARNING, Severity.INFO, "new"])
def test_it_is_red_exactly_where_the_exit_code_is(result: AuditResult, fail_on: Severity) -> None:
    root = Xml.fromstring(junit.render(of_audit(result, fail_on)))
    code = result.exit_code(fail_on)
    assert (root.get("errors") != "0") == (code == 3)
    if code != 3:
        assert (root.get("failures") != "0") == (code == 2)


def test_not_audited_is_an_error_and_a_waived_finding_skipped_with_its_reason() -> None:
    unseen = {suite.get("name") for suite in tree(NOT_AUDITED) if suite.find("testcase/error") is not None}
    assert unseen == {"b-spine2", "a-su2-r2-leaf"}
    (skipped,) = tree(ACCEPTED).iter("skipped")
    assert skipped.get("message") == "waived until 2026-12-31 by netops: CHG-4711"


def test_a_finding_names_the_line_of_the_intent_and_the_command() -> None:
    (case,) = (c for c in tree(FINDINGS).iter("testcase") if c.get("name", "").startswith("QOS-02"))
    assert (case.get("file"), case.get("line")) == ("intent/tokyo-gpu1.yaml", "23")
    (failure,) = case
    assert (failure.text or "").splitlines()[-1] == "netaudit plan intent/ --where a-su1-r3-leaf -o plan.json"


def test_text_of_devices_can_add_no_element_and_breaks_no_reader() -> None:
    raw = junit.render(of_audit(EVIL_CHANGED))
    assert b"<script" not in raw
    assert not set(raw.decode()) & set(map(chr, (*range(9), *range(11, 32), 0x7F, 0x202E, 0xFFFE, 0xFFFF)))


def test_a_check_has_a_suite_for_every_file_and_one_that_passes_if_nothing_is_wrong() -> None:
    found = [
        Diagnostic(message="wrong \ufffe\x00 <&>", source=Source(file="b.csv", line=3), rule="CAB-09", hint="do"),
        Diagnostic(message="odd", source=Source(file="a.yml", line=2), severity=Severity.WARNING),
    ]
    paper = of_check(
        version="1", fabric="f", intent="a.yml", verdict="v", exit_code=2, diagnostics=found, rules={"CAB-09": "x"}
    )
    root = Xml.fromstring(junit.render(paper))
    assert [(s.get("name"), s.get("failures")) for s in root] == [("a.yml", "0"), ("b.csv", "1")]
    nothing = of_check(version="1", fabric="f", intent="a.yml", verdict="v", exit_code=0, diagnostics=[], rules={})
    assert [c.get("name") for c in Xml.fromstring(junit.render(nothing)).iter("testcase")] == ["no problem found"]
