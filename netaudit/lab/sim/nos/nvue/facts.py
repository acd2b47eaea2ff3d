"""What a configuration of Cumulus Linux makes of the box: ports, addresses, VRFs, VLANs, and what FRR is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import Final

from netaudit.lab.sim.device import Facts
from netaudit.lab.sim.frr_config import FAMILIES, FamilyPeer, FrrConfig, Peer, Speaker, Static
from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule, canonical
from netaudit.lab.sim.nos.nvue.document import Tree
from netaudit.lab.sim.nos.nvue.schema import Json
from netaudit.lab.sim.ports import PortSpec

_KEEPALIVE_S, _HOLD_S = 3, 9
"""FRR's datacenter profile, which NVUE writes."""
_MULTIPATHS: Final = 64
"""Multipath is on by default (nvue.md section 3); how wide is FRR's default there."""
_FEC: Final = {"rs": "rs", "baser": "fc", "off": "none"}
_OCCURRENCES: Final = 3
"""`allow-my-asn` without a number of occurrences: FRR's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """A cage of the box, from its ports.json."""

    lanes: int
    speeds_mbps: Mapping[int, int]
    """How many ports it is split into → the fastest speed of one."""


def part(tree: Json, *path: str) -> Tree:
    """A branch; empty where there is none."""
    node = tree
    for name in path:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) else {}


def value(tree: Json, *path: str, default: str = "") -> str:
    """A value as text."""
    found = part(tree, *path[:-1]).get(path[-1])
    return default if found is None or isinstance(found, Mapping) else str(found)


def is_on(tree: Json, *path: str, default: bool = False) -> bool:
    """A flag, in the words of any release."""
    branch = part(tree, *path[:-1])
    names = ("state", "enable") if path[-1] == "state" else (path[-1],)
    found = next((str(branch[name]) for name in names if branch.get(name) is not None), "")
    return found in ("enabled", "enable", "on") if found else default


def facts_of(tree: Tree, cages: Mapping[str, Cage]) -> Facts:
    """The facts of one configuration."""
    rows = part(tree, "interface")
    ports = dict(_ports(rows, cages))
    vrfs = frozenset(part(tree, "vrf").keys() - {"default"})
    bridged = frozenset(name for name, row in rows.items() if part(row, "bridge", "domain"))
    members = _members(rows)
    addresses = {name: found for name, row in rows.items() if (found := tuple(_addresses(row)))}
    up = frozenset(spec.native for spec in ports.values() if spec.enabled)
    return Facts(
        native={place: spec.native for place, spec in ports.items()},
        position={spec.native: place for place, spec in ports.items()},
        ports=ports,
        addresses=addresses,
        # the kernel gives every interface that is up and in no bridge a link-local address
        link_local=frozenset(
            name
            for name, row in rows.items()
            if name in up and name not in bridged and is_on(row, "ipv6", "state", default=True)
        ),
        frr=frr_of(tree),
        vrfs=vrfs,
        bound={name: vrf for name, row in rows.items() if (vrf := _vrf(row)) not in ("", "default")},
        loopbacks=frozenset({"lo", *vrfs, *(n for n, r in rows.items() if value(r, "type") == "loopback")}),
        members=members,
    )


def _vrf(row: Json) -> str:
    return value(row, "vrf") or value(row, "ip", "vrf")


def _addresses(row: Json) -> Iterator[IPv4Interface | IPv6Interface]:
    for where in (("ip", "address"), ("ipv4", "address"), ("ipv6", "address")):
        for text in part(row, *where):
            if "/" in text:
                yield ip_interface(text)


def _ports(rows: Tree, cages: Mapping[str, Cage]) -> Iterator[tuple[str, PortSpec]]:
    """(front panel position, port): the ports of a cage that is split are swp1s0, swp1s1, …"""
    for number, cage in cages.items():
        name = f"swp{number}"
        modes = [mode for mode in part(rows.get(name), "link", "breakout") if mode.removesuffix("x").isdecimal()]
        count = int(modes[0].removesuffix("x")) if modes else 1
        if not modes or count == 1:
            yield number, _port(name, rows.get(name), cage.lanes, cage.speeds_mbps.get(1, 0))
            continue
        width = int(value(rows.get(name), "link", "breakout", modes[0], "lanes-per-port", default="0"))
        lanes = width or max(1, cage.lanes // count)
        for sub in range(count):
            native = f"{name}s{sub}"
            yield f"{number}/{sub + 1}", _port(native, rows.get(native), lanes, cage.speeds_mbps.get(count, 0))


def _port(native: str, row: Json, lanes: int, speed_mbps: int) -> PortSpec:
    """A port is up once it is configured and not said to be down."""
    speed = value(row, "link", "speed", default="auto")
    number = speed.removesuffix("G")
    return PortSpec(
        native=native,
        enabled=isinstance(row, Mapping) and "down" not in part(row, "link", "state"),
        speed=str(int(number) * 1000) if number.isdecimal() else str(speed_mbps),
        lanes=lanes,
        fec=_FEC.get(value(row, "link", "fec"), ""),
    )


def _members(rows: Tree) -> Mapping[str, tuple[str, ...]]:
    """VLAN interface → its ports, tagged or not."""
    found: dict[str, list[str]] = {}
    interfaces = {value(row, "vlan") or name.removeprefix("vlan"): name for name, row in rows.items() if _is_svi(row)}
    for name, row in rows.items():
        for domain in part(row, "bridge", "domain").values():
            numbers = {value(domain, "access"), value(domain, "untagged"), *part(domain, "vlan")}
            for number in numbers & interfaces.keys():
                found.setdefault(interfaces[number], []).append(name)
    return {vlan: tuple(ports) for vlan, ports in found.items()}


def _is_svi(row: Json) -> bool:
    return value(row, "type") == "svi"


def frr_of(tree: Tree) -> FrrConfig:
    """Speakers and static routes of every VRF."""
    maps = dict(_route_maps(part(tree, "router", "policy")))
    speakers = {
        "" if vrf == "default" else vrf: speaker
        for vrf, row in part(tree, "vrf").items()
        if (speaker := _speaker(tree, part(row, "router", "bgp"), maps)) is not None
    }
    statics = tuple(
        static
        for vrf, row in part(tree, "vrf").items()
        for prefix, route in part(row, "router", "static").items()
        for static in _statics(prefix, route, "" if vrf == "default" else vrf)
    )
    return FrrConfig(speakers=speakers, statics=statics)


def _statics(prefix: str, route: Json, vrf: str) -> Iterator[Static]:
    for via, row in part(route, "via").items():
        kind = value(row, "type")
        network = canonical(prefix)
        if kind in ("blackhole", "reject") or via in ("blackhole", "reject"):
            yield Static(prefix=network, vrf=vrf)
        elif kind == "interface":
            yield Static(prefix=network, interface=via, vrf=vrf)
        else:
            yield Static(prefix=network, gateway=via, interface=next(iter(part(row, "interface")), ""), vrf=vrf)


def _route_maps(policies: Tree) -> Iterator[tuple[str, Policy]]:
    """(name, policy) of every route map; a prefix list that is not there permits nothing."""
    lists = {name: tuple(_rules(row)) for name, row in part(policies, "prefix-list").items()}
    for name, row in part(policies, "route-map").items():
        clauses = []
        for _, rule in sorted(part(row, "rule").items(), key=lambda one: int(one[0])):
            wanted = value(rule, "match", "ip-prefix-list")
            family = value(rule, "match", "type")
            asked = ((_of_family(lists.get(wanted, ()), family),) if wanted else ()) or _any_of(family)
            clauses.append(Clause("permit" in part(rule, "action"), asked))
        yield name, tuple(clauses)


def _of_family(rules: tuple[PrefixRule, ...], family: str) -> tuple[PrefixRule, ...]:
    """`match ip address prefix-list` looks at IPv4 prefixes alone, `match ipv6 …` at IPv6."""
    return tuple(rule for rule in rules if not family or rule.version == (6 if family == "ipv6" else 4))


def _any_of(family: str) -> tuple[tuple[PrefixRule, ...], ...]:
    """A rule without a list lets everything through, of its family where it names one."""
    if not family:
        return ()
    version, bits = (6, 128) if family == "ipv6" else (4, 32)
    return ((PrefixRule(True, version, 0, 0, 0, bits),),)


def _rules(row: Json) -> Iterator[PrefixRule]:
    """The rules of a prefix list in the order of their numbers."""
    for _, rule in sorted(part(row, "rule").items(), key=lambda one: int(one[0])):
        for prefix, lengths in part(rule, "match").items():
            network = ip_interface(prefix).network
            shortest = value(lengths, "min-prefix-len")
            longest = value(lengths, "max-prefix-len")
            yield PrefixRule(
                value(rule, "action") == "permit",
                network.version,
                int(network.network_address),
                network.prefixlen,
                int(shortest) if shortest else network.prefixlen,
                int(longest) if longest else (network.max_prefixlen if shortest else network.prefixlen),
            )


def _speaker(tree: Tree, bgp: Tree, maps: Mapping[str, Policy]) -> Speaker | None:
    """The speaker of a VRF; `None` where BGP is off there, or nobody gave it an ASN."""
    common = part(tree, "router", "bgp")
    asn = value(bgp, "autonomous-system", default="auto")
    asn = value(common, "autonomous-system") if asn == "auto" else asn
    if not is_on(common, "state") or not is_on(bgp, "state") or not asn.isdecimal():
        return None
    router_id = value(bgp, "router-id", default="auto")
    timers = part(bgp, "timers")
    tables = {family: part(bgp, "address-family", f"{family}-unicast") for family in FAMILIES}
    return Speaker(
        asn=int(asn),
        router_id=value(common, "router-id") if router_id == "auto" else router_id,
        relax=is_on(bgp, "path-selection", "multipath", "aspath-ignore"),
        requires_policy=False,
        import_check=True,
        keepalive_s=int(value(timers, "keepalive", default=str(_KEEPALIVE_S))),
        hold_s=int(value(timers, "hold", default=str(_HOLD_S))),
        peers={key: _peer(key, row, bgp, maps) for key, row in part(bgp, "neighbor").items()},
        networks={family: tuple(map(canonical, part(table, "network"))) for family, table in tables.items()},
        redistribute={family: tuple(_redistributed(table, maps)) for family, table in tables.items()},
        maximum_paths={
            family: int(value(table, "multipaths", "ebgp", default=str(_MULTIPATHS)))
            for family, table in tables.items()
        },
    )


def _redistributed(table: Tree, maps: Mapping[str, Policy]) -> Iterator[tuple[str, Policy | None]]:
    for kind, row in part(table, "redistribute").items():
        if is_on(row, "state"):
            name = value(row, "route-map")
            yield kind, maps.get(name, ()) if name else None


def _peer(key: str, row: Json, bgp: Tree, maps: Mapping[str, Policy]) -> Peer:
    """A neighbor with what its group gives it."""
    group = value(row, "peer-group")
    shared = part(bgp, "peer-group", group) if group else {}
    return Peer(
        key=key,
        over_interface=value(row, "type", default="numbered") == "unnumbered",
        remote=value(row, "remote-as") or value(shared, "remote-as"),
        group=group,
        shutdown=is_on(row, "shutdown") or is_on(shared, "shutdown"),
        description=value(row, "description"),
        families={family: _family_peer(family, row, shared, bgp, maps) for family in FAMILIES},
    )


def _family_peer(family: str, row: Json, shared: Tree, bgp: Tree, maps: Mapping[str, Policy]) -> FamilyPeer:
    """One family of a neighbor. IPv4 is on unless it is switched off, IPv6 off unless it is switched on."""
    where = ("address-family", f"{family}-unicast")
    table, own, of_group = part(bgp, *where), part(row, *where), part(shared, *where)
    by_default = family == "ipv4"
    active = is_on(own, "state", default=is_on(of_group, "state", default=by_default))
    inbound, outbound = (
        value(own, "policy", way, "route-map") or value(of_group, "policy", way, "route-map")
        for way in ("inbound", "outbound")
    )
    allowing = next((p for one in (own, of_group) if (p := part(one, "aspath", "allow-my-asn"))), {})
    occurrences = int(value(allowing, "occurrences", default=str(_OCCURRENCES)))
    return FamilyPeer(
        active=active and is_on(table, "state", default=by_default),
        policy_in=maps.get(inbound, ()) if inbound else None,
        policy_out=maps.get(outbound, ()) if outbound else None,
        allowas_in=occurrences if is_on(allowing, "state") else 0,
    )
