"""What the contract of NX-OS says beside the general one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from netaudit.state import Watchdog

NEVER_WRITTEN = (
    # the key of a port follows from its name (`Ethernet1/5/2` is `5/2`), so none can have another one
    "ports.*.native",
    # lines that no leaf stands for: they are expected empty, and test_config.py reads them
    "bgp.unmodelled",
    # it is set by a classifier that marks, which is none of ours; test_config.py reads one
    "qos.ports.*.rewrite",
    # all queues of a port are in one policy, after which they are called: one cannot change alone. test_queues.py
    # takes a port from one policy to another
    "qos.ports.*.queues",
    # a strict queue has no share, and one with a share is not strict: both change together
    "qos.schedulers.*.kind",
    # shares of a policy sum to 100, so one never changes alone; test_queues.py changes them
    "qos.schedulers.*.weight",
    # a port has one ingress policy, with a class for each no-drop class of the switch; test_queues.py binds another
    "buffers.ports.*.groups",
    # the time is the same for every port, in multiples of the interval
    "qos.ports.*.watchdog.restore_ms",
)

NEVER_ABSENT = (
    *("qos.dscp_to_tc", "qos.schedulers", "qos.wred", "qos.ports.*.queues"),
    # a row with less is not one: `pause` is one line, and so is the marking of a queue
    *("buffers.profiles", "buffers.ports.*.groups"),
    # without a speaker or a family there is more missing than the leaf
    *("bgp.asn", "bgp.neighbors.*.families", "bgp.policies.*.permits"),
    # a VRF's speaker has the number of the switch unless it has one of its own
    "bgp.vrfs.*.asn",
    # what is left of a port's line is one of the general defaults, and of the map the speed
    "ports.*.breakout",
)

DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": False,
    "ports.*.mtu_bytes": 1500,
    # that of the breakout of the cage
    "ports.*.speed_mbps": 400_000,
    "ports.*.fec": "auto",
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "interfaces.*.addresses": frozenset(),
    "interfaces.*.link_local": False,
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    "bgp.multipath_relax": False,
    "bgp.vrfs.*.multipath_relax": False,
    **dict.fromkeys(("bgp.keepalive_s", "bgp.vrfs.*.keepalive_s"), 60),
    **dict.fromkeys(("bgp.hold_s", "bgp.vrfs.*.hold_s"), 180),
    **dict.fromkeys(("bgp.networks", "bgp.vrfs.*.networks", "bgp.discards"), frozenset()),
    "bgp.neighbors.*.vrf": "default",
    "qos.ports.*.pfc": frozenset(),
    "qos.ports.*.watchdog.action": "drop",
    "qos.watchdog_poll_ms": 100,
    "qos.hash_fields": frozenset({"source-ip", "destination-ip", "protocol", "source-port", "destination-port"}),
    "lldp.enabled": False,
}
"""Leaf → what NX-OS makes of a setting that is not there."""

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    # a queue is open again after a multiple of the interval
    "qos.watchdog_poll_ms": ("qos.ports.*.watchdog.restore_ms",),
    # the ports of a cage are as fast as the map of the cage says
    "ports.*.breakout": ("ports.*.speed_mbps",),
}

KEYS_THAT_OTHERS_HANG_ON = (
    *("ports", "bgp.vrfs"),
    # these have no names on NX-OS: they stand inside the policies that ports have
    *("qos.schedulers", "qos.wred"),
    # a policy says for which classes it is
    "buffers.profiles",
    # a classifier has all DSCPs: what no class of it matches is in the rest
    "qos.dscp_to_tc",
    # all queues of a port are in one policy, and all its headroom; one marking is for all colours
    *("qos.ports.*.queues", "qos.wred.*.colours", "buffers.ports"),
)

CLOSED = (
    # families, colours
    *("colours", "allowas_in"),
    # numbers of VLANs, queues and priorities; names that only a port, a loopback or a VLAN has
    *("vlans", "queues", "groups", "interfaces"),
    # what a port says of queues stands in its block, so it is a port
    "ports",
)


def _one_of(*values: object) -> Callable[[object], object]:
    return lambda value: next(v for v in values if v != value)


NUDGES: Mapping[str, Callable[[object], object]] = {
    "ports.*.speed_mbps": _one_of(100_000, 200_000),
    "ports.*.breakout": _one_of("400g-2x", "200g-4x"),
    "ports.*.mtu_bytes": _one_of(9216, 4200),
    # `rs` of a fast port is what the module does anyway
    "ports.*.fec": _one_of("none", "auto"),
    "interfaces.*.vrf": _one_of("default", "Vrf-other"),
    "bgp.neighbors.*.families": _one_of(frozenset({"ipv4"}), frozenset({"ipv4", "ipv6"})),
    # less of it than the buffer has room for
    "buffers.profiles.*.xoff_bytes": lambda value: value - 1 if isinstance(value, int) else 0,
    "buffers.profiles.*.xon_bytes": lambda value: value - 1 if isinstance(value, int) else 0,
    "bgp.neighbors.*.remote": _one_of("internal", "65001"),
    "qos.dscp_to_tc.*.*": _one_of(5, 6),
    "qos.wred.*.colours.green.kmin_bytes": lambda value: value + 1000 if isinstance(value, int) else 1000,
    "qos.wred.*.colours.green.kmax_bytes": lambda value: value + 1000 if isinstance(value, int) else 1000,
    # a port has all no-drop classes of the switch, or none
    "qos.ports.*.pfc": _one_of(frozenset()),
    "qos.ports.*.watchdog.action": _one_of("drop", "alert"),
    "qos.ports.*.watchdog": lambda _: Watchdog(restore_ms=400, action="drop"),
    "qos.watchdog_poll_ms": _one_of(200, 250),
    "qos.hash_fields": _one_of(frozenset({"source-ip", "destination-ip"})),
}
