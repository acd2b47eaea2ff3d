"""Whether links beside the pattern, and what BGP is told to take, keep paths going up once and down once."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit.checks.design import Design
from netaudit.diag import Diagnostic
from netaudit.fabric import FabricDevice
from netaudit.fabric.kinds import extra_kind
from netaudit.state import Link

PATTERN = ("leaf", "spine", "superspine")


def level_links(design: Design) -> Iterator[Diagnostic]:
    """BGP-03: a link between two leaves, two spines or two superspines leads neither up nor down (topology.md W3).

    Where both have one AS number it carries nothing: a session between them never comes up.
    """
    for number, link in _extra(design).items():
        one, two = (design.fabric.devices[end.device] for end in (link.a, link.b))
        path = f"links.{number}"
        if one.asn == two.asn:
            message = f"{one.name} and {two.name} both have ASN {one.asn}: no session comes up over this link"
            yield design.error("BGP-03", path, message, "an `asn` for one of them in devices.csv, or no such link")
        elif _level(one, two):
            message = f"{one.name} and {two.name} are both {_many(one.place.role)}: a path over this link turns there"
            hint = "links between tiers only keep paths free of valleys, and so of deadlocks (topology.md section 6)"
            yield design.error("BGP-03", path, message, hint)


def loops(design: Design) -> Iterator[Diagnostic]:
    """BGP-04: paths with the own ASN are taken, which is what keeps valley paths away where spines share one."""
    for role in design.model.bgp.allowas_in:
        if role in ("spine", "superspine"):
            message = f"a {role} takes paths with its own ASN: without the policies packets would be led up again"
            hint = "leave it out: nothing in the pattern needs it (topology.md section 6)"
            yield design.warning("BGP-04", f"bgp.allowas_in.{role}", message, hint)


def _extra(design: Design) -> dict[int, Link]:
    """Index in `links` → its cable, of those between two switches of ours."""
    ours = design.fabric.devices
    kinds = {extra_kind(number): number for number in range(len(design.model.links))}
    found = (k for k in design.expected.links if k.kind in kinds and k.a.device in ours and k.b.device in ours)
    return {kinds[link.kind]: link for link in found}


def _level(one: FabricDevice, two: FabricDevice) -> bool:
    """Are both of one tier of the pattern? A block passes nothing on, whoever it is joined with."""
    return one.place.role == two.place.role and one.place.role in PATTERN


def _many(role: str) -> str:
    return "leaves" if role == "leaf" else f"{role}s"
