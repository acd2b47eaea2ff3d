"""Lengths of cables on a lab of real gRPC and SSH: found before the push and after, and tuned into the intent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from netaudit import pipeline
from netaudit.cli.run import run
from netaudit.lab import control
from netaudit.labdir import write_lab

pytestmark = pytest.mark.lab

EXAMPLES = Path(__file__).resolve().parents[2] / "intent"


@dataclass(frozen=True)
class Site:
    """A copy of the example of three profiles, and its switches, pushed."""

    intent: Path
    lab: Path
    targets: Path

    def do(self, *words: str) -> int:
        return run([*words, "--targets", str(self.targets)])

    def fault(self, *words: str) -> None:
        assert run(["lab", "break", "--dir", str(self.lab), "--", *words]) == 0

    def heal(self) -> None:
        assert run(["lab", "heal", "--dir", str(self.lab)]) == 0


@pytest.fixture(scope="module")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("lengths")
    intent = folder / "three-profiles.yml"
    shutil.copy(EXAMPLES / "three-profiles.yml", intent)
    shutil.copytree(EXAMPLES / "three-profiles", folder / "three-profiles")
    expected = pipeline.load_fabric(intent)
    write_lab(expected.built, folder / "lab")
    targets = control.up(folder / "lab")
    try:
        site = Site(intent=intent, lab=folder / "lab", targets=targets)
        assert site.do("plan", str(intent), "-o", str(folder / "plan.json")) == 0
        assert (
            run(["push", str(folder / "plan.json"), "--targets", str(targets), "--runs", str(folder / "runs"), "-y"])
            == 0
        )
        yield site
    finally:
        control.down(folder / "lab")


@pytest.fixture
def site(pushed: Site) -> Iterator[Site]:
    table = pushed.intent.parent / "three-profiles" / "cables.csv"
    before = table.read_bytes()
    try:
        yield pushed
    finally:
        pushed.heal()
        table.write_bytes(before)


def audit(site: Site, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, object]]]:
    folder = site.intent.parent
    capsys.readouterr()
    words = ["audit", str(site.intent), "--settle", "0s", "-o", "json", "--history", "none"]
    code = site.do(*words, "--report", str(folder / "report.html"))
    return code, json.loads(capsys.readouterr().out)["findings"]


def test_the_three_profiles_are_pushed_and_audited_clean(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit(site, capsys) == (0, [])


def test_another_length_is_found_after_the_push_and_before_the_next_and_tuned_away(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.fault("optic-length", "t-spine1:64/1", "410")
    code, findings = audit(site, capsys)
    assert (code, [f["rule"] for f in findings]) == (2, ["CAB-07"])

    assert site.do("plan", str(site.intent), "-o", str(site.intent.parent / "again.json")) == 0
    told = capsys.readouterr().out
    assert "CAB-07 1 cable is not as long as the headroom of this plan assumes" in told
    assert "t-storage2:64 – t-spine1:64/1: 410 m by the plugs at both ends, not 323 m" in told

    table = site.intent.parent / "three-profiles" / "cables.csv"
    before = table.read_text()
    assert site.do("tune", str(site.intent), "--detailed-exitcode") == 2
    shown = capsys.readouterr().out
    assert "+t-storage2:64,t-spine1:64/1,410m" in shown
    assert table.read_text() == before, "nothing is written without --write"

    assert site.do("tune", str(site.intent), "--write") == 0
    assert table.read_text() == before.replace("323m", "410m")
    capsys.readouterr()
    assert site.do("tune", str(site.intent), "--detailed-exitcode", "-o", "json") == 0
    assert json.loads(capsys.readouterr().out)["changes"] == []
    assert run(["check", str(site.intent)]) == 0
    # the profiles of before are on the switches: their length is the finding now, no longer that of the cable
    _, findings = audit(site, capsys)
    assert "CAB-07" not in {f["rule"] for f in findings}


def test_what_nobody_can_believe_is_refused_with_its_reason(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.fault("plug-length", "t-gpu1-r1-leaf:1/1", "65535")
    site.fault("plug-length", "t-gpu1-r1-leaf:1/2", "-3")
    site.fault("plug-length", "t-gpu1-r1-leaf:2/1", "abc")
    site.fault("plug-length", "t-gpu1-r1-leaf:2/2", "0")
    assert audit(site, capsys) == (0, [])
    assert site.do("tune", str(site.intent), "-o", "json", "--detailed-exitcode") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["changes"] == []
    assert [(d["where"], d["reason"].split("m, ")[-1].split(", which")[-1].strip()) for d in data["not_taken"]] == [
        ("t-gpu1-r1-leaf:1/1", "and 6,300 m is the most that an EEPROM can say"),
        ("t-gpu1-r1-leaf:1/2", "less than none"),
        ("t-gpu1-r1-leaf:2/1", "is no number"),
    ]


def test_a_recording_is_tuned_as_the_switches_are(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.fault("optic-length", "t-gpu1-r1-leaf:1/1", "2")
    snapshot = site.intent.parent / "snapshot"
    assert site.do("collect", str(site.intent), "-o", str(snapshot)) == 0
    capsys.readouterr()
    assert run(["tune", str(site.intent), str(snapshot), "-o", "patch"]) == 0
    assert "+gpu1-h1:r1/t,t-gpu1-r1-leaf:1/1,2m" in capsys.readouterr().out


def test_a_switch_that_does_not_answer_is_named_and_exits_with_3(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.fault("unreachable", "t-spine1")
    capsys.readouterr()
    assert site.do("tune", str(site.intent), "-o", "json") == 3
    assert list(json.loads(capsys.readouterr().out)["not_read"]) == ["t-spine1"]


def test_a_table_that_is_cut_off_is_not_audited(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.fault("cut-off", "t-spine1", "TRANSCEIVER_INFO")
    code, findings = audit(site, capsys)
    assert (code, findings) == (3, [])
