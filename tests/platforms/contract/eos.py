"""What the contract of EOS says beside the general one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from netaudit.state import ABSENT, Watchdog

NEVER_WRITTEN = (
    # the name follows from the key of the row, which is read from it
    "ports.*.native",
    # a line that is not modelled is text, which no leaf can say: test_raw.py of this platform holds the contract of it
    "bgp.unmodelled",
    # the text of the example has no lines of the site's own
    "raw",
)

NEVER_ABSENT = (
    # a speed is said with its lanes in one word
    "ports.*.lanes",
    # an entry of a map is there or not, which is a key and no leaf
    "qos.dscp_to_tc",
    "qos.tc_to_queue",
    # what serves a queue is called after the profile, as soon as the profile has the queue
    "qos.ports.*.queues.*.scheduler",
    # all times of the watchdog stand in one line, and so do both thresholds of a curve
    "qos.ports.*.watchdog.detect_ms",
    "qos.ports.*.watchdog.restore_ms",
    "qos.wred.*.colours.*.kmin_bytes",
    "qos.wred.*.colours.*.kmax_bytes",
    # a row of a queue is its threshold
    "buffers.profiles.*.alpha",
    # no speaker without a number, no policies of a neighbor without an address family, and no route-map without a list
    "bgp.asn",
    "bgp.vrfs.*.asn",
    "bgp.neighbors.*.families",
    "bgp.policies.*.permits",
)

DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": True,
    "ports.*.autoneg": False,
    "ports.*.fec": "auto",
    "ports.*.mtu_bytes": 1500,
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "interfaces.*.link_local": False,
    "interfaces.*.addresses": frozenset(),
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    "bgp.neighbors.*.vrf": "default",
    "bgp.multipath_relax": True,
    "bgp.requires_policy": False,
    "bgp.networks": frozenset(),
    "bgp.discards": frozenset(),
    "bgp.vrfs.*.multipath_relax": True,
    "bgp.vrfs.*.requires_policy": False,
    "bgp.vrfs.*.networks": frozenset(),
    **dict.fromkeys(("bgp.keepalive_s", "bgp.vrfs.*.keepalive_s"), 60),
    **dict.fromkeys(("bgp.hold_s", "bgp.vrfs.*.hold_s"), 180),
    "qos.ports.*.pfc": frozenset(),
    "qos.ports.*.watchdog.action": "errdisable",
    "qos.schedulers.*.kind": "strict",
    "qos.wred.*.ecn": False,
    "qos.wred.*.colours.*.pmax_percent": 100,
    "lldp.enabled": True,
}
"""Leaf → what EOS makes of a setting that is not there."""

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    # `400g-4` says both, and what negotiates
    "ports.*.speed_mbps": ("ports.*.lanes", "ports.*.autoneg"),
    # keepalive and hold stand in one line
    **dict.fromkeys(("bgp.keepalive_s", "bgp.hold_s"), ("bgp.keepalive_s", "bgp.hold_s")),
    **dict.fromkeys(("bgp.vrfs.*.keepalive_s", "bgp.vrfs.*.hold_s"), ("bgp.vrfs.*.keepalive_s", "bgp.vrfs.*.hold_s")),
    # loops are counted in the families that are in use
    "bgp.neighbors.*.families": ("bgp.neighbors.*.allowas_in",),
    # one profile serves all queues of a port: another one in one of them is another profile
    **dict.fromkeys(
        ("qos.ports.*.queues.*.scheduler", "qos.ports.*.queues.*.wred"),
        ("qos.ports.*.queues", "qos.schedulers", "qos.wred"),
    ),
}

CLOSED = (
    # one map, one pool, one curve
    *("dscp_to_tc", "tc_to_queue", "pools", "colours", "allowas_in"),
    # rows have names that say where they stand
    *("schedulers", "wred", "profiles", "queues", "ports"),
)
"""Tables with no other keys than those there are."""

KEYS_THAT_OTHERS_HANG_ON = (
    # a port that goes takes the name away under which others have it
    "ports",
    # without its speaker there is no session in a VRF
    "bgp.vrfs",
    # entries that no line says are EOS's own ones
    "qos.dscp_to_tc",
    "qos.tc_to_queue",
    # a port has the queues of its profile, and what marks in them
    "qos.schedulers",
    "qos.wred",
    "qos.ports.*.queues",
    "buffers.pools",
)


def _of(*words: object) -> Callable[[object], object]:
    return lambda value: next(word for word in words if word != value)


def _other_rows(value: object) -> object:
    """What serves another queue of the same profile."""
    assert isinstance(value, str)
    base, _, number = value.rpartition("/")
    return f"{base}/{'3' if number != '3' else '0'}"


NUDGES: Mapping[str, Callable[[object], object]] = {
    "ports.*.speed_mbps": _of(400_000, 200_000),
    "ports.*.lanes": lambda value: (0, 1) if value == (0, 1, 2, 3) else (0, 1, 2, 3),
    "ports.*.mtu_bytes": _of(9000, 9100),
    "bgp.neighbors.*.remote": _of("65099", "65098"),
    "qos.ports.*.dscp_to_tc": _of("switch", ABSENT),
    "qos.ports.*.pfc": _of(frozenset({3}), frozenset({5})),
    "qos.ports.*.queues.*.scheduler": _other_rows,
    "qos.ports.*.queues.*.wred": lambda value: ABSENT if value is not ABSENT else "NETAUDIT-800G/3",
    "qos.ports.*.watchdog.detect_ms": lambda value: value + 100 if isinstance(value, int) else 200,
    "qos.ports.*.watchdog.restore_ms": lambda value: value + 100 if isinstance(value, int) else 400,
    "qos.ports.*.watchdog.action": _of("drop", "alert"),
    "qos.ports.*.watchdog": lambda _: Watchdog(detect_ms=200, restore_ms=400, action="drop"),
    "qos.watchdog_poll_ms": _of(50, 40),
    "qos.schedulers.*.cap_bytes_per_s": lambda value: value + 125 if isinstance(value, int) else 1_000_000,
    "buffers.profiles.*.alpha": lambda value: value / 2 if isinstance(value, Fraction) else Fraction(1, 8),
    "buffers.profiles.*.size_bytes": lambda value: value + 1 if isinstance(value, int) else 2048,
}
