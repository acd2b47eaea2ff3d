"""FRR's configuration text, read into `Bgp`; `frr_write.py` is the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network

from netaudit.platforms.sonic.tables import Unreadable, asn, integer
from netaudit.platforms.sonic.vrf import vrf_of
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, BgpVrf, Policy, PolicyRule

FRR_ALLOWAS_IN = 3
"""What `allowas-in` without a number stands for (FRR's manual, «Allow AS in»)."""
PROFILE_TIMERS = {"datacenter": (3, 9), "traditional": (60, 180)}
"""`frr defaults` profile → (keepalive, hold) in seconds; FRR prints no line equal to them (lab.md section 2)."""

SILENT = (
    "frr version ",
    "frr defaults ",
    "hostname ",
    "log ",
    "service integrated-vtysh-config",
    "no service integrated-vtysh-config",
    "no fpm use-next-hop-groups",
    "fpm address ",
    "agentx",
    "no ipv6 forwarding",
    "zebra nexthop-group keep ",
    "no zebra nexthop kernel enable",
    "Building configuration",
    "Current configuration",
    "end",
    "exit",
)
"""Lines that say nothing about routing: written by the NOS itself, or the frame around a running configuration."""


@dataclass(slots=True)
class _Neighbor:
    group: str = ""
    remote: str | None = None
    policies: dict[str, str] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)
    loops: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Router:
    """One `router bgp` block."""

    asn: int | None = None
    router_id: str | None = None
    relax: bool = False
    requires_policy: bool | None = None
    timers: tuple[int, int] | None = None
    groups: dict[str, _Neighbor] = field(default_factory=dict)
    neighbors: dict[str, _Neighbor] = field(default_factory=dict)
    networks: set[str] = field(default_factory=set)
    paths: dict[str, int] = field(default_factory=dict)
    """Address family → `maximum-paths`."""


DEFAULT = "default"


@dataclass(slots=True)
class _Text:
    """What a walk over the lines has gathered so far."""

    profile: str = "traditional"
    routers: dict[str, _Router] = field(default_factory=lambda: {DEFAULT: _Router()})
    """VRF → its speaker."""
    discards: set[str] = field(default_factory=set)
    lists: dict[str, set[PolicyRule]] = field(default_factory=dict)
    maps: dict[str, set[str]] = field(default_factory=dict)
    open_entries: set[str] = field(default_factory=set)
    """Entries of route-maps that match nothing so far: left so, they let everything through."""
    denying: set[str] = field(default_factory=set)
    """Route-maps that begin by refusing everything."""
    unmodelled: set[str] = field(default_factory=set)


def read_frr(text: str, keys: Mapping[str, str]) -> Bgp:
    """The BGP configuration a text describes. `keys`: native port name → `cage[/sub]`.

    Raises `Unreadable` where a line that we know has no number where one must stand.
    """
    found, at = _Text(), _At()
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            continue
        if line.startswith("frr defaults "):
            found.profile = line.split()[2]
        elif line == "exit-address-family":
            at.family = ""
        elif line == "exit":
            at = at if at.family else _At()
            at.family = ""
        elif line.startswith(SILENT):
            at = _At() if line == "exit-vrf" else at
        elif line.startswith("router bgp "):
            at = _At(router=_router(found, line))
        elif line.startswith("address-family ") and at.router is not None:
            at.family = line.split()[1] if line.split()[2:] in ([], ["unicast"]) else line
        elif line.startswith("route-map ") and not raw.startswith(" "):
            at = _At(route_map=_route_map(found, line))
        elif line.startswith("vrf ") and not raw.startswith(" "):
            at = _At(foreign=True)
            found.unmodelled.add(line)
        elif not _line(found, line, at if raw.startswith(" ") else _outside(at)):
            found.unmodelled.add(line)
    return _bgp(found, keys)


@dataclass(slots=True)
class _At:
    """The block that a line stands in."""

    router: _Router | None = None
    family: str = ""
    route_map: str = ""
    foreign: bool = False
    """Lines of a VRF that are not BGP's: no leaf stands for them, whatever they would mean outside."""


def _outside(at: _At) -> _At:
    """Where a line without indentation stands: within an address family that is not closed, else outermost."""
    return _At(router=at.router, family=at.family) if at.family else _At()


