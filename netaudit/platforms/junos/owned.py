"""Which area a statement of Junos belongs to; what is in none is somebody else's and stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from netaudit.platforms.junos.names import IRB, LOOPBACK
from netaudit.platforms.junos.text import Words

OWNS: Final[Mapping[str, tuple[str, ...]]] = {
    "ports": ("interfaces et-*, but for their units",),
    "addressing": (
        "interfaces et-* unit",
        "interfaces irb unit",
        "interfaces lo0 unit * family (inet | inet6) address",
        "vlans",
        "routing-instances * (instance-type | interface)",
        "protocols router-advertisement",
    ),
    "bgp": (
        "protocols bgp",
        "policy-options (policy-statement | as-list | as-path | as-path-group | community)",
        "routing-options (autonomous-system | router-id | forwarding-table)",
        "routing-options static route * discard",
        "routing-instances * (protocols bgp | routing-options)",
        "chassis maximum-ecmp",
    ),
    "qos": ("class-of-service, but for buffers", "forwarding-options hash-key"),
    "buffers": ("class-of-service (shared-buffer | dedicated-buffer)",),
    "lldp": ("protocols lldp",),
}
"""Area → the statements that are ours as a whole where the area is; `mgmt_junos` never is."""
AREAS: Final = tuple(OWNS)

_PORTS: Final = ("et-", "xe-", "ge-")
_POLICY: Final = ("policy-statement", "as-list", "as-path", "as-path-group", "community")
"""What of `policy-options` only routing uses; prefix-lists may be those of filters, which are not ours."""
_ROUTING: Final = ("autonomous-system", "router-id", "forwarding-table")
MANAGEMENT: Final = "mgmt_junos"
"""The routing instance of the management port, which is not ours (DESIGN.md section 3)."""


def area_of(words: Words) -> str | None:
    """The area of a statement."""
    head, rest = words[0], words[1:]
    if head == "interfaces" and rest:
        return _of_interface(rest)
    if head == "vlans":
        return "addressing"
    if head == "class-of-service":
        return "buffers" if rest[:1] in (("shared-buffer",), ("dedicated-buffer",)) else "qos"
    if head == "forwarding-options":
        return "qos" if rest[:1] == ("hash-key",) else None
    if head == "policy-options":
        return "bgp" if rest and rest[0] in _POLICY else None
    if head == "chassis":
        return "bgp" if rest[:1] == ("maximum-ecmp",) else None
    if head == "routing-options":
        return _of_routing(rest)
    if head == "routing-instances":
        return _of_instance(rest)
    if head == "protocols":
        return {"bgp": "bgp", "lldp": "lldp", "router-advertisement": "addressing"}.get(rest[0]) if rest else None
    return None


def _of_interface(rest: Words) -> str | None:
    name, below = rest[0], rest[1:]
    if name.startswith(_PORTS):
        return "addressing" if below[:1] in (("unit",), ("native-vlan-id",)) else "ports"
    if name == IRB and below[:1] == ("unit",):
        return "addressing"
    if name == LOOPBACK and below[:1] == ("unit",) and below[2:3] == ("family",):
        # what else is on a loopback, filters that guard the box above all, is not ours
        return "addressing" if below[3:4] in (("inet",), ("inet6",)) and below[4:5] in ((), ("address",)) else None
    return None


def _of_routing(rest: Words) -> str | None:
    if rest[:1] and rest[0] in _ROUTING:
        return "bgp"
    route = rest[2:] if rest[:1] == ("rib",) else rest
    return "bgp" if route[:2] == ("static", "route") and route[3:4] == ("discard",) else None


def _of_instance(rest: Words) -> str | None:
    if not rest or rest[0] == MANAGEMENT or rest[0].startswith("__"):
        return None
    below = rest[1:]
    if below[:1] in ((), ("instance-type",), ("interface",)):
        return "addressing"
    if below[:2] in (("protocols", "bgp"),):
        return "bgp"
    if below[:2] == ("protocols", "router-advertisement"):
        return "addressing"
    return _of_routing(below[1:]) if below[:1] == ("routing-options",) else None
