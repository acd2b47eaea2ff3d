"""What a check says of a fabric that can be built: the lines of its summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from netaudit.checks.budget import budgets
from netaudit.checks.deadlock import spans, told
from netaudit.checks.design import Design
from netaudit.checks.say import counted, devices, megabytes, percent
from netaudit.expect.classes import classes
from netaudit.expect.raw import raw_spots
from netaudit.fabric import is_fabric_link


def facts(design: Design) -> Mapping[str, str]:
    """Word → line, in the order of the summary (design/terminal.md, «check»)."""
    return {
        "fabric": _fabric(design),
        "lossless": _lossless(design),
        "bgp": _bgp(design),
        "deadlock": told(design) if any(c.lossless for c in design.model.traffic.values()) else "nothing is paused",
        "declared": _declared(design),
    }


def _fabric(design: Design) -> str:
    model = design.model
    leaves, spines, tops = len(design.fabric.leaves), len(design.fabric.spines), len(design.fabric.superspines)
    top = f", {devices('superspine', tops)}" if tops else ""
    return (
        f"{counted(len(model.planes), 'plane')}, {counted(model.rails, 'rail')}, {counted(len(model.units), 'unit')}, "
        f"{counted(len(design.fabric.hosts), 'host')}; {devices('leaf', leaves)}, {devices('spine', spines)}{top}; "
        f"capacity used {len(model.units)} of {counted(model.unit_capacity, 'unit')}"
    )


def _lossless(design: Design) -> str:
    kept = [c for c in classes(design.intent) if c.priority is not None]
    if not kept:
        return "no lossless class: nothing is paused, everything may be dropped"
    named = "; ".join(f"priority {c.priority}, DSCP {', '.join(map(str, c.body.dscp)) or 'none'}" for c in kept)
    found = budgets(design)
    total = sum(len(load.devices) for load in design.loads)
    fitting = sum(len(b.load.devices) for b in found if b.fits)
    if not found:
        return f"{named}; headroom on 0 of {devices('device', total)}"
    worst = found[0]
    role = "leaves" if worst.load.role == "leaf" else f"{worst.load.role}s"
    share = percent(Fraction(worst.headroom_bytes, worst.buffer_bytes))
    return (
        f"{named}; headroom fits on {fitting:,} of {devices('device', total)}, fullest: {role}, "
        f"{megabytes(worst.headroom_bytes)}, {share} of at most {percent(worst.phi)}"
    )


def _bgp(design: Design) -> str:
    sessions = sum(m.count for kind, m in design.classes.items() if is_fabric_link(kind.kind)) // 2
    return "; ".join((counted(sessions, "session"), *_paths(design)))


def _paths(design: Design) -> Iterator[str]:
    """From leaf to leaf, in the tables that every device is expected to hold: of leaves that are alike, to one."""
    widths: set[int] = set()
    lengths: set[int] = set()
    for widths_, lengths_ in spans(design):
        widths |= widths_
        lengths |= lengths_
    if widths:
        span = f"{min(widths)}" if len(widths) == 1 else f"{min(widths)} to {max(widths)}"
        yield f"every prefix has {span} next hops between leaves"
        # leaf to leaf over one spine has two ASNs in its path, over a superspine and two spines four (topology.md
        # section 5); more is down and up again
        most = 4 if design.model.superspine is not None else 2
        yield "no valley path" if max(lengths) <= most else f"paths of up to {max(lengths)} ASNs: a valley"


def _declared(design: Design) -> str:
    blind = {spot for name in design.expected.devices for spot in design.expected.blind_spots(name)}
    blind -= {spot for device in design.fabric.devices.values() for spot in raw_spots(design.fabric, device)}
    overrides = design.model.overrides
    parts = [counted(len(blind), "blind spot")]
    if overrides:
        ends = sorted(o.until for o in overrides if o.until is not None)
        last = f" (the first ends {ends[0]})" if len(ends) > 1 else f" (ends {ends[0]})" if ends else ""
        parts.append(counted(len(overrides), "override") + last)
    if design.model.raw:
        parts.append(counted(len(design.model.raw), "raw snippet"))
    return ", ".join(parts)
