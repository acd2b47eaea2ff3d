"""No slip in an input gives a traceback, a hang, or more than 500 MiB.

300 cases an area here; `make fuzz`, or NETAUDIT_FUZZ=10000, for the full run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.areas import AREAS

REPOSITORY = Path(__file__).resolve().parents[2]
CASES = int(os.environ.get("NETAUDIT_FUZZ", "300"))


@pytest.mark.parametrize("area", AREAS)
def test_every_slip_is_taken_or_refused(area: str) -> None:
    path = os.pathsep.join((str(REPOSITORY), str(REPOSITORY / "tests")))
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", area, str(CASES)],
        stdin=subprocess.DEVNULL,
        cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-8_000:]}\n{done.stderr[-4_000:]}"
