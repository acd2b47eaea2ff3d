"""What NVUE has no place for, what follows from something else there, what it rounds, which leaves its files hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.state import BlindSpot, Store
from netaudit.state.expectation import Held

_ONE_BUFFER: Final = "NVUE computes buffers of a port from `qos pfc … cable-length`, speed and MTU (nvue.md section 3)"

UNSUPPORTED: Mapping[str, str] = {
    "qos.ports.*.shaper": "the rate of a port as a whole would share a profile with the caps of its queues",
    "buffers.pools.*.shared_headroom_bytes": "the shared headroom pool is Beta there and has other units (5.17)",
}
"""Leaf pattern → why NVUE cannot do what it asks for. A value that it can do stays."""

IMPLIED: Mapping[str, str] = {
    "system.hardware": "a word of SONiC; Cumulus knows its box by the model in the header",
    "system.mac": "the box has its MAC address itself, and no file says it",
    "system.asn": "a word of SONiC's database; the ASN of NVUE is that of its BGP",
    "system.own_routing_files": "NVUE writes the files of FRR itself, from its own tree",
    "system.routing_rows": "a word of SONiC's database, beside which FRR has files; NVUE has one tree",
    "ports.*.alias": "Cumulus tells its LLDP neighbors the name of the port, which it has no second one for",
    "ports.*.lanes": "lanes follow from the name of the port and the breakout of its cage",
    "ports.*.pfc_asymmetric": "PFC of NVUE goes both ways for the same priorities (`tx` and `rx` of one profile)",
    "bgp.requires_policy": "FRR has datacenter defaults, which ask for no policy; each neighbor is given both anyway",
    "bgp.vrfs.*.requires_policy": "FRR runs with datacenter defaults; each neighbor is given both policies anyway",
    "qos.switch_dscp_to_tc": "default-global is by its name the map of every port that has no other",
    "qos.tc_to_pg": "priority group and PFC priority of a packet are its switch priority",
    "qos.pfc_to_queue": "a PFC frame pauses the queue that its switch priority is mapped to",
    "qos.pfc_to_pg": "priority group and PFC priority of a packet are its switch priority",
    "qos.ports.*.tc_to_queue": "egress-queue-mapping has the one profile default-global, of all ports",
    "qos.ports.*.tc_to_pg": "priority group and PFC priority of a packet are its switch priority",
    "qos.ports.*.pfc_to_queue": "a PFC frame pauses the queue that its switch priority is mapped to",
    "qos.ports.*.pfc_to_pg": "priority group and PFC priority of a packet are its switch priority",
    "qos.ports.*.watchdog.action": "the watchdog of NVUE drops; what else is asked for is refused (nvue.md section 3)",
    "qos.ports.*.watched": "the watchdog watches every queue with PFC of a port it is enabled on",
    "qos.wred.*.colours.yellow": "congestion control of NVUE knows no colours: all packets are marked alike",
    "qos.wred.*.colours.red": "congestion control of NVUE knows no colours: all packets are marked alike",
    "buffers.model": "the switch always computes its headroom by itself",
    "buffers.computing": "the switch computes for packets of 64 bytes (the other setting is Beta in 5.17)",
    "buffers.pools.*.direction": "a traffic pool of NVUE is one at ingress and one at egress",
    "buffers.pools.*.dynamic": "RoCE's pools are divided by alpha, and no setting of ours",
    "buffers.ports.*.groups": _ONE_BUFFER,
    "buffers.ports.*.ingress": _ONE_BUFFER,
    "buffers.ports.*.egress": _ONE_BUFFER,
}

ROUNDED: Mapping[str, str] = {
    "system.hwsku": "the header has the model alone: SN5600 of ACS-SN5600",
    "ports.*.native": "ports are called after their cage: swp1, swp1s0",
    "ports.*.breakout": "NVUE counts the parts of a cage alone: 2x, 4x, 8x; 1x where it is whole",
    "ports.*.speed_mbps": "a speed that `link speed` has no word for (10M to 800G) is left to the port",
    "ports.*.mtu_bytes": "link mtu is 552 to 9216 bytes (nvue.md section 3)",
    "bgp.maximum_paths": "multipaths is 1 to 256 (nvue.md section 3)",
    "bgp.vrfs.*.maximum_paths": "multipaths is 1 to 256 (nvue.md section 3)",
    "qos.dscp_to_tc": "the map of all ports is called default-global, and maps to PFC priorities, not queues",
    "qos.tc_to_queue": "the one map is called default-global, and maps switch priorities",
    "qos.ports.*.dscp_to_tc": "the map of all ports is called default-global",
    "qos.schedulers": "a port takes one scheduler profile for all queues, and one shaper with rates in kbit/s",
    "qos.wred": "a port takes one congestion-control profile for all its queues",
    "qos.ports.*.queues.*.scheduler": "a port takes one scheduler profile: its queues are called PROFILE/queue",
    "qos.ports.*.queues.*.wred": "a port takes one congestion-control profile: its queues are called PROFILE/queue",
    "qos.hash_fields": "NVUE has its own words (ingress-interface for IN_PORT), and no others",
    "qos.watchdog_poll_ms": "polling-interval is 100 to 5000 ms (nvue.md section 3)",
    "qos.ports.*.watchdog.detect_ms": "detection is polling-interval times robustness, and the same on all ports",
    "qos.ports.*.watchdog.restore_ms": "the watchdog restores after one polling interval without a pause frame",
    "qos.trimming": "packets are trimmed to 256 to 1024 bytes, from 5.14 on",
    "buffers.pools": "memory is divided into the pools roce-lossless and default-lossy, in whole percents",
    "buffers.profiles": "one alpha holds for all lossless buffers; their sizes are the switch's own",
    "buffers.ports.*": "a port is in it by its cable length or by queues that trim",
    "buffers.ports.*.queues": "of what binds a queue to a buffer NVUE says only which queues trim",
    "lldp.enabled": "before 5.11 lldpd has no switch, and always runs",
}

UNVERIFIED: Mapping[str, str] = {
    "system.tier": "system forwarding hash-seed: the key is in the models, no documentation was read for it",
    "interfaces.*.link_local": "ipv6 state of an interface: in the models, no documentation was read for it",
    "bgp.discards": "a static route via blackhole: in the models, not tried on a device",
    "qos.dscp_to_tc": "models do not check the number of a DSCP; the writer does",
    "qos.schedulers.*.cap_bytes_per_s": "a cap by egress-shaper: documented, not together with RoCE",
    "buffers.profiles.*.alpha": "alpha of the lossless buffer together with RoCE: documented, not tried on a device",
    "qos.ports.*.pfc": "PFC for another priority than 3, or for two, with RoCE: tried by nobody here",
    "qos.ports.*.watchdog": "pfc-watchdog state: the models say enable, the documentation enabled (nvue.md section 1)",
    "qos.trimming": "packet-trim together with lossless RoCE: in the models, not tried on a device",
}


def _all(*names: str) -> dict[str, Held]:
    return dict.fromkeys(names, True)


_CONFIGURED: Mapping[str, Held] = {
    "system": _all("hostname", "hwsku", "tier"),
    "ports": {
        "*": _all("native", "enabled", "speed_mbps", "breakout", "fec", "mtu_bytes", "autoneg", "description"),
    },
    "vrfs": True,
    "interfaces": True,
    "vlans": True,
    "bgp": {
        **_all("asn", "router_id", "multipath_relax", "maximum_paths", "keepalive_s", "hold_s"),
        **_all("networks", "discards", "policies", "unmodelled", "vrfs"),
        "neighbors": {"*": _all("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in")},
    },
    "qos": True,
    "buffers": True,
    "lldp": _all("enabled"),
}

HELD: Mapping[Store, Held] = {
    Store.RUNNING: _CONFIGURED,
    Store.SAVED: _CONFIGURED,
    Store.APPLIED: {},
    Store.STATE: {
        "system": _all("serial"),
        "ports": {"*": _all("oper_up")},
        "bgp": {"asn": True, "neighbors": {"*": _all("session", "remote_asn")}},
        "lldp": _all("neighbors"),
    },
}

BLIND: tuple[BlindSpot, ...] = (
    BlindSpot(
        what="ports.*.cable_m",
        where="nvue, state",
        reason="the length that a plug tells is not read",
    ),
    BlindSpot(
        what="qos.*",
        where="nvue, applied",
        reason="what the ASIC has of maps, schedulers, ECN and PFC is shown per port in rounded units, and not read",
    ),
    BlindSpot(
        what="buffers.*",
        where="nvue, applied",
        reason="headroom as the switch computes it is shown by counters of each port only, and not read",
    ),
)
