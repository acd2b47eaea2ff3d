"""Every command on a folder of two fabrics: all of them, the one that is named, or the one that has the device."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from intent.example import small

from netaudit import pipeline
from netaudit.cli.fabrics import worst
from netaudit.cli.run import run
from netaudit.lab import control
from netaudit.labdir import write_lab

ONE = {"planes": "[a]", "rails": "1", "units": "{su1: {hosts: 2}}"}
TWO = {
    **ONE,
    "fabric": "other",
    "units": "{su8: {hosts: 2}}",
    "names": '{spine: "{plane}-top{n}"}',
    "bgp": "{asn_base: 4210000000}",
    "addressing": '{loopbacks: [10.254.0.0/16, "fd00:fe::/48"], hosts: 10.64.0.0/10, numbered: 10.128.0.0/12}',
}
LEAF, OTHER = "a-su1-r1-leaf", "a-su8-r1-leaf"


def folder_of_two(folder: Path, **changes: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "one.yml").write_text(small(**ONE), encoding="utf-8")
    (folder / "two.yml").write_text(small(**{**TWO, **changes}), encoding="utf-8")
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with two fabrics, where the user stands beside it."""
    folder_of_two(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    return "site"


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_render_writes_the_files_of_every_device_of_all(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", site, "-d", "out"]) == 0
    names = {path.name for path in Path("out").iterdir()}
    assert {LEAF, OTHER, "a-spine1", "a-top2"} <= names
    assert "12 files for 6 devices" in said(capsys)
    assert run(["render", site, "-d", "some", "--fabric", "other"]) == 0
    assert {path.name for path in Path("some").iterdir()} == {OTHER, "a-top1", "a-top2"}
    assert run(["render", site, "-d", "part", "--where", OTHER]) == 0
    assert [path.name for path in Path("part").iterdir()] == [OTHER]


@pytest.mark.parametrize("command", [["render", "-d", "out"], ["show", "fabric"], ["audit"], ["export", "cables"]])
def test_a_fabric_that_is_not_there_is_told_with_those_that_are(
    command: list[str], site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = 2 if command[0] == "show" else 1
    assert run([*command[:words], site, *command[words:], "--fabric", "third"]) == 4
    told = refused(capsys)
    assert "there is no fabric `third` in site" in told
    assert "there are small, other" in told


def test_a_part_of_no_fabric_is_told_once(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", site, "-d", "out", "--where", "unit=su5"]) == 4
    assert "`unit=su5` matches no device of small, other" in refused(capsys)


def test_export_has_the_cables_of_all_in_one_plan(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", site, "cables", "-o", "csv=all.csv,json=all.json"]) == 0
    lines = Path("all.csv").read_text().splitlines()
    assert sum(line.startswith(lines[0]) for line in lines) == 1
    assert any(LEAF in line for line in lines)
    assert any(OTHER in line for line in lines)
    assert len(json.loads(Path("all.json").read_text())) == len(lines) - 1
    assert run(["export", site, "json"]) == 0
    assert len(json.loads(said(capsys))["fabrics"]) == 2
    assert run(["export", site, "dot", "--fabric", "small"]) == 0
    assert OTHER not in said(capsys)


def test_show_finds_the_fabric_that_has_the_device(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "explain", site, f"{OTHER}:64"]) == 0
    text = said(capsys)
    assert OTHER in text
    assert "site/two.yml" in text.splitlines()[-1]
    assert run(["show", "rib", site, LEAF, "-o", "json"]) == 0
    assert "fabrics" not in json.loads(said(capsys))
    assert run(["show", "device", site, "a-su8-r1-laef"]) == 4
    told = refused(capsys)
    assert "there is no device `a-su8-r1-laef` in small, other" in told
    assert f"did you mean `{OTHER}`?" in told


def test_show_without_a_device_shows_one_fabric_after_the_other(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "addresses", site]) == 0
    text = said(capsys)
    assert text.index(LEAF) < text.index(OTHER)
    assert run(["show", "fabric", site, "-o", "json"]) == 0
    answer = json.loads(said(capsys))
    assert (answer["version"], len(answer["fabrics"])) == (1, 2)
    assert run(["show", "addresses", site, "--fabric", "other"]) == 0
    assert LEAF not in said(capsys)


def test_diff_compares_fabrics_of_one_name_and_tells_those_that_have_none(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder_of_two(tmp_path / "new", bgp="{asn_base: 4210000000, keepalive: 5s, hold: 15s}")
    assert run(["diff", site, "new", "--detailed-exitcode", "-o", "json"]) == 2
    answer = json.loads(said(capsys))
    assert (answer["only_old"], answer["only_new"], len(answer["fabrics"])) == ([], [], 2)
    assert run(["diff", site, "new", "--fabric", "small", "--detailed-exitcode"]) == 0
    assert "15" not in said(capsys).splitlines()[0]
    (tmp_path / "new" / "two.yml").unlink()
    (tmp_path / "new" / "one.yml").write_text(small(**ONE) + "timezone: UTC\n")
    (tmp_path / "new" / "three.yml").write_text(small(**{**TWO, "fabric": "third"}))
    assert run(["diff", site, "new", "--detailed-exitcode"]) == 2
    assert said(capsys).splitlines()[-2:] == ["other: only in site", "third: only in new"]


def test_a_waiver_is_of_the_fabric_that_has_the_device(site: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--owner", "noc", "--reason", "T-1", "--until", "2099-01-01"]
    assert run(["waive", site, "INT-03", OTHER, *words]) == 0
    assert f"INT-03 on {OTHER} is waived" in said(capsys)
    assert run(["waive", site, "INT-03", "a-*", *words]) == 4
    assert "there are 2 fabrics in site: small, other; `a-*` is not of exactly one" in refused(capsys)


def test_a_plan_of_a_fabric_that_the_folder_has_not_is_refused(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from netaudit.platforms import sonic
    from netaudit.push.plan import Running, Wanted, device_plan, make_plan
    from netaudit.push.plan_file import save_plan

    expected = pipeline.load_fabric(tmp_path / "site" / "one.yml")
    files = pipeline.wanted(expected, LEAF)
    assert isinstance(files, Wanted)
    empty = {"config_db.json": files.files["config_db.json"], "frr.conf": "frr defaults datacenter\n"}
    one = device_plan(files, Running(files=empty, serial=""), sonic)
    save_plan(make_plan("third", "0" * 64, [one]), tmp_path / "plan.json")
    assert run(["push", "plan.json", "--intent", site]) == 4
    assert "plan.json is a plan of third, and site has small, other" in refused(capsys)


def test_incomplete_wins_over_findings_and_findings_over_nothing() -> None:
    assert [worst(codes) for codes in ([0, 0], [0, 2], [2, 3, 0], [3, 2], [])] == [0, 2, 3, 3, 0]


@dataclass(frozen=True)
class Two:
    """Two labs, and the snapshot of each."""

    intent: str
    labs: tuple[Path, Path]
    targets: tuple[str, str]


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    root = tmp_path_factory.mktemp("two-labs")
    folder = folder_of_two(root / "site")
    made: list[Path] = []
    files: list[str] = []
    try:
        for name in ("one", "two"):
            expected = pipeline.load_fabric(folder / f"{name}.yml")
            made.append(root / f"lab-{name}")
            write_lab(expected.built, made[-1])
            files.append(str(control.up(made[-1])))
            targets = dict(pipeline.targets(expected, tuple(expected.devices), Path(files[-1])))
            result = pipeline.carry_out(pipeline.plan(expected, targets), targets, root / "runs")
            assert result.exit_code == 0
        yield Two(str(folder), (made[0], made[1]), (files[0], files[1]))
    finally:
        for lab in made:
            control.down(lab)


def collected(labs: Two, folder: str) -> list[int]:
    """Exit codes of one snapshot each; a lab has credentials of its own, so that one file cannot be of both."""
    return [
        run(["collect", labs.intent, "--fabric", name, "-o", f"{folder}/{name}", "--targets", targets])
        for name, targets in zip(("small", "other"), labs.targets, strict=True)
    ]


@pytest.mark.lab
def test_both_are_audited_and_kept_and_the_worst_of_both_decides(
    labs: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert collected(labs, "snap") == [0, 0]
    said(capsys)
    assert run(["audit", labs.intent, "snap", "-o", "json"]) == 0
    answer = json.loads(said(capsys))
    assert (answer["exit_code"], [one["fabric"] for one in answer["fabrics"]]) == (0, ["small", "other"])
    assert len(list(tmp_path.glob("report-*-small.html"))) == len(list(tmp_path.glob("report-*-other.html"))) == 1
    assert run(["audit", labs.intent, "snap", "--fabric", "other", "-o", "text,junit=one.xml"]) == 0
    assert Path("one.xml").exists()
    assert run(["audit", labs.intent, "snap", "-o", "junit"]) == 4
    assert "of several fabrics junit goes to a file each: junit=FILE" in refused(capsys)

    control.break_(labs.labs[1], "link", (f"{OTHER}:64",))
    assert collected(labs, "cut") == [0, 0]
    said(capsys)
    assert run(["audit", labs.intent, "cut", "-o", "text,sarif=x.sarif"]) == 2
    text = said(capsys)
    assert text.count("Next: ") == 2
    assert f"{labs.intent}/two.yml" in text
    assert {path.name for path in tmp_path.glob("*.sarif")} == {"x-small.sarif", "x-other.sarif"}

    control.break_(labs.labs[0], "unreachable", ("a-spine2",))
    assert collected(labs, "dark") == [3, 0]
    assert run(["audit", labs.intent, "dark"]) == 3
    said(capsys)
    assert run(["history", labs.intent, "-o", "json"]) == 0
    kept = json.loads(said(capsys))["fabrics"]
    assert [(one["fabric"], len(one["audits"])) for one in kept] == [("small", 3), ("other", 3)]
    assert run(["history", labs.intent]) == 0
    assert said(capsys).count("trend over the last 3 audits") == 2


@pytest.mark.lab
def test_one_targets_file_that_lacks_a_fabric_is_told_before_anything_is_written(
    labs: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["plan", labs.intent, "-o", "p.json", "--fabric", "other", "--targets", labs.targets[1]]) == 0
    assert run(["collect", labs.intent, "-o", "snap", "--targets", labs.targets[0]]) == 4
    assert OTHER in refused(capsys)
    assert not Path("snap").exists()
