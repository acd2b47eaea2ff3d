"""The JSON that zebra prints for `show ip route json` (lab.md 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Final

from netaudit.lab.sim.bgp_json import Answer, vrf_words
from netaudit.lab.sim.device import Device
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.rib import Entry, entries

_DISTANCE: Final = {"connected": 0, "local": 0, "static": 1, "bgp": 20}
"""Administrative distance of each protocol; that of BGP for external paths."""


def routes(fabric: Fabric, switch: Device, family: str, vrf: str = "") -> Mapping[str, object]:
    """`show ip route json`: every route that zebra holds in a VRF, the selected one first."""
    return {
        prefix: [
            _route(prefix, entry, family, vrf_words(switch, vrf), selected=place == 0)
            for place, entry in enumerate(found)
        ]
        for prefix, found in entries(fabric, switch, family, vrf).items()
    }


def _route(prefix: str, entry: Entry, family: str, words: Answer, *, selected: bool) -> Answer:
    """One route."""
    return {
        "prefix": prefix,
        "prefixLen": ip_network(prefix).prefixlen,
        "protocol": entry.protocol,
        **words,
        **({"selected": True, "destSelected": True} if selected else {}),
        "distance": _DISTANCE[entry.protocol],
        "metric": 0,
        **({"installed": True} if selected else {}),
        "table": _table(words),
        "internalStatus": 16 if selected else 0,
        "internalNextHopNum": max(1, len(entry.hops)),
        "internalNextHopActiveNum": max(1, len(entry.hops)),
        "uptime": "00:01:00",
        "nexthops": list(_zebra_hops(entry, family, selected)) or [_discard(selected)],
    }


def _table(words: Answer) -> int:
    """The kernel's table: RT_TABLE_MAIN of rtnetlink(7), or the one of the VRF, as vrfmgrd numbers them from 1001."""
    return 254 if words["vrfName"] == "default" else 1000 + int(str(words["vrfId"]))


def _zebra_hops(entry: Entry, family: str, selected: bool) -> Iterator[Answer]:
    """The next hops of a route, as zebra has them."""
    for hop in entry.hops:
        afi = ("ipv6" if ":" in hop.address else "ipv4") if hop.address else family
        yield {
            **({"fib": True} if selected else {}),
            **({"ip": hop.address, "afi": afi} if hop.address else {"directlyConnected": True}),
            **({"interfaceName": hop.interface} if hop.interface else {}),
            "active": True,
            **({"weight": 1} if entry.protocol == "bgp" else {}),
        }


def _discard(selected: bool) -> Answer:
    """The next hop of a discard route."""
    return {**({"fib": True} if selected else {}), "unreachable": True, "blackhole": True, "active": True}
