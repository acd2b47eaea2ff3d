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
        done = shell.run(fabric, switch, process.command)
        process.stdout.write(done.out if isinstance(done.out, bytes) else done.out.encode())
        process.stderr.write(done.err.encode())
        await process.stdout.drain()
        process.exit(done.code)

    def sftp(channel: asyncssh.SSHServerChannel[bytes]) -> asyncssh.SFTPServer:
        return asyncssh.SFTPServer(channel, chroot=str(switch.folder).encode())

    class Login(asyncssh.SSHServer):
        """Password only; keeps the set of open connections."""

        def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
            self.connection = conn
            connections.add(conn)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.discard(self.connection)

        def begin_auth(self, username: str) -> bool:
            return True

        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, password: str) -> bool:
            good = (access.user.encode(), access.password.encode())
            return all(map(hmac.compare_digest, (username.encode(), password.encode()), good))

    return await asyncssh.listen(
        "127.0.0.1",
        port,
        server_host_keys=[key],
        server_factory=Login,
        process_factory=handle,
        sftp_factory=sftp,
        encoding=None,
    )
