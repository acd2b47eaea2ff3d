"""What a Junos switch is asked: every query, by store; and which of them a push, a gate or a report needs.

Configuration comes as set lines, all else as the JSON that the captures of field/real/junos show; but routes as XML,
which is a third as long. Links and LLDP are asked over gNMI as well, and taken from there where it answers: its server
needs a certificate first (junos.md section 4), so that many boxes have none. Sessions are not: one that was discovered
at an interface has a link-local address there, the same at many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.platforms import Query
from netaudit.state import Store
from netaudit.state.walk import Path, matches

CONFIGURATION: Final = "configuration"
COMMITS: Final = "commits"
PREVIOUS: Final = "previous"
VERSION: Final = "version"
CHASSIS: Final = "chassis"
INTERFACES: Final = "interfaces"
OC_INTERFACES: Final = "openconfig-interfaces"
LLDP: Final = "lldp"
OC_LLDP: Final = "openconfig-lldp"
SESSIONS: Final = "sessions"
ROUTES: Final = "routes"

_LOGINS: Final = "root-authentication|login|radius-[a-z]*|tacplus-[a-z]*|accounting|ntp authentication-key"
SECRETS: Final = f"^(set|deactivate) (system ({_LOGINS})|snmp|security|access) "
"""Lines that stay on the switch: logins, keys, communities. They are of no area of ours, and a push merges lines."""
_SET_LINES: Final = f'| display set | except "{SECRETS}" | no-more'

_COMMANDS: Final[Mapping[str, tuple[Store, str]]] = {
    CONFIGURATION: (Store.RUNNING, f"show configuration {_SET_LINES}"),
    COMMITS: (Store.SAVED, "show system commit | display json | no-more"),
    PREVIOUS: (Store.SAVED, f"show system rollback 1 {_SET_LINES}"),
    VERSION: (Store.STATE, "show version | display json | no-more"),
    CHASSIS: (Store.STATE, "show chassis hardware | display json | no-more"),
    INTERFACES: (Store.STATE, "show interfaces terse | display json | no-more"),
    LLDP: (Store.STATE, "show lldp neighbors detail | display json | no-more"),
    SESSIONS: (Store.STATE, "show bgp neighbor | display json | no-more"),
    ROUTES: (Store.STATE, "show route | display xml | no-more"),
}

REFUSAL: Final = r"\s*(\^|error: |unknown command|syntax error|missing argument|invalid )"
"""How the first line of a no begins: the mark below the word that is wrong, or words (field case A21)."""

_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    OC_INTERFACES: ("interfaces", "interface[name=*]", "state", "oper-status"),
    OC_LLDP: ("lldp", "interfaces", "interface[name=*]", "neighbors"),
}
_INSTEAD: Final[Mapping[str, str]] = {OC_INTERFACES: INTERFACES, OC_LLDP: LLDP}
"""gNMI path → the command that tells the same, which counts where gNMI is silent."""

QUERIES: Final = (
    *(
        Query(id=id_, store=store, transport="ssh", command=command, refusal=REFUSAL)
        for id_, (store, command) in _COMMANDS.items()
    ),
    *(
        Query(id=id_, store=Store.STATE, transport="gnmi", path=path, optional=True, instead=_INSTEAD[id_])
        for id_, path in _PATHS.items()
    ),
)
PUSH_QUERIES: Final = tuple(q for q in QUERIES if q.id in (CONFIGURATION, CHASSIS))
SESSION_QUERIES: Final = (CONFIGURATION, SESSIONS)
LENGTH_QUERIES: Final = (CONFIGURATION, INTERFACES, LLDP)
"""Which cable is where; how long it is Junos does not show (BLIND)."""

_STATE: Final[Mapping[str, str]] = {
    "system.serial": CHASSIS,
    "ports": INTERFACES,
    "lldp.neighbors": LLDP,
    "bgp": SESSIONS,
    "routes": ROUTES,
}


def command_of(query: str) -> str:
    """The command of a query, without what only shapes its output."""
    return _COMMANDS[query][1].partition(" |")[0]


def asked_of(store: Store, path: Path) -> str:
    """The command that shows a leaf in a store; empty where none does. What a store holds is not looked at here."""
    if store is Store.STATE:
        return next((command_of(query) for pattern, query in _STATE.items() if matches(pattern, path)), "")
    if store is Store.RUNNING:
        return command_of(CONFIGURATION)
    return f"{command_of(CONFIGURATION)} · {command_of(COMMITS)}" if store is Store.SAVED else ""
