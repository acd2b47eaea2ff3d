"""DEVICE_METADATA and LLDP: the box itself, and which of its fields are ours."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from netaudit.platforms.sonic.tables import Row, Seen, Tables, asn, fields, seen, text
from netaudit.state import ABSENT, Device, Leaf, Lldp, System

TYPES = MappingProxyType({0: "ToRRouter", 1: "LeafRouter", 2: "SpineRouter"})
"""Tier → DEVICE_METADATA type. It selects the ECMP hash seed (0, 10, 25), which must differ by tier
(sonic.md section 1, topology.md «SONiC naming trap»)."""

OWN_FILES = "split-unified"
"""The routing mode that keeps our frr.conf and starts FRR from it (sonic.md section 6)."""

ROUTING_TABLES = (
    "BGP_AGGREGATE_ADDRESS",
    "BGP_GLOBALS",
    "BGP_GLOBALS_AF",
    "BGP_GLOBALS_AF_NETWORK",
    "BGP_NEIGHBOR",
    "BGP_NEIGHBOR_AF",
    "BGP_PEER_GROUP",
    "BGP_PEER_GROUP_AF",
    "BGP_PEER_RANGE",
    "STATIC_ROUTE",
)
"""Tables whose rows a daemon would put into FRR on top of our file: they stay empty."""


def write_system(device: Device) -> Tables:
    """DEVICE_METADATA (only what is set) and LLDP."""
    system = device.system
    row: Row = {}
    if system is not None:
        own = system.own_routing_files
        row = fields(
            {
                "hostname": system.hostname,
                "hwsku": system.hwsku,
                "platform": system.hardware,
                "mac": system.mac,
                "type": TYPES.get(system.tier) if isinstance(system.tier, int) else None,
                "bgp_asn": system.asn,
                "docker_routing_config_mode": (OWN_FILES if own else "separated") if isinstance(own, bool) else None,
            }
        )
    if device.buffers is not None:
        row.update(fields({"buffer_model": device.buffers.model}))
    tables: Tables = {"DEVICE_METADATA": {"localhost": row}} if row else {}
    if device.lldp is not None and isinstance(device.lldp.enabled, bool):
        tables["LLDP"] = {"GLOBAL": fields({"enabled": device.lldp.enabled})}
    return tables


def read_system(tables: Seen) -> System | None:
    """The box as CONFIG_DB describes it; the serial number is not there."""
    metadata = seen(tables, "DEVICE_METADATA")
    if metadata is None:
        return None
    row = metadata.get("localhost", {})
    kind = text(row, "type")
    mode = text(row, "docker_routing_config_mode")
    return System(
        hostname=text(row, "hostname"),
        hwsku=text(row, "hwsku"),
        hardware=text(row, "platform"),
        mac=_mac(row),
        tier=next((tier for tier, word in TYPES.items() if word == kind), ABSENT),
        asn=_asn(row),
        own_routing_files=mode == OWN_FILES,
        routing_rows=_routing_rows(tables),
    )


def _asn(row: Row) -> Leaf[int]:
    """A box without a speaker says None in words (seen in sonic-mgmt's own configurations)."""
    value = text(row, "bgp_asn")
    return asn(value, "bgp_asn") if isinstance(value, str) and value != "None" else ABSENT


def _mac(row: Row) -> Leaf[str]:
    value = text(row, "mac")
    return value.lower() if isinstance(value, str) else value


def _routing_rows(tables: Seen) -> Leaf[frozenset[str]]:
    parts = {name: seen(tables, name) for name in ROUTING_TABLES}
    if any(rows is None for rows in parts.values()):
        return None
    return frozenset(f"{name}|{key}" for name, rows in parts.items() for key in rows or {})


def read_lldp(tables: Seen) -> Lldp | None:
    """Whether LLDP runs: it does unless a row says otherwise, on the box or on a port."""
    switch, port = seen(tables, "LLDP"), seen(tables, "LLDP_PORT")
    if switch is None or port is None:
        return None
    rows: Mapping[str, Row] = {**switch, **port}
    return Lldp(enabled=not any(text(row, "enabled") == "false" or "mode" in row for row in rows.values()))
