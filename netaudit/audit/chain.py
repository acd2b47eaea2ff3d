"""Where packets of a DSCP really go: DSCP → traffic class → queue, and whether PFC protects that queue."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.state import ABSENT, Device, Qos
from netaudit.state.walk import Path

MAPS = ("dscp_to_tc", "tc_to_queue", "tc_to_pg", "pfc_to_queue", "pfc_to_pg")


def is_map_entry(path: Path) -> bool:
    """Is this leaf one entry of a QoS map?"""
    return len(path) == 4 and path[0] == "qos" and path[1] in MAPS


def told(path: Path, expected: Device, observed: Device | None) -> str:
    """`DSCP 26 → traffic class 1 → queue 0 (lossy), planned …`; empty for what is no entry of these two maps."""
    if not is_map_entry(path) or path[1] not in ("dscp_to_tc", "tc_to_queue") or not path[3].isdigit():
        return ""
    if observed is None or observed.qos is None or expected.qos is None:
        return ""
    show = _from_dscp if path[1] == "dscp_to_tc" else _from_class
    name, number = path[2], int(path[3])
    what = f"DSCP {number}" if path[1] == "dscp_to_tc" else f"traffic class {number}"
    return f"{what} → {show(observed.qos, name, number)}, planned {show(expected.qos, name, number)}"


def is_lossless(path: Path, expected: Device) -> bool:
    """Is an entry of a map about traffic that must not be dropped?"""
    return is_map_entry(path) and "(lossless)" in told(path, expected, expected)


def _from_dscp(qos: Qos, name: str, dscp: int) -> str:
    tc = _entry(qos.dscp_to_tc, name, dscp)
    if tc is None:
        return "no mapping"
    port = next((p for p in (qos.ports or {}).values() if p.dscp_to_tc == name), None)
    named = port.tc_to_queue if port is not None and isinstance(port.tc_to_queue, str) else name
    queues = named if named in (qos.tc_to_queue or {}) else next(iter(qos.tc_to_queue or {}), named)
    return f"traffic class {tc} → {_from_class(qos, queues, tc)}"


def _from_class(qos: Qos, name: str, tc: int) -> str:
    # a NOS that has no map for it serves a class in the queue of its number; one that has one map binds no port to it
    queue = tc if qos.tc_to_queue is None else _entry(qos.tc_to_queue, name, tc)
    if queue is None:
        return "no queue"
    paused = any(_pauses(qos, port.pfc, port.pfc_to_queue, queue) for port in (qos.ports or {}).values())
    return f"queue {queue} ({'lossless' if paused else 'lossy'})"


def _pauses(qos: Qos, pfc: object, name: object, queue: int) -> bool:
    """Does PFC on these priorities pause this queue? Without a map, a priority pauses the queue of its number."""
    priorities = pfc if isinstance(pfc, frozenset) else frozenset()
    entries = (qos.pfc_to_queue or {}).get(str(name), {}) if name is not ABSENT else {}
    return any(entries.get(priority, priority) == queue for priority in priorities)


def _entry(maps: Mapping[str, Mapping[int, int]] | None, name: str, key: int) -> int | None:
    return (maps or {}).get(name, {}).get(key)
