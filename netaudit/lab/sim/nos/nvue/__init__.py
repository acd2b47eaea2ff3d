"""Cumulus Linux with NVUE: `nv` in a Linux shell over SSH, FRR behind vtysh, gNMI that streams and answers no Get."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import grpc

from netaudit import gnmi
from netaudit.lab.sim import cli_server, gnmi_door, openconfig
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.doors import Door
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.gnmi_door import Abilities
from netaudit.lab.sim.gnmi_paths import Refused
from netaudit.lab.sim.gnmi_tree import Node, Rows
from netaudit.lab.sim.nos.nvue import box as boxes
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.cli import NvueCli
from netaudit.lab.sim.nos.nvue.document import Tree
from netaudit.lab.sim.nos.nvue.facts import is_on, part, value
from netaudit.lab.sim.nos.nvue.shows import DEFAULT_MTU

_ABILITIES: Final = Abilities(
    get=False,
    modes=frozenset({gnmi.ListMode.STREAM}),
    encodings=(gnmi.Encoding.JSON, gnmi.Encoding.PROTO),
    leaves=True,
    modules=False,
    models=(
        ("openconfig-interfaces", "OpenConfig working group", "3.7.1"),
        ("openconfig-lldp", "OpenConfig working group", "0.2.1"),
        ("openconfig-network-instance", "OpenConfig working group", "4.4.1"),
    ),
)
"""nvue.md section 6."""


def boot(name: str, folder: Path) -> Nvue:
    """A box as it comes up from its startup.yaml. Raises `Invalid`."""
    return boxes.boot(name, folder)


def doors(fabric: Fabric, device: Device) -> Mapping[str, Door]:
    """SSH with a Linux shell and SFTP; gNMI, which is there once the configuration says so."""
    if not isinstance(device, Nvue):
        raise TypeError(f"{device.name} does not run Cumulus Linux")
    kept: dict[str, Tree] = {"1": device.applied}
    return {
        "ssh": cli_server.door(fabric, device, lambda box: NvueCli(fabric, box, kept), folder=device.folder),
        "gnmi": gnmi_door.door(fabric, device, lambda box: _tree(fabric, box), _ABILITIES),
    }


def _tree(fabric: Fabric, box: Nvue) -> Mapping[str, Node]:
    """OpenConfig's trees, with the MTU and the description of each port. Raises `Refused` while the server is off."""
    if not is_on(box.applied, "system", "gnmi-server", "state"):
        raise Refused(grpc.StatusCode.UNAVAILABLE, "the gNMI server is not enabled: nv set system gnmi-server state")
    tree = dict(openconfig.tree(fabric, box))
    interfaces = tree[openconfig.INTERFACES]
    if isinstance(interfaces, Mapping) and isinstance(rows := interfaces["interface"], Rows):
        more = tuple(_with_state(box, row) for row in rows.rows)
        tree[openconfig.INTERFACES] = {"interface": Rows(keys=rows.keys, rows=more)}
    return tree


def _with_state(box: Nvue, row: Mapping[str, Node]) -> Mapping[str, Node]:
    configured, state = part(box.applied, "interface", str(row["name"])), row["state"]
    mtu = int(value(configured, "link", "mtu", default=str(DEFAULT_MTU)))
    text = value(configured, "description")
    more: dict[str, Node] = {"mtu": mtu, **({"description": text} if text else {})}
    return {**row, "state": {**state, **more}} if isinstance(state, Mapping) else row
