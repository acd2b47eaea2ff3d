"""What an NX-OS switch is asked: every query, by store and transport; which of them a push, a gate or `tune` needs."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms import Query
from netaudit.state import Store

COMMANDS: Mapping[str, tuple[Store, str]] = {
    "running": (Store.RUNNING, "show running-config"),
    "saved": (Store.SAVED, "show startup-config"),
    "version": (Store.STATE, "show version | json"),
    "inventory": (Store.STATE, "show inventory | json"),
    "interfaces": (Store.STATE, "show interface brief | json"),
    "transceivers": (Store.STATE, "show interface transceiver | json"),
    "lldp": (Store.STATE, "show lldp neighbors detail"),
    "sessions": (Store.STATE, "show bgp vrf all all summary | json"),
    "bgp4": (Store.STATE, "show bgp vrf all ipv4 unicast"),
    "bgp6": (Store.STATE, "show bgp vrf all ipv6 unicast"),
    "route4": (Store.STATE, "show ip route vrf all | json"),
    "route6": (Store.STATE, "show ipv6 route vrf all | json"),
}
"""Query id → store, command. LLDP in words: only there a neighbor that sends its MAC address as port id has the name of
its port beside it, and no name is cut off. BGP's table in words, which mark with `|` what is used beside the best path;
no source shows how its JSON says so. Both stand in real captures in these forms."""

GNMI: Mapping[str, tuple[str, ...]] = {
    "oc-interfaces": ("interfaces", "interface[name=*]", "state", "oper-status"),
    "oc-lldp": ("lldp", "interfaces", "interface[name=*]", "neighbors"),
    "oc-sessions": (
        *("network-instances", "network-instance[name=*]", "protocols", "protocol[identifier=*][name=*]"),
        *("bgp", "neighbors"),
    ),
}
"""What NX-OS fills of OpenConfig: links, LLDP, sessions; no BGP table (vendor-gnmi-and-drivers.md B). It needs two
features and a certificate that has not run out, so the same is asked by command, which counts where gNMI is silent."""

REFUSAL = r"% |ERROR: |Invalid command|Syntax error"
"""How an output begins that is a no: NX-OS says it in words, under a caret, with exit code 0 (field case A21)."""
UNKNOWN = r"% Invalid command"
"""How it begins where the switch does not know the command, as all those of a feature that is off."""
_ABSENT: Mapping[str, str] = {
    **dict.fromkeys(("lldp", "sessions", "bgp4", "bgp6"), UNKNOWN),
    "saved": "No startup[- ]config",
}
"""Query → how the answer begins that says "there is none"; the words for a switch that never saved are unverified."""

QUERIES: tuple[Query, ...] = (
    *(
        Query(
            id=name,
            store=Store.STATE,
            transport="gnmi",
            origin="openconfig",
            path=path,
            instead=name.removeprefix("oc-"),
        )
        for name, path in GNMI.items()
    ),
    *(
        Query(
            id=name,
            store=store,
            transport="ssh",
            command=command,
            refusal=REFUSAL,
            absent=_ABSENT.get(name, ""),
        )
        for name, (store, command) in COMMANDS.items()
    ),
)
PUSH_QUERIES: tuple[Query, ...] = tuple(q for q in QUERIES if q.id in ("running", "version", "inventory"))
SESSION_QUERIES: tuple[str, ...] = ("sessions",)
LENGTH_QUERIES: tuple[str, ...] = ("oc-interfaces", "oc-lldp", "interfaces", "transceivers", "lldp")
