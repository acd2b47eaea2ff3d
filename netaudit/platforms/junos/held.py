"""What Junos has a setting for, what follows from another one, and which store can hold which leaf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.state import BlindSpot, Store
from netaudit.state.expectation import Held

UNSUPPORTED: Final[Mapping[str, str]] = {
    "qos.trimming": "no statement of Junos cuts packets that find no room (junos.md has none)",
}

IMPLIED: Final[Mapping[str, str]] = {
    "system.hwsku": "SONiC's word: Junos has one hardware profile a box",
    "system.hardware": "SONiC's word: Junos reads the box by itself",
    "system.mac": "no setting: the box has the address that it was made with",
    "system.tier": "no seed is set: Junos hashes the incoming port, too (load-balancing.md section 3)",
    "system.asn": "repeats bgp.asn, which is the only place on Junos",
    "system.own_routing_files": "SONiC's word: Junos has one configuration",
    "system.routing_rows": "SONiC's word: Junos has one configuration",
    "ports.*.alias": "no second name: LLDP sends the interface's name",
    "ports.*.lanes": "they follow from the cage and from number-of-sub-ports",
    "ports.*.autoneg": "optics have none, and the reference has no statement for it",
    "ports.*.pfc_asymmetric": "input and output of a congestion notification profile have the same priorities",
    "bgp.keepalive_s": "a third of the hold time",
    "bgp.vrfs.*.keepalive_s": "a third of the hold time",
    "bgp.vrfs.*.maximum_paths": "one width for the whole switch: bgp.maximum_paths",
    "qos.tc_to_queue": "a forwarding class is its queue: a DSCP leads there in one step",
    "qos.tc_to_pg": "the group follows from the forwarding class",
    "qos.pfc_to_pg": "the group follows from the forwarding class",
    "qos.switch_dscp_to_tc": "each port has its classifier by name",
    "qos.ports.*.tc_to_queue": "one table of forwarding classes for the whole switch",
    "qos.ports.*.tc_to_pg": "the group follows from the forwarding class",
    "qos.ports.*.pfc_to_pg": "the group follows from the forwarding class",
    "qos.ports.*.watched": "a watchdog watches all priorities of the profile that it stands in",
    "qos.wred.*.colours.yellow": "our classifier makes every packet green (loss-priority low): green stands for any",
    "qos.wred.*.colours.red": "our classifier makes every packet green (loss-priority low): green stands for any",
    "buffers.model": "Junos always computes headroom: from cable-length",
    "buffers.computing": "it computes for the cable length and the MTU, and has no other word for it",
    "buffers.pools.*.direction": "the name of the partition says it",
    "buffers.pools.*.dynamic": "every partition is shared by thresholds of what is free",
    "buffers.ports.*.groups": "they follow from the congestion notification profile",
    "buffers.ports.*.queues": "they follow from the forwarding classes",
    "buffers.ports.*.ingress": "no limit for a port as a whole",
    "buffers.ports.*.egress": "no limit for a port as a whole",
}

ROUNDED: Final[Mapping[str, str]] = {
    "ports.*.mtu_bytes": "the MTU of a Junos port counts the 14 bytes of the Ethernet header, and 9216 is the most",
    "ports.*.speed_mbps": "all sub-ports of a cage have one speed, that of the first",
    "ports.*.fec": "set up to 100G only: what 400G and 800G use is no word of `fec` (junos.md section 1)",
    "ports.*.breakout": "number-of-sub-ports says how many, and no more",
    "bgp.maximum_paths": "maximum-ecmp is 16 or a multiple of 32 up to 512, for the whole switch",
    "bgp.requires_policy": "from Junos 20.3R1 on; before, every session of ours has policies all the same",
    "bgp.vrfs.*.requires_policy": "from Junos 20.3R1 on; before, every session of ours has policies all the same",
    "bgp.multipath_relax": "without multipath where one path is asked for",
    "bgp.vrfs.*.multipath_relax": "without multipath where one path is asked for",
    "bgp.neighbors.*.remote": "a configured neighbor has a number (peer-as), no «any other»: that of the model",
    "bgp.neighbors.*.allowas_in": "`loops` is 10 at most, which lets a path with the own ASN in 9 times",
    "qos.dscp_to_tc": "a DSCP leads straight to a queue: the traffic class has the queue's number",
    "qos.pfc_to_queue": "one map for the switch, of the priorities with PFC: any other that is listed could be paused",
    "qos.schedulers": "a scheduler of Junos holds its drop profile: one for each pair of both, named after both",
    "qos.ports.*.queues.*.scheduler": "a scheduler of Junos holds its drop profile: one for each pair of both",
    "qos.wred.*.ecn": "ECN is said by the schedulers that use the profile, so not of one that none uses",
    "qos.wred.*.colours": "fill-level is a percentage of what a queue may have; two decimals are written, "
    "and 100 % is taken as the shared buffer of one half of the chip (junos.md section 2)",
    "qos.watchdog_poll_ms": "it stands in the profiles with a watchdog, so nowhere where none has one",
    "qos.hash_fields": "addresses and protocol are one word (layer-3), the ports another (layer-4); "
    "the incoming port is always in the hash",
    "qos.ports.*.pfc_to_queue": "the one map of the switch has no name on Junos, and always the same in the state",
    "qos.ports.*.shaper": "a rate without a name: a scheduler of the state that is to shape a port cannot be named",
    "qos.ports.*.watchdog": "none where no priority is watched, and none before Junos Evolved 23.4R2",
    "qos.ports.*.watchdog.detect_ms": "a number of polls: whole poll intervals, rounded up",
    "qos.ports.*.watchdog.restore_ms": "65535 ms at most",
    "qos.ports.*.watchdog.action": "drop or forward: a watchdog that only alerts is none of Junos, drop is its default",
    "buffers.pools": "partitions in whole percents of the shared buffer, which add up to 100: Juniper's 10 % lossy, "
    "24 % headroom or what all headroom needs, and the rest lossless (junos.md section 2)",
    "buffers.profiles": "one threshold for the lossless partition (dynamic-threshold, 1/128 to 8 in powers of two); "
    "headroom is computed by the switch",
}

UNVERIFIED: Final[Mapping[str, str]] = {
    "vrfs": "routing instances of type virtual-router are in Juniper's YANG, and in no configuration of the reference",
    "vlans": "vlans and their l3-interface are in Juniper's YANG, and in no configuration of the reference",
    "vlans.*.members": "ethernet-switching on a port stands in no configuration of the reference",
    "vlans.*.tagged": "trunks and native-vlan-id stand in no configuration of the reference",
    "interfaces.*.vrf": "the interfaces of a routing instance stand in no configuration of the reference",
    "bgp.hold_s": "hold-time for all sessions is in Juniper's YANG, and in no configuration of the reference",
    "bgp.requires_policy": "defaults ebgp no-policy is in Juniper's YANG, and in no configuration of the reference",
    "bgp.multipath_relax": "the reference has multipath in each group; for all at once it is in Juniper's YANG",
    "bgp.maximum_paths": "every multiple of 32 up to 512 is in Juniper's YANG; whether each QFX does more than 128",
    "bgp.networks": "a policy that names the protocol static stands in no configuration of the reference",
    "bgp.discards": "static routes to discard, and the table inet6.0, stand in no configuration of the reference",
    "bgp.neighbors.*.allowas_in": "that `loops 2` lets the own ASN in once, as Juniper's pages say",
    "bgp.neighbors.*.remote": "neighbors of unknown number, taken by `dynamic-neighbor … allow` and a list of all ASNs",
    "qos.ports.*.rewrite": "rewrite-rules of an interface stand in no configuration of the reference",
    "qos.schedulers.*.cap_bytes_per_s": "shaping-rate of a strict queue is proven for QFX5130 and QFX5220 alone (J8)",
    "qos.wred.*.colours.green": "what of its buffer a queue may have at most, which 100 % stands for",
    "qos.ports.*.watchdog": "pfc-watchdog is listed for QFX5230 and QFX5240 (J4)",
    "qos.hash_fields": "what IPv6 packets are hashed by: hash-key is proven for inet alone, and written for it alone",
    "ports.*.mtu_bytes": "9216 is the largest MTU of every published configuration; a limit is not stated",
    "ports.*.fec": "fec91 is proven; fec74 and fec108 are words of the YANG, whose speeds it does not say",
    "ports.*.oper_up": "OpenConfig's path on Junos, and the JSON of `show interfaces terse`, stand in no capture",
    "system.serial": "the JSON of `show chassis hardware` stands in no capture",
}

_PORT: Final = ("native", "enabled", "speed_mbps", "breakout", "fec", "mtu_bytes", "description")
_BGP: Final = ("asn", "router_id", "multipath_relax", "maximum_paths", "hold_s", "requires_policy")
_POLICY: Final = ("networks", "discards", "policies", "unmodelled")
_NEIGHBOR: Final = ("vrf", "remote", "import_policy", "export_policy", "families", "allowas_in")
_PORT_QOS: Final = ("dscp_to_tc", "pfc_to_queue", "rewrite", "shaper", "pfc", "queues", "watchdog")


def _all(*names: str) -> dict[str, Held]:
    return dict.fromkeys(names, True)


_CONFIGURED: Final[Mapping[str, Held]] = {
    "system": _all("hostname"),
    "ports": {"*": _all(*_PORT)},
    "vrfs": True,
    "interfaces": True,
    "vlans": True,
    "bgp": {
        **_all(*_BGP, *_POLICY),
        "neighbors": {"*": _all(*_NEIGHBOR)},
        "vrfs": {
            "*": _all("asn", "router_id", "multipath_relax", "hold_s", "requires_policy", "networks"),
        },
    },
    "qos": {
        **_all("dscp_to_tc", "pfc_to_queue", "schedulers", "wred", "watchdog_poll_ms", "hash_fields"),
        "ports": {"*": _all(*_PORT_QOS)},
    },
    "buffers": {
        "pools": {"*": _all("size_bytes", "shared_headroom_bytes")},
        "profiles": {"*": _all("alpha")},
        "ports": {"*": _all("cable_length_m")},
    },
    "lldp": _all("enabled"),
}

HELD: Final[Mapping[Store, Held]] = {
    Store.RUNNING: _CONFIGURED,
    Store.SAVED: _CONFIGURED,
    Store.APPLIED: False,
    Store.STATE: {
        "system": _all("serial"),
        "ports": {"*": _all("oper_up")},
        "bgp": {"asn": True, "neighbors": {"*": _all("session", "remote_asn")}},
        "lldp": _all("neighbors"),
    },
}

BLIND: Final = (
    BlindSpot(
        what="qos.*",
        where="junos, applied",
        reason="what the chip holds of classifiers, schedulers and thresholds is in no answer that is proven",
    ),
    BlindSpot(
        what="buffers.*",
        where="junos, applied",
        reason="headroom in bytes, as the switch computes it from cable-length, is in no answer that is proven",
    ),
    BlindSpot(
        what="ports.*.cable_m",
        where="junos, state",
        reason="the length that a plug tells is in no answer that the reference proves",
    ),
)
BLIND_COMPUTING: Final[tuple[BlindSpot, ...]] = ()
