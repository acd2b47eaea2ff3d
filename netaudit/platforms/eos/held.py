"""What EOS can hold, what it has no word for, what it rounds, and what of all that no source proves."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.state import BlindSpot, Store
from netaudit.state.expectation import Held

UNSUPPORTED: Mapping[str, str] = {
    "qos.ports.*.rewrite": "EOS rewrites DSCP by class on the whole switch, not by a map of a port (eos.md section 2)",
    "qos.ports.*.shaper": "a shaper for a port is not rendered: on EOS it is part of what its profile says",
    "qos.trimming": "no source shows that EOS trims packets, or how it is told to",
    "qos.hash_fields": "no source shows by which words EOS is told what ECMP hashes: the fields of the box stay",
    "buffers.profiles.*.xoff_bytes": (
        "no source has words for the headroom of Jericho and its kin: what EOS sets aside there by itself is all there "
        "is; on Trident and Tomahawk it is set and audited"
    ),
    "buffers.profiles.*.limit_bytes": (
        "thresholds of a queue profile are shares of the free buffer, never bytes (eos.md section 2)"
    ),
    "buffers.profiles.*.discard": "no source shows that EOS trims packets, or how it is told to",
    "system.tier": "no source shows how EOS is given a seed of the ECMP hash: neighbouring tiers may hash alike",
}

_OTHERS = "a word of SONiC's own database"
_PFC = "PFC priority n pauses traffic class n, as EOS has no map for it"

IMPLIED: Mapping[str, str] = {
    "system.hwsku": _OTHERS,
    "system.hardware": _OTHERS,
    "system.asn": "the number of the speaker stands in `router bgp` alone",
    "system.own_routing_files": _OTHERS,
    "system.routing_rows": _OTHERS,
    "ports.*.alias": "EOS tells LLDP neighbors the name that a port has in the configuration",
    "ports.*.breakout": "a cage is split by the speeds of its ports",
    "ports.*.pfc_asymmetric": "EOS obeys PFC for the priorities for which it sends it, and for no others",
    "bgp.unmodelled": "lines of the site's own are looked for one by one, as rows of `raw`",
    "qos.tc_to_pg": _PFC,
    "qos.pfc_to_queue": _PFC,
    "qos.pfc_to_pg": _PFC,
    "qos.ports.*.tc_to_pg": _PFC,
    "qos.ports.*.pfc_to_queue": _PFC,
    "qos.ports.*.pfc_to_pg": _PFC,
    "qos.ports.*.tc_to_queue": "there is one map of classes to queues for the whole switch",
    "qos.ports.*.watched": "the watchdog of a port watches every priority that has PFC there",
    "qos.switch_dscp_to_tc": "there is one DSCP map for the whole switch",
    "qos.wred.*.colours": "one curve marks the packets of all colours",
    "buffers.model": _OTHERS,
    "buffers.computing": "EOS takes headroom as it is told and computes none",
    "buffers.ports": "the queue profile is applied to the whole switch, not port by port (eos.md section 2)",
    "buffers.pools": "EOS divides the buffer itself, but for the bound of the pool of headroom",
}

ROUNDED: Mapping[str, str] = {
    "ports.*.lanes": "EOS says how many lanes a port has, not which: they count from 0, and some numbers have no word",
    "ports.*.speed_mbps": "EOS has a closed list of speeds; of another one nothing is said (eos.md section 2)",
    "ports.*.autoneg": "EOS says speed and negotiation in one word: a copper cable of which nobody says it negotiates",
    "ports.*.mtu_bytes": "the largest packet of the boxes is 9,214 bytes (eos.md section 2)",
    "bgp.neighbors.*.remote": (
        "EOS wants the number of whom it dials; where the model has none, it waits to be dialled by any other"
    ),
    "bgp.neighbors.*.allowas_in": "EOS counts the own ASN for a session, not for a family: the most of all, 10 at most",
    "bgp.maximum_paths": "EOS uses 600 paths together at most (eos.md section 2)",
    "bgp.vrfs.*.maximum_paths": "EOS uses 600 paths together at most (eos.md section 2)",
    "qos.dscp_to_tc": "there is one map without a name, with an entry for every DSCP; a lossless class has the number "
    "of its PFC priority, whatever its queue",
    "qos.tc_to_queue": "there is one map without a name, with an entry for every class; a lossless class has the "
    "number of its PFC priority",
    "qos.schedulers": "EOS names profiles only: a scheduler is called after profile and queue; rates go by kbps",
    "qos.wred": "EOS names profiles only: what marks in a queue is called after profile and queue",
    "qos.ports.*.dscp_to_tc": "there is one map without a name: a port trusts DSCP or does not",
    "qos.ports.*.queues": "EOS names profiles only: what serves a queue is called after profile and queue",
    "qos.ports.*.watchdog.detect_ms": "the watchdog counts hundredths of a second, 0.01 to 60 s (eos.md section 2)",
    "qos.ports.*.watchdog.restore_ms": "the watchdog counts hundredths of a second, 0.01 to 60 s (eos.md section 2)",
    "qos.ports.*.watchdog.action": "the watchdog of a port drops, or only tells; it never forwards (eos.md section 2)",
    "qos.watchdog_poll_ms": "the watchdog has to look twice within the shortest of its times (eos.md section 2)",
    "buffers.profiles": (
        "one queue profile holds for the whole switch: the largest headroom of all its ports, and thresholds that are "
        "powers of two from 1/128 to 8; on Jericho and its kin nothing is said"
    ),
    "raw": "lines of the site's own are looked for one by one",
}

UNVERIFIED: Mapping[str, str] = {
    "ports.*.mtu_bytes": "9,214 as the most that a 7060X or 7280 takes: no source of the maker's",
    "bgp.multipath_relax": "on unless it is taken away: the line for that is Batfish's, the default is remembered",
    "bgp.keepalive_s": "60 and 180 seconds where the configuration is silent: remembered",
    "bgp.hold_s": "60 and 180 seconds where the configuration is silent: remembered",
    "qos.dscp_to_tc": "the classes of DSCPs that no line names: one public article",
    "qos.tc_to_queue": "class n is queue n where no line says otherwise: one public article",
    "qos.schedulers.*.kind": "a queue of which nothing is said is strict: remembered",
    "qos.watchdog_poll_ms": "the bound by half of the shorter time: one public article",
    "qos.ports.*.watchdog.detect_ms": "the range of 0.01 to 60 s: one public article",
    "qos.ports.*.watchdog.restore_ms": "the range of 0.01 to 60 s: one public article",
    "qos.wred.*.colours.*.pmax_percent": "100 percent where the configuration is silent: assumed",
    "qos.wred": "that a chip takes a threshold in bytes to the byte; the unit itself is in the maker's schema",
    "buffers.profiles.*.xon_offset_bytes": "that `ingress resume` is how far below its threshold a group has to fall",
    "buffers.profiles.*.xoff_bytes": "that headroom is meant for one priority group of one port",
    "buffers.pools.*.shared_headroom_bytes": "on which chips the bound of the headroom pool exists",
}


def _all(*names: str) -> dict[str, Held]:
    return dict.fromkeys(names, True)


_BGP = ("asn", "router_id", "multipath_relax", "maximum_paths", "keepalive_s", "hold_s", "requires_policy")
_NEIGHBOR = ("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in")

CONFIGURED: Mapping[str, Held] = {
    "system": _all("hostname"),
    "ports": {
        "*": _all("native", "enabled", "speed_mbps", "lanes", "fec", "mtu_bytes", "autoneg", "description"),
    },
    "vrfs": True,
    "interfaces": True,
    "vlans": True,
    "bgp": {
        **_all(*_BGP, "networks", "discards", "policies", "unmodelled"),
        "neighbors": {"*": _all(*_NEIGHBOR)},
        "vrfs": True,
    },
    "qos": {
        **_all("dscp_to_tc", "tc_to_queue", "schedulers", "wred", "watchdog_poll_ms", "trimming"),
        "ports": {"*": _all("dscp_to_tc", "rewrite", "shaper", "pfc", "queues", "watchdog")},
    },
    "buffers": {
        "pools": {"*": _all("shared_headroom_bytes")},
        "profiles": {"*": _all("size_bytes", "alpha", "xoff_bytes", "xon_offset_bytes")},
    },
    "lldp": _all("enabled"),
    "raw": True,
}
"""What a configuration, running or saved, can hold."""

HELD: Mapping[Store, Held] = {
    Store.RUNNING: CONFIGURED,
    Store.SAVED: CONFIGURED,
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
        what="*",
        where="eos, applied",
        reason="what the chip has programmed is not read: no source has the answers of the commands that show it",
    ),
    BlindSpot(
        what="system.mac",
        where="eos",
        reason="the MAC address of the box is not compared: no setting follows from it",
    ),
    BlindSpot(
        what="ports.*.cable_m",
        where="eos, state",
        reason="no source has an answer in which EOS tells the length of a cable",
    ),
)
