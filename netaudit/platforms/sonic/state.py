"""What SONiC's state and application databases say: link state, LLDP neighbors, serial number."""

from __future__ import annotations

from collections.abc import Mapping

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
            mtu_bytes=number(row, "mtu"),
            fec=text(row, "fec"),
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
    for name, row in table.items():
        if name == "eth0":  # the management port has a neighbor too, and is not ours
            continue
        heard[keys.get(name, name)] = LldpNeighbor(
            system=text(row, "lldp_rem_sys_name"), port=text(row, "lldp_rem_port_id")
        )
    return heard


def read_serial(answer: object) -> Leaf[str]:
    """The serial number of STATE_DB EEPROM_INFO|0x23."""
    if not isinstance(answer, Mapping):
        raise Unreadable("EEPROM_INFO is not an object")
    value = answer.get("Value")
    return str(value).strip() if value is not None else ABSENT
