"""A grammar of the statements that are rendered for Junos, written from the reference and Juniper's YANG, not from our
reader: every statement with the words and ranges that it may have, and where that is proven.

`E` stands in the accepted example, `R` in junos.md, `Y` in Juniper's YANG of 24.4R1-EVO (repository Juniper/yang at
2a696d6, junos-conf-<module>.yang), `U` in none that was read: then a row of UNVERIFIED says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address, ip_interface, ip_network


def _number(low: int, high: int) -> Callable[[str], bool]:
    return lambda word: re.fullmatch(r"0|[1-9][0-9]*", word) is not None and low <= int(word) <= high


def _pattern(pattern: str) -> Callable[[str], bool]:
    return lambda word: re.fullmatch(pattern, word) is not None


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def fits(word: str) -> bool:
        try:
            parse(word)
        except ValueError:
            return False
        return True

    return fits


def _decimal(word: str) -> bool:
    """`decimal64` with 9 digits behind the point, from 0 to 100."""
    return re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", word) is not None and float(word) <= 100


TYPES: Mapping[str, Callable[[str], bool]] = {
    "name": _pattern(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,63}"),
    "instance": _pattern(r"(?!__)(?!all$)[A-Za-z][A-Za-z0-9_-]{0,127}"),
    "text": lambda word: 0 < len(word) <= 900 and word.isprintable(),
    "port": _pattern(r"et-0/0/(0|[1-9][0-9]{0,2})(:[0-7])?"),
    "cos-port": _pattern(r"et-(0/0/(0|[1-9][0-9]{0,2})(:[0-7])?|\*)"),
    "cos-unit": _pattern(r"0|\*"),
    "logical": _pattern(r"(et-0/0/[0-9]{1,3}(:[0-7])?\.0|irb\.[0-9]{1,4}|lo0\.[0-9]{1,4})"),
    "speed": _pattern(r"(10|25|40|50|100|200|400|800)g"),
    "mtu": _number(256, 9216),
    "sub-ports": _number(1, 8),
    "unit": _number(0, 16385),
    "vlan": _number(1, 4094),
    "v4": lambda word: _parses(ip_interface)(word) and ip_interface(word).version == 4 and "/" in word,
    "v6": lambda word: _parses(ip_interface)(word) and ip_interface(word).version == 6 and "/" in word,
    "v4-prefix": lambda word: _parses(ip_network)(word) and ip_network(word).version == 4 and "/" in word,
    "v6-prefix": lambda word: _parses(ip_network)(word) and ip_network(word).version == 6 and "/" in word,
    "prefix": lambda word: _parses(ip_network)(word) and "/" in word,
    "address": _parses(ip_address),
    "router-id": lambda word: _parses(ip_address)(word) and ip_address(word).version == 4,
    "lengths": _pattern(r"/[0-9]{1,3}-/[0-9]{1,3}"),
    "asn": _number(1, 4_294_967_295),
    "asns": _pattern(r"[0-9]{1,10}(-[0-9]{1,10})?"),
    "seconds": _number(0, 65_535),
    "ms": _number(0, 65_535),
    "polls": _number(1, 4_294_967_295),
    "ecmp": lambda word: word == "16" or (word.isdigit() and int(word) % 32 == 0 and 32 <= int(word) <= 512),
    "loops": _number(1, 10),
    "queue": _number(0, 7),
    "priority": _number(0, 7),
    "percent": _number(0, 100),
    "level": _decimal,
    "threshold": _number(0, 10),
    "dedicated": _number(15, 100),
    "metres": _number(1, 40_000),
    "dscp": _pattern(r"[01]{6}"),
    "pcp": _pattern(r"[01]{3}"),
    "rate": _pattern(r"[1-9][0-9]*[kmg]?"),
    "algebra": _pattern(r"[A-Za-z0-9_-]+|\( [A-Za-z0-9_-]+( (&&|\|\|) [A-Za-z0-9_-]+)+ \)"),
    "tcp-port": _number(1, 65_535),
    "us": _number(16, 32_000),
    "flowsets": lambda word: word in ("256", "512", "1024", "2048", "4096", "8192", "16384", "32768"),
    "sampling": _number(1, 10_000_000),
    "anything": lambda word: bool(word),
}

_BGP = """
Y protocols bgp hold-time <seconds>
Y protocols bgp multipath
Y protocols bgp multipath multiple-as
Y protocols bgp defaults ebgp no-policy receive reject
Y protocols bgp defaults ebgp no-policy advertise reject
E protocols bgp group <name> type external
E protocols bgp group <name> multipath multiple-as
Y protocols bgp group <name> type internal
E protocols bgp group <name> family inet6 unicast
Y protocols bgp group <name> family inet unicast
E protocols bgp group <name> family inet unicast extended-nexthop
Y protocols bgp group <name> family inet unicast loops <loops>
Y protocols bgp group <name> family inet6 unicast loops <loops>
Y protocols bgp group <name> import <algebra>
E protocols bgp group <name> export <algebra>
E protocols bgp group <name> peer-as-list <name>
E protocols bgp group <name> dynamic-neighbor <name> peer-auto-discovery family inet6 ipv6-nd
E protocols bgp group <name> dynamic-neighbor <name> peer-auto-discovery interface <logical>
Y protocols bgp group <name> dynamic-neighbor <name> allow <prefix>
R protocols bgp group <name> neighbor <address> peer-as <asn>
Y protocols bgp group <name> neighbor <address>
E routing-options router-id <router-id>
E routing-options autonomous-system <asn>
"""

_TABLE = f"""
E system host-name <name>
E system management-instance
E system services netconf ssh
E system services extension-service request-response grpc ssl port <tcp-port>
E system services extension-service request-response grpc ssl local-certificate <name>
E system services extension-service request-response grpc routing-instance mgmt_junos
E chassis maximum-ecmp <ecmp>
R interfaces <port> number-of-sub-ports <sub-ports>
E interfaces <port> description <text>
Y interfaces <port> disable
E interfaces <port> speed <speed>
E interfaces <port> mtu <mtu>
R interfaces <port> ether-options fec (none|fec74|fec91|fec108|fec161)
U interfaces <port> native-vlan-id <vlan>
U interfaces <port> unit 0 family ethernet-switching interface-mode (access|trunk)
U interfaces <port> unit 0 family ethernet-switching vlan members <name>
E interfaces <port> unit 0 family inet
E interfaces <port> unit 0 family inet address <v4>
E interfaces <port> unit 0 family inet6
Y interfaces <port> unit 0 family inet6 address <v6>
E interfaces lo0 unit <unit> family inet address <v4>
Y interfaces lo0 unit <unit> family inet6 address <v6>
U interfaces irb unit <unit> family inet
U interfaces irb unit <unit> family inet address <v4>
U interfaces irb unit <unit> family inet6
U interfaces irb unit <unit> family inet6 address <v6>
E forwarding-options hash-key family inet (layer-3|layer-4)
E policy-options as-list <name> members <asns>
E policy-options policy-statement <name> then load-balance per-packet
E policy-options policy-statement <name> term <name> from protocol direct
Y policy-options policy-statement <name> term <name> from protocol bgp
U policy-options policy-statement <name> term <name> from protocol static
E policy-options policy-statement <name> term <name> from route-filter <prefix> prefix-length-range <lengths>
E policy-options policy-statement <name> term <name> then (accept|reject)
E class-of-service forwarding-classes class <name> queue-num <queue>
E class-of-service forwarding-classes class <name> no-loss
E class-of-service forwarding-classes class <name> pfc-priority <priority>
E class-of-service classifiers dscp <name> forwarding-class <name> loss-priority low code-points <dscp>
Y class-of-service host-outbound-traffic forwarding-class <name>
E class-of-service drop-profiles <name> interpolate fill-level <level>
E class-of-service drop-profiles <name> interpolate drop-probability <percent>
E class-of-service shared-buffer ingress buffer-partition (lossless|lossless-headroom|lossy) percent <percent>
E class-of-service shared-buffer ingress buffer-partition lossless dynamic-threshold <threshold>
E class-of-service shared-buffer egress buffer-partition (lossless|lossy) percent <percent>
R class-of-service congestion-notification-profile <name> pfc-watchdog
E class-of-service congestion-notification-profile <name> pfc-watchdog poll-interval <ms>
E class-of-service congestion-notification-profile <name> pfc-watchdog detection <polls>
E class-of-service congestion-notification-profile <name> pfc-watchdog recovery <ms>
E class-of-service congestion-notification-profile <name> pfc-watchdog watchdog-action (drop|forward)
E class-of-service congestion-notification-profile <name> input cable-length <metres>
E class-of-service congestion-notification-profile <name> input dscp code-point <dscp> pfc
E class-of-service congestion-notification-profile <name> output ieee-802.1 code-point <pcp> flow-control-queue <queue>
E class-of-service schedulers <name> transmit-rate percent <percent>
U class-of-service schedulers <name> shaping-rate <rate>
E class-of-service schedulers <name> priority (low|strict-high)
E class-of-service schedulers <name> drop-profile-map loss-priority any protocol any drop-profile <name>
E class-of-service schedulers <name> explicit-congestion-notification
E class-of-service scheduler-maps <name> forwarding-class <name> scheduler <name>
E class-of-service interfaces <cos-port> congestion-notification-profile <name>
E class-of-service interfaces <cos-port> scheduler-map <name>
E class-of-service interfaces <cos-port> unit <cos-unit> classifiers dscp <name>
U class-of-service interfaces <cos-port> unit <cos-unit> rewrite-rules dscp <name>
Y routing-instances <instance> instance-type virtual-router
U routing-instances <instance> interface <logical>
{_BGP}
{"".join(f"{row[0]} routing-instances <instance> {row[2:]}" + chr(10) for row in _BGP.strip().splitlines())}
U routing-options static route <v4-prefix> discard
U routing-options rib inet6.0 static route <v6-prefix> discard
E routing-options forwarding-table export <name>
E routing-options forwarding-table ecmp-fast-reroute
E protocols router-advertisement interface <logical>
E protocols lldp port-id-subtype interface-name
E protocols lldp interface all
Y protocols lldp disable
Y vlans <name> vlan-id <vlan>
Y vlans <name> l3-interface <logical>
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement: its words, `<type>` or `(one|other)` where they differ, and where it is proven."""

    proof: str
    words: tuple[str, ...]

    def fits(self, words: tuple[str, ...]) -> bool:
        return len(words) == len(self.words) and all(map(_fits, self.words, words))


def _fits(pattern: str, word: str) -> bool:
    if pattern.startswith("<"):
        return TYPES[pattern[1:-1]](word)
    if pattern.startswith("("):
        return word in pattern[1:-1].split("|")
    return pattern == word


RULES = tuple(Rule(row[0], tuple(row[2:].split())) for row in _TABLE.splitlines() if row.strip())
_BY_FIRST: dict[str, list[Rule]] = {}
for _rule in RULES:
    _BY_FIRST.setdefault(_rule.words[0], []).append(_rule)


def words_of(line: str) -> Iterable[tuple[str, ...]]:
    """The statements of a `set` line: one for each element of a list. Quotes and brackets as Junos reads them."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\(|\)|\[|\]|[^\s\[\]()"]+', line)
    assert tokens[0] == "set", line
    before: list[str] = []
    group: list[str] | None = None
    listed: list[str] | None = None
    for token in tokens[1:]:
        if token == "(":
            group = []
        elif token == ")":
            assert group is not None
            before.append(f"( {' '.join(group)} )")
            group = None
        elif token == "[":
            listed = []
        elif token == "]":
            assert listed, line
            return [(*before, one) for one in listed]
        else:
            plain = token[1:-1].replace('\\"', '"').replace("\\\\", "\\") if token.startswith('"') else token
            (group if group is not None else listed if listed is not None else before).append(plain)
    return [tuple(before)]


def rule_of(words: tuple[str, ...]) -> Rule | None:
    return next((rule for rule in _BY_FIRST.get(words[0], ()) if rule.fits(words)), None)


def problems_of(configuration: str) -> list[str]:
    """The lines that are none of Junos, by this grammar."""
    return [line for line in configuration.splitlines() for words in words_of(line) if rule_of(words) is None]
