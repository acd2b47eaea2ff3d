"""Whether the buffer holds the headroom of all ports and leaves room for bursts, and what a shared pool can hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from netaudit import hardware, lossless
from netaudit.checks.budget import Budget, Group, fullest, given
from netaudit.checks.design import Design
from netaudit.checks.remedies import Remedy, computed, costliest, remedies
from netaudit.checks.say import devices, exact, folded, megabytes, metres, percent, rate
from netaudit.diag import Diagnostic
from netaudit.expect.headroom import Headroom, policy
from netaudit.expect.pools import shared_template
from netaudit.lossless.pool import PRIVATE_HEADROOM_BYTES, SHARING_REFUSE, SHARING_WARN


def fit(design: Design) -> Iterator[Diagnostic]:
    """HDR-05: headroom beyond the buffer, or a part, is an error, beyond phi of it a warning. One a role and model."""
    for found, count in fullest(design).values():
        source = design.length_source(costliest(found))
        if not found.fits:
            yield design.error("HDR-05", source, _full(found, count), _hint(design, found))
        elif found.crowded:
            yield design.warning("HDR-05", source, _crowded(found, count), _spread(found))
        elif not found.bursts:
            yield design.warning("HDR-05", source, _full(found, count), _hint(design, found))


def _full(found: Budget, count: int) -> str:
    where, size = devices(found.load.role, count), f"{megabytes(found.buffer_bytes)}{found.estimated}"
    model = found.load.model
    of = f"one of the {model.itms} parts of the buffer" if found.in_parts else "the buffer"
    chip = "" if found.in_parts or model.itms == 1 else f", {_parts(found)}"
    if not found.fits:
        return (
            f"headroom does not fit on {where}: {megabytes(found.needed_bytes)} needed, "
            f"{size} in {of} ({percent(found.share)}){chip}{_most(found)}"
        )
    share = Fraction(found.headroom_bytes, found.buffer_bytes)
    part = f" in {of}" if found.in_parts else ""
    return (
        f"headroom takes {megabytes(found.headroom_bytes)} of {size}{part} on {where} ({percent(share)}): "
        f"above {percent(found.phi)} little is left for bursts{chip}{_most(found)}"
    )


def _parts(found: Budget) -> str:
    """Where nobody knows which cages share a part, cages that are alike still fill all parts alike."""
    parts = found.load.model.itms
    alike = found.part_own_bytes * parts == found.own_bytes
    return f"each of its {parts} parts alike" if alike else f"taken as one although it is in {parts} parts"


def _most(found: Budget) -> str:
    """`; 64 × leaf-spine, 800G over 300 m, take 153.4 MB of it`: the ports that cost most."""
    kind, ports = costliest(found), found.load.ports
    group = given(kind) or Group(own_bytes=0)
    taken = ports[kind] * found.lossless * (group.own_bytes + group.beyond_bytes)
    of = f", from a pool of {megabytes(found.shared_bytes)}" if group.beyond_bytes else ""
    return (
        f"; {ports[kind]} × {kind.kind}, {rate(kind.speed_mbps)} over {metres(kind.length_m)}: {megabytes(taken)}{of}"
    )


def _hint(design: Design, found: Budget) -> str:
    able = [r.told for r in remedies(design, found) if r.fits]
    if not able:
        return "no single change of the intent is enough: fewer lossless ports a switch, or deeper buffers"
    return "each alone would do: " + "; ".join(able)


def _crowded(found: Budget, count: int) -> str:
    model = found.load.model
    share = Fraction(found.headroom_bytes, found.buffer_bytes)
    part = Fraction(found.part_headroom_bytes, model.itm_bytes)
    return (
        f"headroom takes {megabytes(found.headroom_bytes)} of {megabytes(found.buffer_bytes)}{found.estimated} on "
        f"{devices(found.load.role, count)} ({percent(share)}), and {percent(part)} of one of {model.itms} parts of it "
        f"if the dearest cages use the same{_most(found)}"
    )


def _spread(found: Budget) -> str:
    name = found.load.model.name
    return f"which cages of {name} share a part is not published: spread long links, or say `itm` in a model file"


def sharing(design: Design) -> Iterator[Diagnostic]:
    """HDR-06: a shared headroom pool that few of its groups could use at the same time (headroom.md 4.2)."""
    for found, count in fullest(design).values():
        if not found.shared_bytes:
            continue
        device = design.fabric.devices[found.load.devices[0]]
        fixed = shared_template(design.fabric, device)
        # with a ratio each port has a little headroom of its own beside the pool, which the pool is reckoned without
        private = 0 if fixed else found.sharing_ports * PRIVATE_HEADROOM_BYTES
        cautions = lossless.sharing_cautions(
            pool_bytes=found.shared_bytes // found.load.model.itms,
            sum_xoff_bytes=max(0, found.beyond_bytes - private) // found.load.model.itms,
            greatest_xoff_bytes=max(g.beyond_bytes for kind in found.load.ports if (g := given(kind)) is not None),
        )
        for caution in cautions:
            refused = caution.code == "shared-headroom-refused"
            say = design.error if refused else design.warning
            part = f" in each of the {found.load.model.itms} parts of the buffer" if found.load.model.itms > 1 else ""
            message = f"{devices(found.load.role, count)}: {caution.text}{part}; the others drop while these are paused"
            yield say("HDR-06", _said(design, found, fixed), message, _wider(design, found, fixed))


def _said(design: Design, found: Budget, fixed: int | None) -> str:
    name = found.load.model.buffer_class
    paths = (f"buffers.{name}.headroom",) if fixed else (f"buffers.{name}.shared_headroom",)
    return design.written(*paths, "buffers", "cables")


def _wider(design: Design, found: Budget, fixed: int | None) -> str:
    name = found.load.model.buffer_class
    if not fixed and policy(design.fabric, found.load.model, found.load.role).shared_headroom <= SHARING_WARN:
        return "shared_headroom: 1 gives each group its own; shorter cables make one group need less"
    if not fixed:
        return f"shared_headroom: {SHARING_WARN} at most; above {SHARING_REFUSE} it is refused"
    size = f"the HWSKU's template has {exact(fixed)}"
    return f"{size}; buffers: {{{name}: {{headroom: computed}}}} gives each group its own, or one lossless class less"


def table(design: Design, found: Budget) -> tuple[str, ...]:
    """What costs most, and what each change would give, as lines for a terminal (design/terminal.md, «check»)."""
    kind = costliest(found)
    ports = found.load.ports[kind]
    group = given(kind) or Group(own_bytes=0)
    each = group.own_bytes + group.beyond_bytes
    bare = computed(design, bulk=_is_bulk(design, found), shared=False)(replace(kind, length_m=0.0))
    short = bare.own_bytes if bare is not None else 0
    factor = ports * found.lossless
    times = f"{ports} ports × {found.lossless}"
    part = f" in one of {found.load.model.itms} parts" if found.in_parts else ""
    lines = [
        f"on {folded(found.load.devices)}: buffer {megabytes(found.buffer_bytes)}{found.estimated}{part}",
        *_rules(design, found),
        "",
        f"{'what costs most':<52}{'per class and port':>20}{times:>18}",
        _cost(f"cable, {metres(kind.length_m)} at {rate(kind.speed_mbps)}", max(0, each - short), factor),
        _cost("frames, response and pipeline, without the cable", min(each, short), factor),
        _cost("together", each, factor),
        _sum("other ports", found.own_bytes + found.beyond_bytes - each * factor),
        *([_sum("all of them, sharing a pool", found.own_bytes + found.shared_bytes)] if found.shared_bytes else ()),
        _sum("reserved beside headroom", found.chip_reserved_bytes),
        "",
        f"{'what would make it fit (each alone)':<52}{'needed':>12}{'of buffer':>12}   price",
    ]
    tried = remedies(design, found)
    for number, remedy in enumerate((r for r in tried if r.fits), start=1):
        lines.append(_way(f"{number}  {remedy.change}", remedy))
    lines += [_way(f"not enough: {r.change}", r) for r in tried if not r.fits]
    return tuple(lines)


def _rules(design: Design, found: Budget) -> Iterator[str]:
    """Headroom method, packets, sharing and phi that the numbers rest on."""
    chosen = policy(design.fabric, found.load.model, found.load.role)
    kinds = {kind.headroom.dedicated for kind in found.load.ports if isinstance(kind.headroom, Headroom)}
    shared = f"shared_headroom {chosen.shared_headroom}" if False in kinds else "each group has its own"
    packets = "" if chosen.headroom == "published" else f", {chosen.packets} packets"
    yield f"headroom {chosen.headroom}{packets}; {shared}; phi {percent(found.phi)}"


def _is_bulk(design: Design, found: Budget) -> bool:
    chosen = policy(design.fabric, hardware.switch(costliest(found).model), found.load.role)
    return chosen.headroom != "published" and chosen.packets == "bulk"


def _cost(name: str, each_bytes: int, factor: int) -> str:
    return f"{name:<52}{exact(each_bytes):>20}{megabytes(each_bytes * factor):>18}"


def _sum(name: str, size_bytes: int) -> str:
    return f"{name:<52}{'':>20}{megabytes(size_bytes):>18}"


def _way(name: str, remedy: Remedy) -> str:
    return f"{name:<52}{megabytes(remedy.needed_bytes):>12}{percent(remedy.share):>12}   {remedy.price}"
