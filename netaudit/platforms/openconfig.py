"""What OpenConfig answers say of ports, LLDP, BGP and routes, whichever vendor sent them and in which JSON.

A reader takes the text of one answer: the value of a Get as it came (with or without module prefixes, numbers as
numbers or as text, from any level of the tree on), or the tree that the client made of updates. It raises nothing:
what cannot be used is a problem. Ports stand by the names of the NOS; what a device does not tell is `None`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from netaudit.platforms.openconfig_json import (
    Json,
    address_of,
    asn_of,
    at,
    entries,
    flag,
    identity,
    is_address,
    is_up,
    key_of,
    listed,
    load,
    name_of,
    number,
    obj,
    prefix_of,
    text_of,
    vrf_of,
)
from netaudit.platforms.openconfig_json import (
    asn as asn,
)

T = TypeVar("T")

_SPEED: Final = re.compile(r"SPEED_(\d{1,4})(GB|MB)")
_STATES: Final = {
    "IDLE": "Idle",
    "CONNECT": "Connect",
    "ACTIVE": "Active",
    "OPENSENT": "OpenSent",
    "OPENCONFIRM": "OpenConfirm",
    "ESTABLISHED": "Established",
}
"""session-state of OpenConfig → as FRR writes it, which is the word of the state (vendor-gnmi-and-drivers.md B)."""
_INTERFACES: Final = ("interfaces", "interface")
_LLDP: Final = ("lldp", *_INTERFACES)
_INSTANCES: Final = ("network-instances", "network-instance")
_BGP: Final = (*_INSTANCES, "protocols", "protocol", "bgp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[T]):
    """What was found, by name, and what could not be used."""

    items: Mapping[str, T]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OcPort:
    """State of an interface; a name such as `Ethernet1/1`, `et-0/0/0`, `swp1s0`."""

    name: str
    enabled: bool | None = None
    oper_up: bool | None = None
    mtu_bytes: int | None = None
    """As the device counts it, which differs by vendor (field case A07); 0, "not told" on EOS, is `None`."""
    speed_mbps: int | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OcNeighbor:
    """Who is heard on a port. `port_id_type` is the word of OpenConfig without its prefix: `INTERFACE_NAME`."""

    system: str = ""
    port_id: str = ""
    port_id_type: str = ""
    port_description: str = ""
    chassis_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcSession:
    """A BGP neighbor. `address` in canonical text without zone, `port` the zone, or the port it is named by."""

    vrf: str
    address: str = ""
    port: str = ""
    peer_asn: int | None = None
    local_asn: int | None = None
    state: str | None = None
    """`Established`, `Active`, …"""
    enabled: bool | None = None
    families: frozenset[str] = frozenset()
    """`ipv4`, `ipv6` of the families that are enabled."""
    received: Mapping[str, int] | None = None
    """Family → prefixes received."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcSpeaker:
    """The BGP of one VRF as a whole."""

    vrf: str
    asn: int | None = None
    router_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OcRoute:
    """A route of one table. `hops` are ports where the device names them, else addresses."""

    vrf: str
    prefix: str
    hops: frozenset[str] = frozenset()
    as_paths: frozenset[tuple[int, ...]] = frozenset()
    origin: str = ""
    """Protocol that brought it, where it is told: `BGP`, `DIRECTLY_CONNECTED`."""


def interfaces(text: str) -> Found[OcPort]:
    """The interfaces of an answer below `/interfaces`, by name."""
    tree, problems = load(text)
    found: dict[str, OcPort] = {}
    for _, entry in entries(tree, _INTERFACES, ("oper-status", "admin-status", "mtu")):
        port = _port(entry, problems)
        if port is not None:
            before = found.get(port.name)
            found[port.name] = _filled(before, port) if before else port
    return Found(items=found, problems=tuple(problems))


def lldp(text: str) -> Found[tuple[OcNeighbor, ...]]:
    """Who is heard on which port, by the port's name; an empty tuple where a port is listed and hears nobody."""
    tree, problems = load(text)
    whole = "lldp" in obj(tree)
    found: dict[str, tuple[OcNeighbor, ...]] = {}
    for _, entry in entries(tree, _LLDP, ("neighbors",)):
        if not whole and "neighbors" not in entry:
            continue  # of the tree of interfaces
        name = name_of(entry, "name")
        if name is None:
            problems.append("an LLDP interface has no name")
            continue
        heard = tuple(
            _heard(neighbor) for neighbor in listed(at(entry, "neighbors", "neighbor")) if isinstance(neighbor, Mapping)
        )
        found[name] = (*found.get(name, ()), *heard)
    return Found(items=found, problems=tuple(problems))


