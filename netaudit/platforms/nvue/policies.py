"""Policies: a route map that permits what prefix lists name, and nothing else; written and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from netaudit.platforms.nvue.tree import Tree, below, get, line, number, put, text
from netaudit.state import Policy, PolicyRule

FAMILIES = ("ipv4", "ipv6")


def write_policies(policies: Mapping[str, Policy], tree: Tree) -> None:
    """A prefix list for each family that is permitted anything, and a route map of the policy's own name.

    What no rule of a route map matches is denied; a policy that permits nothing denies in so many words.
    """
    for name, policy in policies.items():
        permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
        at = ("router", "policy", "route-map", name, "rule")
        used = [family for family in FAMILIES if _of(permits, family)]
        for order, family in enumerate(used, start=1):
            _write_list(list_name(name, family), family, _of(permits, family), tree)
            match: Tree = {"type": family, "ip-prefix-list": list_name(name, family)}
            put(tree, (*at, str(order * 10)), {"match": match, "action": {"permit": {}}})
        if not used:
            put(tree, (*at, "10"), {"action": {"deny": {}}})


def list_name(policy: str, family: str) -> str:
    """A prefix list has one family: FABRIC-IN-V4, FABRIC-IN-V6."""
    return f"{policy}-V{family[-1]}"


def _of(permits: frozenset[PolicyRule], family: str) -> list[PolicyRule]:
    rules = (rule for rule in permits if (":" in rule.prefix) == (family == "ipv6"))
    return sorted(rules, key=lambda rule: (ip_network(rule.prefix), rule.up_to))


def _write_list(name: str, family: str, rules: list[PolicyRule], tree: Tree) -> None:
    at = ("router", "policy", "prefix-list", name)
    put(tree, (*at, "type"), family)
    for order, rule in enumerate(rules, start=1):
        lengths: Tree = {}
        if rule.up_to > ip_network(rule.prefix).prefixlen:
            lengths = {"max-prefix-len": rule.up_to}
        put(tree, (*at, "rule", str(order * 10)), {"action": "permit", "match": {rule.prefix: lengths}})


def read_policies(tree: Tree) -> tuple[Mapping[str, Policy], frozenset[str]]:
    """Every route map that is a policy of ours in form, and the lines of `router policy` that are of no such one."""
    lists = below(tree, "router", "policy", "prefix-list")
    maps = below(tree, "router", "policy", "route-map")
    found: dict[str, Policy] = {}
    odd: set[str] = set()
    used: set[str] = set()
    for name in maps:
        permits, names, strange = _read_map(name, below(maps, name, "rule"), lists)
        found[name] = Policy(permits=permits)
        used |= names
        odd |= strange
    for name in lists:
        if name not in used:
            odd.add(line(("router", "policy", "prefix-list", name), ""))
    for kind in below(tree, "router", "policy"):
        if kind not in ("prefix-list", "route-map"):
            odd |= {line(("router", "policy", kind, name), "") for name in below(tree, "router", "policy", kind)}
    return found, frozenset(odd)


def _read_map(name: str, rules: Tree, lists: Tree) -> tuple[frozenset[PolicyRule], set[str], set[str]]:
    """What a route map permits, the prefix lists it uses, and what of it is not of our form."""
    permits: set[PolicyRule] = set()
    used: set[str] = set()
    odd: set[str] = set()
    for order in sorted(rules, key=lambda n: (len(n), n)):
        rule = below(rules, order)
        action, match = below(rule, "action"), below(rule, "match")
        plain = not below(rule, "set") and set(rule) <= {"action", "match", "description"}
        if "deny" in action and not match and plain:
            break
        named = text(match, "ip-prefix-list")
        exits = bool(below(action, "permit"))
        if "permit" not in action or exits or named is None or set(match) - {"type", "ip-prefix-list"} or not plain:
            odd.add(line(("router", "policy", "route-map", name, "rule", order), ""))
            continue
        used.add(named)
        if text(match, "type") != text(lists, named, "type"):
            odd.add(
                line(("router", "policy", "route-map", name, "rule", order, "match", "type"), text(match, "type") or "")
            )
            continue
        for found in _read_list(named, lists):
            if isinstance(found, PolicyRule):
                permits.add(found)
            else:
                odd.add(found)
    return frozenset(permits), used, odd


def _read_list(name: str, lists: Tree) -> Iterator[PolicyRule | str]:
    """The rules of a prefix list, and as text those that say something else than ours can."""
    for order, rule in below(lists, name, "rule").items():
        path = ("router", "policy", "prefix-list", name, "rule", order)
        for prefix in below(rule, "match"):
            shortest = number(get(rule, "match", prefix), "min-prefix-len")
            longest = number(get(rule, "match", prefix), "max-prefix-len")
            network = ip_network(prefix, strict=False)
            end = longest if longest is not None else shortest and network.max_prefixlen
            other = text(lists, name, "type") not in (None, f"ipv{network.version}")
            if text(rule, "action") != "permit" or other or shortest not in (None, network.prefixlen):
                yield line((*path, text(rule, "action") or "", prefix), f"from {shortest}" if shortest else "")
            else:
                yield PolicyRule(prefix=str(network), up_to=end or network.prefixlen)
