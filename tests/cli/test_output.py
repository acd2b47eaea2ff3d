"""What became of the output is said: by a line and an exit code, never by a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = "from netaudit.cli import main; main()"
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("typed", ["--version", "--help", "rules", "check intent/two-plane.yml"])
def test_output_that_finds_no_space_is_an_error_of_one_line(typed: str) -> None:
    """Short output fails when it is flushed at the end, long output in the middle: both are said in the same way."""
    with FULL.open("wb") as nowhere:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *typed.split()], stdin=subprocess.DEVNULL,
            cwd=REPOSITORY, stdout=nowhere, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[0].endswith("the output cannot be written: No space left on device")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_all_of_a_long_output_arrives_in_a_pipe() -> None:
    """A command that reached no device ends without Python's clean-up, which is what flushes elsewhere."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", "intent/two-plane.yml", "-o", "json"], stdin=subprocess.DEVNULL,
        cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("}\n")
