"""Policies: a route-map for each family over a prefix-list of its own, `NAME` for IPv4 and `NAME-V6` for IPv6.

In one route-map for both, an entry would be asked of the other family's routes, and no source says what NX-OS answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_network

from netaudit.platforms.nxos.answers_text import Unreadable, prefix
from netaudit.platforms.nxos.names import V6
from netaudit.platforms.nxos.text import Line, named, number
from netaudit.state import Policy, PolicyRule

_WORDS = {4: "ip", 6: "ipv6"}
_LENGTHS = {4: 32, 6: 128}


def rules(policy: Policy, version: int) -> list[PolicyRule]:
    """The rules of one family, in the order in which they are written."""
    permits = policy.permits if isinstance(policy.permits, frozenset) else frozenset()
    mine = ((ip_network(rule.prefix), rule) for rule in permits)
    found = ((net, rule) for net, rule in mine if net.version == version)
    return [rule for _, rule in sorted(found, key=lambda one: (one[0], one[1].up_to))]


def write_lists(policies: Mapping[str, Policy]) -> Iterator[str]:
    """Every prefix-list, line by line."""
    for name, policy in sorted(policies.items()):
        for version, word in _WORDS.items():
            for order, rule in enumerate(rules(policy, version), start=1):
                longer = f" le {rule.up_to}" if rule.up_to > ip_network(rule.prefix).prefixlen else ""
                called = map_name(name, version)
                yield f"{word} prefix-list {called} seq {5 * order} permit {rule.prefix}{longer}"


def write_maps(policies: Mapping[str, Policy]) -> Iterator[Mapping[str, object]]:
    """Every route-map; one without a rule refuses everything, and says so."""
    for name, policy in sorted(policies.items()):
        for version, word in _WORDS.items():
            called = map_name(name, version)
            yield {"name": called, "word": word, "permits": bool(rules(policy, version))}


def map_name(policy: str, version: int) -> str:
    """The route-map of a policy for a family."""
    return policy if version == 4 else f"{policy}{V6}"


def policy_name(called: str, version: int) -> str:
    """The policy that a route-map of a family is of. A map of the other family is none of ours, and keeps its name."""
    return called.removesuffix(V6) if version == 6 and called.endswith(V6) else called


Lists = Mapping[tuple[str, str], frozenset[PolicyRule] | None]
"""(`ip` or `ipv6`, name) → what it permits; `None` for a list with a line that no rule can say."""


def read_lists(lines: Sequence[Line]) -> Lists:
    """Every prefix-list."""
    found: dict[tuple[str, str], set[PolicyRule] | None] = {}
    for version, word in _WORDS.items():
        for rest, _ in named(lines, f"{word} prefix-list "):
            words = rest.split(" ")
            if words[1:2] == ["description"]:
                continue
            rule = _rule(words[1:], version)
            known = found.setdefault((word, words[0]), set())
            if rule is None or known is None:
                found[word, words[0]] = None
            else:
                known.add(rule)
    return {key: None if known is None else frozenset(known) for key, known in found.items()}


def _rule(words: list[str], version: int) -> PolicyRule | None:
    """`seq 5 permit 10.0.0.0/8 le 24`. `None` for what is no «this prefix and longer ones up to»."""
    if words[:1] == ["seq"]:
        words = words[2:]
    if len(words) < 2 or words[0] != "permit":
        return None
    net = ip_network(prefix(words[1]))
    if net.version != version:
        raise Unreadable(f"{words[1][:60]} in a prefix-list of the other family")
    bounds = dict(zip(words[2::2], words[3::2], strict=False))
    low = number(bounds.pop("ge", str(net.prefixlen)), "ge")
    high = number(bounds.pop("le", str(net.prefixlen if low == net.prefixlen else _LENGTHS[version])), "le")
    exact = bounds.pop("eq", None)
    if exact is not None:
        low = high = number(exact, "eq")
    if bounds or low != net.prefixlen or high > _LENGTHS[version]:
        return None
    return PolicyRule(prefix=str(net), up_to=high)


def read_policies(lines: Sequence[Line], others: frozenset[str]) -> tuple[Mapping[str, Policy], frozenset[str]]:
    """The policies of the route-maps, but `others`; and the lines of maps and lists that no policy can say."""
    lists = read_lists(lines)
    found: dict[str, set[PolicyRule]] = {}
    told: set[str] = set()
    used: set[tuple[str, str]] = set()
    for rest, line in named(lines, "route-map "):
        called = rest.split(" ")[0]
        if called in others:
            continue
        version = 6 if called.endswith(V6) else 4
        permits = found.setdefault(policy_name(called, version), set())
        permits |= _entry(line, rest.split(" ")[1:], version, lists, used, told)
    told |= {
        f"{word} prefix-list {name}"
        for word, name in lists.keys() - used
        if name not in others and (word, name) not in used
    }
    return {name: Policy(permits=frozenset(permits)) for name, permits in found.items()}, frozenset(told)


def _entry(
    line: Line, words: list[str], version: int, lists: Lists, used: set[tuple[str, str]], told: set[str]
) -> frozenset[PolicyRule]:
    """What one entry permits; what else it says goes to `told`, `used` are the lists that entries name."""
    permits: frozenset[PolicyRule] = frozenset()
    matched = False
    for below in line.below:
        family, _, names = below.text.removeprefix("match ").partition(" address prefix-list ")
        if not below.text.startswith("match ") or family not in ("ip", "ipv6") or not names:
            if not below.text.startswith("description "):
                told.add(f"{line.text} {below.text}")
            continue
        matched = True
        for name in names.split(" "):
            used.add((family, name))
            rules_of = lists.get((family, name), frozenset())
            if rules_of is None or family != _WORDS[version]:
                told.add(f"{line.text} {below.text}")
            else:
                permits |= rules_of
    if words[:1] == ["deny"]:
        if matched:
            told.add(line.text)
        return frozenset()
    if not matched:
        told.add(line.text)  # an entry that matches nothing in particular lets everything through
    return permits
