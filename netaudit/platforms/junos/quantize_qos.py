"""Class of service as Junos can hold it: whole polls, percents, one map for the switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from netaudit.platforms.junos.chips import Chip
from netaudit.platforms.junos.leaves import known
from netaudit.platforms.junos.names import release
from netaudit.platforms.junos.schedulers import paired
from netaudit.state import ABSENT, Leaf, Marking, PortQos, Qos, Watchdog, Wred

PFC_MAP: Final = "ROCE"
"""Name in the state of the one map from PFC priority to queue that a switch has: Junos has no name for it."""
MOST_MS: Final = 65_535
"""Poll interval and recovery of the watchdog are 16 bits (junos.md section 2)."""
DEFAULT_POLL_MS: Final = 100

FIRST_WATCHDOG: Final = (23, 4, 2)
"""Release of Junos Evolved from which a QFX5230 or QFX5240 has a PFC watchdog (junos.md section 2)."""


def quantized_qos(qos: Qos, held: Chip, version: str) -> Qos:
    """Class of service as a release of Junos and a switch hold it."""
    if release(version) < FIRST_WATCHDOG and qos.ports is not None:
        qos = replace(qos, ports={key: replace(port, watchdog=None) for key, port in qos.ports.items()})
    qos, poll = paired(qos), _poll(qos)
    ports = None
    if qos.ports is not None:
        shared: dict[int, PortQos] = {}
        ports = {key: _once(shared, port, lambda p: _port_qos(p, poll)) for key, port in qos.ports.items()}
    return replace(
        qos,
        dscp_to_tc=_straight(qos),
        pfc_to_queue=_pfc_to_queue(qos),
        wred=None if qos.wred is None else {name: _wred(wred, held) for name, wred in qos.wred.items()},
        watchdog_poll_ms=poll,
        hash_fields=_hash_fields(qos.hash_fields),
        ports=ports,
    )


def _once(made: dict[int, PortQos], port: PortQos, make: Callable[[PortQos], PortQos]) -> PortQos:
    """Equal ports share one object, before and after."""
    if id(port) not in made:
        made[id(port)] = make(port)
    return made[id(port)]


def _poll(qos: Qos) -> Leaf[int]:
    """The poll interval; not managed where nothing is polled, for it stands in the profiles that do."""
    if not any(isinstance(port.watchdog, Watchdog) for port in (qos.ports or {}).values()):
        return None
    return min(qos.watchdog_poll_ms, MOST_MS) if isinstance(qos.watchdog_poll_ms, int) else qos.watchdog_poll_ms


def _straight(qos: Qos) -> Mapping[str, Mapping[int, int]] | None:
    """DSCP → queue: Junos knows no traffic class between them, so the class is the queue's number."""
    if qos.dscp_to_tc is None or not qos.tc_to_queue:
        return qos.dscp_to_tc
    bound = {
        port.dscp_to_tc: qos.tc_to_queue.get(port.tc_to_queue, {})
        for port in (qos.ports or {}).values()
        if isinstance(port.tc_to_queue, str)
    }
    other = next(iter(qos.tc_to_queue.values()))
    return {
        name: {dscp: bound.get(name, other).get(tc, tc) for dscp, tc in row.items()}
        for name, row in qos.dscp_to_tc.items()
    }


def _pfc_to_queue(qos: Qos) -> Mapping[str, Mapping[int, int]] | None:
    """The one map, of the priorities that some port has PFC on."""
    if qos.pfc_to_queue is None:
        return None
    ports = [port for port in (qos.ports or {}).values() if known(port.pfc)]
    used = {priority for port in ports for priority in known(port.pfc) or ()}
    bound = next((port.pfc_to_queue for port in ports if port.pfc_to_queue in qos.pfc_to_queue), None)
    name = bound if isinstance(bound, str) else next(iter(sorted(qos.pfc_to_queue)), None)
    row = qos.pfc_to_queue.get(name, {}) if name is not None else {}
    kept = {priority: queue for priority, queue in row.items() if priority in used}
    return {PFC_MAP: kept} if kept else {}


def _wred(wred: Wred, held: Chip) -> Wred:
    if wred.colours is None:
        return wred
    return replace(wred, colours={"green": _marking(wred.colours["green"], held)} if "green" in wred.colours else {})


def _marking(marking: Marking, held: Chip) -> Marking:
    low, high = marking.kmin_bytes, marking.kmax_bytes
    if not isinstance(low, int) or not isinstance(high, int):
        return marking
    least = min(held.fill_hundredths(low), 9_999)
    most = max(held.fill_hundredths(high), least + 1)
    return replace(marking, kmin_bytes=held.fill_bytes(least), kmax_bytes=held.fill_bytes(most))


LAYER_3: Final = frozenset({"source-ip", "destination-ip", "protocol"})
LAYER_4: Final = frozenset({"source-port", "destination-port"})


def _hash_fields(fields: Leaf[frozenset[str]]) -> Leaf[frozenset[str]]:
    """`layer-3` and `layer-4`, each as a whole."""
    if not isinstance(fields, frozenset):
        return fields
    return (LAYER_3 if fields & LAYER_3 else frozenset()) | (LAYER_4 if fields & LAYER_4 else frozenset())


def _port_qos(port: PortQos, poll: Leaf[int]) -> PortQos:
    idle = port.watchdog is ABSENT or port.watchdog is None or port.watched == frozenset()
    return replace(
        port,
        pfc_to_queue=_map_name(port),
        shaper=None if isinstance(port.shaper, str) else port.shaper,
        watchdog=_idle(port.watchdog) if idle else _watchdog(port.watchdog, poll),
    )


def _map_name(port: PortQos) -> Leaf[str]:
    """The one map there is; a port without PFC is bound to none."""
    if not isinstance(port.pfc_to_queue, str):
        return port.pfc_to_queue
    return PFC_MAP if port.pfc else None


def _idle(watchdog: Leaf[Watchdog]) -> Leaf[Watchdog]:
    return None if watchdog is None else ABSENT


def _watchdog(watchdog: Leaf[Watchdog], poll: Leaf[int]) -> Leaf[Watchdog]:
    if not isinstance(watchdog, Watchdog):
        return watchdog
    step = poll if isinstance(poll, int) and poll > 0 else DEFAULT_POLL_MS
    detect, restore = watchdog.detect_ms, watchdog.restore_ms
    return replace(
        watchdog,
        detect_ms=-(-detect // step) * step if isinstance(detect, int) else detect,
        restore_ms=min(restore, MOST_MS) if isinstance(restore, int) else restore,
        action="drop" if watchdog.action == "alert" else watchdog.action,
    )
