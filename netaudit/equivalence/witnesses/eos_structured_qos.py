"""Queues, PFC, the watchdog and the buffer of a device as parts of pyavd's structured configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from netaudit.state import ABSENT, Buffers, Device, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

Data: TypeAlias = dict[str, object]
Rows: TypeAlias = list[Data]

SAND = ("Jericho", "Qumran", "Arad", "Ramon")
PROFILE, POOL, SWITCH = "NETAUDIT", "headroom", "switch"


def seconds(milliseconds: object) -> str:
    """Of a time; what has none is `auto`."""
    return f"{milliseconds / 1000:g}" if isinstance(milliseconds, int) else "auto"


def mmu(buffers: Buffers) -> Data:
    """The queue profile of the whole switch, and the bound of the headroom pool."""
    ingress: Data = {}
    groups: Rows = []
    queues: Rows = []
    for name, row in (buffers.profiles or {}).items():
        kind, _, number = name.partition(" ")
        share = {"threshold": str(row.alpha)} if row.alpha is not None and row.alpha is not ABSENT else {}
        if kind == "ingress":
            ingress |= share
            if isinstance(row.xoff_bytes, int):
                ingress["headroom"] = {"memory": row.xoff_bytes, "unit": "bytes"}
            if isinstance(row.xon_offset_bytes, int):
                ingress["resume"] = row.xon_offset_bytes
        else:
            (groups if kind == "group" else queues).append({"id": int(number), **share})
    found: Data = {}
    if buffers.profiles:
        profile = {"name": PROFILE, "ingress": {**ingress, "priority_groups": groups}, "unicast_queues": queues}
        found = {"queue_profiles": [profile], "active_profile": PROFILE}
    pool = (buffers.pools or {}).get(POOL)
    if pool is not None and isinstance(pool.shared_headroom_bytes, int):
        found["headroom_pool"] = {"limit": pool.shared_headroom_bytes, "unit": "bytes"}
    return found


def maps(qos: Qos) -> Data:
    """Classes of DSCPs, and queues of classes."""
    dscps: dict[int, list[str]] = {}
    for dscp, tc in sorted((qos.dscp_to_tc or {}).get(SWITCH, {}).items()):
        dscps.setdefault(tc, []).append(str(dscp))
    queues = (qos.tc_to_queue or {}).get(SWITCH, {})
    return {
        "dscp": [f"{' '.join(some)} to traffic-class {tc}" for tc, some in dscps.items()],
        "traffic_class": [f"{tc} to tx-queue {queue}" for tc, queue in queues.items() if (tc, queue) != (7, 7)],
    }


Bound: TypeAlias = Mapping[str, tuple[str, PortQos]]
"""Port → its profile, and what it has."""


def bound(qos: Qos) -> Bound:
    """One profile for each combination of what ports have, numbered in their order."""
    found: dict[str, list[object]] = {}
    result: dict[str, tuple[str, PortQos]] = {}
    for key, port in (qos.ports or {}).items():
        rows = [queue.scheduler for queue in (port.queues or {}).values() if isinstance(queue.scheduler, str)]
        if not rows:
            continue
        base = rows[0].rpartition("/")[0]
        known = found.setdefault(base, [])
        what = (port.pfc, port.watchdog, port.dscp_to_tc)
        if what not in known:
            known.append(what)
        number = known.index(what)
        result[key] = (base if number == 0 else f"{base}-v{number + 1}", port)
    return result


def profiles(device: Device, qos: Qos) -> Rows:
    """The profiles of ports."""
    word = "tx_queues" if device.asic.startswith(SAND) else "uc_tx_queues"
    return [
        {
            "name": name,
            "trust": "dscp" if port.dscp_to_tc is not ABSENT else "disabled",
            word: [_queue(qos, queue, number) for number, queue in (port.queues or {}).items()],
            "priority_flow_control": _pfc(port, qos),
        }
        for name, port in dict(bound(qos).values()).items()
    ]


def _queue(qos: Qos, queue: Queue, number: str) -> Data:
    row = queue.scheduler if isinstance(queue.scheduler, str) else ""
    served = (qos.schedulers or {}).get(row, Scheduler())
    result: Data = {"id": int(number)}
    if isinstance(served.kind, str):
        result["priority"] = "priority strict" if served.kind == "strict" else "no priority"
    if isinstance(served.weight, int):
        result["bandwidth_percent"] = served.weight
    if isinstance(served.cap_bytes_per_s, int):
        result["shape"] = {"rate": f"{served.cap_bytes_per_s * 8 // 1000} kbps"}
    wred = (qos.wred or {}).get(row)
    if wred is not None:
        result["random_detect"] = _marking(wred)
    return result


def _marking(wred: Wred) -> Data:
    curve = next(iter((wred.colours or {}).values()), Marking())
    threshold: Data = {"units": "bytes", "min": curve.kmin_bytes, "max": curve.kmax_bytes, "weight": 0}
    if wred.ecn is True:
        return {"ecn": {"threshold": threshold | {"max_probability": curve.pmax_percent}}}
    return {"drop": {"threshold": threshold | {"drop_probability": curve.pmax_percent}}}


def _pfc(port: PortQos, qos: Qos) -> Data:
    priorities = sorted(port.pfc) if isinstance(port.pfc, frozenset) else []
    found: Data = {}
    if priorities:
        found = {"enabled": True, "priorities": [{"priority": p, "no_drop": True} for p in priorities]}
    if isinstance(port.watchdog, Watchdog):
        timer = {
            "timeout": seconds(port.watchdog.detect_ms),
            "polling_interval": seconds(qos.watchdog_poll_ms),
            "recovery_time": seconds(port.watchdog.restore_ms),
        }
        action = {"alert": "notify-only"}.get(str(port.watchdog.action), port.watchdog.action)
        found["watchdog"] = {"enabled": True, "action": action, "timer": timer}
    return found