def _router(found: _Text, line: str) -> _Router:
    """The speaker of a block. One that SONiC has no VRF for, or that is no VRF at all, is read and left aside."""
    words = line.split()
    native = words[4] if len(words) == 5 and words[3] == "vrf" else ""
    if len(words) > 3 and not native.startswith("Vrf"):
        found.unmodelled.add(line)
        return _Router()
    router = found.routers.setdefault(vrf_of(native) if native else DEFAULT, _Router())
    router.asn = asn(words[2], "router bgp")
    return router


def _route_map(found: _Text, line: str) -> str:
    words = line.split()
    if len(words) == 4 and words[2] == "deny" and words[1] not in found.maps:
        # alone it lets nothing through; with entries behind it, those are what no leaf stands for
        found.maps[words[1]] = set()
        found.denying.add(words[1])
        return line
    if len(words) == 4 and words[2] == "permit" and words[1] not in found.denying:
        found.maps.setdefault(words[1], set())
        found.open_entries.add(line)
        return line
    found.unmodelled.add(line)
    return ""


def _line(found: _Text, line: str, at: _At) -> bool:
    """Take one line into account; `False` if no leaf stands for it."""
    words = line.split()
    if at.foreign:
        return False
    if at.family and at.router is not None:
        return _family_line(at.router, words, at.family)
    if at.router is not None:
        return _router_line(at.router, words)
    if at.route_map:
        return _match_line(found, words, at.route_map)
    return _top_line(found, words)


def _top_line(found: _Text, words: list[str]) -> bool:
    if words[:2] in (["ip", "route"], ["ipv6", "route"]) and words[3:] in (["blackhole"], ["Null0"]):
        found.discards.add(_prefix(words[2]))
        return True
    if (
        words[0] in ("ip", "ipv6")
        and words[1:2] == ["prefix-list"]
        and words[3:4] == ["seq"]
        and words[5:6] == ["permit"]
        and len(words) > 6
    ):
        up_to = ip_network(_prefix(words[6])).prefixlen
        if words[7:8] == ["le"] and len(words) == 9:
            up_to = integer(words[8], "prefix-list le")
        elif len(words) != 7:
            return False
        found.lists.setdefault(f"{words[0]} {words[2]}", set()).add(PolicyRule(prefix=_prefix(words[6]), up_to=up_to))
        return True
    return False


def _prefix(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Unreadable(f"{text[:60]!r} is not a prefix") from None


def _match_line(found: _Text, words: list[str], route_map: str) -> bool:
    """One match an entry: two of one entry would both have to hold, which no leaf says."""
    if len(words) == 5 and words[0] == "match" and words[2:4] == ["address", "prefix-list"]:
        if route_map not in found.open_entries:
            return False
        found.open_entries.remove(route_map)
        found.maps[route_map.split()[1]].add(f"{words[1]} {words[4]}")
        return True
    return False


def _router_line(found: _Router, words: list[str]) -> bool:
    simple: dict[str, Callable[[], object]] = {
        "no bgp default ipv4-unicast": lambda: None,
        "bgp bestpath as-path multipath-relax": lambda: setattr(found, "relax", True),
        "bgp ebgp-requires-policy": lambda: setattr(found, "requires_policy", True),
        "no bgp ebgp-requires-policy": lambda: setattr(found, "requires_policy", False),
    }
    line = " ".join(words)
    if line in simple:
        simple[line]()
        return True
    if words[:2] == ["bgp", "router-id"] and len(words) == 3:
        found.router_id = words[2]
        return True
    if words[:2] == ["timers", "bgp"] and len(words) == 4:
        found.timers = (integer(words[2], "timers"), integer(words[3], "timers"))
        return True
    return words[0] == "neighbor" and len(words) > 2 and _neighbor_line(found, words[1], words[2:])


def _neighbor_line(found: _Router, name: str, rest: list[str]) -> bool:
    if rest == ["peer-group"]:
        found.groups.setdefault(name, _Neighbor())
    elif rest[:2] == ["interface", "peer-group"] and len(rest) == 3:
        found.neighbors.setdefault(name, _Neighbor()).group = rest[2]
    elif rest[:2] == ["interface", "remote-as"] and len(rest) == 3:
        found.neighbors.setdefault(name, _Neighbor()).remote = rest[2]
    elif rest[:1] == ["peer-group"] and len(rest) == 2:
        found.neighbors.setdefault(name, _Neighbor()).group = rest[1]
    elif rest[:1] == ["remote-as"] and len(rest) == 2:
        table = found.groups if name in found.groups else found.neighbors
        table.setdefault(name, _Neighbor()).remote = rest[1]
    else:
        return False
    return True


def _family_line(found: _Router, words: list[str], family: str) -> bool:
    if words[0] == "network" and len(words) == 2:
        found.networks.add(_prefix(words[1]))
        return True
    if words[0] == "maximum-paths" and len(words) == 2:
        found.paths[family] = integer(words[1], "maximum-paths")
        return True
    if words[0] != "neighbor" or len(words) < 3:
        return False
    name, rest = words[1], words[2:]
    peer = found.groups.get(name) or found.neighbors.setdefault(name, _Neighbor())
    if rest == ["activate"]:
        peer.families.add(family)
    elif len(rest) == 3 and rest[0] == "route-map" and rest[2] in ("in", "out"):
        if peer.policies.setdefault(rest[2], rest[1]) != rest[1]:
            return False
    elif rest[0] == "allowas-in" and (not rest[1:] or (len(rest) == 2 and rest[1].isdecimal())):
        peer.loops[family] = integer(rest[1], "allowas-in") if rest[1:] else FRR_ALLOWAS_IN
    else:
        return False
    return True


def _bgp(found: _Text, keys: Mapping[str, str]) -> Bgp:
    used = {name for lists in found.maps.values() for name in lists}
    unused = {f"{name} prefix-list without a route-map" for name in found.lists if name not in used}
    speakers = {vrf: _speaker(router, found.profile) for vrf, router in found.routers.items()}
    default = speakers.pop(DEFAULT)
    neighbors, twice = _neighbors(found, keys)
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
        policies={
            name: Policy(permits=frozenset(rule for part in parts for rule in found.lists.get(part, ())))
            for name, parts in found.maps.items()
        },
        neighbors=neighbors,
        vrfs=speakers,
        unmodelled=frozenset(found.unmodelled | found.open_entries | unused | twice),
    )


