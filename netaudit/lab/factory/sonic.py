"""The files a SONiC switch ships with, made from the catalogue: what a simulated box boots from.

Stock tables are those of sonic-net/sonic-buildimage 086b03bd: `files/build_templates/qos_config.j2` and the buffer
templates of the HWSKU for a `LeafRouter` (t1), as rendered there for every port, and `init_cfg.json.j2` for the rest.
Nothing here knows an intent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from netaudit.diag import Diagnostic, Invalid
from netaudit.hardware import Hwsku, PoolTemplate, Subport, SwitchModel, pool_roles

Table: TypeAlias = dict[str, dict[str, str]]

FACTORY_TOPOLOGY = "t1"
"""Which buffer template a box of type LeafRouter renders (sonic.md 1)."""
FACTORY_TYPE = "LeafRouter"
FACTORY_MTU = "9100"
"""SONiC's own default of PORT.mtu (sonic-port.yang), which its configuration generator writes out."""
MAP = "AZURE"
"""The name SONiC's stock maps go by."""
LOSSLESS = (3, 4)
SERVED = range(7)
"""Queues the stock template gives a scheduler."""
STOCK_DSCP = {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}
"""DSCP → traffic class; every other DSCP is class 1."""
STOCK_WRED = {"min_threshold": "1048576", "max_threshold": "2097152", "drop_probability": "5"}
_COLOURS = ("green", "yellow", "red")
COUNTERS = (
    "ACL",
    "BUFFER_POOL_WATERMARK",
    "PFCWD",
    "PG_DROP",
    "PG_WATERMARK",
    "PORT",
    "PORT_BUFFER_DROP",
    "QUEUE",
    "QUEUE_WATERMARK",
    "RIF",
)
FEATURES = ("bgp", "database", "gnmi", "lldp", "pmon", "snmp", "swss", "syncd", "teamd")


def factory_files(
    model: SwitchModel, hwsku: str, *, hostname: str = "sonic", serial: str, mac: str
) -> Mapping[str, str]:
    """Path → text of what the box ships with.

    `etc/sonic/config_db.json`, `hwsku/port_config.ini`, `hwsku/pg_profile_lookup.ini` and `eeprom.json`. Raises Invalid
    for a HWSKU the model does not have.
    """
    if hwsku not in model.hwskus:
        known = ", ".join(sorted(model.hwskus))
        raise Invalid([Diagnostic(message=f"{model.name} has no HWSKU `{hwsku}`", hint=f"it has {known}")])
    sku = model.hwskus[hwsku]
    ports = _ports(model, sku)
    eeprom = {"serial": serial, "mac": mac, "platform": sku.platform, "hwsku": hwsku}
    return {
        "etc/sonic/config_db.json": _json(_config(sku, ports, hostname, mac)),
        "hwsku/port_config.ini": _port_config(ports),
        "hwsku/pg_profile_lookup.ini": _pg_profile_lookup(sku),
        "eeprom.json": _json(eeprom),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Port:
    """One port as shipped."""

    cage: int
    subport: Subport
    speed_mbps: int
    name: str
    """SONiC counts lanes in the order of the front panel, whatever they are called on the chip."""


def _ports(model: SwitchModel, sku: Hwsku) -> tuple[_Port, ...]:
    """Every port in front-panel order, at the fastest speed of the mode its cage ships in."""
    return tuple(
        _Port(
            cage=cage.number,
            subport=subport,
            speed_mbps=cage.breakouts[mode][0],
            name=f"Ethernet{model.index_of(cage) + max(0, subport.number - 1) * len(subport.lanes)}",
        )
        for cage in model.cages
        for mode in (sku.factory_modes[cage.number],)
        for subport in cage.split(mode)
    )


def _config(sku: Hwsku, ports: tuple[_Port, ...], hostname: str, mac: str) -> dict[str, Table]:
    box = {
        "hostname": hostname,
        "hwsku": sku.name,
        "platform": sku.platform,
        "mac": mac,
        "type": FACTORY_TYPE,
        "buffer_model": "traditional",
        "default_bgp_status": "up",
        "default_pfcwd_status": "disable",
        "docker_routing_config_mode": "separated",
    }
    return {
        "DEVICE_METADATA": {"localhost": box},
        "PORT": {port.name: _port_row(port) for port in ports},
        "BREAKOUT_CFG": _breakouts(sku, ports),
        "MGMT_PORT": {"eth0": {"alias": "eth0", "admin_status": "up"}},
        "FEATURE": {name: _feature(name) for name in FEATURES},
        "FLEX_COUNTER_TABLE": {group: {"FLEX_COUNTER_STATUS": "enable"} for group in COUNTERS},
        **_qos(tuple(port.name for port in ports)),
        **_buffers(sku, tuple(port.name for port in ports)),
    }


def _port_row(port: _Port) -> dict[str, str]:
    return {
        "lanes": _lanes(port),
        "alias": port.subport.alias or port.name,  # SONiC falls back to the name as well
        "index": str(port.cage),
        "speed": str(port.speed_mbps),
        "admin_status": "up",
        "mtu": FACTORY_MTU,
    }


def _breakouts(sku: Hwsku, ports: tuple[_Port, ...]) -> Table:
    """One row a cage, under the name of its first port."""
    first = {port.cage: port.name for port in reversed(ports)}
    spelled = {name: sku.breakout_modes.get(sku.factory_modes[cage]) for cage, name in sorted(first.items())}
    return {name: {"brkout_mode": mode} for name, mode in spelled.items() if mode is not None}


def _feature(name: str) -> dict[str, str]:
    state = "always_enabled" if name == "database" else "enabled"
    return {"state": state, "auto_restart": state, "has_global_scope": "True", "has_per_asic_scope": "False"}


def _qos(ports: tuple[str, ...]) -> dict[str, Table]:
    same = {str(n): str(n) for n in range(8)}
    groups = {str(tc): str(tc if tc in (*LOSSLESS, 7) else 0) for tc in range(8)}
    pfc = ",".join(str(priority) for priority in LOSSLESS)
    row = {
        "dscp_to_tc_map": MAP,
        "tc_to_queue_map": MAP,
        "tc_to_pg_map": MAP,
        "pfc_to_queue_map": MAP,
        "pfc_to_pg_map": MAP,
        "pfc_enable": pfc,
        "pfcwd_sw_enable": pfc,
    }
    lossless = {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}
    wred = {f"{colour}_{field}": value for colour in _COLOURS for field, value in STOCK_WRED.items()}
    wred |= {f"wred_{colour}_enable": "true" for colour in _COLOURS} | {"ecn": "ecn_all"}
    return {
        "DSCP_TO_TC_MAP": {MAP: {str(dscp): str(STOCK_DSCP.get(dscp, 1)) for dscp in range(64)}},
        "TC_TO_QUEUE_MAP": {MAP: same},
        "TC_TO_PRIORITY_GROUP_MAP": {MAP: groups},
        "MAP_PFC_PRIORITY_TO_QUEUE": {MAP: same},
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {MAP: {str(n): str(n) for n in LOSSLESS}},
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}, "scheduler.1": {"type": "DWRR", "weight": "15"}},
        "WRED_PROFILE": {"AZURE_LOSSLESS": wred},
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": MAP}, **{port: dict(row) for port in ports}},
        "QUEUE": {
            f"{port}|{queue}": dict(lossless) if queue in LOSSLESS else {"scheduler": "scheduler.0"}
            for port in ports
            for queue in SERVED
        },
    }


