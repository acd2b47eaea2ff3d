"""How NX-OS names ports and VRFs: `Ethernet1/<cage>[/<sub>]`, the 1 being the module of a box that has one."""

from __future__ import annotations

import re

from netaudit.platforms.nxos.answers_text import key_of

_PORT = re.compile(r"(?:Ethernet|Eth|e)1/(\d{1,3})(?:/\d{1,2})?", re.ASCII | re.IGNORECASE)
_SHORT = re.compile(r"(?:Ethernet|Eth|Et|e)\s?(\d{1,2}/\d{1,3}(?:/\d{1,2})?)", re.ASCII | re.IGNORECASE)
_VRF = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)

LONGEST_VRF = 32
"""Characters of a VRF's name (DME l3Inst, nxos.md source N3)."""
TAKEN_VRFS = ("default", "management")
"""VRFs that every box has: the main table, and that of the management port."""
V6 = "-V6"
"""What the IPv6 half of a policy is called by; see `policies.py`."""

UNNUMBERED = (
    "BGP over link-local addresses needs TCAM carved for it (`hardware access-list tcam region ing-sup 768`), which is "
    "saved and takes a reload of the switch (nxos.md section 3)"
)


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`1/2` → `Ethernet1/1/2`, `64` → `Ethernet1/64` (nxos.md section 4)."""
    return f"Ethernet1/{port}"


def unnumbered(version: str) -> str:
    """Links are numbered on every version: nothing that netaudit pushes may need a reload."""
    return UNNUMBERED


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage that `Ethernet1/5` or `Eth1/5/2` is in; `None` for other text."""
    found = _PORT.fullmatch(name)
    return found[1] if found else None


def full_name(name: str) -> str:
    """`Eth1/1` → `Ethernet1/1`: LLDP and tables shorten names."""
    found = _SHORT.fullmatch(name)
    return f"Ethernet{found[1]}" if found else name


def native(key: str) -> str:
    """The name of an interface of the state: `5/2` → `Ethernet1/5/2`, `Loopback0` → `loopback0`."""
    if key[:1].isdigit():
        return port_name(key, 0, 0, 0)
    return key.lower() if key.startswith("Loopback") else key


def vrf_problem(name: str) -> str:
    """Why NX-OS has no VRF of that name; empty if it may have one."""
    if name in TAKEN_VRFS:
        return f"`{name}` is a VRF of every NX-OS switch, and not ours"
    if len(name) > LONGEST_VRF:
        return f"`{name}` has {len(name)} characters, and NX-OS has room for {LONGEST_VRF}"
    if not _VRF.fullmatch(name):
        return f"`{name}` has a character that NX-OS takes in no name"
    return ""


def lossless_profile(speed_mbps: int, length_m: int) -> str:
    """The ingress policy in which headroom for a speed and a cable length stands."""
    return f"HEADROOM-{speed_mbps // 1000}G-{length_m}M"


def computed_profile(speed_mbps: int, length_m: int, mtu_bytes: int, lanes: int, box: str) -> str:
    """NX-OS computes no headroom from a length; what a switch does by itself has no name."""
    return lossless_profile(speed_mbps, length_m)


def merged(priorities: frozenset[int]) -> tuple[str, ...]:
    """Each priority has a class of its own (`c-in-q3`)."""
    return tuple(str(priority) for priority in sorted(priorities))


__all__ = [
    "cage_of",
    "computed_profile",
    "full_name",
    "key_of",
    "lossless_profile",
    "merged",
    "native",
    "port_name",
    "unnumbered",
    "vrf_problem",
]
