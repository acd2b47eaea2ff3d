"""The SSH server of one switch: commands with exit codes, and SFTP within the box's folder."""

from __future__ import annotations

import hmac

import asyncssh

from netaudit.lab.sim import shell
from netaudit.lab.sim.access import Access
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch


def host_key() -> asyncssh.SSHKey:
    """A new ed25519 host key; all switches of a lab share it."""
    return asyncssh.generate_private_key("ssh-ed25519")


def known_hosts_line(key: asyncssh.SSHKey, port: int) -> str:
    """The line of known_hosts for one switch."""
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


async def listen(
    fabric: Fabric,
    switch: Switch,
    access: Access,
    key: asyncssh.SSHKey,
    port: int,
    connections: set[asyncssh.SSHServerConnection],
) -> asyncssh.SSHAcceptor:
    """A listening server; port 0 asks for a free one. Open connections stand in `connections`."""

    async def handle(process: asyncssh.SSHServerProcess[bytes]) -> None:
        if process.command is None:
            process.stderr.write(b"the simulator runs commands, it has no shell\n")
            process.exit(1)
            return
        await fabric.pause(switch.name)
        done = shell.run(fabric, fabric.answers_for(switch.name), process.command)
        process.stdout.write(done.out if isinstance(done.out, bytes) else done.out.encode())
        process.stderr.write(done.err.encode())
        await process.stdout.drain()
        process.exit(done.code)

    def sftp(channel: asyncssh.SSHServerChannel[bytes]) -> asyncssh.SFTPServer:
        return asyncssh.SFTPServer(channel, chroot=str(switch.folder).encode())

    return await asyncssh.listen(
        "127.0.0.1",
        port,
        server_host_keys=[key],
        server_factory=lambda: _Login(access, connections),
        process_factory=handle,
        sftp_factory=sftp,
        encoding=None,
    )
