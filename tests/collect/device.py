"""A device on the loopback that answers gNMI and SSH from tables, and misbehaves as told. Real sockets, TLS and SSH."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import asyncssh
import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from netaudit import gnmi
from netaudit.collect.secrets import Secret
from netaudit.collect.targets import Target

PASSWORD = "correct horse"  # of the loopback device only


@dataclass
class Device:
    """What it answers. Tests change the tables while it runs."""

    root: Path
    tables: MutableMapping[tuple[str, ...], str] = field(default_factory=dict)
    """(target, *path) → JSON text."""
    commands: MutableMapping[str, tuple[int, str, str]] = field(default_factory=dict)
    """Command → exit code, stdout, stderr. Below 0: none is sent."""
    shell: Callable[[str], tuple[int, str, str] | None] | None = None
    """Asked before `commands`: exit code, stdout, stderr of a command, or None."""
    slow: MutableMapping[tuple[str, ...] | str, float] = field(default_factory=dict)
    """Path or command → seconds before its answer."""
    cut: set[str] = field(default_factory=set)
    """Commands during which the connection ends."""
    misnamed: set[tuple[str, ...]] = field(default_factory=set)
    """Paths that are answered under another name."""
    requests: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    """The paths of each Get, as they came in."""
    ran: list[str] = field(default_factory=list)
    """The commands, as they came in."""
    stdin: list[str] = field(default_factory=list)
    target: Target = field(init=False)

    def get(self, request: gnmi.GetRequest, context: grpc.ServicerContext) -> gnmi.GetResponse:
        self._check(context)
        paths = tuple((request.prefix.target, *gnmi.elems(path)) for path in request.path)
        self.requests.append(paths)
        notifications = []
        for path in paths:
            time.sleep(self.slow.get(path, 0.0))
            if path not in self.tables:
                context.abort(grpc.StatusCode.NOT_FOUND, f"no such path {'/'.join(path)}")
            named = ("other",) if path in self.misnamed else path[1:]
            value = gnmi.TypedValue(json_ietf_val=self.tables[path].encode())
            notifications.append(gnmi.Notification(update=[gnmi.Update(path=gnmi.path(*named), val=value)]))
        return gnmi.GetResponse(notification=notifications)

    def capabilities(self, request: gnmi.CapabilityRequest, context: grpc.ServicerContext) -> gnmi.CapabilityResponse:
        self._check(context)
        return gnmi.CapabilityResponse(
            gNMI_version="0.7.0",
            supported_encodings=[gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF],
            supported_models=[gnmi.ModelData(name="sonic-db")],
        )

    @staticmethod
    def _check(context: grpc.ServicerContext) -> None:
        sent = dict(context.invocation_metadata())
        if (sent.get("username"), sent.get("password")) != ("admin", PASSWORD):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown user or password")

    async def process(self, process: asyncssh.SSHServerProcess[str]) -> None:
        command = process.command or ""
        self.ran.append(command)
        await asyncio.sleep(self.slow.get(command, 0.0))
        if command in self.cut:
            process.stdout.write("half of ")
            process.channel.get_connection().abort()
            return
        if command == "cat":
            self.stdin.append(await process.stdin.read())
        said = self.shell(command) if self.shell else None
        code, out, err = said or self.commands.get(command, (127, "", f"{command}: not found\n"))
        process.stdout.write(out)
        process.stderr.write(err)
        if code < 0:
            process.close()
        else:
            process.exit(code)


class _Server(asyncssh.SSHServer):
    def __init__(self, connections: set[asyncssh.SSHServerConnection]) -> None:
        self._connections = connections

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connections.add(conn)

    def begin_auth(self, username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == ("admin", PASSWORD)


@contextmanager
def running(folder: Path, name: str = "leaf1", **cert: object) -> Iterator[Device]:
    """A device that listens; everything it needs is below `folder`."""
    root = folder / name
    root.mkdir(parents=True)
    device = Device(root=root)
    key, chain, ca = certificates(folder / "tls", **cert)
    secret = folder / "password"
    secret.write_text(PASSWORD + "\n")
    server = grpc.server(ThreadPoolExecutor(4))
    handlers = {
        "Get": grpc.unary_unary_rpc_method_handler(
            device.get, gnmi.GetRequest.FromString, gnmi.GetResponse.SerializeToString
        ),
        "Capabilities": grpc.unary_unary_rpc_method_handler(
            device.capabilities, gnmi.CapabilityRequest.FromString, gnmi.CapabilityResponse.SerializeToString
        ),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(gnmi.SERVICE, handlers),))
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, chain)]))
    server.start()
    with _ssh(device) as (ssh_port, host_key):
        known = folder / f"{name}.known_hosts"
        known.write_text(f"[127.0.0.1]:{ssh_port} {host_key}\n")
        device.target = Target(
            name=name,
            address="127.0.0.1",
            platform="sonic",
            ssh_port=ssh_port,
            gnmi_port=port,
            user="admin",
            password=Secret("file", str(secret)),
            ca=ca,
            known_hosts=known,
        )
        yield device
    server.stop(None).wait()


@contextmanager
def _ssh(device: Device) -> Iterator[tuple[int, str]]:
    """The SSH side, on an event loop in a thread; gives port and public host key."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    root = str(device.root)
    connections: set[asyncssh.SSHServerConnection] = set()

    async def listen() -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=lambda: _Server(connections),
            server_host_keys=[key],
            process_factory=device.process,
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=root),
        )

    async def end(acceptor: asyncssh.SSHAcceptor) -> None:
        acceptor.close()
        for connection in connections:
            connection.abort()
        await acceptor.wait_closed()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    acceptor = asyncio.run_coroutine_threadsafe(listen(), loop).result(10)
    try:
        yield acceptor.get_port(), key.export_public_key().decode().strip()
    finally:
        asyncio.run_coroutine_threadsafe(end(acceptor), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def certificates(folder: Path, *, ended: bool = False, certified: str = "127.0.0.1") -> tuple[bytes, bytes, Path]:
    """Key and certificate of a server, and the file of the CA that signed it."""
    folder.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test CA")])
    ca = (
        x509.CertificateBuilder()
        .subject_name(ca_name)
        .issuer_name(ca_name)
        .public_key(ca_key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(True, False, False, False, False, True, True, False, False),
            critical=True,
        )
        .sign(ca_key, hashes.SHA256())
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "device")]))
        .issuer_name(ca_name)
        .public_key(key.public_key())
        .serial_number(2)
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + timedelta(days=-1 if ended else 1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(certified))]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    file = folder / "ca.pem"
    file.write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return pem, certificate.public_bytes(serialization.Encoding.PEM), file


def table(rows: Mapping[str, object]) -> str:
    """JSON text of a table."""
    return json.dumps(rows)
