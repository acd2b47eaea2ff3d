"""The class chain DSCP → TC → queue → PG → PFC on every port, with ETS, ECN and the PFC watchdog."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit import lossless
from netaudit.expect.classes import (
    MAP,
    PRIORITIES,
    Class,
    classes,
    dscp_to_tc,
    lossless_priorities,
    pfc_to_queue,
    tc_to_pg,
    trimming,
    weights,
)
from netaudit.expect.wide import Wide
from netaudit.fabric import FabricDevice, FabricPort
from netaudit.state import ABSENT, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

COLOURS = ("green", "yellow", "red")
HASH_FIELDS = frozenset({"source-ip", "destination-ip", "protocol", "source-port", "destination-port"})
"""`five-tuple`: with the UDP source port, in which NICs put what tells flows apart (load-balancing.md section 3.1)."""
POLL_AT_MOST_MS = 200
"""DESIGN.md section 3, «More keys»: the watchdog polls as often as it must detect, 200 ms at most."""


def qos(wide: Wide, device: FabricDevice, laid: Mapping[str, FabricPort], speeds: Mapping[str, int]) -> Qos:
    """Maps, schedulers and profiles of the device, and what each used port is bound to; spare ports to nothing."""
    intent = wide.fabric.intent
    used = {key: speeds[key] for key, port in laid.items() if port.peer is not None}
    rates = sorted(set(used.values()))
    nvidia = device.model.asic.startswith("Spectrum")
    priorities = lossless_priorities(intent)
    watchdog = intent.model.pfc.watchdog
    return Qos(
        dscp_to_tc={MAP: dscp_to_tc(intent)},
        tc_to_queue={MAP: {tc: tc for tc in PRIORITIES}},
        tc_to_pg={MAP: tc_to_pg(intent)},
        pfc_to_queue={MAP: pfc_to_queue(intent)},
        # SONiC's templates write this map for NVIDIA chips only; on Broadcom it is left out (sonic.md section 2)
        pfc_to_pg={MAP: {p: p for p in sorted(priorities)}} if nvidia and priorities else {},
        schedulers=_schedulers(wide, rates),
        wred={_by_speed(c, rate): _wred(wide, device, c, rate) for c in _marked(wide) for rate in rates},
        switch_dscp_to_tc=MAP,
        watchdog_poll_ms=watchdog.poll or min(watchdog.detect, POLL_AT_MOST_MS),
        trimming=trimming(intent) or ABSENT,
        # not said, not managed: a platform's own fields differ from chip to chip
        hash_fields=HASH_FIELDS if intent.given("load_balancing.hash") else None,
        ports={key: _port(wide, rate, priorities, nvidia) for key, rate in used.items()},
        origin=_ORIGIN,
    )


def _by_speed(kind: Class, speed_mbps: int) -> str:
    return f"{kind.name.upper()}-{speed_mbps // 1000}G"


def _scheduler_name(kind: Class, speed_mbps: int) -> str:
    """A cap is a rate, so a strict class has one scheduler a speed."""
    return _by_speed(kind, speed_mbps) if kind.body.strict else kind.name.upper()


def _marked(wide: Wide) -> tuple[Class, ...]:
    return tuple(c for c in classes(wide.fabric.intent) if c.body.ecn is not None)


def _schedulers(wide: Wide, rates: list[int]) -> Mapping[str, Scheduler]:
    intent = wide.fabric.intent
    shares = weights(intent)
    result: dict[str, Scheduler] = {}
    for kind in classes(intent):
        origin = {
            "weight": f"traffic.{kind.name}.share",
            "cap_bytes_per_s": f"traffic.{kind.name}.cap",
            "kind": f"traffic.{kind.name}",
        }
        if not kind.body.strict:
            result[kind.name.upper()] = Scheduler(
                kind="dwrr", weight=shares[kind.name], cap_bytes_per_s=ABSENT, origin=origin
            )
            continue
        for rate in rates:
            cap = lossless.strict_cap(percent=kind.body.cap, speed_mbps=rate).value if kind.body.cap else ABSENT
            result[_by_speed(kind, rate)] = Scheduler(kind="strict", weight=ABSENT, cap_bytes_per_s=cap, origin=origin)
    return result


def _wred(wide: Wide, device: FabricDevice, kind: Class, speed_mbps: int) -> Wred:
    path = f"traffic.{kind.name}.ecn"
    found = wide.marking(kind, speed_mbps, device)
    marking = Marking(
        kmin_bytes=found.kmin_bytes,
        kmax_bytes=found.kmax_bytes,
        pmax_percent=found.pmax_percent,
        origin={"kmin_bytes": path, "kmax_bytes": path, "pmax_percent": path},
    )
    return Wred(ecn=True, colours=dict.fromkeys(COLOURS, marking), origin={"ecn": path, "colours": path})


def _port(wide: Wide, speed_mbps: int, priorities: frozenset[int], nvidia: bool) -> PortQos:
    return wide.shared(("port", speed_mbps, nvidia), lambda: _new_port(wide, speed_mbps, priorities, nvidia))


def _new_port(wide: Wide, speed_mbps: int, priorities: frozenset[int], nvidia: bool) -> PortQos:
    dog = wide.fabric.intent.model.pfc.watchdog
    marked = {c.name for c in _marked(wide)}
    return PortQos(
        dscp_to_tc=MAP,
        tc_to_queue=MAP,
        tc_to_pg=MAP,
        pfc_to_queue=MAP,
        pfc_to_pg=MAP if nvidia and priorities else ABSENT,
        rewrite=ABSENT,
        shaper=ABSENT,
        pfc=priorities,
        watched=priorities,
        queues={
            str(c.queue): Queue(
                scheduler=_scheduler_name(c, speed_mbps),
                wred=_by_speed(c, speed_mbps) if c.name in marked else ABSENT,
                origin={"scheduler": f"traffic.{c.name}", "wred": f"traffic.{c.name}.ecn"},
            )
            for c in sorted(classes(wide.fabric.intent), key=lambda c: c.queue)
        },
        watchdog=Watchdog(
            detect_ms=dog.detect,
            restore_ms=dog.restore,
            action=dog.action,
            origin={
                "detect_ms": "pfc.watchdog.detect",
                "restore_ms": "pfc.watchdog.restore",
                "action": "pfc.watchdog.action",
            },
        )
        if priorities
        else ABSENT,
        origin=_PORT_ORIGIN,
    )


_ORIGIN = {
    "dscp_to_tc": "traffic",
    "tc_to_queue": "=traffic class n is queue n",
    "tc_to_pg": "traffic",
    "pfc_to_queue": "traffic",
    "pfc_to_pg": "traffic",
    "schedulers": "traffic",
    "wred": "traffic",
    "switch_dscp_to_tc": "=the DSCP map is the same on every port",
    "watchdog_poll_ms": "pfc.watchdog.poll",
    "trimming": "traffic",
    "hash_fields": "load_balancing.hash",
    "ports": "traffic",
}
_PORT_ORIGIN = {
    **dict.fromkeys(("dscp_to_tc", "tc_to_queue", "tc_to_pg", "pfc_to_queue", "pfc_to_pg"), "traffic"),
    "rewrite": "=a class keeps its DSCP on its whole way (QOS-06)",
    "shaper": "=a port has its whole rate (ETS-04)",
    "pfc": "=priorities of the lossless classes",
    "watched": "=every priority with PFC is watched (WD-01)",
    "queues": "traffic",
    "watchdog": "pfc.watchdog",
}
