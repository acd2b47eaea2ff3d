"""JSON as EOS prints it behind `| json`: bounded, with its errors told apart from content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network

MOST_CHARACTERS = 64 * 1024 * 1024
"""The most that is read over SSH in one answer."""
MOST_VALUES = 8_000_000
"""Values in one JSON text: BGP's table of 1,500 leaves with 32 paths a prefix has some three million."""
DEFAULT = "default"


class Unreadable(ValueError):
    """A device's text is not what EOS writes."""


def parsed(text: str) -> Mapping[str, object]:
    """The JSON object of an answer. Raises `Unreadable`, with what EOS says where it answers by an error."""
    if len(text) > MOST_CHARACTERS or text.count(",") > MOST_VALUES:
        raise Unreadable("an answer of more values than are read")
    if text.lstrip().startswith("%"):
        raise Unreadable(text.strip().splitlines()[0][:200])
    try:
        # a number with a dot stays text: as a float, AS 65000.10 would become 65000.1 (field case A12)
        data = json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None
    if not isinstance(data, Mapping):
        raise Unreadable("not a JSON object")
    if errors := data.get("errors"):
        raise Unreadable(str(errors[0] if isinstance(errors, list) else errors)[:200])
    return data


def objects(data: Mapping[str, object], name: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """(key, object) of a member that is an object of objects; nothing where it is something else."""
    found = data.get(name)
    if isinstance(found, Mapping):
        yield from ((str(key), value) for key, value in found.items() if isinstance(value, Mapping))


def rows(data: Mapping[str, object], name: str) -> Iterator[Mapping[str, object]]:
    """The objects of a member that is a list."""
    found = data.get(name)
    if isinstance(found, list):
        yield from (one for one in found if isinstance(one, Mapping))


def word(data: Mapping[str, object], *names: str) -> str:
    """A member as text, by the path of its names; empty where it is not there."""
    value: object = data
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return "" if value is None or isinstance(value, Mapping | list) else str(value).strip()


def asn(text: str) -> int | None:
    """asplain or asdot, `65002.2048`; `None` where nothing is told, or 0. Raises `Unreadable`."""
    if text in ("", "0"):
        return None
    high, dot, low = text.partition(".")
    if not re.fullmatch(r"\d{1,10}(\.\d{1,5})?", text, re.ASCII) or (dot and max(int(high), int(low)) > 0xFFFF):
        raise Unreadable(f"ASN is {text[:40]!r}")
    number = (int(high) << 16) + int(low) if dot else int(high)
    if number >= 2**32:
        raise Unreadable(f"ASN is {text[:40]!r}, not a number of 32 bits")
    return number


def peer(text: str) -> tuple[str, str]:
    """(address in canonical text, zone) of a neighbor: `fe80::1%Et3`; the text itself where it is no address."""
    host, _, zone = text.strip().partition("%")
    try:
        return str(ip_address(host)), zone
    except ValueError:
        return host, zone


def prefix(text: str) -> str:
    """A prefix in canonical text. Raises `Unreadable`."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Unreadable(f"{text[:60]!r} is no prefix") from None
