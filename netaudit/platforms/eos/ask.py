"""What an EOS switch is asked: every query, by store and transport; which of them a push, a gate or `tune` needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.platforms import Query
from netaudit.platforms.eos.held import HELD
from netaudit.state import Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below

COMMANDS: Final[Mapping[str, tuple[Store, str]]] = {
    "running": (Store.RUNNING, "show running-config"),
    "saved": (Store.SAVED, "show startup-config"),
    "version": (Store.STATE, "show version | json"),
    "sessions": (Store.STATE, "show ip bgp summary vrf all | json"),
    "sessions6": (Store.STATE, "show ipv6 bgp summary vrf all | json"),
    "bgp4": (Store.STATE, "show ip bgp vrf all | json"),
    "bgp6": (Store.STATE, "show ipv6 bgp vrf all | json"),
    "route4": (Store.STATE, "show ip route vrf all | json"),
    "route6": (Store.STATE, "show ipv6 route vrf all | json"),
    "commits": (Store.STATE, "show configuration sessions detail | json"),
}
"""Query id → store, command. BGP's tables come from the CLI: the loc-rib of OpenConfig needs a knob that no source
names (eos.md section 3), and no capture of it exists. So does the summary, which has the ASN of the speaker as well."""

GNMI: Final[Mapping[str, tuple[str, ...]]] = {
    "oc-interfaces": ("interfaces", "interface[name=*]", "state", "oper-status"),
    "oc-lldp": ("lldp", "interfaces", "interface[name=*]", "neighbors"),
}
"""OpenConfig paths that EOS has (eos.md section 3)."""

REFUSAL: Final = r"% "
"""How EOS says no, in words: `% Invalid input` (field case A21)."""
_ABSENT: Final = r"% (BGP inactive|No BGP|Startup-config not found|There is no startup-config)|startup-config not found"
"""How it says that there is none. No source shows the second half: what it does not match is NOT AUDITED."""


def _over_ssh(name: str) -> Query:
    store, command = COMMANDS[name]
    return Query(id=name, store=store, transport="ssh", command=command, refusal=REFUSAL, absent=_ABSENT)


_SSH: Final = {name: _over_ssh(name) for name in COMMANDS}
QUERIES: tuple[Query, ...] = (
    *(Query(id=name, store=Store.STATE, transport="gnmi", path=path) for name, path in GNMI.items()),
    *(query for name, query in _SSH.items() if name != "commits"),
)
PUSH_QUERIES: tuple[Query, ...] = tuple(_SSH[name] for name in ("running", "version", "commits"))
SESSION_QUERIES: tuple[str, ...] = ("running", "sessions", "sessions6")
"""The running configuration says which port a session runs over that has not found its neighbor."""
LENGTH_QUERIES: tuple[str, ...] = ("running", "oc-lldp")


def asked(store: Store, path: Path) -> str:
    """What is asked to read a leaf from a store; empty where the store does not hold it."""
    if path[0] == "routes":
        return f"{COMMANDS['bgp4'][1]} · {COMMANDS['route4'][1]}" if store is Store.STATE else ""
    part: Held = HELD.get(store, False)
    for name in path:
        part = below(part, name)
    if part is False:
        return ""
    if store is not Store.STATE:
        return COMMANDS["running" if store is Store.RUNNING else "saved"][1]
    return _LIVE[path[0]]


_LIVE: Final[Mapping[str, str]] = {
    "ports": next(query.label for query in QUERIES if query.id == "oc-interfaces"),
    "lldp": next(query.label for query in QUERIES if query.id == "oc-lldp"),
    "bgp": COMMANDS["sessions"][1],
    "system": COMMANDS["version"][1],
}
"""Part of the state → what tells it."""
