"""Parts of a configuration that several questions are about: routing instances, own routes, AS numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Final

from netaudit.lab.sim.nos.junos.policy import Own
from netaudit.lab.sim.nos.junos.tree import Tree, children_of

FAMILY_OF: Final = {"inet": "ipv4", "inet6": "ipv6"}


def children_entries(root: Tree, *words: str) -> Iterator[tuple[str, Tree]]:
    """The entries of a list without a word before its keys."""
    holder = root.get(*words)
    return holder.entries() if holder is not None else iter(())


def instances(root: Tree) -> tuple[tuple[str, Tree], ...]:
    """The routing instances that are VRFs to the lab."""
    found = children_entries(root, "routing-instances")
    return tuple((name, one) for name, one in found if one.value("instance-type") in ("vrf", "virtual-router"))


def interface_of(logical: str, position: Mapping[str, str]) -> str:
    """What the lab calls a logical interface: a port by its own name, all others with their unit."""
    physical = logical.partition(".")[0]
    return physical if physical in position else logical


def owned(tree: Tree) -> Iterator[tuple[Own, Tree]]:
    """Static and aggregate routes, each with its statement."""
    options = tree.get("routing-options") or Tree()
    for holder in (options, *(rib for _, rib in options.entries("rib"))):
        for kind in ("static", "aggregate", "generate"):
            for prefix, route in (holder.get(kind) or Tree()).entries("route"):
                protocol = "static" if kind == "static" else "aggregate"
                yield Own(prefix=str(ip_network(prefix, strict=False)), protocol=protocol), route


def autonomous_system(tree: Tree) -> int | None:
    """The AS number of an instance, asplain or asdot."""
    own = tree.get("routing-options", "autonomous-system")
    text = next((head[0] for head in children_of(own) if len(head) == 1 and head[0][0].isdigit()), "")
    return number_of(text) if text else None


def number_of(text: str) -> int:
    """`65000.10` → 4259840010."""
    high, dot, low = text.partition(".")
    return (int(high) << 16) + int(low) if dot else int(high)
