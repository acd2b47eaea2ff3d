"""What the answers of a Junos switch say: one `Device` for each store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from netaudit.platforms import Answer, Answers, Files, Miss, Reading
from netaudit.platforms.junos.answers_live import (
    PortOf,
    read_neighbors,
    read_oper,
    read_pending,
    read_serial,
    read_sessions,
    read_version,
    with_silence,
)
from netaudit.platforms.junos.answers_openconfig import oc_neighbors, oc_oper
from netaudit.platforms.junos.answers_routes import read_routes
from netaudit.platforms.junos.answers_tree import LIMIT_CHARACTERS, Unreadable
from netaudit.platforms.junos.ask import (
    CHASSIS,
    COMMITS,
    CONFIGURATION,
    INTERFACES,
    LLDP,
    OC_INTERFACES,
    OC_LLDP,
    PREVIOUS,
    ROUTES,
    SESSIONS,
    VERSION,
)
from netaudit.platforms.junos.names import port_of
from netaudit.platforms.junos.read_config import FILE, read_config
from netaudit.state import Bgp, BgpNeighbor, Device, Lldp, Route, RouteKey, Store, System

T = TypeVar("T")
NOT_DISCOVERED = "Idle"
"""A session at an interface where no peer was discovered: Junos makes the peer when it hears one (junos.md section 1),
so nothing shows it before, and it waits for a start event as one in Idle does."""


@dataclass(slots=True)
class _Reader:
    """Answers, and the problems met while reading them."""

    answers: Answers
    problems: list[tuple[str, str]] = field(default_factory=list)

    def attempt(self, query: str, read: Callable[[str], T]) -> T | None:
        """What `read` makes of the answer, or `None` with the problem noted: device text never raises further."""
        try:
            return read(text_of(self.answers, query))
        except (ValueError, RecursionError) as error:
            self.problems.append((query, str(error)[:300]))
            return None

    def either(
        self, first: str, second: str, one: Callable[[str, PortOf], T], other: Callable[[str, PortOf], T]
    ) -> T | None:
        """What the first answer says, or the second one where the first cannot be used."""
        try:
            return one(text_of(self.answers, first), port_of)
        except (ValueError, RecursionError):
            return self.attempt(second, lambda text: other(text, port_of))


def text_of(answers: Answers, query: str) -> str:
    """The text of an answer. Raises `Unreadable` where there is none."""
    answer = answers.get(query, Answer(miss=Miss.FAILED, reason="not asked"))
    if answer.miss is not None:
        raise Unreadable(answer.reason or "no answer")
    return answer.text


def configuration(answers: Answers, query: str = CONFIGURATION) -> str:
    """The set lines of an answer. Raises `Unreadable` for other text: it may hold secrets, so it is not repeated."""
    text = text_of(answers, query)
    if len(text) > LIMIT_CHARACTERS:
        raise Unreadable(f"longer than {LIMIT_CHARACTERS:,} characters")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "{master"))]
    if not lines:
        raise Unreadable("no configuration in the answer")
    if not lines[0].startswith(("set ", "deactivate ", "activate ")):
        raise Unreadable("the answer is not a configuration in set lines")
    return "".join(line + "\n" for line in lines)


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running configuration in set lines, and the serial number. Raises `Unreadable`."""
    serial = read_serial(text_of(answers, CHASSIS))
    return {FILE: configuration(answers)}, serial if isinstance(serial, str) else ""


def read(answers: Answers, name: str) -> Reading:
    """The observed state of one switch, per store. What cannot be used becomes a problem, never an absent value."""
    reader = _Reader(answers)
    version = reader.attempt(VERSION, read_version) or ""
    running = reader.attempt(CONFIGURATION, lambda _: read_config({FILE: configuration(answers)}, name))
    nothing = Device(name=name, platform="junos")
    stores = {
        Store.RUNNING: running or nothing,
        Store.SAVED: _saved(reader, name, running) or nothing,
        Store.APPLIED: nothing,
        Store.STATE: _state(reader, name, running),
    }
    return Reading(
        stores={store: replace(device, version=version or device.version) for store, device in stores.items()},
        problems=tuple(dict.fromkeys(reader.problems)),
    )


def _saved(reader: _Reader, name: str, running: Device | None) -> Device | None:
    """What stays. A commit saves what it puts in force; while it waits for its confirmation that is the one before."""
    pending = reader.attempt(COMMITS, read_pending)
    if pending is None:
        return None
    if not pending:
        return running
    return reader.attempt(PREVIOUS, lambda _: read_config({FILE: configuration(reader.answers, PREVIOUS)}, name))


def _state(reader: _Reader, name: str, running: Device | None) -> Device:
    ports = reader.either(OC_INTERFACES, INTERFACES, oc_oper, read_oper)
    heard = reader.either(OC_LLDP, LLDP, oc_neighbors, read_neighbors)
    sessions = reader.attempt(SESSIONS, lambda text: read_sessions(text, port_of))
    configured = running.bgp if running else None
    return Device(
        name=name,
        platform="junos",
        system=System(serial=reader.attempt(CHASSIS, read_serial)),
        ports=ports,
        bgp=None if sessions is None else _with_undiscovered(sessions, configured),
        lldp=Lldp(neighbors=None if heard is None else with_silence(heard, ports or {})),
        routes=_routes(reader, running),
    )


def _with_undiscovered(sessions: Bgp, configured: Bgp | None) -> Bgp:
    """The sessions, with those that wait for a peer, of which Junos has none before it hears it.

    Where no peer tells the own number it is the configured one: a commit puts that in force.
    """
    shown = sessions.neighbors or {}
    awaited = (key for key in (configured.neighbors or {} if configured else {}) if key not in shown)
    return replace(
        sessions,
        asn=sessions.asn if sessions.asn is not None or configured is None else configured.asn,
        neighbors={**{key: BgpNeighbor(session=NOT_DISCOVERED) for key in awaited}, **shown},
    )


def _routes(reader: _Reader, running: Device | None) -> Mapping[RouteKey, Route] | None:
    """Routes, unless the configuration is not seen: nothing else says which of them BGP announces as its own."""
    if running is None or running.bgp is None:
        return None
    return reader.attempt(ROUTES, lambda text: read_routes(text, port_of, running.bgp))
