"""Schedulers and drop profiles as Junos has them: a scheduler holds its drop profile, so each pair is one scheduler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from netaudit.state import PortQos, Qos, Queue, Scheduler, Wred
from netaudit.state.leaf import Leaf

Names: TypeAlias = Mapping[tuple[Leaf[str], Leaf[str]], Leaf[str]]
"""Scheduler and profile of a queue → the scheduler that does what both say."""


def pair_name(scheduler: Leaf[str], wred: Leaf[str]) -> Leaf[str]:
    """Name of the scheduler that does what one scheduler and one profile of the state say together. Idempotent."""
    if not isinstance(wred, str):
        return scheduler
    if not isinstance(scheduler, str) or wred.startswith(scheduler):
        return wred
    return scheduler if scheduler.endswith(f"-{wred}") else f"{scheduler}-{wred}"


def paired(qos: Qos) -> Qos:
    """The same with a scheduler for each pair that some queue uses, instead of those that only stand in pairs."""
    used: Names = {
        (queue.scheduler, queue.wred): pair_name(queue.scheduler, queue.wred)
        for port in (qos.ports or {}).values()
        for queue in (port.queues or {}).values()
    }
    return replace(
        qos,
        schedulers=None if qos.schedulers is None else _schedulers(qos.schedulers, used),
        wred=None if qos.wred is None else _profiles(qos.wred, frozenset(wred for _, wred in used)),
        ports=None if qos.ports is None else _ports(qos.ports, used),
    )


def _schedulers(known: Mapping[str, Scheduler], used: Names) -> Mapping[str, Scheduler]:
    split = {old for (old, _), new in used.items() if new != old}
    kept = {name for (old, _), name in used.items() if old == name}
    found = {name: scheduler for name, scheduler in known.items() if name not in split or name in kept}
    for (old, _), new in used.items():
        if isinstance(new, str) and isinstance(old, str) and old in known:
            found.setdefault(new, known[old])
    return found


def _profiles(known: Mapping[str, Wred], used: frozenset[object]) -> Mapping[str, Wred]:
    return {name: wred if name in used else replace(wred, ecn=None) for name, wred in known.items()}


def _ports(ports: Mapping[str, PortQos], used: Names) -> Mapping[str, PortQos]:
    made: dict[int, PortQos] = {}
    for port in ports.values():
        if id(port) not in made:
            made[id(port)] = port if port.queues is None else replace(port, queues=_queues(port.queues, used))
    return {key: made[id(port)] for key, port in ports.items()}


def _queues(queues: Mapping[str, Queue], used: Names) -> Mapping[str, Queue]:
    found = {}
    for number, queue in queues.items():
        name = used[queue.scheduler, queue.wred]
        found[number] = queue if name == queue.scheduler else replace(queue, scheduler=name)
    return found
