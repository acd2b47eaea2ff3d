"""A topology file for containerlab: a node for each switch and host, a link for each cable, by the real port names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from netaudit import platforms
from netaudit.export.cables import Cable, End, cables
from netaudit.fabric import Fabric, host_port
from netaudit.state import LinkEnd

FRR = "quay.io/frrouting/frr:8.5.4"
"""A release from FRR's own registry that labs made with containerlab use (dot2net's manual has it)."""
HOST = FRR
"""Hosts need a shell and iproute2; the image is there anyway."""


def as_containerlab(fabric: Fabric, names: Collection[str]) -> str:
    """The file. Switches are FRR containers whose interfaces have the names that the rendered frr.conf speaks of."""
    plan = tuple(cables(fabric, names))
    ends = [end for cable in plan for end in (cable.a, cable.b)]
    nodes = dict.fromkeys((*names, *(end.device for end in ends)))
    lines = [
        f"# {fabric.name}: {len(nodes)} nodes, {len(plan)} links",
        *_told(fabric, names),
        f"name: {fabric.name}",
        "topology:",
        "  nodes:",
    ]
    for name in nodes:
        device = fabric.devices.get(name)
        place = f"{device.place}" if device is not None else "host" if name in fabric.hosts else "external"
        lines += [f"    {name}:", "      kind: linux", f"      image: {FRR if device is not None else HOST}"]
        lines += ["      labels:", f'        netaudit-place: "{place}"']
    return "\n".join((*lines, "  links:", *_links(fabric, plan), ""))


def _told(fabric: Fabric, names: Collection[str]) -> Iterator[str]:
    """Comments: what configures the nodes, and which have a configuration that FRR cannot read."""
    switches = [name for name in names if name in fabric.devices]
    other = [name for name in switches if platforms.platform(fabric.devices[name].platform).ROUTING_FILE != "frr.conf"]
    of = "each switch" if not other else "a switch of SONiC"
    if len(other) < len(switches):
        yield f"# `netaudit render` writes the frr.conf of {of}: bind it to /etc/frr/frr.conf, and say bgpd=yes beside"
    if other:
        yield f"# cabling alone, their NOS has no frr.conf: {', '.join(other)}"
        yield "# (what Linux takes in no name of an interface is `-` there: Ethernet1/1 is Ethernet1-1)"


def _links(fabric: Fabric, plan: Collection[Cable]) -> Iterator[str]:
    for cable in plan:
        a, b = (f'"{end.device}:{_interface(fabric, end)}"' for end in (cable.a, cable.b))
        yield f"    - endpoints: [{a}, {b}]"


def _interface(fabric: Fabric, end: End) -> str:
    """The device's own name of a port; of a host what it says by LLDP; of an external neighbor what Linux can have."""
    if end.native:
        return re.sub(r"[/:]", "-", end.native)  # the one Linux has for paths, the other containerlab for ports
    if end.device in fabric.hosts:
        return host_port(LinkEnd(device=end.device, port=end.port), tuple(fabric.intent.model.planes))
    return "".join(letter if letter.isalnum() else "-" for letter in end.port)[:15]  # IFNAMSIZ is 16, with the null
