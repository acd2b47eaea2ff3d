"""The chain DSCP → traffic class → queue and priority group → PFC, with scheduling, ECN and the PFC watchdog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduler:
    """How a queue gets its share."""

    kind: Leaf[str] = None
    """`strict` or `dwrr`."""
    weight: Leaf[int] = None
    """Relative weight of a `dwrr` queue, 1 to 100."""
    cap_bytes_per_s: Leaf[int] = None
    """Ceiling of a strict queue, so that it cannot starve the others; bytes per second."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """From where to where a queue's length makes marking more likely, and how likely at the end."""

    kmin_bytes: Leaf[int] = None
    kmax_bytes: Leaf[int] = None
    pmax_percent: Leaf[int] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wred:
    """ECN marking by queue length. `colours`: `green`, `yellow`, `red` where enabled; all alike (ecn.md V7)."""

    ecn: Leaf[bool] = None
    """Packets of every colour are marked, not dropped."""
    colours: Mapping[str, Marking] | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What serves one queue of a port: names in `Qos.schedulers` and `Qos.wred`; `ABSENT` is none."""

    scheduler: Leaf[str] = None
    wred: Leaf[str] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchdog:
    """The PFC watchdog of a port."""

    detect_ms: Leaf[int] = None
    restore_ms: Leaf[int] = None
    action: Leaf[str] = None
    """`drop`, `forward` or `alert`."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortQos:
    """What is bound to a port; the maps by their names in `Qos`."""

    dscp_to_tc: Leaf[str] = None
    tc_to_queue: Leaf[str] = None
    tc_to_pg: Leaf[str] = None
    pfc_to_queue: Leaf[str] = None
    pfc_to_pg: Leaf[str] = None
    rewrite: Leaf[str] = None
    """The map by which packets get another DSCP as they leave."""
    shaper: Leaf[str] = None
    """The scheduler that holds the port as a whole below its rate."""
    pfc: Leaf[frozenset[int]] = None
    """Priorities with PFC, both directions."""
    watched: Leaf[frozenset[int]] = None
    """Priorities the PFC watchdog watches."""
    queues: Mapping[str, Queue] | None = None
    """By queue number, as text."""
    watchdog: Leaf[Watchdog] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimming:
    """What becomes of a packet whose queue trims and finds no room: one setting for the whole switch."""

    size_bytes: Leaf[int] = None
    """Bytes that are left of it."""
    dscp: Leaf[int] = None
    queue: Leaf[int] = None
    """Queue in which what is left goes on."""
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """Named maps and profiles of a device, and what each port uses. Map keys and values are numbers."""

    dscp_to_tc: Mapping[str, Mapping[int, int]] | None = None
    tc_to_queue: Mapping[str, Mapping[int, int]] | None = None
    tc_to_pg: Mapping[str, Mapping[int, int]] | None = None
    pfc_to_queue: Mapping[str, Mapping[int, int]] | None = None
    pfc_to_pg: Mapping[str, Mapping[int, int]] | None = None
    schedulers: Mapping[str, Scheduler] | None = None
    wred: Mapping[str, Wred] | None = None
    switch_dscp_to_tc: Leaf[str] = None
    """The DSCP map of ports that have none."""
    watchdog_poll_ms: Leaf[int] = None
    trimming: Leaf[Trimming] = None
    hash_fields: Leaf[frozenset[str]] = None
    """What ECMP takes its hash of: `source-ip`, `destination-ip`, `protocol`, `source-port`, `destination-port`."""
    ports: Mapping[str, PortQos] | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)
