"""How Cumulus Linux names ports, loopback, VLAN interfaces and VRFs (nvue.md sections 2 and 8)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from netaudit.state import Device, Leaf

LOOPBACK: Final = "Loopback0"
VLAN: Final = "Vlan"
DEFAULT: Final = "default"
FIXED_VRFS: Final = (DEFAULT, "mgmt")
"""VRFs that are there without a row of ours: the main table, and that of the management port."""
BRIDGE: Final = "br_default"
"""The VLAN-aware bridge that every Cumulus switch has."""
_PORT: Final = re.compile(r"swp([1-9]\d{0,3})(?:s(\d{1,2}))?", re.ASCII)
_CAGE: Final = re.compile(r"([1-9]\d{0,3})(?:/([1-9]\d?))?", re.ASCII)
_SVI: Final = re.compile(r"vlan([1-9]\d{0,3})", re.ASCII)
_VRF: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,14}")


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`64` → `swp64`; `1/2` → `swp1s1`: sub-ports count from 0."""
    cage, _, sub = port.partition("/")
    return f"swp{cage}s{int(sub) - 1}" if sub else f"swp{cage}"


def full_name(name: str) -> str:
    """Cumulus shortens no port name."""
    return name


def unnumbered(version: str) -> str:
    """Nothing is in the way: FRR peers over the link-local address of a port (nvue.md section 2)."""
    return ""


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage of `swp12s1`; `None` for other text."""
    found = _PORT.fullmatch(name)
    return found[1] if found else None


def position(name: str) -> str | None:
    """`swp1s1` → `1/2`; `swp64` → `64`; `None` for what is no front-panel port."""
    found = _PORT.fullmatch(name)
    if found is None:
        return None
    return found[1] if found[2] is None else f"{found[1]}/{int(found[2]) + 1}"


def vrf_problem(name: str) -> str:
    """Why there can be no VRF of that name; empty if there can."""
    if name == "mgmt":
        return "`mgmt` is the VRF of the management port, which is not ours"
    if not _VRF.fullmatch(name):
        return f"`{name}` is no VRF name of NVUE: a letter, then letters, digits, `_` and `-`, 15 characters at most"
    return ""


def native_ports(device: Device) -> Mapping[str, str]:
    """`cage[/sub]` → name, of the ports of a device."""
    return {key: _text(port.native) or _derived(key) for key, port in (device.ports or {}).items()}


def native(key: str, ports: Mapping[str, str]) -> str:
    """What the device calls a port, its loopback or the interface of a VLAN; an address or another name stays."""
    if key == LOOPBACK:
        return "lo"
    if key.startswith(VLAN) and key[len(VLAN) :].isdigit():
        return f"vlan{key[len(VLAN) :]}"
    return ports.get(key) or _derived(key)


def key_of(name: str) -> str | None:
    """The other way: the key of an interface of ours; `None` for `eth0`, a bond and other interfaces that are not."""
    if name == "lo":
        return LOOPBACK
    svi = _SVI.fullmatch(name)
    return f"{VLAN}{svi[1]}" if svi else position(name)


def _derived(key: str) -> str:
    return port_name(key, 0, 0, 0) if _CAGE.fullmatch(key) else key


def _text(value: Leaf[str]) -> str:
    return value if isinstance(value, str) else ""
