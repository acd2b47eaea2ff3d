"""Whether the headroom of all ports fits into the buffer, what costs most, and what each single change would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from netaudit import hardware, lossless
from netaudit.checks.design import Design
from netaudit.checks.say import counted, devices, exact, folded, megabytes, metres, percent, rate
from netaudit.checks.survey import Load, PortClass
from netaudit.diag import Diagnostic
from netaudit.expect.headroom import Headroom, formula
from netaudit.lossless.pool import PHI

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The buffer of devices that are alike, and what is kept of it for headroom and reserves."""

    load: Load
    lossless: int
    headroom_bytes: int
    reserved_bytes: int

    @property
    def buffer_bytes(self) -> int:
        """All of it."""
        return self.load.model.buffer_bytes

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
        return lossless.fit(headroom_bytes=self.headroom_bytes, buffer_bytes=self.buffer_bytes).fits


Size = Callable[[PortClass], int | None]
"""Bytes of one lossless group of a port, `None` if it cannot be had."""


def given(kind: PortClass) -> int | None:
    """What is planned."""
    return kind.headroom.size_bytes if isinstance(kind.headroom, Headroom) else None


def budget(load: Load, lossless_classes: int, size: Size = given) -> Budget | None:
    """What these devices need; `None` where a group cannot be had in that size."""
    total = 0
    for kind, count in load.ports.items():
        each = size(kind) if lossless_classes else 0
        if each is None:
            return None
        total += count * each
    kept = lossless.reserved(
        ports_up=sum(load.ports.values()),
        eight_lane_ports_up=sum(count for kind, count in load.ports.items() if kind.lanes == 8),
        pipeline_kib=load.model.headroom.pipeline_kib,
    )
    return Budget(
        load=load,
        lossless=lossless_classes,
        headroom_bytes=lossless_classes * total,
        reserved_bytes=kept.value,
    )


def budgets(design: Design) -> tuple[Budget, ...]:
    """The budget of every device, alike ones once, the fullest first."""
    found = [b for load in design.loads if (b := budget(load, design.lossless)) is not None]
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


def fit(design: Design) -> Iterator[Diagnostic]:
    """HDR-05: headroom beyond the buffer is an error, beyond 30 % of it a warning. One diagnostic a role."""
    for found, count in fullest(design).values():
        if found.fits and found.bursts:
            continue
        where = devices(found.load.role, count)
        kind = _costliest(found)
        chip = "" if found.load.model.itms == 1 else f", taken as one although it is in {found.load.model.itms} parts"
        if not found.fits:
            message = (
                f"headroom does not fit on {where}: {megabytes(found.needed_bytes)} needed, "
                f"{megabytes(found.buffer_bytes)} in the buffer ({percent(found.share)}){chip}"
            )
            say = design.error
        else:
            share = Fraction(found.headroom_bytes, found.buffer_bytes)
            message = (
                f"headroom takes {megabytes(found.headroom_bytes)} of {megabytes(found.buffer_bytes)} on {where} "
                f"({percent(share)}): above {percent(PHI)} little is left for bursts{chip}"
            )
            say = design.warning
        yield say("HDR-05", design.length_source(kind), message, _hint(design, found))


def _costliest(found: Budget) -> PortClass:
    return max(found.load.ports, key=lambda kind: found.load.ports[kind] * (given(kind) or 0))


def _hint(design: Design, found: Budget) -> str:
    able = [r for r in remedies(design, found) if r.fits]
    if not able:
        return "no single change of the intent is enough: fewer lossless ports a switch, or deeper buffers"
    return "each alone would do: " + "; ".join(f"{r.change} ({percent(r.share)})" for r in able)


def remedies(design: Design, found: Budget) -> tuple[Remedy, ...]:
    """Every single change that could make it fit, computed, those that change the design least first."""
    tried = (
        _remedy(found, "headroom: computed", budget(found.load, found.lossless, _computed(design, bulk=False)),
                "our own profile in place of the published one"),
        _remedy(found, _shorter(design, found), *_at_most(design, found)),
        _remedy(found, "headroom: computed, packets: bulk",
                budget(found.load, found.lossless, _computed(design, bulk=True)), "small frames may drop"),
        _remedy(found, f"{counted(found.lossless - 1, 'lossless class', 'lossless classes')}",
                budget(found.load, found.lossless - 1), "one class may drop") if found.lossless > 1 else None,
    )  # fmt: skip
    now = found.headroom_bytes if found.fits else found.needed_bytes
    return tuple(r for r in tried if r is not None and r.needed_bytes < now)


