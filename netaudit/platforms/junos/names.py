"""How Junos names ports: `et-0/0/<cage - 1>`, and `:<sub - 1>` behind it where the cage is split."""

from __future__ import annotations

import re
from typing import Final

_PORT: Final = re.compile(r"(et|xe|ge)-0/0/(\d{1,3})(?::(\d{1,2}))?", re.ASCII)
LOOPBACK: Final = "lo0"
IRB: Final = "irb"
"""VLAN interfaces are units of `irb` with the number of the VLAN."""
_INSTANCE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}", re.ASCII)
RESERVED: Final = frozenset({"default", "master", "mgmt_junos", "all"})
"""Routing instances that Junos has by itself, or means something else by."""


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`3` → `et-0/0/2`, `3/2` → `et-0/0/2:1`: both count from 0 (junos.md section 1)."""
    cage, _, sub = port.partition("/")
    name = f"et-0/0/{int(cage) - 1}"
    return f"{name}:{int(sub) - 1}" if sub else name


def port_of(name: str) -> str:
    """`et-0/0/2:1` → `3/2`, also of a logical interface of it (`et-0/0/2:1.0`); other text stays as it is.

    `xe` and `ge` are the same cage at 10G and 1G and no port of ours: they stay, so that they are seen as extra.
    """
    physical, _, unit = name.partition(".")
    found = _PORT.fullmatch(physical)
    if found is None or found.group(1) != "et" or not (unit == "" or unit.isdigit()):
        return name
    cage = str(int(found.group(2)) + 1)
    return f"{cage}/{int(found.group(3)) + 1}" if found.group(3) is not None else cage


def cage_name(name: str) -> str:
    """`et-0/0/2:1` → `et-0/0/2`: where speed and number of sub-ports stand."""
    return name.partition(":")[0]


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage that `et-0/0/2:1` is in; `None` for other text."""
    found = _PORT.fullmatch(name.partition(".")[0])
    return str(int(found.group(2)) + 1) if found else None


def full_name(name: str) -> str:
    """Junos shortens no port name; a logical interface is its port (field case A15)."""
    physical, dot, unit = name.partition(".")
    return physical if dot and unit.isdigit() and _PORT.fullmatch(physical) else name


def logical(native: str) -> str:
    """The logical interface that carries a port's addresses."""
    return f"{native}.0"


NEWEST: Final = (99, 9, 9)


def release(version: str) -> tuple[int, int, int]:
    """`23.4R2-S1-EVO` → (23, 4, 2). A version that nobody says, or that is none, is a new one."""
    found = re.match(r"(\d{1,3})\.(\d{1,3})(?:R(\d{1,3}))?", version)
    return (int(found.group(1)), int(found.group(2)), int(found.group(3) or 1)) if found else NEWEST


FIRST_UNNUMBERED: Final = (21, 1, 1)
"""Release from which BGP discovers neighbors by IPv6 neighbor discovery (junos.md, J5)."""


def unnumbered(version: str) -> str:
    """Why links must have addresses on a release before 21.1R1; an unknown version is a new one."""
    if release(version) < FIRST_UNNUMBERED:
        return f"BGP finds neighbors by IPv6 link-local addresses from Junos 21.1R1 on, not in {version} (junos.md, J5)"
    return ""


def vrf_problem(name: str) -> str:
    """Why there can be no routing instance of that name; empty if there can."""
    if name in RESERVED or name.startswith("__"):
        return f"Junos keeps the name `{name}` of a routing instance for itself"
    if not _INSTANCE.fullmatch(name):
        return f"a routing instance of Junos has letters, digits, `-` and `_` in its name, not `{name}`"
    return ""
