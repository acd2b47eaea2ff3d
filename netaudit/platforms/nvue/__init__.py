"""NVIDIA Cumulus Linux, configured by NVUE: one YAML file, 5.6 to 5.18, with the words of its version."""

from __future__ import annotations

from netaudit.platforms.nvue.answers import read, running_files
from netaudit.platforms.nvue.areas import OWNS
from netaudit.platforms.nvue.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES
from netaudit.platforms.nvue.asked import asked
from netaudit.platforms.nvue.candidate import candidate, diff, equal, kept
from netaudit.platforms.nvue.config import FILE, context, read_config
from netaudit.platforms.nvue.held import BLIND, HELD, IMPLIED, ROUNDED, UNSUPPORTED, UNVERIFIED
from netaudit.platforms.nvue.names import cage_of, full_name, port_name, unnumbered, vrf_problem
from netaudit.platforms.nvue.quantize import quantize
from netaudit.platforms.nvue.raw import SUFFIXES, raw_lines, raw_problems
from netaudit.platforms.nvue.refused import REFUSED
from netaudit.platforms.nvue.steps import steps
from netaudit.platforms.nvue.validate import problems
from netaudit.platforms.plain import (
    BLIND_COMPUTING,
    RAW_TABLES,
    computed_profile,
    lossless_profile,
    merged,
    raw_queries,
    raw_table_problem,
)
from netaudit.state import Device, Store
from netaudit.state.expectation import Held

NAME = "nvue"
TITLE = "NVIDIA Cumulus Linux"
FILES: tuple[str, ...] = (FILE,)
ROUTING_FILE = ""
RAW_SUFFIXES: tuple[str, ...] = SUFFIXES
TABLES = False
VENDORS: tuple[str, ...] = ("NVIDIA",)
NAPALM = ""
"""There is no driver of NAPALM for it (nvue.md section 7)."""
GNMI_PORT = 9339
"""nvue.md section 6."""

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


def held(store: Store, device: Device) -> Held:
    """Which leaves a store of this device can hold: the same of every device."""
    return HELD.get(store, False)
