"""ROUTE_TABLE of APPL_DB: here the kernel stands for the ASIC, so what it forwards by is what is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from netaudit.lab.frr.namespace import run

_PROTOCOLS: Final[Mapping[str, str]] = {"kernel": "connected", "bgp": "bgp", "static": "static", "196": "static"}
"""What the kernel calls the origin of a route → what zebra calls it; 196 is FRR's number for static (rt_netlink.h)."""
_WIDTH: Final = {"-4": 32, "-6": 128}
_NONE: Final = {"-4": "0.0.0.0", "-6": "::"}


def route_table(namespace: str) -> Mapping[str, Mapping[str, str]]:
    """Prefix → row as fpmsyncd writes it. Raises `Unusable`."""
    rows: dict[str, Mapping[str, str]] = {}
    for family in ("-4", "-6"):
        text = run("ip", "-n", namespace, "-j", family, "route", "show", "table", "main")
        for route in merged(json.loads(text or "[]")):
            protocol = _PROTOCOLS.get(str(route.get("protocol")), "")
            if protocol and not str(route["dst"]).startswith("fe80:"):
                rows[_prefix(str(route["dst"]), family)] = _row(route, protocol, _NONE[family])
    return rows


def merged(routes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:  # iproute2's own JSON
    """One entry a prefix: IPv6 multipath may come as one route a hop."""
    found: dict[str, dict[str, Any]] = {}
    for route in routes:
        hops = route.get("nexthops") or ([route] if "dev" in route else [])
        kept = found.setdefault(route["dst"], {**route, "nexthops": []})
        if route.get("protocol") == kept.get("protocol") and route.get("metric") == kept.get("metric"):
            kept["nexthops"] += hops
    yield from found.values()


def _row(route: Mapping[str, Any], protocol: str, none: str) -> Mapping[str, str]:
    hops = route["nexthops"]
    if route.get("type") in ("blackhole", "unreachable", "prohibit") or not hops:
        return {"blackhole": "true", "protocol": protocol}
    return {
        "protocol": protocol,
        "nexthop": ",".join(_gateway(hop) or none for hop in hops),
        "ifname": ",".join(str(hop["dev"]) for hop in hops),
        "weight": ",".join("1" for _ in hops),
    }


def _gateway(hop: Mapping[str, Any]) -> str:
    via = hop.get("via")
    return str(via["host"]) if isinstance(via, dict) else str(hop.get("gateway", ""))


def _prefix(dst: str, family: str) -> str:
    """As fpmsyncd spells it: a host route with its length, which iproute2 leaves out."""
    if dst == "default":
        return f"{_NONE[family]}/0"
    return dst if "/" in dst else f"{dst}/{_WIDTH[family]}"
