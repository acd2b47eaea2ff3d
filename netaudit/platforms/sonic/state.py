"""What SONiC's state and application databases say: link state, LLDP neighbors, serial number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from netaudit.platforms.sonic.ports import read_fec, read_mtu
from netaudit.platforms.sonic.tables import Row, Unreadable, flag, number, text
from netaudit.state import ABSENT, Absent, Leaf, LldpNeighbor, Port

PSEUDO = ("PortConfigDone", "PortInitDone")
"""Keys of APPL_DB PORT_TABLE that are no ports (sonic.md section 8)."""


def read_port_table(table: Mapping[str, Row] | None, keys: Mapping[str, str]) -> Mapping[str, Port] | None:
    """Ports as orchagent programs them: APPL_DB PORT_TABLE."""
    if table is None:
        return None
    return {
        keys.get(name, name): Port(
            native=name,
            enabled=flag(row, "admin_status", "up", "down", default=False),
            speed_mbps=number(row, "speed"),
            mtu_bytes=read_mtu(row),
            fec=read_fec(row),
        )
        for name, row in table.items()
        if name not in PSEUDO
    }


def read_oper(table: Mapping[str, Row] | None, keys: Mapping[str, str]) -> Mapping[str, Port] | None:
    """Which links are up."""
    if table is None:
        return None
    return {
        keys.get(name, name): Port(oper_up=flag(row, "oper_status", "up", "down", default=ABSENT))
        for name, row in table.items()
        if name not in PSEUDO
    }


def read_lldp_neighbors(
    table: Mapping[str, Row] | None, keys: Mapping[str, str], ports: Mapping[str, Row] | None
) -> Mapping[str, LldpNeighbor | Absent] | None:
    """Neighbors by port, as received. A port that hears nobody is `ABSENT`."""
    if table is None:
        return None
    heard: dict[str, LldpNeighbor | Absent] = {keys.get(n, n): ABSENT for n in ports or {} if n not in PSEUDO}
    words = _words_of_ports(ports or {})
    for name, row in table.items():
        if name == "eth0":  # the management port has a neighbor too, and is not ours
            continue
        heard[keys.get(name, name)] = LldpNeighbor(
            system=_unquoted(row, "lldp_rem_sys_name"), port=_port_id(row, words)
        )
    return heard


def _unquoted(row: Row, field: str) -> Leaf[str]:
    """A name; some agents put quotes inside the text."""
    value = text(row, field)
    return value.strip('"') if isinstance(value, str) else value


_MAC = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}", re.ASCII)
_NAME = re.compile(r"([A-Za-z][A-Za-z-]*)\d+(/\d+)*[a-z]?", re.ASCII)


def _words_of_ports(ports: Mapping[str, Row]) -> frozenset[str]:
    """How names and aliases of ports begin, here and so on the switches beside it."""
    names: Iterable[str] = (str(name) for port, row in ports.items() for name in (port, text(row, "alias")))
    return frozenset(found.group(1) for name in names if (found := _NAME.fullmatch(name))) | {"Ethernet", "etp"}


def _port_id(row: Row, words: frozenset[str]) -> Leaf[str]:
    """The port a neighbor names. One that sends its MAC address may have the name in the port's description."""
    sent, described = _unquoted(row, "lldp_rem_port_id"), _unquoted(row, "lldp_rem_port_desc")
    if not isinstance(sent, str) or not isinstance(described, str) or not _MAC.fullmatch(sent):
        return sent
    found = _NAME.fullmatch(described)
    return described if found and found.group(1) in words else sent


def read_serial(answer: object) -> Leaf[str]:
    """The serial number of STATE_DB EEPROM_INFO|0x23."""
    if not isinstance(answer, Mapping):
        raise Unreadable("EEPROM_INFO is not an object")
    value = answer.get("Value")
    return str(value).strip() if value is not None else ABSENT
