"""Cisco NX-OS on Nexus 9000: one text for everything, pushed line by line, without a candidate configuration."""

from __future__ import annotations

from netaudit.platforms import Query
from netaudit.platforms.nxos.answers import read, running_files
from netaudit.platforms.nxos.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES
from netaudit.platforms.nxos.asked import asked
from netaudit.platforms.nxos.candidate import OWNS, candidate
from netaudit.platforms.nxos.changes import changes
from netaudit.platforms.nxos.config import read_config
from netaudit.platforms.nxos.context import context
from netaudit.platforms.nxos.held import BLIND, HELD, IMPLIED, REFUSED, ROUNDED, UNSUPPORTED, UNVERIFIED
from netaudit.platforms.nxos.meaning import diff, equal, kept
from netaudit.platforms.nxos.names import (
    cage_of,
    computed_profile,
    full_name,
    lossless_profile,
    merged,
    port_name,
    unnumbered,
    vrf_problem,
)
from netaudit.platforms.nxos.problems import problems
from netaudit.platforms.nxos.quantize import quantize
from netaudit.platforms.nxos.raw import SUFFIXES, raw_lines, raw_problems, raw_table_problem
from netaudit.platforms.nxos.steps import steps
from netaudit.state import BlindSpot, Device, Store
from netaudit.state.expectation import Held

NAME = "nxos"
TITLE = "Cisco NX-OS"
FILES = ("nxos.cfg",)
ROUTING_FILE = ""
RAW_SUFFIXES = SUFFIXES
RAW_TABLES: tuple[str, ...] = ()
TABLES = False
VENDORS = ("Cisco",)
NAPALM = ""
GNMI_PORT = 50051
"""Where none is written (nxos.md section 2)."""
BLIND_COMPUTING: tuple[BlindSpot, ...] = ()

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
    """The same of every device: none computes headroom from a length."""
    return HELD.get(store, False)


def raw_queries(device: Device) -> tuple[Query, ...]:
    """Lines of the site's own stand in the configuration that is asked anyway."""
    return ()
