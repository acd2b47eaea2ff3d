"""Which addresses both ends of a cable have."""

from __future__ import annotations

from ipaddress import ip_network

from netaudit.fabric.addressing import host_ends
from netaudit.fabric.kinds import HOST_LEAF
from netaudit.fabric.model import FabricDevice, FabricPort
from netaudit.fabric.topology import Fabric


def end_addresses(fabric: Fabric, device: FabricDevice, port: FabricPort) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(`address/length` at a port of a switch, those at the far end), v4 first. Empty: spare, or link-local alone.

    Where hosts are in a VLAN, the switch's are those of the interface on it, the same for all of them.
    """
    if port.peer is None:
        return (), ()
    if port.kind == HOST_LEAF:
        host, attach = fabric.layouts["leaf"].downlinks.index(port.key) + 1, fabric.intent.model.hosts.attach
        pairs = [host_ends(ip_network(block), host, attach) for block in device.blocks]
    else:
        pairs = [*fabric.addresses(device, port)]
    return tuple(own for own, _ in pairs), tuple(far for _, far in pairs)
