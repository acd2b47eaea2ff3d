"""What NX-OS says of the box, its links and its neighbors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from netaudit.platforms.nxos.answers_text import Unreadable, is_port, key_of, parsed, refusal, rows, word
from netaudit.state import ABSENT, Absent, Leaf, LldpNeighbor, Port

_QUOTES = '"'


def read_version(text: str) -> str:
    """The version of the NOS, of `show version | json`; empty where none of the names it has had is there."""
    return word(parsed(text), "nxos_ver_str", "rr_sys_ver", "sys_ver_str", "kickstart_ver_str")


def read_serial(inventory: str, version: str = "") -> Leaf[str]:
    """The serial number of the chassis, of `show inventory | json`, else of the processor board in `show version`."""
    for row in rows(parsed(inventory), "inv"):
        if word(row, "name").strip(_QUOTES) == "Chassis" and (serial := word(row, "serialnum")):
            return serial
    board = word(parsed(version), "proc_board_id") if version else ""
    return board or ABSENT


def read_oper(text: str) -> Mapping[str, Port]:
    """Which links are up: `show interface brief | json`, or the words of `show interface status`."""
    if refused := refusal(text):
        raise Unreadable(refused)
    told = _brief(text) if text.lstrip().startswith("{") else _status(text)
    found = {key_of(name): Port(oper_up=up) for name, up in told if is_port(name)}
    if not found:
        raise Unreadable("no front panel port in the answer")
    return found


def _brief(text: str) -> Iterator[tuple[str, bool]]:
    return ((word(row, "interface"), word(row, "state") == "up") for row in rows(parsed(text), "interface"))


def _status(text: str) -> Iterator[tuple[str, bool]]:
    """Names have blanks in them, so the state is found by where its heading stands."""
    at = -1
    for line in text.splitlines():
        if line.startswith("Port ") and "Status" in line:
            at = line.index("Status")
        elif at >= 0 and line[:1].isalpha():
            yield line.split()[0], line[at:].split(" ", 1)[0] == "connected"


class Neighbor(NamedTuple):
    """One neighbor as received."""

    local: str
    system: str
    port: str
    description: str = ""


def read_neighbors(text: str) -> tuple[Neighbor, ...]:
    """`show lldp neighbors`, short or `detail`, in words or JSON. Raises `Unreadable`."""
    if refused := refusal(text):
        raise Unreadable(refused)
    if text.lstrip().startswith("{"):
        return tuple(_json_neighbors(text))
    if re.search(r"(?m)^Chassis id:", text) or "Total entries displayed: 0" in text:
        return tuple(_detail(text))
    if re.search(r"(?m)^Device ID\s+Local Intf", text):
        return tuple(_table(text))
    raise Unreadable("no LLDP neighbors: neither `Chassis id:` nor the heading of the table")


def _json_neighbors(text: str) -> Iterator[Neighbor]:
    data = parsed(text)
    for name in ("nbor", "nbor_detail"):
        for row in rows(data, name):
            system = word(row, "sys_name", "sysname") or word(row, "chassis_id")
            yield Neighbor(word(row, "l_port_id"), system, word(row, "port_id"), word(row, "port_desc"))


_FIELDS = {
    "chassis id": "chassis",
    "port id": "port",
    "local port id": "local",
    "port description": "description",
    "system name": "system",
}


def _detail(text: str) -> Iterator[Neighbor]:
    """Blocks of `Name: value`; each begins with the chassis. A system description has lines of its own, with colons."""
    block: dict[str, str] = {}
    for line in (*text.splitlines(), "Chassis id:"):
        name, colon, value = line.partition(":")
        field = _FIELDS.get(name.strip().lower(), "") if colon and not name.startswith(" ") else ""
        if field == "chassis":
            if block.get("local"):
                yield _neighbor(block)
            block = {"chassis": value.strip()}
        elif field:
            block.setdefault(field, value.strip())


def _neighbor(block: Mapping[str, str]) -> Neighbor:
    told = {name: "" if "not advertised" in value else value for name, value in block.items()}
    return Neighbor(
        local=told["local"],
        system=told.get("system") or told.get("chassis", ""),
        port=told.get("port", ""),
        description=told.get("description", ""),
    )


_ROW = re.compile(r"(\S{2,40})\s+(\d{1,5})\s+(?:([A-Z]{1,8})\s+)?(\S{1,255})", re.ASCII)


def _table(text: str) -> Iterator[Neighbor]:
    """Lines of the short table; a name that is too long stands on a line of its own before the rest."""
    waiting, body = "", False
    for line in text.splitlines():
        if line.startswith("Device ID"):
            body = True
        elif not body or not line.strip() or line.startswith("Total entries"):
            continue
        elif waiting and (found := _ROW.fullmatch(line.strip())):
            yield Neighbor(found[1], waiting, found[4])
            waiting = ""
        else:
            name, _, rest = line.strip().partition(" ")
            found = _ROW.fullmatch(rest.strip())
            if found:
                yield Neighbor(found[1], name, found[4])
            waiting = "" if found else name


_MAC = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", re.ASCII)
_NAME = re.compile(
    r"(?:Ethernet|Eth|et|xe|ge|swp|etp|GigE|FourHundredGigE)-?\d{1,4}(?:[/:s]\d{1,4}){0,3}[a-z]?", re.ASCII
)


def read_lldp(text: str) -> Mapping[str, LldpNeighbor | Absent]:
    """Neighbors by port, as received. The management port has one too, and is not ours. Raises `Unreadable`."""
    return by_port(read_neighbors(text))


def by_port(neighbors: Iterable[Neighbor]) -> Mapping[str, LldpNeighbor | Absent]:
    """Neighbors of front panel ports."""
    return {
        key_of(one.local): LldpNeighbor(system=one.system.strip(_QUOTES), port=port_id(one))
        for one in neighbors
        if is_port(one.local)
    }


def port_id(one: Neighbor) -> str:
    """The port a neighbor names, as received. One that sends its MAC or a number may describe it by name."""
    sent, described = one.port.strip(_QUOTES), one.description.strip(_QUOTES)
    if (_MAC.fullmatch(sent) or sent.isdecimal()) and _NAME.fullmatch(described):
        return described
    return sent
