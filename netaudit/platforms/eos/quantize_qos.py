"""QoS as EOS holds it: one map of each kind, and what serves queues under the names of profiles (`qos.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from netaudit.platforms.eos.qos import ACTIONS, COLOUR, FIXED_TC, KBIT_BYTES, SWITCH, base_name, default_tc, row_of
from netaudit.state import ABSENT, Device, Leaf, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

T = TypeVar("T")
Row = TypeVar("Row", Scheduler, Wred)
SHORTEST_MS, LONGEST_MS, STEP_MS = 10, 60_000, 10
"""Times of the watchdog (eos.md section 2)."""
SHORTEST_POLL_MS, LONGEST_POLL_MS = 5, 30_000


def quantized_qos(device: Device) -> Qos:
    """The normal form."""
    qos = device.qos or Qos()
    bases = _bases(device, qos)
    schedulers, wred = _tables(qos, bases)
    known = frozenset(qos.wred or {})
    ports = None if qos.ports is None else {key: _port(port, bases, known) for key, port in qos.ports.items()}
    number = _renumbered(qos)
    classes = _map(qos.dscp_to_tc, qos.switch_dscp_to_tc, {dscp: default_tc(dscp) for dscp in range(64)})
    queues = _map(qos.tc_to_queue, None, {tc: tc for tc in range(8)})
    return replace(
        qos,
        dscp_to_tc=_each(classes, lambda dscp, tc: (dscp, number.get(tc, tc))),
        tc_to_queue=_each(queues, lambda tc, queue: (number.get(tc, tc), queue)),
        tc_to_pg=None,
        pfc_to_queue=None,
        pfc_to_pg=None,
        schedulers=None if qos.schedulers is None else schedulers,
        wred=None if qos.wred is None else wred,
        switch_dscp_to_tc=None,
        watchdog_poll_ms=_poll(qos.watchdog_poll_ms, ports or {}),
        trimming=_absent(qos.trimming),
        hash_fields=None,
        ports=ports,
    )


def _absent(value: Leaf[T]) -> Leaf[T]:
    """Nothing, where nothing must be; what EOS cannot have is not expected."""
    return ABSENT if value is ABSENT else None


def _map(
    maps: Mapping[str, Mapping[int, int]] | None, chosen: Leaf[str], default: Mapping[int, int]
) -> Mapping[str, Mapping[int, int]] | None:
    """The map that the switch uses, else the first; an entry that it does not have is EOS's own."""
    if maps is None:
        return None
    name = chosen if isinstance(chosen, str) and chosen in maps else next(iter(maps), None)
    return {SWITCH: {**default, **(maps[name] if name is not None else {})}}


def _each(
    maps: Mapping[str, Mapping[int, int]] | None, entry: Callable[[int, int], tuple[int, int]]
) -> Mapping[str, Mapping[int, int]] | None:
    """The same maps with every entry made another."""
    if maps is None:
        return None
    return {name: dict(sorted(entry(*row) for row in rows.items())) for name, rows in maps.items()}


def _renumbered(qos: Qos) -> Mapping[int, int]:
    """Class → the number it has on EOS: that of its PFC priority where it is lossless.

    There a PFC priority protects the class of that number and no other, while SONiC has a map between both. A class
    whose number is taken so gets one that is left; 7 stays what it is, being fixed to queue 7 (eos.md section 2).
    """
    groups = next(iter((qos.tc_to_pg or {}).values()), {})
    lossless = {p for port in (qos.ports or {}).values() if isinstance(port.pfc, frozenset) for p in port.pfc}
    found: dict[int, int] = {}
    for priority in sorted(lossless - {FIXED_TC}):
        classes = [tc for tc, group in groups.items() if group == priority]
        if len(classes) == 1 and classes[0] != FIXED_TC:
            found[classes[0]] = priority
    others = [tc for tc in range(FIXED_TC) if tc not in found]
    left = [tc for tc in range(FIXED_TC) if tc not in found.values()]
    found |= {tc: tc for tc in others if tc in left}
    moved = [tc for tc in others if tc not in left]
    return found | dict(zip(moved, (tc for tc in left if tc not in others), strict=True))


Queues = tuple[tuple[str, str, str], ...]
"""(queue, what serves it, what marks in it)."""


def _queues(port: PortQos) -> Queues:
    return tuple((number, _name(queue.scheduler), _name(queue.wred)) for number, queue in (port.queues or {}).items())


def _name(leaf: Leaf[str]) -> str:
    return leaf if isinstance(leaf, str) else ""


