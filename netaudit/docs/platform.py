"""The page of a NOS: what is asked, what each store shows, what is ours on a switch, what nobody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import ModuleType

from netaudit import platforms
from netaudit.docs import sonic
from netaudit.docs.markdown import code, codes, page, sentence, table
from netaudit.expect.expected import HOSTS_UNREAD
from netaudit.platforms import Platform, Query
from netaudit.state import Store
from netaudit.state.expectation import Held

MORE: Mapping[str, ModuleType] = {"sonic": sonic}
"""Platform → what its page has beside that of every NOS."""
STORES: Mapping[Store, str] = {
    Store.RUNNING: "the configuration in force",
    Store.SAVED: "what a reboot brings back",
    Store.APPLIED: "what the daemons say they have programmed",
    Store.STATE: "links, LLDP neighbors, sessions, routes, the serial number",
}


def platform_pages() -> Mapping[str, partial[str]]:
    """File name → what makes its text, for each platform there is."""
    return {f"{name}.md": partial(platform_page, name) for name in platforms.names()}


def platform_page(name: str) -> str:
    """Everything that holds for switches of one NOS only. `MORE` adds to it."""
    platform = platforms.platform(name)
    more = MORE.get(name)
    return page(
        f"# {platform.TITLE}",
        more.begin() if more else _begin(platform),
        "## What is asked",
        table(("store", "over", "what"), _queries(platform.QUERIES)),
        "*each alone*: what a switch may well lack is asked in a request of its own, as one NOT_FOUND fails a whole "
        "Get.",
        f"A plan and a push ask less: {codes(q.label for q in platform.PUSH_QUERIES)}.",
        "## What each store can show",
        "Only these leaves are compared in a store; any of them that was not seen is NOT AUDITED.",
        table(("store", "is", "leaves"), ((str(s), STORES[s], codes(_shown(platform, s))) for s in Store)),
        *(more.stores() if more else ()),
        "Routes are compared as a whole, in `state`"
        + ("; their next hops once more with those of `applied` (RIB-04)." if name == "sonic" else "."),
        "## What nobody can see",
        "Declared blind spots: every report names them, no exit code counts them.",
        table(("what", "where", "why"), _spots(platform)),
        *_leaf_tables(platform),
        "## What is ours",
        *(more.owned() if more else _owned(platform)),
        *(more.changed() if more else ()),
    )


def _begin(platform: Platform) -> str:
    boxes = f" It is known on boxes of {', '.join(platform.VENDORS)}." if platform.VENDORS else ""
    push = f" A push goes by NAPALM's driver `{platform.NAPALM}`." if platform.NAPALM else ""
    return (
        f"A switch is configured by {codes(platform.FILES)}.{boxes}{push} gNMI is asked at port {platform.GNMI_PORT}."
    )


def _leaf_tables(platform: Platform) -> Iterator[str]:
    """What a leaf of the state is on this NOS, where it is not simply a setting of it."""
    yield f"## What {platform.TITLE} has no place for"
    yield from _leaf_table(platform.UNSUPPORTED, "Nothing of what the expected state knows today.")
    if platform.REFUSED:
        yield "`check` refuses what no rendering could keep:"
        asked = (
            (code(row.path), codes(str(value).lower() for value in row.values), sentence(row.message))
            for row in platform.REFUSED
        )
        yield table(("path of the intent", "values", "why"), asked)
    if platform.ROUNDED:
        yield "## What it holds otherwise"
        yield from _leaf_table(platform.ROUNDED, "")
    if platform.UNVERIFIED:
        yield "## What no source proves"
        yield "Rendered or read with care; try these on a box of yours first."
        yield from _leaf_table(platform.UNVERIFIED, "")
    if platform.IMPLIED:
        yield "## What is no setting of its own"
        yield from _leaf_table(platform.IMPLIED, "")


def _leaf_table(rows: Mapping[str, str], none: str) -> Iterator[str]:
    yield table(("leaf", "why"), [(code(leaf), sentence(why)) for leaf, why in rows.items()]) if rows else none


def _owned(platform: Platform) -> Iterator[str]:
    yield "An area of `owns` maps to these parts of the configuration; outside of them the switch keeps every line."
    yield table(("area", "what is ours"), ((code(area), codes(parts)) for area, parts in platform.OWNS.items()))


def _shown(platform: Platform, store: Store) -> tuple[str, ...]:
    return tuple(_leaves(platform.HELD.get(store, False)))


def _spots(platform: Platform) -> Iterator[tuple[str, ...]]:
    for spot in (*platform.BLIND, *platform.BLIND_COMPUTING, HOSTS_UNREAD):
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
