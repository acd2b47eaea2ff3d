"""Which parts of NVUE's tree are ours, by area; the others are theirs, whatever they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from netaudit.platforms.nvue.names import BRIDGE, DEFAULT, position
from netaudit.platforms.nvue.routing import is_discard
from netaudit.platforms.nvue.tree import Tree, below

OWNS: Final[Mapping[str, tuple[str, ...]]] = {
    "ports": ("interface PORT type", "interface PORT description", "interface PORT link"),
    "addressing": (
        *(f"interface {where} {what}" for where in ("PORT", "lo") for what in ("ip", "ipv4", "ipv6", "vrf")),
        "interface lo type",
        "interface PORT bridge",
        "interface VLAN",
        f"bridge domain {BRIDGE} vlan",
    ),
    "bgp": (
        "router bgp",
        "router policy",
        "vrf VRF router bgp",
        "vrf default router static BLACKHOLE",
        "system forwarding hash-seed",
    ),
    "qos": (
        *(f"qos {what}" for what in ("roce", "mapping", "egress-queue-mapping", "egress-scheduler", "egress-shaper")),
        *(f"qos {what}" for what in ("congestion-control", "pfc", "pfc-watchdog", "remark")),
        "interface PORT qos",
        "system forwarding ecmp-hash",
        "system forwarding packet-trim",
    ),
    "buffers": ("qos traffic-pool", "qos advance-buffer-config", "interface PORT packet-trim"),
    "lldp": ("system lldp state", "service lldp state"),
}
"""Area → parts that are ours as a whole. PORT is a front-panel port, VLAN the interface of a VLAN, VRF the default one
and those that the intent has, BLACKHOLE a static route to nowhere."""

WHERE_SAID: Final = ("system forwarding ecmp-hash",)
"""Parts that are ours only where the intent says something of them: else what the device has there stays."""
_SVI: Final = re.compile(r"vlan\d+")


class Owned(StrEnum):
    """Whose a part of the tree is."""

    WHOLE = "whole"
    PART = "part"
    """Something below it is ours."""
    NOT = "not"


Whose = Callable[[tuple[str, ...]], Owned]


def ownership(areas: Iterable[str], ours: Tree, theirs: Tree) -> Whose:
    """Whose a path is, for a rendering of ours and what a device has. Both trees in new words."""
    mine = tuple(areas)
    patterns = [
        pattern.split()
        for area, parts in OWNS.items()
        if area in mine or "all" in mine
        for pattern in parts
        if pattern not in WHERE_SAID or below(ours, *pattern.split())
    ]
    vrfs = frozenset((DEFAULT, *(name for name in below(ours, "vrf") if name != "mgmt")))
    holes = frozenset(
        prefix
        for tree in (ours, theirs)
        for prefix in below(tree, "vrf", DEFAULT, "router", "static")
        if is_discard(tree, prefix)
    )

    def fits(part: str, name: str) -> bool:
        if part == "PORT":
            return position(name) is not None
        if part == "VLAN":
            return _SVI.fullmatch(name) is not None
        if part == "VRF":
            return name in vrfs
        return name in holes if part == "BLACKHOLE" else part == name

    def whose(path: tuple[str, ...]) -> Owned:
        found = Owned.NOT
        for pattern in patterns:
            if all(map(fits, pattern, path)):
                if len(path) >= len(pattern):
                    return Owned.WHOLE
                found = Owned.PART
        return found

    return whose


def made_vrfs(areas: Collection[str], ours: Tree) -> frozenset[str]:
    """VRFs that must be there for themselves, where addressing is ours."""
    mine = "addressing" in areas or "all" in areas
    return frozenset(below(ours, "vrf")) - {DEFAULT, "mgmt"} if mine else frozenset()
