"""Whether the lossless classes can lock up (topology.md section 6), by the fabric's expected forwarding.

Two proofs: with the policies that are rendered, and by AS numbers alone. A fabric that only the policies keep free of
valleys is one missing route-map away from a deadlock, and is told so.
"""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.checks.say import counted
from netaudit.deadlock import Cycle, Proof, Valley, circle_of_two, prove
from netaudit.diag import Diagnostic
from netaudit.expect.rib import Tables
from netaudit.state import Failures
from netaudit.whatif import PAIR, Graph, graph

NOT_COVERED = "loops while BGP converges not covered"


def circles(design: Design) -> Iterator[Diagnostic]:
    """RIB-03: buffers that wait for each other, in a fabric with a lossless class."""
    if not any(kind.lossless for kind in design.model.traffic.values()):
        return
    proof = proved(design)
    if proof.cycle is not None:
        message = f"the lossless classes can deadlock{_when(proof.cycle)}: {proof.cycle}"
        yield design.error("RIB-03", "spine", message, _remedy(design))
    elif proof.valley is not None:
        # no circle, so no deadlock by itself: packets on the way are led up again, which is a step of one
        message = f"packets are led up again after they went down{_when(proof.valley)}: {proof.valley}"
        message += _closed(circle_of_two(_wired(design), guarded=True))
        yield design.warning("RIB-03", "spine", message, _remedy(design, proof.valley))
    else:
        bare = proved(design, guarded=False)
        path = bare.cycle or bare.valley
        if path is not None:
            message = f"only the policies of the sessions keep valley paths away{_when(path)}: {path}"
            if bare.cycle is None:
                message += _closed(circle_of_two(_wired(design), guarded=False))
            yield design.warning("BGP-03", "spine", message, _remedy(design))


def proved(design: Design, *, guarded: bool = True) -> Proof:
    """The proof, made once."""
    return design.expected.wide.shared(("deadlock", guarded), lambda: prove(_wired(design), guarded=guarded))


def _wired(design: Design) -> Graph:
    return design.expected.wide.shared(("whatif graph",), lambda: graph(design.expected))


def spans(design: Design) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """(numbers of next hops, lengths of AS paths) from all leaves of a plane to one of each class of leaves."""
    wired = _wired(design)
    tables = Tables(design.expected.wide, Failures())
    known: dict[int, str] = {}
    colour = wired.classes(Failures(devices=wired.drained), wired.planes)
    for leaf in wired.sent_mbps:
        known.setdefault(colour[leaf], leaf)
    for target in known.values():
        routes = tables.toward(design.fabric.devices[target].blocks[0])
        found = [r for name, r in routes.items() if name != target and name in wired.sent_mbps and r.hops]
        yield frozenset(len(r.hops) for r in found), frozenset(len(path) for r in found for path in r.as_paths)


def told(design: Design) -> str:
    """What the proof covers, as a line of the summary."""
    proof = proved(design)
    if proof.cycle is not None or proof.valley is not None:
        return "none proved, see RIB-03" if proof.cycle is None else "possible, see RIB-03"
    return (
        f"none: no buffers wait in a circle, as designed and with each of {counted(proof.events, 'single failure')}; "
        f"{NOT_COVERED}"
    )


def _closed(circle: Cycle | None) -> str:
    return f"; and a deadlock{_when(circle)}: {circle}" if circle is not None else ""


def _when(what: Cycle | Valley) -> str:
    if what.event is None:
        return ""
    return f" once {what.event.label} {'have' if what.event.kind == PAIR else 'has'} failed"


def _many(design: Design) -> bool:
    """Does a plane, or a rail or pod of it, have spines with different AS numbers?"""
    spines = [d for d in design.expected.built.devices.values() if d.place.role == "spine"]
    groups = {(d.place.plane, d.group) for d in spines}
    return len({(d.place.plane, d.group, d.asn) for d in spines}) > len(groups)


def _remedy(design: Design, valley: Valley | None = None) -> str:
    held = _still_held(design, valley) if valley is not None else ""
    if held:
        way = "spine: {links: 2} keeps" if design.model.spine.links == 1 else "cables in more than one module keep"
        return f"a spine that lost a leaf still has {held}: {way} a way of its own"
    if _many(design):
        return "give all spines of a plane one AS number (no `asn` in devices.csv): a valley path is then a loop to BGP"
    if design.model.bgp.allowas_in:
        return "no `bgp.allowas_in`: a path that comes back to its own AS number is then a loop to BGP"
    return "no cable between leaves or between spines, no allowas-in, no default route from below"


def _still_held(design: Design, valley: Valley) -> str:
    """What covers the prefix of a leaf that a spine has lost, so that packets go on; empty: AS numbers let them."""
    devices, model = design.fabric.devices, design.model
    middle, last = devices[valley.hops[1][0]].place.role, devices[valley.hops[1][2]].place.role
    if middle in model.blocks:
        return f"what `{middle}` announces"
    above = last == "superspine" and any(
        block.to == "superspine" and block.originates for block in model.blocks.values()
    )
    return "a shorter prefix from above" if above and not _many(design) and not model.bgp.allowas_in else ""
