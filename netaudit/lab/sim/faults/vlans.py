"""Faults of VLANs: one too many, one that is gone, and a port that is in the wrong one."""

from __future__ import annotations

from collections.abc import Sequence

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import closest, configure, number_of, port_of, row_of, switch_of, wrong

_MODES = ("untagged", "tagged", "none")


def vlan(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A switch has one VLAN more, with an interface and without ports."""
    switch = switch_of(fabric, arguments[0])
    name = _named(arguments[1])
    if name in switch.config.get("VLAN", {}):
        raise wrong(f"{switch.name} has {name} already", f"break vlan-gone {switch.name} {arguments[1]}")
    configure(fabric, switch, "VLAN", name, {"vlanid": arguments[1]})
    configure(fabric, switch, "VLAN_INTERFACE", name, {})
    return f"{switch.name} has {name}, which nobody planned"


def vlan_gone(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A switch loses a VLAN, with its interface and its members."""
    switch = switch_of(fabric, arguments[0])
    name = _named(arguments[1])
    row_of(switch, "VLAN", name)
    for table in ("VLAN_INTERFACE", "VLAN_MEMBER", "VLAN"):
        for key in list(switch.config.get(table, {})):
            if key.partition("|")[0] == name:
                configure(fabric, switch, table, key, None)
    return f"{name} is gone on {switch.name}"


def vlan_member(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port is in a VLAN otherwise than planned: untagged, tagged, or not at all. No schema is asked."""
    switch, native = port_of(fabric, arguments[0])
    name, mode = _named(arguments[1]), arguments[2]
    if mode not in _MODES:
        raise wrong(f"{mode} is no way to be in a VLAN", closest(mode, _MODES))
    key = f"{name}|{native}"
    if mode == "none":
        row_of(switch, "VLAN_MEMBER", key)
    elif name not in switch.config.get("VLAN", {}):
        configure(fabric, switch, "VLAN", name, {"vlanid": arguments[1]})
    configure(fabric, switch, "VLAN_MEMBER", key, None if mode == "none" else {"tagging_mode": mode})
    return f"{arguments[0]} is {'not' if mode == 'none' else mode} in {name}"


def _named(number: str) -> str:
    return f"Vlan{number_of(number, 2, 4094, 'VLAN number')}"
