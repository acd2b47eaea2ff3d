"""How SONiC names ports: `Ethernet<n>`, n the first lane's position when every cage counts for its lanes."""

from __future__ import annotations

import re

VLAN = "Vlan"
"""A VLAN and its interface are `Vlan<number>`."""
_PORT = re.compile(r"Ethernet(\d+)")


def port_name(port: str, lanes: int, cage_lanes: int, first_lane: int) -> str:
    """`1/2` with 4 lanes, its cage at lane 0 → `Ethernet4`; `64` at lane 504 → `Ethernet504` (sonic.md section 1)."""
    _, _, sub = port.partition("/")
    return f"Ethernet{first_lane + (int(sub or 1) - 1) * lanes}"


def full_name(name: str) -> str:
    """SONiC shortens no port name."""
    return name


def unnumbered(version: str) -> str:
    """Nothing is in the way: FRR peers over the link-local address of an interface (sonic.md section 6)."""
    return ""


def cage_of(name: str, cage_lanes: int) -> str | None:
    """The cage that `Ethernet88` is in on a box of that many lanes a cage; `None` for other text."""
    found = _PORT.fullmatch(name)
    return str(int(found.group(1)) // cage_lanes + 1) if found else None


def positions(rows: dict[str, dict[str, object]]) -> dict[str, str]:
    """Native name → `cage[/sub]` for the rows of a PORT table.

    A row alone on its cage is the cage; several rows of one `index` are sub-ports in the order of their first lane,
    or as their `subport` says. A row without a usable index keeps its native name, so that it is seen as extra.
    """
    cages: dict[str, list[tuple[int, str, dict[str, object]]]] = {}
    keys: dict[str, str] = {}
    for name, row in rows.items():
        index = str(row.get("index", ""))
        found = _PORT.fullmatch(name)
        if not index.isdigit() or not found:
            keys[name] = name
            continue
        cages.setdefault(index, []).append((int(found.group(1)), name, row))
    for index, members in cages.items():
        members.sort()
        for order, (_, name, row) in enumerate(members, start=1):
            sub = str(row.get("subport", "0"))
            if len(members) == 1 and sub in ("0", ""):
                keys[name] = index
            else:
                keys[name] = f"{index}/{sub if sub.isdigit() and sub != '0' else order}"
    if len(set(keys.values())) != len(keys):
        taken: set[str] = set()
        for name, key in keys.items():
            keys[name] = name if key in taken else key
            taken.add(key)
    return keys
