"""Which cables traffic to a prefix may cross, and what its waiting in one buffer makes wait in another.

A node is a cable in one direction, which is the ingress buffer at its far end. An edge says that a packet may lie in
the first while it waits for room in the second: it came in over the first and leaves over the second. Packets already
on the way when something fails count, too: they came in over a cable of before and leave over one of after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_network
from typing import TypeAlias

from netaudit.expect.rib import Tables
from netaudit.state import Route
from netaudit.whatif.graph import Graph

Hop: TypeAlias = tuple[str, str]
"""(sending switch, its port)."""
Hops: TypeAlias = Mapping[str, frozenset[str]]
"""Switch → ports that it sends out of, towards one prefix."""


class Forwarding:
    """Where switches send what is for a prefix, by longest match among the expected routes."""

    def __init__(self, graph: Graph, tables: Tables) -> None:
        self._graph = graph
        self._tables = tables

    def towards(self, prefix: str) -> Hops:
        """Switch → ports. One without a route of its own takes a shorter one that covers the prefix."""
        found: dict[str, frozenset[str]] = {}
        for cover in (prefix, *self._covers(prefix)):
            for name, route in self._tables.toward(cover).items():
                if name in self._graph.doors:
                    found.setdefault(name, _inside(self._graph, name, route))
        return found

    def _covers(self, prefix: str) -> list[str]:
        """Prefixes that blocks announce and that hold this one, the longest first: a default route is the last."""
        own = ip_network(prefix)
        held = [ip_network(p) for p in self._graph.originated if p != prefix]
        covering = [n for n in held if n.version == own.version and own.subnet_of(n)]  # type: ignore[arg-type]
        return [str(n) for n in sorted(covering, key=lambda n: -n.prefixlen)]


def _inside(graph: Graph, name: str, route: Route) -> frozenset[str]:
    """Ports that lead to a switch of ours: what leaves the fabric waits for none of its buffers."""
    doors = graph.doors[name]
    return frozenset(port for port in route.hops if port in doors and doors[port].peer.device in graph.doors)


def waits(graph: Graph, before: Hops, after: Hops) -> Iterable[tuple[Hop, Hop]]:
    """(buffer held, buffer waited for): in by `before` or `after`, out by `after`. Always in the same order."""
    incoming: dict[str, dict[Hop, None]] = {}
    for hops in (before, after):
        for name, ports in sorted(hops.items()):
            for port in sorted(ports):
                incoming.setdefault(graph.doors[name][port].peer.device, {})[name, port] = None
    for name, ports in sorted(after.items()):
        ordered = sorted(ports)
        for held in incoming.get(name, ()):
            for port in ordered:
                yield held, (name, port)
