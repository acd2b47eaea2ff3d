"""Which cables come, go, move to another port, or have another length or medium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from netaudit.expect import Expected
from netaudit.state import Link, LinkEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class CableChange:
    """One cable as it was and as it shall be."""

    old: Link
    new: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """All that happens to cables. Devices go by their new names, so that a new name moves no cable."""

    added: tuple[Link, ...] = ()
    removed: tuple[Link, ...] = ()
    moved: tuple[CableChange, ...] = ()
    """Between the same two devices, at another port of one or both."""
    changed: tuple[CableChange, ...] = ()
    """At the same ports, with another length, medium or purpose."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.moved or self.changed)


def wiring(old: Expected, new: Expected, renamed: Mapping[str, str]) -> Wiring:
    """What happens to cables; `renamed` is old name → new name. Linear in the cables, but for their sorting."""
    before = {(link.a, link.b): link for link in (_renamed(link, renamed) for link in old.links)}
    after = {(link.a, link.b): link for link in new.links}
    changed = tuple(
        CableChange(old=before[ends], new=link)
        for ends, link in after.items()
        if ends in before and before[ends] != link
    )
    gone = _by_devices([link for ends, link in before.items() if ends not in after])
    come = _by_devices([link for ends, link in after.items() if ends not in before])
    moved: list[CableChange] = []
    added: list[Link] = []
    for pair, links in come.items():
        there = gone.get(pair, [])
        moved += [CableChange(old=o, new=n) for o, n in zip(there, links, strict=False)]
        added += links[len(there) :]
        gone[pair] = there[len(links) :]
    removed = [link for links in gone.values() for link in links]
    return Wiring(added=tuple(added), removed=tuple(removed), moved=tuple(moved), changed=changed)


def _renamed(link: Link, renamed: Mapping[str, str]) -> Link:
    ends = [LinkEnd(device=renamed.get(end.device, end.device), port=end.port) for end in (link.a, link.b)]
    return Link(a=ends[0], b=ends[1], kind=link.kind, length_m=link.length_m, medium=link.medium)


def _by_devices(links: Sequence[Link]) -> dict[tuple[str, str], list[Link]]:
    """Links by the two devices they join; which of several parallel ones moved where is told in the order of ports."""
    found: dict[tuple[str, str], list[Link]] = {}
    for link in sorted(links):
        found.setdefault((link.a.device, link.b.device), []).append(link)
    return found
