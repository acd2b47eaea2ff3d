"""The servers of every switch: started together, stopped and started again where a fault says so."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass, field

import asyncssh
import grpc.aio

from netaudit.lab.sim import gnmi_server, ssh_server
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch


@dataclass(slots=True, kw_only=True)
class Box:
    """The servers of one switch, and the ports that are theirs for the life of the lab."""

    switch: Switch
    gnmi_port: int = 0
    ssh_port: int = 0
    gnmi: grpc.aio.Server | None = None
    ssh: asyncssh.SSHAcceptor | None = None
    connections: set[asyncssh.SSHServerConnection] = field(default_factory=set)
    reserved: list[socket.socket] = field(default_factory=list)
    """Bound to the ports while nothing listens on them, so that nobody else takes them."""


async def start(fabric: Fabric, box: Box, access: Access, key: asyncssh.SSHKey) -> None:
    """Listen, on the same ports as before where there was a before."""
    for one in box.reserved:
        one.close()
    box.reserved.clear()
    box.gnmi, box.gnmi_port = gnmi_server.server(fabric, box.switch, access, box.gnmi_port)
    await box.gnmi.start()
    box.ssh = await ssh_server.listen(fabric, box.switch, access, key, box.ssh_port, box.connections)
    box.ssh_port = box.ssh.get_port()


async def stop(box: Box) -> None:
    """Stop listening, and cut what is open."""
    if box.ssh is not None:
        box.ssh.close()
        for connection in tuple(box.connections):
            connection.abort()
        await box.ssh.wait_closed()
        box.ssh = None
    if box.gnmi is not None:
        await box.gnmi.stop(grace=None)
        box.gnmi = None


def reserve(box: Box) -> None:
    """Keep the ports of a stopped box: bound, not listening, so that a client is refused."""
    for port in (box.gnmi_port, box.ssh_port):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", port))
        box.reserved.append(one)


async def follow(fabric: Fabric, boxes: dict[str, Box], access: Access, key: asyncssh.SSHKey) -> None:
    """Stop the boxes that the faults make unreachable, start those that are no longer."""
    for name, box in boxes.items():
        if name in fabric.faults.unreachable and box.gnmi is not None:
            await stop(box)
            reserve(box)
        elif name not in fabric.faults.unreachable and box.gnmi is None:
            await start(fabric, box, access, key)


async def stop_all(boxes: dict[str, Box]) -> None:
    """Stop every box at once."""
    await asyncio.gather(*(stop(box) for box in boxes.values()))
    for box in boxes.values():
        for one in box.reserved:
            one.close()
