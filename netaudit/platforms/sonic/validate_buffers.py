"""Buffers that YANG accepts and the chip, orchagent or buffermgrd does not: ranges, thresholds, headroom, lengths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netaudit.platforms.sonic.buffers import merged
from netaudit.platforms.sonic.tables import Row, Tables, reference
from netaudit.platforms.sonic.validate_problem import Problem, by_port, dynamic, members, number, numbers, span, word

GROUPS, QUEUES = 7, 15
"""Highest priority group and queue of a port (sonic-buffer-pg.yang, sonic-buffer-queue.yang)."""
INT_MAX = 2_147_483_647
"""orchagent reads thresholds with stoi: a larger one throws (sonic.md section 2)."""
TABLE_SLACK_BYTES = 1_024
"""A published row of ACS-SN5600 reserves so much less than xon + xoff (netaudit.hardware: PgRow.dedicated)."""
_LOSSLESS_NAME = re.compile(r"pg_lossless_(\d+)_(\d+m)_profile", re.ASCII)


def ranges(tables: Tables) -> Iterator[Problem]:
    """Groups and queues that do not exist, reversed ranges, and ranges of a port that overlap."""
    for table, most, what in (
        ("BUFFER_PG", GROUPS, "priority group"),
        ("BUFFER_QUEUE", QUEUES, "queue"),
        ("QUEUE", QUEUES, "queue"),
    ):
        for port, rows in by_port(tables, table).items():
            taken: dict[int, str] = {}
            for text in rows:
                key = f"{port}|{text}"
                found = span(text, most)
                if found is None:
                    yield Problem(table, key, "", _odd(text, most, what))
                    continue
                other = next((taken[n] for n in found if n in taken), None)
                if other is not None:
                    yield Problem(table, key, "", f"{text} overlaps {other}")
                taken.update(dict.fromkeys(found, text))


def _odd(text: str, most: int, what: str) -> str:
    first, dash, last = text.partition("-")
    low, high = number(first), number(last)
    if dash and low is not None and high is not None and low > high:
        return f"{text} is reversed: write {high}-{low}"
    return f"`{text[:40]}` is no {what} 0 to {most}, nor a range of them"


def pools(tables: Tables) -> Iterator[Problem]:
    """A shared headroom pool larger than the pool it is in, and a pool without a size where nothing computes it."""
    for name, row in tables.get("BUFFER_POOL", {}).items():
        size, xoff = number(word(row, "size")), number(word(row, "xoff"))
        if size is not None and xoff is not None and xoff > size:
            yield Problem("BUFFER_POOL", name, "xoff", f"{xoff} is more than size {size}")
        if size is None and not dynamic(tables) and "size" not in row:
            yield Problem("BUFFER_POOL", name, "size", "missing, and nothing computes it in the traditional model")


def thresholds(tables: Tables) -> Iterator[Problem]:
    """A profile with both thresholds or none, with one of another kind than its pool, or beyond what is read."""
    for name, row in tables.get("BUFFER_PROFILE", {}).items():
        kinds = [kind for kind in ("dynamic", "static") if f"{kind}_th" in row]
        if len(kinds) != 1:
            text = "dynamic_th and static_th are both there" if kinds else "neither dynamic_th nor static_th is there"
            yield Problem("BUFFER_PROFILE", name, "", text)
            continue
        mode = word(tables.get("BUFFER_POOL", {}).get(word(row, "pool"), {}), "mode")
        if mode in ("dynamic", "static") and kinds[0] != mode:
            text = f"its pool {word(row, 'pool')} is {mode} and takes {mode}_th"
            yield Problem("BUFFER_PROFILE", name, f"{kinds[0]}_th", text)


def headroom(tables: Tables) -> Iterator[Problem]:
    """A lossless profile without headroom, or one whose headroom nothing holds."""
    for name, row in tables.get("BUFFER_PROFILE", {}).items():
        xoff = number(word(row, "xoff"))
        if _LOSSLESS_NAME.fullmatch(name) and not xoff and word(row, "headroom_type") != "dynamic":
            yield Problem("BUFFER_PROFILE", name, "xoff", "a lossless profile without headroom drops what follows XOFF")
        size, xon = number(word(row, "size")), number(word(row, "xon"))
        pool = tables.get("BUFFER_POOL", {}).get(word(row, "pool"))
        if not xoff or size is None or pool is None or dynamic(tables):
            continue
        if not number(word(pool, "xoff")) and size + TABLE_SLACK_BYTES < (xon or 0) + xoff:
            text = f"size {size} does not hold xon + xoff, and {word(row, 'pool')} has no shared headroom (xoff)"
            yield Problem("BUFFER_PROFILE", name, "size", text)


def directions(tables: Tables) -> Iterator[Problem]:
    """A profile of an ingress pool where packets leave, or the other way round."""
    for table, field, wanted in (
        ("BUFFER_PG", "profile", "ingress"),
        ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list", "ingress"),
        ("BUFFER_QUEUE", "profile", "egress"),
        ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list", "egress"),
    ):
        for key, row in tables.get(table, {}).items():
            for name in _names(row, field):
                pool = word(tables.get("BUFFER_PROFILE", {}).get(name, {}), "pool")
                kind = word(tables.get("BUFFER_POOL", {}).get(pool, {}), "type")
                if kind not in ("", "both", wanted):
                    yield Problem(table, key, field, f"{name} is of the {kind} pool {pool}, an {wanted} one is needed")


def references(tables: Tables) -> Iterator[Problem]:
    """A profile or pool that is not there. (YANG tells too; a file that is only rendered has not met it yet.)"""
    profiles, known = tables.get("BUFFER_PROFILE", {}), tables.get("BUFFER_POOL", {})
    for name, row in profiles.items():
        pool = word(row, "pool")
        if pool not in known and not pool.startswith("["):
            yield Problem("BUFFER_PROFILE", name, "pool", f"there is no BUFFER_POOL|{pool}")
    for table, field in (
        ("BUFFER_PG", "profile"),
        ("BUFFER_QUEUE", "profile"),
        ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"),
        ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"),
    ):
        for key, row in tables.get(table, {}).items():
            for name in _names(row, field):
                if name not in profiles and not name.startswith("[") and name != "NULL":
                    yield Problem(table, key, field, f"there is no BUFFER_PROFILE|{name}")


def _names(row: Row, field: str) -> list[str]:
    return [part.strip() for part in word(row, field).split(",")]


def _is_lossless(tables: Tables, row: Row) -> bool:
    """Whether a priority group has headroom, written or computed by the switch."""
    name = reference(row, "profile")
    profile = tables.get("BUFFER_PROFILE", {}).get(str(name), {})
    if name == "NULL" or word(profile, "headroom_type") == "dynamic":
        return dynamic(tables)
    return bool(number(word(profile, "xoff")))


def lossless(tables: Tables) -> Iterator[Problem]:
    """PFC without headroom, headroom without PFC, and lossless groups under another key than buffermgrd's."""
    if "BUFFER_PROFILE" not in tables:
        return
    groups, lengths = by_port(tables, "BUFFER_PG"), _lengths(tables)
    # a file without any such row is as shipped: buffermgrd makes them; with some, it has run and left this port out
    made = any(_is_lossless(tables, row) for rows in groups.values() for row in rows.values())
    for port, row in tables.get("PORT_QOS_MAP", {}).items():
        if port == "global" or "pfc_enable" not in row:
            continue
        enabled = numbers(word(row, "pfc_enable"))
        mapped = _groups_of(tables, row, enabled)
        covered = _covered(groups.get(port, {}))
        for priority, group in sorted(mapped.items()):
            if group in covered and not _is_lossless(tables, groups[port][covered[group]]):
                profile = word(groups[port][covered[group]], "profile")
                text = f"PFC is on for priority {priority}, and its group has no headroom: {profile} has no xoff"
                yield Problem("BUFFER_PG", f"{port}|{covered[group]}", "profile", text)
            elif group not in covered and (dynamic(tables) or lengths.get(port, "0m") == "0m"):
                text = f"PFC is on for priority {priority}, and neither BUFFER_PG nor a cable length gives it headroom"
                yield Problem("PORT_QOS_MAP", port, "pfc_enable", text)
            elif group not in covered and made and _is_up(tables, port):
                text = f"PFC is on for priority {priority}, and its group has no headroom, as those of other ports have"
                yield Problem("PORT_QOS_MAP", port, "pfc_enable", text)
        for text in groups.get(port, {}):
            found = members(text, GROUPS)
            if not found or not _is_lossless(tables, groups[port][text]):
                continue
            without = sorted(set(found) - set(mapped.values()))
            if without:
                named = ", ".join(map(str, without))
                yield Problem("BUFFER_PG", f"{port}|{text}", "", f"headroom without PFC on group {named}")
            elif not dynamic(tables) and lengths.get(port, "0m") != "0m" and text not in _runs(enabled):
                keys = " and ".join(sorted(_runs(enabled)))
                text_ = f"buffermgrd writes its own row beside this one: key lossless groups {keys}"
                yield Problem("BUFFER_PG", f"{port}|{text}", "", text_)


