"""What EOS's CLI takes as configuration: each mode with its lines. What is not here is refused as a typo."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One form of a line."""

    pattern: re.Pattern[str]
    same: int
    """How many of its first words say which setting it is: a line with the same ones replaces it. 0: all of them."""
    opens: str = ""
    """The mode that follows."""
    no: bool = False
    """Its negation is a setting too, which stays in the configuration: `no switchport`."""


IP4 = r"\d+\.\d+\.\d+\.\d+"
IP6 = r"[0-9a-fA-F:.]*:[0-9a-fA-F:.]*"
NET = rf"(?:{IP4}|{IP6})/\d+"
NAME = r"[A-Za-z0-9_.:/#+-]{1,100}"
ASN = r"\d+(?:\.\d+)?"
PORT = r"Ethernet\d+(?:/\d+)*"
SECONDS = r"\d+(?:\.\d+)?"
SIZE = r"(?:bytes |cells )?\d+"
SHARE = r"(?:1/128|1/64|1/32|1/16|1/8|1/4|1/2|1|2|4|8)"
SPEED = (
    r"(?:auto |forced )?(?:1\.6t-8|800g-[48]|400g-[248]|200g-[124]|100g-[124]|50g-[12]|40g-4|40g|25g|10g|1g|"
    r"\d+g?full|100g|200g|400g)|auto"
)
"""A closed list (eos.md section 2): plain `800g` is refused."""

_Row = tuple[str, int, str]
"""(pattern, same words, `>mode` and `!` for a negation that stays)."""

