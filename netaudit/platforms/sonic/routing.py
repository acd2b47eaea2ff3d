"""What FRR says of its sessions and routes, in its own JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_network

from netaudit.platforms.sonic.tables import Row, Unreadable, asn
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Leaf, Route, RouteKey

FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6"}
_BGP_PROTOCOLS = ("bgp", "0xba", "186")
"""BGP as fpmsyncd writes it: by name, or by RTPROT_BGP of rtnetlink(7) where the system has no name for it."""
_NO_HOPS = Route(frozenset(), frozenset())


def read_sessions(answer: object, keys: Mapping[str, str]) -> Bgp:
    """Sessions of `show bgp summary json`. A session counts as Established if it is so in every family it is in."""
    data = _object(answer, "show bgp summary")
    neighbors: dict[str, BgpNeighbor] = {}
    own: Leaf[int] = ABSENT
    for name in FAMILIES:
        family = data.get(name)
        if not isinstance(family, Mapping):
            continue
        own = _asn(family.get("as"))
        for peer, row in _object(family.get("peers", {}), "peers").items():
            neighbor = _session(_object(row, f"peer {peer}"))
            key = keys.get(str(peer), str(peer))
            before = neighbors.get(key)
            if before is None or before.session == "Established":
                neighbors[key] = neighbor
    return Bgp(asn=own, neighbors=neighbors)


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


def read_routes(bgp: object, routes: object, keys: Mapping[str, str]) -> Mapping[RouteKey, Route]:
    """BGP routes of the default VRF: paths used from `show bgp … json`, interfaces from `show ip route json`."""
    table = _object(_object(bgp, "show bgp").get("routes", {}), "routes")
    rib = _object(routes, "show ip route")
    result: dict[RouteKey, Route] = {}
    hops_seen: dict[tuple[str, ...], frozenset[str]] = {}
    for prefix, paths in table.items():
        used = [p for p in _list(paths) if p.get("valid") is True and (_best(p) or p.get("multipath") is True)]
        if not used:
            continue
        as_paths = frozenset(_path(p) for p in used)
        own = as_paths == frozenset({()})
        names = () if own else _hops(rib.get(prefix), keys)
        hops = hops_seen.setdefault(names, frozenset(names))
        result["default", str(ip_network(str(prefix), strict=False))] = Route(hops, as_paths)
    return result


def read_applied_routes(
    table: Mapping[str, Row], keys: Mapping[str, str], known: Mapping[RouteKey, Route]
) -> Mapping[RouteKey, Route]:
    """Next hops of APPL_DB ROUTE_TABLE, of BGP's routes in the default VRF. AS paths do not stand there.

    A row without a protocol (older fpmsyncd) counts where BGP is `known` to have the prefix. Raises `Unreadable`.
    """
    result: dict[RouteKey, Route] = {}
    hops_seen: dict[str, frozenset[str]] = {}
    for name, row in table.items():
        prefix = _default_vrf(name)
        protocol = str(row.get("protocol", ""))
        learned = prefix is not None and bool(known.get(("default", prefix), _NO_HOPS).hops)
        if prefix is None or (protocol not in _BGP_PROTOCOLS if protocol else not learned):
            continue
        if row.get("nexthop_group"):
            raise Unreadable(f"ROUTE_TABLE|{name} names a next-hop group, which is not read")
        ports = str(row.get("ifname", ""))
        hops = hops_seen.get(ports)
        if hops is None:
            hops = hops_seen[ports] = frozenset(keys.get(port, port) for port in ports.split(",") if port)
        result["default", prefix] = Route(hops, frozenset())
    return result


def _default_vrf(key: str) -> str | None:
    """The prefix of a key of ROUTE_TABLE; `None` in another VRF (`Vrf-red:10.0.0.0/24`). Host routes have no length."""
    try:
        return str(ip_network(key, strict=False))
    except ValueError:
        return None


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
