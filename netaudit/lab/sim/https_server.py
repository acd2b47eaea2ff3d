"""An HTTPS server for the APIs of devices: requests in, answers out, name and password with every request."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import json
import ssl
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, TypeVar

from netaudit.lab.sim.access import Access
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Keys
from netaudit.lab.sim.fabric import Fabric

D = TypeVar("D", bound=Device)
_LONGEST_HEAD: Final = 64 * 1024
_LONGEST_BODY: Final = 64 * 1024 * 1024
"""More than any configuration; what is longer is refused with 413."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of somebody who is let in."""

    method: str
    path: str
    """With its query, as sent."""
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes

    def json(self) -> object:
        """The body as JSON. Raises `ValueError`."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One answer."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def json_response(data: object, status: int = 200) -> Response:
    """Data as JSON."""
    return Response(status=status, body=json.dumps(data).encode())


@dataclass(slots=True, kw_only=True)
class Opened:
    """A server that runs, with its open connections."""

    server: asyncio.Server
    writers: set[asyncio.StreamWriter]

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening, and cut what is open."""
        self.server.close()
        for writer in tuple(self.writers):
            writer.transport.abort()


def door(
    fabric: Fabric, device: D, answer: Callable[[D, Request], Response]
) -> Callable[[Keys, int], Awaitable[Opened]]:
    """A door whose requests `answer` answers for the device; basic authentication stands before it."""

    async def opened(keys: Keys, port: int) -> Opened:
        writers: set[asyncio.StreamWriter] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.add(writer)
            try:
                while await _one(reader, writer):
                    pass
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                pass  # the client went away, or does not speak HTTP: there is nobody to answer
            finally:
                writers.discard(writer)
                writer.close()

        async def _one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
            """Answer one request; whether the connection stays."""
            request = await _read(reader, writer)
            if request is None:
                return False
            await fabric.pause(device.name)
            if _known(request, keys.access):
                response = answer(fabric.answers_for(device), request)
            else:
                challenge = {"WWW-Authenticate": 'Basic realm="netaudit lab"'}
                response = Response(status=401, content_type="text/plain", body=b"Unauthorized\n", headers=challenge)
            stays = request.headers.get("connection", "").lower() != "close"
            writer.write(_written(response, stays))
            await writer.drain()
            return stays

        server = await asyncio.start_server(
            connected, "127.0.0.1", port, ssl=_context(keys.access), limit=_LONGEST_HEAD
        )
        return Opened(server=server, writers=writers)

    return opened


def _context(access: Access) -> ssl.SSLContext:
    """The lab's certificate. OpenSSL takes files only, so they are there for a moment."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(access.server_certificate + access.server_key)
        file.flush()
        context.load_cert_chain(file.name)
    return context


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
    """The next request; `None` where there is none, or one that is too long."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    length = int(headers.get("content-length", "0"))
    if not 0 <= length <= _LONGEST_BODY:
        writer.write(_written(Response(status=413), stays=False))
        return None
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return Request(method=method, path=path, headers=headers, body=await reader.readexactly(length))


def _known(request: Request, access: Access) -> bool:
    """Whether name and password are the lab's."""
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return False
    try:
        given = base64.b64decode(value, validate=True)
    except binascii.Error:
        return False
    return hmac.compare_digest(given, f"{access.user}:{access.password}".encode())


def _written(response: Response, stays: bool) -> bytes:
    """An answer on the wire."""
    phrase = HTTPStatus(response.status).phrase
    head = {
        "Content-Type": response.content_type,
        "Content-Length": str(len(response.body)),
        "Connection": "keep-alive" if stays else "close",
        **response.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"HTTP/1.1 {response.status} {phrase}\r\n{lines}\r\n".encode("latin-1") + response.body
