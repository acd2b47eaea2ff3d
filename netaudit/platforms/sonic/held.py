"""Which leaves each store of a SONiC switch can hold, and what is declared as not auditable."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.state import BlindSpot, Store
from netaudit.state.expectation import Held

UNSUPPORTED: Mapping[str, str] = {}
"""Leaf pattern → why SONiC has no place for it. Everything the state knows today has one."""

IMPLIED: Mapping[str, str] = {}

ROUNDED: Mapping[str, str] = {
    "buffers.profiles.*.alpha": "dynamic_th is a power of two (sonic.md section 3)",
    "buffers.computing.alpha": "default_dynamic_th is a power of two (sonic.md section 3)",
}

UNVERIFIED: Mapping[str, str] = {}

_SYSTEM = ("hostname", "hwsku", "hardware", "mac", "tier", "asn", "own_routing_files", "routing_rows")
_PORT = (
    "native",
    "alias",
    "enabled",
    "speed_mbps",
    "lanes",
    "breakout",
    "fec",
    "mtu_bytes",
    "autoneg",
    "description",
    "pfc_asymmetric",
)
_BGP = ("asn", "router_id", "multipath_relax", "maximum_paths", "keepalive_s", "hold_s", "requires_policy")
_POLICY = ("networks", "discards", "policies", "unmodelled")
_NEIGHBOR = ("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in")


def _all(*names: str) -> dict[str, Held]:
    return dict.fromkeys(names, True)


_CONFIGURED: Mapping[str, Held] = {
    "system": _all(*_SYSTEM),
    "ports": {"*": _all(*_PORT)},
    "vrfs": True,
    "interfaces": True,
    "vlans": True,
    "bgp": {**_all(*_BGP, *_POLICY), "neighbors": {"*": _all(*_NEIGHBOR)}, "vrfs": True},
    "qos": True,
    "buffers": True,
    "lldp": _all("enabled"),
    "raw": True,
}

HELD: Mapping[Store, Held] = {
    Store.RUNNING: _CONFIGURED,
    Store.SAVED: _CONFIGURED,
    Store.APPLIED: {
        "ports": {"*": _all("native", "enabled", "speed_mbps", "mtu_bytes", "fec")},
        "buffers": {"pools": True, "profiles": True, "ports": {"*": _all("groups", "queues")}},
    },
    Store.STATE: {
        "system": _all("serial"),
        "ports": {"*": _all("oper_up", "cable_m")},
        "bgp": {"asn": True, "multipath_relax": True, "neighbors": {"*": _all("session", "remote_asn")}},
        "lldp": _all("neighbors"),
    },
}

BLIND = (
    BlindSpot(
        what="qos.*",
        where="sonic, applied",
        reason="maps, schedulers, WRED and PFC as programmed stand in ASIC_DB only, which is not read",
    ),
    BlindSpot(
        what="buffers.ports.*.cable_length_m",
        where="sonic, applied",
        reason="buffermgrd uses the length and does not hand it on to APPL_DB",
    ),
    BlindSpot(
        what="ports.*.cable_m",
        where="sonic, state",
        reason="a plug that can be separated from its fibre does not know how long that is; those of DAC and AOC do",
    ),
    BlindSpot(
        what="vlans.*",
        where="sonic, applied",
        reason="what vlanmgrd hands on to APPL_DB of VLANs and their members is not read",
    ),
)
