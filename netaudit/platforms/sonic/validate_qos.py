"""QoS that YANG accepts and that does not do what it looks like: maps, the lossless chain, marking, the watchdog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from netaudit.platforms.sonic.qos import COLOURS, MAPS
from netaudit.platforms.sonic.tables import Row, Tables
from netaudit.platforms.sonic.validate_buffers import INT_MAX, QUEUES
from netaudit.platforms.sonic.validate_problem import Problem, by_port, number, numbers, span, word

DSCP = range(64)
LAST_QUEUE = 7
"""A traffic class goes to a unicast queue, of which a port has eight (sonic.md section 2)."""
POLL_MS = 200
"""orchagent's own interval where PFC_WD|GLOBAL is not there (sonic.md section 2, `pfcwd start_default`)."""


def maps(tables: Tables) -> Iterator[Problem]:
    """A DSCP map that leaves code points to the chip's default, and queues that no port has."""
    for name, row in tables.get("DSCP_TO_TC_MAP", {}).items():
        missing = [n for n in DSCP if str(n) not in row]
        if missing:
            shown = ", ".join(map(str, missing[:4])) + (" …" if len(missing) > 4 else "")
            text = f"{len(missing)} of 64 code points are missing ({shown}) and fall to the chip's default"
            yield Problem("DSCP_TO_TC_MAP", name, "", text)
    for name, row in tables.get("TC_TO_QUEUE_MAP", {}).items():
        for tc in row:
            queue = number(word(row, tc))
            if queue is None or not 0 <= queue <= LAST_QUEUE:
                yield Problem("TC_TO_QUEUE_MAP", name, tc, f"`{word(row, tc)[:20]}` is no queue 0 to {LAST_QUEUE}")


def references(tables: Tables) -> Iterator[Problem]:
    """A map, scheduler or WRED profile that is not there."""
    fields = {f"{field}_map": table for field, table in MAPS.items()}
    for key, row in tables.get("PORT_QOS_MAP", {}).items():
        for field, table in fields.items():
            name = word(row, field)
            if name and name not in tables.get(table, {}) and not _is_old(name):
                yield Problem("PORT_QOS_MAP", key, field, f"there is no {table}|{name}")
    for key, row in tables.get("QUEUE", {}).items():
        for field, table in (("scheduler", "SCHEDULER"), ("wred_profile", "WRED_PROFILE")):
            name = word(row, field)
            if name and name not in tables.get(table, {}) and not _is_old(name):
                yield Problem("QUEUE", key, field, f"there is no {table}|{name}")


def _is_old(name: str) -> bool:
    """A reference with its table in it is a problem of its own."""
    return name.startswith("[")


Maps: TypeAlias = "Mapping[tuple[str, str], Mapping[int, int]]"
"""(field without `_map`, name of the map) → the map as numbers, as far as they are some."""


def _maps(tables: Tables) -> Maps:
    """Every map once: hundreds of ports are bound to the same few."""
    found: dict[tuple[str, str], Mapping[int, int]] = {}
    for field, table in MAPS.items():
        for name, row in tables.get(table, {}).items():
            pairs = ((number(key), number(word(row, key))) for key in row)
            found[field, name] = {key: value for key, value in pairs if key is not None and value is not None}
    return found


def _map(maps: Maps, row: Row, field: str) -> Mapping[int, int]:
    """The map that a port is bound to."""
    return maps.get((field, word(row, f"{field}_map")), {})


def chain(tables: Tables) -> Iterator[Problem]:
    """A PFC priority that pauses another queue than the one its traffic is in (QOS-03), or no traffic at all."""
    bound = _maps(tables)
    for port, row in tables.get("PORT_QOS_MAP", {}).items():
        to_queue, to_group = _map(bound, row, "tc_to_queue"), _map(bound, row, "tc_to_pg")
        for tc in sorted(set(_map(bound, row, "dscp_to_tc").values())):
            for field, found in (("tc_to_queue_map", to_queue), ("tc_to_pg_map", to_group)):
                if found and tc not in found:
                    yield Problem("PORT_QOS_MAP", port, field, f"{word(row, field)} has no traffic class {tc}")
        paused, groups = _map(bound, row, "pfc_to_queue"), _map(bound, row, "pfc_to_pg")
        enabled = numbers(word(row, "pfc_enable"))
        if to_queue and to_group:
            for priority in sorted(enabled):
                yield from _paused(port, priority, paused, groups, to_queue, to_group)
        for priority in sorted(numbers(word(row, "pfcwd_sw_enable")) - enabled):
            text = f"priority {priority} is watched and has no PFC"
            yield Problem("PORT_QOS_MAP", port, "pfcwd_sw_enable", text)


