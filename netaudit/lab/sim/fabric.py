"""All switches of the lab together: which links are up, who hears whom, which routes are where."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Interface, IPv6Interface
from pathlib import Path
from typing import Final, TypeAlias, TypeVar, cast

from netaudit.lab.sim.bgp import Family, Node, converge
from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.database import Config, Hash
from netaudit.lab.sim.device import Device, link_local_address
from netaudit.lab.sim.frr_config import FAMILIES
from netaudit.lab.sim.frr_policy import permits
from netaudit.lab.sim.peers import Outsider, outside_router
from netaudit.lab.sim.ports import links_up
from netaudit.lab.sim.sessions import Router, directions, established
from netaudit.lab.sim.switch import Switch

D = TypeVar("D", bound=Device)
Owner: TypeAlias = tuple[str, str]
"""(interface or empty, `connected` or `static`) of a route that a switch has by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The state of every cable."""

    up: frozenset[Cable]
    far: Mapping[str, Mapping[str, End]]
    """Switch → native name of each port whose link is up → the other end."""
    host_ports: Mapping[End, str]
    """End of a host → the port id its LLDP sends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Sessions and the paths of both address families."""

    routers: Mapping[str, Router]
    sessions: frozenset[tuple[str, str]]
    """(switch, peer key) of both ends of every established session."""
    far: Mapping[tuple[str, str], str]
    """The same → the switch at the other end."""
    families: Mapping[str, Family]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPeer:
    """What a peer said when its session came up; bgpd keeps it when the session goes."""

    asn: int
    hostname: str
    router_id: str
    dropped: int = 0
    """How often the session went down since."""


@dataclass(slots=True, kw_only=True)
class Answering:
    """How a switch answers that does not do so as it should."""

    cut: set[str] = field(default_factory=set)
    """Tables whose value ends in its middle."""
    padded: dict[str, int] = field(default_factory=dict)
    """Table → bytes that its value is made to have at least."""
    numbers: set[str] = field(default_factory=set)
    """`ints`: numbers in place of text over gNMI; `strings`: text in place of numbers from vtysh."""
    syncs: bool = True
    """A subscription says when all was sent."""
    delay_s: float = 0.0
    """How late each answer is; infinite: there is none."""
    states: dict[str, str] = field(default_factory=dict)
    """Native name → `up` or `down`, as it says and not as it is."""
    poses_as: str = ""
    """The switch that answers in its place."""


@dataclass(slots=True, kw_only=True)
class Faults:
    """What is broken on purpose; all of it is undone by `heal`."""

    told: list[str] = field(default_factory=list)
    """One line each, in the order they were made."""
    cables: tuple[Cable, ...] | None = None
    """The cables as they lie now; `None`: as the lab says."""
    cut: frozenset[Cable] = frozenset()
    blocked: frozenset[End] = frozenset()
    routing: dict[str, tuple[object, object]] = field(default_factory=dict)
    """Switch → the configuration that routing follows, before the first fault and after the last."""
    configs: dict[str, tuple[Config, Config]] = field(default_factory=dict)
    """Switch → its CONFIG_DB before the first fault and after the last."""
    files: dict[Path, tuple[bytes, bytes]] = field(default_factory=dict)
    """File of a box → what it held before the first fault and after the last."""
    applied: dict[tuple[str, str, str], Hash] = field(default_factory=dict)
    """(switch, table of APPL_DB, key) → fields that are otherwise there than configured."""
    unreachable: set[str] = field(default_factory=set)
    stopped: set[str] = field(default_factory=set)
    """Switches whose bgpd has died."""
    silent: frozenset[tuple[str, str]] = frozenset()
    """(switch, native name) of ports that send no LLDP."""
    plugs: dict[End, str] = field(default_factory=dict)
    """End of a cable → the length that the plug there tells, in place of its own."""
    deaf: set[str] = field(default_factory=set)
    """Switches that hear no LLDP."""
    outsiders: dict[str, Outsider] = field(default_factory=dict)
    """Device of a speaker that is no switch → how it speaks now."""
    port_ids: dict[str, str] = field(default_factory=dict)
    """Switch → what it sends as LLDP port id: `alias`, `name` or `mac`."""
    answering: dict[str, Answering] = field(default_factory=dict)
    """Switch → how it answers."""


_AS_IT_SHOULD: Final = Answering()


@dataclass(slots=True, kw_only=True)
class Fabric:
    """The running lab. Everything is computed when asked for, and again only when what it depends on has changed."""

    name: str
    switches: Mapping[str, Device]
    cables: tuple[Cable, ...]
    outsiders: Mapping[str, Outsider] = field(default_factory=dict)
    """Device → a BGP speaker that is no switch."""
    platforms: Mapping[str, str] = field(default_factory=dict)
    """Device → its kind, the name of a module of `lab.sim.nos`."""
    faults: Faults = field(default_factory=Faults)
    version: int = 0
    """Grows with every change."""
    waiters: set[asyncio.Event] = field(default_factory=set)
    """Set when something changes."""
    peers: dict[tuple[str, str], LastPeer] = field(default_factory=dict)
    """(switch, peer key) → what the peer said last."""
    known_links: tuple[int, Links] | None = None
    known_routing: tuple[int, object, Routing] | None = None

    def changed(self) -> None:
        """Say that something changed."""
        self.version += 1
        for waiter in self.waiters:
            waiter.set()

    def links(self) -> Links:
        """The state of the cables now."""
        if self.known_links is None or self.known_links[0] != self.version:
            self.known_links = (self.version, _links(self))
        return self.known_links[1]

    def routing(self) -> Routing:
        """Sessions and paths now."""
        if self.known_routing is not None and self.known_routing[0] == self.version:
            return self.known_routing[2]
        routers = dict(_routers(self))
        own = {family: {name: self._own(name, family) for name in routers} for family in FAMILIES}
        depends_on = (routers, own)
        if self.known_routing is not None and self.known_routing[1] == depends_on:
            routing = self.known_routing[2]
        else:
            routing = _routing(routers, own)
            self._remember(routing, frozenset() if self.known_routing is None else self.known_routing[2].sessions)
        self.known_routing = (self.version, depends_on, routing)
        return routing

    def speakers(self) -> Mapping[str, Outsider]:
        """The speakers that are no switches, as they speak now."""
        return {**self.outsiders, **self.faults.outsiders}

    def name_of(self, speaker: str) -> str:
        """The name that a speaker gives itself."""
        device, _ = of_node(speaker)
        return self.switches[device].hostname() if device in self.switches else device

    def link_local_of(self, device: str) -> str:
        """The link-local address of all ports of a device; empty where nobody there speaks."""
        far = self.switches.get(device)
        mac = far.eeprom.mac if far else self.outsiders[device].mac if device in self.outsiders else ""
        return link_local_address(mac) if mac else ""

    def _own(self, name: str, family: str) -> tuple[str, ...]:
        """What a speaker originates."""
        device, vrf = of_node(name)
        switch = self.switches.get(device)
        return self.speakers()[name].own(family) if switch is None else own_prefixes(self, switch, family, vrf)

    def _remember(self, routing: Routing, before: frozenset[tuple[str, str]]) -> None:
        """Note what peers said, and which sessions went down."""
        for end, far in routing.far.items():
            router, old = routing.routers[far], self.peers.get(end)
            self.peers[end] = LastPeer(
                asn=router.speaker.asn,
                hostname=self.name_of(far),
                router_id=router.router_id,
                dropped=old.dropped if old else 0,
            )
        for end in before - routing.sessions:
            if end in self.peers:
                self.peers[end] = replace(self.peers[end], dropped=self.peers[end].dropped + 1)

    def answering(self, name: str) -> Answering:
        """How a switch answers."""
        return self.faults.answering.get(name) or _AS_IT_SHOULD

    def answers_for(self, device: D) -> D:
        """The device that answers at the address of one: itself, unless a fault has another of its kind do it."""
        return cast(D, self.switches[self.answering(device.name).poses_as or device.name])

    def sonic(self, name: str) -> Switch:
        """A switch that is known to be SONiC. Raises `TypeError` for another."""
        device = self.switches[name]
        if not isinstance(device, Switch):
            raise TypeError(f"{name} is no SONiC switch")
        return device

    async def pause(self, name: str) -> None:
        """Wait as long as a switch is late; a fault that is healed meanwhile ends it."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        while (left_s := started + self.answering(name).delay_s - loop.time()) > 0:
            woken = asyncio.Event()
            self.waiters.add(woken)
            try:
                await asyncio.wait_for(woken.wait(), None if left_s == float("inf") else left_s)
            except TimeoutError:
                return
            finally:
                self.waiters.discard(woken)

    def forget_peers(self, switch: str) -> None:
        """bgpd of a switch starts anew."""
        self.faults.stopped.discard(switch)
        self.peers = {end: peer for end, peer in self.peers.items() if of_node(end[0])[0] != switch}
        self.known_routing = None  # its peers speak to it again, also where nothing else has changed


