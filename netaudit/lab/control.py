"""How the command line starts, asks, breaks, heals and stops a lab."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import netaudit
from netaudit.diag import Diagnostic, Invalid, Unusable

_PID_FILE: Final = "lab.pid"
_TARGETS: Final = "targets.json"
_ACCESS: Final = "access"
_LEFT_BEHIND: Final = (_TARGETS, "lab.sock", f"{_ACCESS}/ca.pem", f"{_ACCESS}/known_hosts", f"{_ACCESS}/password")
"""What a lab that was killed leaves in its folder, beside its pid file."""
SIMULATOR: Final = "netaudit.lab.sim"
_POLL_S: Final = 0.02
_STOP_S: Final = 5.0
"""How long a lab may take to end before it is killed."""
_ANSWER_S: Final = 60.0


def up(labdir: Path, timeout_s: float = 60.0, module: str = SIMULATOR, stop_s: float = _STOP_S) -> Path:
    """Start the lab of a folder in a session of its own; its `targets.json`, once every switch listens.

    `module` is the program that is the lab; where it does not come up, it has `stop_s` to take back what it began.

    Raises `Unusable` where it runs already, does not come up, or needs longer than `timeout_s`.
    """
    labdir = labdir.resolve()
    if _running(labdir):
        raise Unusable(f"the lab in {labdir} is already running", "take it down first: netaudit lab down")
    _clean(labdir)
    if (labdir / "lab.json").is_file():
        (labdir / _TARGETS).unlink(missing_ok=True)  # a copy of an older one would look like a lab that is ready
    pid = _spawn(labdir, module)
    try:
        _await_targets(labdir, pid, _log(labdir, module), timeout_s)
    except BaseException:
        _end(pid, stop_s)
        _clean(labdir)
        raise
    return labdir / _TARGETS


def _spawn(labdir: Path, module: str) -> int:
    """Pid of a new lab process, which no signal to our terminal reaches."""
    log = _log(labdir, module)
    environment = {**os.environ, "PYTHONPATH": _python_path(), "GRPC_VERBOSITY": "NONE"}
    try:
        log.write_bytes(b"")
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", module, str(labdir)],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_APPEND, 0),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
        )
    except OSError as error:
        raise Unusable(f"the lab cannot start: {error}", f"is {labdir} a lab, and may it be written to?") from error


def _python_path() -> str:
    """PYTHONPATH by which the child finds this very package."""
    home = str(Path(netaudit.__file__).resolve().parents[1])
    return os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))


def _log(labdir: Path, module: str) -> Path:
    """Where a lab says what goes wrong: sim.log, frr.log."""
    return labdir / f"{module.rpartition('.')[2]}.log"


def _await_targets(labdir: Path, pid: int, log: Path, timeout_s: float) -> None:
    """Wait until the lab says that it is ready."""
    deadline = time.monotonic() + timeout_s
    while not (labdir / _TARGETS).exists():
        if _has_ended(pid):
            raise Unusable(f"the lab did not come up: {_last_line(log)}", f"all of it: {log}")
        if time.monotonic() > deadline:
            raise Unusable(f"the lab did not come up within {timeout_s:g} s", f"its log: {log}")
        time.sleep(_POLL_S)


def _has_ended(pid: int) -> bool:
    """Whether a child has ended; what is no child of ours counts as ended once it is gone."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return not _signal(pid, 0)


def _last_line(path: Path) -> str:
    """The last line of a log that says something."""
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def _end(pid: int, stop_s: float) -> None:
    """Stop a process: SIGTERM, and SIGKILL where that does not help."""
    _signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + stop_s
    while not _has_ended(pid):
        if time.monotonic() > deadline:
            _signal(pid, signal.SIGKILL)
            deadline += stop_s
        time.sleep(_POLL_S)


def _running(labdir: Path) -> tuple[int, Path] | None:
    """(pid, control socket) of the lab that runs in a folder; `None` while it is only starting."""
    lines = _told(labdir)
    return (int(lines[0]), Path(lines[1])) if len(lines) >= 2 else None


def _told(labdir: Path) -> Sequence[str]:
    """Lines of the pid file: pid, then, once it runs, control socket. One that no process holds locked is stale."""
    try:
        with (labdir / _PID_FILE).open(encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return file.read().splitlines()
    except FileNotFoundError:
        pass
    return ()


def _clean(labdir: Path) -> None:
    """Take away what a dead lab left. Where there is no pid file no lab was killed, and nothing is touched."""
    if (labdir / _PID_FILE).exists():
        for name in (*_LEFT_BEHIND, _PID_FILE):
            (labdir / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not there, or not empty
            (labdir / _ACCESS).rmdir()


def down(labdir: Path, stop_s: float = _STOP_S) -> bool:
    """Stop the lab of a folder: SIGTERM, then SIGKILL; whether one ran. What a dead one left is taken away.

    One that is only starting, because `up` was killed, is stopped too.
    """
    labdir = labdir.resolve()
    lines = _told(labdir)
    if lines:
        _end(int(lines[0]), stop_s)
    if len(lines) >= 2:
        Path(lines[1]).unlink(missing_ok=True)
    _clean(labdir)
    return bool(lines)


def _signal(pid: int, number: int) -> bool:
    """Signal a process; whether it is there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def running(labdir: Path) -> bool:
    """Does a lab run in this folder?"""
    return _running(labdir.resolve()) is not None


def status(labdir: Path) -> Mapping[str, object]:
    """The running lab: fabric, pid, devices, cables, links_up, sessions, faults."""
    answer = _ask(labdir, {"do": "status"})["status"]
    if not isinstance(answer, dict):
        raise Unusable("the lab gave no status", "take it down and up again")
    return answer


def break_(labdir: Path, kind: str, arguments: Sequence[str]) -> str:
    """Break something; what, in one line. Raises `Invalid` where the kind or a name is wrong."""
    return str(_ask(labdir, {"do": "break", "kind": kind, "arguments": list(arguments)})["told"])


def heal(labdir: Path) -> str:
    """Undo all that was broken; what, in one line."""
    return str(_ask(labdir, {"do": "heal"})["told"])


def _ask(labdir: Path, request: Mapping[str, object]) -> Mapping[str, object]:
    """The answer of the running lab."""
    found = _running(labdir.resolve())
    if found is None:
        raise Unusable(f"no lab runs in {labdir}", "start it: netaudit lab up --sim")
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_ANSWER_S)
            connection.connect(str(found[1]))
            connection.sendall(json.dumps(request).encode() + b"\n")
            with connection.makefile("rb") as lines:
                answer = json.loads(lines.readline())
    except (OSError, ValueError) as error:
        raise Unusable(f"the lab in {labdir} does not answer: {error}", "netaudit lab down, then up") from error
    if "unusable" in answer:
        raise Unusable(str(answer["unusable"]), "netaudit lab down, then up")
    if "error" in answer:
        raise Invalid([Diagnostic(message=str(answer["error"]), hint=str(answer.get("hint", "")))])
    return dict(answer)
