"""Juniper Junos Evolved on a QFX: its CLI and NETCONF over SSH, OpenConfig over gNMI (junos.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final, cast

from netaudit import gnmi
from netaudit.lab.sim import cli_server, gnmi_door, openconfig
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.gnmi_door import Abilities
from netaudit.lab.sim.nos.junos import box as boxes
from netaudit.lab.sim.nos.junos import netconf
from netaudit.lab.sim.nos.junos.box import JunosBox
from netaudit.lab.sim.nos.junos.cli import JunosCli

ABILITIES: Final = Abilities(
    encodings=(gnmi.Encoding.PROTO, gnmi.Encoding.JSON_IETF),
    models=(
        ("openconfig-interfaces", "OpenConfig working group", "3.0.0"),
        ("openconfig-lldp", "OpenConfig working group", "0.2.1"),
        ("openconfig-network-instance", "OpenConfig working group", "1.3.0"),
    ),
)
"""vendor-gnmi-and-drivers.md section B: Capabilities, Get and Subscribe; PROTO and JSON_IETF [U]."""


def boot(name: str, folder: Path) -> JunosBox:
    """A box as it comes up from its files. Raises `Invalid`."""
    return boxes.boot(name, folder)


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH for people and netmiko, NETCONF for NAPALM, gNMI."""
    box = cast(JunosBox, device)
    box.changed = fabric.changed
    shell = cli_server.door(
        fabric,
        box,
        partial(JunosCli, fabric),
        folder=box.folder,
        subsystems={"netconf": partial(netconf.serve, fabric)},
    )
    tree = partial(openconfig.tree, fabric, default="default", protocol="DEFAULT")
    return {"ssh": shell, "netconf": shell, "gnmi": gnmi_door.door(fabric, box, tree, ABILITIES)}
