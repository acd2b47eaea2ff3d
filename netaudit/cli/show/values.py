"""How a value of the state reads: for a person, with its unit, and in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from fractions import Fraction
from ipaddress import ip_interface

from netaudit.cli.show.page import Json
from netaudit.state import ABSENT, PolicyRule
from netaudit.terminal import exact_bytes

NONE = "none"
"""An empty set: nothing may be there."""
UNSET = "not managed"
"""No value is expected: whatever the device has is left alone."""

_UNITS: Mapping[str, str] = {"_m": "m", "_s": "s", "_ms": "ms", "_percent": "%", "_ns": "ns"}
_PLAIN = ("asn", "remote_asn", "tier")
"""Numbers that are names: no comma in them."""


def speed(mbps: int) -> str:
    """`400G`, `1.6T`; `100M` below 1 Gb/s."""
    if mbps >= 1_000_000:
        return f"{mbps / 1_000_000:g}T"
    return f"{mbps / 1000:g}G" if mbps >= 1000 else f"{mbps}M"


def metres(length: float) -> str:
    """`40 m`, `31.5 m`."""
    return f"{length:g} m"


def said(name: str, value: object) -> str:
    """A leaf as a person reads it. `name` is its field name, which carries the unit."""
    if value is None:
        return UNSET
    if value is ABSENT:
        return "absent"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _number(name, value)
    if isinstance(value, float):
        return metres(value) if name.endswith("_m") else f"{value:g}"
    if isinstance(value, frozenset | tuple | Mapping):
        return ", ".join(_item(v) for v in ordered(value)) or NONE
    return _item(value)


def _number(name: str, value: int) -> str:
    if name.endswith("_mbps"):
        return speed(value)
    if name.endswith("_bytes"):
        return exact_bytes(value)
    if name.endswith("_bytes_per_s"):
        return f"{value:,} B/s"
    unit = next((unit for end, unit in _UNITS.items() if name.endswith(end)), "")
    text = str(value) if name in _PLAIN else f"{value:,}"
    return f"{text} {unit}" if unit else text


def _item(value: object) -> str:
    return f"{value.prefix} up to /{value.up_to}" if isinstance(value, PolicyRule) else str(value)


def ordered(values: Iterable[object]) -> tuple[object, ...]:
    """A tuple as it is; a set in the order of numbers, addresses or text."""
    return tuple(values) if isinstance(values, tuple) else tuple(sorted(values, key=_rank))


def _rank(value: object) -> tuple[int, int, str]:
    if isinstance(value, int):
        return 0, value, ""
    text = value.prefix if isinstance(value, PolicyRule) else str(value)
    try:
        address = ip_interface(text)
    except ValueError:
        return 9, 0, text
    return address.version, int(address), text


def plain(value: object) -> Json:
    """A leaf in JSON: sets as sorted lists, fractions as text, `absent` as that word."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction) or value is ABSENT:
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | tuple | list):
        return [plain(item) for item in ordered(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(item) for name, item in asdict(value).items() if name != "origin"}
    return str(value)
