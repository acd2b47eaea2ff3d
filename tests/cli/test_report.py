"""`check` for other programs: what is wrong with an intent, where an annotation or a code scanner shows it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from netaudit.cli.run import run

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = str(REPOSITORY / "intent" / "two-plane.yml")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.yml"
    file.write_text(Path(INTENT).read_text().replace("rails:", "rail:", 1))
    shutil.copytree(REPOSITORY / "intent" / "two-plane", tmp_path / "two-plane")
    return file


def test_check_writes_every_form_at_once(tmp_path: Path) -> None:
    names = ("junit", "sarif", "github", "markdown", "json")
    assert run(["check", INTENT, "-o", ",".join(f"{n}={tmp_path / n}" for n in names)]) == 0
    assert Xml.parse(tmp_path / "junit").getroot().get("failures") == "0"
    assert json.loads((tmp_path / "sarif").read_text())["runs"][0]["invocations"][0]["exitCode"] == 0
    rows = json.loads((tmp_path / "json").read_text())["diagnostics"]
    assert len((tmp_path / "github").read_text().splitlines()) == len(rows) + 1
    assert (tmp_path / "markdown").read_text().startswith("## ✔ two-plane can be built")


def test_an_intent_that_cannot_be_read_is_annotated_at_its_line(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(broken), "-o", "github"]) == 4
    said = capsys.readouterr()
    first = said.out.splitlines()[0]
    assert first.startswith("::error file=")
    assert "line=" in first
    assert "unknown key `rail`" in first
    assert "did you mean `rails`?" in said.err, "the person at the terminal is told as ever"


@pytest.mark.parametrize("form", ["junit", "sarif", "markdown", "json"])
def test_an_intent_that_cannot_be_read_is_in_every_form(
    broken: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(broken), "-o", form]) == 4
    assert "unknown key" in capsys.readouterr().out


def test_a_refused_fabric_is_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(INTENT).read_text()
    far = tmp_path / "far.yml"
    far.write_text(text.replace("3m dac", "30m dac", 1))
    shutil.copytree(REPOSITORY / "intent" / "two-plane", tmp_path / "two-plane")
    assert run(["check", str(far), "-o", "junit"]) == 2
    root = Xml.fromstring(capsys.readouterr().out)
    assert int(root.get("failures", "0")) > 0
    assert any(case.get("file") == str(far) and case.find("failure") is not None for case in root.iter("testcase"))
