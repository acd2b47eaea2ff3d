"""BGP tables of Junos: which routes are used, over which ports, with which AS paths (`show route`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Final

from netaudit.platforms.junos.answers_live import DEFAULT, PortOf, asn, physical
from netaudit.platforms.junos.answers_tree import Node, Unreadable, elements, only, word
from netaudit.state import Bgp, Route, RouteKey

_ACTIVE: Final = ("*", "@", "#")
"""In use for both, for routing alone, for forwarding alone (show route, legend of its first lines)."""
_LOCAL: Final = ("Direct", "Static", "Aggregate")
"""Protocols of what a policy of ours announces as its own."""
_TABLE: Final = re.compile(r"(?:([\w-]+)\.)?inet6?\.0", re.ASCII)
"""`inet.0`, or with the routing instance before it; `:vxlan.inet.0`, `mpls.0` and EVPN's are no tables of ours."""
_ORIGINS: Final = ("I", "E", "?")


def read_routes(text: str, port_of: PortOf, configured: Bgp | None) -> Mapping[RouteKey, Route]:
    """BGP's routes in use, learned and own.

    Junos keeps what it announces of its own under the protocol that it is from: a prefix is own where the configuration
    announces it and it has an active route of such a protocol.
    """
    networks = _networks(configured)
    result: dict[RouteKey, Route] = {}
    ports: dict[tuple[str, ...], frozenset[str]] = {}
    paths: dict[tuple[str, ...], frozenset[tuple[int, ...]]] = {}
    for node in only(text, "route-information"):
        for table in elements(node, "route-table"):
            name = _TABLE.fullmatch(word(table, "table-name"))
            for row in elements(table, "rt") if name else ():
                entries = tuple(elements(row, "rt-entry"))
                active = next((one for one in entries if word(one, "active-tag") in _ACTIVE), None)
                if active is None:
                    continue
                key = ((name[1] if name else "") or DEFAULT, _prefix(row))
                protocol = word(active, "protocol-name")
                if protocol in _LOCAL and key in networks:
                    result[key] = Route(frozenset(), frozenset({()}))
                elif protocol == "BGP":
                    hops, said = tuple(_hops(active, port_of)), tuple(_used_paths(active, entries))
                    result[key] = Route(
                        ports.setdefault(hops, frozenset(hops)), paths.setdefault(said, frozenset(map(_path, said)))
                    )
    return result


def _networks(configured: Bgp | None) -> frozenset[RouteKey]:
    if configured is None:
        return frozenset()
    speakers = {DEFAULT: configured.networks, **{vrf: one.networks for vrf, one in (configured.vrfs or {}).items()}}
    return frozenset(
        (vrf, prefix) for vrf, found in speakers.items() if isinstance(found, frozenset) for prefix in found
    )


def _prefix(row: Node) -> str:
    """`detail` has the length in an element of its own, the short form behind the address."""
    text = word(row, "rt-destination")
    if "/" not in text:
        text = f"{text}/{word(row, 'rt-prefix-length')}"
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Unreadable(f"rt-destination is {text[:60]!r}, not a prefix") from None


def _hops(entry: Node, port_of: PortOf) -> Iterator[str]:
    """Ports of all next hops, in the order of their names; a next hop without one by its address."""
    names = {physical(word(hop, "via")) or word(hop, "to") for hop in elements(entry, "nh")}
    yield from sorted(port_of(name) for name in names if name)


def _used_paths(active: Node, entries: tuple[Node, ...]) -> Iterator[str]:
    """The texts of the AS paths used together: of the active entry, and of those whose next hop is one of its."""
    ways = {_way(hop) for hop in elements(active, "nh")}
    told = {_path_text(active)}
    for entry in entries:
        mine = {_way(hop) for hop in elements(entry, "nh")}
        if entry is not active and word(entry, "protocol-name") == "BGP" and mine and mine <= ways:
            told.add(_path_text(entry))
    yield from sorted(told)


def _way(hop: Node) -> tuple[str, str]:
    return word(hop, "to"), word(hop, "via")


def _path_text(entry: Node) -> str:
    """The path of an entry, without the words around it; `detail` adds lines after the first."""
    text = word(entry, "as-path") or word(entry, "attr-as-path-effective", "attr-value")
    lines = text.strip().splitlines()
    return lines[0].strip() if lines else ""


def _path(text: str) -> tuple[int, ...]:
    """`AS path: [64520] 65534 65001 I` → (65534, 65001): what stands in brackets is the local AS."""
    numbers: list[int] = []
    for one in text.removeprefix("AS path:").split():
        if one in _ORIGINS:
            break
        if one.replace(".", "", 1).isdigit():
            numbers.append(asn(one))
    return tuple(numbers)
