"""What the answers of an EOS switch say: one `Device` for each store; and its running configuration, for a push."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeAlias, TypeVar

from netaudit.platforms import Answer, Answers, Files, Miss, Reading
from netaudit.platforms.eos.answers_bgp import merge, read_routes, read_sessions, tables, vrfs
from netaudit.platforms.eos.answers_json import MOST_CHARACTERS, Unreadable, objects, parsed, word
from netaudit.platforms.eos.answers_live import read_lldp, read_oper, read_serial, read_version
from netaudit.state import (
    ABSENT,
    Absent,
    Bgp,
    BgpNeighbor,
    Device,
    Leaf,
    Lldp,
    LldpNeighbor,
    Route,
    RouteKey,
    Store,
    System,
)

T = TypeVar("T")
ReadConfig: TypeAlias = Callable[[Files, str], Device]

FILE: Final = "eos.cfg"
NAME: Final = "eos"
NOT_RUNNING: Final = "BGP is configured and does not run"
"""Its agent answers with no VRF at all, which is not "no sessions" and not "no routes"."""
OURS: Final = "netaudit-"
"""How the names of our configuration sessions begin."""
_HEADER: Final = re.compile(r"(?m)^! (?:Command: .*|Startup-config last modified at .*|Time: .*)\r?\n")
"""What EOS writes above a configuration of when it was shown and saved: no part of it."""
_DEVICE: Final = re.compile(r"(?m)^! device: .*\bEOS-([0-9][\w.-]*)", re.ASCII)
"""`! device: leaf1 (DCS-7060X6-64PE, EOS-4.36.1F)`."""


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
            raise Unreadable(answer.reason or "no answer")
        return answer.text

    def attempt(self, query: str, read: Callable[[], T]) -> T | None:
        """The result of `read`, or `None` with the problem noted: device text never raises further."""
        try:
            return read()
        except (ValueError, RecursionError) as error:
            self.problems.append((query, str(error)[:300] or "unreadable"))
            return None


def configuration(text: str) -> str:
    """The text of a configuration without what says when it was shown. Raises `Unreadable` for what is none."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"a configuration of more than {MOST_CHARACTERS:,} characters")
    body = _HEADER.sub("", text.replace("\r\n", "\n")).lstrip("\n")
    if body.startswith("%"):
        raise Unreadable(body.splitlines()[0][:200])
    if not re.search(r"(?m)^end\s*\Z", body):
        raise Unreadable("no configuration, or one that is cut off: the line `end` is missing")
    return body


def read_with(read_config: ReadConfig, answers: Answers, name: str) -> Reading:
    """The observed state of one switch, per store. What cannot be used becomes a problem, never an absent value."""
    reader = _Reader(answers)
    texts = {
        Store.RUNNING: reader.attempt("running", lambda: configuration(reader.text("running"))),
        Store.SAVED: reader.attempt("saved", lambda: configuration(_saved(reader))),
    }
    stores = {
        store: _configured(reader, read_config, "running" if store is Store.RUNNING else "saved", text, name)
        for store, text in texts.items()
    }
    ports = stores[Store.RUNNING].ports if texts[Store.RUNNING] is not None else stores[Store.SAVED].ports
    stores[Store.STATE] = _state(reader, name, stores[Store.RUNNING], native_keys(ports))
    version = _version(reader, texts[Store.RUNNING])
    return Reading(
        stores={store: replace(device, version=version) for store, device in stores.items()},
        problems=tuple(dict.fromkeys(reader.problems)),
    )


def _saved(reader: _Reader) -> str:
    """What a reboot brings back; a switch that never saved comes up with nothing."""
    return "end\n" if reader.answer("saved").miss is Miss.ABSENT else reader.text("saved")


def _configured(reader: _Reader, read_config: ReadConfig, query: str, text: str | None, name: str) -> Device:
    unseen = Device(name=name, platform=NAME)
    if text is None:
        return unseen
    return reader.attempt(query, lambda: read_config({FILE: text}, name)) or unseen


def native_keys(ports: Mapping[str, object] | None) -> Mapping[str, str]:
    """Name of a port on the switch → `cage[/sub]`: the configuration says which lanes are one port."""
    named = ((key, getattr(port, "native", None)) for key, port in (ports or {}).items())
    return {native: key for key, native in named if isinstance(native, str)}


def _version(reader: _Reader, running: str | None) -> str:
    """What runs; the configuration repeats it in its head."""
    told = reader.attempt("version", lambda: read_version(reader.text("version")))
    written = _DEVICE.search(running or "")
    return told or (written[1] if written else "")


