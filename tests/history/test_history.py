from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from report.changed import WAIVER
from report.samples import ASN, CLEAN, EVIL, HOSTILE, LINK, MTU, QOS, SPARE, SWAP, unseen

from netaudit.audit.findings import AuditResult, Change, Finding, Waived
from netaudit.diag import Severity, Unusable
from netaudit.history import Kept, audits, remember

START = datetime(2026, 11, 2, 6, 0, tzinfo=UTC)


def found(*findings: Finding) -> AuditResult:
    return replace(CLEAN, findings=findings)


def week(number: int, scope: str = "", **other: str) -> Kept:
    return Kept(at=START + timedelta(weeks=number), scope=scope, intent_sha="ab" * 32, **other)  # type: ignore[arg-type]


def names(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(f.fingerprint for f in findings)


def after(file: Path, *results: AuditResult) -> Change:
    """What the last of several weekly audits says."""
    change = None
    for number, result in enumerate(results):
        change = remember(file, result, week(number))
    assert change is not None
    return change


def test_of_a_first_audit_everything_is_new(tmp_path: Path) -> None:
    change = after(tmp_path / "h.sqlite", found(QOS, LINK))
    assert change.since is None
    assert change.new == names((QOS, LINK))
    assert (change.persisting, change.resolved, change.unknown) == ((), (), ())


def test_new_persisting_and_resolved_since_the_audit_before(tmp_path: Path) -> None:
    change = after(tmp_path / "h.sqlite", found(QOS, LINK), found(LINK, SWAP))
    assert change.since == START
    assert change.new == names([SWAP])
    assert [e.fingerprint for e in change.persisting] == [*names([LINK])]
    (gone,) = change.resolved
    assert (gone.rule, gone.severity, gone.title, gone.first_seen) == ("QOS-02", Severity.ERROR, QOS.title, START)


def test_only_the_last_audit_counts(tmp_path: Path) -> None:
    change = after(tmp_path / "h.sqlite", found(QOS), found(), found(QOS))
    assert change.new == names([QOS])
    assert change.resolved == ()


def test_a_finding_keeps_the_day_it_was_first_seen(tmp_path: Path) -> None:
    change = after(tmp_path / "h.sqlite", found(QOS), found(QOS, MTU), found(QOS, MTU), found())
    assert {e.rule: e.first_seen for e in change.resolved} == {
        "QOS-02": START,
        "INT-04": START + timedelta(weeks=1),
    }


def test_a_finding_on_a_switch_that_was_not_audited_is_neither_resolved_nor_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    there = replace(SPARE, device="b-spine2", object="b-spine2:40", severity=Severity.ERROR)
    dark = after(file, found(there), unseen(CLEAN))
    assert (dark.resolved, [e.device for e in dark.unknown]) == ((), ["b-spine2"])
    again = remember(file, found(there), week(2))
    assert again.new == ()
    assert [e.first_seen for e in again.persisting] == [START]
    assert [e.device for e in remember(file, found(), week(3)).resolved] == ["b-spine2"]


def test_a_finding_that_is_waived_is_not_resolved_and_is_new_when_the_waiver_ends(tmp_path: Path) -> None:
    accepted = replace(CLEAN, waived=(Waived(finding=QOS, waiver=WAIVER),))
    file = tmp_path / "h.sqlite"
    assert after(file, found(QOS), accepted).resolved == ()
    assert remember(file, found(QOS), week(2)).new == names([QOS])


def test_another_fabric_and_another_part_of_it_have_a_history_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    remember(file, found(QOS), week(0))
    assert remember(file, found(QOS), week(1, "plane=a")).since is None
    assert remember(file, replace(found(QOS), fabric="osaka"), week(1)).since is None
    assert remember(file, found(QOS), week(2, "plane=a")).since == START + timedelta(weeks=1)


def test_an_old_snapshot_is_compared_with_what_was_before_it(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    remember(file, found(QOS), week(0))
    remember(file, found(LINK), week(4))
    late = remember(file, found(QOS, ASN), week(2, source="snapshot"))
    assert (late.since, late.new) == (START, names([ASN]))
    assert remember(file, found(LINK), week(5)).since == START + timedelta(weeks=4)


def test_a_snapshot_audited_twice_is_one_audit(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    remember(file, found(QOS), week(0))
    first = remember(file, found(LINK), week(1, source="snapshot"))
    assert remember(file, found(LINK), week(1, source="snapshot")) == first
    assert len(audits(file, "tokyo-gpu1")) == 2


def test_the_list_has_counts_and_exit_codes_newest_first(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    remember(file, found(QOS, MTU, SPARE), week(0))
    remember(file, found(QOS, LINK), replace(week(1), fail_on="new"))
    remember(file, found(LINK), replace(week(2, "plane=a"), fail_on="new"))
    remember(file, found(LINK), replace(week(3, "plane=a"), fail_on="new"))
    remember(file, unseen(CLEAN), week(4))
    rows = audits(file, "tokyo-gpu1")
    assert [e.counts.exit_code for e in rows] == [3, 0, 2, 2, 2]
    assert [(e.counts.errors, e.counts.warnings, e.counts.infos) for e in rows][-1] == (1, 1, 1)
    assert [e.counts.not_audited for e in rows] == [2, 0, 0, 0, 0]
    assert [(e.counts.new, e.counts.persisting, e.counts.resolved) for e in rows][3] == (1, 1, 2)
    assert rows[1].kept.scope == "plane=a"
    assert audits(file, "osaka") == ()


def test_no_file_is_an_empty_list_and_reading_makes_none(tmp_path: Path) -> None:
    assert audits(tmp_path / "h.sqlite", "tokyo-gpu1") == ()
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("evil", [EVIL, "'; DROP TABLE audit; --", "\x00", "half \udcff", "ü" * 10_000])
def test_text_of_devices_is_stored_as_text(tmp_path: Path, evil: str) -> None:
    file = tmp_path / "h.sqlite"
    bad = replace(QOS, device=evil, object=evil, title=evil)
    remember(file, replace(HOSTILE, fabric="f", findings=(bad,)), week(0))
    change = remember(file, replace(CLEAN, fabric="f", findings=()), week(1))
    (gone,) = change.resolved
    assert gone.title == evil.encode("utf-8", "backslashreplace").decode()
    assert len(audits(file, "f")) == 2


def test_two_findings_of_one_name_are_kept_as_one(tmp_path: Path) -> None:
    change = after(tmp_path / "h.sqlite", found(QOS, replace(QOS, title="the same place, other words")), found())
    assert len(change.resolved) == 1


def another_program(file: Path) -> None:
    base = sqlite3.connect(file)
    base.execute("CREATE TABLE mine (x)")
    base.commit()
    base.close()


def newer(file: Path) -> None:
    remember(file, found(), week(0))
    base = sqlite3.connect(file)
    base.execute("PRAGMA user_version = 99")
    base.commit()
    base.close()


def cut_off(file: Path) -> None:
    remember(file, found(QOS, LINK), week(0))
    file.write_bytes(file.read_bytes()[:5_000])


def foreign_times(file: Path) -> None:
    remember(file, found(QOS), week(0))
    base = sqlite3.connect(file)
    base.execute("UPDATE audit SET at = '2026-11-01 monday'")
    base.commit()
    base.close()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda file: file.write_text("this is no database at all, it is a text of some length\n" * 20), "history"),
        (lambda file: file.mkdir(), "history"),
        (another_program, "another program"),
        (newer, "version 99"),
        (cut_off, "history"),
        (foreign_times, "never writes"),
    ],
)
def test_what_is_no_history_is_said_and_left_alone(tmp_path: Path, spoil: object, told: str) -> None:
    file = tmp_path / "h.sqlite"
    assert callable(spoil)
    spoil(file)
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(Unusable, match=told) as caught:
        remember(file, found(LINK), week(1))
    assert str(file) in caught.value.message
    assert caught.value.hint
    with pytest.raises(Unusable):
        audits(file, "tokyo-gpu1")
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unusable, match="cannot be written"):
        remember(tmp_path / "file" / "h.sqlite", found(), week(0))


def test_a_failed_write_leaves_the_history_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    remember(file, found(QOS), week(0))
    broken = replace(QOS, rule=None)  # type: ignore[arg-type]  # what the table refuses: NOT NULL
    with pytest.raises(Unusable):
        remember(file, found(LINK, broken), week(1))
    assert len(audits(file, "tokyo-gpu1")) == 1
    assert [e.rule for e in remember(file, found(), week(2)).resolved] == ["QOS-02"]


def test_audits_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    wrong: list[BaseException] = []

    def keep(number: int) -> None:
        try:
            remember(file, found(QOS, LINK), week(number))
        except Unusable as error:
            wrong.append(error)

    threads = [threading.Thread(target=keep, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(audits(file, "tokyo-gpu1")) == 8
