"""The QoS of the expected state as NVUE can hold it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from netaudit.platforms.nvue.profiles import DEFAULT, Profiles, marking_profiles, scheduler_profiles
from netaudit.platforms.nvue.qos import HASH, KBPS, MORE_HASH, POLL_MS, robustness
from netaudit.state import ABSENT, Absent, Leaf, PortQos, Qos, Queue, Scheduler, Trimming, Watchdog, Wred

_POLL = range(100, 5001)
_TRIM = range(256, 1025)
_SONIC_HASH = {"IN_PORT": "ingress-interface", "IP_PROTOCOL": "protocol"}


def quantize_qos(qos: Qos, trims: bool) -> Qos:
    """One map for all ports, profiles for all queues of a port, one watchdog for the switch."""
    poll = qos.watchdog_poll_ms
    polled = replace(qos, watchdog_poll_ms=min(_POLL[-1], max(_POLL[0], poll)) if isinstance(poll, int) else poll)
    polled = _mapped(polled)
    schedulers, marking = scheduler_profiles(polled), marking_profiles(polled)
    ports = polled.ports
    if ports is not None:
        ports = {key: _port(key, port, polled, schedulers, marking) for key, port in ports.items()}
    return replace(
        polled,
        schedulers=None if qos.schedulers is None else _schedulers(polled, schedulers),
        wred=None if qos.wred is None else _wred(polled, marking),
        trimming=_trimming(qos.trimming, trims),
        hash_fields=_hash(qos.hash_fields),
        ports=ports,
    )


def _mapped(qos: Qos) -> Qos:
    """Maps by NVUE's names, from DSCP to the switch priority that is PFC priority and priority group as well.

    The expected state counts classes by their queues; where the PFC priority of a class is another number, that is its
    switch priority, and the class that had this number takes a free one.
    """
    main = _main(qos)
    queues = (qos.tc_to_queue or {}).get(DEFAULT) or next(iter((qos.tc_to_queue or {}).values()), None)
    priority_of = _priorities(qos, queues or {})
    dscp_to_tc = qos.dscp_to_tc
    if dscp_to_tc is not None:
        dscp_to_tc = {
            DEFAULT if name == main else name: {dscp: priority_of.get(tc, tc) for dscp, tc in dscps.items()}
            for name, dscps in dscp_to_tc.items()
        }
    tc_to_queue: Mapping[str, Mapping[int, int]] | None = qos.tc_to_queue
    if tc_to_queue:
        tc_to_queue = {DEFAULT: {priority_of.get(tc, tc): queue for tc, queue in sorted((queues or {}).items())}}
    ports = qos.ports
    if ports is not None:
        ports = {
            key: replace(port, dscp_to_tc=DEFAULT) if port.dscp_to_tc == main else port for key, port in ports.items()
        }
    return replace(qos, dscp_to_tc=dscp_to_tc, tc_to_queue=tc_to_queue, ports=ports)


def _main(qos: Qos) -> str:
    """The map of all ports: the one that is called so, that the switch has, or the first."""
    maps = qos.dscp_to_tc or {}
    said = qos.switch_dscp_to_tc
    if DEFAULT in maps:
        return DEFAULT
    return said if isinstance(said, str) and (said in maps or not maps) else next(iter(maps), DEFAULT)


def _priorities(qos: Qos, queues: Mapping[int, int]) -> Mapping[int, int]:
    """Class → switch priority: its PFC priority where it has PFC, else itself or a number that nobody else has."""
    groups = next(iter((qos.tc_to_pg or {}).values()), {})
    lossless = {p for port in (qos.ports or {}).values() if isinstance(port.pfc, frozenset) for p in port.pfc}
    found = {tc: pg for tc, pg in groups.items() if pg in lossless}
    classes: Collection[int] = queues or range(8)
    for tc in classes:
        if tc not in found and tc not in found.values():
            found[tc] = tc
    free = [number for number in range(8) if number not in found.values()]
    for tc in classes:
        if tc not in found and free:
            found[tc] = free.pop(0)
    return found


def _schedulers(qos: Qos, profiles: Profiles) -> Mapping[str, Scheduler]:
    rows = qos.schedulers or {}
    return {
        f"{profile}/{queue}": _scheduler(rows[name])
        for profile, content in profiles.content.items()
        for queue, name in content
        if name in rows
    }


def _scheduler(row: Scheduler) -> Scheduler:
    cap = row.cap_bytes_per_s
    return replace(row, cap_bytes_per_s=max(1, round(cap / KBPS)) * KBPS if isinstance(cap, int) else cap)


def _wred(qos: Qos, profiles: Profiles) -> Mapping[str, Wred]:
    rows = qos.wred or {}
    return {
        f"{profile}/{queue}": _one_colour(rows[name])
        for profile, content in profiles.content.items()
        for queue, name in content
        if name in rows
    }


def _one_colour(row: Wred) -> Wred:
    if not row.colours:
        return row
    name = "green" if "green" in row.colours else next(iter(row.colours))
    return replace(row, colours={"green": row.colours[name]})


def _port(key: str, port: PortQos, qos: Qos, schedulers: Profiles, marking: Profiles) -> PortQos:
    watchdog = port.watchdog
    if isinstance(watchdog, Watchdog):
        poll = qos.watchdog_poll_ms if isinstance(qos.watchdog_poll_ms, int) else POLL_MS
        rounds = robustness(qos)
        detect = watchdog.detect_ms if rounds is None else poll * rounds
        watchdog = replace(watchdog, detect_ms=detect, restore_ms=poll)
    queues = port.queues
    if queues is not None:
        queues = {
            queue: replace(
                served,
                scheduler=_named(served.scheduler, schedulers.of_port.get(key), queue),
                wred=_named(served.wred, marking.of_port.get(key), queue),
            )
            for queue, served in queues.items()
            if not _idle(served)
        }
    return replace(port, watchdog=watchdog, queues=queues, shaper=port.shaper if port.shaper is ABSENT else None)


def _idle(served: Queue) -> bool:
    """A queue that nothing serves is in no profile."""
    return served.scheduler is ABSENT and served.wred is ABSENT


def _named(name: Leaf[str], profile: str | None, queue: str) -> Leaf[str]:
    return f"{profile}/{queue}" if isinstance(name, str) and profile is not None else name


def _trimming(trimming: Leaf[Trimming], trims: bool) -> Leaf[Trimming]:
    if not isinstance(trimming, Trimming):
        return trimming if trims else None
    if not trims:
        return None
    size = trimming.size_bytes
    if isinstance(size, int):
        size = min(_TRIM[-1], max(_TRIM[0], -(-size // 4) * 4))
    return replace(trimming, size_bytes=size)


def _hash(fields: Leaf[frozenset[str]]) -> frozenset[str] | Absent | None:
    if not isinstance(fields, frozenset):
        return fields
    known = (_SONIC_HASH.get(field, field) for field in fields)
    return frozenset(field for field in known if field in HASH or field in MORE_HASH)
