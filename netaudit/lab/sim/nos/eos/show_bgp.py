"""`show ip bgp` and `show ip route`: words, and the data of eAPI in the shape of real captures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

from netaudit.lab.sim import views
from netaudit.lab.sim.fabric import Fabric, router_id
from netaudit.lab.sim.nos.eos.device import Eos
from netaudit.lab.sim.nos.eos.routing import is_address
from netaudit.lab.sim.rib import Entry, Hop, entries

Data: TypeAlias = dict[str, object]
Told: TypeAlias = tuple[str, Data]
_SHUT: Final = "Idle (Admin)"
_KINDS: Final = {"connected": "connected", "local": "connected", "static": "static", "bgp": "eBGP"}


def _vrfs(fabric: Fabric, switch: Eos) -> Iterator[str]:
    """VRFs with a speaker that runs; the default one is the empty name."""
    return (vrf for vrf in switch.facts().frr.speakers if views.speaks(fabric, switch, vrf))


def _name(one: views.SessionView) -> str:
    """A neighbor as EOS calls it: its address, with the port as its zone if it is link-local; empty where unknown."""
    if is_address(one.key):
        return one.key
    return f"{one.address}%{_short(one.port)}" if one.address and one.port else ""


def _short(port: str) -> str:
    return port.replace("Ethernet", "Et")


def _state(one: views.SessionView) -> str:
    return "Idle" if one.state == _SHUT else one.state


def _summary(fabric: Fabric, switch: Eos, family: str) -> Told:
    """`show ip bgp summary vrf all`."""
    words, vrfs = "", Data()
    for vrf in _vrfs(fabric, switch):
        asn, router = switch.facts().frr.speakers[vrf].asn, router_id(switch, vrf)
        words += f"BGP summary information for VRF {vrf or 'default'}\n"
        words += f"Router identifier {router}, local AS number {asn}\n"
        peers = Data()
        for one in views.sessions(fabric, switch, vrf):
            if family in one.families and (name := _name(one)):
                peers[name] = _peer_row(one, family)
                words += f"  {name} 4 {one.remote_asn} {_state(one)} {one.received[family]}\n"
        vrfs[vrf or "default"] = {"vrf": vrf or "default", "routerId": router, "asn": str(asn), "peers": peers}
    return words or "% BGP inactive\n", {"vrfs": vrfs}


def _peer_row(one: views.SessionView, family: str) -> Data:
    return {
        "version": 4,
        "description": one.description,
        "msgReceived": 5,
        "msgSent": 5,
        "inMsgQueue": 0,
        "outMsgQueue": 0,
        "asn": str(one.remote_asn),
        "prefixAccepted": one.received[family],
        "prefixReceived": one.received[family],
        "upDownTime": 1_767_607_260.0,
        "underMaintenance": False,
        "peerState": _state(one),
    }


def _neighbors(fabric: Fabric, switch: Eos, version: int) -> Told:
    """`show ip bgp neighbors vrf all`: those with an address of this version."""
    words, vrfs = "", Data()
    for vrf in _vrfs(fabric, switch):
        rows: list[Data] = []
        for one in views.sessions(fabric, switch, vrf):
            name = _name(one)
            if name and (":" in name) == (version == 6):
                rows.append(_detail(one, name))
                words += (
                    f"BGP neighbor is {name}, remote AS {one.remote_asn}, external link\n"
                    f"  BGP version 4, remote router ID {one.remote_router_id}, VRF {vrf or 'default'}\n"
                    f"  BGP state is {_state(one)}\n"
                )
        vrfs[vrf or "default"] = {"peerList": rows}
    return words, {"vrfs": vrfs}


def _detail(one: views.SessionView, name: str) -> Data:
    row: Data = {
        "peerAddress": name,
        "asn": str(one.remote_asn),
        "localAsn": str(one.local_asn),
        "routerId": one.remote_router_id,
        "state": _state(one),
        "description": one.description,
        "peerGroupName": one.group,
        "prefixesReceived": one.received["ipv4"],
        "prefixesSent": one.sent["ipv4"],
        "v6PrefixesReceived": one.received["ipv6"],
        "v6PrefixesSent": one.sent["ipv6"],
    }
    if one.up:
        row["establishedTime"] = views.UPTIME_S
    if row["state"] == "Idle":
        row["idleReason"] = "Administratively shut down" if one.state == _SHUT else "no interface"
    return row


def _table(fabric: Fabric, switch: Eos, family: str) -> Told:
    """`show ip bgp vrf all`."""
    words, vrfs = "", Data()
    for vrf in _vrfs(fabric, switch):
        router, asn = router_id(switch, vrf), switch.facts().frr.speakers[vrf].asn
        words += f"BGP routing table information for VRF {vrf or 'default'}\n"
        words += f"Router identifier {router}, local AS number {asn}\n"
        routes = Data()
        for prefix, paths in views.bgp_table(fabric, switch, family, vrf):
            several = sum(path.best or path.multipath for path in paths) > 1
            address, _, length = prefix.partition("/")
            routes[prefix] = {
                "address": address,
                "maskLength": int(length),
                "totalPaths": len(paths),
                "bgpAdvertisedPeerGroups": {},
                "bgpRoutePaths": [_path(path, several) for path in paths],
            }
            for path in paths:
                mark = ">" if path.best else " "
                words += f" *{mark} {prefix} {_hop(path.hop)} {' '.join(map(str, path.as_path))} i\n"
        vrfs[vrf or "default"] = {
            "vrf": vrf or "default",
            "routerId": router,
            "asn": str(asn),
            "bgpRouteEntries": routes,
        }
    return words, {"vrfs": vrfs}


def _hop(hop: Hop | None) -> str:
    if hop is None:
        return ""
    return f"{hop.address}%{_short(hop.interface)}" if hop.address.startswith("fe80:") else hop.address


def _path(path: views.PathView, several: bool) -> Data:
    shares = several and (path.best or path.multipath)
    return {
        "asPathEntry": {
            "asPath": " ".join(map(str, path.as_path)),
            "asPathType": "External" if path.external else "Local" if path.hop is None else "Internal",
        },
        "med": 0,
        "localPreference": 100,
        "weight": 0,
        "peerEntry": {"peerRouterId": path.router_id, "peerAddr": _hop(path.hop)},
        "reasonNotBestpath": "noReason" if path.best else "ecmpFast" if path.multipath else "pathLength",
        "nextHop": _hop(path.hop),
        "routeType": {
            "origin": "Igp",
            "valid": True,
            "active": path.best,
            "ecmp": shares,
            "ecmpHead": shares and path.best,
            "ecmpContributor": shares,
            "suppressed": False,
            "queued": False,
            "stale": False,
            "backup": False,
        },
    }


def _routes(fabric: Fabric, switch: Eos, family: str) -> Told:
    """`show ip route vrf all`."""
    words, vrfs = "", Data()
    for vrf in ("", *sorted(switch.facts().vrfs)):
        words += f"VRF: {vrf or 'default'}\n"
        routes = Data()
        for prefix, found in entries(fabric, switch, family, vrf).items():
            if prefix != "fe80::/64":
                routes[prefix] = _route(found[0])
                words += f" {_KINDS[found[0].protocol][:1].upper()}  {prefix}\n"
        vrfs[vrf or "default"] = {"routes": routes, "allRoutesProgrammedKernel": True, "routingDisabled": False}
    return words, {"vrfs": vrfs}


def _route(route: Entry) -> Data:
    row: Data = {
        "kernelProgrammed": True,
        "hardwareProgrammed": True,
        "directlyConnected": route.protocol in ("connected", "local"),
        "routeAction": "forward" if route.hops else "drop",
        "routeLeaked": False,
        "routeType": _KINDS[route.protocol],
        "vias": [
            {"interface": hop.interface, **({"nexthopAddr": hop.address} if hop.address else {})} for hop in route.hops
        ],
    }
    if route.protocol == "bgp":
        row |= {"preference": 20, "metric": 0}
    return row


COMMANDS: Final[dict[str, Callable[[Fabric, Eos], Told]]] = {
    "ip bgp summary vrf all": partial(_summary, family="ipv4"),
    "ipv6 bgp summary vrf all": partial(_summary, family="ipv6"),
    "ip bgp neighbors vrf all": partial(_neighbors, version=4),
    "ipv6 bgp peers vrf all": partial(_neighbors, version=6),
    "ip bgp vrf all": partial(_table, family="ipv4"),
    "ipv6 bgp vrf all": partial(_table, family="ipv6"),
    "ip route vrf all": partial(_routes, family="ipv4"),
    "ipv6 route vrf all": partial(_routes, family="ipv6"),
}