def _state(reader: _Reader, name: str, configured: Device, keys: Mapping[str, str]) -> Device:
    bgp = _sessions(reader, keys, configured.bgp)
    dead = any(why == NOT_RUNNING for _, why in reader.problems)
    return Device(
        name=name,
        platform=NAME,
        system=System(serial=_serial(reader)),
        ports=reader.attempt("oc-interfaces", lambda: read_oper(reader.text("oc-interfaces"), keys)),
        bgp=bgp,
        lldp=Lldp(neighbors=reader.attempt("oc-lldp", lambda: _heard(reader, keys))),
        routes=None if dead else merge(tuple(_routes(reader, version, keys) for version in ("4", "6"))),
    )


def _heard(reader: _Reader, keys: Mapping[str, str]) -> Mapping[str, LldpNeighbor | Absent]:
    """Who is heard on each port. Where nobody is, gNMI has no such path."""
    if reader.answer("oc-lldp").miss is Miss.ABSENT:
        return dict.fromkeys(keys.values(), ABSENT)
    return read_lldp(reader.text("oc-lldp"), keys)


def _sessions(reader: _Reader, keys: Mapping[str, str], configured: Bgp | None) -> Bgp | None:
    told = [reader.attempt(query, partial(_of_vrfs, reader, query)) for query in ("sessions", "sessions6")]
    both = tuple(answer for answer in told if answer is not None)
    if len(both) < len(told):
        return None
    found = reader.attempt("sessions", lambda: read_sessions(both, keys, configured))
    if found is not None and found.asn is ABSENT and configured is not None and isinstance(configured.asn, int):
        reader.problems.append(("sessions", NOT_RUNNING))
        return Bgp(neighbors=dict.fromkeys(configured.neighbors or {}, BgpNeighbor(session=NOT_RUNNING)))
    return found


def _of_vrfs(reader: _Reader, query: str) -> Mapping[str, object]:
    """What there is by VRF. A switch without BGP has nothing, which is not "nobody knows"."""
    if reader.answer(query).miss is Miss.ABSENT:
        return {"vrfs": {}}
    return (tables if query.startswith("route") else vrfs)(reader.text(query))


def _routes(reader: _Reader, version: str, keys: Mapping[str, str]) -> Mapping[RouteKey, Route] | None:
    rib = reader.attempt(f"route{version}", lambda: _of_vrfs(reader, f"route{version}"))
    table = reader.attempt(f"bgp{version}", lambda: _of_vrfs(reader, f"bgp{version}"))
    if rib is None or table is None:
        return None
    return reader.attempt(f"bgp{version}", lambda: read_routes(table, rib, keys))


def _serial(reader: _Reader) -> Leaf[str]:
    """A switch that tells no serial number may be any: that is not seen, and not another box."""
    serial = reader.attempt("version", lambda: read_serial(reader.text("version")))
    if serial is ABSENT:
        reader.problems.append(("version", "the switch tells no serial number"))
        return None
    return serial


def running_files(answers: Answers) -> tuple[Files, str]:
    """The running configuration and the serial number (`''` if unknown). Raises `ValueError` if incomplete.

    So it does while a commit of somebody else's awaits its confirmation (field case A22): what runs may be gone in a
    minute, and a push would not come through.
    """
    reader = _Reader(answers)
    text = configuration(reader.text("running"))
    refuse_pending(parsed(reader.text("commits")))
    serial = read_serial(reader.text("version"))
    return {FILE: text}, serial if isinstance(serial, str) else ""


def refuse_pending(sessions: Mapping[str, object]) -> None:
    """Raise `Unreadable` where `show configuration sessions detail` says that others are at work, or no slot is free.

    Up to EOS 4.31 the state of a session says that its commit awaits a confirmation; from 4.32 on two members beside
    the sessions do (napalm-automation/napalm#2166).
    """
    found = dict(objects(sessions, "sessions"))
    timed = {name: word(row, "commitBy") for name, row in found.items() if "pendingCommitTimer" in word(row, "state")}
    if name := word(sessions, "commitTimerSessionName"):
        timed[name] = word(sessions, "commitTimerExpireTime")
    for name, until in timed.items():
        if not name.startswith(OURS):
            raise Unreadable(f"the commit of session {name[:60]} awaits confirmation until {_time(until)}")
    pending = [name for name, row in found.items() if word(row, "state") == "pending"]
    most = word(sessions, "maxOpenSessions")
    if most.isdecimal() and len(pending) >= int(most) and not any(name.startswith(OURS) for name in pending):
        told = ", ".join(sorted(pending))[:120]
        raise Unreadable(f"all {most} configuration sessions are open ({told}); abort one that nobody needs")


def _time(seconds: str) -> str:
    """A moment; EOS counts some from its own start (napalm's driver, _get_pending_commits), which are no dates."""
    try:
        if float(seconds) < 1e9:
            return f"{float(seconds):.0f} s after its start"
        return f"{datetime.fromtimestamp(float(seconds), UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
