"""The traffic classes as numbers: which DSCP is in which class, and its queue, priority group and PFC priority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from netaudit import lossless
from netaudit.intent import Intent
from netaudit.intent.schema.lossless import TrafficClass
from netaudit.state import Trimming

MAP = "ROCE"
"""Name of all our maps; any other name on a port is not ours."""
DEFAULT = "default"
DEFAULT_QUEUE = 0
PRIORITIES = range(8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """One traffic class. Its traffic class number (TC) is its queue number."""

    name: str
    body: TrafficClass
    queue: int

    @property
    def priority(self) -> int | None:
        """PFC priority and priority group, of a lossless class."""
        return self.body.priority if self.body.lossless else None


def classes(intent: Intent) -> tuple[Class, ...]:
    """Every class, by name; a queue that is not given is the priority, that of `default` 0."""
    return tuple(
        Class(name=name, body=body, queue=_queue(name, body)) for name, body in sorted(intent.model.traffic.items())
    )


def _queue(name: str, body: TrafficClass) -> int:
    if body.queue is not None:
        return body.queue
    return body.priority if body.priority is not None else DEFAULT_QUEUE


def lossless_priorities(intent: Intent) -> frozenset[int]:
    """PFC priorities of the lossless classes."""
    return frozenset(c.priority for c in classes(intent) if c.priority is not None)


def dscp_to_tc(intent: Intent) -> Mapping[int, int]:
    """All 64 DSCP values: an unlisted one would fall to the chip's default (sonic.md section 2)."""
    named = {dscp: c.queue for c in classes(intent) for dscp in c.body.dscp}
    rest = next((c.queue for c in classes(intent) if c.name == DEFAULT), DEFAULT_QUEUE)
    return {dscp: named.get(dscp, rest) for dscp in range(64)}


def tc_to_pg(intent: Intent) -> Mapping[int, int]:
    """A lossless class has its own priority group, everything else shares group 0."""
    own = {c.queue: c.priority for c in classes(intent) if c.priority is not None}
    return {tc: own.get(tc, 0) for tc in PRIORITIES}


def pfc_to_queue(intent: Intent) -> Mapping[int, int]:
    """The queue a received PFC frame pauses."""
    own = {c.priority: c.queue for c in classes(intent) if c.priority is not None}
    return {priority: own.get(priority, priority) for priority in PRIORITIES}


def trimming(intent: Intent) -> Trimming | None:
    """What the switch leaves of a packet of the classes that trim, and where that goes on; `None` where none does.

    One setting for the whole switch: that classes differ in it is refused (LB-09).
    """
    for kind in classes(intent):
        if kind.body.trim is not None:
            path = f"traffic.{kind.name}.trim"
            return Trimming(
                size_bytes=kind.body.trim.size,
                dscp=kind.body.trim.dscp,
                queue=dscp_to_tc(intent)[kind.body.trim.dscp],
                origin={"size_bytes": path, "dscp": path, "queue": "=the queue of the class with that DSCP"},
            )
    return None


def weights(intent: Intent) -> Mapping[str, int]:
    """DWRR weight of each class that is not strict."""
    shares = {c.name: c.body.share or Fraction(0) for c in classes(intent) if not c.body.strict}
    return lossless.weights(shares)
