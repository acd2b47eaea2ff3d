"""Who comes in, and what becomes of it: gNMI, SSH, commands typed in a switch, and `netaudit lab`."""

from __future__ import annotations

import contextlib
import functools
import json
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Final

from netaudit.diag import Invalid, Unusable
from netaudit.lab.frr import agent, faults, gnmi_service, start
from netaudit.lab.frr.node import Node
from netaudit.lab.frr.running import Running, status
from netaudit.lab.frr.watch import aside
from netaudit.lab.sim import ssh_server
from netaudit.lab.sim.files import write_bytes
from netaudit.lab.sim.requests import request

ACCESS: Final = "access"
"""Folder of what a client needs to be let in."""


def open_all(running: Running) -> None:
    """Everything that is listened on."""
    for name, node in running.nodes.items():
        service = gnmi_service.Service(node=node, cabling=running.cabling, access=running.access)
        server, running.gnmi_ports[name] = gnmi_service.serve(service, running.pool)
        server.start()
        running.servers.append(server)
        door = socket.create_server(("127.0.0.1", 0), backlog=64)
        running.ssh_ports[name] = door.getsockname()[1]
        _listen(running, door, functools.partial(_let_in, running, node))
        inside = socket.socket(socket.AF_UNIX)
        inside.bind(str(node.root / "run/agent.sock"))
        inside.listen(16)
        _listen(running, inside, functools.partial(aside, _command, running, node))
    path = start.control_path(running.labdir)
    path.unlink(missing_ok=True)
    control = socket.socket(socket.AF_UNIX)
    control.bind(str(path))
    control.listen(16)
    _listen(running, control, functools.partial(aside, _converse, running))


def _listen(running: Running, door: socket.socket, met: Callable[[socket.socket], object]) -> None:
    running.held.append(door)
    running.selector.register(door, selectors.EVENT_READ, lambda: met(door.accept()[0]))


def _let_in(running: Running, node: Node, client: socket.socket) -> None:
    """A client of the SSH port: a real sshd, inside the switch, talks to it from its first byte on."""
    running.sessions[:] = [one for one in running.sessions if one.poll() is None]
    command = (*node.entered(), "/usr/sbin/sshd", "-i", "-f", "/etc/ssh/sshd_config")
    with client:
        running.sessions.append(
            subprocess.Popen(
                command,
                stdin=client.fileno(),
                stdout=client.fileno(),
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
        )


def _command(running: Running, node: Node, client: socket.socket) -> None:
    """Answer a command that was typed in a switch."""
    with client:
        line = client.makefile("rb").readline()
        try:
            told = agent.answer(node, line, lambda _: _settled(running), running.cabling.flap)
        except (Unusable, OSError) as error:
            told = json.dumps({"code": 1, "out": "", "err": f"{error}\n"}).encode() + b"\n"
        with contextlib.suppress(OSError):
            client.sendall(told)


def _settled(running: Running) -> None:
    try:
        running.cabling.settle()
    except Unusable as error:  # as on the box: the command succeeds, and a daemon complains in its log
        sys.stderr.write(f"{error.message}\n")
        sys.stderr.flush()


def write_targets(running: Running) -> None:
    """The files by which clients find the lab; targets.json last, as it says that all is ready."""
    folder = running.labdir / ACCESS
    lines = (ssh_server.known_hosts_line(running.key, port) for port in running.ssh_ports.values())
    write_bytes(folder / "ca.pem", running.access.ca_certificate)
    write_bytes(folder / "known_hosts", "".join(lines).encode())
    write_bytes(folder / "password", running.access.password.encode())
    targets = {
        "targets": {
            name: {
                "address": "127.0.0.1",
                "ssh_port": running.ssh_ports[name],
                "gnmi_port": running.gnmi_ports[name],
            }
            for name in running.nodes
        },
        "ca": str(folder / "ca.pem"),
        "known_hosts": str(folder / "known_hosts"),
        "credentials": {"user": running.access.user, "password": f"file:{folder / 'password'}"},
    }
    write_bytes(running.labdir / "targets.json", (json.dumps(targets, indent=2) + "\n").encode())


def _converse(running: Running, client: socket.socket) -> None:
    """Answer the lines of one control connection."""
    with client, contextlib.suppress(OSError):
        for line in client.makefile("rb"):
            client.sendall(json.dumps(_obey(running, line)).encode() + b"\n")


def _obey(running: Running, line: bytes) -> Mapping[str, object]:
    """The answer to one request."""
    try:
        asked = request(line)
    except ValueError as error:
        return dict(zip(("error", "hint"), error.args, strict=True))
    try:
        if asked.do == "status":
            return {"status": status(running)}
        broken = running.broken
        told = faults.make(broken, asked.kind, asked.arguments) if asked.do == "break" else faults.heal(broken)
    except Invalid as error:
        return {"error": str(error), "hint": error.diagnostics[0].hint}
    except (Unusable, OSError) as error:
        return {"unusable": str(error)}
    return {"told": told}
