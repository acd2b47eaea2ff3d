"""The JSON that bgpd prints for `show bgp … json`; shapes of FRR 8 to 10 (lab.md 2, field/real/frr)."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final, TypeAlias

from netaudit.lab.sim.bgp import OWN, Family, Heard, accepted, held, sent
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric, LastPeer, node_of, router_id
from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, Peer, Speaker
from netaudit.lab.sim.rib import paths, peer_address
from netaudit.lab.sim.sessions import Router, state_of

Answer: TypeAlias = dict[str, object]
_AFI: Final = {"ipv4": "ipv4Unicast", "ipv6": "ipv6Unicast"}
_OWN_WEIGHT: Final = 32768
"""FRR's weight of paths that are its own."""


def vrf_words(switch: Device, vrf: str) -> Answer:
    """How FRR names a VRF: its number is that of its network device, -1 where there is none."""
    known = sorted(switch.facts().vrfs)
    return {
        "vrfId": 0 if not vrf else known.index(vrf) + 1 if vrf in known else -1,
        "vrfName": vrf or "default",
    }


def bgp_summary(fabric: Fabric, switch: Device, vrf: str = "") -> Answer:
    """`show bgp summary json`: each family with a peer."""
    speaker = switch.facts().frr.speakers.get(vrf)
    if speaker is None:
        return {}
    return {
        _AFI[family]: _family_summary(fabric, switch, speaker, family, vrf)
        for family in FAMILIES
        if any(peer.families[family].active for peer in speaker.peers.values())
    }


