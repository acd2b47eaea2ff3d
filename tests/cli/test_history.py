"""audit, waive, history, report and compare as a user meets them, on two snapshots of a simulated fabric."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from netaudit import pipeline
from netaudit.cli.run import run
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

REPOSITORY = Path(__file__).resolve().parents[2]
CUT = "a-su1-r1-leaf:63"


@dataclass(frozen=True)
class Snaps:
    """The fabric as intended; with a cut cable; with that and a switch that does not answer."""

    clean: Path
    cut: Path
    dark: Path


@pytest.fixture(scope="module")
def snaps(tmp_path_factory: pytest.TempPathFactory) -> Snaps:
    folder = tmp_path_factory.mktemp("snaps")
    expected = pipeline.load_fabric(REPOSITORY / "intent" / "two-plane.yml")
    write_lab(expected.built, folder / "lab")
    try:
        targets = dict(pipeline.targets(expected, tuple(expected.devices), control.up(folder / "lab")))
        pipeline.carry_out(pipeline.plan(expected, targets), targets, folder / "runs")
        found = Snaps(folder / "clean", folder / "cut", folder / "dark")
        pipeline.record(expected, targets, found.clean)
        control.break_(folder / "lab", "link", (CUT,))
        pipeline.record(expected, targets, found.cut)
        control.break_(folder / "lab", "unreachable", ("a-spine2",))
        pipeline.record(expected, targets, found.dark)
    finally:
        control.down(folder / "lab")
    return found


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example, where the user stands."""
    shutil.copytree(REPOSITORY / "intent", tmp_path / "intent")
    monkeypatch.chdir(tmp_path)
    return tmp_path


INTENT = "intent/two-plane.yml"
WAIVE = ["waive", INTENT, "INT-01", "a-su1-r1-leaf", "63", "--owner", "netops", "--reason", "CHG-1"]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_cut_cable_is_new_then_persisting_then_resolved(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", INTENT, str(snaps.clean)]) == 0
    assert "first audit that is kept" in said(capsys)
    assert run(["audit", INTENT, str(snaps.cut)]) == 2
    first = said(capsys)
    assert re.search(r"✖ 1  new  The link a-su1-r1-leaf:63 – a-spine1:2 is down", first)
    assert "change     + 1 new   since" in first
    assert run(["audit", INTENT, str(snaps.cut), "--fail-on", "new"]) == 2, "the same snapshot again is the same audit"
    assert run(["audit", INTENT, str(snaps.dark)]) == 3
    assert "= 1 persisting" in said(capsys)
    assert run(["history", INTENT, "-o", "json"]) == 0
    rows = json.loads(said(capsys))["audits"]
    assert [(r["error"], r["new"], r["exit_code"], r["source"]) for r in rows] == [
        (1, 0, 3, "snapshot"),
        (1, 1, 2, "snapshot"),
        (0, 0, 0, "snapshot"),
    ]


def test_the_history_ends_with_a_trend_oldest_first(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["audit", INTENT, str(snaps.clean), "--report", "last.html"])
    said(capsys)
    assert run(["history", INTENT]) == 0
    assert "trend" not in said(capsys), "one audit is no trend"
    run(["audit", INTENT, str(snaps.cut), "--where", "plane=b", "--report", "part.html"])
    run(["audit", INTENT, str(snaps.cut), "--report", "last.html"])
    run(["audit", INTENT, str(snaps.dark), "--report", "last.html"])
    said(capsys)
    assert run(["history", INTENT]) == 0
    lines = said(capsys).splitlines()
    at = lines.index("trend over the last 3 audits, oldest first")
    assert lines[at + 1 : at + 5] == [
        "  errors       0 1 1   ██",
        "  warnings     0 0 0",
        "  infos        0 0 0",
        "  NOT AUDITED  0 0 1    █",
    ]
    monkeypatch.setenv("NETAUDIT_ASCII", "1")
    assert run(["history", INTENT]) == 0
    assert "  errors       0 1 1\n" in said(capsys)
    assert Path("last.html").read_text().count('<rect class="u"') == 1
    assert 'id="trend"' not in Path("part.html").read_text(), "the audit of a part has a trend of its own"


def test_fail_on_new_passes_over_what_was_there_before(site: Path, snaps: Snaps) -> None:
    assert run(["audit", INTENT, str(snaps.cut)]) == 2
    base = sqlite3.connect(site / ".netaudit/history.sqlite")
    base.execute("UPDATE audit SET at = '2026-01-05T06:00:00.000000+00:00'")
    base.commit()
    base.close()
    assert run(["audit", INTENT, str(snaps.cut), "--fail-on", "new"]) == 0
    assert run(["audit", INTENT, str(snaps.cut), "--fail-on", "error"]) == 2


def test_a_waived_finding_does_not_count_until_the_waiver_ends(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*WAIVE, "--until", "2099-12-31"]) == 0
    assert said(capsys).splitlines()[0] == "◌ INT-01 on 63 of a-su1-r1-leaf is waived until 2099-12-31"
    assert run(["audit", INTENT, str(snaps.cut)]) == 0
    assert said(capsys).startswith("✔ two-plane is as intended: 20 of 20 switches audited, 0 findings, 1 waived")
    file = site / "intent/waivers.yml"
    file.write_text(file.read_text().replace("2099-12-31", "2026-01-31"))
    assert run(["audit", INTENT, str(snaps.cut)]) == 2
    assert "▲ waiver ended 2026-01-31: INT-01 on a-su1-r1-leaf counts again (intent/waivers.yml:2)" in said(capsys)


