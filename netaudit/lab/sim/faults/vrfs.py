"""Faults of VRFs: a port that is bound to another one, one that is gone, and a speaker that never was in it."""

from __future__ import annotations

from collections.abc import Sequence

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.faults.tools import closest, configure, port_of, row_of, run_frr, switch_of, wrong


def vrf(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A port is bound to another VRF, or to none (`default`)."""
    switch, native = port_of(fabric, arguments[0])
    row, name = row_of(switch, "INTERFACE", native), arguments[1]
    if name == "default":
        row.pop("vrf_name", None)
    else:
        row_of(switch, "VRF", name)
        row["vrf_name"] = name
    configure(fabric, switch, "INTERFACE", native, row)
    return f"{arguments[0]} is in VRF {name}"


def vrf_gone(fabric: Fabric, arguments: Sequence[str]) -> str:
    """A switch loses a VRF; its ports wait for it, and no session in it comes up."""
    switch = switch_of(fabric, arguments[0])
    row_of(switch, "VRF", arguments[1])
    configure(fabric, switch, "VRF", arguments[1], None)
    return f"VRF {arguments[1]} is gone on {switch.name}"


def vrf_speaker(fabric: Fabric, arguments: Sequence[str]) -> str:
    """BGP no longer runs in a VRF of a switch; the VRF stays."""
    switch = switch_of(fabric, arguments[0])
    heads = {
        at[0].split()[4]: at[0] for at in switch.frr if at and at[0].startswith("router bgp ") and " vrf " in at[0]
    }
    if arguments[1] not in heads:
        raise wrong(f"{switch.name} runs no BGP in {arguments[1]}", closest(arguments[1], list(heads)))
    head = heads[arguments[1]]
    run_frr(fabric, switch, {at: lines for at, lines in switch.frr.items() if at[:1] != (head,)})
    return f"{switch.name} runs no BGP in VRF {arguments[1]}"
