"""A grammar of the statements in nxos.md, mode by mode, written without the reader: what else is there is no NX-OS.

Numbers in a pattern are checked against their range; where a line opens a mode, what is indented below is of that mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_interface, ip_network

V4, V6 = r"(?P<v4>\d+\.\d+\.\d+\.\d+)", r"(?P<v6>[0-9a-f:.]*:[0-9a-f:.]*)"
P4, P6 = rf"{V4}/(?P<l4>\d+)", rf"{V6}/(?P<l6>\d+)"
NAME = r"[A-Za-z][A-Za-z0-9_.-]{0,62}"
ASN = r"(?P<asn>\d+)"
N = r"(?P<n>\d+)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One statement: its words, the range of its number, and the mode it opens."""

    words: str
    low: int = 0
    high: int = 0
    mode: str = ""
    once: bool = True
    """Not twice in one block."""
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(self.words, re.ASCII))


def many(words: str, mode: str = "", low: int = 0, high: int = 0) -> Rule:
    return Rule(words=words, mode=mode, low=low, high=high, once=False)


_NEIGHBOR_FAMILY = (
    Rule(words=rf"allowas-in {N}", low=1, high=10),
    Rule(words=r"disable-peer-as-check"),
    many(rf"route-map {NAME} (in|out)"),
)
_NEIGHBOR = (
    Rule(words=rf"remote-as ({ASN}|external|internal)"),
    many(r"address-family ipv[46] unicast", mode="neighbor-family"),
)
_SPEAKER = (
    Rule(words=rf"router-id {V4}"),
    Rule(words=r"timers bgp (?P<keepalive>\d{1,4}) (?P<hold>\d{1,4})"),
    Rule(words=r"bestpath as-path multipath-relax"),
    many(rf"neighbor ({V4}|{V6}|Ethernet\d+(/\d+){{1,2}})", mode="neighbor"),
)
MODES: Mapping[str, tuple[Rule, ...]] = {
    "": (
        Rule(words=r"hostname [A-Za-z0-9][A-Za-z0-9_.-]{0,62}"),
        many(r"feature (bgp|lldp|grpc|openconfig|interface-vlan)"),
        many(rf"interface breakout module 1 port {N} map (10|25|50|100|200|400|800)g-[1248]x", low=1, high=128),
        many(rf"vlan {N}", low=1, high=4094),
        many(rf"vrf context (?!default$|management$){NAME}"),
        many(rf"class-map type qos match-any {NAME}", mode="class-map"),
        many(rf"policy-map type qos {NAME}", mode="classifier"),
        Rule(words=rf"policy-map type network-qos {NAME}", mode="network-qos"),
        many(rf"policy-map type queuing {NAME}", mode="queuing"),
        Rule(words=r"system qos", mode="system-qos"),
        Rule(words=r"priority-flow-control watch-dog-interval on"),
        Rule(words=rf"priority-flow-control watch-dog interval {N}", low=101, high=1000),
        Rule(words=rf"priority-flow-control fixed-restore multiplier {N}", low=1, high=100),
        Rule(
            words=r"ip load-sharing address (source-destination|destination)( port (source-destination|destination))?"
        ),
        many(rf"ip prefix-list {NAME} seq {N} permit {P4}( le (?P<le4>\d+))?", low=1, high=4294967294),
        many(rf"ipv6 prefix-list {NAME} seq {N} permit {P6}( le (?P<le6>\d+))?", low=1, high=4294967294),
        many(rf"route-map {NAME} (permit|deny) {N}", mode="route-map", low=0, high=65535),
        many(rf"ip route {P4} Null0"),
        many(rf"ipv6 route {P6} Null0"),
        many(r"interface Ethernet1/\d{1,3}(/\d{1,2})?", mode="port"),
        many(rf"interface Vlan{N}", mode="layer3", low=1, high=4094),
        many(rf"interface loopback{N}", mode="layer3", low=0, high=1023),
        Rule(words=rf"router bgp {ASN}", mode="bgp"),
    ),
    "class-map": (Rule(words=r"match dscp (?P<dscps>\d+(-\d+)?(,\d+(-\d+)?)*)"),),
    "classifier": (many(rf"class {NAME}", mode="classified"),),
    "classified": (Rule(words=rf"set qos-group {N}", low=0, high=7),),
    "network-qos": (many(r"class type network-qos c-8q-nq([1-7]|-default)", mode="no-drop"),),
    "no-drop": (Rule(words=rf"mtu {N}", low=576, high=9216), Rule(words=rf"pause pfc-cos {N}", low=0, high=7)),
    "queuing": (
        many(r"class type queuing c-out-8q-q([1-7]|-default)", mode="egress"),
        many(r"class type queuing c-in-q([1-7]|-default)", mode="ingress"),
    ),
    "egress": (
        Rule(words=rf"priority level {N}", low=1, high=8),
        Rule(words=rf"bandwidth remaining percent {N}", low=0, high=100),
        Rule(
            words=r"random-detect minimum-threshold (?P<low>\d+) kbytes maximum-threshold (?P<high>\d+) kbytes "
            r"drop-probability (?P<most>\d+) weight 0 ecn"
        ),
    ),
    "ingress": (
        Rule(
            words=rf"pause buffer-size {N} pause-threshold (?P<pause>\d+) resume-threshold (?P<resume>\d+)",
            low=5000,
            high=268435456,
        ),
    ),
    "system-qos": (
        Rule(words=rf"service-policy type network-qos {NAME}"),
        Rule(words=rf"service-policy type queuing output {NAME}"),
    ),
    "route-map": (
        Rule(words=rf"match ip address prefix-list {NAME}"),
        Rule(words=rf"match ipv6 address prefix-list {NAME}"),
    ),
    "port": (
        Rule(words=r"description \S(.{0,252}\S)?"),
        Rule(words=r"no switchport"),
        Rule(words=rf"vrf member (?!default$){NAME}"),
        Rule(words=rf"switchport access vlan {N}", low=1, high=4094),
        Rule(words=rf"mtu {N}", low=576, high=9216),
        Rule(words=r"speed (1000|10000|25000|40000|50000|100000|200000|400000|800000)"),
        Rule(words=r"fec (rs-fec|fc-fec|off)"),
        Rule(words=r"priority-flow-control mode (on|off)"),
        Rule(words=r"priority-flow-control watch-dog-interval on( disable-action)?"),
        Rule(words=rf"service-policy type qos input {NAME}"),
        Rule(words=rf"service-policy type queuing input {NAME}"),
        Rule(words=rf"service-policy type queuing output {NAME}"),
        many(rf"ip address {P4}( secondary)?"),
        many(rf"ipv6 address {P6}"),
        Rule(words=r"(no )?shutdown"),
    ),
    "layer3": (
        Rule(words=rf"vrf member (?!default$){NAME}"),
        Rule(words=rf"mtu {N}", low=576, high=9216),
        many(rf"ip address {P4}( secondary)?"),
        many(rf"ipv6 address {P6}"),
        Rule(words=r"no shutdown"),
    ),
    "bgp": (
        *_SPEAKER,
        Rule(words=r"log-neighbor-changes"),
        many(r"address-family ipv4 unicast", mode="family4"),
        many(r"address-family ipv6 unicast", mode="family6"),
        many(rf"vrf {NAME}", mode="bgp-vrf"),
    ),
    "bgp-vrf": (
        *_SPEAKER,
        Rule(words=rf"local-as {ASN}"),
        many(r"address-family ipv4 unicast", mode="family4"),
        many(r"address-family ipv6 unicast", mode="family6"),
    ),
    "family4": (many(rf"network {P4}"), Rule(words=rf"maximum-paths {N}", low=1, high=512)),
    "family6": (many(rf"network {P6}"), Rule(words=rf"maximum-paths {N}", low=1, high=512)),
    "neighbor": _NEIGHBOR,
    "neighbor-family": _NEIGHBOR_FAMILY,
}
STAGES = (
    *("hostname", "feature", "interface breakout", "vlan", "vrf context", "class-map", "policy-map", "system qos"),
    *("priority-flow-control", "ip load-sharing", "ip prefix-list|ipv6 prefix-list", "route-map"),
    *("ip route|ipv6 route", "interface", "router bgp"),
)
"""Send order of nxos.md section 1."""


