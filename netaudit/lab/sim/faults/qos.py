"""Faults of the class chain, of ECN, PFC, its watchdog, scheduling and headroom: CONFIG_DB as it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from netaudit.lab.sim.database import Row, text
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import configure, number_of, overwrite, port_of, row_of, switch_of, wrong
from netaudit.lab.sim.switch import Switch

_STOCK: Final = {"3": "3", "4": "4", "5": "2", "8": "0", "46": "5", "48": "6"}
"""DSCP → TC where SONiC's own AZURE map is not 1 (sonic-buildimage, qos_config.j2): 26 is not among them."""
_COLOURS: Final = ("green", "yellow", "red")
_LOSSLESS: Final = "pg_lossless_"


def pfc(fabric: Fabric, arguments: Sequence[str]) -> str:
    """PFC is off on a port: it is never paused, and pauses nobody."""
    switch, native = port_of(fabric, arguments[0])
    row = row_of(switch, "PORT_QOS_MAP", native)
    row.pop("pfc_enable", None)
    configure(fabric, switch, "PORT_QOS_MAP", native, row)
    return f"PFC is off on {arguments[0]}"


def _remap(fabric: Fabric, table: str, what: str, arguments: Sequence[str], most: int) -> str:
    """One entry of every map of a kind."""
    switch = switch_of(fabric, arguments[0])
    key, value = number_of(arguments[1], 0, most, what.split()[0]), number_of(arguments[2], 0, 7, what.split()[-1])
    names = list(switch.config.get(table, {}))
    if not names:
        raise wrong(f"{switch.name} has no {table}", "push its configuration first")
    for name in names:
        configure(fabric, switch, table, name, {**row_of(switch, table, name), str(key): str(value)})
    return f"{switch.name} maps {what.split()[0]} {key} to {what.split()[-1]} {value}"


