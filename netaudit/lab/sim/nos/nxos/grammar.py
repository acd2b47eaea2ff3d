"""Which configuration lines NX-OS takes in which mode: nxos.md, as a table. What is not here is refused as a typo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
    feature: str = ""
    """The feature without which the CLI does not know the line."""
    no: bool = False
    """The line is a setting in its negation too, which stays in the configuration: `no switchport`."""
    ranges: tuple[tuple[int, int, int], ...] = ()
    """(number of the group, least, most) of its numbers."""


_IP4 = r"\d+\.\d+\.\d+\.\d+"
_IP6 = r"[0-9a-fA-F:.]*:[0-9a-fA-F:.]*"
_NET4, _NET6 = rf"{_IP4}/\d+", rf"{_IP6}/\d+"
_NAME = r"[A-Za-z0-9_.:/#+-]{1,64}"
_PORT = r"Ethernet\d+/\d+(?:/\d+)?"
_ASN = r"\d+(?:\.\d+)?"
_COS = r"[0-7](?:[,-][0-7])*"

_Table = tuple[tuple[str, int, Mapping[str, object]], ...]

_GLOBAL: Final[_Table] = (
    (rf"hostname ({_NAME})", 1, {}),
    (
        r"feature (bgp|bfd|lldp|nxapi|grpc|openconfig|interface-vlan|scp-server|sftp-server|ssh|lacp|netconf|dhcp)",
        2,
        {},
    ),
    (r"username \S+ .*", 0, {}),
    (r"snmp-server .*", 0, {}),
    (r"rmon event .*", 0, {}),
    (r"(ip domain-lookup|ip domain-name \S+|copp profile \w+|no password strength-check)", 0, {}),
    (r"password strength-check", 0, {"no": True}),
    (rf"ntp server ({_IP4}|{_IP6}|{_NAME})( prefer)?( use-vrf {_NAME})?( key \d+)?", 3, {}),
    (rf"ntp source-interface {_NAME}", 2, {}),
    (rf"logging server ({_IP4}|{_IP6}|{_NAME})( [0-7])?( port \d+)?( use-vrf {_NAME})?( facility \w+)?", 3, {}),
    (rf"logging source-interface {_NAME}", 2, {}),
    (r"clock timezone .*", 2, {}),
    (r"boot nxos \S+( sup-1)?", 2, {}),
    (r"line (console|vty)", 0, {"opens": "line"}),
    (rf"vdc {_NAME} id 1", 1, {"opens": "vdc"}),
    (r"system default switchport( shutdown)?", 0, {"no": True}),
    (r"system jumbomtu (\d+)", 2, {"ranges": ((1, 1500, 9216),)}),
    (r"vlan ([\d,-]+)", 2, {"opens": "vlan"}),
    (rf"vrf context ({_NAME})", 3, {"opens": "vrf"}),
    (rf"ip route {_NET4} (Null0|{_IP4}|{_PORT} {_IP4}|{_PORT})( \d+)?( name {_NAME})?( tag \d+)?", 0, {}),
    (rf"ipv6 route {_NET6} (Null0|{_IP6}|{_PORT} {_IP6}|{_PORT})( \d+)?( name {_NAME})?( tag \d+)?", 0, {}),
    (rf"class-map type qos match-(any|all) ({_NAME})", 0, {"opens": "class-map"}),
    (rf"policy-map type qos ({_NAME})", 4, {"opens": "pmap-qos"}),
    (rf"policy-map type network-qos ({_NAME})", 4, {"opens": "pmap-nqos"}),
    (rf"policy-map type queuing ({_NAME})", 4, {"opens": "pmap-queuing"}),
    (r"system qos", 2, {"opens": "system-qos"}),
    (r"priority-flow-control watch-dog-interval (on|off)", 2, {}),
    (r"priority-flow-control watch-dog interval (\d+)", 3, {"ranges": ((1, 101, 1000),)}),
    (r"priority-flow-control (auto|fixed)-restore multiplier (\d+)", 3, {"ranges": ((2, 0, 100),)}),
    (r"priority-flow-control watch-dog shutdown-multiplier (\d+)", 3, {"ranges": ((1, 1, 10),)}),
    (r"bfd (ipv[46] )?interval (\d+) min_rx (\d+) multiplier (\d+)", 2, {"feature": "bfd"}),
    (rf"ip prefix-list ({_NAME}) seq (\d+) (permit|deny) {_NET4}( (eq|ge|le) \d+)*", 5, {}),
    (rf"ipv6 prefix-list ({_NAME}) seq (\d+) (permit|deny) {_NET6}( (eq|ge|le) \d+)*", 5, {}),
    (rf"route-map ({_NAME}) (permit|deny) (\d+)", 0, {"opens": "route-map", "ranges": ((3, 0, 65535),)}),
    (
        r"ip load-sharing address (source-destination|destination)( port (source-destination|destination))?( gre)?"
        r"( universal-id \d+)?( rotate \d+)?( concatenation)?",
        2,
        {},
    ),
    (r"hardware profile dlb", 3, {"opens": "dlb"}),
    (r"hardware profile ecmp resilient", 0, {}),
    (r"hardware access-list tcam region [a-z0-9-]+ \d+", 5, {}),
    (r"interface breakout module (\d+) port ([\d,-]+) map (\d+g-\dx)", 6, {}),
    (rf"interface ({_PORT}|mgmt0)", 2, {"opens": "interface"}),
    (r"interface (loopback)(\d+)", 2, {"opens": "loopback", "ranges": ((2, 0, 1023),)}),
    (r"interface (Vlan)(\d+)", 2, {"opens": "svi", "feature": "interface-vlan", "ranges": ((2, 1, 4094),)}),
    (rf"router bgp ({_ASN})", 2, {"opens": "bgp", "feature": "bgp"}),
    (r"lldp (holdtime|timer|reinit) (\d+)", 2, {"feature": "lldp"}),
    (r"lldp (portid-subtype|tlv-select) [\w-]+", 0, {"feature": "lldp", "no": True}),
    (r"grpc port (\d+)", 2, {"feature": "grpc", "ranges": ((1, 1024, 65535),)}),
    (rf"grpc (use-vrf|certificate) {_NAME}", 2, {"feature": "grpc"}),
    (r"grpc gnmi max-concurrent-calls (\d+)", 3, {"feature": "grpc", "ranges": ((1, 1, 16),)}),
    (r"nxapi (https|http) port (\d+)", 3, {"feature": "nxapi"}),
    (rf"nxapi use-vrf {_NAME}", 2, {"feature": "nxapi"}),
)

_COMMON_PORT: Final[_Table] = (
    (r"description \S.{0,253}", 1, {}),
    (r"shutdown", 1, {"no": True}),
    (rf"vrf member ({_NAME})", 2, {}),
    (rf"ip address {_NET4}( tag \d+)?", 2, {}),
    (rf"ip address {_NET4} secondary( tag \d+)?", 0, {}),
    (rf"ipv6 address {_NET6}( tag \d+)?", 0, {}),
    (r"mtu (\d+)", 1, {"ranges": ((1, 576, 9216),)}),
    (r"(ip|ipv6) redirects", 2, {"no": True}),
)

_INTERFACE: Final[_Table] = (
    *_COMMON_PORT,
    (r"switchport", 1, {"no": True}),
    (r"switchport mode (access|trunk)", 2, {}),
    (r"switchport access vlan (\d+)", 3, {"ranges": ((1, 1, 4094),)}),
    (r"switchport trunk native vlan (\d+)", 4, {"ranges": ((1, 1, 4094),)}),
    (r"switchport trunk allowed vlan ([\d,-]+|none|all)", 4, {}),
    (r"spanning-tree port type (edge|network|normal)( trunk)?", 3, {}),
    (r"speed (auto|1000|10000|25000|40000|50000|100000|200000|400000|800000)", 1, {}),
    (r"fec (auto|off|fc-fec|rs-fec|rs-cons16|rs-ieee|kp-fec)", 1, {}),
    (r"negotiate auto( \d+)?", 2, {"no": True}),
    (r"ip forward", 2, {}),
    (r"ipv6 address use-link-local-only", 0, {}),
    (r"ipv6 link-local use-bia", 2, {}),
    (r"ipv6 nd ra-interval (\d+)( min \d+)?", 3, {"ranges": ((1, 4, 1800),)}),
    (r"ipv6 nd ra-lifetime (\d+)", 3, {"ranges": ((1, 0, 9000),)}),
    (r"ipv6 nd suppress-ra", 3, {"no": True}),
    (r"priority-flow-control mode (auto|off|on|on send-tlv)", 2, {}),
    (
        r"priority-flow-control watch-dog-interval (on|off)( disable-action)?( interface-multiplier \d+)?",
        2,
        {},
    ),
    (rf"service-policy type qos input ({_NAME})( no-stats)?", 4, {}),
    (rf"service-policy type queuing (input|output) ({_NAME})", 4, {}),
    (r"lldp (transmit|receive)", 2, {"feature": "lldp", "no": True}),
    (r"bfd (ipv[46] )?interval (\d+) min_rx (\d+) multiplier (\d+)", 2, {"feature": "bfd"}),
    (r"bfd echo", 2, {"feature": "bfd", "no": True}),
    (r"load-interval counter \d \d+", 3, {}),
)

_FAMILY: Final[_Table] = (
    (r"address-family (ipv4|ipv6) unicast", 0, {"opens": "bgp-af"}),
    (r"router-id \S+", 1, {}),
    (r"timers bgp (\d+) (\d+)", 2, {}),
    (rf"local-as ({_ASN})", 1, {}),
    (r"bestpath as-path multipath-relax", 3, {}),
    (r"log-neighbor-changes", 1, {}),
    (r"reconnect-interval (\d+)", 1, {"ranges": ((1, 1, 60),)}),
    (rf"neighbor ({_IP4}|{_IP6}|{_PORT})", 2, {"opens": "bgp-neighbor"}),
)

_NEIGHBOR: Final[_Table] = (
    (rf"remote-as ({_ASN}|external|internal)", 1, {}),
    (rf"inherit peer ({_NAME})", 2, {}),
    (r"description \S.{0,79}", 1, {}),
    (r"shutdown", 1, {}),
    (r"bfd( singlehop| multihop)?", 1, {"feature": "bfd"}),
    (r"timers (\d+) (\d+)", 1, {}),
    (rf"update-source {_NAME}", 1, {}),
    (r"ebgp-multihop (\d+)", 1, {"ranges": ((1, 2, 255),)}),
    (r"low-memory exempt", 2, {}),
    (r"log-neighbor-changes", 1, {}),
    (r"address-family (ipv4|ipv6) unicast", 0, {"opens": "bgp-neighbor-af"}),
)

_TABLES: Final[Mapping[str, _Table]] = {
    "": _GLOBAL,
    "line": ((r"exec-timeout \d+( \d+)?", 1, {}), (r"session-limit \d+", 1, {})),
    "vdc": ((r"limit-resource \S+ minimum \d+ maximum \d+", 2, {}),),
    "vlan": ((rf"name {_NAME}", 1, {}), (r"state (active|suspend)", 1, {})),
    "vrf": (
        (rf"ip route {_NET4} (Null0|{_IP4}|{_PORT} {_IP4}|{_PORT})( \d+)?( name {_NAME})?( tag \d+)?", 0, {}),
        (rf"ipv6 route {_NET6} (Null0|{_IP6}|{_PORT} {_IP6}|{_PORT})( \d+)?( name {_NAME})?( tag \d+)?", 0, {}),
        (r"description \S.*", 1, {}),
        (r"address-family (ipv4|ipv6) unicast", 0, {"opens": "vrf-af"}),
    ),
    "vrf-af": ((r"maximum routes \d+ \d+", 2, {}),),
    "class-map": ((r"match (dscp|cos|precedence) [\d,-]+", 2, {}), (r"description \S.*", 1, {})),
    "pmap-qos": ((rf"class ({_NAME})", 2, {"opens": "pmap-qos-class"}),),
    "pmap-qos-class": (
        (r"set qos-group ([0-7])", 2, {}),
        (r"set dscp (\d+)", 2, {"ranges": ((1, 0, 63),)}),
        (r"set cos ([0-7])", 2, {}),
    ),
    "pmap-nqos": ((r"class type network-qos (c-[48]q-nq(?:[1-7]|-default))", 4, {"opens": "pmap-nqos-class"}),),
    "pmap-nqos-class": (
        (r"mtu (\d+)", 1, {"ranges": ((1, 576, 9216),)}),
        (rf"pause pfc-cos {_COS}( receive)?", 2, {}),
        (r"congestion-control random-detect.*", 1, {}),
    ),
    "pmap-queuing": (
        (r"class type queuing (c-out-8q-q(?:[1-7]|-default)|c-in-q(?:[1-7]|-default))", 4, {"opens": "pmap-q-class"}),
    ),
    "pmap-q-class": (
        (r"bandwidth( remaining)? percent (\d+)", 1, {"ranges": ((2, 0, 100),)}),
        (r"priority level ([1-8])", 1, {}),
        (r"shape min (\d+) (bps|kbps|mbps|gbps) max (\d+) (bps|kbps|mbps|gbps)", 1, {}),
        (
            r"random-detect minimum-threshold (\d+) (?:bytes|kbytes|mbytes|packets) maximum-threshold (\d+) "
            r"(?:bytes|kbytes|mbytes|packets) drop-probability (\d+) weight (\d+)( ecn)?",
            1,
            {"ranges": ((3, 1, 100), (4, 0, 15))},
        ),
        (r"queue-limit (dynamic (\d+)|(\d+) (bytes|kbytes|mbytes))", 1, {}),
        (
            r"pause buffer-size (\d+) pause-threshold (\d+) resume-threshold (\d+)",
            1,
            {"ranges": ((1, 5000, 268435456), (2, 0, 268435456), (3, 0, 268435456))},
        ),
    ),
    "system-qos": (
        (rf"service-policy type network-qos ({_NAME})", 3, {}),
        (rf"service-policy type queuing (input|output) ({_NAME})", 4, {}),
    ),
    "route-map": (
        (rf"match ip address prefix-list ({_NAME}( {_NAME})*)", 4, {}),
        (rf"match ipv6 address prefix-list ({_NAME}( {_NAME})*)", 4, {}),
        (r"match (tag|source-protocol) \S+", 2, {}),
        (r"set (metric|local-preference|community|as-path prepend|weight) .*", 2, {}),
        (r"description \S.*", 1, {}),
    ),
    "dlb": (
        (r"dlb-interface (all|(?:Eth|Ethernet)\d\S*)", 1, {}),
        (r"mac-address [0-9A-Fa-f:.]+", 1, {}),
        (r"mode (flowlet|per-packet|policy-driven per-packet)", 1, {}),
        (r"flowlet-aging (\d+)", 1, {}),
    ),
    "interface": _INTERFACE,
    "loopback": _COMMON_PORT,
    "svi": (*_COMMON_PORT, (r"autostate", 1, {"no": True})),
    "bgp": (
        *_FAMILY,
        (rf"template peer ({_NAME})", 3, {"opens": "bgp-neighbor"}),
        (rf"vrf ({_NAME})", 2, {"opens": "bgp-vrf"}),
    ),
    "bgp-vrf": _FAMILY,
    "bgp-af": (
        (rf"network ({_NET4}|{_NET6})( route-map {_NAME})?", 2, {}),
        (rf"redistribute (direct|static) route-map {_NAME}", 2, {}),
        (r"maximum-paths (\d+)", 1, {"ranges": ((1, 1, 512),)}),
        (r"maximum-paths ibgp (\d+)", 2, {"ranges": ((1, 1, 512),)}),
        (rf"aggregate-address ({_NET4}|{_NET6})( summary-only)?", 2, {}),
    ),
    "bgp-neighbor": _NEIGHBOR,
    "bgp-neighbor-af": (
        (rf"route-map {_NAME} (in|out)", 0, {}),
        (r"allowas-in( \d+)?", 1, {}),
        (r"send-community( extended| both)?", 0, {}),
        (r"soft-reconfiguration inbound( always)?", 2, {}),
        (r"disable-peer-as-check", 1, {}),
        (r"next-hop-self", 1, {}),
        (r"default-originate", 1, {}),
        (r"maximum-prefix \d+.*", 1, {}),
    ),
}


@cache
def rules(mode: str) -> tuple[Rule, ...]:
    """The lines of a mode; the empty one is that of `configure terminal`."""
    return tuple(
        Rule(pattern=re.compile(pattern, re.ASCII), same=same, **options)  # type: ignore[arg-type]
        for pattern, same, options in _TABLES[mode]
    )


def matching(mode: str, line: str) -> tuple[Rule, re.Match[str]] | None:
    """The rule that takes a whole line."""
    return next(((rule, found) for rule in rules(mode) if (found := rule.pattern.fullmatch(line))), None)


_WORD: Final = {
    "interface": "config-if",
    "loopback": "config-if",
    "svi": "config-if",
    "bgp": "config-router",
    "bgp-vrf": "config-router-vrf",
    "bgp-af": "config-router-af",
    "bgp-neighbor": "config-router-neighbor",
    "bgp-neighbor-af": "config-router-neighbor-af",
    "class-map": "config-cmap-qos",
    "pmap-qos": "config-pmap-qos",
    "pmap-qos-class": "config-pmap-c-qos",
    "pmap-nqos": "config-pmap-nqos",
    "pmap-nqos-class": "config-pmap-nqos-c",
    "pmap-queuing": "config-pmap-que",
    "pmap-q-class": "config-pmap-c-que",
    "system-qos": "config-sys-qos",
    "route-map": "config-route-map",
    "vrf": "config-vrf",
    "vlan": "config-vlan",
}


def prompt_word(mode: str) -> str:
    """What stands in brackets behind the name of the switch."""
    return _WORD.get(mode, "config" if not mode else f"config-{mode}")


_NUMBER: Final = re.compile(r"(\d+)")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts `Ethernet1/2` before `Ethernet1/10`."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _NUMBER.split(text) if part)


_ORDER: Final = (
    "hostname",
    "vdc",
    "feature",
    "username",
    "no password",
    "ip domain",
    "snmp-server",
    "rmon",
    "ntp",
    "logging",
    "clock",
    "system default",
    "vlan",
    "ip prefix-list",
    "ipv6 prefix-list",
    "route-map",
    "ip route",
    "ipv6 route",
    "vrf context",
    "class-map",
    "policy-map type qos",
    "policy-map type network-qos",
    "policy-map type queuing",
    "system qos",
    "priority-flow-control",
    "hardware",
    "ip load-sharing",
    "bfd",
    "interface breakout",
    "interface Vlan",
    "interface Ethernet",
    "interface mgmt",
    "interface loopback",
    "line",
    "boot",
    "router bgp",
)


def sorted_heads(heads: Iterator[str] | list[str]) -> list[str]:
    """Outermost lines in the order in which `show running-config` prints them; that order itself is unverified."""

    def rank(line: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
        place = next((at for at, start in enumerate(_ORDER) if line.startswith(start)), len(_ORDER))
        return place, natural(line) if line.startswith(("interface", "vlan", "feature", "ip pref", "ipv6 pref")) else ()

    return sorted(heads, key=rank)