def _remedy(before: Budget, change: str, after: Budget | None, price: str) -> Remedy | None:
    if after is None or not change:
        return None
    enough = after.fits and (after.bursts or not before.fits)
    # what is judged is also what is shown: all that is needed against the buffer, or headroom alone against phi
    needed = after.headroom_bytes if before.fits else after.needed_bytes
    share = Fraction(needed, after.buffer_bytes)
    return Remedy(change=change, needed_bytes=needed, share=share, fits=enough, price=price)


def _computed(design: Design, *, bulk: bool) -> Size:
    mtu = design.model.mtu.port

    def size(kind: PortClass) -> int:
        model = hardware.switch(kind.model)
        return formula(model, kind.speed_mbps, kind.length_m, kind.lanes, mtu, bulk=bulk).size_bytes

    return size


def _cut(design: Design, name: str, length_m: int) -> Size:
    """Sizes when no cable of a class of cables is longer."""
    mtu = design.model.mtu.port

    def size(kind: PortClass) -> int | None:
        if kind.kind != name or kind.length_m <= length_m:
            return given(kind)
        model = hardware.switch(kind.model)
        policy = design.policy(model)
        if policy.headroom == "published":
            hwsku = model.hwskus[kind.hwsku]
            row_m = hwsku.row_length_m(kind.speed_mbps, length_m)
            return None if row_m is None else hwsku.pg[kind.speed_mbps, row_m].size_bytes
        bulk = policy.packets == "bulk"
        return formula(model, kind.speed_mbps, length_m, kind.lanes, mtu, bulk=bulk).size_bytes

    return size


def _fitting_m(design: Design, found: Budget) -> int:
    """The greatest whole length of the costliest class of cables at which it would do; 0 where none would."""
    name = _costliest(found).kind
    low, high = 0, LONGEST_M
    while low < high:
        middle = (low + high + 1) // 2
        after = budget(found.load, found.lossless, _cut(design, name, middle))
        enough = after is not None and after.fits and (after.bursts or not found.fits)
        low, high = (middle, high) if enough else (low, middle - 1)
    return low


def _shorter(design: Design, found: Budget) -> str:
    length_m = _fitting_m(design, found)
    return f"{_costliest(found).kind} at most {length_m:,} m" if length_m else ""


def _at_most(design: Design, found: Budget) -> tuple[Budget | None, str]:
    cut = _cut(design, _costliest(found).kind, _fitting_m(design, found))
    return budget(found.load, found.lossless, cut), "move racks or re-cable"


def table(design: Design, found: Budget) -> tuple[str, ...]:
    """What costs most, and what each change would give, as lines for a terminal (design/terminal.md, «check»)."""
    kind = _costliest(found)
    ports = found.load.ports[kind]
    each = given(kind) or 0
    short = _computed(design, bulk=_is_bulk(design, kind))(replace(kind, length_m=0.0)) or 0
    factor = ports * found.lossless
    times = f"{ports} ports × {found.lossless}"
    lines = [
        f"on {folded(found.load.devices)}: buffer {megabytes(found.buffer_bytes)}",
        "",
        f"{'what costs most':<52}{'per class and port':>20}{times:>18}",
        _cost(f"cable, {metres(kind.length_m)} at {rate(kind.speed_mbps)}", max(0, each - short), factor),
        _cost("frames, response and pipeline, without the cable", min(each, short), factor),
        _cost("together", each, factor),
        f"{'other ports':<52}{'':>20}{megabytes(found.headroom_bytes - each * factor):>18}",
        f"{'reserved beside headroom':<52}{'':>20}{megabytes(found.reserved_bytes):>18}",
        "",
        f"{'what would make it fit (each alone)':<52}{'needed':>12}{'of buffer':>12}   price",
    ]
    for number, remedy in enumerate((r for r in remedies(design, found) if r.fits), start=1):
        lines.append(_way(f"{number}  {remedy.change}", remedy))
    lines += [_way(f"not enough: {r.change}", r) for r in remedies(design, found) if not r.fits]
    return tuple(lines)


def _is_bulk(design: Design, kind: PortClass) -> bool:
    policy = design.policy(hardware.switch(kind.model))
    return policy.headroom == "computed" and policy.packets == "bulk"


def _cost(name: str, each_bytes: int, factor: int) -> str:
    return f"{name:<52}{exact(each_bytes):>20}{megabytes(each_bytes * factor):>18}"


def _way(name: str, remedy: Remedy) -> str:
    return f"{name:<52}{megabytes(remedy.needed_bytes):>12}{percent(remedy.share):>12}   {remedy.price}"
