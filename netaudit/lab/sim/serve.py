"""The running lab: boot, serve, obey the control socket, leave nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
import signal
import stat
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from netaudit.diag import Diagnostic, Invalid, Unusable
from netaudit.lab.sim import boxes, faults, nos, ssh_server
from netaudit.lab.sim.access import new_access
from netaudit.lab.sim.boxes import Box
from netaudit.lab.sim.cabling import read_lab
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.files import write_bytes
from netaudit.lab.sim.peers import PEERS_FILE, read_peers
from netaudit.lab.sim.requests import request

PID_FILE: Final = "lab.pid"
_SOCKET: Final = "lab.sock"
_ACCESS: Final = "access"
"""Folder of what a client needs to be let in."""
_OVER_SSH: Final = ("ssh", "netconf")
"""Doors whose host key stands in known_hosts."""
_SOCKET_PATH_BYTES: Final = 100
"""A UNIX socket's path may have 104 bytes on macOS, 108 on Linux."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What the control socket acts on."""

    labdir: Path
    fabric: Fabric
    boxes: dict[str, Box]
    keys: Keys


def boot_fabric(labdir: Path) -> Fabric:
    """The lab of a folder, its switches booted. Raises `Invalid` with every problem."""
    lab = read_lab(labdir)
    switches: dict[str, Device] = {}
    problems: list[Diagnostic] = []
    for name in lab.devices:
        try:
            switches[name] = nos.kind(lab.platforms[name]).boot(name, labdir / "devices" / name)
        except Invalid as error:
            problems += error.diagnostics
    outsiders = read_peers(labdir / PEERS_FILE, lab.cables, problems)
    if problems:
        raise Invalid(problems)
    return Fabric(name=lab.fabric, switches=switches, cables=lab.cables, outsiders=outsiders, platforms=lab.platforms)


async def serve(labdir: Path) -> None:
    """Serve until SIGTERM or SIGINT."""
    lock = _lock(labdir)
    made = [labdir / PID_FILE]
    try:
        running = Running(
            labdir=labdir,
            fabric=boot_fabric(labdir),
            boxes={},
            keys=Keys(access=new_access(), host_key=ssh_server.host_key()),
        )
        socket_path = _socket_path(labdir)
        made[:0] = [labdir / "targets.json", socket_path, *(labdir / _ACCESS / name for name in _access_files(running))]
        lock.write(f"{os.getpid()}\n{socket_path}\n")
        lock.flush()
        await _serve(running, socket_path)
    finally:
        for path in made:
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not there, or somebody put a file of his own into it
            (labdir / _ACCESS).rmdir()
        lock.close()


async def _serve(running: Running, socket_path: Path) -> None:
    """Serve a lab that is ours alone."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    try:
        for name, device in running.fabric.switches.items():
            kind = nos.kind(running.fabric.platforms[name])
            running.boxes[name] = Box(doors=kind.doors(running.fabric, device))
            await boxes.start(running.boxes[name], running.keys)
        control = await asyncio.start_unix_server(lambda r, w: _converse(running, r, w), path=socket_path)
        _write_targets(running)
        await ended.wait()
        control.close()
    finally:
        await boxes.stop_all(running.boxes)


def _lock(labdir: Path) -> IO[str]:
    """The pid file, locked while the lab runs. Raises `Unusable` where another process has it."""
    file = (labdir / PID_FILE).open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise Unusable(f"the lab in {labdir} is already running", "netaudit lab down") from error
    file.truncate(0)
    return file


def _socket_path(labdir: Path) -> Path:
    """Where the control socket lies: in the lab, or, where that path is too long, in a folder of ours alone."""
    path = labdir / _SOCKET
    if len(os.fsencode(path)) > _SOCKET_PATH_BYTES:
        folder = Path(tempfile.gettempdir()) / f"netaudit-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        about = folder.lstat()
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o077:
            raise Unusable(
                f"{folder} is not a private folder of ours", f"remove it, or use a shorter path than {labdir}"
            )
        path = folder / f"{hashlib.sha256(os.fsencode(labdir)).hexdigest()[:16]}.sock"
    path.unlink(missing_ok=True)
    return path


def _access_files(running: Running) -> Mapping[str, bytes]:
    """Name → content of what a client needs; all of it is written for our eyes only (0600)."""
    doors = (box.ports[name] for box in running.boxes.values() for name in _OVER_SSH if name in box.ports)
    lines = (ssh_server.known_hosts_line(running.keys.host_key, port) for port in doors)
    return {
        "ca.pem": running.keys.access.ca_certificate,
        "known_hosts": "".join(lines).encode(),
        "password": running.keys.access.password.encode(),
    }


def _write_targets(running: Running) -> None:
    """The files by which clients find the lab; targets.json last, as it says that all is ready."""
    folder = running.labdir / _ACCESS
    for name, content in _access_files(running).items():
        write_bytes(folder / name, content)
    targets = {
        "targets": {
            name: {"address": "127.0.0.1", **{f"{door}_port": port for door, port in box.ports.items()}}
            for name, box in running.boxes.items()
        },
        "ca": str(folder / "ca.pem"),
        "known_hosts": str(folder / "known_hosts"),
        "credentials": {"user": running.keys.access.user, "password": f"file:{folder / 'password'}"},
    }
    write_bytes(running.labdir / "targets.json", (json.dumps(targets, indent=2) + "\n").encode())


async def _converse(running: Running, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the lines of one control connection."""
    try:
        async for line in reader:
            answer = await _obey(running, line)
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
    except (ConnectionError, ValueError):
        pass  # the client went away, or sends no lines: there is nothing to answer
    finally:
        writer.close()


async def _obey(running: Running, line: bytes) -> Mapping[str, object]:
    """The answer to one request."""
    try:
        asked = request(line)
    except ValueError as error:
        return dict(zip(("error", "hint"), error.args, strict=True))
    try:
        if asked.do == "status":
            return {"status": _status(running)}
        fabric = running.fabric
        told = faults.make(fabric, asked.kind, asked.arguments) if asked.do == "break" else faults.heal(fabric)
    except Invalid as error:
        return {"error": str(error), "hint": error.diagnostics[0].hint}
    try:
        await boxes.follow(running.fabric, running.boxes, running.keys)
    except (OSError, RuntimeError) as error:  # gRPC raises RuntimeError where a port cannot be bound
        return {"unusable": f"{told}; but a server does not follow: {error}"}
    return {"told": told}


def _status(running: Running) -> Mapping[str, object]:
    """The lab in numbers."""
    fabric = running.fabric
    return {
        "fabric": fabric.name,
        "pid": os.getpid(),
        "devices": list(fabric.switches),
        "platforms": ", ".join(f"{count} {kind}" for kind, count in Counter(fabric.platforms.values()).items()),
        "cables": len(fabric.cables),
        "links_up": len(fabric.links().up),
        "sessions": len(fabric.routing().sessions) // 2,
        "neighbors": [f"{one.name} AS {one.asn}" for one in fabric.speakers().values()],
        "faults": list(fabric.faults.told),
    }
