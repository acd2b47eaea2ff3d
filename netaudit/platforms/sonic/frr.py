"""FRR's configuration text: what the template prints, read back into `Bgp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network

from netaudit.platforms.sonic.tables import Unreadable, asn, integer
from netaudit.state import ABSENT, Absent, Bgp, BgpNeighbor, Device, Policy, PolicyRule

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


def context(device: Device) -> Mapping[str, object]:
    """What `frr.conf.j2` prints. `None` leaves are left out of the text; nothing is decided there."""
    bgp = device.bgp or Bgp()
    names = {key: p.native if isinstance(p.native, str) else key for key, p in (device.ports or {}).items()}
    groups = _groups(bgp)
    return {
        "prefix_lists": [
            line for name, policy in sorted((bgp.policies or {}).items()) for line in _lists(name, policy)
        ],
        "route_maps": [(name, families(p)) for name, p in sorted((bgp.policies or {}).items())],
        "discards": [(_word(p), p) for p in _sorted(bgp.discards)],
        "asn": bgp.asn,
        "router_id": _known(bgp.router_id),
        "requires_policy": bgp.requires_policy is True,
        "multipath_relax": bgp.multipath_relax is True,
        "timers": _timers(bgp),
        "groups": [(name, _known(group.remote)) for name, group in groups.items()],
        "neighbors": [
            (names.get(key, key), _group_of(n, groups), key in names) for key, n in (bgp.neighbors or {}).items()
        ],
        "families": [_family(f, bgp, groups) for f in ("ipv4", "ipv6")],
        "raw": (bgp.raw or "").splitlines(),
    }


def _known(value: object) -> object:
    return None if value is ABSENT else value


def _sorted(prefixes: frozenset[str] | Absent | None) -> list[str]:
    known = prefixes if isinstance(prefixes, frozenset) else frozenset()
    return sorted(known, key=lambda p: (ip_network(p).version, ip_network(p)))


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


def _lists(name: str, policy: Policy) -> list[str]:
    lines = []
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    for version in (4, 6):
        rules = [r for r in permits if ip_network(r.prefix).version == version]
        for number, rule in enumerate(sorted(rules, key=lambda r: (ip_network(r.prefix), r.up_to)), start=1):
            longer = f" le {rule.up_to}" if rule.up_to > ip_network(rule.prefix).prefixlen else ""
            lines.append(f"{_word(rule.prefix)} prefix-list {name} seq {5 * number} permit {rule.prefix}{longer}")
    return lines


def families(policy: Policy) -> list[str]:
    """`ip` and `ipv6`, as far as a policy has rules of them."""
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    return sorted({_word(rule.prefix) for rule in permits})


def _timers(bgp: Bgp) -> tuple[int, int] | None:
    """The timers, unless the profile has the same: FRR would not show the line and a reload re-adds it for ever."""
    if not isinstance(bgp.keepalive_s, int) or not isinstance(bgp.hold_s, int):
        return None
    pair = (bgp.keepalive_s, bgp.hold_s)
    return None if pair == PROFILE_TIMERS["datacenter"] else pair


def _groups(bgp: Bgp) -> dict[str, BgpNeighbor]:
    """One peer-group for each set of equal neighbor settings, so that the text stays short."""
    groups: dict[str, BgpNeighbor] = {}
    for neighbor in (bgp.neighbors or {}).values():
        if not any(_same(neighbor, g) for g in groups.values()):
            groups["FABRIC" if not groups else f"FABRIC{len(groups) + 1}"] = neighbor
    return groups


def _same(one: BgpNeighbor, other: BgpNeighbor) -> bool:
    return (one.remote, one.import_policy, one.export_policy, one.families) == (
        other.remote,
        other.import_policy,
        other.export_policy,
        other.families,
    )


def _group_of(neighbor: BgpNeighbor, groups: Mapping[str, BgpNeighbor]) -> str:
    return next(name for name, group in groups.items() if _same(neighbor, group))


def _family(name: str, bgp: Bgp, groups: Mapping[str, BgpNeighbor]) -> Mapping[str, object]:
    version = 4 if name == "ipv4" else 6
    active = {g: n for g, n in groups.items() if isinstance(n.families, frozenset) and name in n.families}
    return {
        "name": name,
        "networks": [p for p in _sorted(bgp.networks) if ip_network(p).version == version],
        "groups": [(g, _known(n.import_policy), _known(n.export_policy)) for g, n in active.items()],
        "maximum_paths": _known(bgp.maximum_paths) if active else None,
    }


@dataclass(slots=True)
class _Neighbor:
    group: str = ""
    remote: str | None = None
    policies: dict[str, str] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Text:
    """What a walk over the lines has gathered so far."""

    profile: str = "traditional"
    asn: int | None = None
    router_id: str | None = None
    relax: bool = False
    requires_policy: bool | None = None
    timers: tuple[int, int] | None = None
    groups: dict[str, _Neighbor] = field(default_factory=dict)
    neighbors: dict[str, _Neighbor] = field(default_factory=dict)
    networks: set[str] = field(default_factory=set)
    discards: set[str] = field(default_factory=set)
    lists: dict[str, set[PolicyRule]] = field(default_factory=dict)
    maps: dict[str, set[str]] = field(default_factory=dict)
    open_entries: set[str] = field(default_factory=set)
    """Entries of route-maps that match nothing so far: left so, they let everything through."""
    paths: dict[str, int] = field(default_factory=dict)
    """Address family → `maximum-paths`."""
    denying: set[str] = field(default_factory=set)
    """Route-maps that begin by refusing everything."""
    unmodelled: set[str] = field(default_factory=set)


def read_frr(text: str, keys: Mapping[str, str]) -> Bgp:
    """The BGP configuration a text describes. `keys`: native port name → `cage[/sub]`.

    Raises `Unreadable` where a line that we know has no number where one must stand.
    """
    found = _Text()
    router = family = route_map = ""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            continue
        if line.startswith("frr defaults "):
            found.profile = line.split()[2]
        elif line == "exit-address-family":
            family = ""
        elif line == "exit":
            router, family, route_map = ("", "", "") if not family else (router, "", route_map)
        elif line.startswith(SILENT):
            continue
        elif line.startswith("router bgp "):
            router, family, route_map = line, "", ""
            _router(found, line)
        elif line.startswith("address-family ") and router:
            family = line.split()[1] if line.split()[2:] in ([], ["unicast"]) else line
        elif line.startswith("route-map ") and not raw.startswith(" "):
            router, family, route_map = "", "", _route_map(found, line)
        elif not _line(
            found, line, router if raw.startswith(" ") else "", family, route_map if raw.startswith(" ") else ""
        ):
            found.unmodelled.add(line)
    return _bgp(found, keys)


def _router(found: _Text, line: str) -> None:
    words = line.split()
    if len(words) > 3:
        found.unmodelled.add(line)
    else:
        found.asn = asn(words[2], "router bgp")


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


def _line(found: _Text, line: str, router: str, family: str, route_map: str) -> bool:
    """Take one line into account; `False` if no leaf stands for it."""
    words = line.split()
    if family:
        return _family_line(found, words, family)
    if router:
        return _router_line(found, words)
    if route_map:
        return _match_line(found, words, route_map)
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


def _router_line(found: _Text, words: list[str]) -> bool:
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


def _neighbor_line(found: _Text, name: str, rest: list[str]) -> bool:
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


def _family_line(found: _Text, words: list[str], family: str) -> bool:
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
    else:
        return False
    return True


def _bgp(found: _Text, keys: Mapping[str, str]) -> Bgp:
    keepalive, hold = found.timers or PROFILE_TIMERS.get(found.profile, PROFILE_TIMERS["traditional"])
    requires = found.requires_policy if found.requires_policy is not None else found.profile != "datacenter"
    used = {name for lists in found.maps.values() for name in lists}
    unused = {f"{name} prefix-list without a route-map" for name in found.lists if name not in used}
    return Bgp(
        asn=ABSENT if found.asn is None else found.asn,
        router_id=found.router_id or ABSENT,
        multipath_relax=found.relax,
        maximum_paths=_maximum_paths(found),
        keepalive_s=keepalive,
        hold_s=hold,
        requires_policy=requires,
        networks=frozenset(found.networks),
        discards=frozenset(found.discards),
        policies={
            name: Policy(permits=frozenset(rule for part in parts for rule in found.lists.get(part, ())))
            for name, parts in found.maps.items()
        },
        neighbors={keys.get(name, name): _resolved(n, found.groups) for name, n in found.neighbors.items()},
        unmodelled=frozenset(found.unmodelled | found.open_entries | unused),
    )


def _maximum_paths(found: _Text) -> int | Absent:
    """The smallest of all families in use; `ABSENT` if one of them is left at what FRR was built with."""
    peers = (*found.groups.values(), *found.neighbors.values())
    used = {family for peer in peers for family in peer.families} | found.paths.keys()
    return min(found.paths.values()) if used and used == found.paths.keys() else ABSENT


def _remote(demanded: str | None) -> str | Absent:
    """A number in asplain, whichever way it is written; `external` and `internal` as they are."""
    if demanded and demanded.replace(".", "", 1).isdigit():
        return str(asn(demanded, "remote-as"))
    return demanded or ABSENT


def _resolved(neighbor: _Neighbor, groups: Mapping[str, _Neighbor]) -> BgpNeighbor:
    group = groups.get(neighbor.group, _Neighbor())
    policies = {**group.policies, **neighbor.policies}
    return BgpNeighbor(
        remote=_remote(neighbor.remote or group.remote),
        import_policy=policies.get("in", ABSENT),
        export_policy=policies.get("out", ABSENT),
        families=frozenset(group.families | neighbor.families),
    )
