"""What is made to be large once it is read is refused in seconds, and in less than 500 MiB."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.bombs import BOMBS

REPOSITORY = Path(__file__).resolve().parents[2]
MEMORY_LIMIT_MIB = 500


@pytest.mark.parametrize("name", BOMBS)
def test_an_input_made_to_be_large_is_taken_or_refused(name: str) -> None:
    path = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "tests")))
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.bombs", name],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    assert int(done.stdout) < MEMORY_LIMIT_MIB
