"""How much of a buffer, or of each part of one, the headroom of all ports takes: numbers, for each kind of load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from netaudit import lossless
from netaudit.checks.design import Design
from netaudit.checks.survey import Load, PortClass
from netaudit.expect.headroom import Headroom, policy
from netaudit.expect.pools import shared_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One lossless group of a port: what it keeps, and what it takes of a shared headroom pool beyond that."""

    own_bytes: int
    beyond_bytes: int = 0


Size = Callable[[PortClass], Group | None]
"""A lossless group of a port, `None` if it cannot be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The buffer of devices that are alike, and what is kept of it for headroom and reserves."""

    load: Load
    lossless: int
    phi: Fraction
    """Part of the buffer that headroom may take."""
    own_bytes: int
    """What all groups keep of their own."""
    beyond_bytes: int
    """What they would take of the shared headroom pool, each to the full."""
    sharing_ports: int
    shared_bytes: int
    """Size of that pool; 0 where there is none."""
    chip_reserved_bytes: int
    part_own_bytes: int
    """What groups keep in the fullest part of the buffer: of all that where nobody knows which ports share one, the
    dearest cages dealt to the same part."""
    wired: bool
    """It is known which cages use which part."""

    @property
    def in_parts(self) -> bool:
        """Parts are judged one by one: a port can use its own only (headroom.md 4.3)."""
        return self.load.model.itms > 1 and self.wired

    @property
    def buffer_bytes(self) -> int:
        """What is judged: a part of the buffer, or all of it."""
        return self.load.model.itm_bytes if self.in_parts else self.load.model.buffer_bytes

    @property
    def estimated(self) -> str:
        """` (estimate ±6 %)` where nobody published the buffer's size."""
        note = self.load.model.figure("buffer_bytes").note
        return f" ({note})" if note else ""

    @property
    def headroom_bytes(self) -> int:
        """Headroom in what is judged, shared one by its pool."""
        return self.part_headroom_bytes if self.in_parts else self.own_bytes + self.shared_bytes

    @property
    def part_headroom_bytes(self) -> int:
        """Headroom in the fullest part."""
        return self.part_own_bytes + self.shared_bytes // self.load.model.itms

    @property
    def reserved_bytes(self) -> int:
        """What is kept beside headroom in what is judged."""
        return self.chip_reserved_bytes // self.load.model.itms if self.in_parts else self.chip_reserved_bytes

    @property
    def needed_bytes(self) -> int:
        """Headroom, and what is reserved beside it."""
        return self.headroom_bytes + self.reserved_bytes

    @property
    def share(self) -> Fraction:
        """Part of the buffer that is needed."""
        return Fraction(self.needed_bytes, self.buffer_bytes)

    @property
    def fits(self) -> bool:
        """Whether the buffer holds it at all, with something left to share."""
        return self.needed_bytes < self.buffer_bytes

    @property
    def bursts(self) -> bool:
        """Whether enough is left to absorb bursts (headroom.md 4.5)."""
        return lossless.fit(headroom_bytes=self.headroom_bytes, buffer_bytes=self.buffer_bytes, phi=self.phi).fits

    @property
    def crowded(self) -> bool:
        """The chip holds it, and a part of it would not if the dearest cages used the same one: nobody knows."""
        model = self.load.model
        part = self.part_headroom_bytes + self.chip_reserved_bytes // model.itms
        return not self.wired and self.fits and part >= model.itm_bytes


def given(kind: PortClass) -> Group | None:
    """What is planned."""
    found = kind.headroom
    if not isinstance(found, Headroom):
        return None
    beyond = 0 if found.dedicated else max(0, found.xon_bytes + found.xoff_bytes - found.size_bytes)
    return Group(own_bytes=found.size_bytes, beyond_bytes=beyond)


