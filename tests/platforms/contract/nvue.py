"""What the contract of NVUE says beside the general one."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.state import Watchdog
from platforms.contract import Nudge

_PORTS = ("1/1", "1/2", "2/1", "2/2", *map(str, range(1, 65)))
"""Ports of the example devices."""
_TOTAL = 158_229_504
"""Bytes of Spectrum-4, of which pools are percents."""

NEVER_WRITTEN = (
    # the name of a port is its position: another name is another port
    "ports.*.native",
    # lines of `raw` are written as text, which no leaf can say: test_raw.py holds the contract of them
    "bgp.unmodelled",
    # restoring takes one polling interval, which is a leaf of its own
    "qos.ports.*.watchdog.restore_ms",
    # a queue trims or does not: what binds it has one name
    "buffers.ports.*.queues.*",
)

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    # a port takes one profile for all of its queues, so that they change their names together
    "qos.ports.*.queues.0.scheduler": (
        "qos.ports.*.queues.3.scheduler",
        "qos.ports.*.queues.6.scheduler",
        "qos.schedulers",
    ),
    "qos.ports.*.queues.0.wred": ("qos.ports.*.queues.3.wred", "qos.wred"),
    # detection is robustness times the polling interval, of all ports; restoring takes one interval
    "qos.watchdog_poll_ms": ("qos.ports.*.watchdog",),
    **{
        f"qos.ports.{port}.{leaf}": tuple(f"qos.ports.{other}.watchdog.detect_ms" for other in _PORTS if other != port)
        for port in _PORTS
        for leaf in ("watchdog.detect_ms", "watchdog")
    },
    # pools are percents of the memory of the model
    "system.hwsku": ("buffers.pools",),
    # a trimmed packet goes on with the priority that is mapped to its queue
    "qos.tc_to_queue": ("qos.trimming.queue",),
}

NUDGES: Mapping[str, Nudge] = {
    "system.hwsku": lambda value: "SN4700" if value != "SN4700" else "SN5600",
    "ports.*.speed_mbps": lambda value: 200_000 if value != 200_000 else 100_000,
    "ports.*.mtu_bytes": lambda value: 9000 if value != 9000 else 9100,
    "ports.*.breakout": lambda value: "4x" if value != "4x" else "2x",
    "qos.schedulers.*.cap_bytes_per_s": lambda value: value + 125 if isinstance(value, int) else 1_000_000,
    "qos.hash_fields": lambda value: frozenset({"source-ip"}),
    "qos.trimming.size_bytes": lambda value: 512,
    "qos.ports.*.watchdog.detect_ms": lambda value: value + 1 if isinstance(value, int) else 200,
    "qos.ports.*.watchdog": lambda _: Watchdog(detect_ms=200, restore_ms=200),
    "buffers.pools.*.size_bytes": lambda _: _TOTAL * 41 // 100,
    # what a speaker is in stays
    "vrfs": lambda value: frozenset({*value, "other"}) if isinstance(value, frozenset) else value,
}

DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": True,
    "ports.*.breakout": "1x",
    "ports.*.autoneg": False,
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "bgp.neighbors.*.vrf": "default",
    "interfaces.*.link_local": False,
    "interfaces.*.addresses": frozenset(),
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    "qos.ports.*.dscp_to_tc": "default-global",
    "qos.watchdog_poll_ms": 100,
    "qos.trimming.size_bytes": 256,
    "qos.wred.*.ecn": False,
    "bgp.multipath_relax": False,
    "bgp.keepalive_s": 3,
    "bgp.hold_s": 9,
    "bgp.networks": frozenset(),
    "bgp.discards": frozenset(),
    "bgp.unmodelled": frozenset(),
    "bgp.vrfs.*.multipath_relax": False,
    "bgp.vrfs.*.keepalive_s": 3,
    "bgp.vrfs.*.hold_s": 9,
    "bgp.vrfs.*.networks": frozenset(),
    "lldp.enabled": True,
}
"""Leaf → what Cumulus makes of a setting that is not there."""

NEVER_ABSENT = (
    # a VRF is there as soon as something is in it
    "vrfs",
    # what RoCE sets by itself where the file says nothing
    "qos.dscp_to_tc",
    "qos.tc_to_queue",
    "qos.ports.*.pfc",
    # a queue is in the profile of its port, or in none: its name goes with it
    "qos.ports.*.queues",
    # without its number there is no speaker, without a family no policy of a neighbor, without a list no permit
    "bgp.asn",
    "bgp.vrfs.*.asn",
    "bgp.neighbors.*.families",
    "bgp.policies.*.permits",
    # a port that BGP peers over has its link-local address without a word
    "interfaces.*.link_local",
    # the one leaf of its row
    "buffers.profiles.*.alpha",
    "buffers.ports.*.cable_length_m",
    "buffers.ports.*.queues",
    # detection and restoring are numbers of the switch, and a port has them or not
    "qos.ports.*.watchdog",
)

KEYS_THAT_OTHERS_HANG_ON = (
    # the name of a port is its key, under which everything else has it
    "ports",
    # without its speaker there is no session in a VRF
    "bgp.vrfs",
    # what is left out of a map has the value that RoCE gives it
    "qos.dscp_to_tc",
    "qos.dscp_to_tc.default-global",
    "qos.tc_to_queue",
    "qos.tc_to_queue.default-global",
    # queues of a port are those of its profile, which other ports take as well
    *(f"qos.ports.{port}.queues" for port in _PORTS),
    *(f"buffers.ports.{port}.queues" for port in _PORTS),
)

CLOSED = (
    *("colours", "allowas_in"),
    # a row is there for the queue of a port that has it, a port for its name, a VLAN for its number
    *("schedulers", "wred", "ports", "interfaces", "vlans"),
    # pools, and the buffer that has an alpha, are given
    *("pools", "profiles", "queues"),
)
