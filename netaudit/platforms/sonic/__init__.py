"""Community SONiC: CONFIG_DB for everything but routing, FRR's own file for routing (`split-unified`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from netaudit.platforms import Query
from netaudit.platforms.sonic import raw_tables
from netaudit.platforms.sonic.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES
from netaudit.platforms.sonic.asked import asked
from netaudit.platforms.sonic.buffers import lossless_profile, merged
from netaudit.platforms.sonic.dynamic import BLIND_COMPUTING, computed_profile, computing_held, computing_queries
from netaudit.platforms.sonic.held import BLIND, HELD, IMPLIED, ROUNDED, UNSUPPORTED, UNVERIFIED
from netaudit.platforms.sonic.kept import kept
from netaudit.platforms.sonic.names import cage_of, full_name, port_name, unnumbered
from netaudit.platforms.sonic.raw import SUFFIXES, raw_lines, raw_problems
from netaudit.platforms.sonic.read import read, read_config
from netaudit.platforms.sonic.refused import REFUSED
from netaudit.platforms.sonic.steps import steps
from netaudit.platforms.sonic.tables import exponent
from netaudit.platforms.sonic.validate import problems
from netaudit.platforms.sonic.vrf import vrf_problem
from netaudit.platforms.sonic.write import METADATA, OWNS, candidate, context, diff, equal, running_files
from netaudit.state import Computing, Device, Profile, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import without

NAME = "sonic"
TITLE = "SONiC"
FILES = ("config_db.json", "frr.conf")
ROUTING_FILE = "frr.conf"
RAW_SUFFIXES = SUFFIXES
RAW_TABLES = raw_tables.SUFFIXES
TABLES = True
VENDORS: tuple[str, ...] = ()
NAPALM = ""
GNMI_PORT = 8080
"""Without a GNMI row in CONFIG_DB (sonic.md section 8)."""

__all__ = [
    "BLIND",
    "BLIND_COMPUTING",
    "FILES",
    "GNMI_PORT",
    "HELD",
    "IMPLIED",
    "LENGTH_QUERIES",
    "NAME",
    "NAPALM",
    "OWNS",
    "PUSH_QUERIES",
    "QUERIES",
    "RAW_SUFFIXES",
    "RAW_TABLES",
    "REFUSED",
    "ROUNDED",
    "ROUTING_FILE",
    "SESSION_QUERIES",
    "TABLES",
    "TITLE",
    "UNSUPPORTED",
    "UNVERIFIED",
    "VENDORS",
    "asked",
    "cage_of",
    "candidate",
    "computed_profile",
    "context",
    "diff",
    "equal",
    "full_name",
    "held",
    "kept",
    "lossless_profile",
    "merged",
    "port_name",
    "problems",
    "quantize",
    "raw_lines",
    "raw_problems",
    "raw_queries",
    "raw_table_problem",
    "read",
    "read_config",
    "running_files",
    "steps",
    "unnumbered",
    "vrf_problem",
]


def quantize(device: Device) -> Device:
    """The expected state as SONiC can hold it: alpha as a power of two, leaves it has no place for unset."""
    if device.buffers is not None and device.buffers.profiles is not None:
        profiles: Mapping[str, Profile] = {n: _quantized(p) for n, p in device.buffers.profiles.items()}
        computing = device.buffers.computing
        if isinstance(computing, Computing) and isinstance(computing.alpha, Fraction):
            computing = replace(computing, alpha=Fraction(2) ** exponent(computing.alpha))
        device = replace(device, buffers=replace(device.buffers, profiles=profiles, computing=computing))
    return without(device, tuple(UNSUPPORTED))


def _quantized(profile: Profile) -> Profile:
    if not isinstance(profile.alpha, Fraction):
        return profile
    return replace(profile, alpha=Fraction(2) ** exponent(profile.alpha))


def held(store: Store, device: Device) -> Held:
    """Which leaves a store of this device can hold: where it computes headroom, not every store has the result."""
    if device.buffers is None or not isinstance(device.buffers.computing, Computing):
        return HELD.get(store, False)
    return computing_held(HELD, store, device)


def raw_table_problem(path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
    """(what is wrong, hint) with a table, a row or a field of the site's own; `None` if it may stand beside ours."""
    return raw_tables.table_problem(path, owns, OWNS, METADATA)


def raw_queries(device: Device) -> tuple[Query, ...]:
    """The tables that are asked beside QUERIES: of the site's own, and those of a switch that computes headroom."""
    known = frozenset(q.id for q in QUERIES)
    return (*raw_tables.raw_queries(device.raw, known), *computing_queries(device))
