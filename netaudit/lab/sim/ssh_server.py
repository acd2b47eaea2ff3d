"""The SSH server of a device, and that of a SONiC switch: commands with exit codes, SFTP within the box's folder."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import asyncssh

from netaudit.lab.sim import shell
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch

Process: TypeAlias = "asyncssh.SSHServerProcess[bytes]"


def host_key() -> asyncssh.SSHKey:
    """A new ed25519 host key; all switches of a lab share it."""
    return asyncssh.generate_private_key("ssh-ed25519")


def known_hosts_line(key: asyncssh.SSHKey, port: int) -> str:
    """The line of known_hosts for one server."""
    return f"[127.0.0.1]:{port} {key.export_public_key().decode().strip()}\n"


class _Login(asyncssh.SSHServer):
    """Password only; keeps the set of open connections."""

    def __init__(self, access: Access, connections: set[asyncssh.SSHServerConnection]) -> None:
        self._access = access
        self._connections = connections

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Remember the connection, so that it can be cut."""
        self._connection = conn
        self._connections.add(conn)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._connections.discard(self._connection)

    def begin_auth(self, username: str) -> bool:
        """Everybody has to log in."""
        return True

    def password_auth_supported(self) -> bool:
        """By password."""
        return True

    def validate_password(self, username: str, password: str) -> bool:
        """Whether it is the lab's."""
        good = (self._access.user.encode(), self._access.password.encode())
        return all(map(hmac.compare_digest, (username.encode(), password.encode()), good))


@dataclass(slots=True, kw_only=True)
class Opened:
    """A server that runs, with its open connections."""

    acceptor: asyncssh.SSHAcceptor
    connections: set[asyncssh.SSHServerConnection] = field(default_factory=set)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.acceptor.get_port())

    async def close(self) -> None:
        """Stop listening, and cut what is open."""
        self.acceptor.close()
        for connection in tuple(self.connections):
            connection.abort()
        await self.acceptor.wait_closed()


async def listen(handle: Callable[[Process], Awaitable[None]], folder: Path | None, keys: Keys, port: int) -> Opened:
    """A server that gives each session to `handle`: a command, a shell or a subsystem, in bytes.

    With a folder there is SFTP and SCP within it, and nothing leads out.
    """

    def sftp(channel: asyncssh.SSHServerChannel[bytes]) -> asyncssh.SFTPServer:
        return asyncssh.SFTPServer(channel, chroot=str(folder).encode())

    connections: set[asyncssh.SSHServerConnection] = set()
    acceptor = await asyncssh.listen(
        "127.0.0.1",
        port,
        server_host_keys=[keys.host_key],
        server_factory=lambda: _Login(keys.access, connections),
        process_factory=handle,
        sftp_factory=sftp if folder is not None else None,
        allow_scp=folder is not None,
        line_editor=False,
        encoding=None,
    )
    return Opened(acceptor=acceptor, connections=connections)


async def opened(fabric: Fabric, switch: Switch, keys: Keys, port: int) -> Opened:
    """The server of a SONiC switch."""

    async def handle(process: Process) -> None:
        if process.command is None:
            process.stderr.write(b"the simulator runs commands, it has no shell\n")
            process.exit(1)
            return
        await fabric.pause(switch.name)
        done = shell.run(fabric, fabric.answers_for(switch), process.command)
        process.stdout.write(done.out if isinstance(done.out, bytes) else done.out.encode())
        process.stderr.write(done.err.encode())
        await process.stdout.drain()
        process.exit(done.code)

    return await listen(handle, switch.folder, keys, port)
