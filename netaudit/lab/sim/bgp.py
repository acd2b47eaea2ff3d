"""Which paths every speaker of the fabric holds: a path-vector computation to its fixed point.

Prefixes that the same speakers originate and that every policy treats alike take the same way: computed once for all.
Only the best path of each speaker is kept; what it hears is what its peers' best paths send.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import TypeAlias

from netaudit.lab.sim.frr_policy import Policy, permits

AsPath: TypeAlias = tuple[int, ...]
Chosen: TypeAlias = tuple[AsPath, int]
"""A best path and the direction it came over; `OWN` for an originated prefix."""
_Way: TypeAlias = tuple[int, int, int, int, bool, bool]
"""(direction, speaker it leads to, that one's ASN, how often it allows its ASN, external, alone)."""
_Ways: TypeAlias = Sequence[Mapping[tuple[int, int], Sequence[_Way]]]
_Order: TypeAlias = tuple[bool, int]
"""(internal, place of the peer among the receiver's): what decides between paths of equal length."""
OWN = -1
DENY_ALL: Policy = ()
_ROUNDS = 64
"""How often each direction may speak on average before a dispute of policies is left as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One speaker, for one address family."""

    name: str
    asn: int
    router_id: str
    relax: bool
    maximum_paths: int
    own: tuple[str, ...]
    """Prefixes it originates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One of the two directions of a session. That of index i ^ 1 is the other."""

    source: int
    """Index of the speaker that sends."""
    target: int
    source_key: str
    """How the sender calls this peer: a port or an address."""
    target_key: str
    external: bool
    policy_out: Policy | None
    policy_in: Policy | None
    allowas_in: int
    alone: bool = False
    """No other peer of the sender is sent the same; only then FRR keeps a path from the peer that it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A path that a speaker holds for a prefix."""

    as_path: AsPath
    direction: int
    """The direction it came over; `OWN` for its own."""
    best: bool
    multipath: bool
    """Used beside the best one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The fixed point of one address family."""

    nodes: tuple[Node, ...]
    directions: tuple[Direction, ...]
    incoming: tuple[tuple[int, ...], ...]
    """Speaker → directions to it, the most preferred peer first."""
    group_of: Mapping[str, int]
    """Prefix → its group, in the order of addresses."""
    policies: tuple[tuple[int, int], ...]
    """Direction → number of the sender's policy and of the receiver's."""
    verdicts: tuple[tuple[bool, ...], ...]
    """Group → what each policy, by number, says of it."""
    chosen: tuple[tuple[Chosen | None, ...], ...]
    """Group → best path by speaker."""
    index: Mapping[str, int] = field(default_factory=dict)


def converge(nodes: Sequence[Node], directions: Sequence[Direction]) -> Family:
    """The fixed point, the same each time: ties go to the lower router id, then to the order of sessions."""
    incoming = tuple(
        tuple(sorted(ways, key=lambda way: _rank(nodes, directions[way], way))) for ways in _to(nodes, directions)
    )
    place = {at: number for ways in incoming for number, at in enumerate(ways)}
    order = [(not way.external, place[at]) for at, way in enumerate(directions)]
    numbers: dict[Policy | None, int] = {}
    numbered = tuple((_number(numbers, way.policy_out), _number(numbers, way.policy_in)) for way in directions)
    ways = _ways_of(nodes, directions, numbered)
    group_of, groups = _groups(nodes, tuple(numbers))
    return Family(
        nodes=tuple(nodes),
        directions=tuple(directions),
        incoming=incoming,
        group_of=group_of,
        policies=numbered,
        verdicts=tuple(verdict for _, verdict in groups),
        chosen=tuple(_settle(nodes, ways, order, *group) for group in groups),
        index={node.name: at for at, node in enumerate(nodes)},
    )


def _number(numbers: dict[Policy | None, int], policy: Policy | None) -> int:
    """The number of a policy; equal ones have the same."""
    return numbers.setdefault(policy, len(numbers))


def _to(nodes: Sequence[Node], directions: Sequence[Direction]) -> list[list[int]]:
    """Speaker → directions to it."""
    ways: list[list[int]] = [[] for _ in nodes]
    for at, way in enumerate(directions):
        ways[way.target].append(at)
    return ways


def _rank(nodes: Sequence[Node], direction: Direction, order: int) -> tuple[int, int, int]:
    """How a path over this direction stands against an equally long one (RFC 4271 9.1.2.2, d and f)."""
    return (0 if direction.external else 1, int(ip_address(nodes[direction.source].router_id)), order)


def _groups(
    nodes: Sequence[Node], policies: Sequence[Policy | None]
) -> tuple[Mapping[str, int], list[tuple[tuple[int, ...], tuple[bool, ...]]]]:
    """Prefix → group, and for each group who originates it and what each policy says of it."""
    origins: dict[str, list[int]] = {}
    for at, node in enumerate(nodes):
        for prefix in node.own:
            origins.setdefault(prefix, []).append(at)
    numbers: dict[tuple[tuple[int, ...], tuple[bool, ...]], int] = {}
    group_of = {}
    for prefix in sorted(origins, key=_order):
        verdict = tuple(policy is None or permits(policy, prefix) for policy in policies)
        group_of[prefix] = numbers.setdefault((tuple(origins[prefix]), verdict), len(numbers))
    return group_of, list(numbers)


def _order(prefix: str) -> tuple[int, int]:
    """The order in which FRR lists prefixes."""
    network = ip_network(prefix)
    return int(network.network_address), network.prefixlen


def _ways_of(nodes: Sequence[Node], directions: Sequence[Direction], policies: Sequence[tuple[int, int]]) -> _Ways:
    """Speaker → its directions by pair of policies, so that a verdict is asked for once a pair."""
    ways: list[dict[tuple[int, int], list[_Way]]] = [{} for _ in nodes]
    for at, way in enumerate(directions):
        one = (at, way.target, nodes[way.target].asn, way.allowas_in, way.external, way.alone)
        ways[way.source].setdefault(policies[at], []).append(one)
    return ways


def _settle(
    nodes: Sequence[Node], ways: _Ways, order: Sequence[_Order], origins: Sequence[int], verdict: Sequence[bool]
) -> tuple[Chosen | None, ...]:
    """Best path of every speaker for one group of prefixes."""
    chosen: list[Chosen | None] = [None] * len(nodes)
    heard: list[dict[int, AsPath]] = [{} for _ in nodes]
    for origin in origins:
        chosen[origin] = ((), OWN)
    waiting = dict.fromkeys(origins)
    budget = _ROUNDS * (len(order) + 1)
    while waiting and budget > 0:
        speaker = next(iter(waiting))
        del waiting[speaker]
        path, came_over = chosen[speaker] or (None, OWN)
        longer = None if path is None else (nodes[speaker].asn, *path)
        inside = came_over != OWN and order[came_over][0]
        for (out, into), directions in ways[speaker].items():
            if not (verdict[out] and verdict[into]):
                continue
            budget -= len(directions)
            for at, target, asn, allowed, external, alone in directions:
                new = longer if external else None if inside else path
                if new is not None and (new.count(asn) > allowed or (alone and at == came_over ^ 1)):
                    new = None
                if new != heard[target].get(at) and _hear(chosen, heard[target], order, at, target, new):
                    waiting[target] = None
    return tuple(chosen)


def _hear(
    chosen: list[Chosen | None],
    paths: dict[int, AsPath],
    order: Sequence[_Order],
    at: int,
    target: int,
    path: AsPath | None,
) -> bool:
    """Note what came over a direction; whether the receiver's best path changes by it."""
    if path is None:
        del paths[at]
    else:
        paths[at] = path
    best = chosen[target]
    if best is not None:
        if best[1] == OWN:
            return False
        if best[1] != at and (path is None or (len(path), order[at]) > (len(best[0]), order[best[1]])):
            return False
    first = min(paths, key=lambda way: (len(paths[way]), order[way]), default=None)
    new = None if first is None else (paths[first], first)
    chosen[target] = new
    return new != best


def _sent(nodes: Sequence[Node], directions: Sequence[Direction], best: Chosen | None, at: int) -> AsPath | None:
    """The path that a speaker's best one becomes at the other end; `None` where it is not sent or not taken.

    Policies are not looked at here. A path that holds the receiver's ASN more often than it allows is a loop.
    """
    if best is None or not _goes_out(directions, best[1], at):
        return None
    way = directions[at]
    path = (nodes[way.source].asn, *best[0]) if way.external else best[0]
    return None if path.count(nodes[way.target].asn) > way.allowas_in else path


def _goes_out(directions: Sequence[Direction], came_over: int, at: int) -> bool:
    """Whether a path that came over one direction is sent over another: never from one internal peer to another."""
    way = directions[at]
    if came_over == OWN:
        return True
    return (way.external or directions[came_over].external) and not (way.alone and came_over ^ 1 == at)


def received(family: Family, speaker: int, prefix: str) -> Iterator[tuple[int, AsPath]]:
    """(direction, path) of all that a speaker accepted for a prefix."""
    group = family.group_of[prefix]
    verdict, chosen = family.verdicts[group], family.chosen[group]
    for at in family.incoming[speaker]:
        way = family.directions[at]
        out, into = family.policies[at]
        if verdict[out] and verdict[into]:
            path = _sent(family.nodes, family.directions, chosen[way.source], at)
            if path is not None:
                yield at, path


def accepted(family: Family, at: int) -> int:
    """How many prefixes came over a direction and were taken; those of a group share their fate."""
    way, (out, into) = family.directions[at], family.policies[at]
    return sum(
        prefixes
        for group, prefixes in Counter(family.group_of.values()).items()
        if family.verdicts[group][out]
        and family.verdicts[group][into]
        and _sent(family.nodes, family.directions, family.chosen[group][way.source], at) is not None
    )


def sent(family: Family, at: int) -> int:
    """How many prefixes go out over a direction, whether or not the peer takes them."""
    way = family.directions[at]
    count = 0
    for group in family.group_of.values():
        best = family.chosen[group][way.source]
        if best is None or not family.verdicts[group][family.policies[at][0]]:
            continue
        count += _goes_out(family.directions, best[1], at)
    return count


def held(family: Family, speaker: int, prefix: str) -> tuple[Heard, ...]:
    """Every path that a speaker holds for a prefix, with which of them it uses."""
    node = family.nodes[speaker]
    best = family.chosen[family.group_of[prefix]][speaker]
    if best is None:
        return ()
    paths: list[tuple[int, AsPath]] = [(OWN, ())] if best[1] == OWN else []
    paths += received(family, speaker, prefix)
    beside = _beside(family, node, best, paths)
    return tuple(Heard(as_path=path, direction=at, best=at == best[1], multipath=at in beside) for at, path in paths)


def _beside(family: Family, node: Node, best: Chosen, paths: Sequence[tuple[int, AsPath]]) -> frozenset[int]:
    """Directions of the paths used beside the best one.

    Equally long and from the same kind of peer; without multipath-relax also from the same neighboring AS, which is how
    FRR compares.
    """
    as_path, came_over = best
    if came_over == OWN:
        return frozenset()
    external = family.directions[came_over].external
    alike = [
        at
        for at, path in paths
        if at not in (OWN, came_over)
        and len(path) == len(as_path)
        and family.directions[at].external == external
        and (node.relax or path[:1] == as_path[:1])
    ]
    return frozenset(alike[: node.maximum_paths - 1])