def _speaker(router: _Router, profile: str) -> BgpVrf:
    """The settings of one block; FRR has the same ones for the default VRF as for others."""
    keepalive, hold = router.timers or PROFILE_TIMERS.get(profile, PROFILE_TIMERS["traditional"])
    return BgpVrf(
        asn=ABSENT if router.asn is None else router.asn,
        router_id=router.router_id or ABSENT,
        multipath_relax=router.relax,
        maximum_paths=_maximum_paths(router),
        keepalive_s=keepalive,
        hold_s=hold,
        requires_policy=router.requires_policy if router.requires_policy is not None else profile != "datacenter",
        networks=frozenset(router.networks),
    )


def _neighbors(found: _Text, keys: Mapping[str, str]) -> tuple[Mapping[str, BgpNeighbor], set[str]]:
    """The neighbors of all VRFs, and lines for those that stand in two: that of the later one counts as the port's."""
    neighbors: dict[str, BgpNeighbor] = {}
    twice: set[str] = set()
    for vrf, router in found.routers.items():
        for name, neighbor in router.neighbors.items():
            key = keys.get(name, name)
            if key in neighbors:
                twice.add(f"neighbor {name} in VRF {neighbors[key].vrf} and in {vrf}")
            neighbors[key] = _resolved(neighbor, router.groups, vrf)
    return neighbors, twice


def _maximum_paths(router: _Router) -> int | Absent:
    """The smallest of all families in use; `ABSENT` if one of them is left at what FRR was built with."""
    peers = (*router.groups.values(), *router.neighbors.values())
    used = {family for peer in peers for family in peer.families} | router.paths.keys()
    return min(router.paths.values()) if used and used == router.paths.keys() else ABSENT


def _remote(demanded: str | None) -> str | Absent:
    """A number in asplain, whichever way it is written; `external` and `internal` as they are."""
    if demanded and demanded.replace(".", "", 1).isdigit():
        return str(asn(demanded, "remote-as"))
    return demanded or ABSENT


def _resolved(neighbor: _Neighbor, groups: Mapping[str, _Neighbor], vrf: str) -> BgpNeighbor:
    group = groups.get(neighbor.group, _Neighbor())
    policies = {**group.policies, **neighbor.policies}
    return BgpNeighbor(
        vrf=vrf,
        remote=_remote(neighbor.remote or group.remote),
        import_policy=policies.get("in", ABSENT),
        export_policy=policies.get("out", ABSENT),
        families=frozenset(group.families | neighbor.families),
        allowas_in={**group.loops, **neighbor.loops},
    )
