"""FRR's prefix-lists and route-maps: which prefixes a policy lets through."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_network
from typing import Final, TypeAlias

from netaudit.lab.sim.frr_text import FrrText

_PREFIX_LIST: Final = re.compile(
    r"(ip|ipv6) prefix-list (\S+) seq (\d+) (permit|deny) (\S+)(?: ge (\d+))?(?: le (\d+))?(?: ge (\d+))?"
)


@dataclass(frozen=True, slots=True)
class PrefixRule:
    """One line of a prefix-list: a prefix and the lengths it stands for."""

    permit: bool
    version: int
    network: int
    length: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One entry of a route-map; it matches where all of its prefix-lists permit."""

    permit: bool
    lists: tuple[tuple[PrefixRule, ...], ...]


Policy: TypeAlias = tuple[Clause, ...]
"""A route-map, resolved: equal ones are equal. What no clause matches is denied, and so is all by an undefined map."""


def canonical(prefix: str) -> str:
    """A prefix as FRR prints it: host bits cleared, IPv6 compressed."""
    return str(ip_network(prefix, strict=False))


def prefix_lists(lines: tuple[str, ...]) -> Mapping[tuple[str, str], tuple[PrefixRule, ...]]:
    """(`ip` or `ipv6`, name) → the rules in the order of their numbers."""
    found: dict[tuple[str, str], list[tuple[int, PrefixRule]]] = {}
    for line in lines:
        parts = _PREFIX_LIST.fullmatch(line)
        if parts:
            kind, name, number, action, prefix, ge, le, late_ge = parts.groups()
            rule = _prefix_rule(kind, action == "permit", prefix, ge or late_ge, le)
            found.setdefault((kind, name), []).append((int(number), rule))
    return {key: tuple(rule for _, rule in sorted(rules, key=lambda one: one[0])) for key, rules in found.items()}


def _prefix_rule(kind: str, permit: bool, prefix: str, ge: str | None, le: str | None) -> PrefixRule:
    """One rule; `any` is every prefix, and with neither `ge` nor `le` only the prefix itself."""
    bits = 32 if kind == "ip" else 128
    if prefix == "any":
        prefix, le = ("0.0.0.0/0" if kind == "ip" else "::/0"), str(bits)
    network = ip_network(prefix, strict=False)
    shortest = int(ge) if ge else network.prefixlen
    longest = int(le) if le else (bits if ge else network.prefixlen)
    return PrefixRule(permit, network.version, int(network.network_address), network.prefixlen, shortest, longest)


@lru_cache(maxsize=1 << 16)
def _parsed(prefix: str) -> tuple[int, int, int]:
    """(version, address, length) of a prefix."""
    network = ip_network(prefix)
    return network.version, int(network.network_address), network.prefixlen


def permits(policy: Policy, prefix: str) -> bool:
    """Whether a route-map lets a prefix through."""
    version, address, length = _parsed(prefix)
    for clause in policy:
        if all(_in_list(rules, version, address, length) for rules in clause.lists):
            return clause.permit
    return False


def _in_list(rules: tuple[PrefixRule, ...], version: int, address: int, length: int) -> bool:
    """Whether a prefix-list permits a prefix: the first rule that fits says so, and none is a no."""
    for rule in rules:
        shift = (32 if version == 4 else 128) - rule.length
        if (
            rule.version == version
            and rule.shortest <= length <= rule.longest
            and address >> shift == rule.network >> shift
        ):
            return rule.permit
    return False


def route_maps(config: FrrText) -> Mapping[str, Policy]:
    """Name → policy. A list that is not defined permits nothing."""
    lists = prefix_lists(config.get((), ()))
    found: dict[str, list[tuple[int, Clause]]] = {}
    for at, lines in config.items():
        if at and at[0].startswith("route-map "):
            _, name, action, number = at[0].split()
            wanted = [line.split() for line in lines if line.startswith("match ")]
            clause = Clause(action == "permit", tuple(lists.get((words[1], words[4]), ()) for words in wanted))
            found.setdefault(name, []).append((int(number), clause))
    return {name: tuple(clause for _, clause in sorted(entries, key=lambda e: e[0])) for name, entries in found.items()}
