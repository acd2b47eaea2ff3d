"""Whether traffic is spread over all paths that there are, also when a link is lost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from netaudit.checks.design import Design
from netaudit.checks.say import counted, percent
from netaudit.diag import Diagnostic
from netaudit.intent import tiers


def parallel_links(design: Design) -> Iterator[Diagnostic]:
    """RIB-08: k parallel links without weights. Far leaves do not see that one is lost and send the same share."""
    links, count = design.model.spine.links, design.model.spine.count
    if links > 1:
        left, fair = Fraction(links - 1, links), 1 - Fraction(1, links * count)
        message = f"{links} links to each spine without weights"
        hint = (
            f"losing 1 of {links} links leaves {percent(left)} towards that leaf, not {percent(fair)}; "
            f"{{count: {count * links}, links: 1}} routes around it"
        )
        yield design.warning("RIB-08", "spine.links", message, hint)
    top = design.model.superspine
    if top is not None and top.links > 1:
        message = f"{top.links} links to each superspine without weights"
        hint = (
            f"losing 1 of {top.links} links leaves {percent(Fraction(top.links - 1, top.links))} towards that spine; "
            "more superspines with one link each route around it"
        )
        yield design.warning("RIB-08", "superspine.links", message, hint)


def widest_path(design: Design) -> Iterator[Diagnostic]:
    """BGP-07: fewer paths used together than there are."""
    wanted, uplinks = design.model.bgp.maximum_paths, tiers.uplinks(design.model)
    widest = max(uplinks.values())
    if wanted != "auto" and wanted < widest:
        role = max(uplinks, key=lambda name: uplinks[name])
        message = f"{counted(wanted, 'path')} of {widest} used together: a {role} has {widest} uplinks"
        hint = f"bgp: {{maximum_paths: auto}}, or {widest} at least"
        yield design.error("BGP-07", "bgp.maximum_paths", message, hint)