def budget(
    design: Design, load: Load, lossless_classes: int, size: Size = given, ratio: int | None = None
) -> Budget | None:
    """What these devices need; `None` where a group cannot be had in that size.

    `ratio` is the over-subscription of a shared headroom pool in place of what the template or the intent has.
    """
    groups: dict[PortClass, Group] = {}
    for kind in load.ports:
        found = size(kind) if lossless_classes else Group(own_bytes=0)
        if found is None:
            return None
        groups[kind] = found
    own = {kind: lossless_classes * group.own_bytes for kind, group in groups.items()}
    beyond = lossless_classes * sum(n * groups[kind].beyond_bytes for kind, n in load.ports.items())
    sharing = sum(n for kind, n in load.ports.items() if groups[kind].beyond_bytes)
    greatest = max((group.beyond_bytes for group in groups.values()), default=0)
    part_own, wired = fullest_part(load, own)
    return Budget(
        load=load,
        lossless=lossless_classes,
        phi=policy(design.fabric, load.model, load.role).phi / 100,
        own_bytes=sum(n * own[kind] for kind, n in load.ports.items()),
        beyond_bytes=beyond,
        sharing_ports=sharing,
        shared_bytes=_pool(design, load, beyond, greatest, sharing, ratio) if beyond else 0,
        chip_reserved_bytes=_reserved(load),
        part_own_bytes=part_own,
        wired=wired,
    )


def _pool(
    design: Design, load: Load, beyond_bytes: int, greatest_bytes: int, sharing_ports: int, ratio: int | None
) -> int:
    if ratio is not None:
        return lossless.shared_headroom_pool(
            uncovered_bytes=beyond_bytes,
            lossless_ports=sharing_ports,
            ratio=ratio,
            greatest_bytes=greatest_bytes,
            parts=load.model.itms,
        ).value
    return shared_size(
        design.fabric,
        design.fabric.devices[load.devices[0]],
        beyond_bytes=beyond_bytes,
        greatest_bytes=greatest_bytes,
        sharing_ports=sharing_ports,
    )


def _reserved(load: Load) -> int:
    return lossless.reserved(
        ports_up=sum(load.ports.values()),
        eight_lane_ports_up=sum(count for kind, count in load.ports.items() if kind.lanes == 8),
        pipeline_kib=load.model.headroom.pipeline_kib,
    ).value


def fullest_part(load: Load, cost: Mapping[PortClass, int]) -> tuple[int, bool]:
    """(what the ports of the fullest part of the buffer cost, whether the wiring of the cages is known).

    A cage uses one part as a whole. Where the wiring is not published, the dearest cages might all use one part, which
    has its share of the cages at most.
    """
    parts = load.model.itms
    cages = [(part, sum(n * cost[kind] for kind, n in ports), count) for (part, ports), count in load.cages.items()]
    if parts == 1 or not cages:
        return sum(n * cost[kind] for kind, n in load.ports.items()), parts == 1
    if all(part is not None for part, _, _ in cages):
        sums: dict[int | None, int] = {}
        for part, each, count in cages:
            sums[part] = sums.get(part, 0) + each * count
        return max(sums.values()), True
    room, total = -(-len(load.model.fabric_cages) // parts), 0
    for _, each, count in sorted(cages, key=lambda cage: -cage[1]):
        taken = min(room, count)
        room, total = room - taken, total + taken * each
    return total, False


def budgets(design: Design) -> tuple[Budget, ...]:
    """The budget of every device, alike ones once, the fullest first."""
    found = [b for load in design.loads if (b := budget(design, load, design.lossless)) is not None]
    return tuple(sorted(found, key=lambda b: b.share, reverse=True))


def fullest(design: Design) -> Mapping[tuple[str, str], tuple[Budget, int]]:
    """(role, model) → its fullest budget, and how many of its devices are as bad as that or do not do either."""
    result: dict[tuple[str, str], tuple[Budget, int]] = {}
    for found in budgets(design):
        key = (found.load.role, found.load.model.name)
        worst, count = result.get(key, (found, 0))
        same = (found.fits, found.bursts) == (worst.fits, worst.bursts)
        result[key] = (worst, count + (len(found.load.devices) if same else 0))
    return result
