"""The QoS tables: maps, PORT_QOS_MAP, SCHEDULER, QUEUE, WRED_PROFILE, PFC_WD; each writer beside its reader."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.sonic.switching import read_hash, read_trimming, write_switching
from netaudit.platforms.sonic.tables import (
    Row,
    Seen,
    Table,
    Tables,
    each,
    fields,
    integer,
    number,
    numbers,
    port_rows,
    reference,
    seen,
    singles,
    text,
)
from netaudit.state import ABSENT, Device, Leaf, Marking, PortQos, Qos, Queue, Scheduler, Watchdog, Wred

MAPS = {
    "dscp_to_tc": "DSCP_TO_TC_MAP",
    "tc_to_queue": "TC_TO_QUEUE_MAP",
    "tc_to_pg": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
"""State field → table. PORT_QOS_MAP names them `<field>_map`."""

COLOURS = ("green", "yellow", "red")
_KINDS = {"dwrr": "DWRR", "wrr": "WRR", "strict": "STRICT"}


def write_qos(device: Device) -> Tables:
    """All QoS tables of the device."""
    qos = device.qos
    if qos is None:
        return {}
    tables: Tables = {
        "DSCP_TO_TC_MAP": _write_maps(qos.dscp_to_tc),
        "TC_TO_QUEUE_MAP": _write_maps(qos.tc_to_queue),
        "TC_TO_PRIORITY_GROUP_MAP": _write_maps(qos.tc_to_pg),
        "MAP_PFC_PRIORITY_TO_QUEUE": _write_maps(qos.pfc_to_queue),
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _write_maps(qos.pfc_to_pg),
        "SCHEDULER": {name: _write_scheduler(s) for name, s in (qos.schedulers or {}).items()},
        "WRED_PROFILE": {name: _write_wred(w) for name, w in (qos.wred or {}).items()},
        "PORT_QOS_MAP": {},
        "QUEUE": {},
        "PFC_WD": {},
        **write_switching(qos),
    }
    if isinstance(qos.switch_dscp_to_tc, str):
        tables["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": qos.switch_dscp_to_tc}
    if isinstance(qos.watchdog_poll_ms, int):
        tables["PFC_WD"]["GLOBAL"] = {"POLL_INTERVAL": str(qos.watchdog_poll_ms)}
    for key, port in (qos.ports or {}).items():
        _write_port(_name(device, key), port, tables)
    return tables


def _name(device: Device, key: str) -> str:
    port = (device.ports or {}).get(key)
    return port.native if port is not None and isinstance(port.native, str) else key


def _write_maps(maps: Mapping[str, Mapping[int, int]] | None) -> Table:
    return {name: {str(k): str(v) for k, v in entries.items()} for name, entries in (maps or {}).items()}


def _write_scheduler(scheduler: Scheduler) -> Row:
    kind = _KINDS.get(scheduler.kind) if isinstance(scheduler.kind, str) else None
    cap = scheduler.cap_bytes_per_s
    meter = "bytes" if isinstance(cap, int) else None
    # pir is the ceiling in bytes/s; YANG wants cir with it, and the same value keeps it one rate (sonic.md section 2)
    return fields({"type": kind, "weight": scheduler.weight, "meter_type": meter, "cir": cap, "pir": cap})


def _write_wred(wred: Wred) -> Row:
    row: dict[str, object] = {}
    if isinstance(wred.ecn, bool):
        row["ecn"] = "ecn_all" if wred.ecn else "ecn_none"
    for colour in COLOURS:
        marking = (wred.colours or {}).get(colour)
        row[f"wred_{colour}_enable"] = marking is not None
        if marking is not None:
            row[f"{colour}_min_threshold"] = marking.kmin_bytes
            row[f"{colour}_max_threshold"] = marking.kmax_bytes
            row[f"{colour}_drop_probability"] = marking.pmax_percent
    return fields(row)


def _write_port(name: str, port: PortQos, tables: Tables) -> None:
    tables["PORT_QOS_MAP"][name] = fields(
        {
            "dscp_to_tc_map": port.dscp_to_tc,
            "tc_to_queue_map": port.tc_to_queue,
            "tc_to_pg_map": port.tc_to_pg,
            "pfc_to_queue_map": port.pfc_to_queue,
            "pfc_to_pg_map": port.pfc_to_pg,
            "tc_to_dscp_map": port.rewrite,
            "scheduler": port.shaper,
            "pfc_enable": port.pfc,
            "pfcwd_sw_enable": port.watched,
        }
    )
    for number_, queue in (port.queues or {}).items():
        tables["QUEUE"][f"{name}|{number_}"] = fields({"scheduler": queue.scheduler, "wred_profile": queue.wred})
    if isinstance(port.watchdog, Watchdog):
        dog = port.watchdog
        tables["PFC_WD"][name] = fields(
            {"action": dog.action, "detection_time": dog.detect_ms, "restoration_time": dog.restore_ms}
        )


def read_qos(tables: Seen, keys: Mapping[str, str]) -> Qos:
    """All of QoS; a table that was not seen leaves its part `None`."""
    bindings = seen(tables, "PORT_QOS_MAP")
    watchdogs = seen(tables, "PFC_WD")
    schedulers = seen(tables, "SCHEDULER")
    wred = seen(tables, "WRED_PROFILE")
    return Qos(
        dscp_to_tc=_read_maps(tables, "dscp_to_tc"),
        tc_to_queue=_read_maps(tables, "tc_to_queue"),
        tc_to_pg=_read_maps(tables, "tc_to_pg"),
        pfc_to_queue=_read_maps(tables, "pfc_to_queue"),
        pfc_to_pg=_read_maps(tables, "pfc_to_pg"),
        schedulers=None if schedulers is None else each("SCHEDULER", schedulers, _read_scheduler),
        wred=None if wred is None else each("WRED_PROFILE", wred, _read_wred),
        switch_dscp_to_tc=None if bindings is None else reference(bindings.get("global", {}), "dscp_to_tc_map"),
        watchdog_poll_ms=None if watchdogs is None else number(watchdogs.get("GLOBAL", {}), "POLL_INTERVAL"),
        trimming=read_trimming(seen(tables, "SWITCH_TRIMMING")),
        hash_fields=read_hash(seen(tables, "SWITCH_HASH")),
        ports=_read_ports(bindings, seen(tables, "QUEUE"), watchdogs, keys),
    )


def _read_maps(tables: Seen, field: str) -> Mapping[str, Mapping[int, int]] | None:
    table = seen(tables, MAPS[field])
    if table is None:
        return None
    return {
        name: {
            integer(k, f"{MAPS[field]}|{name}"): integer(str(v), f"{MAPS[field]}|{name} {k}") for k, v in row.items()
        }
        for name, row in table.items()
    }


def _read_scheduler(row: Row) -> Scheduler:
    kind = text(row, "type")
    word = next((k for k, v in _KINDS.items() if v == kind), kind)
    return Scheduler(kind=word, weight=number(row, "weight"), cap_bytes_per_s=number(row, "pir"))


def _read_wred(row: Row) -> Wred:
    colours = {
        colour: Marking(
            kmin_bytes=number(row, f"{colour}_min_threshold"),
            kmax_bytes=number(row, f"{colour}_max_threshold"),
            pmax_percent=number(row, f"{colour}_drop_probability"),
        )
        for colour in COLOURS
        if text(row, f"wred_{colour}_enable") == "true"
    }
    return Wred(ecn=text(row, "ecn") == "ecn_all", colours=colours)


def _read_ports(
    bindings: Mapping[str, Row] | None,
    queues: Mapping[str, Row] | None,
    watchdogs: Mapping[str, Row] | None,
    keys: Mapping[str, str],
) -> Mapping[str, PortQos] | None:
    if bindings is None and queues is None and watchdogs is None:
        return None
    if bindings is not None:
        bindings = {port: row for port, _, row in port_rows(bindings)}
    names = dict.fromkeys(n for n in bindings or {} if n != "global")
    by_port: dict[str, dict[str, Queue]] = {}
    for name, numbers_, row in port_rows(queues or {}):
        names.setdefault(name)
        queue = Queue(scheduler=reference(row, "scheduler"), wred=reference(row, "wred_profile"))
        by_port.setdefault(name, {}).update(dict.fromkeys(singles(numbers_), queue))
    for name in watchdogs or {}:
        if name != "GLOBAL":
            names.setdefault(name)
    return {
        keys.get(name, name): _read_port(name, bindings, None if queues is None else by_port.get(name, {}), watchdogs)
        for name in names
    }


def _read_port(
    name: str,
    bindings: Mapping[str, Row] | None,
    queues: Mapping[str, Queue] | None,
    watchdogs: Mapping[str, Row] | None,
) -> PortQos:
    row = None if bindings is None else bindings.get(name, {})
    return PortQos(
        dscp_to_tc=None if row is None else reference(row, "dscp_to_tc_map"),
        tc_to_queue=None if row is None else reference(row, "tc_to_queue_map"),
        tc_to_pg=None if row is None else reference(row, "tc_to_pg_map"),
        pfc_to_queue=None if row is None else reference(row, "pfc_to_queue_map"),
        pfc_to_pg=None if row is None else reference(row, "pfc_to_pg_map"),
        rewrite=None if row is None else reference(row, "tc_to_dscp_map"),
        shaper=None if row is None else reference(row, "scheduler"),
        pfc=None if row is None else _priorities(row, "pfc_enable"),
        watched=None if row is None else _priorities(row, "pfcwd_sw_enable"),
        queues=queues,
        watchdog=_read_watchdog(name, watchdogs),
    )


def _priorities(row: Row, field: str) -> Leaf[frozenset[int]]:
    """An absent field is no priority at all, which is what SONiC makes of it."""
    value = text(row, field)
    return frozenset(numbers(value, field)) if isinstance(value, str) else frozenset()


def _read_watchdog(name: str, watchdogs: Mapping[str, Row] | None) -> Leaf[Watchdog]:
    if watchdogs is None:
        return None
    row = watchdogs.get(name)
    if row is None:
        return ABSENT
    return Watchdog(
        detect_ms=number(row, "detection_time"), restore_ms=number(row, "restoration_time"), action=text(row, "action")
    )
