"""For every leaf another value that is valid too: what the contract tests change a device by.

`other(path, value)` goes by type; a leaf whose type has no general answer is listed by its pattern, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from netaudit.state import ABSENT, BgpVrf, Device, PolicyRule, Trimming, Vlan, Watchdog
from netaudit.state.walk import Path, leaves, matches

Nudge: TypeAlias = Callable[[object], object]


def _word(*words: str) -> Nudge:
    """The first of some words that the leaf does not have."""
    return lambda value: next(word for word in words if word != value)


def _number(value: object) -> object:
    assert isinstance(value, int)
    return value + 1


VRF = BgpVrf(
    asn=65001,
    router_id="192.0.2.1",
    multipath_relax=True,
    maximum_paths=ABSENT,
    keepalive_s=3,
    hold_s=9,
    requires_policy=True,
    networks=frozenset(),
)
"""A speaker without neighbors, and so without address families."""

BY_PATTERN: Mapping[str, Nudge] = {
    # words of a closed list: what the NOS has a spelling for
    "qos.schedulers.*.kind": _word("dwrr", "strict"),
    "qos.ports.*.watchdog.action": _word("drop", "forward"),
    "qos.ports.*.watchdog.detect_ms": _number,
    "qos.ports.*.watchdog.restore_ms": _number,
    "qos.ports.*.watchdog": lambda _: Watchdog(detect_ms=200, restore_ms=400, action="drop"),
    "buffers.pools.*.direction": _word("ingress", "egress"),
    **dict.fromkeys(("qos.trimming.size_bytes", "qos.trimming.dscp", "qos.trimming.queue"), _number),
    "qos.trimming": lambda _: Trimming(size_bytes=128, dscp=11, queue=7),
    "qos.hash_fields": lambda value: frozenset({"source-ip"}) if value != frozenset({"source-ip"}) else frozenset(),
    "buffers.profiles.*.discard": lambda value: "trim" if value != "trim" else ABSENT,
    "buffers.model": _word("traditional", "dynamic"),
    "ports.*.fec": _word("rs", "none"),
    "bgp.neighbors.*.remote": _word("external", "internal"),
    "bgp.neighbors.*.families": lambda value: frozenset({"ipv4"}) if value != frozenset({"ipv4"}) else frozenset(),
    "bgp.neighbors.*.allowas_in.*": _number,
    "bgp.neighbors.*.allowas_in": lambda value: {"ipv4": 2} if value != {"ipv4": 2} else {},
    # texts with a form of their own
    "ports.*.native": lambda _: "Ethernet2000",
    "ports.*.breakout": _word("2x400G[200G]", "1x800G[400G]"),
    "system.mac": _word("02:00:00:ff:ff:ff", "02:00:00:ff:ff:fe"),
    # a spare port, for one with an interface may be in no VLAN
    **dict.fromkeys(
        ("vlans.*.members", "vlans.*.tagged"),
        lambda value: frozenset({"65"}) if value != frozenset({"65"}) else frozenset(),
    ),
    "vlans": lambda _: {"42": Vlan(members=frozenset(), tagged=frozenset())},
    "interfaces.*.addresses": lambda _: frozenset({"192.0.2.1/31", "2001:db8::1/64"}),
    "vrfs": lambda _: frozenset({"Vrf-other"}),
    "bgp.neighbors.*.vrf": _word("default", "storage"),
    **dict.fromkeys(("bgp.router_id", "bgp.vrfs.*.router_id"), _word("192.0.2.1", "192.0.2.2")),
    "bgp.vrfs.*.networks": lambda _: frozenset({"192.0.2.0/24", "2001:db8::/32"}),
    "bgp.networks": lambda _: frozenset({"192.0.2.0/24", "2001:db8::/32"}),
    "bgp.vrfs": lambda value: {"storage": VRF} if isinstance(value, Mapping) else BY_TYPE[type(value)](value),
    "bgp.discards": lambda _: frozenset({"192.0.2.0/24", "2001:db8::/32"}),
    "bgp.policies.*.permits": lambda _: frozenset({PolicyRule(prefix="192.0.2.0/24", up_to=28)}),
    "bgp.unmodelled": lambda _: frozenset({"neighbor FABRIC as-override"}),
    "system.routing_rows": lambda _: frozenset({"BGP_NEIGHBOR|192.0.2.1"}),
    # numbers with few values
    "system.tier": lambda value: 1 if value != 1 else 0,
    **dict.fromkeys(
        ("qos.dscp_to_tc.*.*", "qos.tc_to_queue.*.*", "qos.tc_to_pg.*.*", "qos.pfc_to_queue.*.*", "qos.pfc_to_pg.*.*"),
        lambda value: value + 1 if isinstance(value, int) and value < 7 else 0,
    ),
    "bgp.neighbors.*.session": _word("Established", "Idle"),
    "ports.*.cable_m": lambda value: 7.5 if value != 7.5 else 11.0,
    "qos.schedulers.*.weight": lambda value: 42 if value != 42 else 43,
    "qos.wred.*.colours.*.pmax_percent": lambda value: 42 if value != 42 else 43,
    "buffers.computing.alpha": lambda value: value / 2 if isinstance(value, Fraction) else Fraction(1, 8),
    "buffers.computing.oversubscription": lambda value: value + 1 if isinstance(value, int) else 2,
    "buffers.profiles.*.alpha": lambda value: value / 2 if isinstance(value, Fraction) else Fraction(1, 8),
    # leaves that the example has as `ABSENT`
    "ports.*.description": lambda _: "somewhere else",
    "qos.schedulers.*.cap_bytes_per_s": lambda value: value + 1 if isinstance(value, int) else 1_000_000,
    **dict.fromkeys(
        ("qos.ports.*.rewrite", "qos.ports.*.shaper"), lambda value: "OTHER" if value != "OTHER" else "ANOTHER"
    ),
    "qos.ports.*.pfc_to_pg": lambda _: "OTHER",
    "qos.ports.*.queues.*.wred": lambda _: "OTHER",
    "buffers.pools.*.shared_headroom_bytes": lambda _: 1_048_576,
    "buffers.pools.*.size_bytes": lambda value: value + 1 if isinstance(value, int) else 1_048_576,
    "buffers.profiles.*.limit_bytes": lambda value: value + 1 if isinstance(value, int) else 1_048_576,
    "buffers.profiles.*.xon_bytes": lambda value: value + 1 if isinstance(value, int) else 19_456,
    "buffers.profiles.*.xoff_bytes": lambda value: value + 1 if isinstance(value, int) else 231_424,
    "buffers.profiles.*.xon_offset_bytes": lambda _: 2_540,
}
"""Leaf pattern → how its value is changed; the first that matches."""

BY_TYPE: Mapping[type, Nudge] = {
    bool: lambda value: not value,
    int: _number,
    str: lambda value: f"{value}-X",
    tuple: lambda value: tuple(reversed(value)) if value != tuple(reversed(value)) else (*value, "q_lossy_profile"),  # type: ignore[call-overload]
    frozenset: lambda value: frozenset({5}) if value != frozenset({5}) else frozenset(),
}


def other(path: Path, value: object) -> object:
    """A valid value that is not this one. Raises `LookupError` for a leaf that nobody has thought of."""
    nudge = next((nudge for pattern, nudge in BY_PATTERN.items() if matches(pattern, path)), None)
    nudge = nudge or BY_TYPE.get(type(value))
    if nudge is None:
        raise LookupError(f"no other value is known for {'.'.join(path)}, which is {value!r}")
    changed = nudge(value)
    assert changed != value, f"{'.'.join(path)}: {value!r}"
    return changed


def shape(path: Path) -> Path:
    """The path without the number of a port or DSCP: leaves of one shape are handled by the same code."""
    return tuple("*" if part[:1].isdigit() else part for part in path)


def one_of_each(device: Device) -> tuple[tuple[Path, object], ...]:
    """The first leaf of every shape, with its value. Left out: what is not compared, and tables without a row."""
    found: dict[Path, tuple[Path, object]] = {}
    for path, value in leaves(device):
        if path[0] not in ("name", "platform", "place") and value != {}:
            found.setdefault(shape(path), (path, value))
    return tuple(found.values())