def dscp(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A DSCP goes to another traffic class."""
    return _remap(fabric, "DSCP_TO_TC_MAP", "DSCP to TC", arguments, 63)


def dscp_stock(fabric: Fabric, arguments: Sequence[str]) -> str:
    """All ports of a switch use SONiC's stock DSCP map, in which RoCE's 26 is best effort."""
    switch = switch_of(fabric, arguments[0])
    stock: Row = {str(one): _STOCK.get(str(one), "1") for one in range(64)}
    bound = [key for key, row in switch.config.get("PORT_QOS_MAP", {}).items() if "dscp_to_tc_map" in row]
    if not bound:
        raise wrong(f"{switch.name} binds no DSCP map", "push its configuration first")
    configure(fabric, switch, "DSCP_TO_TC_MAP", "AZURE", stock)
    for key in bound:
        row = {**row_of(switch, "PORT_QOS_MAP", key), "dscp_to_tc_map": "AZURE"}
        configure(fabric, switch, "PORT_QOS_MAP", key, row)
    return f"{switch.name} uses the stock DSCP map on {len(bound)} ports"


def tc(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A traffic class goes to another queue."""
    return _remap(fabric, "TC_TO_QUEUE_MAP", "TC to queue", arguments, 7)


def tc_group(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A traffic class goes to another priority group."""
    return _remap(fabric, "TC_TO_PRIORITY_GROUP_MAP", "TC to group", arguments, 7)


def ecn(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A WRED profile marks between other queue lengths, in bytes."""
    switch, profile = switch_of(fabric, arguments[0]), arguments[1]
    low, high = (number_of(one, 0, 2**40, "queue length") for one in arguments[2:])
    row = row_of(switch, "WRED_PROFILE", profile)
    for colour in _COLOURS:
        row |= {f"{colour}_min_threshold": str(low), f"{colour}_max_threshold": str(high)}
    configure(fabric, switch, "WRED_PROFILE", profile, row)
    return f"{profile} of {switch.name} marks from {low} to {high} bytes"


def ecn_off(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A WRED profile drops packets in place of marking them (ecn_none)."""
    switch, profile = switch_of(fabric, arguments[0]), arguments[1]
    configure(fabric, switch, "WRED_PROFILE", profile, {**row_of(switch, "WRED_PROFILE", profile), "ecn": "ecn_none"})
    return f"{profile} of {switch.name} drops and does not mark"


def ecn_unbound(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The lossless queue of a port has no WRED profile."""
    switch, native = port_of(fabric, arguments[0])
    keys = [key for key, row in _rows(switch, "QUEUE", native) if "wred_profile" in row]
    if not keys:
        raise wrong(f"no queue of {arguments[0]} has a WRED profile", "push its configuration first")
    for key in keys:
        row = row_of(switch, "QUEUE", key)
        row.pop("wred_profile")
        configure(fabric, switch, "QUEUE", key, row)
    return f"{arguments[0]} marks nothing"


def _rows(switch: Switch, table: str, native: str) -> list[tuple[str, Row]]:
    """The rows of a port."""
    return [(key, row) for key, row in switch.config.get(table, {}).items() if key.startswith(f"{native}|")]


def weight(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A scheduler has another weight, 1 to 100."""
    switch, name = switch_of(fabric, arguments[0]), arguments[1]
    number = number_of(arguments[2], 1, 100, "weight")
    row = row_of(switch, "SCHEDULER", name)
    configure(fabric, switch, "SCHEDULER", name, {**row, "weight": str(number)})
    return f"{name} of {switch.name} has weight {number} instead of {text(row, 'weight') or 'none'}"


def watchdog(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The PFC watchdog does not watch a port (`pfcwd stop PORT`)."""
    switch, native = port_of(fabric, arguments[0])
    row_of(switch, "PFC_WD", native)
    configure(fabric, switch, "PFC_WD", native, None)
    return f"no PFC watchdog watches {arguments[0]}"


def watchdog_stop(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The PFC watchdog of a switch is stopped on all ports (`pfcwd stop`)."""
    switch = switch_of(fabric, arguments[0])
    rows = [key for key in switch.config.get("PFC_WD", {}) if key != "GLOBAL"]
    if not rows:
        raise wrong(f"no PFC watchdog runs on {switch.name}", "push its configuration first")
    for key in rows:
        configure(fabric, switch, "PFC_WD", key, None)
    return f"the PFC watchdog of {switch.name} is stopped"


def watchdog_time(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The PFC watchdog of a port needs another time to detect a storm, in ms."""
    switch, native = port_of(fabric, arguments[0])
    number = number_of(arguments[1], 1, 10**6, "time in ms")
    configure(fabric, switch, "PFC_WD", native, {**row_of(switch, "PFC_WD", native), "detection_time": str(number)})
    return f"the PFC watchdog of {arguments[0]} detects a storm after {number} ms"


def watchdog_poll(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The PFC watchdog of a switch looks every N ms only, slower than it is to detect."""
    switch, number = switch_of(fabric, arguments[0]), number_of(arguments[1], 1, 10**6, "time in ms")
    configure(fabric, switch, "PFC_WD", "GLOBAL", {**row_of(switch, "PFC_WD", "GLOBAL"), "POLL_INTERVAL": str(number)})
    return f"the PFC watchdog of {switch.name} polls every {number} ms"


def cable_length(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The headroom of a port is for another cable length (5m); buffermgrd binds the profile of that length."""
    switch, native = port_of(fabric, arguments[0])
    if not re.fullmatch(r"\d{1,5}m", arguments[1]):
        raise wrong(f"{arguments[1]} is no cable length", "5m, 40m, 300m")
    table = switch.config.get("CABLE_LENGTH", {})
    key = next((name for name, row in table.items() if native in row), "")
    row = row_of(switch, "CABLE_LENGTH", key)
    configure(fabric, switch, "CABLE_LENGTH", key, {**row, native: arguments[1]})
    return f"the cable of {arguments[0]} is taken for {arguments[1]} instead of {text(row, native)}"


def headroom(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A buffer profile has another headroom (xoff), in bytes."""
    switch, profile = switch_of(fabric, arguments[0]), arguments[1]
    number = number_of(arguments[2], 0, 2**40, "number of bytes")
    row = row_of(switch, "BUFFER_PROFILE", profile)
    overwrite(fabric, switch, "BUFFER_PROFILE", profile, {**row, "xoff": str(number)})
    return f"{profile} of {switch.name} has {number} bytes of headroom instead of {text(row, 'xoff') or 'none'}"


def profile(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The lossless priority group of a port is bound to another profile."""
    switch, native = port_of(fabric, arguments[0])
    row_of(switch, "BUFFER_PROFILE", arguments[1])
    for key in _lossless(switch, native, arguments[0]):
        overwrite(fabric, switch, "BUFFER_PG", key, {"profile": arguments[1]})
    return f"the lossless priority group of {arguments[0]} uses {arguments[1]}"


def no_headroom(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The lossless priority group of a port has no profile: it has no headroom."""
    switch, native = port_of(fabric, arguments[0])
    for key in _lossless(switch, native, arguments[0]):
        overwrite(fabric, switch, "BUFFER_PG", key, None)
    return f"{arguments[0]} has no headroom"


def _lossless(switch: Switch, native: str, end: str) -> list[str]:
    """The keys of the lossless priority groups of a port."""
    keys = [key for key, row in _rows(switch, "BUFFER_PG", native) if text(row, "profile").startswith(_LOSSLESS)]
    if not keys:
        raise wrong(f"{end} has no lossless priority group", "push its configuration first")
    return keys