def _is_up(tables: Tables, port: str) -> bool:
    """buffermgrd takes the lossless groups of a port away that is administratively down (sonic.md section 3)."""
    return word(tables.get("PORT", {}).get(port, {}), "admin_status") == "up" or "PORT" not in tables


def _groups_of(tables: Tables, row: Row, enabled: frozenset[int]) -> Mapping[int, int]:
    """Priority with PFC → its priority group; without a map the group of the same number."""
    mapping = tables.get("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", {}).get(word(row, "pfc_to_pg_map"), {})
    return {p: g for p in enabled if (g := number(word(mapping, str(p)) or str(p))) is not None}


def _covered(rows: Mapping[str, Row]) -> Mapping[int, str]:
    return {group: text for text in rows for group in members(text, GROUPS)}


def _runs(enabled: frozenset[int]) -> frozenset[str]:
    """The keys buffermgrd writes: neighboring priorities merged, one row for each run (orch.cpp, sonic-swss)."""
    return frozenset(merged(enabled))


def _lengths(tables: Tables) -> Mapping[str, str]:
    return {port: word(row, port) for row in tables.get("CABLE_LENGTH", {}).values() for port in row}


def computing(tables: Tables) -> Iterator[Problem]:
    """The dynamic model without the one row each that it computes from; of several it takes any (sonic.md 3)."""
    if not dynamic(tables):
        return
    for table in ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"):
        rows = tables.get(table, {})
        if not rows:
            yield Problem(table, "", "", "missing, and the dynamic model computes no headroom without it")
        elif len(rows) > 1:
            yield Problem(table, next(iter(rows)), "", f"{len(rows)} rows, of which the switch takes any: write one")


def cables(tables: Tables) -> Iterator[Problem]:
    """A lossless group on a port without cable length, or with a profile made for another length or speed."""
    if dynamic(tables):
        return
    lengths = _lengths(tables)
    for port, rows in by_port(tables, "BUFFER_PG").items():
        for text, row in rows.items():
            if not _is_lossless(tables, row):
                continue
            if port not in lengths:
                yield Problem("CABLE_LENGTH", "", port, "missing, and the port has a lossless group")
                continue
            made = _LOSSLESS_NAME.fullmatch(word(row, "profile"))
            speed = word(tables.get("PORT", {}).get(port, {}), "speed")
            if made and made[2] != lengths[port]:
                text_ = f"{made[0]} is for {made[2]}, CABLE_LENGTH says {lengths[port]}"
                yield Problem("BUFFER_PG", f"{port}|{text}", "profile", text_)
            elif made and speed and made[1] != speed:
                yield Problem(
                    "BUFFER_PG", f"{port}|{text}", "profile", f"{made[0]} is for {made[1]}, PORT says {speed}"
                )
