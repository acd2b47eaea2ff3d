"""NETCONF over SSH (RFC 6242, framing 1.0) as Junos speaks it: its own RPCs beside those of the standard."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element as Xml
from xml.sax.saxutils import escape, quoteattr

import asyncssh

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.junos import operations, reply, text
from netaudit.lab.sim.nos.junos.box import CONFIRM_MINUTES, JunosBox, Login
from netaudit.lab.sim.nos.junos.cli import JunosCli
from netaudit.lab.sim.nos.junos.schema import Refusal
from netaudit.lab.sim.nos.junos.tree import Tree
from netaudit.lab.sim.ssh_server import Process

_BASE: Final = "urn:ietf:params:xml:ns:netconf:base:1.0"
_END: Final = b"]]>]]>"
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a request; a session that sends more is ended."""
CAPABILITIES: Final = (
    _BASE,
    "urn:ietf:params:netconf:capability:candidate:1.0",
    "urn:ietf:params:netconf:capability:confirmed-commit:1.0",
    "urn:ietf:params:netconf:capability:validate:1.0",
    "http://xml.juniper.net/netconf/junos/1.0",
    "http://xml.juniper.net/dmi/system/1.0",
)
_SESSIONS = itertools.count(1001)


async def serve(fabric: Fabric, box: JunosBox, process: Process) -> None:
    """One session, to its end."""
    login = Login(user=str(process.get_extra_info("username") or "admin"), client="netconf")
    session = Session(fabric, box, login)
    process.stdout.write(_hello(next(_SESSIONS)))
    waiting = b""
    try:
        while not session.closed:
            try:
                read = await process.stdin.read(65536)
            except (asyncssh.BreakReceived, asyncssh.SignalReceived):
                break
            waiting += read
            if not read or len(waiting) > _LONGEST:
                break
            while _END in waiting:
                request, _, waiting = waiting.partition(_END)
                await fabric.pause(box.name)
                if (answer := session.answer(request)) is not None:
                    process.stdout.write(answer + _END)
                    await process.stdout.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the client is gone, and what it had not committed goes with it
    finally:
        session.end()
    process.exit(0)


def _hello(number: int) -> bytes:
    offered = "".join(f"<capability>{one}</capability>\n" for one in CAPABILITIES)
    head = f'<hello xmlns="{_BASE}">\n<capabilities>\n{offered}</capabilities>\n'
    return f"{head}<session-id>{number}</session-id>\n</hello>\n".encode() + _END


