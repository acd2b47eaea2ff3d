"""Whether traffic is spread over all paths that there are, also when a link is lost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from netaudit.checks.design import Design
from netaudit.checks.say import counted, percent
from netaudit.diag import Diagnostic


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


def widest_path(design: Design) -> Iterator[Diagnostic]:
    """BGP-07: fewer paths used together than there are."""
    wanted, widest = design.model.bgp.maximum_paths, design.model.spine.count * design.model.spine.links
    if wanted != "auto" and wanted < widest:
        message = f"{counted(wanted, 'path')} of {widest} used together: a leaf has {widest} uplinks"
        hint = f"bgp: {{maximum_paths: auto}}, or {widest} at least"
        yield design.error("BGP-07", "bgp.maximum_paths", message, hint)