_WATCHDOG: Final[tuple[_Row, ...]] = (
    (r"priority-flow-control pause watchdog", 0, ""),
    (
        rf"priority-flow-control pause watchdog port timer timeout {SECONDS} polling-interval (?:{SECONDS}|auto) "
        rf"recovery-time {SECONDS}( forced)?",
        5,
        "",
    ),
    (r"priority-flow-control pause watchdog port action (drop|notify-only)", 5, ""),
    (r"priority-flow-control on", 0, ""),
    (r"priority-flow-control priority [0-7] (no-drop|drop)", 3, ""),
    (r"qos trust (dscp|cos)", 2, "!"),
    (r"(uc-tx-queue|tx-queue|mc-tx-queue) [0-7]", 0, ">queue"),
)
_LAYER_3: Final[tuple[_Row, ...]] = (
    (r"description \S.{0,239}", 1, ""),
    (r"shutdown", 1, ""),
    (rf"vrf {NAME}", 1, ""),
    (rf"ip address {IP4}/\d+", 2, ""),
    (rf"ip address {IP4}/\d+ secondary", 0, ""),
    (r"ipv6 enable", 0, ""),
    (rf"ipv6 address {IP6}/\d+", 0, ""),
    (r"mtu (6[89]|[7-9]\d|\d{3,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])", 1, ""),
)
_PORT: Final[tuple[_Row, ...]] = (
    *_LAYER_3,
    *_WATCHDOG,
    (r"switchport", 1, "!"),
    (r"switchport mode (access|trunk)", 2, ""),
    (r"switchport access vlan \d+", 3, ""),
    (r"switchport trunk native vlan \d+", 4, ""),
    (r"switchport trunk allowed vlan ([\d,-]+|none|all)", 4, ""),
    (rf"speed ({SPEED})", 1, ""),
    (r"error-correction encoding (reed-solomon|fire-code)", 2, "!"),
    (r"load-interval \d+", 1, ""),
    (rf"service-profile {NAME}", 1, ""),
    (r"lldp (transmit|receive)", 0, "!"),
    (r"bfd interval \d+ min[-_]rx \d+ multiplier \d+", 2, ""),
    (r"spanning-tree portfast.*", 2, ""),
)
_BGP: Final[tuple[_Row, ...]] = (
    (rf"router-id {IP4}", 1, ""),
    (rf"local-as {ASN}", 1, ""),
    (rf"rd {NAME}", 1, ""),
    (r"update wait-install", 0, ""),
    (r"distance bgp \d+ \d+ \d+", 2, ""),
    (r"timers bgp \d+ \d+", 2, ""),
    (r"maximum-paths \d+( ecmp \d+)?", 1, ""),
    (r"bgp default ipv4-unicast", 0, "!"),
    (r"bgp bestpath as-path multipath-relax", 0, "!"),
    (r"bgp missing-policy( include [a-z -]+)? direction (in|out) action \S+", 5, ""),
    (r"bgp (log-neighbor-changes|asn notation (asdot|asplain)|bestpath .*|graceful-restart.*)", 0, ""),
    (rf"bgp listen range {NET} peer-group {NAME} (peer-filter {NAME}|remote-as {ASN})", 4, ""),
    (rf"neighbor {NAME} peer group", 0, ""),
    (rf"neighbor {NAME} peer group {NAME}", 4, ""),
    (rf"neighbor interface {PORT} peer-group {NAME} (peer-filter {NAME}|remote-as {ASN})", 3, ""),
    (rf"neighbor {NAME} remote-as {ASN}", 3, ""),
    (rf"neighbor {NAME} description \S.*", 3, ""),
    (rf"neighbor {NAME} route-map {NAME} (in|out)", 0, ""),
    (rf"neighbor {NAME} allowas-in( \d+)?", 3, ""),
    (rf"neighbor {NAME} timers \d+ \d+", 3, ""),
    (rf"neighbor {NAME} maximum-routes \d+.*", 3, ""),
    (rf"neighbor {NAME} (bfd|shutdown|send-community.*|ebgp-multihop.*|update-source \S+|local-as .*)", 3, ""),
    (rf"neighbor {NAME} password .*", 3, ""),
    (rf"neighbor {NAME} (missing-policy|default-originate|remove-private-as|next-hop-self).*", 0, ""),
    (rf"redistribute (connected|static)( route-map {NAME})?", 2, ""),
    (rf"network {NET}( route-map {NAME})?", 2, ""),
    (r"address-family (ipv4|ipv6)", 0, ">bgp-af"),
)
_FAMILY: Final[tuple[_Row, ...]] = (
    (rf"neighbor {NAME} activate", 0, "!"),
    (rf"neighbor {NAME} next-hop address-family ipv6 originate", 0, ""),
    (rf"neighbor {NAME} route-map {NAME} (in|out)", 0, ""),
    (r"bgp missing-policy.* action \S+", 5, ""),
    (rf"network {NET}( route-map {NAME})?", 2, ""),
    (rf"redistribute (connected|static)( route-map {NAME})?", 2, ""),
)
_MANAGEMENT = (
    r"(username|enable|aaa|ntp|logging|snmp-server|ip name-server|ip domain|dns domain|clock|ip ssh|transceiver|prompt|"
    r"tacacs-server|radius-server|errdisable|ip domain-list|hardware tcam|no aaa) .*"
)

