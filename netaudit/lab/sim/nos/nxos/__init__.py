"""Cisco NX-OS: one CLI behind SSH and NX-API, OpenConfig behind gNMI."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from netaudit import gnmi
from netaudit.lab.sim import cli_server, gnmi_door, gnmi_tree, https_server, openconfig
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nxos.cli import NxosCli
from netaudit.lab.sim.nos.nxos.device import Nexus
from netaudit.lab.sim.nos.nxos.device import boot as boot_switch
from netaudit.lab.sim.nos.nxos.nxapi import answer

ABILITIES = gnmi_door.Abilities(
    encodings=(gnmi.Encoding.JSON, gnmi.Encoding.PROTO), origins=frozenset({"", "openconfig", "device"})
)
"""vendor-gnmi-and-drivers.md section B."""


def openconfig_tree(fabric: Fabric, switch: Nexus) -> Mapping[str, gnmi_tree.Node]:
    """OpenConfig as far as NX-OS fills it: no RIB and no AFT; nothing at all without its features."""
    if not {"feature grpc", "feature openconfig"} <= switch.tree.keys():
        return {}
    return openconfig.tree(fabric, switch, default="default", protocol="bgp")


def boot(name: str, folder: Path) -> Nexus:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    return boot_switch(name, folder)


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH with SCP, and NX-API."""
    switch = fabric.switches[device.name]
    assert isinstance(switch, Nexus)
    return {
        "gnmi": gnmi_door.door(fabric, switch, lambda box: openconfig_tree(fabric, box), ABILITIES),
        "https": https_server.door(fabric, switch, lambda box, request: answer(fabric, box, request)),
        "ssh": cli_server.door(fabric, switch, lambda box: NxosCli(fabric, box), folder=switch.folder),
    }
