"""What each single change of a design would make headroom need: every way out of a full buffer, with its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from netaudit import hardware, lossless
from netaudit.checks.budget import Budget, Group, Size, budget, given
from netaudit.checks.design import Design
from netaudit.checks.say import counted, megabytes, percent
from netaudit.checks.survey import Load, PortClass
from netaudit.expect.headroom import formula, policy, shared_group
from netaudit.hardware import SwitchModel
from netaudit.lossless.pool import SHARING_WARN

LONGEST_M = 100_000
"""No cable of a fabric is longer: where a search for a fitting length starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One single change, what headroom would then need, and what it costs instead."""

    change: str
    needed_bytes: int
    share: Fraction
    fits: bool
    price: str

    @property
    def told(self) -> str:
        """`1 lossless class (82.4 MB, 52 %)`."""
        return f"{self.change} ({megabytes(self.needed_bytes)}, {percent(self.share)})"


def costliest(found: Budget) -> PortClass:
    """The ports that cost most, together."""
    groups = {kind: given(kind) or Group(own_bytes=0) for kind in found.load.ports}
    return max(groups, key=lambda kind: found.load.ports[kind] * (groups[kind].own_bytes + groups[kind].beyond_bytes))


def remedies(design: Design, found: Budget) -> tuple[Remedy, ...]:
    """Every single change that helps, computed, those that change the design least first."""
    now = found.headroom_bytes if found.fits else found.needed_bytes
    return tuple(r for r in _tried(design, found) if r is not None and r.needed_bytes < now)


def _tried(design: Design, found: Budget) -> Iterator[Remedy | None]:
    load, classes = found.load, found.lossless
    chosen = policy(design.fabric, load.model, load.role)
    bulk = chosen.packets == "bulk"
    worst, large = computed(design, bulk=False), computed(design, bulk=True)
    yield _remedy(found, "headroom: computed", budget(design, load, classes, worst),
                  "our own profile in place of the published one")  # fmt: skip
    length_m = _fitting_m(design, found)
    if length_m:
        cut = budget(design, load, classes, _cut(design, load, costliest(found).kind, length_m))
        yield _remedy(found, f"{costliest(found).kind} at most {length_m:,} m", cut, "move racks or re-cable")
    yield _remedy(found, "headroom: computed, packets: bulk",
                  budget(design, load, classes, large), "small frames may drop")  # fmt: skip
    if load.model.buffer_class == "shallow" and not found.shared_bytes:
        pooled = _pooled(design, load, classes, computed(design, bulk=bulk, shared=True))
        yield _remedy(found, f"headroom: computed, shared_headroom: {SHARING_WARN}", pooled,
                      f"1 of {SHARING_WARN} groups can be paused at a time")  # fmt: skip
    if classes > 1:
        yield _remedy(found, counted(classes - 1, "lossless class", "lossless classes"),
                      budget(design, load, classes - 1), "one class may drop")  # fmt: skip
    if not found.fits:
        yield _deep(design, found)
        lossy = budget(design, load, 0)
        yield _remedy(found, "no lossless class, ECN alone", lossy, "what finds no room is dropped and sent again")


def _pooled(design: Design, load: Load, classes: int, size: Size) -> Budget | None:
    """The budget with a shared headroom pool; `None` where a port would take more of it than SONiC lets it."""
    for kind in load.ports:
        group = size(kind)
        if group is not None and classes * group.beyond_bytes > load.model.port_headroom_cap_bytes(kind.lanes):
            return None
    return budget(design, load, classes, size, SHARING_WARN)


def _remedy(before: Budget, change: str, after: Budget | None, price: str) -> Remedy | None:
    if after is None:
        return None
    enough = after.fits and (after.bursts or not before.fits)
    # what is judged is also what is shown: all that is needed against the buffer, or headroom alone against phi
    needed = after.headroom_bytes if before.fits else after.needed_bytes
    share = Fraction(needed, after.buffer_bytes)
    return Remedy(change=change, needed_bytes=needed, share=share, fits=enough, price=price)


def _deep(design: Design, found: Budget) -> Remedy | None:
    """The smallest deep buffer of the catalogue that has the ports, with headroom for large packets as it comes."""
    if found.load.model.buffer_class == "deep":
        return None
    able = [m for m in hardware.models() if m.buffer_class == "deep" and _carries(m, found.load)]
    for model in sorted(able, key=lambda m: (m.buffer_bytes, m.name)):
        load = replace(found.load, model=model)
        after = budget(design, load, found.lossless, computed(design, bulk=True, model=model))
        if after is not None and after.fits:
            return _remedy(found, f"a deep buffer, as {model.name} has", after, "another switch")
    return None


def _carries(model: SwitchModel, load: Load) -> bool:
    """Whether the cages of a model have all ports of a load, each speed where it fits."""
    fastest = sorted((kind.speed_mbps for kind, n in load.ports.items() for _ in range(n)), reverse=True)
    cages = sorted((cage.max_speed_mbps for cage in model.fabric_cages), reverse=True)
    room = list(cages)
    for speed in fastest:
        slot = next((i for i, left in enumerate(room) if left >= speed), None)
        if slot is None:
            return False
        room[slot] -= speed
    return True


def computed(design: Design, *, bulk: bool, shared: bool | None = None, model: SwitchModel | None = None) -> Size:
    """Sizes by the formula of the ASIC; `shared` as the intent says where it is not given."""
    mtu = design.model.mtu.port

    def size(kind: PortClass) -> Group:
        on = model or hardware.switch(kind.model)
        pooled = policy(design.fabric, on, kind.role).sharing > 1 if shared is None else shared
        found = formula(on, kind.speed_mbps, kind.length_m, kind.lanes, mtu, bulk=bulk, allowance=not pooled)
        return _group(on, found, pooled)

    return size


def _group(model: SwitchModel, found: lossless.Headroom, pooled: bool) -> Group:
    if not pooled:
        return Group(own_bytes=found.size_bytes)
    own = shared_group(model, found)
    return Group(own_bytes=own, beyond_bytes=max(0, found.xon_bytes + found.xoff_bytes - own))


def _cut(design: Design, load: Load, name: str, length_m: int) -> Size:
    """Sizes when no cable of a class of cables is longer."""
    chosen = policy(design.fabric, load.model, load.role)
    by_formula = computed(design, bulk=chosen.packets == "bulk")

    def size(kind: PortClass) -> Group | None:
        if kind.kind != name or kind.length_m <= length_m:
            return given(kind)
        if chosen.headroom != "published":
            return by_formula(replace(kind, length_m=length_m))
        hwsku = hardware.switch(kind.model).hwskus[kind.hwsku]
        row_m = hwsku.row_length_m(kind.speed_mbps, length_m)
        if row_m is None:
            return None
        row = hwsku.pg[kind.speed_mbps, row_m]
        beyond = 0 if row.dedicated else max(0, row.xon_bytes + row.xoff_bytes - row.size_bytes)
        return Group(own_bytes=row.size_bytes, beyond_bytes=beyond)

    return size


def _fitting_m(design: Design, found: Budget) -> int:
    """The greatest whole length of the costliest class of cables at which it would do; 0 where none would."""
    name = costliest(found).kind
    low, high = 0, LONGEST_M
    while low < high:
        middle = (low + high + 1) // 2
        after = budget(design, found.load, found.lossless, _cut(design, found.load, name, middle))
        enough = after is not None and after.fits and (after.bursts or not found.fits)
        low, high = (middle, high) if enough else (low, middle - 1)
    return low
