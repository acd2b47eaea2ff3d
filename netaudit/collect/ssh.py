"""An SSH client of one device: commands with exit code and both outputs, and whole files up and down."""

from __future__ import annotations

import logging
import selectors
import socket
import stat
import time
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import TracebackType
from typing import Final
from uuid import uuid4

import paramiko

from netaudit.collect.failure import Failure, Kind, ReachStep, one_line
from netaudit.collect.reach import dns_failure, tcp_failure
from netaudit.collect.secrets import reveal
from netaudit.collect.targets import Target

OUTPUT_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""Largest output or file that is read: a route table of `show bgp … json` is some 5 MB."""
CONNECT_TIMEOUT_S: Final = 10.0
"""design/terminal.md: "no answer in 10 s"."""
_CHUNK_BYTES: Final = 65536

# paramiko logs what it also raises; without a handler Python would print it to stderr.
logging.getLogger("paramiko").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A command that ran to its end."""

    exit_code: int
    stdout: str
    stderr: str


class SshClient:
    """One SSH connection to one device, made by `open`; close it, or use it in a `with`."""

    def __init__(self, target: Target, client: paramiko.SSHClient) -> None:
        self._target = target
        self._client = client

    def __enter__(self) -> SshClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection and its thread."""
        self._client.close()

    @property
    def alive(self) -> bool:
        """Is the connection still there, as far as this end knows."""
        transport = self._client.get_transport()
        return transport is not None and transport.is_active()

    def run(self, command: str, timeout_s: float, stdin: str | None = None, codes: bool = True) -> Completed | Failure:
        """Exit code and outputs of one command; a Failure where its end was not seen within `timeout_s`.

        After a Failure the command may have run, or still be running: read back what it was to change.
        Without `codes` the device need not send an exit code: an output that ended while the connection lives is whole.
        """
        deadline = time.monotonic() + timeout_s
        try:
            channel = self._session(timeout_s)
            with channel:
                channel.exec_command(command.encode("utf-8"))
                if stdin is not None:
                    channel.sendall(stdin.encode("utf-8"))
                channel.shutdown_write()
                return _drain(channel, deadline, timeout_s, codes)
        except TimeoutError:
            return _timed_out(timeout_s)
        except (paramiko.SSHException, OSError, EOFError) as error:
            return _cut_off(error)

    def put(self, path: str, content: bytes, timeout_s: float = 60.0) -> Failure | None:
        """Write a file, whole or not at all: under another name in the same folder, mode 0600, then renamed."""
        beside = str(PurePosixPath(path).with_name(f".{PurePosixPath(path).name}.{uuid4().hex[:8]}"))
        try:
            with self._sftp(timeout_s) as sftp:
                try:
                    with sftp.open(beside, "wb") as file:
                        file.set_pipelined(True)
                        sftp.chmod(beside, stat.S_IRUSR | stat.S_IWUSR)
                        file.write(content)
                    sftp.posix_rename(beside, path)
                except BaseException:
                    _remove(sftp, beside)
                    raise
        except TimeoutError:
            return _timed_out(timeout_s)
        except (paramiko.SSHException, EOFError) as error:
            return _cut_off(error)
        except OSError as error:
            return _refused(path, error)
        return None

    def get(self, path: str, timeout_s: float = 60.0) -> bytes | Failure:
        """The content of a file. A missing file is a Failure of kind REFUSED."""
        deadline = time.monotonic() + timeout_s
        parts: list[bytes] = []
        size = 0
        try:
            with self._sftp(timeout_s) as sftp, sftp.open(path, "rb") as file:
                while part := file.read(_CHUNK_BYTES):
                    parts.append(part)
                    size += len(part)
                    if size > OUTPUT_LIMIT_BYTES:
                        return _too_large()
                    if time.monotonic() > deadline:
                        return _timed_out(timeout_s)
        except TimeoutError:
            return _timed_out(timeout_s)
        except (paramiko.SSHException, EOFError) as error:
            return _cut_off(error)
        except OSError as error:
            return _refused(path, error)
        return b"".join(parts)

    def _session(self, timeout_s: float) -> paramiko.Channel:
        transport = self._client.get_transport()
        if transport is None or not transport.is_active():
            raise paramiko.SSHException("the connection is gone")
        return transport.open_session(timeout=timeout_s)

    def _sftp(self, timeout_s: float) -> paramiko.SFTPClient:
        channel = self._session(timeout_s)
        channel.settimeout(timeout_s)
        channel.invoke_subsystem("sftp")
        return paramiko.SFTPClient(channel)


def open_ssh(target: Target, timeout_s: float = CONNECT_TIMEOUT_S) -> SshClient | Failure:
    """A connection to a device whose host key is known, or the step that failed."""
    if failure := dns_failure(target.address, target.ssh_port):
        return failure
    where = f"{target.address}:{target.ssh_port}"
    try:
        plain = socket.create_connection((target.address, target.ssh_port), timeout=timeout_s)
    except OSError as error:
        return tcp_failure(error, where, timeout_s)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # SFTP's small packets would wait 40 ms for an ACK
    client = paramiko.SSHClient()
    try:
        failure = _log_in(client, plain, target, timeout_s)
    except BaseException:
        plain.close()
        client.close()
        raise
    if failure is None:
        return SshClient(target, client)
    plain.close()
    client.close()
    return failure


def _log_in(client: paramiko.SSHClient, plain: socket.socket, target: Target, timeout_s: float) -> Failure | None:
    user = reveal(target.user)
    password = None if target.password is None else target.password.reveal()
    where = f"{target.address}:{target.ssh_port}"
    started = time.monotonic()
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    try:
        if target.known_hosts is None:
            client.load_system_host_keys()
        else:
            client.load_host_keys(str(target.known_hosts))
        client.connect(
            target.address,
            target.ssh_port,
            username=user or None,
            password=password,
            sock=plain,
            timeout=timeout_s,
            banner_timeout=timeout_s,
            auth_timeout=timeout_s,
            allow_agent=target.keys,
            look_for_keys=target.keys,
        )
    except paramiko.BadHostKeyException:
        cause = f"{where} shows another host key than known_hosts has"
        return Failure(kind=Kind.HOST_KEY_REFUSED, step=ReachStep.HOST_KEY, cause=cause)
    except paramiko.AuthenticationException as error:
        return Failure(kind=Kind.AUTH_REFUSED, step=ReachStep.AUTH, cause=one_line(str(error)))
    except (paramiko.SSHException, OSError, EOFError) as error:
        if isinstance(error, TimeoutError) or time.monotonic() - started >= timeout_s:  # paramiko has texts of its own
            cause = f"{where} did not end its SSH handshake in {timeout_s:g} s"
            return Failure(kind=Kind.TIMED_OUT, step=ReachStep.HOST_KEY, cause=cause)
        kind = Kind.HOST_KEY_REFUSED if "known_hosts" in str(error) else Kind.CUT_OFF
        return Failure(kind=kind, step=ReachStep.HOST_KEY, cause=one_line(f"{where}: {error}"))
    return None


def _drain(channel: paramiko.Channel, deadline: float, timeout_s: float, codes: bool) -> Completed | Failure:
    """Both outputs until their end, read as they come so that neither fills its window and blocks the other."""
    out, err = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)
        while not (channel.eof_received or channel.closed) or channel.recv_ready() or channel.recv_stderr_ready():
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not selector.select(left_s):
                return _timed_out(timeout_s)
            if channel.recv_ready():
                out += channel.recv(_CHUNK_BYTES)
            if channel.recv_stderr_ready():
                err += channel.recv_stderr(_CHUNK_BYTES)
            if len(out) + len(err) > OUTPUT_LIMIT_BYTES:
                return _too_large()
    if not channel.status_event.wait(max(0.0, deadline - time.monotonic())):
        return _timed_out(timeout_s)
    code = channel.recv_exit_status()
    if code < 0 and not codes and channel.get_transport().is_active():
        code = 0  # the device closed the channel, and nothing else
    if code < 0:  # paramiko's value for a channel that closed without one
        return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause="the connection ended before the command did")
    return Completed(exit_code=code, stdout=out.decode("utf-8", "replace"), stderr=err.decode("utf-8", "replace"))


def _remove(sftp: paramiko.SFTPClient, path: str) -> None:
    try:
        sftp.remove(path)
    except (OSError, EOFError, paramiko.SSHException):
        return  # the first error is the one to report


def _timed_out(timeout_s: float) -> Failure:
    return Failure(kind=Kind.TIMED_OUT, step=ReachStep.PATH, cause=f"no answer in {timeout_s:g} s")


def _too_large() -> Failure:
    return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=f"more than {OUTPUT_LIMIT_BYTES:,} bytes")


def _cut_off(error: Exception) -> Failure:
    return Failure(kind=Kind.CUT_OFF, step=ReachStep.PATH, cause=one_line(str(error) or "the connection ended"))


def _refused(path: str, error: OSError) -> Failure:
    if error.errno is None and not error.args:
        return _cut_off(error)
    reason = (error.strerror or str(error)).lower()
    return Failure(kind=Kind.REFUSED, step=ReachStep.PATH, cause=one_line(f"{path}: {reason}"))
