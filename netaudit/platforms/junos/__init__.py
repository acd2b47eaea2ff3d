"""Juniper Junos and Junos Evolved on QFX switches: one configuration, in set lines."""

from __future__ import annotations

from collections.abc import Collection

from netaudit.platforms.junos.answers import read, running_files
from netaudit.platforms.junos.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES, asked_of
from netaudit.platforms.junos.candidate import candidate, changes, diff, equal, kept
from netaudit.platforms.junos.held import (
    BLIND,
    BLIND_COMPUTING,
    HELD,
    IMPLIED,
    ROUNDED,
    UNSUPPORTED,
    UNVERIFIED,
)
from netaudit.platforms.junos.names import cage_of, full_name, port_name, unnumbered, vrf_problem
from netaudit.platforms.junos.owned import OWNS
from netaudit.platforms.junos.problems import problems
from netaudit.platforms.junos.quantize import quantize
from netaudit.platforms.junos.raw import SUFFIXES, raw_lines, raw_problems
from netaudit.platforms.junos.read_config import FILE, read_config
from netaudit.platforms.junos.refused import REFUSED
from netaudit.platforms.junos.steps import steps
from netaudit.platforms.junos.write import context
from netaudit.platforms.plain import computed_profile, lossless_profile, merged, raw_queries
from netaudit.state import Device, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below

NAME = "junos"
TITLE = "Juniper Junos"
FILES = (FILE,)
ROUTING_FILE = ""
RAW_SUFFIXES = SUFFIXES
RAW_TABLES: tuple[str, ...] = ()
TABLES = False
VENDORS = ("Juniper",)
NAPALM = "junos"
GNMI_PORT = 32767
"""That of Juniper's validated designs (junos.md section 4); our template sets it."""

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
    "changes",
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


def held(store: Store, device: Device) -> Held:
    """Which leaves a store can hold; of every device the same."""
    return HELD.get(store, False)


def asked(store: Store, path: Path) -> str:
    """The command that shows a leaf in a store; empty where the store does not hold it."""
    if path[0] != "routes":
        part: Held = HELD.get(store, False)
        for name in path:
            part = below(part, name)
        if part is False:
            return ""
    return asked_of(store, path)


def raw_table_problem(path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
    """Junos has statements, and no tables."""
    return "Junos has no tables", "a file of set lines, *.set"
