"""How EOS names ports: `Ethernet<cage>/<first lane>`, or `Ethernet<cage>` where a cage has one lane."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_PORT = re.compile(r"Ethernet(\d{1,4})(?:/(\d{1,2}))?")
_SHORT = re.compile(r"([A-Za-z][A-Za-z-]*) ?(\d+(?:/\d+)*(?:\.\d+)?)")
_KINDS: Final = {
    "e": "Ethernet",
    "et": "Ethernet",
    "eth": "Ethernet",
    "ethernet": "Ethernet",
    "lo": "Loopback",
    "loopback": "Loopback",
    "ma": "Management",
    "management": "Management",
    "po": "Port-Channel",
    "port-channel": "Port-Channel",
    "vl": "Vlan",
    "vlan": "Vlan",
}
"""First letters by which the CLI and LLDP know a kind of interface → its whole name."""
_VRF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]{0,99}")


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`1/2` of 4 lanes → `Ethernet1/5`, `64` → `Ethernet64/1`; `65` of one lane → `Ethernet65` (eos.md section 2)."""
    cage, _, sub = port.partition("/")
    return f"Ethernet{cage}" if cage_lanes == 1 else f"Ethernet{cage}/{(int(sub or 1) - 1) * lanes + 1}"


def full_name(name: str) -> str:
    """`Et1/1`, `ethernet 1/1` → `Ethernet1/1`; other text stays as it is."""
    found = _SHORT.fullmatch(name.strip())
    kind = _KINDS.get(found.group(1).lower()) if found else None
    return f"{kind}{found.group(2)}" if found and kind else name


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage that `Ethernet5/1` is in; `None` for other text."""
    found = _PORT.fullmatch(full_name(name))
    return found.group(1) if found else None


def unnumbered(version: str) -> str:
    """Nothing is in the way: `neighbor interface` peers over link-local addresses, with IPv4 next hops of IPv6
    (eos.md section 1, tested in netlab's laboratory)."""
    return ""


def vrf_problem(name: str) -> str:
    """Why EOS cannot have a VRF of that name; empty if it can."""
    if name.lower() in ("default", "all"):
        return f"{name!r} is a word of the CLI itself"
    return "" if _VRF.fullmatch(name) else f"{name!r} is not one word of letters, digits, `-`, `_`, `.` and `:`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a configuration says of an interface, as far as it tells which part of a cage a port is."""

    name: str
    lanes: int | None = None
    """As its speed says."""
    empty: bool = False
    """No line stands below it: a lane that is not in use as a port of its own is listed like that."""


def positions(interfaces: Iterable[Seen]) -> Mapping[str, str]:
    """Native name → `cage[/sub]` of the ports among some interfaces.

    A port alone in its cage is the cage; several are its parts, in the order of their first lanes. A lane that another
    port runs over is no port.
    """
    cages: dict[str, list[tuple[int, Seen]]] = {}
    keys: dict[str, str] = {}
    for seen in interfaces:
        found = _PORT.fullmatch(seen.name)
        if found and found.group(2) is None:
            keys[seen.name] = found.group(1)
        elif found:
            cages.setdefault(found.group(1), []).append((int(found.group(2)), seen))
    for cage, members in cages.items():
        used = [seen.name for seen in _ports(sorted(members, key=lambda member: member[0]))]
        for number, name in enumerate(used, start=1):
            keys[name] = cage if len(used) == 1 else f"{cage}/{number}"
    return keys


def _ports(members: list[tuple[int, Seen]]) -> Iterable[Seen]:
    taken = 0
    for first, seen in members:
        if not seen.empty or first > taken:
            taken = 64 if seen.lanes is None else max(taken, first + seen.lanes - 1)
            yield seen


def expanded(text: str) -> Iterable[str]:
    """The interfaces of a list: `Ethernet1/1-3/1,5` names four; what is no list of ports is itself."""
    kind = re.match(r"[A-Za-z-]+", text)
    if kind is None:
        return (text,)
    names: list[str] = []
    for part in text[kind.end() :].split(","):
        first, _, last = part.partition("-")
        names += (f"{kind.group()}{number}" for number in (_range(first, last) if last else (first,)))
    return [full_name(name) for name in names][:MOST]


MOST: Final = 4096
"""Interfaces of a list that are looked at."""


def _range(first: str, last: str) -> list[str]:
    """`1/1`, `3/1` → `1/1 2/1 3/1`; `1/1`, `4` or `1/4` → `1/1 1/2 1/3 1/4`: the one number in which both differ."""
    a, b = first.split("/"), last.split("/")
    b = a[: len(a) - len(b)] + b
    differing = [n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
    if len(a) != len(b) or len(differing) > 1 or not all(part.isdecimal() for part in (*a, *b)):
        return [first, last]
    at = differing[0] if differing else len(a) - 1
    numbers = range(int(a[at]), min(int(b[at]), int(a[at]) + MOST) + 1)
    return ["/".join((*a[:at], str(number), *a[at + 1 :])) for number in numbers]
