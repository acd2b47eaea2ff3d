from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import jsonschema
import pytest

from netaudit.audit.findings import AuditResult, Comparison, Consequence, Finding
from netaudit.audit.report.json import SCHEMA, render
from netaudit.audit.report.summary import summary, verdict
from netaudit.diag import Severity

from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED, ONLY_UNKNOWN, QOS, WARNINGS

SHAPE = json.loads((Path(__file__).parent / "audit.schema.json").read_text(encoding="utf-8"))
SAMPLES = [CLEAN, FINDINGS, NOT_AUDITED, ONLY_UNKNOWN, WARNINGS, HOSTILE]


@pytest.mark.parametrize("result", SAMPLES)
def test_every_document_has_the_shape(result: AuditResult) -> None:
    jsonschema.Draft202012Validator.check_schema(SHAPE)
    jsonschema.validate(json.loads(render(result)), SHAPE)


def test_the_shape_knows_its_version() -> None:
    assert SHAPE["properties"]["schema"] == {"const": SCHEMA}


def test_both_counts_stand_beside_exit_code_3() -> None:
    document = json.loads(render(NOT_AUDITED))
    assert document["exit_code"] == 3
    assert document["counts"]["findings"] == {
        "error": {"causes": 4, "places": 41},
        "warning": {"causes": 1, "places": 8},
        "info": {"causes": 1, "places": 1},
    }
    assert document["counts"]["not_audited"] == 2
    assert document["counts"]["devices"] == {"total": 20, "complete": 18, "part": 1, "not": 1}


@pytest.mark.parametrize(
    ("result", "fail_on", "code"),
    [
        (CLEAN, Severity.INFO, 0),
        (WARNINGS, Severity.ERROR, 0),
        (WARNINGS, Severity.WARNING, 2),
        (FINDINGS, Severity.ERROR, 2),
        (ONLY_UNKNOWN, Severity.ERROR, 3),
    ],
)
def test_the_exit_code_is_the_one_of_the_command(result: AuditResult, fail_on: Severity, code: int) -> None:
    document = json.loads(render(result, fail_on=fail_on))
    assert (document["exit_code"], document["fail_on"]) == (code, str(fail_on))


@pytest.mark.parametrize(
    ("kind", "at"),
    [
        (Finding, ["findings", 0]),
        (Comparison, ["findings", 0, "comparisons", 0]),
        (Consequence, ["findings", 1, "consequences", 0]),
    ],
)
def test_no_field_of_a_finding_is_left_out(kind: type, at: list[str | int]) -> None:
    part = json.loads(render(FINDINGS))
    for step in at:
        part = part[step]
    assert {field.name for field in dataclasses.fields(kind)} <= part.keys()


def test_the_values_are_those_of_the_finding() -> None:
    said = json.loads(render(FINDINGS))["findings"][0]
    assert said["fingerprint"] == QOS.fingerprint
    assert said["objects"] == list(QOS.objects)
    assert said["comparisons"][1]["observed"] == {"running": "3", "saved": "3", "applied": "absent"}
    assert said["comparisons"][0]["source"] == {"file": "intent/tokyo-gpu1.yaml", "line": 23, "column": 19, "width": 4}


def test_the_verdict_is_the_one_the_terminal_prints() -> None:
    assert json.loads(render(FINDINGS))["verdict"] == verdict(FINDINGS, summary(FINDINGS))


def test_times_are_in_utc() -> None:
    assert json.loads(render(CLEAN))["started_at"] == "2026-11-22T21:00:00Z"


def test_the_file_is_plain_ascii_whatever_a_device_says() -> None:
    wild = dataclasses.replace(QOS, title="\x1b]0;x\x07\x7f\x9b\u202e\ud800日")
    text = render(dataclasses.replace(CLEAN, findings=(wild,)))
    assert all(0x20 <= byte < 0x7F or byte == 0x0A for byte in text)
    assert json.loads(text)["findings"][0]["title"] == wild.title


def test_the_same_audit_gives_the_same_bytes() -> None:
    assert render(NOT_AUDITED) == render(dataclasses.replace(NOT_AUDITED))