def faults(text: str) -> Iterator[str]:
    """What in a text is no statement of its mode, out of its range, twice, or out of order."""
    modes, stage = [("", -1)], -1
    said: list[set[str]] = [set()]
    for number, row in enumerate(text.splitlines(), start=1):
        if not row:
            continue
        depth = (len(row) - len(row.lstrip(" "))) // 2
        if row != row.rstrip() or row[: 2 * depth] != "  " * depth or depth >= len(modes):
            yield f"{number}: indentation of {row!r}"
            return
        del modes[depth + 1 :], said[depth + 1 :]
        line = row.strip()
        rule = next((r for r in MODES.get(modes[depth][0], ()) if r.pattern.fullmatch(line)), None)
        if rule is None:
            yield f"{number}: no statement of mode {modes[depth][0]!r}: {line!r}"
            return
        yield from (f"{number}: {fault}: {line!r}" for fault in _values(rule, line))
        key = rule.words if rule.once else line
        if key in said[depth]:
            yield f"{number}: twice in one block: {line!r}"
        said[depth].add(key)
        if depth == 0:
            now = next(i for i, begins in enumerate(STAGES) if line.startswith(tuple(begins.split("|"))))
            if now < stage:
                yield f"{number}: out of order: {line!r}"
            stage = now
        modes.append((rule.mode or "no mode", depth))
        said.append(set())