_TABLES: Final[dict[str, tuple[_Row, ...]]] = {
    "": (
        (r"service routing protocols model (multi-agent|ribd)", 4, ""),
        (rf"hostname {NAME}", 1, ""),
        (_MANAGEMENT, 0, ""),
        (r"spanning-tree mode \S+", 2, ""),
        (r"aaa root", 0, "!"),
        (r"boot system \S+", 2, ""),
        (r"qos rewrite (dscp|cos)", 0, ""),
        (r"qos random-detect ecn allow non-ect( chip-based)?", 0, ""),
        (r"qos map dscp ([0-9]|[1-5]\d|6[0-3]) to traffic-class [0-7]", 4, ""),
        (r"qos map traffic-class [0-6] to tx-queue [0-7]", 4, ""),
        (r"qos map traffic-class [0-7] to dscp \d+", 0, ""),
        (rf"priority-flow-control pause watchdog default (timeout|recovery-time|polling-interval) {SECONDS}", 5, ""),
        (r"priority-flow-control pause watchdog action (drop|errdisable|notify-only)", 4, ""),
        (r"priority-flow-control all off", 0, ""),
        (rf"qos profile {NAME}", 0, ">profile"),
        (rf"platform trident mmu queue profile {NAME}", 0, ">mmu"),
        (rf"platform trident mmu queue profile {NAME} apply", 5, ""),
        (rf"platform trident mmu headroom-pool limit {SIZE}", 5, ""),
        (r"hardware counter feature ecn out", 0, ""),
        (r"ip hardware fib load-balance distribution dynamic", 0, ""),
        (r"ip hardware fib load-balance distribution dynamic flow-set-size [1-7]", 7, ""),
        (r"ip hardware fib .*", 0, ""),
        (r"load-balance (cluster|policies)", 0, ">balance"),
        (r"ip load-sharing .*", 0, ""),
        (rf"vrf instance {NAME}", 0, ">vrf"),
        (r"ip routing( ipv6 interfaces)?", 2, "!"),
        (rf"ip routing( ipv6 interfaces)? vrf {NAME}", 0, "!"),
        (rf"ipv6 unicast-routing( vrf {NAME})?", 0, ""),
        (r"vlan [\d,-]+", 0, ">vlan"),
        (r"interface Ethernet\d+(?:/\d+)*", 0, ">port"),
        (r"interface (Loopback|Vlan|Management|Port-Channel)\d+", 0, ">layer3"),
        (rf"ip prefix-list {NAME}", 0, ">list"),
        (rf"ipv6 prefix-list {NAME}", 0, ">list6"),
        (rf"route-map {NAME} (permit|deny) \d+", 0, ">route-map"),
        (rf"peer-filter {NAME}", 0, ">filter"),
        (rf"ip route( vrf {NAME})? {IP4}/\d+ (Null0|{IP4}|{PORT}( {IP4})?)( \d+)?( name {NAME})?", 0, ""),
        (rf"ipv6 route( vrf {NAME})? {IP6}/\d+ (Null0|{IP6}|{PORT}( {IP6})?)( \d+)?( name {NAME})?", 0, ""),
        (r"router bfd", 0, ">bfd"),
        (rf"router bgp {ASN}", 2, ">bgp"),
        (r"lldp run", 0, "!"),
        (r"lldp timer \d+", 2, ""),
        (r"management api (gnmi|http-commands|models|netconf)", 0, ">api"),
        (r"management (security|ssh|console|defaults|cvx|tech-support)", 0, ">api"),
    ),
    "profile": _WATCHDOG,
    "queue": (
        (r"priority( strict)?", 1, "!"),
        (r"bandwidth percent \d+", 2, ""),
        (r"bandwidth guaranteed( percent)? \d+", 2, ""),
        (r"shape rate \d+( kbps| percent)?", 2, ""),
        (r"random-detect ecn count", 0, ""),
        (
            r"random-detect (ecn|drop) minimum-threshold \d+ (\w+) maximum-threshold \d+ \2"
            r"( (max-mark-probability|drop-probability) ([1-9]\d?|100))?( weight (\d|1[0-5]))?",
            3,
            "",
        ),
    ),
    "mmu": (
        (rf"ingress reserved {SIZE}", 2, ""),
        (rf"ingress threshold {SHARE}", 2, ""),
        (rf"ingress headroom {SIZE}", 2, ""),
        (rf"ingress resume {SIZE}", 2, ""),
        (rf"ingress priority-group [0-7] reserved {SIZE}", 4, ""),
        (rf"ingress priority-group [0-7] threshold {SHARE}", 4, ""),
        (rf"egress (unicast|multicast) queue [0-7] reserved {SIZE}", 5, ""),
        (rf"egress (unicast|multicast) queue [0-7] threshold {SHARE}", 5, ""),
    ),
    "port": _PORT,
    "layer3": (*_LAYER_3, (r"autostate", 0, "!")),
    "vlan": ((rf"name {NAME}", 1, ""), (r"state (active|suspend)", 1, "")),
    "vrf": ((r"rd \S+", 1, ""), (r"description \S.*", 1, "")),
    "list": ((rf"seq \d+ (permit|deny) {IP4}/\d+( (eq|ge|le) \d+)*", 2, ""),),
    "list6": ((rf"seq \d+ (permit|deny) {IP6}/\d+( (eq|ge|le) \d+)*", 2, ""),),
    "route-map": (
        (rf"match ip address prefix-list {NAME}", 4, ""),
        (rf"match ipv6 address prefix-list {NAME}", 4, ""),
        (r"(set|continue|description|sub-route-map) .*", 0, ""),
        (r"match (as-path|community|tag|local-preference) .*", 2, ""),
    ),
    "filter": ((r"\d+ match as-range \d+(-\d+)? result (accept|reject)", 1, ""),),
    "bfd": ((r"interval \d+ min[-_]rx \d+ multiplier \d+ default", 1, ""), (r"slow-timer \d+", 1, "")),
    "bgp": (*_BGP, (rf"vrf {NAME}", 0, ">bgp-vrf")),
    "bgp-vrf": _BGP,
    "bgp-af": _FAMILY,
    "balance": (
        (r"(forwarding type|destination grouping|load-balance (method|sand)|port group|flow|balance|fields) .*", 0, ""),
    ),
    "api": (
        (rf"transport (grpc|http) {NAME}", 0, ">transport"),
        (rf"vrf {NAME}", 0, ">transport"),
        (rf"ssl profile {NAME}", 0, ">transport"),
        (r"provider \S+", 0, ">transport"),
        (r"shutdown", 0, "!"),
        (r"(protocol|port|idle-timeout|password|entropy|authentication|connection) .*", 0, ""),
    ),
    "transport": (
        (r"shutdown", 0, "!"),
        (r"(ssl profile|vrf|port|ip access-group|certificate|trust|tls|authorization|notification) .*", 1, ""),
    ),
}


