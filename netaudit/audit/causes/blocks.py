"""Crossings that are one mistake: the lanes of a module in another order, whole modules exchanged, ports moved by n."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from netaudit.audit.causes.crossings import Crossing, Move
from netaudit.state import LinkEnd

Cage: TypeAlias = tuple[str, str]
"""Device and number."""
LEAST_LANES = 3
Numbered: TypeAlias = Callable[[str], Mapping[str, int]]
"""Device → place of each of its ports in the order of the front panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One mistake."""

    crossings: tuple[Crossing, ...]
    moves: tuple[Move, ...]
    """The shortest list, in an order in which it can be done."""
    words: str = ""
    """What they have in common, as a title says it; empty where nothing is known."""
    offset: int = 0
    """By how many ports all of them were moved; 0 where they were not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sided:
    """A crossing, and the side on which its plugs are taken to have been moved."""

    crossing: Crossing
    moves: tuple[Move, ...]


def blocks(
    found: Sequence[Crossing], side: Callable[[Crossing], tuple[LinkEnd, ...]], numbered: Numbered
) -> list[Block]:
    """Each crossing in one block. `side`: the ends to move of one that is alone."""
    left = list(found)
    made: list[Block] = []
    for merge in (_lanes, _modules, lambda many: _shifts(many, side, numbered)):
        for group in list(merge(left)):
            made.append(group)
            left = [one for one in left if one not in group.crossings]
    return [*made, *(_alone(one, side(one), numbered) for one in left)]


def _alone(crossing: Crossing, side: tuple[LinkEnd, ...], numbered: Numbered) -> Block:
    moves = crossing.moves(side)
    offset = _offset(moves, numbered) if len(moves) > 1 and not crossing.ring else 0
    return Block(
        crossings=(crossing,), moves=moves, offset=offset, words=_shifted(moves, offset) or _turned(moves, numbered)
    )


def cage(end: LinkEnd) -> Cage:
    """The cage that a port is in."""
    return end.device, end.port.partition("/")[0]


def _lanes(found: Sequence[Crossing]) -> Iterator[Block]:
    """Rings that stay inside of one module: an MPO plug that is turned, or legs of a breakout in another order."""
    inside: dict[tuple[str, str], list[_Sided]] = {}
    for one in found:
        for side in one.sides if one.ring else ():
            if len({cage(end) for end in side}) == 1 and all("/" in end.port for end in side):
                inside.setdefault(cage(side[0]), []).append(_Sided(crossing=one, moves=one.moves(side)))
                break
    for (device, number), many in inside.items():
        moves = tuple(move for one in many for move in one.moves)
        if len(moves) > 2:
            words = f"The {len(moves)} lanes of {device}:{number} are in another order than planned"
            yield Block(crossings=tuple(one.crossing for one in many), moves=moves, words=words)


def _modules(found: Sequence[Crossing]) -> Iterator[Block]:
    """Rings that are alike on each lane of the same modules: the modules were exchanged, not the lanes.

    From three lanes on, which are the legs of one plug; a module of two ports has a plug for each.
    """
    alike: dict[tuple[tuple[Cage, Cage], ...], list[_Sided]] = {}
    for one in found:
        for side in one.sides if one.ring else ():
            if len({end.port.partition("/")[2] for end in side}) == 1 and "/" in side[0].port:
                moves = one.moves(side)
                key = tuple(sorted((cage(move.here), cage(move.home)) for move in moves))
                alike.setdefault(key, []).append(_Sided(crossing=one, moves=moves))
                break
    for key, many in alike.items():
        if len(many) >= LEAST_LANES:
            places = [f"{device}:{number}" for (device, number), _ in key]
            what = "are swapped" if len(places) == 2 else "are in each other's places"
            words = f"The modules at {', '.join(places[:-1])} and {places[-1]} {what}, with all their lanes"
            moves = tuple(move for one in many for move in one.moves)
            yield Block(crossings=tuple(one.crossing for one in many), moves=moves, words=words)


