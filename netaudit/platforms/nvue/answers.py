"""What the answers of a switch with Cumulus Linux say: one `Device` for each store; and what runs, for a push."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from netaudit.platforms import Answer, Answers, Files, Miss, Reading
from netaudit.platforms.nvue.answers_json import MOST_CHARACTERS, Unreadable, all_of, parsed
from netaudit.platforms.nvue.answers_live import oc_lldp, oc_oper, read_lldp, read_oper, read_serial, read_sessions
from netaudit.platforms.nvue.config import FILE, read_config
from netaudit.platforms.nvue.names import key_of
from netaudit.platforms.sonic.routing import merge_families, read_routes
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
NAME: Final = "nvue"
NO_BGPD: Final = "bgpd is not running"
"""What vtysh says, with exit code 1, to a command for bgpd where that has died (seen with FRR 8.4.4)."""
_VERSION: Final = re.compile(r"(?m)^ {0,16}version: ['\"]?(?:Cumulus Linux )?(\d+(?:\.\d+){1,3})", re.ASCII)
"""The header of a configuration: `version: Cumulus Linux 5.17.0` (nvue.md section 1)."""
_STORES: Final[Mapping[Store, str]] = {Store.RUNNING: "running", Store.SAVED: "saved"}


@dataclass(slots=True)
class _Reader:
    """Answers, and the problems met while reading them."""

    answers: Answers
    problems: list[tuple[str, str]] = field(default_factory=list)

    def answer(self, query: str) -> Answer:
        return self.answers.get(query, Answer(miss=Miss.FAILED, reason="not asked"))

    def text(self, query: str) -> str:
        """The text of an answer. Raises `Unreadable` where there is none."""
        answer = self.answer(query)
        if answer.miss is not None:
            raise Unreadable(answer.reason or ("there is no such file" if answer.miss is Miss.ABSENT else "no answer"))
        if len(answer.text) > MOST_CHARACTERS:
            raise Unreadable(f"an answer of more than {MOST_CHARACTERS:,} characters")
        return answer.text

    def attempt(self, query: str, read: Callable[[], T]) -> T | None:
        """The result of `read`, or `None` with the problem noted: device text never raises further."""
        try:
            return read()
        except (ValueError, RecursionError) as error:
            self.problems.append((query, str(error)[:300] or "unreadable"))
            return None

    def either(
        self, gnmi: str, of_gnmi: Callable[[str], T | None], command: str, of_command: Callable[[str], T]
    ) -> T | None:
        """What gNMI says, else what the command says; a problem only where neither says anything."""
        answer = self.answer(gnmi)
        told = of_gnmi(answer.text) if answer.miss is None and len(answer.text) <= MOST_CHARACTERS else None
        return told if told is not None else self.attempt(command, lambda: of_command(self.text(command)))


def read(answers: Answers, name: str) -> Reading:
    """The observed state of one switch, per store. What cannot be used becomes a problem, never an absent value."""
    reader = _Reader(answers)
    stores = {store: _configured(reader, query, name) for store, query in _STORES.items()}
    stores[Store.STATE] = _state(reader, name, stores[Store.RUNNING])
    version = _version(reader)
    return Reading(
        stores={store: replace(device, version=version) for store, device in stores.items()},
        problems=tuple(dict.fromkeys(reader.problems)),
    )


def _configured(reader: _Reader, query: str, name: str) -> Device:
    found = reader.attempt(query, lambda: read_config({FILE: reader.text(query)}, name))
    return found or Device(name=name, platform=NAME)


def _version(reader: _Reader) -> str:
    """What runs, as the header of its configuration says."""
    found = _VERSION.search(reader.answer("running").text[:4096])
    return found[1] if found else ""


def _state(reader: _Reader, name: str, running: Device) -> Device:
    ports = reader.either("oc-interfaces", oc_oper, "interfaces", read_oper)
    return Device(
        name=name,
        platform=NAME,
        system=System(serial=_serial(reader)),
        ports=ports,
        bgp=_sessions(reader, running),
        lldp=Lldp(neighbors=_heard(reader, ports if ports is not None else running.ports)),
        routes=merge_families(tuple(_routes(reader, family, running) for family in ("4", "6"))),
    )


def _serial(reader: _Reader) -> Leaf[str]:
    """A switch that tells no serial number may be any: that is not seen, and not another box."""
    serial = reader.attempt("platform", lambda: read_serial(reader.text("platform")))
    if serial is ABSENT:
        reader.problems.append(("platform", "the switch tells no serial number"))
        return None
    return serial


def _heard(reader: _Reader, ports: Mapping[str, Port] | None) -> Mapping[str, LldpNeighbor | Absent] | None:
    """Neighbors by port; a known port that hears nobody is `ABSENT`."""
    heard = reader.either("oc-lldp", oc_lldp, "lldp", read_lldp)
    return None if heard is None else {**dict.fromkeys(ports or {}, ABSENT), **heard}


def _is_dead(reader: _Reader, query: str) -> bool:
    """Does vtysh say that bgpd does not run?"""
    answer = reader.answer(query)
    return answer.miss is Miss.FAILED and NO_BGPD in answer.reason


def _sessions(reader: _Reader, running: Device) -> Bgp | None:
    """What bgpd says of its sessions. Where it does not run, each session that is configured is down.

    Without BGP in the configuration nobody started bgpd: then there are no sessions, which is not "nobody knows".
    """
    if _is_dead(reader, "sessions"):
        down = BgpNeighbor(session=NO_BGPD)
        neighbors = dict.fromkeys(_neighbors(running), down)
        return Bgp(neighbors=neighbors) if neighbors else Bgp(asn=ABSENT, neighbors={})
    return reader.attempt("sessions", lambda: read_sessions(reader.text("sessions")))


def _neighbors(running: Device) -> Collection[str]:
    return (running.bgp.neighbors if running.bgp is not None else None) or ()


def _routes(reader: _Reader, family: str, running: Device) -> Mapping[RouteKey, Route] | None:
    """The routes of one address family, with ports by their position."""
    if _is_dead(reader, f"bgp{family}") and not _neighbors(running):
        return {}
    rib = reader.attempt(f"route{family}", lambda: all_of(reader.text(f"route{family}")))
    table = reader.attempt(f"bgp{family}", lambda: parsed(reader.text(f"bgp{family}")))
    if rib is None or table is None:
        return None
    return reader.attempt(f"bgp{family}", lambda: read_routes(table, rib, _Positions(), str))


class _Positions(Mapping[str, str]):
    """Native name → our key, of every front panel port there may be, whether or not a configuration names it."""

    def __getitem__(self, name: str) -> str:
        """The key. Raises `KeyError` for what is no interface of ours."""
        found = key_of(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        """Nothing: they are not counted."""
        return iter(())

    def __len__(self) -> int:
        return 0


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running configuration and the serial number (`''` if unknown). Raises `ValueError` if incomplete."""
    reader = _Reader(answers)
    text = reader.text("running")
    if not _VERSION.search(text[:4096]):
        raise Unreadable("no configuration: the header that NVUE begins one with is missing")
    serial = _serial(reader)
    return {FILE: text}, serial if isinstance(serial, str) else ""