class Session:
    """The requests of one client, one after the other."""

    def __init__(self, fabric: Fabric, box: JunosBox, login: Login) -> None:
        self._fabric = fabric
        self._box = box
        self._login = login
        self.closed = False

    def end(self) -> None:
        """The client is gone: its lock and what it did not commit go."""
        self._box.unlock(self._login)
        self._login.own = None

    def answer(self, request: bytes) -> bytes | None:
        """The reply to one message; `None` to a hello."""
        try:
            root = ElementTree.fromstring(request.strip())
        except ElementTree.ParseError as error:
            return _reply({}, [_error(Refusal(f"syntax error: {error}"))]).encode()
        if _local(root) != "rpc":
            return None
        asked = next(iter(root), None)
        if asked is None:
            return _reply(root.attrib, [_error(Refusal("no operation"))]).encode()
        try:
            parts = list(self._carry_out(_local(asked), asked))
        except Refusal as error:
            parts = [_error(error)]
        return _reply(root.attrib, parts).encode("utf-8", "surrogateescape")

    def _carry_out(self, name: str, asked: Xml) -> Iterator[str]:
        """The parts of the reply to one operation. Raises `Refusal`."""
        own = _OPERATIONS.get(name)
        if own is not None:
            yield from own(self, asked)
        elif name in operations.RPCS:
            arguments = {_local(one): (one.text or "").strip() for one in asked}
            yield reply.xml(operations.RPCS[name](self._fabric, self._box, arguments))
        else:
            raise Refusal("syntax error", name)

    def close(self, asked: Xml) -> Iterator[str]:
        """`close-session`."""
        self.closed = True
        yield "<ok/>"

    def lock(self, asked: Xml) -> Iterator[str]:
        """`lock-configuration`."""
        self._box.lock(self._login)
        yield "<ok/>"

    def unlock(self, asked: Xml) -> Iterator[str]:
        """`unlock-configuration`."""
        self._box.unlock(self._login)
        yield "<ok/>"

    def open(self, asked: Xml) -> Iterator[str]:
        """`open-configuration`, private or exclusive."""
        if asked.find("{*}private") is not None:
            self._login.own = self._box.active.copy()
        elif asked.find("{*}exclusive") is not None:
            self._box.lock(self._login)
        yield "<ok/>"

    def close_configuration(self, asked: Xml) -> Iterator[str]:
        """`close-configuration`."""
        self.end()
        yield "<ok/>"

    def load(self, asked: Xml) -> Iterator[str]:
        """`load-configuration`: set lines, text or XML; merge, replace, override, update, or a rollback."""
        box, login = self._box, self._login
        box.check_access(login)
        if (number := asked.get("rollback")) is not None:
            box.back_to(login, _number(number))
            yield "<load-configuration-results>\n<ok/>\n</load-configuration-results>"
            return
        action, given = asked.get("action", "merge"), next(iter(asked), None)
        if given is None:
            raise Refusal("missing mandatory statement", "configuration")
        whole = action in ("override", "overwrite", "update")
        tree = Tree() if whole else box.edited(login).copy()
        refused = _loaders(given)(tree)
        box.put_candidate(login, tree)
        results = "\n".join([_error(one) for one in refused] or ["<ok/>"])
        yield f"<load-configuration-results>\n{results}\n</load-configuration-results>"

    def edit(self, asked: Xml) -> Iterator[str]:
        """`edit-config` of the standard, with `<config>` or `<config-text>`."""
        given = next((one for one in asked if _local(one) in ("config", "config-text")), None)
        if given is None:
            raise Refusal("missing mandatory statement", "config")
        self._box.check_access(self._login)
        tree = self._box.edited(self._login).copy()
        inside = next(iter(given), None)
        refused = [] if inside is None else _loaders(inside)(tree)
        if refused:
            raise refused[0]
        self._box.put_candidate(self._login, tree)
        yield "<ok/>"

    def configuration(self, asked: Xml) -> Iterator[str]:
        """`get-configuration`: candidate or committed, as text, set lines or XML; or the difference to a rollback."""
        box = self._box
        mine = box.edited(self._login)
        if asked.get("compare") == "rollback":
            number = _number(asked.get("rollback", "0"))
            if number >= max(1, len(box.commits)):
                raise Refusal(f"rollback {number} is not there")
            before = box.active if number == 0 else box.commits[number].tree
            said = "".join(line + "\n" for line in text.compared(before, mine))
            inside = f"<configuration-output>\n{escape(said)}</configuration-output>"
            yield f"<configuration-information>\n{inside}\n</configuration-information>"
            return
        tree = box.active if asked.get("database") == "committed" else mine
        shape = asked.get("format", "xml")
        wanted = next(iter(asked), None)
        if shape == "set":
            yield f"<configuration-set>\n{escape(_joined(text.set_lines(tree)))}</configuration-set>"
        elif shape == "text":
            yield f"<configuration-text>\n{escape(_joined(text.braces(tree)))}</configuration-text>"
        else:
            yield _joined(text.elements(tree if wanted is None else text.filtered(tree, wanted)))

    def standard(self, asked: Xml) -> Iterator[str]:
        """`get-config` of the standard."""
        running = asked.find("{*}source/{*}running") is not None
        tree = self._box.active if running else self._box.edited(self._login)
        yield f"<data>\n{_joined(text.elements(tree))}</data>"

    def commit(self, asked: Xml) -> Iterator[str]:
        """`commit-configuration`, and `commit` of the standard."""
        said = {_local(one): (one.text or "").strip() for one in asked}
        if "check" in said:
            found = self._box.problems(self._login)
            if found:
                raise found[0]
            engine = "<routing-engine>\n<name>re0</name>\n<commit-check-success/>\n</routing-engine>"
            yield f"<commit-results>\n{engine}\n</commit-results>\n<ok/>"
            return
        minutes = _number(said.get("confirm-timeout") or str(CONFIRM_MINUTES)) if "confirmed" in said else 0
        self._box.commit(self._login, said.get("log", ""), minutes)
        yield "<ok/>"

    def discard(self, asked: Xml) -> Iterator[str]:
        """`discard-changes`."""
        self._box.check_access(self._login)
        self._box.back_to(self._login, 0)
        yield "<ok/>"

    def rollback(self, asked: Xml) -> Iterator[str]:
        """`get-rollback-information`: a configuration as it was, or what the present one changes of it."""
        said = {_local(one): (one.text or "").strip() for one in asked}
        number = _number(said.get("rollback", "0"))
        if number >= len(self._box.commits):
            raise Refusal(f"rollback {number} is not there")
        tree = self._box.commits[number].tree
        inside = f"<configuration-text>\n{escape(_joined(text.braces(tree)))}</configuration-text>"
        inside = f"<configuration-information>\n{inside}\n</configuration-information>"
        yield f"<rollback-information>\n{inside}\n</rollback-information>"

    def command(self, asked: Xml) -> Iterator[str]:
        """`command`: a line of the CLI, as text, XML or JSON."""
        line, shape = (asked.text or "").strip(), asked.get("format", "xml")
        if shape == "xml":
            words = line.split()
            yield reply.xml(operations.command(self._fabric, self._box, words))
            return
        ran = JunosCli(self._fabric, self._box, self._login.user).run(
            f"{line} | display json" if shape == "json" else line
        )
        out = ran.out if isinstance(ran.out, str) else ran.out.decode()
        yield escape(out) if shape == "json" else f"<output>\n{escape(out)}</output>"


