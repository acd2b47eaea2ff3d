"""What tests on real switches need. Where root and FRR are there, they run and fail; they do not skip."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from netaudit.lab.frr.preflight import missing_packages
from netaudit.lab.frr.scripts import FRR_HOME

CAP_SYS_ADMIN = 21
"""capability(7): what it takes to make namespaces; root in a container may lack it."""


def may_make_namespaces() -> bool:
    """Is this Linux, and are we root in more than name?"""
    if sys.platform != "linux":
        return False
    status = Path("/proc/self/status").read_text()
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(mask, 16) >> CAP_SYS_ADMIN & 1)


root = pytest.mark.skipif(not may_make_namespaces(), reason="real switches need Linux and root (CAP_SYS_ADMIN)")
real_frr = [root, pytest.mark.skipif(not (FRR_HOME / "bgpd").exists(), reason="FRR is not installed")]
whole_lab = [root, pytest.mark.skipif(bool(missing_packages()), reason="not installed for the lab of real FRR")]
"""`.ci/tools` installs what is missing where CI is set; there a skip for want of it fails the run."""
