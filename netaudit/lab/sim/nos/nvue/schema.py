"""What a box with Cumulus Linux takes as configuration: the parts of NVUE's tree that a fabric uses, by release.

Words and ranges are those of nvue.md sections 1 and 3. In 5.15 many words changed (`enable: on` → `state: enabled`).
Branches that are not here (access lists, users, logging, …) are taken as they come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

Json: TypeAlias = "Mapping[str, Json] | str | int | float | bool | None"
"""A part of a tree. Never changed in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A value: one of some words, a number of a range, or any text where neither is given."""

    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    kind: str = ""
    """`address`, `prefix`: an address with a length, `network`: one without host bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A list: any key, or one that is such a value, and the same below each."""

    below: Grammar
    key: Leaf = Leaf()


@dataclass(frozen=True, slots=True)
class Open:
    """A branch that is not looked at."""


Grammar: TypeAlias = "Mapping[str, Grammar] | Keyed | Leaf | Open"
EMPTY: Final[Mapping[str, Grammar]] = {}
TEXT, ANYTHING = Leaf(), Open()
_FLAG = Leaf(words=("enable", "disable"))
_PREFIXES = Keyed(below=EMPTY, key=Leaf(words=("dhcp",), kind="prefix"))
_PROFILE: Mapping[str, Grammar] = {"profile": TEXT}


def _number(least: int, most: int, *words: str) -> Leaf:
    return Leaf(words=words, least=least, most=most)


def _words(*words: str) -> Leaf:
    return Leaf(words=words)


_PRIORITY, _BYTES, _PERCENT = _number(0, 7), _number(1, 4294967295), _number(0, 100)
_ASN = _number(1, 4294967295)


@cache
def grammar(modern: bool) -> Mapping[str, Grammar]:
    """The whole tree; `modern`: of 5.15 and later."""
    on = _words("enabled", "disabled") if modern else _words("on", "off")
    state: Mapping[str, Grammar] = {"state" if modern else "enable": on}
    # the system had the new words before all else: auto-save in 5.11, the gNMI server in 5.13 (their models)
    early: Mapping[str, Grammar] = state if modern else {**state, "state": _words("enabled", "disabled")}
    return {
        "interface": Keyed(below=_interface(modern, on)),
        "qos": _qos(state),
        "router": _router(state, on, modern),
        "vrf": Keyed(below=_vrf(state, on)),
        "bridge": {
            "domain": Keyed(below={"vlan": Keyed(below=ANYTHING), "untagged": _number(1, 4094, "none"), **_rest()})
        },
        "system": {
            "hostname": TEXT,
            "gnmi-server": {
                **early,
                "port": _number(1024, 65535),
                "listening-address": Keyed(below=EMPTY, key=Leaf(kind="address")),
                "certificate": TEXT,
                "mtls": ANYTHING,
            },
            "config": {"auto-save": early, "apply": ANYTHING, "snippet": ANYTHING},
            "forwarding": {
                "ecmp-hash": Keyed(below=on),
                "lag-hash": Keyed(below=on),
                "hash-seed": _number(0, 4294967295),
                "packet-trim": ANYTHING,
                **_rest(),
            },
            **({"lldp": {"state": on, **_rest()}} if modern else {}),
            **_rest(),
        },
        "service": ANYTHING,
        **dict.fromkeys(("acl", "evpn", "nve", "mlag", "maintenance", "platform"), ANYTHING),
    }


def _rest() -> Mapping[str, Grammar]:
    """Says that whatever else stands there is not looked at."""
    return {"": ANYTHING}


def _interface(modern: bool, on: Leaf) -> Mapping[str, Grammar]:
    family: Mapping[str, Grammar] = {"address": _PREFIXES, "gateway": ANYTHING, **_rest()}
    layer_3: Mapping[str, Grammar] = (
        {"ipv4": family, "ipv6": {**family, "state": on}, "vrf": TEXT}
        if modern
        else {"ip": {"address": _PREFIXES, "vrf": TEXT, **_rest()}}
    )
    return {
        "type": _words("swp", "eth", "bond", "loopback", "svi", "sub", "peerlink", "tunnel", "bridge", "vrf"),
        "description": TEXT,
        "vlan": _number(1, 4094),
        "base-interface": TEXT,
        **layer_3,
        "link": _link(on),
        "qos": {
            **dict.fromkeys(("pfc", "mapping", "congestion-control", "egress-scheduler", "remark"), _PROFILE),
            "pfc-watchdog": {"state": _FLAG},
            **_rest(),
        },
        "router": {"adaptive-routing": {"state" if modern else "enable": on, **_rest()}, **_rest()},
        "lldp": {"state": on if modern else _words("enabled", "disabled"), **_rest()},
        "bridge": {
            "domain": Keyed(
                below={
                    "access": _number(1, 4094, "auto"),
                    "untagged": _number(1, 4094, "none", "auto"),
                    "vlan": Keyed(below=EMPTY),
                    **_rest(),
                }
            )
        },
        **dict.fromkeys(("acl", "bond", "evpn", "neighbor", "ptp", "sflow", "storm-control", "telemetry"), ANYTHING),
        **dict.fromkeys(("packet-trim", "port-security", "synce", "tunnel", "dot1x", "latency-measurement"), ANYTHING),
    }


def _link(on: Leaf) -> Mapping[str, Grammar]:
    return {
        "state": {"up": EMPTY, "down": EMPTY},
        "mtu": _number(552, 9216),
        "speed": _words("auto", "10M", "100M", "1G", "10G", "25G", "40G", "50G", "100G", "200G", "400G", "800G"),
        "fec": _words("auto", "baser", "off", "rs", "driver-auto"),
        "auto-negotiate": on,
        "breakout": Keyed(below={"lanes-per-port": _words("1", "2", "4", "8"), **_rest()}),
        **_rest(),
    }


def _qos(state: Mapping[str, Grammar]) -> Mapping[str, Grammar]:
    priorities = Keyed(below=EMPTY, key=_PRIORITY)
    to_class: Mapping[str, Grammar] = {"traffic-class": _PRIORITY}
    congestion: Mapping[str, Grammar] = {
        **dict.fromkeys(("ecn", "red"), _FLAG),
        **dict.fromkeys(("min-threshold", "max-threshold"), _BYTES),
        **dict.fromkeys(("probability", "min-threshold-percent", "max-threshold-percent"), _PERCENT),
        "mode": _words("absolute", "relative"),
    }
    to_priority: Mapping[str, Grammar] = {"switch-priority": _PRIORITY}
    scheduler: Mapping[str, Grammar] = {"mode": _words("dwrr", "strict"), "bw-percent": _PERCENT}
    return {
        "roce": {**state, "mode": _words("lossy", "lossless", "lossless-single-ipool", "lossy-multi-tc")},
        "mapping": Keyed(
            below={
                "trust": _words("l2", "l3", "port", "both"),
                "port-default-sp": _PRIORITY,
                "dscp": Keyed(below=to_priority, key=_number(0, 63)),
                "pcp": Keyed(below=to_priority, key=_PRIORITY),
            }
        ),
        "egress-queue-mapping": Keyed(
            below={"switch-priority": Keyed(below=to_class, key=_PRIORITY)}, key=_words("default-global")
        ),
        "egress-scheduler": Keyed(below={"traffic-class": Keyed(below=scheduler, key=_PRIORITY)}),
        "congestion-control": Keyed(below={"traffic-class": Keyed(below=congestion, key=_PRIORITY)}),
        "pfc": Keyed(
            below={
                "switch-priority": priorities,
                "tx": _FLAG,
                "rx": _FLAG,
                "cable-length": _number(1, 100_000),
                **dict.fromkeys(("port-buffer", "xoff-threshold", "xon-threshold"), _BYTES),
                "small-packet-probability": _PERCENT,
            }
        ),
        "pfc-watchdog": {"polling-interval": _number(100, 5000), "robustness": _number(1, 1000)},
        "traffic-pool": Keyed(below={"memory-percent": _number(1, 100), "switch-priority": priorities}),
        **dict.fromkeys(("advance-buffer-config", "egress-shaper", "link-pause", "remark"), ANYTHING),
    }


def _router(state: Mapping[str, Grammar], on: Leaf, modern: bool) -> Mapping[str, Grammar]:
    lengths: Mapping[str, Grammar] = {"min-prefix-len": _number(0, 128), "max-prefix-len": _number(0, 128)}
    rule: Mapping[str, Grammar] = {
        "action": _words("permit", "deny"),
        "match": Keyed(below=lengths, key=Leaf(kind="network")),
    }
    entry: Mapping[str, Grammar] = {
        "action": {"permit": ANYTHING, "deny": EMPTY},
        "match": {"type": _words("ipv4", "ipv6"), "ip-prefix-list": TEXT, **_rest()},
        "set": ANYTHING,
        "description": TEXT,
    }
    numbers = _number(1, 65535)
    return {
        "bgp": {
            **state,
            "autonomous-system": _number(1, 4294967295, "leaf", "spine", "none"),
            "router-id": Leaf(words=("none",), kind="address"),
            **_rest(),
        },
        "policy": {
            "prefix-list": Keyed(below={"type": _words("ipv4", "ipv6"), "rule": Keyed(below=rule, key=numbers)}),
            "route-map": Keyed(below={"rule": Keyed(below=entry, key=numbers)}),
            **_rest(),
        },
        "adaptive-routing": {**state, "profile": TEXT, **_rest()},
        **({"bfd": {**state, "profile": Keyed(below=_bfd()), "offload": on}} if modern else {}),
        **_rest(),
    }


def _bfd() -> Mapping[str, Grammar]:
    interval = _number(10, 4294967)
    return {"detect-multiplier": _number(1, 255), "min-rx-interval": interval, "min-tx-interval": interval, **_rest()}


def _vrf(state: Mapping[str, Grammar], on: Leaf) -> Mapping[str, Grammar]:
    via: Mapping[str, Grammar] = {
        "type": _words("interface", "ipv4-address", "ipv6-address", "blackhole", "reject"),
        **_rest(),
    }
    static: Mapping[str, Grammar] = {
        "address-family": _words("ipv4-unicast", "ipv6-unicast"),
        "via": Keyed(below=via),
        **_rest(),
    }
    routes = Keyed(below=static, key=Leaf(kind="network"))
    return {"router": {"bgp": _bgp(state, on), "static": routes, **_rest()}, **_rest()}


def _bgp(state: Mapping[str, Grammar], on: Leaf) -> Mapping[str, Grammar]:
    peer = _peer(state, on)
    table: Mapping[str, Grammar] = {
        **state,
        "network": Keyed(below=ANYTHING, key=Leaf(kind="network")),
        "redistribute": Keyed(below={**state, "route-map": TEXT, **_rest()}),
        "multipaths": {"ebgp": _number(1, 256), **_rest()},
        **_rest(),
    }
    return {
        **state,
        "autonomous-system": _number(1, 4294967295, "auto", "leaf", "spine"),
        "router-id": Leaf(words=("auto",), kind="address"),
        "address-family": {"ipv4-unicast": table, "ipv6-unicast": table, **_rest()},
        "path-selection": {"multipath": {"aspath-ignore": on, **_rest()}, **_rest()},
        "timers": {"keepalive": _number(1, 65535, "none"), "hold": _number(3, 65535, "none"), **_rest()},
        "peer-group": Keyed(below=peer),
        "neighbor": Keyed(below={**peer, "peer-group": TEXT, "type": _words("numbered", "unnumbered")}),
        **_rest(),
    }


def _peer(state: Mapping[str, Grammar], on: Leaf) -> Mapping[str, Grammar]:
    """A neighbor, and a group of them."""
    policy: Mapping[str, Grammar] = {"route-map": TEXT, **_rest()}
    family: Mapping[str, Grammar] = {
        **state,
        "policy": {"inbound": policy, "outbound": policy},
        "aspath": {"allow-my-asn": {**state, "occurrences": _number(1, 10), "origin": on}, **_rest()},
        **_rest(),
    }
    return {
        "remote-as": _number(1, 4294967295, "internal", "external", "auto"),
        "description": TEXT,
        "shutdown": on,
        "address-family": {"ipv4-unicast": family, "ipv6-unicast": family, **_rest()},
        **dict.fromkeys(("bfd", "capabilities", "timers", "password", "update-source", "multihop-ttl"), ANYTHING),
        **_rest(),
    }
