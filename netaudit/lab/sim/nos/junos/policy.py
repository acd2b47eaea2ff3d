"""Policy statements of Junos: what of its own a peer is told, and which learned prefixes pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Final, TypeAlias

from netaudit.lab.sim.frr_policy import Clause, Policy, PrefixRule, permits
from netaudit.lab.sim.nos.junos.tree import Tree, children_of

EVERYTHING: Final = Clause(True, ())
NOTHING: Final = Clause(False, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A route that a box has by itself."""

    prefix: str
    protocol: str
    """`direct`, `static` or `aggregate`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term: for which protocols and prefixes, and what becomes of those; without an action the next one decides."""

    protocols: frozenset[str]
    family: str
    lists: tuple[tuple[PrefixRule, ...], ...]
    accepts: bool | None


Chain: TypeAlias = tuple[tuple[tuple[Term, ...], ...], ...]
"""Policies one after the other; each is one, or several of which all must let a route pass (`( ONE && OTHER )`)."""


def chain(root: Tree, names: Sequence[str]) -> Chain:
    """The policies that an `import` or `export` names; one that is not there decides nothing."""
    return tuple(tuple(_terms(root, name) for name in _each(one)) for one in names)


def _each(expression: str) -> list[str]:
    """The names of policies in an expression."""
    return re.findall(r"[^\s()&|!]+", expression)


def _terms(root: Tree, name: str) -> tuple[Term, ...]:
    policy = root.get("policy-options", "policy-statement", name)
    if policy is None:
        return ()
    found = [*(_term(root, term) for _, term in policy.entries("term")), _term(root, policy)]
    return tuple(term for term in found if term.accepts is not None)


def _term(root: Tree, term: Tree) -> Term:
    conditions, actions = term.get("from"), children_of(term.get("then"))
    accepts = True if ("accept",) in actions else False if ("reject",) in actions else None
    if conditions is None:
        return Term(protocols=frozenset(), family="", lists=(), accepts=accepts)
    filters = [head[1:] for head, _ in conditions.active() if head[0] == "route-filter"]
    lists = [tuple(map(_route_filter, filters))] if filters else []
    for name in conditions.values("prefix-list"):
        items = [head[0] for head, _ in (root.get("policy-options", "prefix-list", name) or Tree()).active()]
        lists.append(tuple(_rule(item) for item in items if "/" in item))
    for head, _ in conditions.active():
        if head[0] == "prefix-list-filter":
            items = [one[0] for one, _ in (root.get("policy-options", "prefix-list", head[1]) or Tree()).active()]
            lists.append(tuple(_route_filter((item, *head[2:])) for item in items if "/" in item))
    return Term(
        protocols=frozenset(conditions.values("protocol")),
        family=conditions.value("family"),
        lists=tuple(lists),
        accepts=accepts,
    )


def _route_filter(words: Sequence[str]) -> PrefixRule:
    """`192.0.2.0/24 prefix-length-range /31-/32`, `exact`, `orlonger`, `longer`, `upto /32`."""
    network, how = ip_network(words[0], strict=False), words[1] if len(words) > 1 else "exact"
    most, own = network.max_prefixlen, network.prefixlen
    numbers = [int(number) for number in re.findall(r"/(\d+)", " ".join(words[2:]))]
    low, high = {
        "orlonger": (own, most),
        "longer": (own + 1, most),
        "upto": (own, numbers[-1] if numbers else own),
        "prefix-length-range": (numbers[0] if numbers else own, numbers[-1] if numbers else own),
    }.get(how, (own, own))
    return PrefixRule(True, network.version, int(network.network_address), own, low, high)


def _rule(prefix: str) -> PrefixRule:
    network = ip_network(prefix, strict=False)
    own = network.prefixlen
    return PrefixRule(True, network.version, int(network.network_address), own, own, own)


def _applies(term: Term, protocol: str, version: str) -> bool:
    family = {"inet": "ipv4", "inet6": "ipv6"}.get(term.family, "")
    return (not term.protocols or protocol in term.protocols) and family in ("", version)


def _clauses(found: Chain, protocol: str, version: str, default: Clause) -> Policy:
    """A chain as clauses for routes of one protocol: the first that fits decides, `default` what none decides."""
    clauses: list[Clause] = []
    for policies in found:
        each = [
            [Clause(bool(term.accepts), term.lists) for term in terms if _applies(term, protocol, version)]
            for terms in policies
        ]
        whole = each[0] if each else []
        for other in each[
            1:
        ]:  # all must let it pass: where one denies, that is it; where it does not, the next decides
            whole = [
                Clause(two.permit, (*one.lists, *two.lists)) if one.permit else one
                for one in whole
                for two in (other if one.permit else [one])
            ]
        clauses += whole
    return (*clauses, default)


def imported(found: Chain, version: str) -> Policy | None:
    """What a peer's routes pass; `None` where nothing is asked. What no term decides comes in."""
    return _clauses(found, "bgp", version, EVERYTHING) if found else None


def told(found: Chain, own: Sequence[Own], version: str) -> tuple[str, ...]:
    """The prefixes of its own that a peer is told: those that a term accepts. Without a term it is none."""
    policies = {one.protocol: _clauses(found, one.protocol, version, NOTHING) for one in own}
    mine = (one for one in own if (":" in one.prefix) == (version == "ipv6"))
    return tuple(one.prefix for one in mine if permits(policies[one.protocol], one.prefix))


def exported(found: Chain, own: Sequence[Own], version: str) -> Policy:
    """What goes out to a peer, own and learned: an own prefix as its protocol's terms say, all else as BGP's do."""
    good = set(told(found, own, version))
    mine = [one.prefix for one in own if (":" in one.prefix) == (version == "ipv6")]
    clauses = [Clause(prefix in good, ((_rule(prefix),),)) for prefix in dict.fromkeys(mine)]
    return (*clauses, *_clauses(found, "bgp", version, EVERYTHING))


def references(root: Tree) -> Mapping[str, str]:
    """Policy that something uses → who does."""
    found: dict[str, str] = {}

    def look(tree: Tree, where: str) -> None:
        for head, child in tree.active():
            if head[0] in ("export", "import") and child.kind is not None and child.kind.what == "leaves":
                for name in _each(head[-1]):
                    found.setdefault(name, where)
            look(child, f"{where} {' '.join(head)}".strip())

    look(root, "")
    return found
