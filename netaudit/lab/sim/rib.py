"""The routes of one switch, from BGP and from itself, as zebra and APPL_DB hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.lab.sim.bgp import OWN, Heard, held
from netaudit.lab.sim.database import Hash
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric, connected, node_of
from netaudit.lab.sim.frr_config import FAMILIES
from netaudit.lab.sim.sessions import is_address, port_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One way out: a port, and the neighbor's address there where there is one."""

    interface: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One route that is in use; without hops it discards."""

    protocol: str
    """`connected`, `local`, `static` or `bgp`."""
    hops: tuple[Hop, ...]


def peer_address(fabric: Fabric, switch: Device, key: str) -> str:
    """The address that stands for a peer: of an unnumbered one the far switch's link-local."""
    if is_address(key):
        return key
    end = fabric.links().far[switch.name].get(key)
    return fabric.link_local_of(end.device) if end else ""


def paths(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> Iterator[tuple[str, tuple[Heard, ...]]]:
    """(prefix, paths) of the BGP table, in the order of addresses; prefixes without a path left out."""
    table = fabric.routing().families[family]
    at = table.index.get(node_of(switch.name, vrf))
    if at is None:
        return
    for prefix in table.group_of:
        found = held(table, at, prefix)
        if found:
            yield prefix, found


def entries(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> Mapping[str, tuple[Entry, ...]]:
    """Prefix → its routes in use, the selected one first: own addresses, then statics, then BGP."""
    found: dict[str, list[Entry]] = {}
    ipv6 = family == "ipv6"
    for interface, address in connected(fabric, switch, vrf):
        if (address.version == 6) == ipv6:
            hops = (Hop(interface=interface),)
            found.setdefault(str(address.network), []).append(Entry(protocol="connected", hops=hops))
            host = f"{address.ip}/{address.max_prefixlen}"
            if host != str(address.network):
                found.setdefault(host, []).append(Entry(protocol="local", hops=hops))
    if ipv6:
        alive = switch.facts().link_local & fabric.links().far[switch.name].keys()
        inside = sorted(port for port in alive if switch.facts().vrf(port) == vrf)
        found["fe80::/64"] = [Entry(protocol="connected", hops=(Hop(interface=port),)) for port in inside]
    for static in switch.facts().frr.statics:
        if (":" in static.prefix) == ipv6 and static.vrf == vrf:
            way = Hop(interface=static.interface, address=static.gateway)
            discards = not static.interface and not static.gateway
            found.setdefault(static.prefix, []).append(Entry(protocol="static", hops=() if discards else (way,)))
    for prefix, heard in paths(fabric, switch, family, vrf):
        used = [one for one in heard if (one.best or one.multipath) and one.direction != OWN]
        if used:
            found.setdefault(prefix, []).append(
                Entry(protocol="bgp", hops=_bgp_hops(fabric, switch, family, used, vrf))
            )
    return {prefix: tuple(routes) for prefix, routes in found.items() if routes}


def _bgp_hops(fabric: Fabric, switch: Device, family: str, used: list[Heard], vrf: str) -> tuple[Hop, ...]:
    """The ways out of the paths in use."""
    routing = fabric.routing()
    router = routing.routers[node_of(switch.name, vrf)]
    hops = []
    for one in used:
        key = routing.families[family].directions[one.direction].target_key
        interface = port_of(router, router.speaker.peers[key])
        hops.append(Hop(interface=interface, address=peer_address(fabric, switch, key)))
    return tuple(hops)


def route_table(fabric: Fabric, switch: Device) -> Mapping[str, Hash]:
    """APPL_DB ROUTE_TABLE: what fpmsyncd writes of the selected routes."""
    rows: dict[str, Hash] = {}
    for vrf in ("", *sorted(switch.facts().vrfs)):
        for family in FAMILIES:
            none = "::" if family == "ipv6" else "0.0.0.0"
            for prefix, routes in entries(fabric, switch, family, vrf).items():
                if routes[0].protocol != "local" and prefix != "fe80::/64":
                    rows[f"{vrf}:{prefix}" if vrf else prefix] = _row(routes[0], none)
    return rows


def _row(entry: Entry, none: str) -> Hash:
    """One route as fpmsyncd writes it; `none` stands for a gateway that there is not."""
    if not entry.hops:
        return {"blackhole": "true", "protocol": entry.protocol}
    return {
        "protocol": entry.protocol,
        "nexthop": ",".join(hop.address or none for hop in entry.hops),
        "ifname": ",".join(hop.interface for hop in entry.hops),
        "weight": ",".join("1" for _ in entry.hops),
    }
