"""Arista EOS: one configuration text, read over SSH and gNMI, pushed in configuration sessions by NAPALM."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from netaudit.platforms import Answers, Query, Reading
from netaudit.platforms.eos.answers import read_with, running_files
from netaudit.platforms.eos.areas import OWNS
from netaudit.platforms.eos.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES, asked
from netaudit.platforms.eos.candidate import candidate, diff, equal, kept
from netaudit.platforms.eos.held import BLIND, HELD, IMPLIED, ROUNDED, UNSUPPORTED, UNVERIFIED
from netaudit.platforms.eos.names import cage_of, full_name, port_name, unnumbered, vrf_problem
from netaudit.platforms.eos.quantize import quantize
from netaudit.platforms.eos.raw import SUFFIXES, raw_lines, raw_problems
from netaudit.platforms.eos.read import CONFIG, read_config
from netaudit.platforms.eos.refused import REFUSED
from netaudit.platforms.eos.steps import steps
from netaudit.platforms.eos.validate import problems
from netaudit.platforms.eos.write import context
from netaudit.state import BlindSpot, Device, Store
from netaudit.state.expectation import Held

NAME = "eos"
TITLE = "Arista EOS"
FILES: tuple[str, ...] = (CONFIG,)
ROUTING_FILE = ""
"""BGP stands in the one text with everything else."""
RAW_SUFFIXES: tuple[str, ...] = SUFFIXES
RAW_TABLES: tuple[str, ...] = ()
TABLES = False
"""Arista publishes no headroom by length; what is published for it is computed."""
VENDORS: tuple[str, ...] = ("Arista",)
NAPALM = "eos"
GNMI_PORT = 6030
"""eos.md section 3."""
BLIND_COMPUTING: tuple[BlindSpot, ...] = ()
"""EOS computes no headroom."""

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


def lossless_profile(speed_mbps: int, length_m: int) -> str:
    """What headroom for a speed and a length is called until the largest of all is taken for the whole switch."""
    return f"headroom-{speed_mbps // 1000}G-{length_m}m"


def computed_profile(speed_mbps: int, length_m: int, mtu_bytes: int, lanes: int, box: str) -> str:
    """The same: EOS computes none."""
    return lossless_profile(speed_mbps, length_m)


def merged(priorities: frozenset[int]) -> tuple[str, ...]:
    """Every group by itself."""
    return tuple(map(str, sorted(priorities)))


def held(store: Store, device: Device) -> Held:
    """Which leaves a store can hold; of the buffer of a chip without words for it none."""
    found = HELD.get(store, False)
    if device.buffers is None or device.buffers.profiles is not None or not isinstance(found, Mapping):
        return found
    return {name: part for name, part in found.items() if name != "buffers"}


def raw_table_problem(path: tuple[str, ...], owns: Collection[str]) -> tuple[str, str] | None:
    """EOS has no tables that could be merged: all of the site's own text is lines."""
    return "EOS has no tables", "write lines, in a file that ends in .cfg"


def raw_queries(device: Device) -> tuple[Query, ...]:
    """Nothing more: lines of the site's own stand in the configuration."""
    return ()


def read(answers: Answers, name: str) -> Reading:
    """The observed state, per store."""
    return read_with(read_config, answers, name)
