"""Which lines FRR takes, block by block. This is all that the simulator knows of FRR; other lines are unknown to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Final

MAXIMUM_PATHS: Final = 514
"""Build maximum of SONiC's FRR (sonic.md 6); a larger number is an unknown command."""

_VALUES: Final = {
    "ASN": r"(?P<asn>\d+)",
    "N": r"\d+",
    "PATHS": r"(?P<paths>\d+)",
    "NAME": r"\S+",
    "REST": r"\S.*",
    "A4": r"(?P<address>[\d.]+)",
    "A6": r"(?P<address>[\da-fA-F.]*:[\da-fA-F:.]*)",
    "P4": r"(?P<prefix>[\d.]+/\d+)",
    "P6": r"(?P<prefix>[\da-fA-F.]*:[\da-fA-F:.]*/\d+)",
    "IF": r"[A-Z]\w+",
    "LEVEL": r"(?:emergencies|alerts|critical|errors|warnings|notifications|informational|debugging)",
}
"""Capital words of the forms below. Named ones are looked at once more by `_in_range`."""

FORMS: Final = {
    "": """
        frr version REST
        frr defaults (traditional|datacenter)
        hostname NAME
        log (syslog|stdout) [LEVEL]
        log file NAME [LEVEL]
        service integrated-vtysh-config
        service password-encryption
        password REST
        enable password REST
        agentx
        fpm use-next-hop-groups
        fpm address A4 [port N]
        zebra nexthop-group keep N
        zebra nexthop kernel enable
        (ip|ipv6) forwarding
        (ip|ipv6) nht resolve-via-default
        ip route P4 (blackhole|reject|Null0|IF) [N]
        ip route P4 A4 [IF] [N]
        ipv6 route P6 (blackhole|reject|Null0|IF) [N]
        ipv6 route P6 A6 [IF] [N]
        (ip|ipv6) prefix-list NAME [seq N] (permit|deny) any
        ip prefix-list NAME [seq N] (permit|deny) P4 [ge N] [le N]
        ipv6 prefix-list NAME [seq N] (permit|deny) P6 [ge N] [le N]
        (ip|ipv6) prefix-list NAME description REST
        (ip|ipv6) protocol bgp route-map NAME
        route-map NAME (permit|deny) N → route-map
        router bgp ASN [vrf NAME] → router bgp
        vrf NAME → vrf
        interface NAME → interface
        line vty → line
    """,
    "router bgp": """
        bgp router-id A4
        bgp log-neighbor-changes
        bgp default (ipv4-unicast|show-hostname|show-nexthop-hostname)
        bgp ebgp-requires-policy
        bgp network import-check
        bgp deterministic-med
        bgp fast-external-failover
        bgp suppress-fib-pending
        bgp suppress-duplicates
        bgp bestpath as-path multipath-relax
        bgp bestpath compare-routerid
        bgp graceful-restart
        bgp graceful-restart (preserve-fw-state|restart-time N|select-defer-time N|stalepath-time N)
        timers bgp N N
        neighbor NAME peer-group [NAME]
        neighbor NAME remote-as (external|internal|ASN)
        neighbor NAME interface [v6only] [peer-group NAME]
        neighbor NAME interface [v6only] remote-as (external|internal|ASN)
        neighbor NAME description REST
        neighbor NAME timers N N
        neighbor NAME timers connect N
        neighbor NAME advertisement-interval N
        neighbor NAME bfd
        neighbor NAME capability extended-nexthop
        neighbor NAME ebgp-multihop [N]
        neighbor NAME password NAME
        neighbor NAME shutdown
        neighbor NAME update-source NAME
        address-family ipv4 unicast → ipv4
        address-family ipv6 unicast → ipv6
    """,
    "ipv4": """
        network P4
    """,
    "ipv6": """
        network P6
    """,
    "family": """
        redistribute (connected|static) [route-map NAME]
        neighbor NAME activate
        neighbor NAME allowas-in [N]
        neighbor NAME maximum-prefix N [warning-only]
        neighbor NAME next-hop-self [force]
        neighbor NAME route-map NAME (in|out)
        neighbor NAME send-community [(both|extended|large|standard)]
        neighbor NAME soft-reconfiguration inbound
        maximum-paths [ibgp] PATHS
    """,
    "route-map": """
        description REST
        match (ip|ipv6) address prefix-list NAME
        set community REST
        set src A4
        set src A6
        set ipv6 next-hop prefer-global
    """,
    "interface": """
        description REST
        ip address P4
        ipv6 address P6
        ipv6 nd suppress-ra
        ipv6 nd ra-interval N
    """,
    "vrf": """
        ip route P4 (blackhole|reject|Null0|IF) [N]
        ip route P4 A4 [IF] [N]
        ipv6 route P6 (blackhole|reject|Null0|IF) [N]
        ipv6 route P6 A6 [IF] [N]
        vni N
    """,
    "line": """
        exec-timeout N N
    """,
}
"""Block → its lines. `x → y` opens block y, `[x]` may be left out; each line may follow `no`."""
_SHARED: Final = {"ipv4": "family", "ipv6": "family"}
"""Block → the forms it has beside its own."""

EXITS: Final = frozenset({"exit", "exit-address-family", "exit-vrf", "quit"})


_FORM: Final = re.compile(r"\[([^\]]*)\]|\(([^)]*)\)|(\S+)")
"""The parts of a form: left out or not, one of several, a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line: what it looks like, and the block it opens (empty: none)."""

    pattern: re.Pattern[str]
    opens: str = ""


def _regex(form: str) -> str:
    """A form as a regular expression: words apart by one blank, which belongs to the word after it."""
    made = ""
    for optional, choice, word in _FORM.findall(form):
        if optional:
            made += f"(?:{_regex(optional)})?"
        elif choice:
            made += " (?:" + "|".join(_regex(part)[1:] for part in choice.split("|")) + ")"
        else:
            made += " " + _VALUES.get(word, re.escape(word))
    return made


def _rules(forms: str) -> Iterator[Rule]:
    """The rules of a block."""
    for line in filter(None, map(str.strip, forms.splitlines())):
        form, _, opens = line.partition(" → ")
        yield Rule(pattern=re.compile(f"(?:no )?{_regex(form)[1:]}"), opens=opens)


_RULES: Final[Mapping[str, tuple[Rule, ...]]] = {
    block: tuple(_rules(forms + FORMS.get(_SHARED.get(block, "none"), ""))) for block, forms in FORMS.items()
}


def _in_range(found: re.Match[str]) -> bool:
    """Whether the numbers and addresses of a line are ones."""
    values = {name: value for name, value in found.groupdict().items() if value is not None}
    try:
        if "prefix" in values:
            ip_network(values["prefix"], strict=False)
        if "address" in values:
            ip_address(values["address"])
    except ValueError:
        return False
    return 1 <= int(values.get("paths", 1)) <= MAXIMUM_PATHS and 1 <= int(values.get("asn", 1)) < 2**32


def rule_of(line: str, block: str) -> Rule | None:
    """The rule of a block that a line follows; the outermost block is `""`."""
    for rule in _RULES[block]:
        found = rule.pattern.fullmatch(line)
        if found and _in_range(found):
            return rule
    return None
