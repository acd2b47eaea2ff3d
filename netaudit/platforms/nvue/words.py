"""Words that depend on the version: what 5.15 and later say, and what earlier releases said (nvue.md section 1).

Writers and readers know the new words alone; this module puts one in place of the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from netaudit.platforms.nvue.tree import Tree, Value, below, put

Release = tuple[int, int]
NEWEST: Final = (5, 17)
"""Whose documentation the reference was made from; 5.18's model takes the same."""
OLDEST: Final = (5, 6)
"""The first whose model has a PFC watchdog."""
NEW_WORDS: Final = (5, 15)
LLDP_SWITCH: Final = (5, 11)
"""Before, the models have no switch for lldpd."""
TRIMMING: Final = (5, 14)

_VERSION: Final = re.compile(r"(?<![\d.])(\d{1,3})\.(\d{1,3})", re.ASCII)

_SWITCHES: Final = (
    "qos.roce",
    "router.bgp",
    "router.adaptive-routing",
    "interface.*.router.adaptive-routing",
    "vrf.*.router.bgp",
    "vrf.*.router.bgp.address-family.*",
    "vrf.*.router.bgp.address-family.*.redistribute.*",
    "vrf.*.router.bgp.neighbor.*",
    "vrf.*.router.bgp.neighbor.*.address-family.*",
    "vrf.*.router.bgp.neighbor.*.address-family.*.aspath.allow-my-asn",
    "vrf.*.router.bgp.peer-group.*.address-family.*",
    "vrf.*.router.bgp.peer-group.*.address-family.*.aspath.allow-my-asn",
)
"""Objects with `state: enabled` that had `enable: on`."""
_VALUES: Final = (
    "interface.*.link.auto-negotiate",
    "system.forwarding.ecmp-hash.*",
    "vrf.*.router.bgp.path-selection.multipath.aspath-ignore",
    "vrf.*.router.bgp.neighbor.*.capabilities.extended-nexthop",
    "vrf.*.router.bgp.peer-group.*.capabilities.extended-nexthop",
)
"""Leaves that are `enabled` and were `on`."""
_TO_OLD: Final[Mapping[str, str]] = {"enabled": "on", "disabled": "off"}
_TO_NEW: Final[Mapping[str, str]] = {"on": "enabled", "off": "disabled"}


def release(version: str) -> Release:
    """`Cumulus Linux 5.16.0`, `5.16` → (5, 16); without a number, the newest that is documented."""
    found = _VERSION.search(version)
    return (int(found[1]), int(found[2])) if found else NEWEST


def spelled_version(version: str) -> str:
    """As the header has it: `Cumulus Linux 5.16.0`."""
    found = re.search(r"\d+(?:\.\d+)+", version)
    if found is None:
        return f"Cumulus Linux {NEWEST[0]}.{NEWEST[1]}.0"
    number = found[0] if found[0].count(".") > 1 else f"{found[0]}.0"
    return f"Cumulus Linux {number}"


def older(tree: Tree) -> Tree:
    """A tree of new words in those of 5.14 and before."""
    made = _renamed(tree, "state", "enable", _TO_OLD)
    for interface in below(made, "interface").values():
        if isinstance(interface, dict):
            _to_ip(interface)
    lldp = below(made, "system").pop("lldp", None)
    if lldp is not None:
        put(made, ("service", "lldp"), lldp)
    if not below(made, "system"):
        made.pop("system", None)
    return made


def modern(tree: Tree) -> Tree:
    """A tree of whichever words in the new ones."""
    made = _renamed(tree, "enable", "state", _TO_NEW)
    for interface in below(made, "interface").values():
        if isinstance(interface, dict):
            _from_ip(interface)
    lldp = below(made, "service").pop("lldp", None)
    if lldp is not None:
        put(made, ("system", "lldp"), lldp)
    if "service" in made and not below(made, "service"):
        made.pop("service")
    return made


def _renamed(tree: Tree, name: str, other: str, values: Mapping[str, str]) -> Tree:
    def walk(value: Value, at: tuple[str, ...]) -> Value:
        if not isinstance(value, dict):
            return values.get(str(value), value) if _any(_VALUES, at) else value
        made: Tree = {}
        for key, below_ in value.items():
            if key == name and str(below_) in values and _any(_SWITCHES, at):
                made[other] = values[str(below_)]
            else:
                made[key] = walk(below_, (*at, key))
        return made

    found = walk(tree, ())
    assert isinstance(found, dict)
    return found


def _any(patterns: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return any(
        len(parts := pattern.split(".")) == len(path)
        and all(part in ("*", name) for part, name in zip(parts, path, strict=True))
        for pattern in patterns
    )


def _to_ip(interface: Tree) -> None:
    """`ipv4 address`, `ipv6 address`, `ipv6 state` and `vrf` of an interface stood below `ip`."""
    vrf = interface.pop("vrf", None)
    four, six = interface.pop("ipv4", None), interface.pop("ipv6", None)
    addresses = {**below(four, "address"), **below(six, "address")}
    if addresses:
        put(interface, ("ip", "address"), addresses)
    if vrf is not None:
        put(interface, ("ip", "vrf"), vrf)
    state = below(six).get("state")
    if state is not None:
        put(interface, ("ip", "ipv6", "enable"), _TO_OLD.get(str(state), str(state)))


def _from_ip(interface: Tree) -> None:
    ip = interface.get("ip")
    if not isinstance(ip, dict):
        return
    for address in below(ip, "address"):
        put(interface, ("ipv6" if ":" in address else "ipv4", "address", address), below(ip, "address", address))
    if "vrf" in ip:
        interface["vrf"] = ip["vrf"]
    state = below(ip, "ipv6").get("enable")
    if state is not None:
        put(interface, ("ipv6", "state"), _TO_NEW.get(str(state), str(state)))
    rest: Tree = {key: value for key, value in ip.items() if key not in ("address", "vrf", "ipv6")}
    more = {key: value for key, value in below(ip, "ipv6").items() if key != "enable"}
    if more:
        rest["ipv6"] = more
    interface.pop("ip")
    if rest:
        interface["ip"] = rest
