from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from netaudit.audit import kept
from netaudit.audit.findings import AuditResult
from netaudit.audit.report import github, html, junit, markdown, sarif, text
from netaudit.audit.report import json as as_json
from netaudit.audit.report.paper import of_audit
from netaudit.diag import Invalid, Severity
from netaudit.terminal import Style

from .changed import ACCEPTED, CHANGED, EVIL_CHANGED, FIRST_KEPT
from .samples import CLEAN, FINDINGS, HOSTILE, NOT_AUDITED

SHAPE = json.loads((Path(__file__).parent / "audit.schema.json").read_text(encoding="utf-8"))
ALL = [CLEAN, FINDINGS, NOT_AUDITED, HOSTILE, CHANGED, ACCEPTED, FIRST_KEPT, EVIL_CHANGED]


def lines(result: AuditResult) -> list[str]:
    return text.render(result, Style()).splitlines()


def test_a_new_cause_is_marked_and_a_persisting_one_is_not() -> None:
    shown = lines(CHANGED)
    assert any(re.match(r"  ✖ 1  new  The stock QoS map replaced ours", line) for line in shown)
    assert any(re.match(r"  ✖ 3       Host cables of rail 3 and rail 4 are swapped", line) for line in shown)


def test_the_change_line_counts_new_persisting_resolved_and_what_nobody_can_say() -> None:
    shown = " ".join("\n".join(lines(CHANGED)).split())
    told = "change + 2 new = 4 persisting - 1 resolved ? 1 NOT AUDITED now since 2026-11-16 06:00 UTC"
    assert told in shown


def test_a_first_audit_marks_nothing_as_new() -> None:
    shown = "\n".join(lines(FIRST_KEPT))
    assert "first audit that is kept" in shown
    assert " new " not in shown


def test_waived_findings_are_counted_and_change_neither_exit_code_nor_symbol() -> None:
    shown = lines(ACCEPTED)
    assert shown[0] == "✔ tokyo-gpu1 is as intended: 20 of 20 switches audited, 0 findings, 1 waived"
    assert "  waived     1 finding by 1 waiver, which ends 2026-12-31" in shown
    assert ACCEPTED.exit_code(Severity.INFO) == 0


def test_beside_findings_the_waived_ones_are_a_count() -> None:
    assert any("◌ 1 finding waived by 1 waiver" in line for line in lines(CHANGED))


def test_a_waiver_that_ended_shouts_with_its_line_and_so_does_a_lost_history() -> None:
    shown = lines(CHANGED)
    assert "  ▲ waiver ended 2026-11-15: MGT-05 on a-spine2 counts again (intent/waivers.yml:4)" in shown
    assert "  ▲ history.sqlite was moved away" in shown


def test_many_waivers_that_need_a_look_are_cut_and_counted() -> None:
    many = replace(CHANGED, notes=(), waiver_notes=CHANGED.waiver_notes * 25)
    shown = lines(many)
    assert sum(line.startswith("  ▲ waiver ended") for line in shown) == 10
    assert "  … 15 more: --all" in shown
    assert text.render(many, Style(), everything=True).count("waiver ended") == 25


@pytest.mark.parametrize(
    ("fresh", "code"), [((), 0), ((FINDINGS.findings[0].fingerprint,), 2), ((FINDINGS.findings[5].fingerprint,), 0)]
)
def test_fail_on_new_asks_for_errors_and_warnings_that_were_not_there(fresh: tuple[str, ...], code: int) -> None:
    assert CHANGED.change is not None
    result = replace(CHANGED, change=replace(CHANGED.change, new=fresh))
    assert result.exit_code("new") == code


def test_without_a_history_everything_is_new() -> None:
    assert FINDINGS.exit_code("new") == 2


def test_not_audited_wins_over_new() -> None:
    assert NOT_AUDITED.exit_code("new") == 3


@pytest.mark.parametrize("result", [CHANGED, ACCEPTED, FIRST_KEPT, EVIL_CHANGED])
def test_json_says_what_changed_and_has_the_shape(result: AuditResult) -> None:
    document = json.loads(as_json.render(result, fail_on="new"))
    jsonschema.validate(document, SHAPE)
    assert document["counts"]["waived"] == len(document["waived"]) == len(result.waived)


def test_json_marks_each_finding_new_or_not_or_unknown() -> None:
    assert [f["new"] for f in json.loads(as_json.render(CHANGED))["findings"]] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert {f["new"] for f in json.loads(as_json.render(FIRST_KEPT))["findings"]} == {None}


