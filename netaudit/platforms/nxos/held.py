"""What NX-OS has no place for, spells in its own way or cannot be asked: the tables of the platform, leaf by leaf."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.platforms import Refused
from netaudit.state import BlindSpot, Store
from netaudit.state.expectation import Held

UNSUPPORTED: Mapping[str, str] = {
    **dict.fromkeys(
        ("bgp.requires_policy", "bgp.vrfs.*.requires_policy"),
        "NX-OS has no switch for RFC 8212: a session without route-maps sends and accepts everything. Each session "
        "that is rendered has both, and one without them differs from the plan",
    ),
    "qos.schedulers.*.cap_bytes_per_s": "no source shows `shape` beside `priority level 1`: the strict queue has no "
    "ceiling on NX-OS, so what is let into its class must be little",
    "qos.trimming": "no source shows packet trimming on NX-OS",
    "buffers.computing": "NX-OS computes no headroom from a length: it is rendered in bytes, or left to the switch",
    "buffers.profiles.*.alpha": "the share of the free pool is an object of the DME (0 to 255, nxos.md section 2) "
    "whose command no source shows: the switch's own share stays",
}
"""Leaf pattern → why NX-OS cannot do what it asks for."""

_OWN = "another NOS's word: nothing on NX-OS is called so"
_ALIGNED = "qos-group n is queue n, class nq n and PFC priority n (nxos.md section 2): there is no map in between"
_SHARED = "without headroom of its own a class shares what the switch gives it"

IMPLIED: Mapping[str, str] = {
    "system.hwsku": _OWN,
    "system.hardware": _OWN,
    "system.mac": "a fact of the box that its configuration does not repeat; the serial number tells which box it is",
    "system.tier": "each switch has a random seed of its own for its hash (universal-id), so no two hash alike",
    "system.asn": "the number of the speaker is said once, in `router bgp`",
    "system.own_routing_files": _OWN,
    "system.routing_rows": _OWN,
    "ports.*.alias": "LLDP tells the port's own name",
    "ports.*.lanes": "the breakout of the cage says which lanes a port has",
    "ports.*.autoneg": "a port with a fixed `speed` does not negotiate, and optics never do",
    "ports.*.pfc_asymmetric": "NX-OS has symmetric PFC only",
    "qos.tc_to_queue": _ALIGNED,
    "qos.tc_to_pg": _ALIGNED,
    "qos.pfc_to_queue": _ALIGNED,
    "qos.pfc_to_pg": _ALIGNED,
    "qos.ports.*.tc_to_queue": _ALIGNED,
    "qos.ports.*.tc_to_pg": _ALIGNED,
    "qos.ports.*.pfc_to_queue": _ALIGNED,
    "qos.ports.*.pfc_to_pg": _ALIGNED,
    "qos.ports.*.shaper": "NX-OS shapes queues and no port as a whole",
    "qos.ports.*.watched": "the watchdog of a port watches its no-drop queues, all of them (nxos.md section 2)",
    "qos.ports.*.watchdog.detect_ms": "a queue that stands still for one interval is taken for stuck",
    "qos.switch_dscp_to_tc": "every port in use has its own `service-policy type qos input`",
    "qos.wred.*.colours.yellow": "NX-OS marks all colours alike",
    "qos.wred.*.colours.red": "NX-OS marks all colours alike",
    "buffers.model": "there is one model only",
    "buffers.pools": "the switch divides its memory itself: no pool has a setting",
    "buffers.profiles.*.xon_offset_bytes": "`resume-threshold` says where it goes on",
    "buffers.profiles.*.pool": "the switch divides its memory itself",
    "buffers.profiles.*.limit_bytes": _SHARED,
    "buffers.profiles.*.discard": _SHARED,
    "buffers.ports.*.cable_length_m": "headroom is said in bytes, which follow from the length",
    "buffers.ports.*.queues": _SHARED,
    "buffers.ports.*.ingress": _SHARED,
    "buffers.ports.*.egress": _SHARED,
}
"""Leaf pattern → why it is no setting of its own."""

ROUNDED: Mapping[str, str] = {
    "ports.*.breakout": "spelled as `interface breakout ... map` has it, `400g-2x`, by its ports where the catalogue "
    "has no mode; a cage that is whole has none",
    "ports.*.fec": "at PAM4 speeds `fec` is left to the module, whose code is RS-544: `fec rs-fec` names the one of "
    "25G and 100G (nxos.md section 1)",
    "ports.*.mtu_bytes": "576 to 9216 bytes are possible (nxos.md section 2)",
    "bgp.neighbors.*.remote": "the number of the peer where it is known: `remote-as external` stands in no grammar of "
    "a neighbor with an address. A peer with another number is then a session that stays down",
    "bgp.neighbors.*.allowas_in.*": "an own ASN is let through 1 to 10 times",
    **dict.fromkeys(
        ("bgp.maximum_paths", "bgp.vrfs.*.maximum_paths"), "1 to 512 paths are possible (nxos.md section 2)"
    ),
    "bgp.unmodelled": "there is one file, so lines of the site's own are rows of `raw`",
    "raw": "each line of the site's own is a row, called as the lines it stands below and itself",
    "qos.dscp_to_tc": "a qos-group is a queue: 7 for the strict class (`c-out-8q-q7`, `priority level 1`) whatever its "
    "number in the intent, and for a lossless class that of its PFC priority (nxos.md section 2)",
    "qos.schedulers": "a queue is set inside a queuing policy, so each policy has its own, called `<policy> q<queue>`; "
    "the shares of a policy are percentages that sum to 100",
    "qos.wred": "a queue is set inside a queuing policy, so each policy has its own; thresholds are whole kbytes of "
    "1,000 bytes, the same for all colours",
    "qos.ports.*.queues": "all queues of a port are in its one queuing policy, and are called after it",
    "qos.ports.*.pfc": "no-drop classes are those of the whole switch (network-qos): a port has all of them or none",
    "qos.ports.*.rewrite": "a classifier of ours marks nothing, so there is none",
    "qos.ports.*.watchdog": "a port is watched where a priority of it is; shutting the queue (`drop`) and syslog alone "
    "(`alert`) are all it can do; the restore time is a multiple of the interval, the same for every port",
    "qos.watchdog_poll_ms": "the interval is the time in which the intent wants a stuck queue found, 100 to 1000 ms",
    "qos.hash_fields": "addresses alone or addresses and ports, of both ends or of the destination",
    "buffers.profiles": "a profile without headroom is none on NX-OS; `pause buffer-size` is 5000 bytes at least, "
    "and all of it: no source shows a pool of headroom that ports share",
    "buffers.ports.*.groups": "only lossless classes have headroom, each a class of its own (`c-in-q3`) in the one "
    "ingress policy of a port; the no-drop classes are those of the whole switch",
}
"""Leaf pattern → how `quantize` changes it, and why."""

UNVERIFIED: Mapping[str, str] = {
    "ports.*.breakout": "names of maps other than `10g-4x` (nxos.md section 4)",
    "ports.*.mtu_bytes": "sizes of a switched port beside 1500 and 9216: `system jumbomtu` is not rendered",
    "ports.*.fec": "the word for off, `fec off`, and which words a 400G port takes (nxos.md section 4)",
    "ports.*.speed_mbps": "`speed` of 200000 and more, by analogy; and on a port of a breakout (nxos.md section 4)",
    "bgp.neighbors.*.remote": "`remote-as external`, where the number of the peer is not known (DME asnType)",
    "interfaces.*.link_local": "BGP over link-local addresses: its lines have one source (nxos.md section 3)",
    "qos.watchdog_poll_ms": "the words of `priority-flow-control watch-dog interval` (nxos.md section 2)",
    "qos.ports.*.watchdog.restore_ms": "the last word of `priority-flow-control fixed-restore multiplier`, its range, "
    "and that it multiplies the interval (nxos.md section 2)",
    "qos.ports.*.watchdog.action": "where `disable-action` stands in its line (nxos.md section 2)",
    "qos.ports.*.queues": "a queuing policy of a port in place of that of the system (nxos.md section 2)",
    "qos.wred.*.ecn": "what the line does without its last word `ecn` (nxos.md section 2)",
    "qos.wred.*.colours.*.kmin_bytes": "that a kbyte is 1,000 bytes, and its range (ecn.md reads 150 as 150,000)",
    "qos.wred.*.colours.*.kmax_bytes": "that a kbyte is 1,000 bytes, and its range (ecn.md reads 3000 as 3,000,000)",
    "qos.schedulers.*.kind": "`priority level` other than 1, for a second strict class (nxos.md section 2)",
    "buffers.ports.*.groups": "a policy of `type queuing input` on a port; the source has it on the system only",
    "buffers.profiles.*.size_bytes": "smallest figures of each chip: one is known, 27,456 (nxos.md section 2)",
}
"""Leaf pattern → what of it no source proves."""

REFUSED = (
    Refused(
        path="bgp.bfd",
        values=(True,),
        message="BFD is not rendered for NX-OS by this version",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without",
    ),
    Refused(
        path="pfc.watchdog.action",
        values=("forward",),
        message="the PFC watchdog of NX-OS shuts a queue or only logs: it does not pass the packets of a storm on",
        hint="action: drop; alert is `disable-action` (nxos.md section 2)",
    ),
    Refused(
        path="load_balancing.mode",
        values=("dlb", "glb", "spray"),
        message="DLB of NX-OS begins with a reload of the switch, so it is not rendered",
        hint="mode: ecmp; `hardware profile dlb` is an operator's step (nxos.md section 5)",
    ),
    Refused(
        path="load_balancing.hash",
        values=("queue-pair",),
        message="where the RDMA queue pair stands in `ip load-sharing ... udf` no source says",
        hint="hash: [five-tuple]; NICs put entropy into the UDP source port (nxos.md section 5)",
    ),
)
"""What an intent may ask for and is never rendered in hope."""


def _all(*names: str) -> dict[str, Held]:
    return dict.fromkeys(names, True)


_SPEAKER = ("asn", "router_id", "multipath_relax", "maximum_paths", "keepalive_s", "hold_s", "networks")
_NEIGHBOR = ("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in")
_QOS_PORT = ("dscp_to_tc", "rewrite", "pfc", "queues")

_CONFIGURED: Mapping[str, Held] = {
    "system": _all("hostname"),
    "vrfs": True,
    "ports": {"*": _all("native", "enabled", "speed_mbps", "breakout", "fec", "mtu_bytes", "description")},
    "interfaces": True,
    "vlans": True,
    "bgp": {
        **_all(*_SPEAKER, "discards", "policies", "unmodelled"),
        "neighbors": {"*": _all(*_NEIGHBOR)},
        "vrfs": {"*": _all(*_SPEAKER)},
    },
    "qos": {
        **_all("dscp_to_tc", "watchdog_poll_ms", "hash_fields"),
        "schedulers": {"*": _all("kind", "weight")},
        "wred": {"*": {"ecn": True, "colours": {"green": True}}},
        "ports": {"*": {**_all(*_QOS_PORT), "watchdog": _all("restore_ms", "action")}},
    },
    "buffers": {
        "profiles": {"*": _all("size_bytes", "xon_bytes", "xoff_bytes")},
        "ports": {"*": _all("groups")},
    },
    "lldp": _all("enabled"),
    "raw": True,
}

HELD: Mapping[Store, Held] = {
    Store.RUNNING: _CONFIGURED,
    Store.SAVED: _CONFIGURED,
    Store.APPLIED: {},
    Store.STATE: {
        "system": _all("serial"),
        "ports": {"*": _all("oper_up", "cable_m")},
        "bgp": {"asn": True, "neighbors": {"*": _all("session", "remote_asn")}},
        "lldp": _all("neighbors"),
    },
}

_NATIVE = "no OpenConfig path of it on NX-OS (2,617 deviations in 10.6(3), nxos.md section 6), and what `show queuing` "
_NATIVE += "has is not read"

BLIND = (
    BlindSpot(what="qos.*", where="nxos, applied", reason=_NATIVE),
    BlindSpot(what="buffers.*", where="nxos, applied", reason=_NATIVE),
    BlindSpot(what="routes", where="nxos, applied", reason="NX-OS fills no AFT, and its hardware tables are not read"),
    BlindSpot(
        what="mtu of network-qos",
        where="nxos, running and saved",
        reason="it is rendered as that of the ports, and no leaf stands for it; a push compares it",
    ),
    BlindSpot(
        what="ports.*.cable_m",
        where="nxos, state",
        reason="a plug that can be separated from its fibre does not know how long that is; those of DAC and AOC do",
    ),
)
"""What is declared as not auditable."""