@cache
def rules(mode: str) -> tuple[Rule, ...]:
    """The lines of a mode; the empty one is that of `configure terminal`."""
    return tuple(
        Rule(
            pattern=re.compile(pattern, re.ASCII),
            same=same,
            opens=what[1:] if what.startswith(">") else "",
            no=what == "!",
        )
        for pattern, same, what in _TABLES[mode]
    )


def matching(mode: str, line: str) -> Rule | None:
    """The rule that takes a whole line."""
    return next((rule for rule in rules(mode) if rule.pattern.fullmatch(line)), None)


WORD: Final = {"": "config", "port": "config-if", "layer3": "config-if", "bgp": "config-router-bgp"}
"""Mode → what stands in the brackets of the prompt."""

_NUMBER: Final = re.compile(r"(\d+)")
_ORDER: Final = (
    "service routing",
    "platform trident mmu queue profile",
    "load-balance",
    "hostname",
    "qos profile",
    "spanning-tree",
    "aaa",
    "no aaa",
    "username",
    "vlan",
    "vrf instance",
    "management",
    "interface Port-Channel",
    "interface Ethernet",
    "interface Loopback",
    "interface Management",
    "interface Vlan",
    "ip routing",
    "no ip routing",
    "ip hardware",
    "ip prefix-list",
    "ipv6 prefix-list",
    "ip route",
    "ipv6 unicast-routing",
    "ipv6 route",
    "qos",
    "priority-flow-control",
    "route-map",
    "peer-filter",
    "router bfd",
    "router bgp",
)
"""Order of the outermost lines, as pyavd has it (eos.md section 1); that of a switch is close to it."""


def ordered(heads: Iterable[str]) -> list[str]:
    """Outermost lines in the order in which `show running-config` prints them."""

    def rank(line: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
        place = next((at for at, start in enumerate(_ORDER) if line.startswith(start)), len(_ORDER))
        parts = (part for part in _NUMBER.split(line) if part)
        return place, tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)

    return sorted(heads, key=rank)
