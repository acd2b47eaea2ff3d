"""What the answers of an NX-OS switch say: one `Device` for each store; and its running configuration, for a push."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from netaudit.platforms import Answer, Answers, Files, Miss, Reading
from netaudit.platforms.nxos.answers_bgp import NOT_RUNNING, read_sessions
from netaudit.platforms.nxos.answers_gnmi import oc_neighbors, oc_oper, oc_sessions
from netaudit.platforms.nxos.answers_live import read_lldp, read_oper, read_serial, read_version
from netaudit.platforms.nxos.answers_optics import read_lengths
from netaudit.platforms.nxos.answers_routes import merge, read_routes
from netaudit.platforms.nxos.answers_text import MOST_CHARACTERS, Unreadable, refusal
from netaudit.platforms.nxos.config import FILE, read_config
from netaudit.state import (
    ABSENT,
    Absent,
    Bgp,
    BgpNeighbor,
    Device,
    Leaf,
    Lldp,
    LldpNeighbor,
    Port,
    Route,
    RouteKey,
    Store,
    System,
)

T = TypeVar("T")
NAME: Final = "nxos"
_HEADER = re.compile(
    r"(?m)^(?:!Command: .*|!Running configuration last done at: .*|!Time: .*|!Startup config saved at: .*)\r?\n?"
)
"""What NX-OS writes above a configuration of when it is shown and was changed: no part of it (NAPALM cuts it too)."""
_SPEAKER = re.compile(r"(?m)^router bgp ", re.ASCII)
_LLDP = re.compile(r"(?m)^feature lldp\s*$", re.ASCII)
_VERSION = re.compile(r"(?m)^version (\S+)", re.ASCII)


@dataclass(slots=True)
class _Reader:
    """Answers, and the problems met while reading them."""

    answers: Answers
    problems: list[tuple[str, str]] = field(default_factory=list)
    doubts: tuple[tuple[str, str], ...] = ()

    def answer(self, query: str) -> Answer:
        return self.answers.get(query, Answer(miss=Miss.FAILED, reason="not asked"))

    def text(self, query: str) -> str:
        """The text of an answer. Raises `Unreadable` where there is none."""
        answer = self.answer(query)
        if answer.miss is not None:
            raise Unreadable(answer.reason or "the switch does not know the command")
        if len(answer.text) > MOST_CHARACTERS:
            raise Unreadable(f"an answer of more than {MOST_CHARACTERS:,} characters")
        return answer.text

    def either(
        self, gnmi: str, of_gnmi: Callable[[str], T | None], command: str, of_words: Callable[[str], T]
    ) -> T | None:
        """What gNMI says, else what the command says; a problem only where neither says anything."""
        answer = self.answer(gnmi)
        told = of_gnmi(answer.text) if answer.miss is None and len(answer.text) <= MOST_CHARACTERS else None
        return told if told is not None else self.attempt(command, lambda: of_words(self.text(command)))

    def attempt(self, query: str, read: Callable[[], T]) -> T | None:
        """The result of `read`, or `None` with the problem noted: device text never raises further."""
        try:
            return read()
        except (ValueError, RecursionError) as error:
            self.problems.append((query, str(error)[:300] or "unreadable"))
            return None


def configuration(text: str) -> str:
    """The text of a configuration, from its first line on. Raises `Unreadable` for what is none."""
    if refused := refusal(text):
        raise Unreadable(refused)
    body = _HEADER.sub("", text.replace("\r\n", "\n")).lstrip("\n")
    if not _VERSION.search(body):
        raise Unreadable("no configuration: the line `version ...` that NX-OS begins one with is missing")
    return body


def read(answers: Answers, name: str) -> Reading:
    """The observed state of one switch, per store. What cannot be used becomes a problem, never an absent value."""
    reader = _Reader(answers)
    texts = {query: _configuration(reader, query) for query in _STORES}
    stores = {store: _configured(reader, query, texts[query], name) for query, store in _STORES.items()}
    stores[Store.STATE] = _state(reader, name, texts["running"], stores[Store.RUNNING])
    version = _version(reader, texts["running"])
    return Reading(
        stores={store: replace(device, version=version) for store, device in stores.items()},
        problems=tuple(dict.fromkeys(reader.problems)),
        doubts=reader.doubts,
    )


_STORES: Final[Mapping[str, Store]] = {"running": Store.RUNNING, "saved": Store.SAVED}


def _configuration(reader: _Reader, query: str) -> str | None:
    if query == "saved" and reader.answer(query).miss is Miss.ABSENT:
        return ""  # nothing was ever saved, and a reload brings nothing back
    return reader.attempt(query, lambda: configuration(reader.text(query)))


def _configured(reader: _Reader, query: str, text: str | None, name: str) -> Device:
    unseen = Device(name=name, platform=NAME)
    if text is None:
        return unseen
    return reader.attempt(query, lambda: read_config({FILE: text}, name)) or unseen


def _version(reader: _Reader, running: str | None) -> str:
    """What runs; the configuration repeats it in its first line."""
    told = reader.attempt("version", lambda: read_version(reader.text("version")))
    written = _VERSION.search(running or "")
    return told or (written[1] if written else "")


def _state(reader: _Reader, name: str, running: str | None, configured: Device) -> Device:
    ports = reader.either("oc-interfaces", oc_oper, "interfaces", read_oper)
    known = ports if ports is not None else configured.ports
    speaks = running is None or _SPEAKER.search(running) is not None
    return Device(
        name=name,
        platform=NAME,
        system=System(serial=_serial(reader)),
        ports=_with_lengths(reader, ports),
        # without `router bgp` NX-OS does not know the commands: nothing is there, which is not "nobody knows"
        bgp=_sessions(reader, configured) if speaks else Bgp(asn=ABSENT, neighbors={}),
        lldp=Lldp(neighbors=_heard(reader, running, known)),
        routes=merge(tuple(_routes(reader, version) for version in ("4", "6"))) if speaks else {},
    )


def _with_lengths(reader: _Reader, ports: Mapping[str, Port] | None) -> Mapping[str, Port] | None:
    """The ports with what their plugs say of the cable; a port without a plug says nothing."""
    told = reader.attempt("transceivers", lambda: read_lengths(reader.text("transceivers")))
    if ports is None or told is None:
        return ports
    lengths, reader.doubts = told
    return {key: replace(port, cable_m=lengths.get(key, ABSENT)) for key, port in ports.items()}


def _heard(
    reader: _Reader, running: str | None, ports: Mapping[str, Port] | None
) -> Mapping[str, LldpNeighbor | Absent] | None:
    """Neighbors by port; a known port that hears nobody is `ABSENT`, as all are where LLDP is off."""
    if running is not None and not _LLDP.search(running):
        return dict.fromkeys(ports or {}, ABSENT)
    heard = reader.either("oc-lldp", oc_neighbors, "lldp", read_lldp)
    return None if heard is None else {**dict.fromkeys(ports or {}, ABSENT), **heard}


def _sessions(reader: _Reader, configured: Device) -> Bgp | None:
    """Sessions as gNMI or the summary has them. Where BGP has died, each session that is configured is down."""
    if NOT_RUNNING in reader.answer("sessions").text and configured.bgp is not None:
        down = BgpNeighbor(session=NOT_RUNNING)
        return Bgp(neighbors=dict.fromkeys(configured.bgp.neighbors or {}, down))
    return reader.either("oc-sessions", oc_sessions, "sessions", read_sessions)


def _routes(reader: _Reader, version: str) -> Mapping[RouteKey, Route] | None:
    rib = reader.attempt(f"route{version}", lambda: reader.text(f"route{version}"))
    table = reader.attempt(f"bgp{version}", lambda: reader.text(f"bgp{version}"))
    if rib is None or table is None:
        return None
    return reader.attempt(f"bgp{version}", lambda: read_routes(table, rib))


def _serial(reader: _Reader) -> Leaf[str]:
    """A switch that tells no serial number may be any: that is not seen, and not another box."""
    serial = reader.attempt("inventory", lambda: read_serial(reader.text("inventory"), reader.answer("version").text))
    if serial is ABSENT:
        reader.problems.append(("inventory", "the switch tells no serial number"))
        return None
    return serial


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running configuration and the serial number (`''` if unknown). Raises `ValueError` if incomplete."""
    reader = _Reader(answers)
    text = configuration(reader.text("running"))
    serial = _serial(reader)
    return {FILE: text}, serial if isinstance(serial, str) else ""
