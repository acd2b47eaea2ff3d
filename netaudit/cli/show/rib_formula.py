"""How many prefixes and paths a BGP table has by arithmetic (RFC 4271 loop check, topology.md section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from netaudit.expect import Expected
from netaudit.fabric import FabricDevice


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """The numbers, and the sum in words."""

    text: str
    prefixes: int
    paths: int


def formula(expected: Expected, device: FabricDevice) -> Formula | None:
    """By arithmetic; `None` where that does not hold: blocks, and spines of a group that do not share one ASN."""
    fabric = expected.built
    plane = [d for d in fabric.devices.values() if d.place.plane == device.place.plane]
    if fabric.intent.model.spine.per == "rail":
        plane = [d for d in plane if d.group == device.group]
    leaves = [d for d in plane if d.place.role == "leaf"]
    spines = [d for d in plane if d.place.role == "spine"]
    shared = {d.asn for d in plane if d.place.role in ("spine", "superspine")}
    groups = len({d.group for d in spines})
    tops = any(d.place.role == "superspine" for d in plane)
    if len(shared) != groups + tops or len({d.asn for d in plane}) != len(leaves) + len(shared):
        return None
    if tops:
        return _three(expected, device, plane)
    return _two(device, leaves, spines, fabric.intent.model.spine.links)


def _two(device: FabricDevice, leaves: list[FabricDevice], spines: list[FabricDevice], links: int) -> Formula:
    """L leaves with a + l prefixes each, S spines with l, k links."""
    loops, blocks = len(device.loopbacks), len(leaves[0].blocks)
    count, width = len(leaves), len(spines)
    if device.place.role == "leaf":
        text = (
            f"({count} leaves − 1) × ({blocks} host blocks + {loops} loopbacks) + {width} spines × {loops} loopbacks; "
            f"{width} × {links} next hops to a leaf, {links} to a spine"
        )
        far = (count - 1) * (blocks + loops)
        paths = far * width * links + width * loops * links
        return Formula(text=text, prefixes=far + width * loops, paths=paths)
    text = (
        f"{count} leaves × ({blocks} host blocks + {loops} loopbacks); {links} next hops each; "
        "no other spine, as its paths hold the own ASN"
    )
    far = count * (blocks + loops)
    return Formula(text=text, prefixes=far, paths=far * links)


def _three(expected: Expected, device: FabricDevice, plane: list[FabricDevice]) -> Formula | None:
    """The table of section 5 for three tiers, a line for each kind of destination: (how many devices, next hops)."""
    model = expected.built.intent.model
    if model.superspine is None:
        return None
    leaves, spines, tops = ([d for d in plane if d.place.role == r] for r in ("leaf", "spine", "superspine"))
    k1, k2, s = model.spine.links, model.superspine.links, model.spine.count
    full = model.superspine.wiring == "full"
    near = [sum(d.group == device.group for d in some) for some in (leaves, spines)]
    g = len(tops) if full else sum(d.group == tops[0].group for d in tops)
    pods = len({d.group for d in spines})
    rows: list[tuple[str, int, bool, int]]
    if device.place.role == "leaf":
        far = s * k1 if full else k1
        rows = [
            ("other leaves", len(leaves) - 1, True, s * k1),
            ("spines of the pod", near[1], False, k1),
            ("other spines", len(spines) - near[1], False, far),
            ("superspines", len(tops), False, far),
        ]
    elif device.place.role == "spine":
        rows = [
            ("leaves of the pod", near[0], True, k1),
            ("other leaves", len(leaves) - near[0], True, g * k2),
            ("spines of other pods", len(spines) - near[1] if full else pods - 1, False, g * k2),
            ("superspines", g, False, k2),
        ]
    else:
        rows = [
            ("leaves", len(leaves), True, s * k2 if full else k2),
            ("spines", len(spines) if full else pods, False, k2),
        ]
    loops, blocks = len(device.loopbacks), len(leaves[0].blocks)
    each = [count * (blocks * hosts + loops) for _, count, hosts, _ in rows]
    parts = (
        f"{count} {what} × ({blocks} host blocks + {loops} loopbacks) over {hops}"
        if hosts
        else f"{count} {what} × {loops} loopbacks over {hops}"
        for what, count, hosts, hops in rows
    )
    paths = sum(number * row[3] for number, row in zip(each, rows, strict=True))
    return Formula(text="; ".join(parts), prefixes=sum(each), paths=paths)
