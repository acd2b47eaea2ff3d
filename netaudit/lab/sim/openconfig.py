"""What a device says of itself in OpenConfig's trees: interfaces, LLDP, BGP neighbors.

Leaf names are those of openconfig-interfaces, -if-ethernet, -lldp, -network-instance and -bgp. Counters of 64 bits are
text, as JSON_IETF has them (RFC 7951 section 6.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.lab.sim import lldp, views
from netaudit.lab.sim.device import Device, Said
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.gnmi_tree import Node, Rows
from netaudit.lab.sim.views import PortView, SessionView

INTERFACES: Final = "openconfig-interfaces:interfaces"
LLDP: Final = "openconfig-lldp:lldp"
NETWORK_INSTANCES: Final = "openconfig-network-instance:network-instances"
_CHASSIS: Final = {4: "MAC_ADDRESS", 7: "LOCAL"}
_PORT: Final = {3: "MAC_ADDRESS", 5: "INTERFACE_NAME", 7: "LOCAL"}
_AFI: Final = {"ipv4": "openconfig-bgp-types:IPV4_UNICAST", "ipv6": "openconfig-bgp-types:IPV6_UNICAST"}


def interfaces(fabric: Fabric, device: Device) -> Mapping[str, Node]:
    """`/interfaces/interface[name]`: config and state of every port. A kind adds what is its own."""
    return {
        "interface": Rows(
            keys=("name",), rows=tuple(_interface(device, port) for port in views.ports(fabric, device).values())
        )
    }


def _interface(device: Device, port: PortView) -> Mapping[str, Node]:
    speed = int(port.spec.speed) // 1000 if port.spec.speed.isdecimal() else 0
    ethernet: dict[str, Node] = {"mac-address": device.eeprom.mac}
    if speed:
        ethernet |= {"port-speed": f"openconfig-if-ethernet:SPEED_{speed}GB"}
    return {
        "name": port.native,
        "config": {"name": port.native, "enabled": port.enabled},
        "state": {
            "name": port.native,
            "enabled": port.enabled,
            "admin-status": "UP" if port.enabled else "DOWN",
            "oper-status": "UP" if port.up else "DOWN",
            "last-change": "0",
        },
        "ethernet": {"state": ethernet},
    }


def neighbors(fabric: Fabric, device: Device) -> Mapping[str, Node]:
    """`/lldp/interfaces/interface[name]/neighbors/neighbor[id]`: who is heard."""
    heard = lldp.heard(fabric, device)
    ports = device.facts().position
    return {
        "state": {"enabled": True, "system-name": device.hostname(), "chassis-id": device.eeprom.mac},
        "interfaces": {
            "interface": Rows(
                keys=("name",),
                rows=tuple(
                    {
                        "name": native,
                        "state": {"name": native, "enabled": device.says(native) is not None},
                        "neighbors": {
                            "neighbor": Rows(keys=("id",), rows=(_neighbor(heard[native]),) if native in heard else ())
                        },
                    }
                    for native in ports
                ),
            )
        },
    }


def _neighbor(said: Said) -> Mapping[str, Node]:
    return {
        "id": "1",
        "state": {
            "id": "1",
            "system-name": said.system_name,
            "system-description": said.system_description,
            "chassis-id": said.chassis_id,
            "chassis-id-type": _CHASSIS[said.chassis_subtype],
            "port-id": said.port_id,
            "port-id-type": _PORT[said.port_subtype],
            "port-description": said.port_description,
        },
    }


def network_instances(
    fabric: Fabric, device: Device, default: str = "default", protocol: str = "BGP"
) -> Mapping[str, Node]:
    """`/network-instances/network-instance[name]/protocols/protocol[identifier][name]/bgp`, of every VRF.

    `default` is what the NOS calls the default instance, `protocol` its BGP.
    """
    vrfs = ("", *sorted(device.facts().vrfs))
    return {
        "network-instance": Rows(
            keys=("name",),
            rows=tuple(
                {"name": vrf or default, "state": {"name": vrf or default}, **_protocols(fabric, device, vrf, protocol)}
                for vrf in vrfs
            ),
        )
    }


def _protocols(fabric: Fabric, device: Device, vrf: str, protocol: str) -> Mapping[str, Node]:
    if not views.speaks(fabric, device, vrf):
        return {}
    speaker = device.facts().frr.speakers[vrf]
    found = views.sessions(fabric, device, vrf)
    router = found[0].local_router_id if found else speaker.router_id
    bgp: Node = {
        "global": {"state": {"as": speaker.asn, "router-id": router}},
        "neighbors": {
            "neighbor": Rows(keys=("neighbor-address",), rows=tuple(_peer(one, default=one.key) for one in found))
        },
    }
    row = {"identifier": "openconfig-policy-types:BGP", "name": protocol, "bgp": bgp}
    return {"protocols": {"protocol": Rows(keys=("identifier", "name"), rows=(row,))}}


def _peer(one: SessionView, default: str) -> Mapping[str, Node]:
    """A neighbor by its key: the address, or of an unnumbered one the port."""
    return {
        "neighbor-address": default,
        "state": {
            "neighbor-address": default,
            "enabled": one.state != "Idle (Admin)",
            "peer-as": one.remote_asn,
            "local-as": one.local_asn,
            "peer-group": one.group,
            "description": one.description,
            "peer-type": "INTERNAL" if one.remote_asn == one.local_asn else "EXTERNAL",
            "session-state": one.state.split()[0].upper(),
            "established-transitions": str(1 + one.dropped if one.ever else 0),
        },
        "afi-safis": {
            "afi-safi": Rows(
                keys=("afi-safi-name",),
                rows=tuple(
                    {
                        "afi-safi-name": _AFI[family],
                        "state": {
                            "afi-safi-name": _AFI[family],
                            "active": one.up,
                            "prefixes": {
                                "received": one.received[family],
                                "installed": one.received[family],
                                "sent": one.sent[family],
                            },
                        },
                    }
                    for family in one.families
                ),
            )
        },
    }


def tree(fabric: Fabric, device: Device, default: str = "default", protocol: str = "BGP") -> Mapping[str, Node]:
    """All three trees."""
    return {
        INTERFACES: interfaces(fabric, device),
        LLDP: neighbors(fabric, device),
        NETWORK_INSTANCES: network_instances(fabric, device, default, protocol),
    }
