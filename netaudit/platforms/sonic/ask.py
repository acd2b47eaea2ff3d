"""What a SONiC switch is asked: every query, by store and transport; which of them a push, a gate or `tune` needs."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.platforms import Query
from netaudit.platforms.sonic.optics import TABLE as OPTICS
from netaudit.platforms.sonic.system import ROUTING_TABLES
from netaudit.state import Store

ALWAYS = (
    "BUFFER_POOL",
    "BUFFER_PROFILE",
    "CABLE_LENGTH",
    "DEVICE_METADATA",
    "DSCP_TO_TC_MAP",
    "PORT",
    "PORT_QOS_MAP",
    "QUEUE",
    "SCHEDULER",
    "TC_TO_QUEUE_MAP",
)
"""Tables that a switch practically always has: asked in one Get."""

OFTEN = (
    "BREAKOUT_CFG",
    "BUFFER_PG",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_QUEUE",
    "INTERFACE",
    "LLDP",
    "LLDP_PORT",
    "LOOPBACK_INTERFACE",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "PFC_WD",
    "SWITCH_HASH",
    "SWITCH_TRIMMING",
    "TC_TO_PRIORITY_GROUP_MAP",
    "VLAN",
    "VLAN_INTERFACE",
    "VLAN_MEMBER",
    "VRF",
    "WRED_PROFILE",
    *ROUTING_TABLES,
)
"""Tables that may well be absent, each asked alone: one NOT_FOUND would fail a whole Get."""

APPLIED = ("PORT_TABLE", "BUFFER_POOL_TABLE", "BUFFER_PROFILE_TABLE", "BUFFER_PG_TABLE", "BUFFER_QUEUE_TABLE")

VTYSH = {
    "frr": (Store.RUNNING, "show running-config"),
    "summary": (Store.STATE, "show bgp vrf all summary json"),
    "bgp4": (Store.STATE, "show bgp vrf all ipv4 unicast json"),
    "bgp6": (Store.STATE, "show bgp vrf all ipv6 unicast json"),
    "route4": (Store.STATE, "show ip route vrf all json"),
    "route6": (Store.STATE, "show ipv6 route vrf all json"),
}
SAVED_DATABASE, SAVED_FRR = "/etc/sonic/config_db.json", "/etc/sonic/frr/frr.conf"
SERIAL_ROW = "0x23"
"""TLV code of the serial number in the ONIE EEPROM (sonic.md section 8)."""


def _queries() -> Iterator[Query]:
    for table in (*ALWAYS, *OFTEN):
        optional = table in OFTEN
        yield Query(
            id=table, store=Store.RUNNING, transport="gnmi", target="CONFIG_DB", path=(table,), optional=optional
        )
    for name, (store, command) in VTYSH.items():
        yield Query(id=name, store=store, transport="ssh", command=f"sudo vtysh -c '{command}'")
    yield Query(id="saved", store=Store.SAVED, transport="ssh", command=f"sudo cat {SAVED_DATABASE}")
    yield Query(id="saved-frr", store=Store.SAVED, transport="ssh", command=f"sudo cat {SAVED_FRR}")
    for table in APPLIED:
        yield Query(id=table, store=Store.APPLIED, transport="gnmi", target="APPL_DB", path=(table,))
    yield Query(
        id="ROUTE_TABLE", store=Store.APPLIED, transport="gnmi", target="APPL_DB", path=("ROUTE_TABLE",), optional=True
    )
    yield Query(
        id="LLDP_ENTRY_TABLE",
        store=Store.STATE,
        transport="gnmi",
        target="APPL_DB",
        path=("LLDP_ENTRY_TABLE",),
        optional=True,
    )
    yield Query(
        id="EEPROM_INFO", store=Store.STATE, transport="gnmi", target="STATE_DB", path=("EEPROM_INFO", SERIAL_ROW)
    )
    yield Query(id=OPTICS, store=Store.STATE, transport="gnmi", target="STATE_DB", path=(OPTICS,), optional=True)
    yield Query(
        id="database", store=Store.RUNNING, transport="gnmi", origin="sonic-db", path=("CONFIG_DB", "localhost")
    )


_ALL = tuple(_queries())
QUERIES = tuple(q for q in _ALL if q.id != "database")
IDS = frozenset(q.id for q in _ALL)
SESSION_QUERIES = ("PORT", "summary")
LENGTH_QUERIES = ("PORT", "CABLE_LENGTH", OPTICS, "PORT_TABLE", "LLDP_ENTRY_TABLE")
PUSH_QUERIES = tuple(q for q in _ALL if q.id in ("database", "frr", "EEPROM_INFO"))
