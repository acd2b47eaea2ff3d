"""`check` of a workspace: every fabric has a verdict, all of them one exit code."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from intent.example import small

from netaudit.cli.run import run

EXAMPLES = str(Path(__file__).resolve().parents[2] / "intent")
APART = {
    "fabric": "other",
    "planes": "[c, d]",
    "units": "{su8: {hosts: 2}}",
    "bgp": "{asn_base: 4210000000}",
    "addressing": '{loopbacks: [10.254.0.0/16, "fd00:fe::/48"], hosts: 10.64.0.0/10, numbered: 10.128.0.0/12}',
}
TOO_FAR = {"cables": "{host-leaf: 3m dac, leaf-spine: 9000m dr8}"}
"""No optic bridges that, so a rule refuses the fabric that can be built."""


def side_by_side(folder: Path, **changes: str) -> str:
    """A folder of two fabrics, of which the second is changed as given."""
    (folder / "one.yml").write_text(small(), encoding="utf-8")
    (folder / "two.yml").write_text(small(**(APART | changes)), encoding="utf-8")
    return str(folder)


def test_the_examples_of_this_repository_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", EXAMPLES]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✔ 7 fabrics can be built side by side: 0 errors")
    verdicts = [line.split(":")[0] for line in lines if line.startswith("✔ ")][1:]
    names = ("brownfield", "five-nos", "rail-only", "sakura-like", "three-profiles", "three-tier", "two-plane")
    assert verdicts == [f"✔ {name} can be built" for name in names]
    assert lines[-1] == f"Next: netaudit plan {EXAMPLES}/brownfield.yml -o plan.json"


def test_one_refused_fabric_is_named_first_and_decides_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = side_by_side(tmp_path, **TOO_FAR)
    assert run(["check", folder]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✖ 1 of 2 fabrics refused (other): ")
    assert sum(line.startswith("✔ small can be built") for line in lines) == 1
    assert sum(line.startswith("✖ other is refused") for line in lines) == 1
    assert lines[-1] == f"Next: fix these, then  netaudit check {folder}"


def test_a_fabric_that_is_included_is_checked_with_the_one_that_includes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    side_by_side(tmp_path, **TOO_FAR)
    (tmp_path / "one.yml").write_text(f"include: [two.yml]\n{small()}", encoding="utf-8")
    assert run(["check", str(tmp_path / "one.yml")]) == 2
    assert "✖ other is refused" in capsys.readouterr().out


def test_what_fabrics_share_is_refused_before_any_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", side_by_side(tmp_path, bgp="{}")]) == 4
    said = capsys.readouterr()
    assert said.out == ""
    assert "in both small and other" in said.err


def test_json_has_the_diagnostics_of_all_and_the_facts_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", side_by_side(tmp_path, **TOO_FAR), "-o", "json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert [row["fabric"] for row in answer["fabrics"]] == ["small", "other"]
    assert all(row["facts"]["fabric"] for row in answer["fabrics"])
    for severity, count in answer["counts"].items():
        assert sum(row["counts"][severity] for row in answer["fabrics"]) == count
        assert sum(row["severity"] == severity for row in answer["diagnostics"]) == count
    assert answer["counts"]["error"] > 0


def test_junit_has_a_suite_for_each_fabric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", side_by_side(tmp_path), "-o", "junit"]) == 0
    suites = [suite.get("name") for suite in ElementTree.fromstring(capsys.readouterr().out)]
    assert suites == [str(tmp_path / "one.yml"), str(tmp_path / "two.yml")]


@pytest.mark.parametrize("command", [["plan", "-o", "p.json"], ["lab", "up"]])
def test_what_is_of_one_fabric_says_which_there_are_and_how_to_name_one(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = 2 if command[0] == "lab" else 1
    folder = side_by_side(tmp_path)
    assert run([*command[:words], folder, *command[words:]]) == 4
    said = capsys.readouterr().err
    assert f"there are 2 fabrics in {folder}: small, other; a " in said
    assert "--fabric small" in said
