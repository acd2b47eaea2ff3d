"""Whether each lossless port gets the headroom its cable needs, and what the number it gets is based on."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit import hardware
from netaudit.checks.design import Design
from netaudit.checks.say import counted, exact, metres, rate
from netaudit.checks.survey import PortClass
from netaudit.diag import Diagnostic
from netaudit.expect.headroom import Headroom, NoHeadroom, formula
from netaudit.hardware import SwitchModel


def rows(design: Design) -> Iterator[Diagnostic]:
    """HDR-02: a speed and length that no published row covers. SONiC would give such a port no headroom at all."""
    missed: dict[tuple[str, int, str, float], list[PortClass]] = {}
    for kind in design.classes:
        if isinstance(kind.headroom, NoHeadroom) and design.lossless:
            key = (kind.kind, kind.speed_mbps, kind.hwsku, kind.length_m)
            missed.setdefault(key, []).append(kind)
    for kinds in missed.values():
        ports = sum(design.classes[kind].count for kind in kinds)
        boxes = {name for kind in kinds for name in design.classes[kind].devices}
        where = f"{counted(ports, 'port')} of {counted(len(boxes), 'device')} would have no headroom"
        reason = kinds[0].headroom.reason if isinstance(kinds[0].headroom, NoHeadroom) else ""
        yield design.error("HDR-02", design.length_source(kinds[0]), f"{reason}: {where}", _longest(kinds[0]))


def _longest(kind: PortClass) -> str:
    shallow = hardware.switch(kind.model).buffer_class
    computed = f"buffers: {{{shallow}: {{headroom: computed}}}} binds our own profile"
    known = hardware.switch(kind.model).hwskus[kind.hwsku].lengths_m(kind.speed_mbps)
    return f"{computed}, or at most {known[-1]} m" if known else computed


def rounding(design: Design) -> Iterator[Diagnostic]:
    """HDR-14: lengths that are rounded up to a published row, and what that costs or saves. One line a row."""
    lengths: dict[tuple[str, int, str, int], list[PortClass]] = {}
    for kind in design.classes:
        found = kind.headroom
        if not design.lossless or not isinstance(found, Headroom) or not kind.possible:
            continue
        if found.cable_length_m != kind.length_m:
            key = (kind.kind, kind.speed_mbps, kind.hwsku, found.cable_length_m)
            lengths.setdefault(key, []).append(kind)
    for (name, speed_mbps, hwsku, row_m), kinds in lengths.items():
        real = sorted({kind.length_m for kind in kinds})
        span = metres(real[0]) if len(real) == 1 else f"{real[0]:g} to {metres(real[-1])}"
        longest = max(kinds, key=lambda kind: kind.length_m)
        message = f"{name} at {rate(speed_mbps)}: {span} counts as {row_m} m"
        if isinstance(longest.headroom, Headroom) and longest.headroom.dedicated:
            message += f", {_difference(design, longest, longest.headroom)}"
        hint = f"the next row of {hwsku}'s table; `netaudit show headroom` has the terms"
        yield design.info("HDR-14", design.length_source(longest), message, hint)


def _difference(design: Design, kind: PortClass, found: Headroom) -> str:
    """What the row gives over what its own length would need by the formula."""
    needed = required(design, kind, bulk=design.policy(hardware.switch(kind.model)).packets == "bulk")
    return f"{exact(found.xoff_bytes)} of headroom where {exact(needed)} would do"


def required(design: Design, kind: PortClass, *, bulk: bool) -> int:
    """xoff in bytes that a port of this class needs for its real length, by the formula (headroom.md 2.2)."""
    model = hardware.switch(kind.model)
    mtu = design.model.mtu.port
    return formula(model, kind.speed_mbps, kind.length_m, kind.lanes, mtu, bulk=bulk).xoff_bytes


def published(design: Design) -> Iterator[Diagnostic]:
    """HDR-03: a published row below what the formula asks for. Error below the need of large packets, else warning."""
    for kind in design.classes:
        found = kind.headroom
        if not design.lossless or not isinstance(found, Headroom):
            continue
        short = shortfall(found.xoff_bytes, required(design, kind, bulk=True), required(design, kind, bulk=False))
        if short is None:
            continue
        missing, certain = short
        message = (
            f"{kind.kind} at {rate(kind.speed_mbps)}: the row {found.cable_length_m} m of {kind.hwsku} has "
            f"{exact(found.xoff_bytes)} of headroom, {exact(missing)} less than {metres(kind.length_m)} need "
            + ("even with large packets" if certain else "with the smallest packets")
        )
        hint = "buffers: {shallow: {headroom: computed}} binds our own profile"
        say = design.error if certain else design.warning
        yield say("HDR-03", design.length_source(kind), message, hint)


def shortfall(xoff_bytes: int, bulk_bytes: int, worst_bytes: int) -> tuple[int, bool] | None:
    """(bytes missing, whether even large packets are dropped) of a headroom; `None` if it is enough."""
    if xoff_bytes < bulk_bytes:
        return bulk_bytes - xoff_bytes, True
    if xoff_bytes < worst_bytes:
        return worst_bytes - xoff_bytes, False
    return None


def caps(design: Design) -> Iterator[Diagnostic]:
    """HDR-07: a port that takes more of a shared headroom pool than SONiC lets it; the profile would be refused."""
    for kind in design.classes:
        if not isinstance(kind.headroom, Headroom):
            continue
        beyond = over_cap(hardware.switch(kind.model), kind.lanes, kind.headroom, design.lossless)
        if beyond is not None:
            taken, cap = beyond
            message = (
                f"{kind.kind} at {rate(kind.speed_mbps)}, {metres(kind.length_m)}: a port would take {exact(taken)} "
                f"of the shared headroom pool, and {kind.model} lets it take {exact(cap)}"
            )
            hint = "a shorter cable, packets: bulk, or one lossless class less"
            yield design.error("HDR-07", design.length_source(kind), message, hint)


def over_cap(model: SwitchModel, lanes: int, found: Headroom, lossless_classes: int) -> tuple[int, int] | None:
    """(bytes taken, bytes allowed) of a port beyond its cap; `None` within it, or where each group has its own."""
    if found.dedicated:
        return None
    taken = lossless_classes * max(0, found.xon_bytes + found.xoff_bytes - found.size_bytes)
    cap = model.port_headroom_cap_bytes(lanes)
    return (taken, cap) if taken > cap else None


def policies(design: Design) -> Iterator[Diagnostic]:
    """Words of `buffers` that have no effect on the switches of this fabric, or that cannot be done yet."""
    classes = {load.model.buffer_class for load in design.loads}
    for name, chosen in (("shallow", design.model.buffers.shallow), ("deep", design.model.buffers.deep)):
        if name not in classes:
            continue
        if chosen.headroom == "dynamic":
            message = "`headroom: dynamic` is not supported yet: nothing would tell the switch to compute"
            hint = "published takes the HWSKU's table, computed our own formula"
            yield design.error("PLT-01", f"buffers.{name}.headroom", message, hint)
        mine = [k.headroom for k in design.classes if hardware.switch(k.model).buffer_class == name]
        dedicated = all(h.dedicated for h in mine if isinstance(h, Headroom))
        if chosen.shared_headroom > 1 and dedicated and design.intent.given(f"buffers.{name}.shared_headroom"):
            message = f"`shared_headroom: {chosen.shared_headroom}` has no effect: each group has headroom of its own"
            where = "the table of the HWSKU" if chosen.headroom == "published" else "our own profile"
            hint = f"{where} reserves xon + xoff in each group; shared_headroom: 1 says the same"
            yield design.info("HDR-06", f"buffers.{name}.shared_headroom", message, hint)
        if chosen.alpha.numerator & (chosen.alpha.numerator - 1) or chosen.alpha.denominator & (
            chosen.alpha.denominator - 1
        ):
            yield _rounded_alpha(design, name)


def _rounded_alpha(design: Design, name: str) -> Diagnostic:
    chosen = design.model.buffers.deep if name == "deep" else design.model.buffers.shallow
    message = f"alpha {chosen.alpha} is no power of two: the switches take the next one below"
    hint = "1/8, 1/4, 1/2, 1, 2, 4, 8; a fuller buffer is shared out by alpha / (1 + alpha)"
    return design.info("HDR-09", f"buffers.{name}.alpha", message, hint)
