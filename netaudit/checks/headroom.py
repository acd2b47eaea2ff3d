"""Whether each lossless port gets the headroom its cable needs, and what the number it gets is based on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from netaudit import hardware, lossless
from netaudit.checks.design import Design
from netaudit.checks.say import counted, exact, metres, rate
from netaudit.checks.survey import PortClass
from netaudit.diag import Diagnostic
from netaudit.expect.headroom import Headroom, NoHeadroom, formula, policy, shared_group
from netaudit.hardware import Hwsku, SwitchModel

LEAST_ALPHA, GREATEST_ALPHA = Fraction(1, 256), Fraction(128)
"""2 to the power of dynamic_th, which is -8 to 7 (sonic.md section 3)."""


def rows(design: Design) -> Iterator[Diagnostic]:
    """HDR-02: a speed and length that no published row covers. SONiC would give such a port no headroom at all."""
    missed: dict[tuple[str, int, str, float], list[PortClass]] = {}
    for kind in design.classes:
        # a model that cannot compute is refused as such (PLT-01)
        if isinstance(kind.headroom, NoHeadroom) and design.lossless and not _is_dynamic(design, kind):
            key = (kind.kind, kind.speed_mbps, kind.hwsku, kind.length_m)
            missed.setdefault(key, []).append(kind)
    for kinds in missed.values():
        ports = sum(design.classes[kind].count for kind in kinds)
        boxes = {name for kind in kinds for name in design.classes[kind].devices}
        where = f"{counted(ports, 'port')} of {counted(len(boxes), 'device')} would have no headroom"
        reason = kinds[0].headroom.reason if isinstance(kinds[0].headroom, NoHeadroom) else ""
        yield design.error("HDR-02", design.length_source(kinds[0]), f"{reason}: {where}", _longest(kinds[0]))


def _is_dynamic(design: Design, kind: PortClass) -> bool:
    return policy(design.fabric, hardware.switch(kind.model), kind.role).headroom == "dynamic"


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
        if policy(design.fabric, hardware.switch(longest.model), longest.role).headroom != "published":
            hint = "a switch takes whole metres; `netaudit show headroom` has the terms"
        yield design.info("HDR-14", design.length_source(longest), message, hint)


def _difference(design: Design, kind: PortClass, found: Headroom) -> str:
    """What the row gives over what its own length would need by the formula."""
    needed = required(design, kind, bulk=design.policy(hardware.switch(kind.model), kind.role).packets == "bulk")
    return f"{exact(found.xoff_bytes)} of headroom where {exact(needed)} would do"


def required(design: Design, kind: PortClass, *, bulk: bool) -> int:
    """xoff in bytes that a port of this class needs for its real length, by the formula of its ASIC."""
    return _need(design, kind, bulk=bulk).xoff_bytes


def _need(design: Design, kind: PortClass, *, bulk: bool) -> lossless.Headroom:
    model = hardware.switch(kind.model)
    mtu = design.model.mtu.port
    # what physics asks for: a table that was made without SONiC's allowance drops nothing for want of it
    return formula(model, kind.speed_mbps, kind.length_m, kind.lanes, mtu, bulk=bulk, allowance=False)


def published(design: Design) -> Iterator[Diagnostic]:
    """HDR-03: a published row below what the formula asks for. Error below the need of large packets, else warning."""
    told: set[str] = set()  # both ends of a link have the same to say
    for kind in design.classes:
        found = kind.headroom
        if not design.lossless or not isinstance(found, Headroom):
            continue
        chosen = policy(design.fabric, hardware.switch(kind.model), kind.role)
        if chosen.headroom == "dynamic" and chosen.packets == "worst-case":
            continue  # it is the need itself, by the MTU of the very port
        need = _need(design, kind, bulk=True)
        short = shortfall(found.xoff_bytes, need.xoff_bytes, required(design, kind, bulk=False))
        if short is None:
            continue
        missing, certain = short
        ours = design.policy(hardware.switch(kind.model), kind.role).headroom != "published"
        row = "a profile for bulk packets" if ours else f"the row {found.cable_length_m} m of {kind.hwsku}"
        message = (
            f"{kind.kind} at {rate(kind.speed_mbps)}: {row} has "
            f"{exact(found.xoff_bytes)} of headroom, {exact(missing)} less than {metres(kind.length_m)} need "
            + ("even with large packets" if certain else "with the smallest packets")
            + (f" (by the {need.method})" if need.generic else "")
        )
        if message in told:
            continue
        told.add(message)
        shallow = hardware.switch(kind.model).buffer_class
        hint = f"buffers: {{{shallow}: {{headroom: computed}}}} binds our own profile"
        if ours:
            hint = "enough where lossless traffic is RDMA of large messages; `packets: worst-case` is enough for all"
        # a generic need has a margin of ours in it: no proof that a published row is wrong
        say = design.error if certain and not need.generic else design.warning
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
    told: set[str] = set()  # both ends of a link have the same to say
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
            if message not in told:
                told.add(message)
                yield design.error("HDR-07", design.length_source(kind), message, _within_cap(design, kind, cap))


def _within_cap(design: Design, kind: PortClass, cap: int) -> str:
    """What would keep a port within its cap, each way by itself: only what does is said."""
    chosen = design.policy(hardware.switch(kind.model), kind.role)
    name = "deep" if chosen is design.model.buffers.deep else "shallow"
    bulk, ways = chosen.packets == "bulk", []
    low, high = 0, math.ceil(kind.length_m) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _taken(design, kind, middle, bulk=bulk) <= cap else (low, middle - 1)
    if low:
        ways.append(f"at most {metres(low)}" + ("" if chosen.headroom != "published" else " with headroom: computed"))
    if not bulk and _taken(design, kind, kind.length_m, bulk=True) <= cap:
        ways.append(f"buffers: {{{name}: {{headroom: computed, packets: bulk}}}}")
    if design.lossless > 1 and _taken(design, kind, kind.length_m, bulk=bulk) <= cap * design.lossless:
        ways.append("1 lossless class")
    ways.append(f"buffers: {{{name}: {{headroom: computed, shared_headroom: 1}}}}, where the buffer holds it")
    return ", or ".join(ways)


def _taken(design: Design, kind: PortClass, length_m: float, *, bulk: bool) -> int:
    """What a port of this kind takes of a shared pool by the formula, all lossless classes together."""
    model, mtu = hardware.switch(kind.model), design.model.mtu.port
    found = formula(model, kind.speed_mbps, length_m, kind.lanes, mtu, bulk=bulk, allowance=False)
    return design.lossless * (found.xon_bytes + found.xoff_bytes - shared_group(model, found))


def over_cap(model: SwitchModel, lanes: int, found: Headroom, lossless_classes: int) -> tuple[int, int] | None:
    """(bytes taken, bytes allowed) of a port beyond its cap; `None` within it, or where each group has its own."""
    if found.dedicated:
        return None
    taken = lossless_classes * max(0, found.xon_bytes + found.xoff_bytes - found.size_bytes)
    cap = model.port_headroom_cap_bytes(lanes)
    return (taken, cap) if taken > cap else None


def computing(design: Design) -> Iterator[Diagnostic]:
    """HDR-15: what switches that compute headroom by themselves come to, beside their table's. One line a kind."""
    told: set[str] = set()
    for kind in design.classes:
        found = kind.headroom
        if not design.lossless or not isinstance(found, Headroom) or not _is_dynamic(design, kind) or not kind.possible:
            continue
        hwsku = hardware.switch(kind.model).hwskus[kind.hwsku]
        row_m = hwsku.row_length_m(kind.speed_mbps, kind.length_m)
        message = (
            f"{kind.kind} at {rate(kind.speed_mbps)}, {metres(found.cable_length_m)}: {kind.model} computes "
            f"{exact(found.xoff_bytes)} of headroom and {exact(found.xon_bytes)} of xon, "
            f"{_beside(found, hwsku, kind, row_m)}"
        )
        if message not in told:
            told.add(message)
            hint = "by SONiC's formula for NVIDIA switches; `netaudit show headroom` has the terms, audit compares them"
            yield design.info("HDR-15", design.length_source(kind), message, hint)