def _paused(
    port: str,
    priority: int,
    paused: Mapping[int, int],
    groups: Mapping[int, int],
    to_queue: Mapping[int, int],
    to_group: Mapping[int, int],
) -> Iterator[Problem]:
    group, queue = groups.get(priority, priority), paused.get(priority, priority)
    inside = [tc for tc, found in to_group.items() if found == group]
    if not inside:
        text = f"PFC is on for priority {priority}, and no traffic class is in its priority group {group}"
        yield Problem("PORT_QOS_MAP", port, "pfc_enable", text)
    for tc in inside:
        if tc in to_queue and to_queue[tc] != queue:
            text = f"priority {priority} pauses queue {queue}, and traffic class {tc} of its group is in {to_queue[tc]}"
            yield Problem("PORT_QOS_MAP", port, "tc_to_queue_map", text)


def schedulers(tables: Tables) -> Iterator[Problem]:
    """A queue with traffic and without a scheduler, and a ceiling without the rate that must stand beside it."""
    for name, row in tables.get("SCHEDULER", {}).items():
        if "pir" in row and "cir" not in row:
            yield Problem("SCHEDULER", name, "pir", "a ceiling needs cir beside it")
    queues = by_port(tables, "QUEUE")
    bound = _maps(tables)
    for port, row in tables.get("PORT_QOS_MAP", {}).items():
        if port not in queues:
            continue
        served = {n for text, q in queues[port].items() if "scheduler" in q for n in span(text, QUEUES) or ()}
        to_queue = _map(bound, row, "tc_to_queue")
        used = {to_queue[tc] for tc in _map(bound, row, "dscp_to_tc").values() if tc in to_queue}
        for queue in sorted(used - served):
            yield Problem("QUEUE", port, "", f"queue {queue} has traffic and no scheduler")


def marking(tables: Tables) -> Iterator[Problem]:
    """WRED profiles that mark nothing, or whose thresholds cannot be taken over."""
    for name, row in tables.get("WRED_PROFILE", {}).items():
        mode = word(row, "ecn")
        for colour in COLOURS:
            enabled = word(row, f"wred_{colour}_enable") == "true"
            if (mode == "ecn_all" or colour in mode.split("_")) and not enabled:
                text = f"{mode} marks no {colour} packet without wred_{colour}_enable"
                yield Problem("WRED_PROFILE", name, f"wred_{colour}_enable", text)
            low, high = (number(word(row, f"{colour}_{end}_threshold")) for end in ("min", "max"))
            if low is not None and high is not None and low > high:
                yield Problem("WRED_PROFILE", name, f"{colour}_min_threshold", f"{low} is above the maximum {high}")
            if enabled and (low is None or high is None):
                text = "enabled without a minimum and a maximum"
                yield Problem("WRED_PROFILE", name, f"wred_{colour}_enable", text)
            for end, value in (("min", low), ("max", high)):
                if value is not None and value > INT_MAX:
                    text = f"{value} is more than orchagent reads ({INT_MAX})"
                    yield Problem("WRED_PROFILE", name, f"{colour}_{end}_threshold", text)


def watchdog(tables: Tables) -> Iterator[Problem]:
    """A watchdog that polls slower than it must act, or that is not set up on a port it shall watch."""
    table = tables.get("PFC_WD", {})
    if not table:
        return
    poll = number(word(table.get("GLOBAL", {}), "POLL_INTERVAL")) or POLL_MS
    for port, row in table.items():
        if port == "GLOBAL":
            continue
        for field in ("detection_time", "restoration_time"):
            time_ms = number(word(row, field))
            if time_ms is not None and time_ms < poll:
                yield Problem("PFC_WD", port, field, f"{time_ms} ms is shorter than the poll interval of {poll} ms")
        if "detection_time" not in row:
            yield Problem("PFC_WD", port, "detection_time", "missing: orchagent takes no row without it")
    for port, row in tables.get("PORT_QOS_MAP", {}).items():
        if word(row, "pfcwd_sw_enable") and port not in table and port != "global":
            yield Problem("PORT_QOS_MAP", port, "pfcwd_sw_enable", f"nothing is watched without PFC_WD|{port}")