def family_summary(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> Answer:
    """`show bgp ipv4 unicast summary json`: one family, without its name around it."""
    speaker = switch.facts().frr.speakers.get(vrf)
    return {} if speaker is None else _family_summary(fabric, switch, speaker, family, vrf)


def _family_summary(fabric: Fabric, switch: Device, speaker: Speaker, family: str, vrf: str) -> Answer:
    """One family of a summary."""
    routing = fabric.routing()
    router, table = routing.routers[node_of(switch.name, vrf)], routing.families[family]
    peers = {
        key: _peer_summary(fabric, router, peer, table, peer.families[family])
        for key, peer in speaker.peers.items()
        if peer.families[family].active
    }
    up = sum(1 for peer in peers.values() if peer["state"] == "Established")
    return {
        "routerId": router.router_id,
        "as": speaker.asn,
        **vrf_words(switch, vrf),
        "tableVersion": fabric.version,
        "ribCount": len(table.group_of),
        "peerCount": len(peers),
        "peers": peers,
        "failedPeers": len(peers) - up,
        "displayedPeers": len(peers),
        "totalPeers": len(peers),
        "dynamicPeers": 0,
        "bestPath": {"multiPathRelax": "true" if speaker.relax else "false"},
    }


def _peer_summary(fabric: Fabric, router: Router, peer: Peer, table: Family, options: FamilyPeer) -> Answer:
    """One peer of a summary. Until its first session its ASN is the configured one, or 0."""
    routing, end = fabric.routing(), (router.name, peer.key)
    up, last = end in routing.sessions, fabric.peers.get(end)
    ways = _ways(table, router.name, peer.key) if up else None
    came = accepted(table, ways[0]) if ways else 0
    went = sent(table, ways[1]) if ways else 0
    asn = _asn(peer, last)
    silent = asn != router.speaker.asn and router.speaker.requires_policy
    return {
        **({"hostname": last.hostname} if last else {}),
        **({"desc": peer.description} if peer.description else {}),
        "remoteAs": asn,
        "localAs": router.speaker.asn,
        "version": 4,
        "msgRcvd": came + 1 if up else 0,
        "msgSent": went + 1 if up else 0,
        "tableVersion": 0,
        "outq": 0,
        "inq": 0,
        "peerUptime": "00:01:00" if up or last else "never",
        "peerUptimeMsec": 60_000 if up or last else 0,
        "pfxRcd": came,
        "pfxSnt": went,
        "state": state_of(router, peer, routing.routers, up),
        "peerState": "Admin"
        if peer.shutdown
        else "Policy"
        if silent and None in (options.policy_in, options.policy_out)
        else "OK",
        "connectionsEstablished": 1 if last else 0,
        "connectionsDropped": last.dropped if last else 0,
        "idType": "interface" if peer.over_interface else "ipv6" if ":" in peer.key else "ipv4",
    }


def _asn(peer: Peer, last: LastPeer | None) -> int:
    """The ASN shown for a peer: the configured one, else the one that it said last."""
    if peer.remote.isdecimal():
        return int(peer.remote)
    return last.asn if last else 0


def _ways(table: Family, name: str, key: str) -> tuple[int, int] | None:
    """(direction in, direction out) of a session that carries this family."""
    at = table.index[name]
    inward = next((way for way in table.incoming[at] if table.directions[way].target_key == key), None)
    return None if inward is None else (inward, inward ^ 1)


def bgp_table(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> Answer:
    """`show bgp ipv4 unicast json`: every path, and the networks that are not announced for want of a route."""
    speaker = switch.facts().frr.speakers.get(vrf)
    if speaker is None:
        return {}
    found = dict(paths(fabric, switch, family, vrf))
    routes: dict[str, list[Answer]] = {
        prefix: [_path(fabric, switch, family, prefix, one) for one in heard] for prefix, heard in found.items()
    }
    for network in speaker.networks[family]:
        if network not in fabric.routing().families[family].nodes[_index(fabric, switch, family, vrf)].own:
            routes.setdefault(network, []).append(_own(switch, network))  # not valid, and no word says so
    return {
        **vrf_words(switch, vrf),
        "tableVersion": fabric.version,
        "routerId": router_id(switch, vrf),
        "defaultLocPrf": 100,
        "localAS": speaker.asn,
        "routes": routes,
    }


def _index(fabric: Fabric, switch: Device, family: str, vrf: str) -> int:
    return fabric.routing().families[family].index[node_of(switch.name, vrf)]


def _path(fabric: Fabric, switch: Device, family: str, prefix: str, one: Heard) -> Answer:
    """One path. The best one has `bestpath` and not `multipath`."""
    if one.direction == OWN:
        return {**_own(switch, prefix), "valid": True, "bestpath": True}
    way = fabric.routing().families[family].directions[one.direction]
    source = fabric.routing().families[family].nodes[way.source].name
    address = peer_address(fabric, switch, way.target_key)
    return {
        "valid": True,
        **({"multipath": True} if one.multipath else {}),
        **({"bestpath": True} if one.best else {}),
        "pathFrom": "external" if way.external else "internal",
        **_prefix_fields(prefix),
        "metric": 0,
        "weight": 0,
        "peerId": address,
        "path": " ".join(map(str, one.as_path)),
        "origin": "IGP",
        "nexthops": list(_next_hops(address, fabric.name_of(source))),
    }


def _next_hops(address: str, name: str) -> Iterator[Answer]:
    """Next hops of a path. A link-local stands twice, as global and as link-local, of either family; one is used."""
    if not address.startswith("fe80:"):
        yield {"ip": address, "hostname": name, "afi": "ipv6" if ":" in address else "ipv4", "used": True}
        return
    yield {"ip": address, "hostname": name, "afi": "ipv6", "scope": "global", "used": True}
    yield {"ip": address, "hostname": name, "afi": "ipv6", "scope": "link-local"}


def _prefix_fields(prefix: str) -> Answer:
    """How FRR repeats a prefix within its paths."""
    network = ip_network(prefix)
    return {"prefix": str(network.network_address), "prefixLen": network.prefixlen, "network": prefix}


def _own(switch: Device, prefix: str) -> Answer:
    """A path of its own, without a word on whether it is valid."""
    ipv6 = ":" in prefix
    return {
        "pathFrom": "external",
        **_prefix_fields(prefix),
        "metric": 0,
        "weight": _OWN_WEIGHT,
        "peerId": "(unspec)",
        "path": "",
        "origin": "IGP",
        "nexthops": [
            {
                "ip": "::" if ipv6 else "0.0.0.0",
                "hostname": switch.hostname(),
                "afi": "ipv6" if ipv6 else "ipv4",
                **({"scope": "global"} if ipv6 else {}),
                "used": True,
            }
        ],
    }


def bgp_prefix(fabric: Fabric, switch: Device, family: str, prefix: str, vrf: str = "") -> Answer:
    """`show bgp ipv4 unicast P json`: other keys than the table, and `multipath` on the best path too."""
    table = fabric.routing().families[family]
    at = table.index.get(node_of(switch.name, vrf))
    heard = held(table, at, prefix) if at is not None and prefix in table.group_of else ()
    if not heard:
        return {}
    many = any(one.multipath for one in heard)
    return {"prefix": prefix, "paths": [_prefix_path(fabric, switch, family, one, many) for one in heard]}


def _prefix_path(fabric: Fabric, switch: Device, family: str, one: Heard, many: bool) -> Answer:
    """One path of the form for a single prefix."""
    table = fabric.routing().families[family]
    path: Answer = {
        "aspath": {
            "string": " ".join(map(str, one.as_path)) or "Local",
            "segments": [{"type": "as-sequence", "list": list(one.as_path)}] if one.as_path else [],
            "length": len(one.as_path),
        },
        "origin": "IGP",
        "valid": True,
        **({"multipath": True} if one.multipath or (one.best and many) else {}),
        **({"bestpath": {"overall": True}} if one.best else {}),
    }
    if one.direction == OWN:
        return {**path, "sourced": True, "weight": _OWN_WEIGHT, "local": True}
    way = table.directions[one.direction]
    far = table.nodes[way.source]
    address = peer_address(fabric, switch, way.target_key)
    name = fabric.name_of(far.name)
    return {
        **path,
        "nexthops": list(_next_hops(address, name)),
        "peer": {
            "peerId": address,
            "routerId": far.router_id,
            "hostname": name,
            "interface": way.target_key,
            "type": "external" if way.external else "internal",
        },
    }


def bgp_neighbors(fabric: Fabric, switch: Device, vrf: str = "") -> Answer:
    """`show bgp neighbors json`, the fields that say who the neighbor is and how the session stands."""
    routing = fabric.routing()
    router = routing.routers.get(node_of(switch.name, vrf))
    if router is None:
        return {}
    return {key: _neighbor(fabric, switch, router, peer) for key, peer in router.speaker.peers.items()}


def _neighbor(fabric: Fabric, switch: Device, router: Router, peer: Peer) -> Answer:
    """One neighbor."""
    routing, end = fabric.routing(), (router.name, peer.key)
    up, last = end in routing.sessions, fabric.peers.get(end)
    asn = _asn(peer, last)
    state = state_of(router, peer, routing.routers, up)
    return {
        "bgpNeighborAddr": peer_address(fabric, switch, peer.key) or "none",
        "remoteAs": asn,
        "localAs": router.speaker.asn,
        "nbrExternalLink" if asn != router.speaker.asn else "nbrInternalLink": True,
        **({"hostname": last.hostname} if last else {}),
        **({"peerGroup": peer.group} if peer.group else {}),
        "bgpVersion": 4,
        "remoteRouterId": last.router_id if last else "0.0.0.0",
        "localRouterId": router.router_id,
        "bgpState": state.split()[0],
        "bgpTimerHoldTimeMsecs": router.speaker.hold_s * 1000,
        "bgpTimerKeepAliveIntervalMsecs": router.speaker.keepalive_s * 1000,
        "connectionsEstablished": 1 if last else 0,
        "connectionsDropped": last.dropped if last else 0,
    }