def sessions(text: str) -> Found[OcSession]:
    """The BGP neighbors of all VRFs, by `vrf neighbor` with the neighbor as the device spells it."""
    tree, problems = load(text)
    found: dict[str, OcSession] = {}
    for where, entry in entries(tree, (*_BGP, "neighbors", "neighbor"), ("neighbor-address", "session-state")):
        spelled = name_of(entry, "neighbor-address")
        if spelled is None:
            problems.append("a BGP neighbor has no neighbor-address")
            continue
        vrf = vrf_of(where)
        found[f"{vrf} {spelled}"] = _session(vrf, spelled, entry, problems)
    return Found(items=found, problems=tuple(problems))


def speakers(text: str) -> Found[OcSpeaker]:
    """ASN and router id of the BGP of each VRF, by VRF."""
    tree, problems = load(text)
    found: dict[str, OcSpeaker] = {}
    for where, entry in entries(tree, (*_BGP, "global"), ("as", "router-id")):
        vrf = vrf_of(where)
        both = {**obj(at(entry, "config")), **obj(at(entry, "state"))} or entry
        router = text_of(both.get("router-id"))
        asn = asn_of(both.get("as"), f"the ASN of VRF {vrf}", problems)
        found[vrf] = OcSpeaker(vrf=vrf, asn=asn, router_id=router if router not in ("", "0.0.0.0") else None)
    return Found(items=found, problems=tuple(problems))


def routes(text: str) -> Found[OcRoute]:
    """The routes of the forwarding tables (`/network-instances/…/afts`), by `vrf prefix`."""
    tree, problems = load(text)
    found: dict[str, OcRoute] = {}
    for where, afts in entries(tree, (*_INSTANCES, "afts"), ("ipv4-unicast", "ipv6-unicast")):
        vrf = vrf_of(where)
        hops = {key_of(one, "index"): _hop(one) for one in listed(at(afts, "next-hops", "next-hop"))}
        groups = {
            key_of(group, "id"): [key_of(one, "index") for one in listed(at(group, "next-hops", "next-hop"))]
            for group in listed(at(afts, "next-hop-groups", "next-hop-group"))
        }
        for family in ("ipv4", "ipv6"):
            for entry in listed(at(afts, f"{family}-unicast", f"{family}-entry")):
                prefix = prefix_of(key_of(entry, "prefix"))
                if not prefix:
                    problems.append(f"a route of VRF {vrf} has the prefix {key_of(entry, 'prefix')[:60]!r}")
                    continue
                state = obj(at(entry, "state"))
                through = groups.get(text_of(state.get("next-hop-group")), [])
                origin = identity(state.get("origin-protocol"))
                ways = frozenset(hops.get(one, "") for one in through) - {""}
                found[f"{vrf} {prefix}"] = OcRoute(vrf=vrf, prefix=prefix, hops=ways, origin=origin)
    return Found(items=found, problems=tuple(problems))


def loc_rib(text: str) -> Found[OcRoute]:
    """The routes that BGP chose (`…/bgp/rib/afi-safis/…/loc-rib/routes`), by `vrf prefix`."""
    tree, problems = load(text)
    found: dict[str, OcRoute] = {}
    for where, rib in entries(tree, (*_BGP, "rib"), ("afi-safis",)):
        vrf = vrf_of(where)
        sets = {key_of(one, "index"): one for one in listed(at(rib, "attr-sets", "attr-set"))}
        for table in listed(at(rib, "afi-safis", "afi-safi")):
            for family in ("ipv4-unicast", "ipv6-unicast"):
                for route in listed(at(table, family, "loc-rib", "routes", "route")):
                    _add_path(found, vrf, route, sets, problems)
    return Found(items=found, problems=tuple(problems))


