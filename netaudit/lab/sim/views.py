"""What a device of any NOS can say of the running lab: its ports, sessions, BGP tables and routes.

`lldp.heard` says who is heard, `rib.entries` which routes are in use; both are for every kind of device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.lab.sim.bgp import OWN, Heard, accepted, sent
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric, node_of, router_id
from netaudit.lab.sim.frr_config import FAMILIES, Peer
from netaudit.lab.sim.ports import PortSpec
from netaudit.lab.sim.rib import Hop, paths, peer_address
from netaudit.lab.sim.sessions import port_of, state_of

UPTIME_S = 60
"""How long everything has been up: the lab's clock stands still, so that answers can be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortView:
    """A port as the device says it is, which a fault can make a lie."""

    native: str
    position: str
    enabled: bool
    up: bool
    spec: PortSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """One BGP session, seen from one end."""

    key: str
    """The neighbor as it is configured: an address, or a port."""
    address: str
    """The neighbor's address; empty where an unnumbered one is not heard."""
    port: str
    """The port that the session runs over; empty where there is none."""
    state: str
    """FRR's words: Established, Active, Idle, Idle (Admin)."""
    remote_asn: int
    """As configured, else what the neighbor said last; 0 where nothing is known."""
    local_asn: int
    remote_hostname: str
    """What the neighbor calls itself; empty before the first session."""
    remote_router_id: str
    """0.0.0.0 before the first session."""
    local_router_id: str
    group: str
    description: str
    families: tuple[str, ...]
    """Address families that are active: ipv4, ipv6."""
    received: Mapping[str, int]
    """Family → prefixes taken from the neighbor."""
    sent: Mapping[str, int]
    dropped: int
    """How often it went down."""
    ever: bool
    """Whether it was up once."""

    @property
    def up(self) -> bool:
        """Whether it is Established."""
        return self.state == "Established"


@dataclass(frozen=True, slots=True, kw_only=True)
class PathView:
    """One path of the BGP table."""

    as_path: tuple[int, ...]
    best: bool
    multipath: bool
    """Used beside the best one."""
    hop: Hop | None
    """Port and address of the next hop; `None`: the device's own."""
    peer: str
    """Key of the session that it came over; empty: its own."""
    router_id: str
    """The neighbor's."""
    external: bool


def ports(fabric: Fabric, device: Device) -> Mapping[str, PortView]:
    """Native name → port, in the order of the configuration."""
    up, lies = fabric.links().far[device.name], fabric.answering(device.name).states
    facts = device.facts()
    return {
        spec.native: PortView(
            native=spec.native,
            position=position,
            enabled=spec.enabled,
            up=lies[spec.native] == "up" if spec.native in lies else spec.native in up,
            spec=spec,
        )
        for position, spec in facts.ports.items()
    }


def speaks(fabric: Fabric, device: Device, vrf: str = "") -> bool:
    """Whether BGP runs in a VRF: it is configured, and its daemon has not died."""
    return node_of(device.name, vrf) in fabric.routing().routers


def sessions(fabric: Fabric, device: Device, vrf: str = "") -> tuple[SessionView, ...]:
    """Every neighbor of the speaker of a VRF, up or down, in the order of the configuration."""
    router = fabric.routing().routers.get(node_of(device.name, vrf))
    if router is None:
        return ()
    return tuple(_session(fabric, device, vrf, peer) for peer in router.speaker.peers.values())


def _session(fabric: Fabric, device: Device, vrf: str, peer: Peer) -> SessionView:
    routing = fabric.routing()
    node = node_of(device.name, vrf)
    router, end = routing.routers[node], (node, peer.key)
    up, last = end in routing.sessions, fabric.peers.get(end)
    ways = {family: _ways(fabric, node, peer.key, family) if up else None for family in FAMILIES}
    return SessionView(
        key=peer.key,
        address=peer_address(fabric, device, peer.key),
        port=port_of(router, peer),
        state=state_of(router, peer, routing.routers, up),
        remote_asn=int(peer.remote) if peer.remote.isdecimal() else last.asn if last else 0,
        local_asn=router.speaker.asn,
        remote_hostname=last.hostname if last else "",
        remote_router_id=last.router_id if last else "0.0.0.0",
        local_router_id=router_id(device, vrf),
        group=peer.group,
        description=peer.description,
        families=tuple(family for family in FAMILIES if peer.families[family].active),
        received={f: accepted(routing.families[f], way) if way is not None else 0 for f, way in ways.items()},
        sent={f: sent(routing.families[f], way ^ 1) if way is not None else 0 for f, way in ways.items()},
        dropped=last.dropped if last else 0,
        ever=last is not None,
    )


def _ways(fabric: Fabric, node: str, key: str, family: str) -> int | None:
    """The direction in which a session brings a family; `None` where it does not carry it."""
    table = fabric.routing().families[family]
    return next((way for way in table.incoming[table.index[node]] if table.directions[way].target_key == key), None)


def bgp_table(fabric: Fabric, device: Device, family: str, vrf: str = "") -> Iterator[tuple[str, tuple[PathView, ...]]]:
    """(prefix, paths) of everything that a speaker holds, in the order of addresses."""
    if speaks(fabric, device, vrf):
        for prefix, found in paths(fabric, device, family, vrf):
            yield prefix, tuple(_path(fabric, device, family, vrf, one) for one in found)


def _path(fabric: Fabric, device: Device, family: str, vrf: str, one: Heard) -> PathView:
    routing = fabric.routing()
    router = routing.routers[node_of(device.name, vrf)]
    if one.direction == OWN:
        return PathView(
            as_path=(), best=one.best, multipath=False, hop=None, peer="", router_id=router.router_id, external=False
        )
    way = routing.families[family].directions[one.direction]
    peer = router.speaker.peers[way.target_key]
    return PathView(
        as_path=one.as_path,
        best=one.best,
        multipath=one.multipath,
        hop=Hop(interface=port_of(router, peer), address=peer_address(fabric, device, peer.key)),
        peer=peer.key,
        router_id=routing.families[family].nodes[way.source].router_id,
        external=way.external,
    )