def _bases(device: Device, qos: Qos) -> Mapping[Queues, str]:
    """How the queues of a port are served → the profile. Names that are of the normal form stay."""
    first: dict[Queues, str] = {}
    for key, port in (qos.ports or {}).items():
        if port.queues:
            first.setdefault(_queues(port), key)
    named: dict[Queues, str] = {}
    for queues in first:
        base = queues[0][1].rpartition("/")[0]
        if base and base not in named.values() and all(_is_normal(queue, base, qos) for queue in queues):
            named[queues] = base
    taken = {*named.values(), *(row.rpartition("/")[0] for row in (*(qos.schedulers or {}), *(qos.wred or {})))}
    for queues, key in first.items():
        if queues not in named:
            named[queues] = _free(base_name(device, key), taken)
            taken.add(named[queues])
    return named


def _is_normal(queue: tuple[str, str, str], base: str, qos: Qos) -> bool:
    number, scheduler, wred = queue
    row = row_of(base, number)
    return scheduler == row and wred == (row if row in (qos.wred or {}) else "")


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first with a number behind it that nobody has."""
    number = 1
    while (found := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return found


def _tables(qos: Qos, bases: Mapping[Queues, str]) -> tuple[Mapping[str, Scheduler], Mapping[str, Wred]]:
    schedulers: dict[str, Scheduler] = {}
    wred: dict[str, Wred] = {}
    for queues, base in bases.items():
        for number, served, marked in queues:
            row = row_of(base, number)
            if served in (qos.schedulers or {}):
                schedulers[row] = _scheduler((qos.schedulers or {})[served])
            if marked in (qos.wred or {}):
                wred[row] = _wred((qos.wred or {})[marked])
    return schedulers, wred


def _scheduler(scheduler: Scheduler) -> Scheduler:
    cap, weight = scheduler.cap_bytes_per_s, scheduler.weight
    return replace(
        scheduler,
        weight=min(max(weight, 1), 100) if isinstance(weight, int) else weight,
        cap_bytes_per_s=max(cap // KBIT_BYTES, 1) * KBIT_BYTES if isinstance(cap, int) else cap,
    )


def _wred(wred: Wred) -> Wred:
    curve = (wred.colours or {}).get(COLOUR) or next(iter((wred.colours or {}).values()), None)
    return replace(wred, colours=None if wred.colours is None else {COLOUR: _curve(curve)} if curve else {})


def _curve(curve: Marking) -> Marking:
    kmin, chance = curve.kmin_bytes, curve.pmax_percent
    return replace(
        curve,
        kmin_bytes=max(kmin, 1) if isinstance(kmin, int) else kmin,
        pmax_percent=min(max(chance, 1), 100) if isinstance(chance, int) else chance,
    )


def _port(port: PortQos, bases: Mapping[Queues, str], curves: frozenset[str]) -> PortQos:
    base = bases.get(_queues(port), "")
    return replace(
        port,
        dscp_to_tc=SWITCH if isinstance(port.dscp_to_tc, str) else port.dscp_to_tc,
        tc_to_queue=None,
        tc_to_pg=None,
        pfc_to_queue=None,
        pfc_to_pg=None,
        rewrite=_absent(port.rewrite),
        shaper=_absent(port.shaper),
        watched=None,
        queues=None
        if port.queues is None
        else {number: _queue(queue, row_of(base, number), curves) for number, queue in port.queues.items()},
        watchdog=_watchdog(port.watchdog) if isinstance(port.watchdog, Watchdog) else port.watchdog,
    )


def _queue(queue: Queue, row: str, curves: frozenset[str]) -> Queue:
    """The queue under the names of its profile; a curve that is defined nowhere marks nothing."""
    marks: Leaf[str] = queue.wred
    if isinstance(marks, str):
        marks = row if marks in curves else ABSENT
    return replace(queue, scheduler=row, wred=marks)


def _watchdog(dog: Watchdog) -> Watchdog:
    return replace(
        dog,
        detect_ms=_time(dog.detect_ms),
        restore_ms=_time(dog.restore_ms),
        action=dog.action if not isinstance(dog.action, str) or dog.action in ACTIONS else "alert",
    )


def _time(value: Leaf[int]) -> Leaf[int]:
    if not isinstance(value, int):
        return value
    return min(max((value + STEP_MS - 1) // STEP_MS * STEP_MS, SHORTEST_MS), LONGEST_MS)


def _poll(poll: Leaf[int], ports: Mapping[str, PortQos]) -> Leaf[int]:
    """At most half of the shortest time, so that no storm is over before it is seen."""
    if not isinstance(poll, int):
        return poll
    dogs = {id(p.watchdog): p.watchdog for p in ports.values() if isinstance(p.watchdog, Watchdog)}
    times = [t for dog in dogs.values() for t in (dog.detect_ms, dog.restore_ms) if isinstance(t, int)]
    return min(max(poll, SHORTEST_POLL_MS), LONGEST_POLL_MS, *(max(time // 2, SHORTEST_POLL_MS) for time in times))
