"""BGP and its policies out of EOS's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Final, TypeVar

from netaudit.platforms.eos.names import expanded
from netaudit.platforms.eos.policies_read import ALL_ASNS, Policies, asn_of, policy_line, prefix_of
from netaudit.platforms.eos.text import Line
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, BgpVrf

T = TypeVar("T")
DEFAULT = "default"
DEFAULT_TIMERS: Final = (60, 180)
"""Keepalive and hold time in seconds where nobody says them: EOS's defaults."""
DEFAULT_LOOPS: Final = 3
"""What `allowas-in` without a number stands for."""
FAMILIES = ("ipv4", "ipv6")


@dataclass(slots=True)
class _Peer:
    """A neighbor, or a peer group."""

    group: str = ""
    remote: str | None = None
    peer_filter: str | None = None
    policies: dict[tuple[str, str], str] = field(default_factory=dict)
    """(address family, `in` or `out`) → route-map; without a family it is that of all which have none."""
    families: set[str] = field(default_factory=set)
    loops: int | None = None
    strict: set[str] = field(default_factory=set)
    """Directions in which nothing passes without a policy."""


@dataclass(slots=True)
class _Speaker:
    """`router bgp`, or a VRF in it."""

    asn: int | None = None
    router_id: str | None = None
    relax: bool = True
    timers: tuple[int, int] = DEFAULT_TIMERS
    paths: int | None = None
    networks: set[str] = field(default_factory=set)
    neighbors: dict[str, _Peer] = field(default_factory=dict)
    strict: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Routing:
    """What a walk over the lines has gathered."""

    speakers: dict[str, _Speaker] = field(default_factory=lambda: {DEFAULT: _Speaker()})
    groups: dict[str, _Peer] = field(default_factory=dict)
    discards: set[str] = field(default_factory=set)
    policies: Policies = field(default_factory=Policies)
    unmodelled: set[str] = field(default_factory=set)


def routing_line(found: Routing, line: Line) -> bool:
    """Take one top line and what is below it into account; `False` if it is not of BGP or its policies."""
    match line.words:
        case ["router", "bgp", number] if asn_of(number) is not None:
            speaker = found.speakers[DEFAULT]
            speaker.asn = asn_of(number)
            _lines(found, speaker, line.below)
        case ["ip" | "ipv6", "route", prefix, "Null0" | "null0"] if (network := prefix_of(prefix)) is not None:
            found.discards.add(network)
        case _:
            return policy_line(found.policies, line)
    return True


def _lines(found: Routing, speaker: _Speaker, lines: Sequence[Line]) -> None:
    for line in lines:
        match line.words:
            case ["address-family", "ipv4" | "ipv6" as family] | [
                "address-family",
                "ipv4" | "ipv6" as family,
                "unicast",
            ]:
                for below in line.below:
                    if not _family_line(found, speaker, family, below.words):
                        found.unmodelled.add(below.text)
            case ["vrf", name] if speaker is found.speakers[DEFAULT]:
                inner = found.speakers.setdefault(name, _Speaker())
                inner.asn = speaker.asn
                _lines(found, inner, line.below)
            case words if not _speaker_line(found, speaker, words):
                found.unmodelled.add(line.text)
                found.unmodelled.update(below.text for below in line.below)


def _speaker_line(found: Routing, speaker: _Speaker, words: list[str]) -> bool:
    match words:
        case ["router-id", address]:
            speaker.router_id = address
        case ["local-as", number] if asn_of(number) is not None:
            speaker.asn = asn_of(number)
        case ["maximum-paths", paths] if paths.isdecimal():
            speaker.paths = int(paths[:6])
        case ["maximum-paths", paths, "ecmp", ecmp] if paths.isdecimal() and ecmp.isdecimal():
            speaker.paths = min(int(paths[:6]), int(ecmp[:6]))
        case ["timers", "bgp", keepalive, hold, *_] if keepalive.isdecimal() and hold.isdecimal() and len(words) == 4:
            speaker.timers = (int(keepalive[:6]), int(hold[:6]))
        case ["bgp", "bestpath", "as-path", "multipath-relax"]:
            speaker.relax = True
        case ["no", "bgp", "bestpath", "as-path", "multipath-relax"]:
            speaker.relax = False
        case ["no", "bgp", "default", "ipv4-unicast"]:
            pass
        case ["network", prefix] if (network := prefix_of(prefix)) is not None:
            speaker.networks.add(network)
        case ["bgp", "listen", "range", prefix, "peer-group", group, "peer-filter", name] if _host(prefix):
            speaker.neighbors[str(_host(prefix))] = _Peer(group=group, peer_filter=name)
        case ["neighbor", "interface", ports, "peer-group", group, *rest]:
            return _interfaces(speaker, ports, group, rest)
        case ["neighbor", name, *rest]:
            return _neighbor_line(found, speaker, name, rest)
        case _:
            return False
    return True


def _host(text: str) -> str | None:
    network = prefix_of(text)
    if network is None or ip_network(network).num_addresses != 1:
        return None
    return str(ip_network(network).network_address)


def _interfaces(speaker: _Speaker, ports: str, group: str, rest: list[str]) -> bool:
    match rest:
        case [] | ["remote-as", _] | ["peer-filter", _]:
            for port in expanded(ports):
                peer = _Peer(group=group)
                peer.remote = rest[1] if rest[:1] == ["remote-as"] else None
                peer.peer_filter = rest[1] if rest[:1] == ["peer-filter"] else None
                speaker.neighbors[port] = peer
            return True
    return False


