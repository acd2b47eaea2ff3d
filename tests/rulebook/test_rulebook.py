"""The catalogue of rules says of each what became of it, and says no more than the checks and the audit keep."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from netaudit import checks
from netaudit.audit.rules import RULES
from netaudit.cli.run import run
from netaudit.diag import Severity
from netaudit.docs.status import FAMILIES, status_page
from netaudit.rulebook import MEANING, Entry, Status, decided, entries

SHARED = Path(__file__).resolve().parents[3] / "shared" / "reference" / "audit-rules.md"
AUDITS = {rule.id for rule in RULES}
OURS = {*AUDITS, *checks.RULES}
BUILT = ("built so", "refused while reading", "netaudit whatif")
"""How the reason begins, or where it says, that a rule holds by itself before a change."""


def ids(status: Status) -> list[Entry]:
    return [entry for entry in entries() if status in entry.status]


def test_each_id_stands_once_and_has_one_line_of_its_own() -> None:
    found = entries()
    assert len({entry.id for entry in found}) == len(found) == 148
    assert len({entry.what for entry in found}) == len(found)
    assert [entry.id for entry in found if not 5 < len(entry.what) < 110 or entry.what.endswith(".")] == []


def test_the_rules_of_each_family_are_on_the_page_under_its_title() -> None:
    assert {entry.id.partition("-")[0] for entry in entries()} == set(FAMILIES)
    page = status_page()
    assert [entry.id for entry in entries() if f"| {entry.id} | {entry.severity} |" not in page] == []


def test_every_rule_that_is_named_as_ours_exists() -> None:
    assert [(entry.id, rule) for entry in entries() for rule in entry.rules if rule not in OURS] == []


@pytest.mark.parametrize("entry", ids(Status.BEFORE), ids=lambda entry: entry.id)
def test_what_is_decided_before_a_change_is_decided_by_a_check_or_holds_by_construction(entry: Entry) -> None:
    assert set(entry.rules) & set(checks.RULES) or any(word in entry.reason for word in BUILT)


@pytest.mark.parametrize("entry", ids(Status.AUDIT), ids=lambda entry: entry.id)
def test_what_is_decided_by_an_audit_is_decided_by_a_rule_of_it(entry: Entry) -> None:
    assert set(entry.rules) & AUDITS or entry.reason


def test_what_is_decided_nowhere_has_a_reason_and_no_rule() -> None:
    nowhere = [entry for entry in entries() if not {Status.BEFORE, Status.AUDIT} & set(entry.status)]
    assert [entry.id for entry in nowhere if not entry.reason or entry.rules] == []


def test_a_rule_that_is_refused_is_not_decided_all_the_same() -> None:
    refused = {entry.id for entry in ids(Status.REFUSED)}
    assert refused & OURS == set()


def test_sections_7_to_13_are_decided_or_say_what_it_takes() -> None:
    families = ("QOS", "PFC", "HDR", "ECN", "ETS", "WD", "LB")
    mine = [entry for entry in entries() if entry.id.startswith(families)]
    open_ = {entry.id for entry in mine if entry.status == (Status.REFUSED,)}
    assert open_ == {"ECN-16", "LB-04"}, "what reading ASIC_DB would give, and ARS, which SONiC lacks"


def test_a_new_rule_of_ours_counts_by_its_id() -> None:
    entry = next(e for e in entries() if e.id == "CAB-07")
    assert decided(entry, (), ()) == (Status.OPTICS,)
    assert decided(entry, ("CAB-07",), ("CAB-07",)) == (Status.BEFORE, Status.AUDIT, Status.OPTICS)


def test_every_status_has_its_meaning() -> None:
    assert set(MEANING) == set(Status)


def test_the_command_prints_every_rule_with_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--catalogue", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == [entry.id for entry in entries()]
    assert all(row["status"] and row["what"] for row in rows)
    assert run(["rules", "--catalogue"]) == 0
    text = capsys.readouterr().out
    assert [row["id"] for row in rows if row["id"] not in text] == []


def test_each_audit_rule_is_printed_with_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "-o", "json"]) == 0
    status = {row["id"]: row["status"] for row in json.loads(capsys.readouterr().out)}
    assert status["CAB-01"] == ["audit"]
    assert status["WD-05"] == ["before", "audit"]
    assert run(["rules"]) == 0
    assert capsys.readouterr().out.count("         status  ") == len(RULES)


def test_the_catalogue_is_the_reference_s() -> None:
    """With the reference at hand: all its ids, with its severities."""
    if not SHARED.exists():
        pytest.skip("shared reference data is not here")
    text = SHARED.read_text(encoding="utf-8")
    letters = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
    rows = dict(re.findall(r"^\| ([A-Z]+-\d\d) \| ([EWI]) \|", text, re.MULTILINE))
    known = {entry.id: entry.severity for entry in entries()}
    assert {name: letters[letter] for name, letter in rows.items()}.items() <= known.items()
    assert set(known) - set(rows) == {f"ECN-{n:02}" for n in range(1, 19)}, "V1 to V18 of ecn.md"
