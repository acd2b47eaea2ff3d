"""What a switch with Cumulus Linux is asked: every query, by store and transport; what a push or a gate needs of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.platforms import Query
from netaudit.state import Store

STARTUP: Final = "/etc/nvue.d/startup.yaml"
"""What a reboot brings back (nvue.md section 1)."""

_MASK: Final = r"""sed -E 's/^( *[a-z-]*(password|secret|passphrase|md5-key|auth-key): ).+/\1"*"/'"""
"""`nv config show` prints a star for each secret; the file has them: they are masked before they leave the switch."""

COMMANDS: Final[Mapping[str, tuple[Store, str]]] = {
    "running": (Store.RUNNING, "nv config show --expand || nv config show"),
    "saved": (Store.SAVED, f"sudo {_MASK} {STARTUP}"),
    "platform": (Store.STATE, "nv show platform -o json"),
    "interfaces": (Store.STATE, "nv show interface -o json"),
    "lldp": (Store.STATE, "sudo lldpctl -f json0"),
    "sessions": (Store.STATE, "sudo vtysh -c 'show bgp vrf all neighbors json'"),
    "bgp4": (Store.STATE, "sudo vtysh -c 'show bgp vrf all ipv4 unicast json'"),
    "bgp6": (Store.STATE, "sudo vtysh -c 'show bgp vrf all ipv6 unicast json'"),
    "route4": (Store.STATE, "sudo vtysh -c 'show ip route vrf all json'"),
    "route6": (Store.STATE, "sudo vtysh -c 'show ipv6 route vrf all json'"),
}
"""Query id → store, command. Since 5.15 interfaces that are alike are shown as ranges unless they are expanded, and
before there is neither (What's New of 5.15, CumulusNetworks/docs). What is applied is what runs: `nv set` alone changes
nothing (nvue.md section 1). FRR itself is asked of BGP: its JSON is that of every FRR, and gNMI has no tables."""

GNMI: Final[Mapping[str, tuple[str, ...]]] = {
    "oc-interfaces": ("interfaces", "interface[name=*]", "state", "oper-status"),
    "oc-lldp": ("lldp", "interfaces", "interface[name=*]", "neighbors"),
}
"""What is streamed up to its sync_response: the server knows no Get (nvue.md section 6). It is off until it is
configured, and not there on Spectrum-1, so the same is asked by command, which counts where gNMI is silent."""

QUERIES: Final[tuple[Query, ...]] = (
    *(
        Query(
            id=name,
            store=Store.STATE,
            transport="gnmi",
            path=path,
            stream=True,
            instead=name.removeprefix("oc-"),
        )
        for name, path in GNMI.items()
    ),
    *(Query(id=name, store=store, transport="ssh", command=line) for name, (store, line) in COMMANDS.items()),
)
PUSH_QUERIES: Final[tuple[Query, ...]] = tuple(query for query in QUERIES if query.id in ("running", "platform"))
SESSION_QUERIES: Final[tuple[str, ...]] = ("running", "sessions")
LENGTH_QUERIES: Final[tuple[str, ...]] = ("running", "oc-interfaces", "oc-lldp", "interfaces", "lldp")
