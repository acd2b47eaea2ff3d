"""Routes of BGP: which paths are used, from BGP's table, and through which ports, from `show ip route ... | json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import TypeAlias

from netaudit.platforms.nxos.answers_bgp import DEFAULT, Path, read_table, used
from netaudit.platforms.nxos.answers_text import Unreadable, address, key_of, parsed, prefix, rows, word
from netaudit.state import Route, RouteKey

MOST_STEPS = 4
"""How many routes deep a next hop is looked up: an address of a port is one, a loopback behind another protocol two."""
Address: TypeAlias = IPv4Address | IPv6Address
Hops: TypeAlias = tuple[tuple[str, str, str], ...]
"""Of each way that is used: its port, empty where the table names none; its next hop; the VRF of that."""


@dataclass(slots=True)
class Rib:
    """The routing table of one VRF."""

    bgp: dict[str, Hops] = field(default_factory=dict)
    """Prefix → ways of the routes that are BGP's."""
    all: dict[tuple[int, int], Hops] = field(default_factory=dict)
    """(prefix length, leading bits) → ways of whatever route is there."""


def read_rib(text: str) -> Mapping[str, Rib]:
    """VRF → its routing table, of `show ip route vrf all | json` or the same of IPv6. Raises `Unreadable`."""
    ribs: dict[str, Rib] = {}
    for vrf in rows(parsed(text), "vrf"):
        name = word(vrf, "vrf-name-out") or DEFAULT
        rib = ribs.setdefault(name, Rib())
        for family in rows(vrf, "addrf"):
            for row in rows(family, "prefix"):
                _add(rib, name, row)
    return ribs


def _add(rib: Rib, vrf: str, row: Mapping[str, object]) -> None:
    net = ip_network(prefix(word(row, "ipprefix")))
    best = [path for path in rows(row, "path") if path.get("ubest") in ("true", True)]
    hops = tuple(
        (
            str(path.get("ifname") or ""),
            str(path.get("ipnexthop") or "").partition("%")[0],
            str(path.get("nexthop-vrf-name") or vrf),
        )
        for path in best
    )
    bits = int(net.network_address) >> (net.max_prefixlen - net.prefixlen) if net.prefixlen else 0
    rib.all[net.prefixlen, bits] = hops
    if any(str(path.get("clientname")).startswith("bgp") for path in best):
        rib.bgp[str(net)] = hops


def read_routes(table: str, rib: str) -> Mapping[RouteKey, Route]:
    """BGP routes of all VRFs, of `show bgp vrf all ... unicast` and `show ip route vrf all | json`.

    A prefix of our own has no hops and the empty path. Raises `Unreadable`.
    """
    ribs = read_rib(rib)
    ports = _Ports(ribs)
    result: dict[RouteKey, Route] = {}
    for (vrf, net), paths in read_table(table).items():
        together = tuple(used(paths))
        if not together:
            continue
        as_paths = frozenset(path.as_path for path in together)
        hops: frozenset[str] = frozenset()
        if not _own(together):
            ways = ribs.get(vrf, Rib()).bgp.get(net, ())
            hops = ports.of(ways)
        result[vrf, net] = Route(hops, as_paths)
    return result


def _own(paths: tuple[Path, ...]) -> bool:
    """Is it announced by this switch itself?"""
    return all(not path.as_path and path.kind in "lra" for path in paths)


class _Ports:
    """Finds the ports behind next hops, each set once."""

    def __init__(self, ribs: Mapping[str, Rib]) -> None:
        self._ribs = ribs
        self._find = cache(self._look_up)
        self.of = cache(self._of)

    def _of(self, ways: Hops) -> frozenset[str]:
        return frozenset(port for way in ways for port in self._way(way, MOST_STEPS))

    def _way(self, way: tuple[str, str, str], steps: int) -> frozenset[str]:
        name, hop, vrf = way
        if name:
            return frozenset({key_of(name)}) if name.lower() != "null0" else frozenset()
        return self._find(vrf, hop, steps) or frozenset({hop})

    def _look_up(self, vrf: str, hop: str, steps: int) -> frozenset[str]:
        """The ports of the longest prefix that holds the next hop, itself looked up where it has a next hop again."""
        wanted, rib = address(hop), self._ribs.get(vrf)
        if wanted is None or rib is None or not steps:
            return frozenset()
        ways = _longest(rib, wanted)
        return frozenset(port for way in ways for port in self._way(way, steps - 1)) if ways else frozenset()


def _longest(rib: Rib, wanted: Address) -> Hops:
    """The ways of the longest prefix that holds an address, but none that is reached over this very address.

    A host announces the address that it peers from: its route has itself as next hop.
    """
    number, most, itself = int(wanted), wanted.max_prefixlen, str(wanted)
    for length in range(most, -1, -1):
        found = rib.all.get((length, number >> (most - length) if length else 0))
        if found and not any(hop == itself and not name for name, hop, _ in found):
            return found
    return ()


def merge(parts: tuple[Mapping[RouteKey, Route] | None, ...]) -> Mapping[RouteKey, Route] | None:
    """v4 and v6 together; `None` unless both were read, since a missing half would look like missing routes."""
    if any(part is None for part in parts):
        return None
    return {key: route for part in parts if part is not None for key, route in part.items()}


__all__ = ["Rib", "Unreadable", "merge", "read_rib", "read_routes"]