def _add_path(found: dict[str, OcRoute], vrf: str, route: Json, sets: Mapping[str, Json], problems: list[str]) -> None:
    state = obj(at(route, "state"))
    prefix = prefix_of(key_of(route, "prefix"))
    if not prefix:
        problems.append(f"a BGP route of VRF {vrf} has the prefix {key_of(route, 'prefix')[:60]!r}")
        return
    if flag(state.get("best-path")) is False or flag(state.get("valid-route")) is False:
        return
    attributes = sets.get(text_of(state.get("attr-index")))
    hop = text_of(at(attributes, "state", "next-hop"))
    members = [
        number
        for segment in listed(at(attributes, "as-path", "as-segment"))
        for number in map(asn, listed(at(segment, "state", "member")))
        if number is not None
    ]
    before = found.get(f"{vrf} {prefix}") or OcRoute(vrf=vrf, prefix=prefix)
    found[f"{vrf} {prefix}"] = OcRoute(
        vrf=vrf,
        prefix=prefix,
        hops=before.hops | ({address_of(hop)} if hop not in ("", "0.0.0.0", "::") else set()),
        as_paths=before.as_paths | ({tuple(members)} if attributes is not None else set()),
    )


def _port(entry: Mapping[str, Json], problems: list[str]) -> OcPort | None:
    state = obj(at(entry, "state")) or (entry if "config" not in entry else {})
    name = name_of(entry, "name")
    if name is None:
        problems.append("an interface has no name")
        return None
    mtu = number(state.get("mtu"), f"mtu of {name}", problems)
    ethernet = obj(at(entry, "ethernet", "state"))
    speed = _SPEED.fullmatch(identity(ethernet.get("negotiated-port-speed") or ethernet.get("port-speed")))
    description = state.get("description")
    return OcPort(
        name=name,
        enabled=is_up(state.get("admin-status"), f"admin-status of {name}", problems),
        oper_up=is_up(state.get("oper-status"), f"oper-status of {name}", problems),
        mtu_bytes=mtu or None,
        speed_mbps=int(speed[1]) * (1000 if speed[2] == "GB" else 1) if speed else None,
        description=description if isinstance(description, str) else None,
    )


def _filled(one: OcPort, other: OcPort) -> OcPort:
    """Both of one port, the second first: a tree may list a port twice, with a part of its leaves each time."""
    return OcPort(
        name=one.name,
        enabled=one.enabled if other.enabled is None else other.enabled,
        oper_up=one.oper_up if other.oper_up is None else other.oper_up,
        mtu_bytes=other.mtu_bytes or one.mtu_bytes,
        speed_mbps=other.speed_mbps or one.speed_mbps,
        description=one.description if other.description is None else other.description,
    )


def _heard(entry: Mapping[str, Json]) -> OcNeighbor:
    state = obj(at(entry, "state")) or entry
    return OcNeighbor(
        system=text_of(state.get("system-name")).strip(),
        port_id=text_of(state.get("port-id")).strip().strip('"'),  # EOS quotes it within the text (field case A15)
        port_id_type=identity(state.get("port-id-type")),
        port_description=text_of(state.get("port-description")).strip(),
        chassis_id=text_of(state.get("chassis-id")).strip(),
    )


def _session(vrf: str, spelled: str, entry: Mapping[str, Json], problems: list[str]) -> OcSession:
    state = obj(at(entry, "state")) or (entry if "config" not in entry else {})
    host, _, zone = spelled.partition("%")
    address = address_of(host)
    if not is_address(host):
        address, zone = "", host  # a neighbor that is named by its interface (Cumulus)
    families, received = set[str](), {}
    for one in listed(at(entry, "afi-safis", "afi-safi")):
        family = {"IPV4_UNICAST": "ipv4", "IPV6_UNICAST": "ipv6"}.get(identity(key_of(one, "afi-safi-name")))
        table = obj(at(one, "state"))
        if family and flag(table.get("enabled", obj(at(one, "config")).get("enabled"))) is not False:
            families.add(family)
            count = number(at(table, "prefixes", "received"), f"prefixes received from {spelled}", problems)
            if count is not None:
                received[family] = count
    word = identity(state.get("session-state"))
    if word and word not in _STATES:
        problems.append(f"session-state of {spelled} is {word[:40]!r}")
    return OcSession(
        vrf=vrf,
        address=address,
        port=zone,
        peer_asn=asn_of(state.get("peer-as"), f"peer-as of {spelled}", problems),
        local_asn=asn_of(state.get("local-as") or None, f"local-as of {spelled}", problems),
        state=_STATES.get(word),
        enabled=flag(state.get("enabled")),
        families=frozenset(families),
        received=received or None,
    )


def _hop(entry: Json) -> str:
    """The port of a next hop, or its address where no port is told."""
    port = text_of(at(entry, "interface-ref", "state", "interface"))
    return port or address_of(text_of(at(entry, "state", "ip-address")))
