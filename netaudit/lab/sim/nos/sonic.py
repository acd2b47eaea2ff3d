"""SONiC: Redis databases behind gNMI, FRR and the box's shell behind SSH."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from netaudit.lab.sim import gnmi_server, ssh_server
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.switch import Switch
from netaudit.lab.sim.switch import boot as boot_switch


def boot(name: str, folder: Path) -> Switch:
    """A switch as it comes up from its files. Raises `Invalid` where one is missing or broken."""
    return boot_switch(name, folder)


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH and gNMI."""
    switch = fabric.sonic(device.name)
    return {"gnmi": partial(gnmi_server.opened, fabric, switch), "ssh": partial(ssh_server.opened, fabric, switch)}
