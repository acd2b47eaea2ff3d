"""Which BGP sessions come up, given links, both ends' configurations and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import IPv4Interface, IPv6Interface, ip_address

from netaudit.lab.sim.bgp import DENY_ALL, Direction, Node
from netaudit.lab.sim.frr_config import FamilyPeer, Peer, Speaker
from netaudit.lab.sim.frr_policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """What sessions depend on at one switch."""

    name: str
    speaker: Speaker
    router_id: str
    neighbors: Mapping[str, tuple[str, str]]
    """Port whose link is up → (switch, its port) at the other end."""
    up: frozenset[str]
    """Ports whose link is up, those to hosts too."""
    link_local: frozenset[str]
    """Ports with an IPv6 link-local address that the ASIC knows of."""
    addresses: Mapping[str, tuple[IPv4Interface | IPv6Interface, ...]]
    """Port → its addresses."""
    blocked: frozenset[str]
    """Ports whose sessions a fault holds down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An established session; a is the end that stands first in the fabric."""

    a: str
    a_key: str
    b: str
    b_key: str
    families: frozenset[str]


def established(routers: Mapping[str, Router]) -> tuple[Session, ...]:
    """Every session that is up."""
    return tuple(
        Session(a=router.name, a_key=peer.key, b=far.name, b_key=mirror.key, families=families)
        for router in routers.values()
        for peer, far, mirror in _pairs(router, routers)
        if (families := _common(peer, mirror))
    )


def _pairs(router: Router, routers: Mapping[str, Router]) -> Iterator[tuple[Peer, Router, Peer]]:
    """(peer, other switch, its peer) of every session of a switch that is up, seen from one of its ends only."""
    order = {name: place for place, name in enumerate(routers)}
    for peer in router.speaker.peers.values():
        port = port_of(router, peer)
        far_name, far_port = router.neighbors.get(port, ("", ""))
        far = routers.get(far_name)
        if far is None or (order[far_name], far_port) <= (order[router.name], port):
            continue
        mirror = _mirror(router, port, peer, far, far_port)
        if mirror is not None and _agreed(router, port, peer, far, far_port, mirror):
            yield peer, far, mirror


def port_of(router: Router, peer: Peer) -> str:
    """The port a session runs over; empty where the address of the peer is on none."""
    if peer.over_interface:
        return peer.key
    address = ip_address(peer.key) if is_address(peer.key) else None
    for port, addresses in router.addresses.items():
        if any(address in one.network and address != one.ip for one in addresses):
            return port
    return ""


@lru_cache(maxsize=1 << 16)
def is_address(key: str) -> bool:
    """Whether the key of a peer is an address; ports may have colons and digits in their names (et-0/0/1:0)."""
    try:
        ip_address(key)
    except ValueError:
        return False
    return True


def _mirror(router: Router, port: str, peer: Peer, far: Router, far_port: str) -> Peer | None:
    """The other end's peer that stands for this session."""
    if peer.over_interface:
        both = port in router.link_local and far_port in far.link_local
        mirror = far.speaker.peers.get(far_port)
        return mirror if both and mirror is not None and mirror.over_interface else None
    if not any(str(one.ip) == peer.key for one in far.addresses.get(far_port, ())):
        return None
    there = ip_address(peer.key)  # a port may have an address of each family, and a session for each
    mine = {str(one.ip) for one in router.addresses.get(port, ()) if there in one.network}
    return next((other for key, other in far.speaker.peers.items() if key in mine), None)


def _agreed(router: Router, port: str, peer: Peer, far: Router, far_port: str, mirror: Peer) -> bool:
    """Whether neither side, nor a fault, keeps the session down."""
    if port in router.blocked or far_port in far.blocked or peer.shutdown or mirror.shutdown:
        return False
    ours, theirs = router.speaker.asn, far.speaker.asn
    return _wanted(peer.remote, ours, theirs) and _wanted(mirror.remote, theirs, ours)


def _wanted(remote: str, own: int, other: int) -> bool:
    """Whether a peer's ASN is what `remote-as` demands."""
    if remote == "external":
        return own != other
    return own == other if remote == "internal" else remote == str(other)


def _common(peer: Peer, mirror: Peer) -> frozenset[str]:
    """Families that both ends have activated; without any there is no session."""
    return frozenset(family for family, mine in peer.families.items() if mine.active and mirror.families[family].active)


def directions(
    sessions: tuple[Session, ...], nodes: tuple[Node, ...], routers: Mapping[str, Router], family: str
) -> tuple[Direction, ...]:
    """Both directions of every session that carries a family."""
    index = {node.name: at for at, node in enumerate(nodes)}
    made: list[Direction] = []
    for session in sessions:
        if family in session.families:
            ends = ((session.a, session.a_key), (session.b, session.b_key))
            made += [_direction(source, target, index, routers, family) for source, target in (ends, ends[::-1])]
    alike = Counter((way.source, id(way.policy_out), way.external) for way in made)
    return tuple(
        replace(way, alone=True) if alike[way.source, id(way.policy_out), way.external] == 1 else way for way in made
    )


def _direction(
    source: tuple[str, str],
    target: tuple[str, str],
    index: Mapping[str, int],
    routers: Mapping[str, Router],
    family: str,
) -> Direction:
    """One direction of a session."""
    sender, receiver = routers[source[0]].speaker, routers[target[0]].speaker
    external = sender.asn != receiver.asn
    out, into = sender.peers[source[1]].families[family], receiver.peers[target[1]].families[family]
    return Direction(
        source=index[source[0]],
        target=index[target[0]],
        source_key=source[1],
        target_key=target[1],
        external=external,
        policy_out=_policy(out, sender, external, outward=True),
        policy_in=_policy(into, receiver, external, outward=False),
        allowas_in=into.allowas_in,
    )


def _policy(peer: FamilyPeer, speaker: Speaker, external: bool, *, outward: bool) -> Policy | None:
    """The policy of one side; without one, eBGP lets nothing through where RFC 8212 is on."""
    named = peer.policy_out if outward else peer.policy_in
    return DENY_ALL if named is None and external and speaker.requires_policy else named


def state_of(router: Router, peer: Peer, routers: Mapping[str, Router], up: bool) -> str:
    """The state of a session in FRR's words, where a session that goes through several is in most of the time."""
    if up:
        return "Established"
    if peer.shutdown:
        return "Idle (Admin)"
    port = port_of(router, peer)
    if port not in router.up or (peer.over_interface and port not in router.link_local):
        return "Idle"
    far_name, far_port = router.neighbors.get(port, ("", ""))
    far = routers.get(far_name)
    mirror = _mirror(router, port, peer, far, far_port) if far is not None else None
    if far is None or mirror is None or mirror.shutdown or port in router.blocked or far_port in far.blocked:
        return "Active"
    return "Idle"  # each side hangs up on the other's ASN
