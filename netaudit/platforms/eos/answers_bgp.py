"""What EOS says of its BGP sessions and routes, in the JSON of its CLI, or in the words of `show ip bgp neighbors`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.platforms.eos.answers_json import DEFAULT, Unreadable, asn, objects, parsed, peer, prefix, rows, word
from netaudit.platforms.eos.names import full_name
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Leaf, Route, RouteKey

NOT_FOUND: Final = "no neighbor found"
"""The word for a session over a port where nobody was discovered: EOS lists no peer there, as it has no address."""


Json = Mapping[str, object]


def vrfs(text: str) -> Json:
    """The JSON of an answer for all VRFs. Raises `Unreadable`."""
    data = parsed(text)
    if not isinstance(data.get("vrfs"), Mapping):
        raise Unreadable("the answer has no `vrfs`")
    return data


def tables(text: str) -> Json:
    """The routing tables by VRF; a table that stands by itself, as older releases print it, is the default one's."""
    data = parsed(text)
    if isinstance(data.get("routes"), Mapping):
        return {"vrfs": {DEFAULT: data}}
    return vrfs(text)


def read_sessions(answers: tuple[Json, ...], keys: Mapping[str, str], configured: Bgp | None) -> Bgp:
    """Sessions of `show ip bgp summary vrf all | json` and its twin for IPv6, each once, by port or address.

    A session that is in both counts as Established if it is so in both. One of the configuration that is in none is
    down: EOS leaves out those over a port where nobody is. Raises `Unreadable`.
    """
    found: dict[str, BgpNeighbor] = {}
    own: Leaf[int] = ABSENT
    for answer in answers:
        for vrf, table in objects(answer, "vrfs"):
            if vrf == DEFAULT and (number := asn(word(table, "asn"))) is not None:
                own = number
            for name, row in objects(table, "peers"):
                key, session = _key(name, keys), _session(row)
                before = found.get(key)
                if before is None or before.session == "Established":
                    found[key] = session
    for key, neighbor in ((configured.neighbors or {}) if configured else {}).items():
        if key not in found and isinstance(neighbor, BgpNeighbor):
            found[key] = BgpNeighbor(session=NOT_FOUND)
    return Bgp(asn=own, neighbors=found)


def _key(name: str, keys: Mapping[str, str]) -> str:
    """The port of a peer over a link-local address, else the address. `Et3` in the zone is short for a name."""
    address, zone = peer(name)
    port = full_name(zone) if zone else full_name(address)
    return keys.get(port, port if zone else address)


def _session(row: Mapping[str, object]) -> BgpNeighbor:
    return BgpNeighbor(session=word(row, "peerState") or ABSENT, remote_asn=asn(word(row, "asn")))


_NEIGHBOR: Final = re.compile(r"(?m)^BGP neighbor is (\S{1,80}), remote AS (\S{1,20}),", re.ASCII)
_STATE: Final = re.compile(r"(?m)^ +BGP state is (\w+)", re.ASCII)


def read_neighbors_text(text: str, keys: Mapping[str, str]) -> Mapping[str, BgpNeighbor]:
    """The same of `show ip bgp neighbors vrf all`, words that come as text inside `{"output": …}` too."""
    if text.lstrip().startswith("{"):
        text = word(parsed(text), "output")
    heads = list(_NEIGHBOR.finditer(text))
    if not heads:
        raise Unreadable("no line `BGP neighbor is …`")
    found = {}
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        state = _STATE.search(text, head.end(), after.start() if after else len(text))
        session: Leaf[str] = state[1] if state else ABSENT
        found[_key(head[1], keys)] = BgpNeighbor(session=session, remote_asn=asn(head[2]))
    return found


def read_routes(table: Json, rib: Json, keys: Mapping[str, str]) -> Mapping[RouteKey, Route]:
    """BGP routes of all VRFs: paths used from `show ip bgp vrf all | json`, ports from `show ip route vrf all | json`.

    A prefix of our own has no hops and the empty path. Raises `Unreadable`.
    """
    ports = _ports(rib, keys)
    hops_seen: dict[frozenset[str], frozenset[str]] = {}
    result: dict[RouteKey, Route] = {}
    for vrf, data in objects(table, "vrfs"):
        for name, entry in objects(data, "bgpRouteEntries"):
            used = [path for path in rows(entry, "bgpRoutePaths") if _used(path)]
            if not used:
                continue
            as_paths = frozenset(map(_as_path, used))
            net = prefix(name)
            own = as_paths == frozenset({()})
            hops = frozenset() if own else ports.get((vrf, net)) or _next_hops(used, keys)
            result[vrf, net] = Route(hops_seen.setdefault(hops, hops), as_paths)
    return result


def _used(path: Mapping[str, object]) -> bool:
    """The best path, and those beside it that share the load."""
    kind = path.get("routeType")
    if not isinstance(kind, Mapping) or kind.get("valid") is not True:
        return False
    return kind.get("active") is True or (kind.get("ecmp") is True and kind.get("ecmpContributor") is not False)


def _as_path(path: Mapping[str, object]) -> tuple[int, ...]:
    """The numbers of a path: `65001 65239 e` ends in the letter of its origin, sets and confederations in brackets."""
    words = word(path, "asPathEntry", "asPath").split()
    return tuple(n for n in (asn(w) for w in words if w[:1].isdigit()) if n is not None)


def _next_hops(paths: list[Mapping[str, object]], keys: Mapping[str, str]) -> frozenset[str]:
    """What the paths themselves say, where the routing table has nothing: ports of zones, else addresses."""
    return frozenset(_key(hop, keys) for hop in (word(path, "nextHop") for path in paths) if hop)


def _ports(rib: Json, keys: Mapping[str, str]) -> Mapping[RouteKey, frozenset[str]]:
    """(VRF, prefix) → where BGP's routes leave, by port; a way without a port by its address."""
    seen: dict[tuple[str, ...], frozenset[str]] = {}
    found: dict[RouteKey, frozenset[str]] = {}
    for vrf, data in objects(rib, "vrfs"):
        for name, route in objects(data, "routes"):
            if "bgp" not in word(route, "routeType").lower():
                continue
            ways = tuple(word(via, "interface") or word(via, "nexthopAddr") for via in _vias(route))
            hops = seen.get(ways)
            if hops is None:
                hops = seen[ways] = frozenset(keys.get(full_name(way), way) for way in ways if way)
            found[vrf, prefix(name)] = hops
    return found


def _vias(route: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The ways of a route; one that is resolved through another has them a level deeper."""
    for via in rows(route, "vias"):
        deeper = tuple(rows(via, "vias"))
        yield from deeper or (via,)


def merge(parts: tuple[Mapping[RouteKey, Route] | None, ...]) -> Mapping[RouteKey, Route] | None:
    """v4 and v6 together; `None` unless both were read, since a missing half would look like missing routes."""
    if any(part is None for part in parts):
        return None
    return {key: route for part in parts if part is not None for key, route in part.items()}
