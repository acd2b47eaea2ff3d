"""What another length of a cable does to the headroom of the ports at its ends, in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from netaudit.diag import Source
from netaudit.expect import Expected
from netaudit.expect.headroom import Headroom, NoHeadroom
from netaudit.intent import CableRow
from netaudit.intent.csvtext import Row
from netaudit.lengths.decide import Change, switch_ends
from netaudit.lengths.profiles import Profiles
from netaudit.state import LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One port of a changed cable."""

    end: LinkEnd
    before_bytes: int | None
    """xon + xoff of one lossless class; `None`: it has no headroom."""
    after_bytes: int | None
    refused: str
    """Why it would have none, after; else empty."""
    made_for_m: int | None
    """The length its profile is made for, after."""


def effects(expected: Expected, changes: Iterable[Change]) -> Iterator[tuple[Change, tuple[Effect, ...]]]:
    """Each change with the ports at its ends."""
    listed = tuple(changes)
    if not listed:
        return
    fabric = expected.built
    rows = {frozenset((str(c.link.a), str(c.link.b))): _row(c) for c in listed}
    intent = replace(fabric.intent, cables={**fabric.intent.cables, **rows})
    now, then = Profiles(fabric), Profiles(replace(fabric, intent=intent))
    for change in listed:
        yield change, tuple(_effect(now.at(end), then.at(end), end) for end in switch_ends(expected, change.link))


def _row(change: Change) -> CableRow:
    nowhere = Source(file="netaudit tune", line=1)
    a, b = str(change.link.a), str(change.link.b)
    return CableRow(a=a, b=b, length_m=change.length_m, source=nowhere, row=Row(cells={}, source=nowhere))


def _effect(before: Headroom | NoHeadroom | None, after: Headroom | NoHeadroom | None, end: LinkEnd) -> Effect:
    return Effect(
        end=end,
        before_bytes=_bytes(before),
        after_bytes=_bytes(after),
        refused=f"{after.reason}; {after.hint}" if isinstance(after, NoHeadroom) else "",
        made_for_m=after.cable_length_m if isinstance(after, Headroom) else None,
    )


def _bytes(found: Headroom | NoHeadroom | None) -> int | None:
    return found.xon_bytes + found.xoff_bytes if isinstance(found, Headroom) else None