def _values(rule: Rule, line: str) -> Iterator[str]:
    found = rule.pattern.fullmatch(line)
    assert found is not None
    values = {name: value for name, value in found.groupdict().items() if value is not None}
    if "n" in values and rule.high and not rule.low <= int(values["n"]) <= rule.high:
        yield f"{values['n']} is not in {rule.low}-{rule.high}"
    if "asn" in values and not 1 <= int(values["asn"]) < 2**32:
        yield "no ASN"
    for name, family in (("4", 4), ("6", 6)):
        if f"v{name}" in values:
            yield from _address(values[f"v{name}"], values.get(f"l{name}"), values.get(f"le{name}"), family, line)
    if "dscps" in values and any(int(n) > 63 for n in re.findall(r"\d+", values["dscps"])):
        yield "a DSCP has six bits"
    if "low" in values and not 1 <= int(values["low"]) <= int(values["high"]):
        yield "thresholds"
    if "most" in values and not 1 <= int(values["most"]) <= 100:
        yield "drop probability"
    if "hold" in values and not 3 <= int(values["hold"]) <= 3600:
        yield "hold time"
    if "pause" in values and not int(values["resume"]) <= int(values["n"]) >= int(values["pause"]):
        yield "thresholds of a buffer that is smaller"


def _address(address: str, length: str | None, longer: str | None, family: int, line: str) -> Iterator[str]:
    if ip_address(address).version != family:
        yield "an address of the other family"
    if length is None:
        return
    if "address " in line:
        ip_interface(f"{address}/{length}")
    elif str(ip_network(f"{address}/{length}", strict=False)) != f"{address}/{length}":
        yield "bits beyond the prefix"
    if longer is not None and not int(length) < int(longer) <= {4: 32, 6: 128}[family]:
        yield "le"


def dangling(text: str) -> Iterator[str]:
    """Names that a line uses and none defines, and such that are defined and nobody uses."""
    defined = {
        "policy": set(re.findall(r"^policy-map type \S+ (\S+)$", text, re.M)),
        "class": set(re.findall(r"^class-map type qos match-any (\S+)$", text, re.M)),
        "ip list": set(re.findall(r"^ip prefix-list (\S+) ", text, re.M)),
        "ipv6 list": set(re.findall(r"^ipv6 prefix-list (\S+) ", text, re.M)),
        "map": set(re.findall(r"^route-map (\S+) ", text, re.M)),
        "vrf": set(re.findall(r"^vrf context (\S+)$", text, re.M)),
        "vlan": set(re.findall(r"^vlan (\S+)$", text, re.M)),
    }
    used = {
        "policy": set(re.findall(r"^ +service-policy type .* (\S+)$", text, re.M)),
        "class": set(re.findall(r"^  class (?!type )(?!class-default)(\S+)$", text, re.M)),
        "ip list": set(re.findall(r"match ip address prefix-list (\S+)$", text, re.M)),
        "ipv6 list": set(re.findall(r"match ipv6 address prefix-list (\S+)$", text, re.M)),
        "map": set(re.findall(r"^ +route-map (\S+) (?:in|out)$", text, re.M)),
        "vrf": set(re.findall(r"^ +vrf member (\S+)$", text, re.M))
        | set(re.findall(r"^  vrf (?!member)(\S+)$", text, re.M)),
        "vlan": set(re.findall(r"^  switchport access vlan (\d+)$", text, re.M))
        | set(re.findall(r"^interface Vlan(\d+)$", text, re.M)),
    }
    for kind in defined:
        yield from (f"no {kind} {name}" for name in sorted(used[kind] - defined[kind]))
