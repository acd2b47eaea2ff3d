"""The page of SONiC: what is asked, what each store shows, what is ours on a switch, and what nobody can see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netaudit.docs.markdown import code, codes, page, sentence, table
from netaudit.expect.expected import HOSTS_UNREAD
from netaudit.platforms import Query
from netaudit.platforms.sonic import BLIND, BLIND_COMPUTING, FILES, HELD, PUSH_QUERIES, QUERIES, UNSUPPORTED
from netaudit.platforms.sonic.dynamic import PARAMETER, PATTERN
from netaudit.platforms.sonic.steps import FLAPPING, FREE_PROFILE_FIELDS, QUIET_AT_MOST
from netaudit.platforms.sonic.write import METADATA, MODELLED, OWNS
from netaudit.state import Store
from netaudit.state.expectation import Held

STORES: Mapping[Store, str] = {
    Store.RUNNING: "the configuration in force: CONFIG_DB, and what FRR runs",
    Store.SAVED: "what a reboot brings back",
    Store.APPLIED: "what the daemons say they have programmed",
    Store.STATE: "links, LLDP neighbors, sessions, routes, the serial number",
}


def sonic_page() -> str:
    """Everything that holds for SONiC switches only."""
    return page(
        "# SONiC",
        f"A switch is configured by {codes(FILES)}, in routing mode `split-unified`: CONFIG_DB for everything but "
        "routing, FRR's own file for routing. It is read by gNMI (TLS) and SSH.",
        "## What is asked",
        table(("store", "over", "what"), _queries(QUERIES)),
        "*each alone*: a table that a switch may well lack is asked in a request of its own, as one NOT_FOUND fails "
        "a whole Get.",
        f"A plan and a push ask less: {codes(q.label for q in PUSH_QUERIES)}.",
        "## What each store can show",
        "Only these leaves are compared in a store; any of them that was not seen is NOT AUDITED.",
        table(("store", "is", "leaves"), ((str(s), STORES[s], codes(_shown(s))) for s in Store)),
        "Where the switch computes headroom (`headroom: dynamic`), CONFIG_DB has no lossless profile and no size of "
        "most pools: those are compared in `applied` alone. Two more tables are asked for: "
        f"{codes((PARAMETER, PATTERN))}. A group bound to `NULL` reads as the profile that the switch makes of speed, "
        "MTU, lanes and cable length of its port.",
        "Routes are compared as a whole, in `state`; their next hops once more with those of `applied` (RIB-04).",
        "## What nobody can see",
        "Declared blind spots: every report names them, no exit code counts them.",
        table(("what", "where", "why"), _spots()),
        *_unsupported(),
        *_owned(),
        *_changed(),
    )


def _spots() -> Iterator[tuple[str, ...]]:
    for spot in (*BLIND, *BLIND_COMPUTING, HOSTS_UNREAD):
        yield spot.what, spot.where, sentence(spot.reason)


def _queries(queries: Iterable[Query]) -> Iterator[tuple[str, ...]]:
    """Queries that go together, in the order of the stores."""
    groups: dict[tuple[Store, str, str], list[str]] = {}
    for query in queries:
        over = f"gNMI {query.target}{', each alone' if query.optional else ''}" if query.transport == "gnmi" else "SSH"
        asked = "/".join(query.path) if query.transport == "gnmi" else query.command
        groups.setdefault((query.store, query.transport, over), []).append(asked)
    for store in Store:
        for (of, _, over), asked_for in groups.items():
            if of is store:
                yield str(store), over, codes(asked_for)


def _leaves(held: Held, at: str = "") -> Iterator[str]:
    if isinstance(held, bool):
        yield at if at else "everything"
        return
    for name, below in held.items():
        yield from _leaves(below, f"{at}.{name}" if at else name)


def _shown(store: Store) -> tuple[str, ...]:
    return tuple(_leaves(HELD[store]))


def _unsupported() -> Iterator[str]:
    yield "## What SONiC has no place for"
    rows = [(code(leaf), sentence(reason)) for leaf, reason in UNSUPPORTED.items()]
    yield table(("leaf", "why"), rows) if rows else "Nothing of what the expected state knows today."


def _owned() -> Iterator[str]:
    yield "## What is ours"
    yield (
        "An area of `owns` maps to whole tables. In them a row that the intent does not have is removed; outside of "
        "them the switch keeps every value it holds. A row of ours keeps fields that no leaf stands for, in "
        f"{codes(MODELLED)}."
    )
    rows = ((code(area), codes(tables), codes(METADATA.get(area, ()))) for area, tables in OWNS.items())
    yield table(("area", "tables", "fields of DEVICE_METADATA"), rows)
    yield (
        "`bgp` takes `frr.conf` as a whole; its tables stay empty. Hostname, HWSKU, platform and MAC are read and "
        "never changed. Management ports are not touched."
    )


def _changed() -> Iterator[str]:
    yield "## How a change gets there, and what it costs"
    yield (
        "netaudit chooses the mildest way that the switch takes. A change that the patching of a running switch "
        f"refuses, or of more than {QUIET_AT_MOST} values, is a reload of the whole configuration."
    )
    rows = (
        ("none", "a patch that interrupts nothing"),
        ("reset", "`frr.conf` changes: `frr-reload.py` applies the difference, sessions that it touches restart"),
        (
            "flap",
            f"a patch of {codes(FLAPPING)}, or of speed, FEC, autonegotiation or admin state of a port; or one that "
            "takes a port out of its VLAN, or the gateway away",
        ),
        ("drain", "`config reload`: all services restart, and traffic is lost until they are back"),
    )
    yield table(("impact", "when"), rows)
    yield (
        "A reload is needed for buffer pools, breakout, the PFC watchdog's poll interval, lanes and names of ports, "
        "the loopback's address going away, routing mode, device type, buffer model, "
        "what headroom is computed for, whole tables that come or go, "
        f"and for any field of an existing buffer profile but {codes(FREE_PROFILE_FIELDS)}."
    )
