"""Faults of cables and of what LLDP says about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import any_port_of, cables, closest, device_of, end_of, wrong

PORT_IDS: Final = ("alias", "name", "mac", "mac-only")
"""What a switch may send as its port id: lldpmgrd's alias, the native name, or its one MAC address (IEEE 802.1AB), with
the name of the port in its description or without."""


def swap(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The far ends of two cables are exchanged."""
    (a, first), (b, second) = (end_of(fabric, text) for text in arguments)
    if first == second:
        raise wrong(f"{a} and {b} are the two ends of one cable")
    far_a, far_b = first.far(a), second.far(b)
    moved = (_cable(fabric, a, far_b, first, second), _cable(fabric, b, far_a, second, first))
    kept = tuple(cable for cable in cables(fabric) if cable not in (first, second))
    fabric.faults.cables = (*kept, *moved)
    fabric.faults.cut = frozenset(cable for cable in fabric.faults.cut if cable in kept)
    return f"{a} now leads to {far_b}, and {b} to {far_a}"


def _cable(fabric: Fabric, near: End, far: End, own: Cable, other: Cable) -> Cable:
    """The cable of the near end with its plug at another far end; a host keeps the port id it sends."""
    if far.device in fabric.switches and near.device in fabric.switches:
        return Cable(a=near, b=far, assembly_m=own.assembly_m)
    host, switch = (far, near) if near.device in fabric.switches else (near, far)
    said = next(one.a_lldp_port for one in (own, other) if one.a == host)
    return Cable(a=host, b=switch, a_lldp_port=said, assembly_m=own.assembly_m)


def link(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A cable is cut."""
    end, cable = end_of(fabric, arguments[0])
    fabric.faults.cut |= {cable}
    return f"the cable between {end} and {cable.far(end)} is cut"


def lldp(fabric: Fabric, arguments: Sequence[str]) -> str:
    """LLDP of a switch is dead: it sends nothing and hears nobody; its configuration is as it was."""
    device = device_of(fabric, arguments[0])
    fabric.faults.silent |= {(device.name, native) for native in device.facts().position}
    fabric.faults.deaf.add(device.name)
    return f"{device.name} sends no LLDP and hears none"


def lldp_port(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port sends no LLDP, so that its far end hears nobody; the link is up."""
    device, native = any_port_of(fabric, arguments[0])
    fabric.faults.silent |= {(device.name, native)}
    return f"{arguments[0]} sends no LLDP"


def port_id(fabric: Fabric, arguments: Sequence[str]) -> str:
    """LLDP names ports by alias (SONiC's own), name, or the switch's MAC, described by their name or not (mac-only)."""
    device, kind = device_of(fabric, arguments[0]), arguments[1]
    if kind not in PORT_IDS:
        raise wrong(f"{kind} is no kind of port id", closest(kind, PORT_IDS))
    fabric.faults.port_ids[device.name] = kind
    return f"{device.name} sends the {kind} of a port as its LLDP port id"


def optic_length(fabric: Fabric, arguments: Sequence[str]) -> str:
    """The cable at A is another one than planned: the plugs at both its ends tell LENGTH, in metres."""
    end, cable = end_of(fabric, arguments[0])
    if not re.fullmatch(r"\d{1,4}(\.\d)?", arguments[1], re.ASCII):
        raise wrong(f"{arguments[1]} is no length of a cable", "metres: 7 or 2.5; plug-length takes any text")
    fabric.faults.plugs |= dict.fromkeys((cable.a, cable.b), arguments[1])
    return f"the plugs of the cable between {end} and {cable.far(end)} tell {arguments[1]} m"


def plug_length(fabric: Fabric, arguments: Sequence[str]) -> str:
    """One plug tells TEXT for the length of its cable: 65535, abc."""
    end, _ = end_of(fabric, arguments[0])
    fabric.faults.plugs[end] = arguments[1]
    return f"the plug at {end} tells a length of {arguments[1]}"
