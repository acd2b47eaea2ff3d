"""What FRR says of its sessions and routes, in its own JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from ipaddress import ip_network

from netaudit.platforms.sonic.tables import Row, Unreadable, asn
from netaudit.platforms.sonic.vrf import vrf_of
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Leaf, Route, RouteKey

FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6"}
DEFAULT = "default"
_BGP_PROTOCOLS = ("bgp", "0xba", "186")
"""BGP as fpmsyncd writes it: by name, or by RTPROT_BGP of rtnetlink(7) where the system has no name for it."""
_NO_HOPS = Route(frozenset(), frozenset())


def read_sessions(answer: object, keys: Mapping[str, str]) -> Bgp:
    """Sessions of `show bgp vrf all summary json`. One counts as Established if it is so in every family it is in.

    The ASN and the other words of the speaker are those of the default VRF.
    """
    neighbors: dict[str, BgpNeighbor] = {}
    own: Leaf[int] = ABSENT
    relax: Leaf[bool] = None
    for vrf, data in _instances(answer, "show bgp summary", FAMILIES).items():
        for family in (data[name] for name in FAMILIES if isinstance(data.get(name), Mapping)):
            table = _object(family, "family")
            if vrf == DEFAULT:
                own = _asn(table.get("as"))
                relax = _relaxed(table) if relax is None else relax
            for peer, row in _object(table.get("peers", {}), "peers").items():
                neighbor = _session(_object(row, f"peer {peer}"))
                key = keys.get(str(peer), str(peer))
                before = neighbors.get(key)
                if before is None or before.session == "Established":
                    neighbors[key] = neighbor
    return Bgp(asn=own, multipath_relax=relax, neighbors=neighbors)


def _instances(
    answer: object, what: str, alone: Collection[str], named: Callable[[str], str] = vrf_of
) -> Mapping[str, Mapping[str, object]]:
    """VRF → its part of an answer for all of them; one with a key of `alone` is an answer for the default VRF."""
    data = _object(answer, what)
    if not data.keys().isdisjoint(alone):
        return {DEFAULT: data}
    return {named(str(name)): _object(part, f"{what}, VRF {name}") for name, part in data.items()}


def _relaxed(family: Mapping[str, object]) -> Leaf[bool]:
    """Does the speaker use paths through different ASNs together? FRR writes the flag as text, so `"false"` is no."""
    best = family.get("bestPath")
    told = best.get("multiPathRelax") if isinstance(best, Mapping) else None
    # `as-set`: relaxed, and aggregated with an AS set (bgp_show_bestpath_json of FRR)
    return True if told in ("true", "as-set", True) else False if told in ("false", False) else None


def _session(row: Mapping[str, object]) -> BgpNeighbor:
    state = str(row.get("state", "")) or ABSENT
    remote = _asn(row.get("remoteAs"))
    # FRR says 0 until an OPEN told it: nobody knows the number, which is not a wrong one
    return BgpNeighbor(session=state, remote_asn=remote if remote != 0 else None)


def _asn(value: object) -> Leaf[int]:
    """asplain or asdot, as number or text."""
    if isinstance(value, int):
        return value
    text = str(value or "")
    number = asn(text, "ASN") if text else ABSENT
    if isinstance(number, int) and not 0 <= number < 2**32:
        raise Unreadable(f"ASN is {text[:40]!r}, not a number of 32 bits")
    return number


def read_routes(
    bgp: object, routes: object, keys: Mapping[str, str], named: Callable[[str], str] = vrf_of
) -> Mapping[RouteKey, Route]:
    """BGP routes of all VRFs: paths used from `show bgp vrf all … json`, interfaces from `show ip route vrf all json`.

    `routes`: the JSON value of the latter, or a list of several where it prints one a VRF. `named`: our name of a VRF
    of FRR's, which on SONiC has a word before it.
    """
    ribs = _ribs(routes, named)
    result: dict[RouteKey, Route] = {}
    hops_seen: dict[tuple[str, ...], frozenset[str]] = {}
    for vrf, data in _instances(bgp, "show bgp", ("routes",), named).items():
        rib = ribs.get(vrf, {})
        for prefix, paths in _object(data.get("routes", {}), "routes").items():
            used = [p for p in _list(paths) if p.get("valid") is True and (_best(p) or p.get("multipath") is True)]
            if not used:
                continue
            as_paths = frozenset(_path(p) for p in used)
            own = as_paths == frozenset({()})
            names = () if own else _hops(rib.get(prefix), keys)
            hops = hops_seen.setdefault(names, frozenset(names))
            result[vrf, str(ip_network(str(prefix), strict=False))] = Route(hops, as_paths)
    return result


def _ribs(routes: object, named: Callable[[str], str]) -> Mapping[str, Mapping[str, object]]:
    """VRF → prefix → its routes. FRR 10.1 names the VRF around a table, older ones in each route only (#15632)."""
    found: dict[str, Mapping[str, object]] = {}
    for answer in routes if isinstance(routes, list) else [routes]:
        data = _object(answer, "show ip route")
        for name, part in data.items() if any(isinstance(part, Mapping) for part in data.values()) else ():
            found[named(str(name))] = _object(part, f"show ip route, VRF {name}")
        first = next((entry for entries in data.values() for entry in _list(entries)), None)
        if first is not None:
            found[named(str(first.get("vrfName", DEFAULT)))] = data
    return found


def read_applied_routes(
    table: Mapping[str, Row], keys: Mapping[str, str], known: Mapping[RouteKey, Route]
) -> Mapping[RouteKey, Route]:
    """Next hops of APPL_DB ROUTE_TABLE, of BGP's routes in all VRFs. AS paths do not stand there.

    A row without a protocol (older fpmsyncd) counts where BGP is `known` to have the prefix. Raises `Unreadable`.
    """
    result: dict[RouteKey, Route] = {}
    hops_seen: dict[str, frozenset[str]] = {}
    for name, row in table.items():
        vrf, prefix = _vrf_prefix(name)
        protocol = str(row.get("protocol", ""))
        learned = prefix is not None and bool(known.get((vrf, prefix), _NO_HOPS).hops)
        if prefix is None or (protocol not in _BGP_PROTOCOLS if protocol else not learned):
            continue
        if row.get("nexthop_group"):
            raise Unreadable(f"ROUTE_TABLE|{name} names a next-hop group, which is not read")
        ports = str(row.get("ifname", ""))
        hops = hops_seen.get(ports)
        if hops is None:
            hops = hops_seen[ports] = frozenset(keys.get(port, port) for port in ports.split(",") if port)
        result[vrf, prefix] = Route(hops, frozenset())
    return result


def _vrf_prefix(key: str) -> tuple[str, str | None]:
    """VRF and prefix of a key of ROUTE_TABLE (`Vrf_red:10.0.0.0/24`); `None` for other text, as a label of MPLS.

    Host routes have no length.
    """
    name, colon, prefix = key.partition(":")
    vrf, text = (vrf_of(name), prefix) if colon and name.startswith("Vrf") else (DEFAULT, key)
    try:
        return vrf, str(ip_network(text, strict=False))
    except ValueError:
        return vrf, None


def merge_families(parts: Sequence[Mapping[RouteKey, Route] | None]) -> Mapping[RouteKey, Route] | None:
    """v4 and v6 together; `None` unless both were read, since a missing half would look like missing routes."""
    merged: dict[RouteKey, Route] = {}
    for part in parts:
        if part is None:
            return None
        merged.update(part)
    return merged


def _best(path: Mapping[str, object]) -> bool:
    """`bestpath` is true, or (in the form for one prefix) an object with `overall` (lab.md, RIB read)."""
    best = path.get("bestpath")
    return best is True or (isinstance(best, Mapping) and best.get("overall") is True)


def _path(path: Mapping[str, object]) -> tuple[int, ...]:
    words = str(path.get("path", "")).split()
    return tuple(asn(word, "AS path") for word in words if word.replace(".", "", 1).isdigit())


def _hops(entries: object, keys: Mapping[str, str]) -> tuple[str, ...]:
    """Interfaces of the selected BGP route, as the kernel got them, sorted."""
    names: list[str] = []
    for entry in _list(entries):
        if entry.get("protocol") != "bgp" or entry.get("selected") is not True:
            continue
        for hop in _list(entry.get("nexthops")):
            if hop.get("active") is True and hop.get("fib", True) is True:
                port = str(hop.get("interfaceName") or "")
                names.append(keys.get(port, port) if port else _unnamed(str(hop.get("ip") or ""), names))
    return tuple(sorted(set(names)))


def _unnamed(address: str, names: Sequence[str]) -> str:
    """A next hop without a port by its address. Two entries are two ways: all peers may be fe80::1."""
    count = sum(name.partition(" ")[0] == address for name in names)
    return f"{address} ({count + 1})" if count else address


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise Unreadable(f"{what}: not a JSON object")
    return value


def _list(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