def _links(fabric: Fabric) -> Links:
    """The state of every cable."""
    cables = fabric.cables if fabric.faults.cables is None else fabric.faults.cables
    facts = {name: switch.facts() for name, switch in fabric.switches.items()}
    ports = {End(device=name, port=place): spec for name, of in facts.items() for place, spec in of.ports.items()}
    up = links_up(cables, fabric.faults.cut, ports, frozenset(facts))
    far: dict[str, dict[str, End]] = {name: {} for name in facts}
    for cable in cables:
        if cable in up:
            for end in (cable.a, cable.b):
                if end.device in facts:
                    far[end.device][facts[end.device].native[end.port]] = cable.far(end)
    hosts = {cable.a: cable.a_lldp_port for cable in cables if cable.a.device not in facts}
    return Links(up=up, far=far, host_ports=hosts)


def node_of(device: str, vrf: str) -> str:
    """The name under which a speaker takes part in routing: each VRF of a switch is one by itself."""
    return f"{device} {vrf}" if vrf else device


def of_node(node: str) -> tuple[str, str]:
    """Device and VRF of such a name; no device has a blank in its own."""
    device, _, vrf = node.partition(" ")
    return device, vrf


def connected(fabric: Fabric, switch: Device, vrf: str = "") -> Iterator[tuple[str, IPv4Interface | IPv6Interface]]:
    """(interface, address) of every address of a VRF that is in use: loopbacks, and ports whose link is up."""
    up = fabric.links().far[switch.name]
    facts = switch.facts()
    for interface, addresses in facts.addresses.items():
        if facts.vrf(interface) != vrf:
            continue
        alive = interface in facts.loopbacks or interface in up
        if alive or any(port in up for port in facts.members.get(interface, ())):
            for address in addresses:
                yield interface, address


