"""Devices with the doors that NAPALM's drivers knock at: eAPI and NX-API over TLS, NETCONF and a prompt over SSH."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import asyncssh
from collect.device import PASSWORD, certificates

from netaudit.collect.secrets import Secret
from netaudit.collect.targets import Target

HELLO = (
    '<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities>'
    "<capability>urn:ietf:params:netconf:base:1.0</capability></capabilities>"
    "<session-id>1</session-id></hello>]]>]]>"
)


@dataclass
class Box:
    """What came in, and how it answers."""

    target: Target
    asked: list[str] = field(default_factory=list)
    """Commands of an API, lines of a prompt."""
    logins: list[str] = field(default_factory=list)
    """Passwords, as they came in."""
    says: dict[str, str] = field(default_factory=dict)
    """How a command begins → what is said to it: an error over eAPI, a line at the prompt."""
    sessions: dict[str, object] = field(default_factory=dict)
    """Configuration sessions of EOS."""
    slow_s: float = 0.0
    """Before each answer, once `slow` says so."""
    cut: bool = False
    """Close the connection in place of an answer."""

    def said(self, command: str) -> str:
        return next((text for begin, text in self.says.items() if command.startswith(begin)), "")


def eapi(box: Box, body: Mapping[str, object]) -> object:
    """Arista's answer to runCmds; only what NAPALM asks of `show` has content."""
    results: list[object] = []
    for one in body["params"]["cmds"]:
        command = one if isinstance(one, str) else one["cmd"]
        box.asked.append(command)
        if text := box.said(command):
            message = f"CLI command {len(results) + 1} of 9 '{command}' failed: invalid command"
            data = [*results, {"errors": [text]}]
            return {"jsonrpc": "2.0", "id": 1, "error": {"code": 1002, "message": message, "data": data}}
        shows = {"show version": {"version": "4.36.1F", "uptime": 1}}
        shows |= {f"show configuration sessions{detail}": {"sessions": box.sessions} for detail in ("", " detail")}
        if command.endswith(" abort"):
            box.sessions.pop(command.split()[2], None)
        results.append(shows.get(command, {"output": "Session\n\n+ mtu 9214\n"} if "diffs" in command else {}))
    return {"jsonrpc": "2.0", "id": 1, "result": results}


def nxapi(box: Box, body: list[Mapping[str, object]]) -> object:
    box.asked.extend(one["params"]["cmd"] for one in body)
    return [{"jsonrpc": "2.0", "result": {"body": {"hostname": "box"}}, "id": one["id"]} for one in body]


@contextmanager
def https(folder: Path, answer: Callable[[Box, object], object]) -> Iterator[Box]:
    """A box with an API behind a certificate of a CA of its own."""
    key, chain, ca = certificates(folder / "tls")
    for name, pem in (("key", key), ("chain", chain)):
        (folder / name).write_bytes(pem)
    (folder / "password").write_text(PASSWORD)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "chain", folder / "key")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            box.logins.append(self.headers.get("Authorization", ""))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if box.cut:
                self.close_connection = True
                return
            text = json.dumps(answer(box, body)).encode()
            time.sleep(box.slow_s)
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a client that does not trust the certificate goes away

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    box = Box(
        target=Target(
            name="box",
            address="127.0.0.1",
            platform="eos",
            https_port=server.server_address[1],
            user="admin",
            password=Secret("file", str(folder / "password")),
            ca=ca,
        )
    )
    try:
        yield box
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def _converse(box: Box, process: asyncssh.SSHServerProcess[str]) -> None:
    if process.subsystem == "netconf":
        process.stdout.write(HELLO)
        text = ""
        while part := await process.stdin.read(4096):
            text += part
            while "]]>]]>" in text:
                message, _, text = text.partition("]]>]]>")
                box.asked.append(message)
                if "message-id" in message:
                    process.stdout.write(_reply(box, message))
        process.exit(0)
        return
    prompt = "box# "
    process.stdout.write(prompt)
    async for line in process.stdin:
        command = line.strip()
        box.asked.append(command)
        await asyncio.sleep(box.slow_s)
        if box.cut:
            process.channel.get_connection().abort()
            return
        prompt = {"config": "box(config)# ", "end": "box# ", "exit": "box# "}.get(command[:6], prompt)
        said = box.said(command)
        process.stdout.write(f"{command}\r\n" + (f"{said}\r\n" if said else "") + prompt)
    process.exit(0)


def _reply(box: Box, message: str) -> str:
    number = message.split('message-id="', 1)[1].split('"', 1)[0]
    error = next((text for begin, text in box.says.items() if begin in message), "")
    inside = (
        f"<rpc-error><error-severity>error</error-severity><error-message>{error}</error-message></rpc-error>"
        if error
        else "<ok/>"
    )
    return (
        f'<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="{number}">{inside}</rpc-reply>]]>]]>'
    )


@contextmanager
def ssh(folder: Path) -> Iterator[Box]:
    """A box with a prompt, and NETCONF, at one port."""
    (folder / "password").write_text(PASSWORD)
    key = asyncssh.generate_private_key("ssh-ed25519")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    connections: set[asyncssh.SSHServerConnection] = set()

    class Server(asyncssh.SSHServer):
        def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
            connections.add(conn)

        def begin_auth(self, username: str) -> bool:
            return True

        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, password: str) -> bool:
            box.logins.append(password)
            return (username, password) == ("admin", PASSWORD)

    async def listen() -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_factory=Server,
            server_host_keys=[key],
            process_factory=lambda process: _converse(box, process),
            line_editor=False,
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
    port = acceptor.get_port()
    known = folder / "known_hosts"
    known.write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode().strip()}\n")
    box = Box(
        target=Target(
            name="box",
            address="127.0.0.1",
            platform="junos",
            ssh_port=port,
            netconf_port=port,
            user="admin",
            password=Secret("file", str(folder / "password")),
            known_hosts=known,
        )
    )
    try:
        yield box
    finally:
        asyncio.run_coroutine_threadsafe(end(acceptor), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