def _peer(found: Routing, speaker: _Speaker, name: str) -> _Peer:
    """The neighbor of that address; of other names, the group."""
    try:
        address = str(ip_address(name))
    except ValueError:
        return found.groups.setdefault(name, _Peer())
    return speaker.neighbors.setdefault(address, _Peer())


def _neighbor_line(found: Routing, speaker: _Speaker, name: str, rest: list[str]) -> bool:
    match rest:
        case ["peer", "group"] | ["peer-group"]:
            found.groups.setdefault(name, _Peer())
        case ["peer", "group", group] | ["peer-group", group]:
            _peer(found, speaker, name).group = group
        case ["remote-as", number]:
            _peer(found, speaker, name).remote = number
        case ["allowas-in"]:
            _peer(found, speaker, name).loops = DEFAULT_LOOPS
        case ["allowas-in", number] if number.isdecimal():
            _peer(found, speaker, name).loops = int(number[:4])
        case ["route-map", policy, "in" | "out" as way]:
            _peer(found, speaker, name).policies["", way] = policy
        case ["missing-policy", "address-family", "all", "direction", "in" | "out" as way, "action", "deny"]:
            _peer(found, speaker, name).strict.add(way)
        case _:
            return False
    return True


def _family_line(found: Routing, speaker: _Speaker, family: str, words: list[str]) -> bool:
    match words:
        case ["network", prefix] if (network := prefix_of(prefix)) is not None:
            speaker.networks.add(network)
        case ["neighbor", name, "activate"]:
            _peer(found, speaker, name).families.add(family)
        case ["neighbor", name, "route-map", policy, "in" | "out" as way]:
            _peer(found, speaker, name).policies[family, way] = policy
        case ["neighbor", _, "next-hop", "address-family", "ipv6", "originate"]:
            pass
        case ["bgp", "missing-policy", "direction", "in" | "out" as way, "action", "deny"]:
            speaker.strict.add(way)
        case _:
            return False
    return True


def read_bgp(found: Routing, keys: Mapping[str, str]) -> Bgp:
    """All of it. `keys`: native port name → `cage[/sub]`."""
    speakers = {vrf: _speaker(found, speaker) for vrf, speaker in found.speakers.items()}
    default = speakers.pop(DEFAULT)
    neighbors = {
        keys.get(name, name): _neighbor(found, speaker, peer, vrf)
        for vrf, speaker in found.speakers.items()
        for name, peer in speaker.neighbors.items()
    }
    return Bgp(
        asn=default.asn,
        router_id=default.router_id,
        multipath_relax=default.multipath_relax,
        maximum_paths=default.maximum_paths,
        keepalive_s=default.keepalive_s,
        hold_s=default.hold_s,
        requires_policy=default.requires_policy,
        networks=default.networks,
        discards=frozenset(found.discards),
        policies=found.policies.named,
        neighbors=neighbors,
        vrfs=speakers,
        unmodelled=frozenset(found.unmodelled | found.policies.unmodelled | found.policies.unused),
    )


def _speaker(found: Routing, speaker: _Speaker) -> BgpVrf:
    peers = [(peer, found.groups.get(peer.group, _Peer())) for peer in speaker.neighbors.values()]
    return BgpVrf(
        asn=_known(speaker.asn),
        router_id=_known(speaker.router_id),
        multipath_relax=speaker.relax,
        maximum_paths=_known(speaker.paths),
        keepalive_s=speaker.timers[0],
        hold_s=speaker.timers[1],
        requires_policy=all(speaker.strict | peer.strict | group.strict == {"in", "out"} for peer, group in peers),
        networks=frozenset(speaker.networks),
    )


def _known(value: T | None) -> T | Absent:
    return ABSENT if value is None else value


def _neighbor(found: Routing, speaker: _Speaker, peer: _Peer, vrf: str) -> BgpNeighbor:
    group = found.groups.get(peer.group, _Peer())
    families = group.families | peer.families
    loops = peer.loops if peer.loops is not None else group.loops
    return BgpNeighbor(
        vrf=vrf,
        remote=_remote(found, speaker, peer, group),
        import_policy=_policy(peer, group, families, "in"),
        export_policy=_policy(peer, group, families, "out"),
        families=frozenset(families),
        allowas_in=dict.fromkeys(sorted(families), loops) if loops else {},
    )


def _policy(peer: _Peer, group: _Peer, families: set[str], way: str) -> str | Absent:
    """The policy of a session: none where one of its families has none, and both where they have two."""
    said = {**group.policies, **peer.policies}
    used = {said.get((family, way), said.get(("", way), "")) for family in families or {""}}
    return ABSENT if "" in used else " and ".join(sorted(used))


def _remote(found: Routing, speaker: _Speaker, peer: _Peer, group: _Peer) -> str | Absent:
    """What the peer's ASN has to be: a number, or `external` where a filter accepts all but our own."""
    said = peer.remote or group.remote
    if peer.peer_filter is not None:
        rules = found.policies.filters.get(peer.peer_filter, [])
        own = speaker.asn or 0
        return "external" if rules == [(own, own, False), (*ALL_ASNS, True)] else f"filter {peer.peer_filter}"
    number = asn_of(said) if said else None
    return str(number) if number is not None else said or ABSENT
