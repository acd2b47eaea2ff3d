"""The lab of a folder, from its first namespace to its last: boot, serve, leave nothing behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import IO, Final

from netaudit.diag import Diagnostic, Invalid, Unusable
from netaudit.lab.frr import limits, preflight, scripts, start, watch
from netaudit.lab.frr.doors import ACCESS, open_all, write_targets
from netaudit.lab.frr.faults import Broken
from netaudit.lab.frr.running import Running
from netaudit.lab.sim import ssh_server
from netaudit.lab.sim.access import new_access
from netaudit.lab.sim.cabling import Lab, read_lab
from netaudit.lab.sim.peers import PEERS_FILE, read_peers

PID_FILE: Final = "lab.pid"


class Ended(Exception):
    """The lab is to end."""


def serve(labdir: Path) -> None:
    """Serve until SIGTERM or SIGINT. Raises `Invalid` or `Unusable` where the lab cannot run."""
    lock = _lock(labdir)
    try:
        _heed(_end)
        lab = read_lab(labdir)
        preflight.check(len(lab.devices))
        start.remove(labdir)  # what a lab that was killed has left
        _serve(lab, labdir, lock)
    except Ended:
        pass
    finally:
        _heed(signal.SIG_IGN)
        start.remove(labdir)
        _unwrite(labdir)
        lock.close()


def _heed(do: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, do)


def _unwrite(labdir: Path) -> None:
    """Remove the files that say that a lab runs, and who may in."""
    secret = (labdir / ACCESS / name for name in ("ca.pem", "known_hosts", "password"))
    for path in (labdir / "targets.json", *secret, start.control_path(labdir), labdir / PID_FILE):
        path.unlink(missing_ok=True)
    shutil.rmtree(labdir / "common", ignore_errors=True)
    with contextlib.suppress(OSError):  # not there, or not empty
        (labdir / ACCESS).rmdir()


def _end(number: int, frame: FrameType | None) -> None:
    raise Ended


def _lock(labdir: Path) -> IO[str]:
    """The pid file, locked while the lab runs. Raises `Unusable` where another process has it."""
    file = (labdir / PID_FILE).open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise Unusable(f"the lab in {labdir} is already running", "netaudit lab down") from error
    file.truncate(0)
    file.write(f"{os.getpid()}\n")  # the control socket follows once it runs: `lab down` can stop us before
    file.flush()
    return file


def _serve(lab: Lab, labdir: Path, lock: IO[str]) -> None:
    """Serve a lab that is ours alone."""
    access, key = new_access(), ssh_server.host_key()
    switches = start.boot_switches(lab, labdir)
    problems: list[Diagnostic] = []
    outsiders = read_peers(labdir / PEERS_FILE, lab.cables, problems)
    if problems:
        raise Invalid(problems)
    limits.raise_limits(start.tag_of(labdir))
    scripts.write_common(labdir / "common", access.user, access.password, key.export_private_key())
    nodes, cabling = start.start(lab, labdir, switches, outsiders)
    pool = ThreadPoolExecutor(16)
    broken = Broken(nodes=nodes, cabling=cabling)
    running = Running(
        lab=lab, labdir=labdir, nodes=nodes, cabling=cabling, broken=broken, access=access, key=key, pool=pool
    )
    try:
        open_all(running)
        watch.begin(running)
        lock.write(f"{start.control_path(labdir)}\n")
        lock.flush()
        write_targets(running)
        watch.loop(running)
    finally:
        for server in running.servers:
            server.stop(grace=None)
        for one in running.held:
            one.close()
        pool.shutdown(wait=False, cancel_futures=True)
        start.stop(nodes.values())
