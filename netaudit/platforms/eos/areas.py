"""Which lines of a configuration are of which area of the intent's `owns`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

OWNS: Mapping[str, tuple[str, ...]] = {
    "ports": ("interface Ethernet: description, shutdown, mtu, speed, error-correction",),
    "addressing": (
        "interface Ethernet: switchport, vrf, ip address, ipv6 enable, ipv6 address",
        "interface Loopback",
        "interface Vlan",
        "vlan",
        "vrf instance (but those of management ports)",
    ),
    "bgp": (
        "router bgp",
        "route-map",
        "ip prefix-list",
        "ipv6 prefix-list",
        "peer-filter",
        "ip route … Null0",
        "ip routing",
        "ipv6 unicast-routing",
        "service routing protocols model",
    ),
    "qos": (
        "interface Ethernet: service-profile, qos, priority-flow-control, tx-queue",
        "qos profile",
        "qos map",
        "qos rewrite",
        "priority-flow-control",
    ),
    "buffers": ("platform trident mmu",),
    "lldp": ("lldp run",),
}
"""Area → what is ours as a whole where the area is. Other lines of an interface stay."""

GNMI = "gnmi"
"""The TLS profile of the gNMI server. Its certificate and key are made on the box (eos.md section 5); until then the
server does not answer, rather than without TLS."""
SERVER = frozenset(
    (
        ("management api gnmi",),
        ("management api gnmi", "transport grpc default"),
        ("management api gnmi", "transport grpc default", f"ssl profile {GNMI}"),
        ("management api gnmi", "provider eos-native"),
        ("management security",),
        ("management security", f"ssl profile {GNMI}"),
        ("management security", f"ssl profile {GNMI}", f"certificate {GNMI}.crt key {GNMI}.key"),
    )
)
"""What an audit reads live state by. Management is of no area, so these lines are only brought to a switch that has no
gNMI server at all, and that is ours as a whole."""
ETHERNET = re.compile(r"interface (Ethernet|Et)\d+(/\d+)*")
_TOP: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (area, re.compile(pattern))
    for area, pattern in (
        ("addressing", r"interface (Loopback|Vlan)\d+|vlan [\d,-]+|vrf instance \S+"),
        ("bgp", r"router bgp \S+|route-map \S+( .*)?|ip(v6)? prefix-list .+|peer-filter \S+"),
        ("bgp", r"ip(v6)? route \S+ [Nn]ull ?0( .*)?|service routing protocols model \S+"),
        ("bgp", r"ip routing( .*)?|ipv6 unicast-routing( .*)?|no ip routing"),
        ("qos", r"qos (profile|map|rewrite|random-detect) .+|(no )?priority-flow-control .+"),
        ("buffers", r"platform trident mmu .+"),
        ("lldp", r"(no )?lldp run"),
    )
)
_ON_PORT: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (area, re.compile(pattern))
    for area, pattern in (
        ("ports", r"description .+|(no )?shutdown|mtu \d+|speed .+|(no )?error-correction encoding.*"),
        ("addressing", r"(no )?switchport|switchport (mode|access|trunk) .+|vrf \S+|ip address .+"),
        ("addressing", r"ipv6 (enable|address .+)"),
        ("qos", r"service-policy type qos input \S+"),
        ("qos", r"service-profile \S+|(no )?qos (trust|cos|dscp)\b.*|(no )?priority-flow-control\b.*"),
        ("qos", r"(uc-)?tx-queue \d|shape rate .+"),
    )
)


def area_of(path: Sequence[str]) -> str:
    """The area of a line with those that it stands below; empty if it is of none."""
    if len(path) == 1:
        return _area(_TOP, path[0])
    if ETHERNET.fullmatch(path[0]):
        return _area(_ON_PORT, path[1])
    return _area(_TOP, path[0])


def _area(table: tuple[tuple[str, re.Pattern[str]], ...], line: str) -> str:
    return next((area for area, pattern in table if pattern.fullmatch(line)), "")