def _buffers(sku: Hwsku, ports: tuple[str, ...]) -> dict[str, Table]:
    """The stock buffers. No lossless groups: buffermgrd adds those on the running box (sonic.md 3)."""
    pools = sku.pools_of(FACTORY_TOPOLOGY)
    roles = {role: pool.name for role, pool in pool_roles(pools).items()}
    queues = {"0-2": "q_lossy_profile", "3-4": "egress_lossless_profile", "5-6": "q_lossy_profile"}
    return {
        "CABLE_LENGTH": {MAP: dict.fromkeys(ports, f"{sku.factory_cable_m}m")},
        "BUFFER_POOL": {pool.name: _pool(pool) for pool in pools},
        "BUFFER_PROFILE": {
            "ingress_lossless_profile": {
                "pool": roles.get("ingress_lossless_pool", "ingress_lossless_pool"),
                "size": "0",
                "dynamic_th": "7",
            },
            "ingress_lossy_profile": {
                "pool": roles.get("ingress_lossy_pool", "ingress_lossy_pool"),
                "size": "0",
                "dynamic_th": "3",
            },
            "egress_lossless_profile": {
                "pool": roles.get("egress_lossless_pool", "egress_lossless_pool"),
                "size": "0",
                "dynamic_th": "7",
            },
            "egress_lossy_profile": {
                "pool": roles.get("egress_lossy_pool", "egress_lossy_pool"),
                "size": "9216",
                "dynamic_th": "7",
            },
            "q_lossy_profile": {
                "pool": roles.get("egress_lossy_pool", "egress_lossy_pool"),
                "size": "0",
                "dynamic_th": "3",
            },
        },
        "BUFFER_PG": {f"{port}|0": {"profile": "ingress_lossy_profile"} for port in ports},
        "BUFFER_QUEUE": {f"{port}|{ids}": {"profile": name} for port in ports for ids, name in queues.items()},
        "BUFFER_PORT_INGRESS_PROFILE_LIST": {
            port: {"profile_list": "ingress_lossless_profile,ingress_lossy_profile"} for port in ports
        },
        "BUFFER_PORT_EGRESS_PROFILE_LIST": {
            port: {"profile_list": "egress_lossless_profile,egress_lossy_profile"} for port in ports
        },
    }


def _pool(pool: PoolTemplate) -> dict[str, str]:
    row = {"type": pool.direction, "mode": pool.mode, "size": str(pool.size_bytes)}
    return row if pool.shared_headroom_bytes is None else {**row, "xoff": str(pool.shared_headroom_bytes)}


def _port_config(ports: tuple[_Port, ...]) -> str:
    """The HWSKU's port table. Some HWSKUs leave the speed out and take it from the ASIC; here it is always written."""
    rows = [("# name", "lanes", "alias", "index", "speed")]
    rows += [(p.name, _lanes(p), p.subport.alias or p.name, str(p.cage), str(p.speed_mbps)) for p in ports]
    return _columns(rows)


def _pg_profile_lookup(sku: Hwsku) -> str:
    offsets = any(row.xon_offset_bytes is not None for row in sku.pg.values())
    head = ("# speed", "cable", "size", "xon", "xoff", "threshold")
    rows: list[tuple[str, ...]] = [(*head, "xon_offset") if offsets else head]
    for (speed_mbps, length_m), row in sorted(sku.pg.items()):
        numbers = (row.size_bytes, row.xon_bytes, row.xoff_bytes, row.threshold)
        last = (str(row.xon_offset_bytes or 0),) if offsets else ()
        rows.append((str(speed_mbps), f"{length_m}m", *(str(number) for number in numbers), *last))
    return "# PG lossless profiles.\n" + _columns(rows)


def _lanes(port: _Port) -> str:
    return ",".join(str(lane) for lane in port.subport.lanes)


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _json(tree: object) -> str:
    return json.dumps(tree, indent=4, sort_keys=True) + "\n"
