"""No leaf that is rendered may go, or say the opposite, without the reader seeing it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netaudit.platforms import nvue
from netaudit.platforms.nvue.candidate import written
from netaudit.platforms.nvue.config import tree_of
from netaudit.platforms.nvue.tree import Tree, Value, below, get, put
from netaudit.render import render
from platforms.nvue.fabrics import examples

HEAD = "- header:\n    model: SN5600\n    version: Cumulus Linux 5.17.0\n- set:\n"

ASSUMED = {
    # what is there in any case, or what NVUE has where nothing is said
    "interface N type": "the name of a front-panel port says its type",
    "interface lo type": "there is one loopback",
    "interface vlanN type": "the name says it",
    "interface vlanN vlan": "the name says it",
    "interface vlanN base-interface": "there is one bridge",
    "interface N ipv6 state": "a port that BGP peers over has its link-local address without a word",
    "interface N link state up": "a port of which nothing is said is up",
    "qos congestion-control P traffic-class N red": "packets are not dropped by chance unless a profile says so",
    "qos mapping default-global trust": "RoCE trusts both",
    "qos roce mode": "lossless is what RoCE is",
    "qos roce state": "`qos roce` is on",
    "qos pfc P tx": "PFC goes both ways",
    "qos pfc P rx": "PFC goes both ways",
    "interface N qos pfc-watchdog state": "a port that has it has it on",
    "vrf default router bgp address-family ipv4-unicast state": "IPv4 is active",
    "vrf storage router bgp address-family ipv4-unicast state": "IPv4 is active",
    "vrf default router bgp neighbor N address-family ipv4-unicast state": "IPv4 is active",
    "vrf storage router bgp neighbor N address-family ipv4-unicast state": "IPv4 is active",
    "vrf storage router bgp neighbor N address-family ipv6-unicast state": "IPv6 is not active",
    "vrf default router bgp neighbor N capabilities extended-nexthop": "unnumbered peers have it without a word",
    "vrf storage router bgp neighbor N capabilities extended-nexthop": "unnumbered peers have it without a word",
    "vrf default router bgp neighbor N type": "a neighbor called after a port is unnumbered",
    "vrf storage router bgp neighbor N type": "a neighbor called after a port is unnumbered",
    "vrf storage router bgp autonomous-system": "that of the switch",
    "vrf default router bgp timers hold": "9 s, which is what is asked for",
    "vrf default router bgp timers keepalive": "3 s, which is what is asked for",
    "vrf storage router bgp timers hold": "9 s, which is what is asked for",
    "vrf storage router bgp timers keepalive": "3 s, which is what is asked for",
    "vrf default router static N address-family": "the prefix says it",
    "vrf default router static N via blackhole type": "its name says it",
    "system lldp state": "lldpd runs",
    "system forwarding ecmp-hash destination-ip": "hashed by default",
    "system forwarding ecmp-hash ip-protocol": "hashed by default",
    "system forwarding ecmp-hash source-ip": "hashed by default",
    "system forwarding ecmp-hash source-port": "hashed by default",
    "system forwarding ecmp-hash destination-port": "hashed by default",
    "system forwarding packet-trim size": "256 bytes",
}
"""Leaf → why it may be left out: nothing changes on the switch."""

OPPOSITE = {
    "enabled": "disabled",
    "enable": "disable",
    "disable": "enable",
    "disabled": "enabled",
    "lossless": "lossy",
    "both": "l2",
    "unnumbered": "numbered",
    "permit": "deny",
    "strict": "dwrr",
    "dwrr": "strict",
    "rs": "off",
    "blackhole": "reject",
    "external": "internal",
    "ipv4": "ipv6",
    "ipv6": "ipv4",
}
OTHERWISE = {
    ("qos", "mapping", "default-global"): "17",
    ("qos", "egress-queue-mapping", "default-global"): "2",
}
"""Map → a key that RoCE has another value for."""
NO_MATTER = {
    "interface lo type": "there is one loopback",
    "interface vlanN type": "the name says it",
    "interface vlanN vlan": "the name says it",
    "interface vlanN base-interface": "there is one bridge",
    "vrf default router static N address-family": "the prefix says it",
    "vrf storage router bgp neighbor N type": "of an address: it is no port",
    "vrf storage router bgp neighbor N address-family ipv6-unicast state": "the speaker has no IPv6",
    "vrf default router bgp neighbor N capabilities extended-nexthop": "the sessions show it",
    "vrf storage router bgp neighbor N capabilities extended-nexthop": "the sessions show it",
    "interface N type": "a port has the type of its name",
}


def shape(path: tuple[str, ...]) -> str:
    """The path with what only numbers tell apart as N, and the names of profiles and policies as P."""
    made = []
    for number, part in enumerate(path):
        profile = number == 2 and path[:2] in (
            ("qos", "congestion-control"),
            ("qos", "pfc"),
            ("qos", "egress-scheduler"),
        )
        policy = number == 3 and path[:2] == ("router", "policy")
        digits = any(sign.isdigit() for sign in part) and part not in ("ipv4", "ipv6", "ipv4-unicast", "ipv6-unicast")
        word = "vlanN" if part.startswith("vlan") and digits else "N" if digits else part
        made.append("P" if profile or policy else word)
    return " ".join(made)


def leaf_paths(tree: Value, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, dict) and tree:
        for name, value in tree.items():
            yield from leaf_paths(value, (*at, name))
    else:
        yield at


def without(tree: Tree, path: tuple[str, ...]) -> Tree:
    made: Tree = {key: value for key, value in tree.items() if key != path[0]}
    if len(path) > 1:
        return {key: without(below(tree, key), path[1:]) if key == path[0] else value for key, value in tree.items()}
    return made


def text_of(tree: Tree) -> str:
    return HEAD + "".join(f"{row}\n" for key, value in tree.items() for row in written(key, value, 4))


def trees() -> list[Tree]:
    leaf, _, varied, *_ = examples("5.17")
    return [tree_of(render(device)["nvue.yaml"]) for device in (leaf, varied)]


@pytest.mark.parametrize("number", range(2))
def test_whatever_goes_is_seen(number: int) -> None:
    tree = trees()[number]
    before = nvue.read_config({"nvue.yaml": text_of(tree)}, "x")
    unseen = set()
    for path in one_of_each(tree):
        if nvue.read_config({"nvue.yaml": text_of(without(tree, path))}, "x") == before:
            unseen.add(shape(path))
    assert unseen - ASSUMED.keys() == set()


@pytest.mark.parametrize("number", range(2))
def test_whatever_says_the_opposite_is_seen(number: int) -> None:
    tree = trees()[number]
    before = nvue.read_config({"nvue.yaml": text_of(tree)}, "x")
    unseen = set()
    for path in one_of_each(tree):
        value = get(tree, *path)
        other: Value = OPPOSITE.get(str(value), f"{value}1" if str(value).isdigit() else f"{value}x")
        if isinstance(value, dict):
            continue
        changed = tree_of(text_of(tree))
        put(changed, path, other)
        try:
            found = nvue.read_config({"nvue.yaml": text_of(changed)}, "x")
        except ValueError:
            continue
        if found == before:
            unseen.add(shape(path))
    assert unseen - NO_MATTER.keys() == set()


def one_of_each(tree: Tree) -> list[tuple[str, ...]]:
    """The first path of each shape; of the DSCP map one that RoCE would map otherwise."""
    found: dict[str, tuple[str, ...]] = {}
    for path in leaf_paths(tree):
        key = shape(path)
        otherwise = (path[:3] in OTHERWISE) and path[-2] == OTHERWISE[path[:3]]
        if otherwise or key not in found:
            found[key] = path
    return list(found.values())
