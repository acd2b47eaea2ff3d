"""The most memory this process has had, since it began."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_mib() -> float:
    """MiB. `ru_maxrss` survives exec and would tell what the parent had when it forked; Linux's VmHWM does not."""
    if STATUS.is_file():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 2**10
    # KiB on Linux, bytes on macOS (getrusage(2) of each)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
