"""What is asked of a switch to read one leaf from one store, as a report and `show explain` name it."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms.sonic.ask import SAVED_DATABASE, SAVED_FRR, VTYSH
from netaudit.platforms.sonic.held import HELD
from netaudit.platforms.sonic.names import VLAN
from netaudit.state import Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below, matches

_TABLES: Mapping[str, str] = {
    "system": "DEVICE_METADATA",
    "ports.*.breakout": "BREAKOUT_CFG",
    "ports": "PORT",
    "vrfs": "VRF",
    "interfaces.Loopback0": "LOOPBACK_INTERFACE",
    "interfaces": "INTERFACE",
    "vlans.*.members": "VLAN_MEMBER",
    "vlans.*.tagged": "VLAN_MEMBER",
    "vlans": "VLAN",
    "qos.dscp_to_tc": "DSCP_TO_TC_MAP",
    "qos.tc_to_queue": "TC_TO_QUEUE_MAP",
    "qos.tc_to_pg": "TC_TO_PRIORITY_GROUP_MAP",
    "qos.pfc_to_queue": "MAP_PFC_PRIORITY_TO_QUEUE",
    "qos.pfc_to_pg": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "qos.schedulers": "SCHEDULER",
    "qos.wred": "WRED_PROFILE",
    "qos.watchdog_poll_ms": "PFC_WD",
    "qos.trimming": "SWITCH_TRIMMING",
    "qos.hash_fields": "SWITCH_HASH",
    "qos.ports.*.watchdog": "PFC_WD",
    "qos.ports.*.queues": "QUEUE",
    "qos": "PORT_QOS_MAP",
    "buffers.pools": "BUFFER_POOL",
    "buffers.profiles": "BUFFER_PROFILE",
    "buffers.computing.alpha": "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "buffers.computing.oversubscription": "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "buffers.computing": "LOSSLESS_TRAFFIC_PATTERN",
    "buffers.ports.*.cable_length_m": "CABLE_LENGTH",
    "buffers.ports.*.groups": "BUFFER_PG",
    "buffers.ports.*.queues": "BUFFER_QUEUE",
    "buffers.ports.*.ingress": "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "buffers.ports.*.egress": "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "buffers": "DEVICE_METADATA",
    "lldp": "LLDP",
}
"""Leaf pattern → CONFIG_DB table; the first that matches."""

_STATE: Mapping[str, str] = {
    "system": "gNMI STATE_DB EEPROM_INFO/0x23",
    "ports.*.cable_m": "gNMI STATE_DB TRANSCEIVER_INFO",
    "ports": "gNMI APPL_DB PORT_TABLE",
    "lldp": "gNMI APPL_DB LLDP_ENTRY_TABLE",
    "bgp": f"vtysh {VTYSH['summary'][1]}",
}
_ROUTES: Mapping[Store, str] = {
    Store.STATE: "vtysh show bgp vrf all … unicast json · show ip route vrf all json",
    Store.APPLIED: "gNMI APPL_DB ROUTE_TABLE",
}


def asked(store: Store, path: Path) -> str:
    """`gNMI CONFIG_DB PORT`, a file, or a command; empty for a leaf that the store does not hold."""
    if path[0] == "routes":
        return _ROUTES.get(store, "")
    if not _holds(store, path):
        return ""
    if store is Store.STATE:
        return next((query for pattern, query in _STATE.items() if matches(pattern, path)), "")
    if path[0] == "bgp":
        return f"vtysh {VTYSH['frr'][1]}" if store is Store.RUNNING else SAVED_FRR if store is Store.SAVED else ""
    if path[0] == "raw":
        return f"{SAVED_DATABASE} {path[1]}" if store is Store.SAVED else f"gNMI CONFIG_DB {path[1]}"
    table = next((table for pattern, table in _TABLES.items() if matches(pattern, path)), "")
    if table == "INTERFACE" and len(path) > 1 and path[1].startswith(VLAN):
        table = "VLAN_INTERFACE"
    if store is Store.SAVED:
        return f"{SAVED_DATABASE} {table}"
    return f"gNMI CONFIG_DB {table}" if store is Store.RUNNING else f"gNMI APPL_DB {table}_TABLE"


def _holds(store: Store, path: Path) -> bool:
    part: Held = HELD[store]
    for name in path:
        part = below(part, name)
    return part is not False
