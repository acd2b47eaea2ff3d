"""A lab of real FRR as the command line starts and stops it; after a crash too."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from netaudit.diag import Unusable
from netaudit.lab import control
from netaudit.lab.frr import namespace, preflight, start
from netaudit.lab.frr.serve import PID_FILE
from netaudit.whole import write_whole

MARK: Final = "frr.json"
"""In the folder of a lab from before anything is made until all of it is gone: what `down` has to look for."""
_MODULE: Final = "netaudit.lab.frr"
_UP_S: Final = 300.0
_STOP_S: Final = 60.0
"""How long 192 switches may take to end (lab.md section 2: 1 to 4 s on an idle machine)."""


def up(labdir: Path) -> Path:
    """Start the lab of a folder; its `targets.json`. Whatever fails or interrupts it, nothing is left behind."""
    devices = json.loads((labdir / "lab.json").read_text())["devices"]
    _refuse_busy(labdir)
    if not control.running(labdir):  # if it is, control says so
        preflight.check(len(devices))
        write_whole(labdir / MARK, (json.dumps({"tag": start.tag_of(labdir)}) + "\n").encode())
    try:
        return control.up(labdir, timeout_s=_UP_S, module=_MODULE, stop_s=_STOP_S)
    except BaseException:
        if not control.running(labdir):
            _sweep(labdir)
        raise


def clear(labdir: Path) -> None:
    """Remove what a lab that was killed has left in a folder. Raises `Unusable` while one starts or stops there."""
    _refuse_busy(labdir)
    if is_here(labdir):
        down(labdir)


def _refuse_busy(labdir: Path) -> None:
    if _locked(labdir) and not control.running(labdir):
        raise Unusable(f"the lab in {labdir} is being started or stopped", "wait for it, or: netaudit lab down")


def down(labdir: Path) -> bool:
    """Stop the lab of a folder, or remove what a killed one has left; whether there was anything."""
    ran = control.down(labdir, stop_s=_STOP_S)
    return _sweep(labdir) > 0 or ran


def is_here(labdir: Path) -> bool:
    """Is, or was, a lab of real FRR in this folder? Its namespaces tell where the folder itself is gone."""
    if (labdir / MARK).is_file():
        return True
    return sys.platform == "linux" and os.geteuid() == 0 and bool(namespace.present(start.tag_of(labdir)))


def _locked(labdir: Path) -> bool:
    """Does a process hold the pid file?"""
    try:
        with (labdir / PID_FILE).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _sweep(labdir: Path) -> int:
    """Remove everything that is left; how much of it there was."""
    count = start.remove(labdir)
    shutil.rmtree(labdir / "common", ignore_errors=True)
    (labdir / MARK).unlink(missing_ok=True)
    return count
