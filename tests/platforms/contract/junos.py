"""What the contract of Junos says beside the general one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from netaudit.platforms.junos.chips import CHIPS
from netaudit.state import ABSENT, BgpVrf, Watchdog

NEVER_WRITTEN = (
    # the key of a port follows from its name (`et-0/0/4:1` is `5/2`), so none can have another one
    "ports.*.native",
    # lines that no leaf stands for: they are expected empty, and test_config.py reads them
    "bgp.unmodelled",
    # a shaper is a rate without a name: it is expected absent, and test_config.py reads one
    "qos.ports.*.shaper",
    # the one map of the switch has a fixed name; test_config.py reads a profile that differs from it
    "qos.ports.*.pfc_to_queue",
    # the profile of a queue stands in its scheduler, so both change together; test_quantize.py has them
    "qos.ports.*.queues.*.wred",
    # an address is a configured neighbor where it has a number, and else one of those that may come
    "bgp.neighbors.10.9.0.1.remote",
)

NEVER_ABSENT = (
    # a number is a whole entry of a map: it is there or not, which is a key and no leaf
    "qos.dscp_to_tc",
    "qos.pfc_to_queue",
    # there is no entry of a scheduler map without a scheduler
    "qos.ports.*.queues.*.scheduler",
    # both levels of a drop profile stand in one line, with a probability for each
    "qos.wred.*.colours.green",
    # without its length there is no row
    "buffers.ports.*.cable_length_m",
    # without a number there is no speaker, without a size no partition
    "bgp.asn",
    "bgp.vrfs.*.asn",
    "buffers.pools.*.size_bytes",
    # what Junos takes where no family is said is IPv4
    "bgp.neighbors.*.families",
    # a neighbor without a number is external to Junos, a group without a type, too
    "bgp.neighbors.*.remote",
)

DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": True,
    "ports.*.mtu_bytes": 1500,
    "ports.*.breakout": "1x",
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "interfaces.*.addresses": frozenset(),
    "interfaces.*.link_local": False,
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    **dict.fromkeys(("bgp.multipath_relax", "bgp.vrfs.*.multipath_relax"), False),
    **dict.fromkeys(("bgp.requires_policy", "bgp.vrfs.*.requires_policy"), False),
    **dict.fromkeys(("bgp.hold_s", "bgp.vrfs.*.hold_s"), 90),
    **dict.fromkeys(("bgp.networks", "bgp.vrfs.*.networks", "bgp.discards"), frozenset()),
    "bgp.maximum_paths": 16,
    "bgp.policies.*.permits": frozenset(),
    "bgp.neighbors.*.vrf": "default",
    "qos.schedulers.*.kind": "dwrr",
    "qos.wred.*.ecn": False,
    "qos.ports.*.pfc": frozenset(),
    "qos.ports.*.watchdog.action": "drop",
    "qos.ports.*.watchdog.detect_ms": 400,
    "qos.ports.*.watchdog.restore_ms": 200,
    "qos.watchdog_poll_ms": 100,
    "lldp.enabled": False,
}
"""Leaf → what Junos makes of a setting that is not there."""

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    # all sub-ports of a cage have the speed of the cage
    "ports.*.speed_mbps": ("ports.*.speed_mbps",),
    # a port without PFC is bound to no map, and a priority that no port has PFC on is in none
    "qos.ports.*.pfc": ("qos.ports.*.pfc_to_queue", "qos.pfc_to_queue"),
    # a number of polls is another time where the interval is another one
    "qos.watchdog_poll_ms": ("qos.ports.*.watchdog.detect_ms",),
}

KEYS_THAT_OTHERS_HANG_ON = (
    *("ports", "bgp.vrfs"),
    # an unlisted DSCP is best effort, and one classifier less leaves all 64 out
    *("qos.dscp_to_tc", "qos.dscp_to_tc.ROCE"),
    # one map for the switch, from the forwarding classes without loss
    *("qos.pfc_to_queue", "qos.pfc_to_queue.ROCE"),
    # a drop profile is one curve; the state has it as that of green packets
    *("qos.wred.ROCE-400G.colours", "qos.wred.ROCE-800G.colours"),
    # which schedulers mark, and with what, goes with the profile
    "qos.wred",
    # there are four partitions, and two of them make the headroom's place
    *("buffers.pools", "buffers.profiles"),
)

CLOSED = ("colours", "allowas_in", "pools", "profiles")


def _one_of(*values: object) -> Callable[[object], object]:
    return lambda value: next(v for v in values if v != value)


_HELD = CHIPS["QFX5240"]
"""What stands for the chip of the example, which no Juniper switch has."""

SPEAKER = BgpVrf(
    asn=65001,
    router_id="192.0.2.1",
    multipath_relax=True,
    hold_s=9,
    requires_policy=True,
    networks=frozenset(),
)

NUDGES: Mapping[str, Callable[[object], object]] = {
    "ports.*.speed_mbps": _one_of(100_000, 200_000),
    "ports.*.breakout": _one_of("4x", "2x"),
    "ports.*.mtu_bytes": _one_of(9_000, 4_200),
    "ports.*.fec": _one_of("rs", "fc"),
    "bgp.maximum_paths": _one_of(96, 128),
    "bgp.vrfs.*.asn": _one_of(65_001, 65_002),
    "bgp.vrfs.*.router_id": _one_of("192.0.2.1", "192.0.2.2"),
    "bgp.vrfs.*.hold_s": _one_of(30, 60),
    **dict.fromkeys(("bgp.vrfs.*.multipath_relax", "bgp.vrfs.*.requires_policy"), _one_of(True, False)),
    "bgp.vrfs.*.networks": _one_of(frozenset({"192.0.2.0/24", "2001:db8::/32"})),
    "bgp.vrfs": lambda value: {"storage": SPEAKER} if isinstance(value, Mapping) else None,
    "bgp.neighbors.*.families": _one_of(frozenset({"ipv4"}), frozenset({"ipv6"})),
    "bgp.neighbors.*.remote": _one_of("65001", "65002"),
    # whole hundredths of a percent of half the chip
    "qos.wred.*.colours.green.kmin_bytes": _one_of(_HELD.fill_bytes(50), _HELD.fill_bytes(51)),
    "qos.wred.*.colours.green.kmax_bytes": _one_of(_HELD.fill_bytes(9_000), _HELD.fill_bytes(9_001)),
    "qos.pfc_to_queue.*.*": _one_of(5, 6),
    "qos.ports.*.pfc": _one_of(frozenset({3}), frozenset({3, 4})),
    "qos.ports.*.watchdog.detect_ms": _one_of(400, 600),
    "qos.ports.*.watchdog.restore_ms": _one_of(400, 600),
    "qos.ports.*.watchdog.action": _one_of("drop", "forward"),
    "qos.ports.*.watchdog": lambda _: Watchdog(detect_ms=200, restore_ms=400, action="drop"),
    "qos.watchdog_poll_ms": _one_of(100, 200),
    "qos.hash_fields": lambda value: (
        frozenset({"source-ip", "destination-ip", "protocol"})
        if value != frozenset({"source-ip", "destination-ip", "protocol"})
        else ABSENT
    ),
    "buffers.pools.*.size_bytes": _one_of(_HELD.partition_bytes(50), _HELD.partition_bytes(51)),
    "buffers.pools.*.shared_headroom_bytes": _one_of(_HELD.partition_bytes(30), _HELD.partition_bytes(31)),
    "buffers.profiles.*.alpha": _one_of(Fraction(1, 2), Fraction(1, 4)),
}
