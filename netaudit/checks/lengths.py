"""Whether cables were measured at the length that the class they are in has: what people plan with is the class."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.checks.say import counted, metres
from netaudit.diag import Diagnostic
from netaudit.state.length import same_length


def measured_lengths(design: Design) -> Iterator[Diagnostic]:
    """CAB-07: measured cables of another length than their class, one a class; headroom follows what was measured."""
    other: dict[str, list[float]] = {}
    if not design.intent.cables:
        return
    for link in design.expected.links:
        row = design.intent.cables.get(frozenset((str(link.a), str(link.b))))
        assumed_m = design.fabric.cable(link.kind).length_m
        if row is not None and not same_length(assumed_m, row.length_m):
            other.setdefault(link.kind, []).append(row.length_m)
    for kind, lengths in other.items():
        source = design.intent.source(design.fabric.cable_path(kind))
        least, most = min(lengths), max(lengths)
        span = metres(least) if least == most else f"{metres(least)} to {metres(most)}"
        assumed = metres(design.fabric.cable(kind).length_m)
        message = f"{kind}: {counted(len(lengths), 'measured cable')} of {span}, where the class says {assumed}"
        hint = "each has headroom for its own length; those that are not measured have that of the class"
        yield design.info("CAB-07", source, message, hint)
