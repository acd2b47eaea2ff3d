"""Faults of ports, addresses and stores: CONFIG_DB as it runs, as it was saved, and as it was applied."""

from __future__ import annotations

import json
from collections.abc import Sequence
from ipaddress import ip_interface

from netaudit.lab.sim.database import Row, text
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import closest, configure, number_of, port_of, rewrite, row_of, switch_of, wrong
from netaudit.lab.sim.ports import FEC
from netaudit.lab.sim.switch import CONFIG_FILE

_NAMED = {"Loopback": "LOOPBACK_INTERFACE", "Vlan": "VLAN_INTERFACE"}
"""Start of the name of an interface that is no port → its table."""
_SPEEDS = ("100000", "200000", "400000", "800000")


def _set(fabric: Fabric, end: str, field: str, value: str) -> str:
    """One field of a port."""
    switch, native = port_of(fabric, end)
    row = row_of(switch, "PORT", native)
    before = text(row, field) or "nothing"
    configure(fabric, switch, "PORT", native, {**row, field: value})
    return f"{field} of {end} is {value} instead of {before}"


def mtu(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port has another MTU; the link stays up."""
    number_of(arguments[1], 68, 9216, "MTU")
    return _set(fabric, arguments[0], "mtu", arguments[1])


def fec(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port has another FEC than its far end: rs, fc or none. The link goes down."""
    if arguments[1] not in FEC:
        raise wrong(f"{arguments[1]} is no FEC", ", ".join(FEC))
    return _set(fabric, arguments[0], "fec", arguments[1])


def speed(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port has another speed, in Mbit/s; a link between switches goes down, and headroom follows the speed."""
    if arguments[1] not in _SPEEDS:
        raise wrong(f"{arguments[1]} is no speed in Mbit/s", ", ".join(_SPEEDS))
    return _set(fabric, arguments[0], "speed", arguments[1])


def shut(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port is administratively down."""
    return _set(fabric, arguments[0], "admin_status", "down")


def enable(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port is administratively up, whatever the plan has for it."""
    return _set(fabric, arguments[0], "admin_status", "up")


def lanes(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port claims the lanes of another one: orchagent can make one of the two only, so the first is down."""
    switch, native = port_of(fabric, arguments[0])
    owner, other = port_of(fabric, arguments[1])
    if owner is not switch or native == other:
        raise wrong(f"{arguments[0]} and {arguments[1]} are not two ports of one switch")
    row = row_of(switch, "PORT", native)
    configure(fabric, switch, "PORT", native, {**row, "lanes": row_of(switch, "PORT", other)["lanes"]})
    return f"{arguments[0]} claims the lanes of {arguments[1]}"


def address(fabric: Fabric, arguments: Sequence[str]) -> str:
    """An interface (a port, DEVICE:Loopback0, DEVICE:Vlan1000) has another address, which may be in use elsewhere."""
    device, _, port = arguments[0].partition(":")
    switch = switch_of(fabric, device)
    try:
        wanted = ip_interface(arguments[1])
    except ValueError as error:
        raise wrong(f"{arguments[1]} is no address: {error}", "10.0.0.1/31") from error
    named = next((table for word, table in _NAMED.items() if port.startswith(word)), None)
    table, name = (named, port) if named else ("INTERFACE", port_of(fabric, arguments[0])[1])
    row_of(switch, table, name)
    for key in list(switch.config[table]):
        interface, _, old = key.partition("|")
        if interface == name and old and ip_interface(old).version == wanted.version:
            configure(fabric, switch, table, key, None)
    configure(fabric, switch, table, f"{name}|{wanted}", {})
    return f"{arguments[0]} has the address {wanted}"


def unsaved(fabric: Fabric, arguments: Sequence[str]) -> str:
    """What runs was never saved: the file of a switch has other MTUs and no PFC watchdog, and a reboot brings them."""
    switch = switch_of(fabric, arguments[0])
    path = switch.folder / CONFIG_FILE
    saved = json.loads(path.read_bytes())
    saved.pop("PFC_WD", None)
    for row in saved.get("PORT", {}).values():
        row["mtu"] = "9100"
    rewrite(fabric, path, json.dumps(saved, indent=4).encode())
    return f"the saved configuration of {switch.name} is an older one than what runs"


def unapplied(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A field of a port is configured and was not programmed: APPL_DB has another value (mtu, speed, fec)."""
    switch, native = port_of(fabric, arguments[0])
    field, value = arguments[1:]
    if field not in ("mtu", "speed", "fec"):
        raise wrong(f"{field} is no field of a port that is applied", closest(field, ("mtu", "speed", "fec")))
    fabric.faults.applied[switch.name, "PORT_TABLE", native] = {field: value}
    return f"{field} of {arguments[0]} is applied as {value}"


def unapplied_headroom(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The chip refused a port's headroom: APPL_DB has another profile for its lossless priority group."""
    switch, native = port_of(fabric, arguments[0])
    profiles = switch.config.get("BUFFER_PROFILE", {})
    if arguments[1] not in profiles:
        raise wrong(f"{switch.name} has no buffer profile {arguments[1]}", closest(arguments[1], list(profiles)))
    keys = [key for key, row in switch.config.get("BUFFER_PG", {}).items() if _is_lossless(key, native, row)]
    if not keys:
        raise wrong(f"{arguments[0]} has no lossless priority group", "push its configuration first")
    for key in keys:
        fabric.faults.applied[switch.name, "BUFFER_PG_TABLE", key.replace("|", ":")] = {"profile": arguments[1]}
    return f"the lossless priority group of {arguments[0]} is applied with {arguments[1]}"


def _is_lossless(key: str, native: str, row: Row) -> bool:
    return key.startswith(f"{native}|") and text(row, "profile").startswith("pg_lossless_")