def test_check_counts_the_waivers_and_those_that_ended(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*WAIVE, "--until", "2099-12-31"]) == 0
    assert run([*WAIVE[:4], *WAIVE[5:], "--until", "2099-06-30"]) == 0
    file = site / "intent/waivers.yml"
    capsys.readouterr()
    assert run(["check", INTENT]) == 0
    assert "waivers    2 waivers, the next ends 2099-06-30\n" in said(capsys)
    file.write_text(file.read_text().replace("2099-06-30", "2026-01-31"))
    assert run(["check", INTENT]) == 0
    assert "waivers    2 waivers, the next ends 2099-12-31; 1 has ended\n" in said(capsys)


def test_the_words_of_where_may_stand_in_any_order(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["audit", INTENT, str(snaps.clean), "--where", "plane=a unit=su1"])
    run(["audit", INTENT, str(snaps.cut), "--where", "unit=su1  plane=a"])
    assert "+ 1 new" in said(capsys)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([*WAIVE, "--until", "2020-01-01"], "has passed"),
        ([*WAIVE, "--until", "soon"], "is not a day"),
        ([*WAIVE[:5], "--until", "2099-12-31"], "--owner"),
        (["waive", INTENT, "int-01", *WAIVE[3:], "--until", "2099-12-31"], "did you mean INT-01?"),
        (["waive", INTENT, "INT-01", "a-spine9", *WAIVE[4:], "--until", "2099-12-31"], "did you mean `a-spine"),
        (["waive", INTENT, "INT-01", "plane=q", *WAIVE[4:], "--until", "2099-12-31"], "means no device"),
        (["waive", INTENT, "INT-01", "plain=a", *WAIVE[4:], "--until", "2099-12-31"], "did you mean `plane`?"),
        ([*WAIVE, "--reason", "a\nb", "--until", "2099-12-31"], "cannot be seen"),
    ],
)
def test_what_cannot_be_waived_is_told_and_nothing_is_written(
    site: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 4
    assert told in capsys.readouterr().err
    assert not (site / "intent/waivers.yml").exists()


def test_a_broken_waivers_file_stops_check_and_audit_before_anything_else(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "intent/waivers.yml").write_text(
        "- {rule: INT-99, device: a-spine1, owner: a, reason: b, until: 2099-12-31}\n"
    )
    for command in (["check", INTENT], ["audit", INTENT, "nowhere"], [*WAIVE, "--until", "2099-12-31"]):
        assert run(command) == 4
        assert "intent/waivers.yml:1:10: error: there is no audit rule `INT-99`" in capsys.readouterr().err


def test_report_gives_the_last_audit_again_in_every_form(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report"]) == 4
    assert "no audit is kept here" in capsys.readouterr().err
    assert (
        run(["audit", INTENT, str(snaps.cut), "-o", "text,json=first.json,html=first.html", "--report", "x.html"]) == 2
    )
    text = said(capsys)
    assert run(["report"]) == 2
    assert said(capsys).splitlines()[:6] == text.splitlines()[:6]
    forms = "json=a.json,html=first2.html,junit=a.xml,sarif=a.sarif,github=a.txt,markdown=a.md"
    assert run(["report", "-o", forms]) == 2
    assert (site / "a.json").read_text() == (site / "first.json").read_text()
    assert (site / "first2.html").read_text() == (site / "first.html").read_text()
    assert Xml.parse(site / "a.xml").getroot().get("failures") == "1"
    assert json.loads((site / "a.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "INT-01"
    assert (site / "a.txt").read_text().startswith("::error title=INT-01 a-su1-r1-leaf%3A63::")
    assert (site / "a.md").read_text().startswith("## ✖ two-plane is not as intended")


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"format": 1}'])
def test_a_kept_audit_that_was_changed_is_refused(site: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (site / ".netaudit").mkdir()
    (site / ".netaudit/last-audit.json").write_text(content)
    assert run(["report"]) == 4
    assert ".netaudit/last-audit.json:1:1: error: this" in capsys.readouterr().err


@pytest.mark.parametrize("spoil", [lambda f: f.write_text("no database " * 99), lambda f: f.mkdir()])
def test_an_audit_reports_although_its_history_is_none(
    site: Path, snaps: Snaps, spoil: object, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / ".netaudit").mkdir()
    assert callable(spoil)
    spoil(site / ".netaudit/history.sqlite")
    assert run(["audit", INTENT, str(snaps.cut)]) == 2
    out = said(capsys)
    assert out.startswith("✖ two-plane is not as intended: 1 error")
    assert "▲ .netaudit/history.sqlite cannot be used as a history" in out
    assert run(["audit", INTENT, str(snaps.cut), "--fail-on", "new"]) == 2, "nobody knows, so it counts"
    assert run(["history", INTENT]) == 1
    assert run(["report"]) == 2, "the last audit is kept all the same"


def test_history_none_keeps_nothing(site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", INTENT, str(snaps.clean), "--history", "none"]) == 0
    assert "change " not in said(capsys)
    assert not (site / ".netaudit").exists()
    assert run(["history", INTENT, "--history", "none"]) == 4
    assert run(["report", "--history", "none"]) == 4


def test_history_lists_what_each_audit_found_and_ends_with_a_command(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["history", INTENT]) == 0
    assert said(capsys).splitlines()[0] == "● no audit of two-plane is kept yet"
    run(["audit", INTENT, str(snaps.clean), "--where", "plane=a"])
    run(["audit", INTENT, str(snaps.cut)])
    capsys.readouterr()
    assert run(["history", INTENT]) == 0
    lines = said(capsys).splitlines()
    assert lines[0].startswith("● 2 audits of two-plane kept; the last, ")
    assert "plane=a" in lines[4]
    assert lines[-1] == "Next: netaudit report --all"


def test_compare_groups_what_changed_and_exits_with_2(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", str(snaps.clean), str(snaps.clean)]) == 0
    assert said(capsys).startswith(f"✔ {snaps.clean} and {snaps.clean} are equal: 20 switches")
    assert run(["compare", str(snaps.clean), str(snaps.cut)]) == 2
    out = said(capsys)
    assert "≠ ports.*.oper_up" in out
    assert "yes → no" in out
    assert re.search(r"next hops of routes +applied, state; \d+ places\n    a-spine1, a-su1-r1-leaf\n", out)


def test_compare_says_what_it_could_not_and_exits_with_3(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    for pair in ((snaps.clean, snaps.dark), (snaps.dark, snaps.clean), (snaps.dark, snaps.dark)):
        assert run(["compare", *map(str, pair), "-o", "json"]) == 3
        data = json.loads(said(capsys))
        assert {g["device"] for g in data["not_compared"]} == {"a-spine2"}
        assert data["exit_code"] == 3
    assert not data["changes"]


def test_compare_both_ways_gives_the_same_changes_turned_round(
    snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    def changes(before: Path, after: Path) -> set[tuple[str, str, str]]:
        run(["compare", str(before), str(after), "-o", "json"])
        return {(c["what"], c["before"], c["after"]) for c in json.loads(said(capsys))["changes"]}

    there, back = changes(snaps.clean, snaps.cut), changes(snaps.cut, snaps.clean)
    assert there == {(what, after, before) for what, before, after in back}


def test_a_damaged_device_file_costs_its_device_and_a_damaged_index_the_snapshot(
    site: Path, snaps: Snaps, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(snaps.cut, site / "hurt")
    (site / "hurt" / "a-su1-r2-leaf.json.gz").write_bytes(b"damaged")
    assert run(["audit", INTENT, "hurt", "-o", "json"]) == 3
    told = json.loads(said(capsys))
    assert [(n["device"], n["what"]) for n in told["not_audited"]] == [("a-su1-r2-leaf", "everything")]
    assert "a-su1-r2-leaf.json.gz: cut off or damaged" in told["not_audited"][0]["reason"]
    assert [f["rule"] for f in told["findings"]] == ["INT-01"], "the cut cable of another switch is found all the same"
    (site / "hurt" / "snapshot.json").write_bytes(b"{")
    assert run(["audit", INTENT, "hurt"]) == 4
    assert "snapshot.json:1:1: error: broken JSON" in capsys.readouterr().err


def test_compare_refuses_what_is_no_snapshot(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "intent", "intent"]) == 4
    assert "is no snapshot" in capsys.readouterr().err
