"""The command line as a user meets it: first line, last line, exit code, and what stays on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netaudit.cli.run import run

REPOSITORY = Path(__file__).resolve().parents[2]
INTENT = str(REPOSITORY / "intent" / "two-plane.yml")


def test_help_ends_with_the_next_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("netaudit: say once")
    assert out.splitlines()[-1].startswith("Next: netaudit demo")


def test_no_command_is_a_usage_error_that_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 4
    assert "Usage: netaudit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chekc", INTENT], "chekc"),
        (["check"], "Missing argument"),
        (["check", INTENT, "--nonsense"], "--nonsense"),
        (["check", INTENT, "-o", "yaml"], "unknown format `yaml`"),
        (["audit", INTENT, "--settle", "30"], "needs a unit"),
        (["audit", INTENT, "--fail-on", "info"], "neither error nor warning"),
        (["push", "nowhere.json"], "nowhere.json"),
        (["plan", INTENT, "-o", "p.json", "--where", "plane=z"], "plane=z"),
        (["plan", INTENT, "-o", "p.json", "--targets", "nowhere.json"], "nowhere.json"),
        (["audit", INTENT, "no-such-snapshot"], "no-such-snapshot"),
        (["check", "no-such-intent.yml"], "no-such-intent.yml"),
    ],
)
def test_a_wrong_word_is_a_message_and_exit_code_4(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 4
    err = capsys.readouterr().err
    assert told in err
    assert "Traceback" not in err


def test_check_says_first_whether_the_fabric_can_be_built_and_last_what_to_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["check", INTENT]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✔ two-plane can be built: 20 devices, 128 links, 0 errors")
    assert lines[-1] == f"Next: netaudit plan {INTENT} -o plan.json"


def test_check_as_json_gives_rules_with_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", INTENT, "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {"severity", "rule", "message", "hint", "file", "line", "column"} == rows[0].keys()
    assert all(row["line"] > 0 for row in rows)


def test_a_broken_intent_shows_every_problem_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.yml"
    text = Path(INTENT).read_text().replace("rails:", "rail:", 1).replace("schema: 1", "schema: 2", 1)
    file.write_text(text)
    assert run(["check", str(file)]) == 4
    err = capsys.readouterr().err
    assert err.startswith("✖ ")
    assert "did you mean `rails`?" in err
    assert f"{file}:" in err


def test_rendering_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run(["render", INTENT, "-d", str(tmp_path / name)]) == 0
    one = {p.relative_to(tmp_path / "one"): p.read_bytes() for p in (tmp_path / "one").rglob("*.*")}
    two = {p.relative_to(tmp_path / "two"): p.read_bytes() for p in (tmp_path / "two").rglob("*.*")}
    assert one == two
    assert len(one) == 40


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].endswith("2020-12/schema")


def test_every_rule_says_what_why_and_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(row["name"] and row["why"] and row["fix"] for row in rows)


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = "import sys; from netaudit.cli import main; sys.argv = ['netaudit', 'rules']; main()"
    done = subprocess.run(
        ["bash", "-c", f'{sys.executable} -c "{program}" | head -1'],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("● ")
    assert "Traceback" not in done.stderr


def test_no_lab_is_an_environment_error_with_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "status", "--dir", str(tmp_path)]) == 1
    assert "netaudit lab up" in capsys.readouterr().err
