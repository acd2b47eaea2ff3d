"""The run says what it skipped, and golden files compare to the byte: pytest is run on small suites of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

SKIPS = """
import pytest
@pytest.mark.parametrize("n", [1, 2, 3])
def test_moon(n): pytest.skip("the moon is not full")
def test_tide(): pytest.skip("low  tide")
def test_sun(): pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """An empty suite that has our conftest.py and allows one reason."""
    folder = tmp_path / "tests"
    folder.mkdir()
    shutil.copy(TESTS / "conftest.py", folder)
    (folder / "allowed_skips.txt").write_text("# why\nthe moon *\n")
    return folder


def run(suite: Path, *arguments: str, ci: bool) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | ({"CI": "true"} if ci else {})  # hypothesis costs a second
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(suite), str(suite)]
    done = subprocess.run(
        [*command, *arguments], stdin=subprocess.DEVNULL, env=environment, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def test_each_reason_stands_in_the_summary_with_its_count(suite: Path) -> None:
    (suite / "test_it.py").write_text(SKIPS)
    code, said = run(suite, ci=False)
    assert code == 0
    assert "\nskipped: the moon is not full, 3\nskipped: low tide, 1\n" in said
    assert "error" not in said


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_ci_fails_by_a_reason_that_is_not_allowed(suite: Path, workers: tuple[str, ...]) -> None:
    (suite / "test_it.py").write_text(SKIPS)
    code, said = run(suite, *workers, ci=True)
    assert code == 1
    assert "error: CI is set and tests were skipped: low tide" in said
    assert "skipped: the moon is not full, 3" in said


def test_ci_passes_by_reasons_that_are_allowed(suite: Path) -> None:
    (suite / "test_it.py").write_text(SKIPS.replace("low  tide", "the moon is gone"))
    assert run(suite, ci=True)[0] == 0


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_a_module_that_skips_itself_is_counted_too(suite: Path, workers: tuple[str, ...]) -> None:
    (suite / "test_it.py").write_text("import pytest\npytest.skip('no sea', allow_module_level=True)\n")
    code, said = run(suite, *workers, ci=True)
    assert code == 1
    assert "error: CI is set and tests were skipped: no sea" in said


def test_a_failing_run_stays_failed(suite: Path) -> None:
    (suite / "test_it.py").write_text(SKIPS + "def test_no(): assert 0\n")
    assert run(suite, ci=True)[0] == 1


def golden_test(suite: Path, text: str) -> None:
    (suite / "test_it.py").write_text(f"def test_it(golden): golden('stage/it.txt', {text!r})\n")


def test_a_golden_file_is_written_by_update_alone(suite: Path) -> None:
    golden_test(suite, "one\ntwo\n")
    code, said = run(suite, ci=False)
    assert code == 1
    assert "no golden file" in said
    assert "pytest --update" in said
    assert run(suite, "--update", ci=False)[0] == 0
    assert (suite / "golden/stage/it.txt").read_bytes() == b"one\ntwo\n"
    assert run(suite, ci=False)[0] == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\nthree\n", ("-two", "+three")),
        ("one \ntwo\n", ("-one", "+one·")),
        ("one\r\ntwo\n", ("-one", "+one␍")),
        ("one\ntwo", ("-two", "+two (no newline at the end)")),
    ],
)
def test_a_golden_file_differs_to_the_byte_and_the_diff_shows_it(
    suite: Path, text: str, shown: tuple[str, str]
) -> None:
    golden_test(suite, "one\ntwo\n")
    run(suite, "--update", ci=False)
    golden_test(suite, text)
    code, said = run(suite, ci=False)
    assert code == 1
    assert all(line in said.splitlines() for line in shown), said


def test_nothing_temporary_lands_outside_of_pytests_folder(tmp_path_factory: pytest.TempPathFactory) -> None:

    asked = (
        'import os, tempfile, pathlib; print(tempfile.gettempdir(), pathlib.Path.home(), os.environ["XDG_STATE_HOME"])'
    )
    told = subprocess.run(
        [sys.executable, "-c", asked], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout.split()
    assert all(Path(folder).is_relative_to(tmp_path_factory.getbasetemp()) for folder in (*told, tempfile.gettempdir()))
    assert len(told) == 3
