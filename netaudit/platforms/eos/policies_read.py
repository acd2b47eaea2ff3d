"""Prefix lists, route-maps and peer filters out of EOS's text."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Final

from netaudit.platforms.eos.text import Line
from netaudit.state import Policy, PolicyRule

ALL_ASNS: Final = (1, 4_294_967_295)


@dataclass(slots=True)
class Policies:
    """What a walk over the lines has gathered."""

    lists: dict[str, set[PolicyRule]] = field(default_factory=dict)
    """Prefix list, with `ip` or `ipv6` before its name."""
    maps: dict[str, set[str]] = field(default_factory=dict)
    """Route-map → the prefix lists of which it lets through what they permit."""
    denying: set[str] = field(default_factory=set)
    """Route-maps that begin by refusing everything."""
    filters: dict[str, list[tuple[int, int, bool]]] = field(default_factory=dict)
    """Peer filter → (lowest, highest ASN, accepted) in its order."""
    unmodelled: set[str] = field(default_factory=set)

    @property
    def named(self) -> dict[str, Policy]:
        """The route-maps as policies."""
        return {
            name: Policy(permits=frozenset(rule for part in parts for rule in self.lists.get(part, ())))
            for name, parts in self.maps.items()
        }

    @property
    def unused(self) -> set[str]:
        """Prefix lists that no route-map matches."""
        used = {name for lists in self.maps.values() for name in lists}
        return {f"{name} prefix-list without a route-map" for name in self.lists if name not in used}


def asn_of(text: str) -> int | None:
    """An ASN in asplain or asdot; `None` for other text."""
    high, dot, low = text.partition(".")
    if not (high.isdecimal() and len(high) < 11 and (not dot or (low.isdecimal() and len(low) < 6))):
        return None
    number = int(high) * 65536 + int(low) if dot else int(high)
    return number if number <= ALL_ASNS[1] else None


def prefix_of(text: str) -> str | None:
    """A prefix in the canonical text; `None` for what is none."""
    try:
        return str(ip_network(text, strict=False)) if "/" in text else None
    except ValueError:
        return None


def policy_line(found: Policies, line: Line) -> bool:
    """Take one top line and what is below it into account; `False` if it is not of a policy."""
    match line.words:
        case ["ip" | "ipv6" as family, "prefix-list", name, *rest]:
            _prefix_list(found, f"{family} {name}", line, rest)
        case ["route-map", name, "permit" | "deny" as what, number] if number.isdecimal():
            _route_map(found, name, what, line)
        case ["peer-filter", name]:
            _peer_filter(found, name, line)
        case _:
            return False
    return True


def _prefix_list(found: Policies, name: str, line: Line, rest: list[str]) -> None:
    rules = found.lists.setdefault(name, set())
    said = [rest] if rest else [below.words for below in line.below]
    for words in said:
        rule = _rule(words[2:] if words[:1] == ["seq"] else words)
        if rule is None:
            found.unmodelled.add(f"{name} prefix-list {' '.join(words)}")
        else:
            rules.add(rule)


def _rule(words: list[str]) -> PolicyRule | None:
    network = prefix_of(words[1]) if len(words) > 1 and words[0] == "permit" else None
    if network is None:
        return None
    length = ip_network(network).prefixlen
    match words[2:]:
        case []:
            return PolicyRule(prefix=network, up_to=length)
        case ["le", number] if number.isdecimal() and len(number) < 4:
            return PolicyRule(prefix=network, up_to=int(number))
        case ["eq", number] if number == str(length):
            return PolicyRule(prefix=network, up_to=length)
        case _:
            return None


def _route_map(found: Policies, name: str, what: str, line: Line) -> None:
    if what == "deny" and name not in found.maps and not line.below:
        # alone it lets nothing through; with entries behind it, those are what no leaf stands for
        found.maps[name] = set()
        found.denying.add(name)
        return
    lists = [
        w for w in (below.words for below in line.below) if w[:1] == ["match"] and w[2:4] == ["address", "prefix-list"]
    ]
    if what == "permit" and name not in found.denying and len(line.below) == 1 and lists and len(lists[0]) == 5:
        found.maps.setdefault(name, set()).add(f"{lists[0][1]} {lists[0][4]}")
        return
    found.maps.setdefault(name, set())
    found.unmodelled.add(line.text)
    found.unmodelled.update(below.text for below in line.below if below.words not in lists)


def _peer_filter(found: Policies, name: str, line: Line) -> None:
    rules = found.filters.setdefault(name, [])
    for below in line.below:
        match below.words:
            case [_, "match", "as-range", numbers, "result", "accept" | "reject" as result]:
                low, _, high = numbers.partition("-")
                ends = asn_of(low), asn_of(high or low)
                if ends[0] is not None and ends[1] is not None:
                    rules.append((ends[0], ends[1], result == "accept"))
                    continue
        found.unmodelled.add(f"{name} {below.text}")
