"""Ports and addresses that contradict each other: lanes, breakouts, aliases, duplicate addresses, unknown ports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_interface

from netaudit.platforms.sonic.tables import Row, Tables
from netaudit.platforms.sonic.validate_problem import PORT, Problem, number, word

LANE_MBPS = 200_000
"""The fastest lane there is, 1.6T over 8 (IEEE P802.3dj)."""
NRZ_LANE_MBPS = 25_781
"""The fastest lane without PAM4, 100GBASE-R4 and 25GBASE-R with their line code (IEEE 802.3 clauses 91, 107)."""
LAYER_3 = ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE", "MGMT_INTERFACE")
PORT_KEYS = (
    "BREAKOUT_CFG",
    "BUFFER_PG",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_QUEUE",
    "INTERFACE",
    "LLDP_PORT",
    "PFC_WD",
    "PORT_QOS_MAP",
    "QUEUE",
)
"""Tables whose keys begin with a port."""
_MODE = re.compile(r"(\d)x(\d+)G(?:\[([\dG,]*)\])?(?:\(\d+\))?", re.ASCII)
"""`2x400G[200G,100G]`, and `1x100G(2)+1x50G(2)` in parts."""


def lanes(tables: Tables) -> Iterator[Problem]:
    """A lane that two ports have, and lanes that cannot carry the speed."""
    owner: dict[str, str] = {}
    for name, row in tables.get("PORT", {}).items():
        mine = [lane.strip() for lane in word(row, "lanes").split(",") if lane.strip()]
        taken: dict[str, list[str]] = {}
        for lane in mine:
            if owner.setdefault(lane, name) != name:
                taken.setdefault(owner[lane], []).append(lane)
        for other, shared in taken.items():
            what = f"lane {shared[0]} is a lane" if len(shared) == 1 else f"lanes {', '.join(shared)} are lanes"
            yield Problem("PORT", name, "lanes", f"{what} of {other} too")
        if len(set(mine)) != len(mine):
            yield Problem("PORT", name, "lanes", "a lane stands here twice")
        speed = number(word(row, "speed"))
        if mine and speed is not None and (speed > LANE_MBPS * len(mine) or speed % len(mine)):
            yield Problem("PORT", name, "speed", f"{speed} Mb/s do not run over {len(mine)} lanes")


def fec(tables: Tables) -> Iterator[Problem]:
    """FEC that the lanes cannot do without, or that they do not have: PAM4 needs RS, lanes of 10G (40G) have no RS."""
    for name, row in tables.get("PORT", {}).items():
        mode, speed = word(row, "fec"), number(word(row, "speed"))
        count = len([lane for lane in word(row, "lanes").split(",") if lane.strip()])
        if not mode or mode == "auto" or not speed or not count:
            continue
        if speed > count * NRZ_LANE_MBPS and mode != "rs":
            yield Problem("PORT", name, "fec", f"{mode}, and lanes of {speed // count // 1000}G need rs")
        elif mode == "rs" and speed == count * 10_000:
            yield Problem("PORT", name, "fec", f"rs, and {speed // 1000}G over {count} lanes has none or fc")


def names(tables: Tables) -> Iterator[Problem]:
    """An alias, or a sub-port of a cage, that two ports have."""
    aliases: dict[str, str] = {}
    parts: dict[tuple[str, str], str] = {}
    for name, row in tables.get("PORT", {}).items():
        alias, index, sub = word(row, "alias"), word(row, "index"), word(row, "subport")
        if alias and aliases.setdefault(alias, name) != name:
            yield Problem("PORT", name, "alias", f"{alias} is the alias of {aliases[alias]} too")
        if index and sub not in ("", "0") and parts.setdefault((index, sub), name) != name:
            text = f"sub-port {sub} of cage {index} is {parts[index, sub]} already"
            yield Problem("PORT", name, "subport", text)


def breakouts(tables: Tables) -> Iterator[Problem]:
    """A breakout mode that is not what the rows of its cage say; nothing else ties the two tables together."""
    ports = tables.get("PORT", {})
    cages: dict[str, list[Row]] = {}
    for row in ports.values():
        cages.setdefault(word(row, "index"), []).append(row)
    for name, row in tables.get("BREAKOUT_CFG", {}).items():
        mode = word(row, "brkout_mode")
        if name not in ports or not word(ports[name], "index"):
            continue
        parts = [_MODE.fullmatch(part) for part in mode.split("+")]
        if not all(parts):
            yield Problem("BREAKOUT_CFG", name, "brkout_mode", f"`{mode}` is no mode as 2x400G[200G,100G]")
            continue
        rows = cages[word(ports[name], "index")]
        count = sum(int(part[1]) for part in parts if part)
        if count != len(rows):
            text = f"{mode} makes {count} ports, and PORT has {len(rows)} of this cage"
            yield Problem("BREAKOUT_CFG", name, "brkout_mode", text)
        speeds = {1000 * n for part in parts if part for n in _speeds(part)}
        for odd in {s for r in rows if (s := number(word(r, "speed"))) is not None} - speeds:
            text = f"{mode} has no {odd // 1000}G, which PORT has on this cage"
            yield Problem("BREAKOUT_CFG", name, "brkout_mode", text)


def _speeds(part: re.Match[str]) -> Iterator[int]:
    yield int(part[2])
    for text in (part[3] or "").split(","):
        speed = number(text.removesuffix("G"))
        if speed is not None:
            yield speed


def addresses(tables: Tables) -> Iterator[Problem]:
    """An address that two interfaces have, and an address without the bare row of its interface."""
    owner: dict[str, str] = {}
    for table in LAYER_3:
        rows = tables.get(table, {})
        for key in rows:
            name, bar, prefix = key.partition("|")
            if not bar:
                continue
            if name not in rows and table != "MGMT_INTERFACE":
                yield Problem(table, key, "", f"an address without the row {table}|{name}")
            try:
                address = str(ip_interface(prefix).ip)
            except ValueError:
                continue  # YANG tells
            if owner.setdefault(address, f"{table}|{key}") != f"{table}|{key}":
                yield Problem(table, key, "", f"{address} is the address of {owner[address]} too")


def strangers(tables: Tables) -> Iterator[Problem]:
    """A row of a port that PORT does not have."""
    ports = tables.get("PORT", {})
    if not ports:
        return
    for table in PORT_KEYS:
        for key in tables.get(table, {}):
            name = key.partition("|")[0]
            if PORT.fullmatch(name) and name not in ports:
                yield Problem(table, key, "", f"there is no PORT|{name}")
    for key, row in tables.get("CABLE_LENGTH", {}).items():
        for name in row:
            if name not in ports:
                yield Problem("CABLE_LENGTH", key, name, f"there is no PORT|{name}")
