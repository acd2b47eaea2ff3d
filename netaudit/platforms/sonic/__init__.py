"""Community SONiC: CONFIG_DB for everything but routing, FRR's own file for routing (`split-unified`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from netaudit.platforms.sonic.asked import asked
from netaudit.platforms.sonic.buffers import lossless_profile, merged
from netaudit.platforms.sonic.held import BLIND, HELD, UNSUPPORTED
from netaudit.platforms.sonic.names import cage_of, port_name
from netaudit.platforms.sonic.raw import SUFFIXES, raw_lines, raw_problems
from netaudit.platforms.sonic.read import PUSH_QUERIES, QUERIES, SESSION_QUERIES, read, read_config
from netaudit.platforms.sonic.steps import steps
from netaudit.platforms.sonic.tables import exponent
from netaudit.platforms.sonic.validate import problems
from netaudit.platforms.sonic.write import candidate, context, diff, equal, running_files
from netaudit.state import Device, Profile
from netaudit.state.walk import without

NAME = "sonic"
FILES = ("config_db.json", "frr.conf")
ROUTING_FILE = "frr.conf"
RAW_SUFFIXES = SUFFIXES

__all__ = [
    "BLIND",
    "FILES",
    "HELD",
    "NAME",
    "PUSH_QUERIES",
    "QUERIES",
    "RAW_SUFFIXES",
    "ROUTING_FILE",
    "SESSION_QUERIES",
    "UNSUPPORTED",
    "asked",
    "cage_of",
    "candidate",
    "context",
    "diff",
    "equal",
    "lossless_profile",
    "merged",
    "port_name",
    "problems",
    "quantize",
    "raw_lines",
    "raw_problems",
    "read",
    "read_config",
    "running_files",
    "steps",
]


def quantize(device: Device) -> Device:
    """The expected state as SONiC can hold it: alpha as a power of two, leaves it has no place for unset."""
    if device.buffers is not None and device.buffers.profiles is not None:
        profiles: Mapping[str, Profile] = {n: _quantized(p) for n, p in device.buffers.profiles.items()}
        device = replace(device, buffers=replace(device.buffers, profiles=profiles))
    return without(device, tuple(UNSUPPORTED))


def _quantized(profile: Profile) -> Profile:
    if not isinstance(profile.alpha, Fraction):
        return profile
    return replace(profile, alpha=Fraction(2) ** exponent(profile.alpha))