def _beside(found: Headroom, hwsku: Hwsku, kind: PortClass, row_m: int | None) -> str:
    """What the HWSKU's table would give the same port."""
    if row_m is None:
        return f"where the table of {kind.hwsku} has no row"
    more = found.xoff_bytes - hwsku.pg[kind.speed_mbps, row_m].xoff_bytes
    row = f"the row {row_m} m of {kind.hwsku}"
    return f"as {row} has" if not more else f"{exact(abs(more))} {'more' if more > 0 else 'less'} than {row} has"


def policies(design: Design) -> Iterator[Diagnostic]:
    """Words of `buffers` that have no effect on the switches of this fabric, or that cannot be done yet."""
    classes = {load.model.buffer_class for load in design.loads}
    for name, chosen in (("shallow", design.model.buffers.shallow), ("deep", design.model.buffers.deep)):
        if name not in classes:
            continue
        if chosen.headroom == "dynamic":
            models = (x.model for x in design.loads if policy(design.fabric, x.model, x.role) is chosen)
            unable = {model.name for model in models if model.headroom.method != "formula"}
            if unable:
                message = (
                    f"`headroom: dynamic`: {', '.join(sorted(unable))} cannot compute headroom; NVIDIA's switches can"
                )
                hint = "published takes the HWSKU's table, computed our own formula"
                if not any(d.platform == "sonic" and d.model.name in unable for d in design.fabric.devices.values()):
                    message = f"`headroom: dynamic`: no source says how {', '.join(sorted(unable))} compute headroom"
                    hint = (
                        "computed takes our own formula; a NOS that computes by itself is told the length in any case"
                    )
                yield design.error("PLT-01", f"buffers.{name}.headroom", message, hint)
        mine = [k.headroom for k in design.classes if hardware.switch(k.model).buffer_class == name]
        dedicated = all(h.dedicated for h in mine if isinstance(h, Headroom))
        if chosen.shared_headroom > 1 and dedicated and design.intent.given(f"buffers.{name}.shared_headroom"):
            message = f"`shared_headroom: {chosen.shared_headroom}` has no effect: each group has headroom of its own"
            tables = any(policy(design.fabric, x.model, x.role) is chosen for x in design.loads)
            where = "the table of the HWSKU" if chosen.headroom == "published" and tables else "our own profile"
            hint = f"{where} reserves xon + xoff in each group; shared_headroom: 1 says the same"
            yield design.info("HDR-06", f"buffers.{name}.shared_headroom", message, hint)
        yield from _rounded_alpha(design, name)


