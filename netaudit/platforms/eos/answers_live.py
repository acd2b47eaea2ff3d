"""What EOS says of the box, its links and who is at their other ends: from OpenConfig, or from the CLI's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from netaudit.platforms import openconfig
from netaudit.platforms.eos.answers_json import Unreadable, objects, parsed, rows, word
from netaudit.platforms.eos.names import full_name
from netaudit.state import ABSENT, Absent, Leaf, LldpNeighbor, Port

_FRONT: Final = re.compile(r"Ethernet\d{1,4}(?:/\d{1,2}){0,2}", re.ASCII)
_MAC: Final = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", re.ASCII)
_NAME: Final = re.compile(r"(?:Ethernet|Eth|et|xe|ge|swp|etp)-?\d{1,4}(?:[/:s]\d{1,4}){0,3}[a-z]?", re.ASCII)
"""How NOSes name their ports: only such a description is taken for the name of one (field cases A14, A15)."""


def is_front(name: str) -> bool:
    """Is it a front panel port? The management port has a neighbor too, and is not ours."""
    return _FRONT.fullmatch(name) is not None


def read_version(text: str) -> str:
    """The version of EOS, of `show version | json`: `4.36.1F`."""
    return word(parsed(text), "version")


def read_serial(text: str) -> Leaf[str]:
    """The serial number of `show version | json`."""
    return word(parsed(text), "serialNumber") or ABSENT


def read_oper(text: str, keys: Mapping[str, str]) -> Mapping[str, Port]:
    """Which links are up: OpenConfig's interfaces, or `show interfaces | json`. Raises `Unreadable`."""
    if '"lineProtocolStatus"' in text:
        told = [(name, word(row, "lineProtocolStatus") == "up") for name, row in objects(parsed(text), "interfaces")]
    else:
        found = openconfig.interfaces(text)
        _refuse(found.problems)
        told = [(name, port.oper_up) for name, port in found.items.items() if port.oper_up is not None]
    ports = {keys.get(full_name(n), n): Port(oper_up=up) for n, up in told if is_front(full_name(n))}
    if not ports:
        raise Unreadable("no front panel port in the answer")
    return ports


class _Heard(NamedTuple):
    local: str
    system: str
    port: str
    description: str
    named: bool
    """The port id is the name of an interface, as its type says."""


def read_lldp(text: str, keys: Mapping[str, str]) -> Mapping[str, LldpNeighbor | Absent]:
    """Neighbors by port, as received; a known port that hears nobody is `ABSENT`.

    `text`: OpenConfig's LLDP, or `show lldp neighbors detail | json`, or the same in words. Raises `Unreadable`.
    """
    heard: dict[str, LldpNeighbor | Absent] = dict.fromkeys(keys.values(), ABSENT)
    for one in neighbors(text):
        local = full_name(one.local)
        if is_front(local):
            heard[keys.get(local, local)] = LldpNeighbor(system=one.system, port=_port(one))
    return heard


def neighbors(text: str) -> Iterable[_Heard]:
    """Everybody who is heard. Raises `Unreadable`."""
    if '"lldpNeighbors"' in text:
        return tuple(
            _of_json(local, one)
            for local, row in objects(parsed(text), "lldpNeighbors")
            for one in rows(row, "lldpNeighborInfo")
        )
    if re.search(r"(?m)^Interface \S+ detected \d+ LLDP neighbors:", text):
        return tuple(_of_words(text))
    found = openconfig.lldp(text)
    _refuse(found.problems)
    if not found.items:
        raise Unreadable("no LLDP in the answer")
    return tuple(
        _Heard(port, one.system or one.chassis_id, one.port_id, one.port_description, _is_name(one.port_id_type))
        for port, several in found.items.items()
        for one in several
    )


def _of_json(local: str, one: Mapping[str, object]) -> _Heard:
    system = word(one, "systemName") or word(one, "chassisId")
    sent = word(one, "neighborInterfaceInfo", "interfaceId")
    described = word(one, "neighborInterfaceInfo", "interfaceDescription")
    return _Heard(local, system, sent, described, _is_name(word(one, "neighborInterfaceInfo", "interfaceIdType")))


_FIELDS: Final = {
    "Chassis ID": "chassis",
    "Port ID": "port",
    "Port ID type": "type",
    "Port Description": "description",
    "System Name": "system",
}


def _of_words(text: str) -> Iterable[_Heard]:
    """Blocks that begin with `Neighbor`, below a line for each interface."""
    local, block = "", dict[str, str]()
    for line in (*text.splitlines(), "Interface - detected"):
        head = re.match(r"Interface (\S+) detected", line)
        if block and (head or line.startswith("  Neighbor ")):
            system = block.get("system") or block.get("chassis", "")
            yield _Heard(local, system, block.get("port", ""), block.get("description", ""), "name" in block["type"])
            block = {}
        if head:
            local = head.group(1)
        elif line.startswith("  Neighbor "):
            block = {"type": ""}
        name, colon, value = line.strip(" -").partition(":")
        if block and colon and (field := _FIELDS.get(name.strip())):
            block[field] = block.get(field) or value.strip().strip('"')


def _is_name(kind: str) -> bool:
    return kind in ("interfaceName", "INTERFACE_NAME", "interfaceAlias", "INTERFACE_ALIAS")


def _port(one: _Heard) -> str:
    """The port a neighbor names, as received. One that sends a MAC or a number may describe it by name (A14, A15)."""
    sent, described = one.port.strip('"'), one.description.strip('"')
    unnamed = not one.named and (_MAC.fullmatch(sent) or sent.isdecimal())
    return described if unnamed and _NAME.fullmatch(described) else sent


def _refuse(problems: tuple[str, ...]) -> None:
    if problems:
        raise Unreadable(problems[0])
