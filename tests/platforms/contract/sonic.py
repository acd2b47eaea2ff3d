"""What the contract of SONiC says beside the general one."""

from __future__ import annotations

from collections.abc import Mapping

from platforms import answers_sonic

FOLLOWS: Mapping[str, tuple[str, ...]] = dict.fromkeys(
    (
        "buffers.model",
        "buffers.ports.*.cable_length_m",
        "ports.*.speed_mbps",
        "ports.*.lanes",
        "ports.*.mtu_bytes",
    ),
    ("buffers.ports.*.groups",),
)
"""What names the profile that a switch computes: its configuration cannot have one of these and another name. Only
where it computes."""

WRITER = answers_sonic

NEVER_WRITTEN = (
    # what others put beside our files; it is expected empty, and test_read.py reads it. Lines of `raw` are expected
    # in `bgp.unmodelled` and written as text, which no leaf can say: test_raw.py holds the contract of them
    "system.routing_rows",
    "bgp.unmodelled",
)

DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": False,
    "ports.*.autoneg": False,
    "ports.*.pfc_asymmetric": False,
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "bgp.neighbors.*.vrf": "default",
    "interfaces.*.link_local": False,
    "interfaces.*.addresses": frozenset(),
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    "qos.ports.*.pfc": frozenset(),
    "qos.ports.*.watched": frozenset(),
    "qos.wred.*.ecn": False,
    "buffers.model": "traditional",
    "bgp.multipath_relax": False,
    "bgp.requires_policy": False,
    "bgp.keepalive_s": 3,
    "bgp.hold_s": 9,
    "bgp.networks": frozenset(),
    "bgp.discards": frozenset(),
    "bgp.unmodelled": frozenset(),
    "bgp.vrfs.*.multipath_relax": False,
    "bgp.vrfs.*.requires_policy": False,
    "bgp.vrfs.*.keepalive_s": 3,
    "bgp.vrfs.*.hold_s": 9,
    "bgp.vrfs.*.networks": frozenset(),
    "system.own_routing_files": False,
    "lldp.enabled": True,
}
"""Leaf → what SONiC and FRR make of a setting that is not there."""

NEVER_ABSENT = (
    # the row's own name, without which there is no row
    "ports.*.native",
    # a number is a whole entry of a map: it is there or not, which is a key and no leaf
    "qos.dscp_to_tc",
    "qos.tc_to_queue",
    "qos.tc_to_pg",
    "qos.pfc_to_queue",
    "qos.pfc_to_pg",
    "buffers.ports.*.groups",
    "buffers.ports.*.queues",
    # FRR has no speaker without a number, no policies of a neighbor without an address family, and no route-map
    # without a prefix-list to match: more than the leaf goes with it
    "bgp.asn",
    "bgp.vrfs.*.asn",
    "bgp.neighbors.*.families",
    "bgp.policies.*.permits",
)

KEYS_THAT_OTHERS_HANG_ON = (
    # a row of PORT gives a port its native name, under which every other table has it
    "ports",
    # without its speaker there is no session in a VRF
    "bgp.vrfs",
)

CLOSED = ("colours", "allowas_in")
"""Tables with no other keys than those there are."""