def _shifts(
    found: Sequence[Crossing], side: Callable[[Crossing], tuple[LinkEnd, ...]], numbered: Numbered
) -> Iterator[Block]:
    """Chains moved by the same number of ports of one device, and rings that turn a block of neighboring ports."""
    chains: dict[tuple[str, int], list[_Sided]] = {}
    rings: dict[str, list[_Sided]] = {}
    for one in found:
        sided = _Sided(crossing=one, moves=one.moves(side(one)))
        devices = {end.device for move in sided.moves for end in (move.here, move.home)}
        if len(devices) != 1:
            continue
        device = next(iter(devices))
        if one.ring:
            rings.setdefault(device, []).append(sided)
        elif offset := _offset(sided.moves, numbered):
            chains.setdefault((device, offset), []).append(sided)
    for (_, offset), many in chains.items():
        if len(many) > 1 and _is_run(many, numbered, abs(offset)):
            moves = tuple(move for one in many for move in one.moves)
            yield _block(many, moves, _shifted(moves, offset), offset)
    for many in rings.values():
        yield from _turns(many, numbered)


def _turns(many: Sequence[_Sided], numbered: Numbered) -> Iterator[Block]:
    """Rings of one device that together turn a block of neighboring ports by n."""
    of = {end: one for one in many for move in one.moves for end in (move.here,)}
    index = {end: numbered(end.device)[end.port] for end in of if end.port in numbered(end.device)}
    for run in _runs(sorted(index, key=index.__getitem__), index):
        rings = list(dict.fromkeys(id(of[end]) for end in run))
        members = [one for one in many if id(one) in rings]
        moves = tuple(move for one in members for move in one.moves)
        words = _turned(moves, numbered)
        if len(members) > 1 and words:
            yield _block(members, moves, words, 0)


def _block(many: Sequence[_Sided], moves: tuple[Move, ...], words: str, offset: int) -> Block:
    return Block(crossings=tuple(one.crossing for one in many), moves=moves, words=words, offset=offset)


def _offset(moves: Iterable[Move], numbered: Numbered) -> int:
    """By how many ports every plug is from home, all in one direction on one device; 0 if they are not alike."""
    found: set[int] = set()
    for move in moves:
        index = numbered(move.here.device)
        if move.here.device != move.home.device or not {move.here.port, move.home.port} <= index.keys():
            return 0
        found.add(index[move.here.port] - index[move.home.port])
    return found.pop() if len(found) == 1 else 0


def _turned(moves: Sequence[Move], numbered: Numbered) -> str:
    """Words for plugs of neighboring ports that went round by n; empty where they did not."""
    ends = [move.here for move in moves]
    if len(ends) < 3 or len({end.device for end in ends}) != 1:
        return ""
    index = numbered(ends[0].device)
    if not all(end.port in index for end in ends):
        return ""
    order = sorted(ends, key=lambda end: index[end.port])
    if len(list(_runs(order, {end: index[end.port] for end in order}))) != 1:
        return ""
    place = {end: number for number, end in enumerate(order)}
    turns = {(place[move.here] - place[move.home]) % len(order) for move in moves if move.home in place}
    if len(turns) != 1 or len(ends) != len(moves):
        return ""
    by = turns.pop()
    turn = _ports(min(by, len(order) - by))
    return f"{len(moves)} cables of {ends[0].device} went round by {turn}, from {order[0].port} on"


def _runs(order: Sequence[LinkEnd], index: Mapping[LinkEnd, int]) -> Iterator[list[LinkEnd]]:
    """Ends of one device in groups that have no gap."""
    run: list[LinkEnd] = []
    for end in order:
        if run and index[end] != index[run[-1]] + 1:
            yield run
            run = []
        run.append(end)
    if run:
        yield run


def _is_run(many: Sequence[_Sided], numbered: Numbered, count: int) -> bool:
    """Do so many chains leave no port out between them?"""
    ends = {end for one in many for move in one.moves for end in (move.here, move.home)}
    index = {end: numbered(end.device)[end.port] for end in ends}
    return len(many) <= count and len(list(_runs(sorted(ends, key=index.__getitem__), index))) == 1


def _shifted(moves: Sequence[Move], offset: int) -> str:
    if not offset or len(moves) < 2:
        return ""
    device, way = moves[0].here.device, "further up" if offset > 0 else "further down"
    first = min((move.home for move in moves), key=lambda end: tuple(map(int, end.port.split("/"))))
    return f"{len(moves)} cables of {device} are plugged {_ports(abs(offset))} {way} than planned, from {first.port} on"


def _ports(count: int) -> str:
    return f"{count} port{'s' if count > 1 else ''}"