def _takers(design: Design) -> str:
    """Who cannot take such an alpha: SONiC has the widest range of all (sonic.md section 3)."""
    return (
        "SONiC cannot be" if any(d.platform == "sonic" for d in design.fabric.devices.values()) else "no switch can be"
    )


def _rounded_alpha(design: Design, name: str) -> Iterator[Diagnostic]:
    chosen = design.model.buffers.deep if name == "deep" else design.model.buffers.shallow
    if not LEAST_ALPHA <= chosen.alpha <= GREATEST_ALPHA:
        nearest = GREATEST_ALPHA if chosen.alpha > GREATEST_ALPHA else LEAST_ALPHA
        message = f"alpha {chosen.alpha} is not {LEAST_ALPHA} to {GREATEST_ALPHA}: {_takers(design)} set to it"
        yield design.error("HDR-09", f"buffers.{name}.alpha", message, f"alpha: {nearest}; 1 is usual")
        return
    if all(part & (part - 1) == 0 for part in (chosen.alpha.numerator, chosen.alpha.denominator)):
        return
    message = f"alpha {chosen.alpha} is no power of two: the switches take the next one below"
    hint = "1/8, 1/4, 1/2, 1, 2, 4, 8; a fuller buffer is shared out by alpha / (1 + alpha)"
    yield design.info("HDR-09", f"buffers.{name}.alpha", message, hint)
