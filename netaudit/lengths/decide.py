"""Which length of a cable counts, of all that say one; and where it is not the one that the intent assumes.

The sources, first one first:

1. the plugs of a cable with fixed ends (DAC, AEC, AOC): its maker measured it, and it is the cable that is there;
2. the row of the intent's table (`cables.measured`): somebody measured the run;
3. CABLE_LENGTH of the switches, where `configured` asks for it: a setting that nobody measured, and that netaudit
   itself writes;
4. the class of the cable in the intent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.expect import Expected
from netaudit.fabric import extra_of
from netaudit.lengths.profiles import Profiles
from netaudit.lengths.seen import Seen
from netaudit.state import Link, LinkEnd
from netaudit.state.length import same_length


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A cable of which the intent says another length than what counts."""

    link: Link
    length_m: float
    told_by: str
    """`the plugs at both ends`, `CABLE_LENGTH of …`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Something that was told and is not taken."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the intent would have to say, and what nobody can decide from here."""

    changes: tuple[Change, ...]
    doubts: tuple[Doubt, ...]
    told: int
    """Cables of which at least one plug tells a length."""
    cables: int
    """Cables with an end on a switch that was read."""


def decide(expected: Expected, seen: Mapping[str, Seen], *, configured: bool = False) -> Decision:
    """Every cable with an end on a switch that was seen, each once."""
    changes: list[Change] = []
    doubts: list[Doubt] = []
    told = cables = 0
    profiles = Profiles(expected.built)
    for link in expected.links:
        ends = tuple(end for end in (link.a, link.b) if end.device in seen)
        if not ends:
            continue
        cables += 1
        plugs = {end: seen[end.device].plugs[end.port] for end in ends if end.port in seen[end.device].plugs}
        told += bool(plugs)
        doubts += [
            Doubt(where=str(end), reason=seen[end.device].doubts[end.port])
            for end in ends
            if end.port in seen[end.device].doubts
        ]
        found = _by_plugs(link, plugs) if plugs else _by_setting(expected, profiles, link, ends, seen, take=configured)
        if isinstance(found, Change):
            found = _moved(link, ends, seen) or _elsewhere(expected, found) or found
        if isinstance(found, Change):
            changes.append(found)
        elif found is not None:
            doubts.append(found)
    return Decision(changes=tuple(changes), doubts=tuple(doubts), told=told, cables=cables)


def _moved(link: Link, ends: tuple[LinkEnd, ...], seen: Mapping[str, Seen]) -> Doubt | None:
    """Is another cable plugged in than the planned one? Then its length is none of this link."""
    for end in ends:
        heard = seen[end.device].elsewhere.get(end.port)
        if heard is not None:
            planned = link.b if end == link.a else link.a
            return Doubt(where=str(end), reason=f"the cable there leads to {heard}, not to {planned}: move it first")
    return None


def _elsewhere(expected: Expected, change: Change) -> Doubt | None:
    """The length of a link beside the pattern to somebody else stands with that link: no table has a row for it."""
    number = extra_of(change.link.kind)
    if number is None or not expected.built.is_external(change.link.b.device):
        return None
    source = expected.built.intent.source(f"{change.link.kind}.cable")
    hint = f"write {change.length_m:g}m {change.link.medium} at {source}" if source else "correct its `cable`"
    reason = f"{change.told_by} says {change.length_m:g} m, not {change.link.length_m:g} m; {hint}"
    return Doubt(where=f"{change.link.a} – {change.link.b}", reason=reason)


def _by_plugs(link: Link, plugs: Mapping[LinkEnd, float]) -> Change | Doubt | None:
    """Both plugs of one cable tell one length; of two that are close the longer one, for headroom must hold it."""
    shortest, longest = min(plugs.values()), max(plugs.values())
    if not same_length(shortest, longest):
        said = " and ".join(f"{m:g} m at {end}" for end, m in plugs.items())
        return Doubt(where=f"{link.a} – {link.b}", reason=f"its plugs tell {said}: one cable has one length")
    if same_length(link.length_m, longest):
        return None
    whose = "the plugs at both ends" if len(plugs) > 1 else f"the plug at {next(iter(plugs))}"
    return Change(link=link, length_m=longest, told_by=whose)


def _by_setting(
    expected: Expected,
    profiles: Profiles,
    link: Link,
    ends: tuple[LinkEnd, ...],
    seen: Mapping[str, Seen],
    *,
    take: bool,
) -> Change | Doubt | None:
    """What the switches are set to, where no plug tells anything and nobody has measured the cable."""
    if expected.built.intent.cables.get(frozenset((str(link.a), str(link.b)))) is not None:
        return None
    set_m = {end: m for end in ends if (m := seen[end.device].set_m.get(end.port)) is not None}
    other = {end: m for end, m in set_m.items() if m != profiles.made_for_m(end)}
    if not other:
        return None
    where = f"{link.a} – {link.b}"
    said = ", ".join(f"{m} m at {end}" for end, m in set_m.items())
    if not take:
        hint = "a setting, not a measurement: --configured takes it"
        return Doubt(where=where, reason=f"CABLE_LENGTH is {said}, and the intent has {link.length_m:g} m; {hint}")
    if len(set(set_m.values())) > 1:
        return Doubt(where=where, reason=f"CABLE_LENGTH is {said}: which of them is right?")
    length_m = float(next(iter(set_m.values())))
    if length_m == 0:
        return Doubt(where=where, reason=f"CABLE_LENGTH is {said}: on SONiC that switches its headroom off")
    if same_length(link.length_m, length_m):
        return None
    return Change(link=link, length_m=length_m, told_by=f"CABLE_LENGTH of {' and '.join(map(str, set_m))}")


def switch_ends(expected: Expected, link: Link) -> Iterator[LinkEnd]:
    """The ends of a cable on switches of ours."""
    yield from (end for end in (link.a, link.b) if end.device in expected.built.devices)
