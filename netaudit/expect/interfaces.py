"""Which ports are up, at what speed and size, and what is addressed on them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from ipaddress import ip_network

from netaudit import hardware
from netaudit.expect.overrides import Settings, settings_for
from netaudit.expect.vlans import vlan_interfaces
from netaudit.fabric import (
    DEFAULT_VRF,
    DRAINED,
    HOST_LEAF,
    PLANNED,
    Cabling,
    Fabric,
    FabricDevice,
    FabricPort,
    is_fabric_link,
)
from netaudit.fabric.addressing import Network, block_length, host_link, plane_slice
from netaudit.intent import Intent
from netaudit.state import ABSENT, Interface, LinkEnd, Port

LOOPBACK = "Loopback0"


def ports(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], dark: frozenset[LinkEnd] = frozenset()
) -> Mapping[str, Port]:
    """Every port of the switch. A spare one is down and has no headroom (DESIGN.md, rule 12).

    `dark`: ends of links that are meant to be down, of which an override may have named the other end only.
    """
    return {
        key: _port(
            fabric, device, port, settings_for(fabric, device, port), LinkEnd(device=device.name, port=key) in dark
        )
        for key, port in laid.items()
    }


def _port(fabric: Fabric, device: FabricDevice, port: FabricPort, settings: Settings, dark: bool) -> Port:
    used = port.peer is not None
    speed_mbps = settings.speed_mbps(port.speed_mbps)
    optical = used and _optical(fabric, port)
    here = LinkEnd(device=device.name, port=port.key)
    cabling = fabric.cabling(here, port.peer, port.kind) if port.peer is not None else None
    enabled = settings.enabled(used and port.status != PLANNED)
    return Port(
        native=port.native,
        alias=port.alias or None,  # not managed where no alias of the box is published
        enabled=enabled,
        # a link to a device in maintenance may be up or down: neither is a finding
        oper_up=None if port.status == DRAINED and enabled else used and enabled and not dark,
        speed_mbps=speed_mbps,
        lanes=port.lanes,
        breakout=_breakout(device, port),
        fec=hardware.required_fec(speed_mbps, len(port.lanes)),
        mtu_bytes=settings.mtu_bytes(fabric.intent.model.mtu.port),
        autoneg=False if optical else None,
        pfc_asymmetric=False,
        description=f"to {port.peer}" if used else ABSENT,
        cable_m=cabling.length_m if cabling is not None else None,
        origin=_port_origin(fabric.speed_path(port.kind), _length_path(fabric, port, cabling), settings.paths),
    )


def _length_path(fabric: Fabric, port: FabricPort, cabling: Cabling | None) -> str:
    """Where the intent says how long the cable is: its class, or that there is a table of measured ones."""
    if cabling is None:
        return "=no cable is planned"
    return "cables.measured" if cabling.origin.startswith("@") else fabric.cable_path(port.kind)


def _optical(fabric: Fabric, port: FabricPort) -> bool:
    """Optics have no autonegotiation (INT-05); copper is left as the site has it."""
    medium = fabric.cable(port.kind).medium
    return medium in hardware.media_names() and hardware.medium(medium).kind == "optical"


def _breakout(device: FabricDevice, port: FabricPort) -> str | None:
    """As the hardware profile spells the mode, on the first port of a cage; service cages have none."""
    if port.sub > 1:
        return None
    return device.model.hwskus[device.hwsku].breakout_modes.get(port.mode)


@cache
def _port_origin(speed_path: str, length_path: str, overridden: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Field → intent path or formula, one mapping for all ports of a kind, whose speed is said at a path."""
    return {
        "native": "=NOS name of the cage and its first lane",
        "alias": "=hardware catalogue",
        "enabled": "=up where a cable is planned, spare ports down (rule 12), and those of what is planned (rule 6)",
        "oper_up": "=up where a cable is planned",
        "speed_mbps": speed_path or "=fastest speed of the cage",
        "lanes": "=hardware catalogue",
        "breakout": speed_path or "=fastest speed of the cage",
        "fec": "=RS-FEC, needed by PAM4 from 50G a lane on",
        "mtu_bytes": "mtu.port",
        "autoneg": "=off on optics (INT-05)",
        "pfc_asymmetric": "=off: both ends pause the same priorities (PFC-05)",
        "description": "=the far end of the cable",
        "cable_m": length_path,
        **dict(overridden),
    }


def interfaces(fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort]) -> Mapping[str, Interface]:
    """Loopback, /31 (v6: /127) to each host or one gateway for all, link-local on links between switches."""
    result: dict[str, Interface] = {
        LOOPBACK: Interface(vrf="default", addresses=frozenset(device.loopbacks), origin=_LOOPBACK_ORIGIN)
    }
    result |= vlan_interfaces(fabric, device)
    in_vlan = fabric.intent.model.hosts.attach == "vlan"
    for key, port in laid.items():
        if port.peer is None or (port.kind == HOST_LEAF and in_vlan):
            continue
        pairs = fabric.addresses(device, port)
        own = frozenset(address for address, _ in pairs)
        addresses = _host_addresses(fabric, device, key) if port.kind == HOST_LEAF else own
        link_local = is_fabric_link(port.kind) and not pairs
        origin = _HOST_ORIGIN if port.kind == HOST_LEAF else _NUMBERED_ORIGIN if pairs else _FABRIC_ORIGIN
        vrf = fabric.vrf(port.kind)
        origin = origin if vrf == DEFAULT_VRF else {**origin, "vrf": f"{port.kind}.vrf"}
        result[key] = Interface(vrf=vrf, addresses=addresses, link_local=link_local, origin=origin)
    return result


_LOOPBACK_ORIGIN = {"addresses": "addressing.loopbacks", "vrf": "=default"}
_HOST_ORIGIN = {"addresses": "addressing.hosts", "vrf": "=default", "link_local": "=only where there is no address"}
_NUMBERED_ORIGIN = {"addresses": "addressing.numbered", "vrf": "=default", "link_local": "=it has an address"}
_FABRIC_ORIGIN = {"addresses": "addressing.fabric", "vrf": "=default", "link_local": "addressing.fabric"}


def _host_addresses(fabric: Fabric, device: FabricDevice, key: str) -> frozenset[str]:
    number = fabric.layouts["leaf"].downlinks.index(key) + 1
    return frozenset(host_link(block, number)[0] for block in leaf_blocks(device))


def leaf_blocks(device: FabricDevice) -> tuple[Network, ...]:
    """The host prefixes of a leaf as networks."""
    return tuple(ip_network(block) for block in device.blocks)


def plane_prefixes(intent: Intent, plane: str) -> tuple[tuple[Network, int], ...]:
    """(prefix, longest length let through) of everything a plane announces: its slices of the pools."""
    model = intent.model
    number, planes = model.planes.index(plane), len(model.planes)
    found: list[tuple[Network, int]] = [
        (plane_slice(pool, number, planes), pool.max_prefixlen) for pool in model.addressing.loopbacks
    ]
    for pool in model.addressing.hosts:
        length = block_length(model.leaf_capacity, pool.max_prefixlen, model.hosts.attach)
        found.append((plane_slice(pool, number, planes), length))
    return tuple(found)
