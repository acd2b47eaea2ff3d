"""Which findings a waiver accepts, and which waivers need a look."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date

import pytest
from report.changed import WAIVER
from report.samples import CLEAN, LINK, MTU, QOS, SWAP, unseen

from netaudit.audit.findings import AuditResult, Finding, Waiver
from netaudit.audit.waivers import covers, pattern, with_waivers
from netaudit.diag import Severity

TODAY = date(2026, 11, 23)


def waiver(finding: Finding, place: str = "", until: date = date(2026, 12, 31), device: str = "") -> Waiver:
    name = device or finding.device
    return replace(WAIVER, rule=finding.rule, device=name, object=place, until=until, devices=frozenset({name}))


def applied(result: AuditResult, *waivers: Waiver) -> AuditResult:
    return with_waivers(result, waivers, TODAY)


def found(*findings: Finding) -> AuditResult:
    return replace(CLEAN, findings=findings)


def test_a_waived_finding_is_listed_apart_and_changes_no_exit_code() -> None:
    result = applied(found(QOS), waiver(QOS))
    assert result.findings == ()
    assert [w.finding for w in result.waived] == [QOS]
    assert result.waiver_notes == ()
    assert [result.exit_code(s) for s in Severity] == [0, 0, 0]
    assert result.exit_code("new") == 0


def test_what_is_not_waived_still_counts() -> None:
    result = applied(found(QOS, LINK), waiver(QOS))
    assert result.findings == (LINK,)
    assert result.exit_code() == 2


def test_a_waiver_holds_on_its_last_day_and_not_on_the_next() -> None:
    assert applied(found(QOS), waiver(QOS, until=TODAY)).findings == ()
    assert applied(found(QOS), waiver(QOS, until=date(2026, 11, 22))).findings == (QOS,)


@pytest.mark.parametrize(
    "other",
    [
        replace(waiver(QOS), rule="QOS-03"),
        waiver(QOS, device="a-su1-r4-leaf"),
        waiver(QOS, "12/1"),
        waiver(QOS, "a-su1-r3-leaf:1/*"),
        replace(waiver(QOS), devices=frozenset()),
    ],
)
def test_another_rule_device_or_only_a_part_of_the_places_waives_nothing(other: Waiver) -> None:
    assert applied(found(QOS), other).findings == (QOS,)


@pytest.mark.parametrize("place", ["", "*", "64", "a-su1-r1-leaf:64", "6?", "a-su1-r1-leaf:*"])
def test_of_a_cable_the_end_on_the_device_is_what_counts(place: str) -> None:
    link = replace(LINK, objects=("a-su1-r1-leaf:64 – a-spine1:1",))
    assert covers(waiver(LINK, place), LINK)
    assert covers(waiver(link, place), link)
    assert not covers(waiver(link, "a-spine1:1"), link)


def test_of_swapped_cables_both_ends_on_the_device_must_be_meant() -> None:
    swap = replace(SWAP, objects=("a-leaf:1 – a-spine:1 ↔ a-leaf:2 – a-spine:2",), device="a-leaf", object="x")
    assert not covers(waiver(swap, "1"), swap)
    assert covers(waiver(swap, "?"), swap)


def test_prefixes_are_matched_as_they_are_listed() -> None:
    routes = replace(QOS, rule="RIB-01", object="10.0.0.0/28", objects=("10.0.0.0/28", "10.0.0.16/28"))
    assert covers(waiver(routes, "10.0.0.*"), routes)
    assert not covers(waiver(routes, "10.0.0.0/28"), routes)


def test_every_place_of_a_folded_finding_must_be_meant() -> None:
    assert covers(waiver(MTU, "?"), MTU)
    assert not covers(waiver(MTU, "5"), MTU)


def test_a_waiver_for_a_part_says_how_much_it_would_hold_for() -> None:
    (note,) = applied(found(MTU), waiver(MTU, "5")).waiver_notes
    assert note.text == "waiver INT-04 a-spine2 5 holds for 1 of 8 places of one cause, so all of it counts"


def test_a_waiver_that_matches_nothing_is_said() -> None:
    (note,) = applied(found(), waiver(QOS)).waiver_notes
    assert note.text == "waiver QOS-02 a-su1-r3-leaf matches no finding"


def test_a_waiver_of_no_device_is_said() -> None:
    (note,) = applied(found(), replace(WAIVER, device="c-*", devices=frozenset())).waiver_notes
    assert note.text == "waiver MGT-05 c-* means no device of this fabric"


def test_a_waiver_that_ended_shouts_what_counts_again() -> None:
    result = applied(found(QOS), waiver(QOS, until=date(2026, 11, 15)))
    (note,) = result.waiver_notes
    assert note.text == "waiver ended 2026-11-15: QOS-02 on a-su1-r3-leaf counts again"
    assert result.exit_code() == 2


def test_a_waiver_that_ended_for_several_names_them() -> None:
    many = [replace(QOS, device=f"a-su1-r{n}-leaf", objects=(), object="x") for n in (1, 2, 3, 4)]
    old = replace(waiver(QOS, until=date(2026, 11, 15)), devices=frozenset(f.device for f in many))
    (note,) = applied(found(*many), old).waiver_notes
    assert note.text.endswith("QOS-02 on a-su1-r1-leaf, a-su1-r2-leaf, a-su1-r3-leaf and 1 more count again")


def test_a_waiver_that_ended_and_is_not_needed_is_to_be_taken_out() -> None:
    (note,) = applied(found(), waiver(QOS, until=date(2026, 11, 15))).waiver_notes
    assert note.text.endswith("is not found any more; take it out")


def test_an_ended_waiver_that_was_renewed_does_not_shout() -> None:
    result = applied(found(QOS), waiver(QOS, until=date(2026, 11, 15)), waiver(QOS))
    assert len(result.waived) == 1
    assert [n.text for n in result.waiver_notes] == [
        "waiver ended 2026-11-15: QOS-02 a-su1-r3-leaf is not found any more; take it out"
    ]


def test_of_what_was_not_audited_no_waiver_is_blamed_and_none_helps() -> None:
    dark = replace(WAIVER, device="b-spine2", devices=frozenset({"b-spine2"}))
    result = applied(unseen(CLEAN), dark)
    assert result.waiver_notes == ()
    assert result.exit_code() == 3


def test_of_a_device_outside_of_the_audit_no_waiver_is_blamed() -> None:
    part = replace(CLEAN, devices=CLEAN.devices[:3])
    assert applied(part, replace(WAIVER, devices=frozenset({"b-spine1"}))).waiver_notes == ()


@pytest.mark.parametrize(
    ("wanted", "text", "matches"),
    [
        ("a-spine*", "a-spine12", True),
        ("a-spine?", "a-spine12", False),
        ("a.spine1", "a-spine1", False),
        ("[ab]-spine1", "a-spine1", False),
        ("*", "", True),
        ("a\\d", "a1", False),
        ("A-spine1", "a-spine1", False),
        ("a*", "a\nb", True),
    ],
)
def test_only_star_and_question_mark_mean_something(wanted: str, text: str, matches: bool) -> None:
    assert bool(pattern(wanted).fullmatch(text)) is matches


def test_a_pattern_of_many_stars_is_quick() -> None:
    started = time.perf_counter()
    assert pattern("*" * 50 + "x").fullmatch("a" * 2_000) is None
    assert time.perf_counter() - started < 1.0
