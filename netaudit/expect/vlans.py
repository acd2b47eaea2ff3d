"""The VLAN of a leaf that its hosts are in, where they are attached by one, and the interface that is their gateway."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_network

from netaudit.fabric import HOST_LEAF, Fabric, FabricDevice, FabricPort
from netaudit.fabric.addressing import gateway
from netaudit.state import Interface, Vlan


def vlans(fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort]) -> Mapping[str, Vlan]:
    """On a leaf every port to a host, planned ones too, in one VLAN without tags; elsewhere no VLAN at all."""
    hosts = fabric.intent.model.hosts
    if hosts.attach != "vlan" or device.place.role != "leaf":
        return {}
    members = frozenset(key for key, port in laid.items() if port.kind == HOST_LEAF and port.peer is not None)
    return {str(hosts.vlan): Vlan(members=members, tagged=frozenset(), origin=_VLAN_ORIGIN)}


def vlan_interfaces(fabric: Fabric, device: FabricDevice) -> Mapping[str, Interface]:
    """The gateway of the hosts, `Vlan<number>` → the first address of each block of the leaf; or nothing."""
    hosts = fabric.intent.model.hosts
    if hosts.attach != "vlan" or device.place.role != "leaf":
        return {}
    addresses = frozenset(gateway(ip_network(block)) for block in device.blocks)
    return {
        f"Vlan{hosts.vlan}": Interface(vrf="default", addresses=addresses, link_local=False, origin=_GATEWAY_ORIGIN)
    }


_VLAN_ORIGIN = {
    "members": "hosts.attach",
    "tagged": "=no port sends tags: a host is in one VLAN",
}
_GATEWAY_ORIGIN = {
    "addresses": "addressing.hosts",
    "vrf": "=default",
    "link_local": "=only where there is no address",
}
