"""What is asked of a switch to read one leaf from one store, as a report and `show explain` name it."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.nxos.ask import COMMANDS
from netaudit.platforms.nxos.held import HELD
from netaudit.state import Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below

_CONFIGURED: Mapping[Store, str] = {Store.RUNNING: "running", Store.SAVED: "saved"}
_STATE: Mapping[str, tuple[str, ...]] = {
    "system": ("inventory",),
    "ports": ("interfaces",),
    "bgp": ("sessions",),
    "lldp": ("lldp",),
    "routes": ("bgp4", "bgp6", "route4", "route6"),
}


def asked(store: Store, path: Path) -> str:
    """The command; empty for a leaf that the store does not hold."""
    if path[0] == "routes":
        return _commands(_STATE["routes"]) if store is Store.STATE else ""
    part: Held = HELD[store]
    for name in path:
        part = below(part, name)
    if part is False:
        return ""
    queries = (_CONFIGURED[store],) if store in _CONFIGURED else _STATE.get(path[0], ())
    if store is Store.STATE and path[-1] == "cable_m":
        queries = ("transceivers",)
    return _commands(queries)


def _commands(queries: tuple[str, ...]) -> str:
    return " · ".join(COMMANDS[query][1] for query in queries)