def test_the_page_has_what_changed_and_what_is_waived() -> None:
    page = html.render(CHANGED)
    changes = page.partition('<section id="changes"')[2].partition("</section>")[0]
    for told in ("+ 2 new", "netops: CHG-4711", "The link a-spine1:9 is down", "NOT AUDITED now", "moved away"):
        assert told in changes
    assert page.count('<b class="new">new</b>') == 6, "two causes: among the first, at their switch and in the table"


def test_the_page_of_an_audit_without_history_has_no_such_part() -> None:
    assert 'id="changes"' not in html.render(FINDINGS)


def test_hostile_waivers_and_titles_stay_text() -> None:
    page = html.render(EVIL_CHANGED)
    assert "<script>alert" not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", page)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text.render(EVIL_CHANGED, Style()))


@pytest.mark.parametrize("result", ALL)
def test_a_kept_audit_is_read_back_whole(result: AuditResult) -> None:
    assert kept.load(kept.dump(result, "new"), "last-audit.json") == (result, "new")
    assert kept.load(kept.dump(result, Severity.WARNING), "last-audit.json")[1] is Severity.WARNING


def test_the_same_page_comes_of_a_kept_audit() -> None:
    again, _ = kept.load(kept.dump(CHANGED), "x")
    assert as_json.render(again) == as_json.render(CHANGED)


WHOLE = json.loads(kept.dump(CHANGED))


def _slipped(chance: random.Random) -> bytes:
    """The kept audit, its first device only, with one or two of its values replaced by something else."""
    data = copy.deepcopy(WHOLE)
    data["result"]["devices"] = data["result"]["devices"][:1]
    places = list(_places(data["result"]))
    for inside, at in chance.sample(places, chance.choice([1, 1, 1, 2])):
        inside[at] = chance.choice(
            [None, 1, -1e308, "", [], {}, True, "9999-12-31T23:59:59-12:00", "x" * 100, float("nan")]
        )
    return json.dumps(data).encode()


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a text of JSON that can be replaced, as (what holds it, under which key)."""
    for at, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield data, at
        yield from _places(value)


@pytest.mark.parametrize("seed", range(5))
def test_a_kept_audit_with_slips_is_refused_or_can_be_shown(seed: int) -> None:
    chance = random.Random(seed)
    shown = 0
    for _ in range(15):
        try:
            result, fail_on = kept.load(_slipped(chance), "x")
        except Invalid:
            continue
        html.render(result)
        as_json.render(result, fail_on=fail_on)
        text.render(result, Style())
        for form in (junit, sarif, github, markdown):
            form.render(of_audit(result, fail_on))
        shown += 1
    assert 0 < shown < 15  # both ends are tried


def _changed(path: tuple[str | int, ...], value: object) -> bytes:
    data = json.loads(kept.dump(CHANGED))
    inside = data
    for step in path[:-1]:
        inside = inside[step]
    if value is None:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", "not an audit"),
        (_changed(("format",), 2), "format 2"),
        (_changed(("format",), True), "format True"),
        (_changed(("fail_on",), "never"), "cannot be read back"),
        (_changed(("extra",), 1), "not an audit"),
        (_changed(("result", "fabric"), 5), "result.fabric"),
        (_changed(("result", "fabric"), None), "lacks `fabric`"),
        (_changed(("result", "colour"), "red"), "knows no `colour`"),
        (_changed(("result", "started_at"), "2026-11-16T06:00:00"), "result.started_at"),
        (_changed(("result", "started_at"), "monday"), "result.started_at"),
        (_changed(("result", "findings", 0, "severity"), "fatal"), "findings[0].severity"),
        (_changed(("result", "findings", 0, "devices"), "a-su1-r3-leaf"), "findings[0].devices"),
        (_changed(("result", "devices", 0, "ports", 0), ["1/1"]), "devices[0].ports[0]"),
        (_changed(("result", "waived", 0, "waiver", "until"), "2026-02-30"), "waiver.until"),
        (_changed(("result", "links"), True), "result.links"),
        (_changed(("result", "change"), []), "result.change"),
        (_changed(("result", "settle_s"), float("nan")), "result.settle_s"),
        (_changed(("result", "settle_s"), 10**400), "result.settle_s"),
        (_changed(("result", "finished_at"), "9999-12-31T23:59:59-12:00"), "result.finished_at"),
    ],
)
def test_what_is_no_kept_audit_is_refused_with_the_place(raw: bytes, told: str) -> None:
    with pytest.raises(Invalid) as caught:
        kept.load(raw, "last-audit.json")
    (diagnostic,) = caught.value.diagnostics
    assert told in diagnostic.message
    assert diagnostic.source is not None
    assert diagnostic.source.file == "last-audit.json"
