"""Policies of Junos as sets of permitted prefixes, as far as they are no more than that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network

from netaudit.platforms.junos.text import Tree, below, has
from netaudit.platforms.junos.write_bgp import ORIGINATE
from netaudit.state import Policy, PolicyRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """What the policies of a configuration say."""

    known: Mapping[str, Policy]
    """Those that permit prefixes and nothing else."""
    originated: Mapping[str, frozenset[str]]
    """Policy for what a device originates → the prefixes."""
    balancing: frozenset[str]
    """Those that give the chip all equal paths."""
    foreign: frozenset[str]
    """Those that do something that no leaf stands for."""


def read_policies(root: Tree) -> Policies:
    """Every policy statement, by what it is."""
    known, originated = {}, {}
    balancing, foreign = set(), set()
    for name, statement in below(root, "policy-options", "policy-statement").items():
        if _only(statement, "then", "load-balance", "per-packet"):
            balancing.add(name)
        elif name == ORIGINATE or name.startswith(f"{ORIGINATE}-"):
            prefixes = _originated(statement)
            if prefixes is None:
                foreign.add(name)
            else:
                originated[name] = prefixes
        else:
            rules = _permitted(statement)
            if rules is None:
                foreign.add(name)
            else:
                known[name] = Policy(permits=rules)
    return Policies(known=known, originated=originated, balancing=frozenset(balancing), foreign=frozenset(foreign))


def _only(statement: Tree, *path: str) -> bool:
    """Is this all that it says?"""
    for word in path:
        if set(statement) != {word}:
            return False
        statement = statement[word]
    return not statement


def _terms(statement: Tree) -> list[Tree] | None:
    """The terms up to the one that refuses all; `None` where there is more than terms, or no such end."""
    terms = list(below(statement, "term").values())
    bare = {key: rest for key, rest in statement.items() if key != "term"}
    if bare and not (set(bare) == {"then"} and set(bare["then"]) == {"reject"}):
        return None
    for position, term in enumerate(terms):
        if set(term) == {"then"} and set(term["then"]) == {"reject"}:
            return terms[:position]
    return terms if bare else None


def _permitted(statement: Tree) -> frozenset[PolicyRule] | None:
    terms = _terms(statement)
    if terms is None:
        return None
    rules: set[PolicyRule] = set()
    for term in terms:
        found = _rules(term, frozenset({"route-filter"}))
        if found is None:
            return None
        rules |= found
    return frozenset(rules)


def _rules(term: Tree, conditions: frozenset[str]) -> set[PolicyRule] | None:
    """What a term permits that has these conditions only, and accepts."""
    given = below(term, "from")
    if set(term) != {"from", "then"} or set(term["then"]) != {"accept"} or set(given) - conditions:
        return None
    rules = set()
    for prefix, way in below(given, "route-filter").items():
        found = list(_rule(prefix, way))
        if not found:
            return None
        rules.update(found)
    return rules or None


def _rule(prefix: str, way: Tree) -> Iterator[PolicyRule]:
    """`exact`, `orlonger`, `upto /24`, `prefix-length-range /16-/24`: a prefix and how long others in it may be."""
    try:
        network = ip_network(prefix)
    except ValueError:
        return
    longest: int | None = None
    if not way or _only(way, "exact"):
        longest = network.prefixlen
    elif _only(way, "orlonger"):
        longest = network.max_prefixlen
    else:
        words = f"{next(iter(way))} {next(iter(next(iter(way.values()))), '')}"
        found = re.fullmatch(r"upto /(\d{1,3})|prefix-length-range /(\d{1,3})-/(\d{1,3})", words)
        if found is not None and len(way) == 1 and int(found.group(2) or network.prefixlen) == network.prefixlen:
            longest = int(found.group(1) or found.group(3))
    if longest is not None and network.prefixlen <= longest <= network.max_prefixlen:
        yield PolicyRule(prefix=str(network), up_to=longest)


def _originated(statement: Tree) -> frozenset[str] | None:
    """Prefixes that are announced where the device has them as its own, beside what BGP has learned."""
    terms = _terms(statement)
    if terms is None or not terms:
        return None
    learned, *own = terms
    if not _only(below(learned, "from"), "protocol", "bgp") or not has(learned, "then", "accept"):
        return None
    prefixes: set[str] = set()
    for term in own:
        rules = _rules(term, frozenset({"route-filter", "protocol"}))
        if rules is None or set(below(term, "from", "protocol")) != {"direct", "static"}:
            return None
        if any(ip_network(rule.prefix).prefixlen != rule.up_to for rule in rules):
            return None
        prefixes |= {rule.prefix for rule in rules}
    return frozenset(prefixes)