def local_routes(fabric: Fabric, switch: Device, vrf: str = "") -> Mapping[str, Owner]:
    """Prefix → the route that a switch has in a VRF without BGP."""
    statics = (static for static in switch.facts().frr.statics if static.vrf == vrf)
    routes = {static.prefix: (static.interface, "static") for static in statics}
    routes |= {str(address.network): (interface, "connected") for interface, address in connected(fabric, switch, vrf)}
    return routes


def own_prefixes(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> tuple[str, ...]:
    """The prefixes a speaker originates: of `network`, those with a route; and what it redistributes."""
    speaker = switch.facts().frr.speakers.get(vrf)
    if speaker is None:
        return ()
    local = local_routes(fabric, switch, vrf)
    prefixes = [p for p in speaker.networks[family] if p in local or not speaker.import_check]
    for kind, policy in speaker.redistribute[family]:
        prefixes += [
            prefix
            for prefix, (_, source) in local.items()
            if source == kind and (":" in prefix) == (family == "ipv6") and (policy is None or permits(policy, prefix))
        ]
    return tuple(dict.fromkeys(prefixes))


def router_id(switch: Device, vrf: str = "") -> str:
    """The router id in force: as configured, else the highest loopback address of the VRF, else zero."""
    facts = switch.facts()
    speaker = facts.frr.speakers.get(vrf)
    configured = speaker.router_id if speaker else ""
    loopbacks = [
        one.ip
        for name, found in facts.addresses.items()
        if name in facts.loopbacks and facts.vrf(name) == vrf
        for one in found
        if one.version == 4
    ]
    return configured or str(max(loopbacks, default="0.0.0.0"))


def _routers(fabric: Fabric) -> Iterator[tuple[str, Router]]:
    """What sessions depend on, of every switch with a speaker, and of every speaker that is no switch."""
    far, speakers = fabric.links().far, fabric.speakers()
    outside: dict[str, dict[str, tuple[str, str]]] = {device: {} for device in speakers}
    for name, switch in fabric.switches.items():
        facts = switch.facts()
        blocked = frozenset(facts.native.get(end.port, "") for end in fabric.faults.blocked if end.device == name)
        for vrf, speaker in facts.frr.speakers.items() if name not in fabric.faults.stopped else ():
            node = node_of(name, vrf)
            neighbors: dict[str, tuple[str, str]] = {}
            ports = {port: end for port, end in far[name].items() if facts.vrf(port) == vrf}
            for port, end in ports.items():
                if end.device in fabric.switches:
                    neighbors[port] = _port_beyond(fabric.switches[end.device], end.port)
                elif end.device in speakers:
                    neighbors[port] = (end.device, end.port)
                    outside[end.device][end.port] = (node, port)
            yield (
                node,
                Router(
                    name=node,
                    speaker=speaker,
                    router_id=router_id(switch, vrf),
                    neighbors=neighbors,
                    up=frozenset(ports),
                    link_local=facts.link_local,
                    addresses={port: found for port, found in facts.addresses.items() if facts.vrf(port) == vrf},
                    blocked=blocked,
                ),
            )
    for device, one in speakers.items():
        yield device, outside_router(one, outside[device])


def _port_beyond(switch: Device, position: str) -> tuple[str, str]:
    """(speaker, native name) of a port at the far end of a cable; that of no speaker while it waits for its VRF."""
    native = switch.facts().native[position]
    vrf = switch.facts().vrf(native)
    return ("" if vrf is None else node_of(switch.name, vrf)), native


def _routing(routers: Mapping[str, Router], own: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Routing:
    """Sessions, and the fixed point of both families."""
    sessions = established(routers)
    families = {}
    for family in FAMILIES:
        nodes = tuple(
            Node(
                name=name,
                asn=router.speaker.asn,
                router_id=router.router_id,
                relax=router.speaker.relax,
                maximum_paths=router.speaker.maximum_paths[family],
                own=own[family][name],
            )
            for name, router in routers.items()
        )
        families[family] = converge(nodes, directions(sessions, nodes, routers, family))
    far = {(one.a, one.a_key): one.b for one in sessions} | {(one.b, one.b_key): one.a for one in sessions}
    return Routing(routers=routers, sessions=frozenset(far), far=far, families=families)
