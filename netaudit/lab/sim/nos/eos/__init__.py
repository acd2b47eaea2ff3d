"""Arista EOS: one CLI behind SSH and eAPI, OpenConfig behind gNMI."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from netaudit import gnmi
from netaudit.lab.sim import cli_server, gnmi_door, gnmi_tree, https_server, openconfig
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.eos.cli import EosCli
from netaudit.lab.sim.nos.eos.device import Eos
from netaudit.lab.sim.nos.eos.device import boot as boot_switch
from netaudit.lab.sim.nos.eos.eapi import answer

ABILITIES = gnmi_door.Abilities(
    encodings=(gnmi.Encoding.JSON, gnmi.Encoding.JSON_IETF, gnmi.Encoding.ASCII),
    origins=frozenset({"", "openconfig"}),
)
"""vendor-gnmi-and-drivers.md section B."""


def tree(fabric: Fabric, switch: Eos) -> Mapping[str, gnmi_tree.Node]:
    """OpenConfig; nothing at all while gNMI is not configured."""
    lines = switch.tree.get("management api gnmi", {})
    return openconfig.tree(fabric, switch) if any(one.startswith("transport grpc ") for one in lines) else {}


def boot(name: str, folder: Path) -> Eos:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    return boot_switch(name, folder)


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH, eAPI and gNMI."""
    switch = fabric.switches[device.name]
    assert isinstance(switch, Eos)
    return {
        "gnmi": gnmi_door.door(fabric, switch, lambda box: tree(fabric, box), ABILITIES),
        "https": https_server.door(fabric, switch, lambda box, request: answer(fabric, box, request)),
        "ssh": cli_server.door(fabric, switch, lambda box: EosCli(fabric, box), folder=switch.folder),
    }
