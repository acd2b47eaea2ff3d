from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from netaudit.audit.findings import AuditResult
from netaudit.audit.report import sarif
from netaudit.audit.report.paper import of_audit, of_check
from netaudit.diag import Diagnostic, Source

from .changed import ACCEPTED, CHANGED, EVIL_CHANGED
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED, QOS, WARNINGS

ALL = [CLEAN, FINDINGS, NOT_AUDITED, WARNINGS, HOSTILE, CHANGED, ACCEPTED, EVIL_CHANGED]


def closed(required: str, optional: str = "", **inside: Any) -> dict[str, Any]:
    names = {*required.split(), *optional.split()}
    return {
        "type": "object",
        "required": required.split(),
        "properties": {name: inside.get(name, True) for name in names},
        "additionalProperties": False,
    }


def each(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


# The part of SARIF 2.1.0 (OASIS, sections 3.13 to 3.58) that is used, with its own limits.
NUMBER = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = closed("text", text={"type": "string", "minLength": 1})
RULE = closed(
    "id shortDescription defaultConfiguration",
    "fullDescription help",
    id={"type": "string"},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=closed("level", level=LEVEL),
)
REGION = closed("startLine", "startColumn endColumn", startLine=NUMBER, startColumn=NUMBER, endColumn=NUMBER)
URI = {"type": "string", "pattern": r"^[A-Za-z0-9%._~/:-]+$"}
PLACE = closed(
    "physicalLocation",
    "logicalLocations",
    physicalLocation=closed("artifactLocation region", artifactLocation=closed("uri", uri=URI), region=REGION),
    logicalLocations=each(closed("fullyQualifiedName kind")),
)
RESULT = closed(
    "ruleId ruleIndex level message locations partialFingerprints",
    "baselineState suppressions",
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations={**each(PLACE), "minItems": 1},
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    baselineState={"enum": ["new", "unchanged", "updated", "absent"]},
    suppressions=each(closed("kind status justification", kind={"enum": ["inSource", "external"]})),
)
NOTICE = closed("level message descriptor", level=LEVEL, message=MESSAGE, descriptor=closed("id"))
RUN = closed(
    "tool automationDetails columnKind invocations results",
    tool=closed("driver", driver=closed("name rules", "version", rules=each(RULE))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=each(
        closed(
            "executionSuccessful exitCode toolExecutionNotifications",
            executionSuccessful={"type": "boolean"},
            exitCode={"type": "integer"},
            toolExecutionNotifications=each(NOTICE),
        )
    ),
    results=each(RESULT),
)
SHAPE = closed("$schema version runs", version={"const": "2.1.0"}, runs={**each(RUN), "minItems": 1})


def run(result: AuditResult) -> Any:
    return json.loads(sarif.render(of_audit(result)))["runs"][0]


@pytest.mark.parametrize("result", ALL)
def test_the_log_has_the_shape_of_the_standard(result: AuditResult) -> None:
    jsonschema.Draft202012Validator.check_schema(SHAPE)
    jsonschema.validate(json.loads(sarif.render(of_audit(result))), SHAPE)


@pytest.mark.parametrize("result", ALL)
def test_every_result_points_to_its_rule_and_no_rule_is_without_one(result: AuditResult) -> None:
    made = run(result)
    rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    assert [rules[r["ruleIndex"]] for r in made["results"]] == [r["ruleId"] for r in made["results"]]
    assert {r["ruleId"] for r in made["results"]} == set(rules)


def test_a_result_stands_at_its_line_of_the_intent() -> None:
    (found,) = (r for r in run(FINDINGS)["results"] if r["ruleId"] == "QOS-02")
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "intent/tokyo-gpu1.yaml"
    assert place["region"] == {"startLine": 23, "startColumn": 19, "endColumn": 23}
    assert found["level"] == "error"


def test_a_result_without_a_line_stands_at_the_intent() -> None:
    (found,) = (r for r in run(FINDINGS)["results"] if r["ruleId"] == "CAB-02")
    place = found["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "intent"}, "region": {"startLine": 1}}


def test_the_fingerprint_is_of_the_finding_and_not_of_its_line_or_values() -> None:
    moved = replace(QOS, title="other words", comparisons=())
    (before,), (after,) = (run(replace(CLEAN, findings=(f,)))["results"] for f in (QOS, moved))
    assert before["partialFingerprints"] == after["partialFingerprints"]
    (other,) = run(replace(CLEAN, findings=(replace(QOS, object="elsewhere"),)))["results"]
    assert other["partialFingerprints"] != before["partialFingerprints"]


def test_new_and_waived_are_said_the_way_readers_know() -> None:
    results = run(CHANGED)["results"]
    assert [r.get("baselineState") for r in results] == ["new"] * 2 + ["unchanged"] * 4 + [None]
    assert results[-1]["suppressions"][0]["justification"] == "waived until 2026-12-31 by netops: CHG-4711"


def test_not_audited_is_no_result_but_an_execution_that_was_not_complete() -> None:
    (invocation,) = run(NOT_AUDITED)["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    assert len(invocation["toolExecutionNotifications"]) == 3
    assert "b-spine2" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("intent/a.yml", "intent/a.yml"),
        ("./a b.yml", "a%20b.yml"),
        ("/abs/ü#?.yml", "file:///abs/%C3%BC%23%3F.yml"),
        ("../x%.yml", "../x%25.yml"),
        ("bad\udcff", "bad%FF"),
    ],
)
def test_file_names_become_uris(file: str, expected: str) -> None:
    assert sarif.uri(file) == expected


def test_an_intent_that_cannot_be_read_has_results_too() -> None:
    found = [Diagnostic(message="unknown key `rail`", source=Source(file="a.yml", line=5, column=1, width=4))]
    paper = of_check(version="1", fabric="a.yml", intent="a.yml", verdict="v", exit_code=4, diagnostics=found, rules={})
    document = json.loads(sarif.render(paper))
    jsonschema.validate(document, SHAPE)
    assert document["runs"][0]["results"][0]["ruleId"] == "INTENT"
    assert document["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_only_ascii_comes_out() -> None:
    assert sarif.render(of_audit(EVIL_CHANGED)).isascii()
    assert b"\x7f" not in sarif.render(of_audit(EVIL_CHANGED))