_OPERATIONS: Final[Mapping[str, Callable[[Session, Xml], Iterator[str]]]] = {
    "close-session": Session.close,
    "lock-configuration": Session.lock,
    "lock": Session.lock,
    "unlock-configuration": Session.unlock,
    "unlock": Session.unlock,
    "open-configuration": Session.open,
    "close-configuration": Session.close_configuration,
    "load-configuration": Session.load,
    "edit-config": Session.edit,
    "get-configuration": Session.configuration,
    "get-config": Session.standard,
    "commit-configuration": Session.commit,
    "commit": Session.commit,
    "discard-changes": Session.discard,
    "get-rollback-information": Session.rollback,
    "command": Session.command,
}


def _loaders(given: Xml) -> Callable[[Tree], list[Refusal]]:
    """What puts a loaded thing into a tree. Raises `Refusal`."""
    name, inside = _local(given), given.text or ""
    if name == "configuration-set":
        return lambda tree: text.load_set(tree, inside)
    if name in ("configuration-text",):
        return lambda tree: text.load_braces(tree, inside)
    if name == "configuration":
        return lambda tree: text.load_xml(tree, given)
    raise Refusal("syntax error", name)


def _joined(lines: Iterator[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _number(said: str) -> int:
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Refusal(f"number: '{said[:20]}': Value must be a number from 0 to 65535", said[:20])
    return int(said)


def _local(element: Xml) -> str:
    return str(element.tag).rpartition("}")[2]


def _error(error: Refusal) -> str:
    """`rpc-error` of a refusal; that a statement to delete is not there is a warning."""
    severity = "warning" if error.message == "statement not found" else "error"
    path = f"<error-path>[edit {escape(error.level)}]</error-path>\n" if error.level else ""
    element = (
        f"<error-info>\n<bad-element>{escape(error.element)}</bad-element>\n</error-info>\n" if error.element else ""
    )
    return (
        "<rpc-error>\n<error-type>protocol</error-type>\n<error-tag>operation-failed</error-tag>\n"
        f"<error-severity>{severity}</error-severity>\n{path}"
        f"<error-message>{escape(error.message)}</error-message>\n{element}</rpc-error>"
    )


def _reply(attributes: Mapping[str, str], parts: list[str]) -> str:
    """The reply, with the attributes of the request (RFC 6241 section 4.1)."""
    kept = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items() if not name.startswith("{"))
    inside = "\n".join(parts)
    junos = 'xmlns:junos="http://xml.juniper.net/junos/24.4R1/junos"'
    return f'<rpc-reply xmlns="{_BASE}" {junos}{kept}>\n{inside}\n</rpc-reply>\n'
