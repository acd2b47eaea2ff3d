"""What NX-OS puts around an answer: refusals in words, tables as TABLE_x/ROW_x, port names short and long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

MOST_VALUES = 3_000_000
"""Values in one JSON text; as many as the largest routing table of a fabric of 1,500 leaves has."""
MOST_CHARACTERS = 64 * 1024 * 1024
"""The most that is read over SSH in one answer."""

_REFUSAL = re.compile(r"\s*(?:%|ERROR:|Invalid command|Syntax error)", re.ASCII)
_PORT = re.compile(r"(?:Ethernet|Eth)(\d{1,4}(?:/\d{1,4}){1,2})", re.ASCII | re.IGNORECASE)
_LOOPBACK = re.compile(r"(?:loopback|Lo)(\d{1,4})", re.ASCII | re.IGNORECASE)
_VLAN = re.compile(r"Vlan(\d{1,4})", re.ASCII | re.IGNORECASE)


class Unreadable(ValueError):
    """A device's text is not what NX-OS writes."""


def refusal(text: str) -> str:
    """The line by which the CLI refuses a command; empty if it took it. NX-OS refuses in words, with exit code 0.

    The first line that says something decides: a refusal is the whole answer to a `show`.
    """
    lines = [line for line in text[:4000].splitlines() if line.strip(" \t^")]
    if not lines or not (_REFUSAL.match(lines[0]) or (len(lines) <= 3 and _REFUSAL.match(lines[-1]))):
        return ""
    return next(line.strip() for line in lines if _REFUSAL.match(line))[:200]


def parsed(text: str) -> Mapping[str, object]:
    """The JSON object of `show ... | json`; no text at all is NX-OS's way to say that there is nothing."""
    if refused := refusal(text):
        raise Unreadable(refused)
    if not text.strip():
        return {}
    if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
        raise Unreadable(f"an answer of more than {MOST_VALUES:,} values")
    try:
        # a number with a dot stays text: as a float, AS 65000.10 would become 65000.1
        data = json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None
    if not isinstance(data, Mapping):
        raise Unreadable("not a JSON object")
    return data


def rows(data: Mapping[str, object], name: str) -> Iterator[Mapping[str, object]]:
    """The rows of `TABLE_name`: ROW_ is an object where there is one row, a list otherwise (nxos.md section 6)."""
    table = data.get(f"TABLE_{name}")
    for part in table if isinstance(table, list) else [table]:
        if isinstance(part, Mapping):
            row = part.get(f"ROW_{name}")
            yield from (one for one in (row if isinstance(row, list) else [row]) if isinstance(one, Mapping))


def word(row: Mapping[str, object], *names: str) -> str:
    """The first of these fields that is there, as text."""
    value = next((row[name] for name in names if row.get(name) is not None), "")
    return str(value).strip()


def key_of(name: str) -> str:
    """`Eth1/5`, `Ethernet1/5/2`, `Lo0`, `Vlan10` → `5`, `5/2`, `Loopback0`, `Vlan10`; another name stays as it is.

    The first number is the module, which is 1 on every fixed box (nxos.md section 4); one of another module keeps its
    name, so that it is seen as extra.
    """
    name = name.strip()
    if found := _PORT.fullmatch(name):
        module, _, port = found[1].partition("/")
        return port if module == "1" else f"Ethernet{found[1]}"
    if found := _LOOPBACK.fullmatch(name):
        return f"Loopback{int(found[1])}"
    if found := _VLAN.fullmatch(name):
        return f"Vlan{int(found[1])}"
    return name


def is_port(name: str) -> bool:
    """Is it a front panel port?"""
    return _PORT.fullmatch(name.strip()) is not None


def asn(value: object) -> int:
    """asplain or asdot (`8.1201`), as number or text. Raises `Unreadable` for what is no number of 32 bits."""
    text = str(value).strip()
    high, dot, low = text.partition(".")
    if not re.fullmatch(r"\d{1,10}(\.\d{1,5})?", text, re.ASCII):
        raise Unreadable(f"ASN is {text[:40]!r}, not a number")
    if dot and (int(high) > 0xFFFF or int(low) > 0xFFFF):
        raise Unreadable(f"ASN is {text[:40]!r}, whose halves have 16 bits each")
    number = (int(high) << 16) + int(low) if dot else int(high)
    if number >= 2**32:
        raise Unreadable(f"ASN is {text[:40]!r}, not a number of 32 bits")
    return number


def address(text: str) -> IPv4Address | IPv6Address | None:
    """An address; the zone that NX-OS writes behind a link-local one (`fe80::1%default`) is left out."""
    try:
        return ip_address(text.partition("%")[0].strip())
    except ValueError:
        return None


def peer(text: str) -> str:
    """The key of a session: an address in canonical text, or the position of the port that it runs over."""
    found = address(text)
    return str(found) if found is not None else key_of(text)


def prefix(text: str) -> str:
    """A prefix in canonical text. Raises `Unreadable`."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Unreadable(f"{text[:60]!r} is no prefix") from None
