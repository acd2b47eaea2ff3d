"""Which step of reaching a TLS service fails: DNS, TCP or TLS. Asked only after gRPC, which cannot tell, has failed."""

from __future__ import annotations

import socket
import ssl
from contextlib import closing
from pathlib import Path

from netaudit.collect.failure import Failure, Kind, ReachStep, one_line
from netaudit.collect.targets import Target


def dns_failure(address: str, port: int) -> Failure | None:
    """Why a name has no address, or None."""
    try:
        socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Failure(kind=Kind.UNREACHABLE, step=ReachStep.DNS, cause=one_line(f"{address}: {reason}"))
    return None


def tcp_failure(error: OSError, where: str, timeout_s: float) -> Failure:
    """The failure a socket's connect means."""
    if isinstance(error, TimeoutError):
        return Failure(kind=Kind.TIMED_OUT, step=ReachStep.TCP, cause=f"{where} gave no answer in {timeout_s:g} s")
    reason = (error.strerror or str(error)).lower()
    return Failure(kind=Kind.UNREACHABLE, step=ReachStep.TCP, cause=one_line(f"{where}: {reason}"))


def tls_context(ca: Path | None) -> ssl.SSLContext:
    """A client context that trusts `ca` only, or the system's roots. Raises OSError for a file that is none."""
    context = ssl.create_default_context(cafile=None if ca is None else str(ca))
    context.set_alpn_protocols(["h2"])
    return context


def tls_service_failure(target: Target, port: int, timeout_s: float) -> Failure | None:
    """The first of DNS, TCP and TLS that fails, or None. Takes `timeout_s` a step at most."""
    if failure := dns_failure(target.address, port):
        return failure
    where = f"{target.address}:{port}"
    try:
        connection = socket.create_connection((target.address, port), timeout=timeout_s)
    except OSError as error:
        return tcp_failure(error, where, timeout_s)
    with closing(connection):
        return _tls_failure(connection, target, where, timeout_s)


def _tls_failure(connection: socket.socket, target: Target, where: str, timeout_s: float) -> Failure | None:
    try:
        name = target.tls_name or target.address
        with tls_context(target.ca).wrap_socket(connection, server_hostname=name):
            return None
    except ssl.SSLCertVerificationError as error:
        kind, cause = Kind.TLS_REFUSED, f"certificate of {where}: {error.verify_message}"
    except TimeoutError:
        kind, cause = Kind.TIMED_OUT, f"{where} gave no TLS handshake in {timeout_s:g} s"
    except ssl.SSLError as error:
        kind, cause = Kind.TLS_REFUSED, f"{where}: {(error.reason or str(error)).replace('_', ' ').lower()}"
    except OSError as error:
        kind, cause = Kind.TLS_REFUSED, f"{where}: {(error.strerror or str(error)).lower()}"
    return Failure(kind=kind, step=ReachStep.TLS, cause=one_line(cause))
