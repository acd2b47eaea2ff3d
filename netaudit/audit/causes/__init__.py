"""Pass two: differences folded into causes. Each cause takes what it explains; what is left falls to the leaf rules.

The order matters and is visible here: a swapped cable explains a wrong neighbor, so cables come before links; a port
that is not there explains its link, and a dead link its session; routes are last, compared with all that was found.
"""

from __future__ import annotations

from netaudit.audit.causes.asns import wrong_asns
from netaudit.audit.causes.awake import awake_ports
from netaudit.audit.causes.boxes import mixed_up_boxes
from netaudit.audit.causes.cables import moved_cables
from netaudit.audit.causes.context import Cause, Context
from netaudit.audit.causes.lengths import wrong_lengths
from netaudit.audit.causes.links import dead_links
from netaudit.audit.causes.origins import wrong_origins
from netaudit.audit.causes.outside import taken_prefixes, wrong_outside_asns
from netaudit.audit.causes.ports import missing_ports
from netaudit.audit.causes.sessions import dead_sessions
from netaudit.audit.causes.silence import silent_links, silent_switches
from netaudit.audit.causes.vrfs import missing_vrfs

CAUSES = (
    mixed_up_boxes,
    awake_ports,
    moved_cables,
    wrong_lengths,
    missing_ports,
    dead_links,
    silent_switches,
    silent_links,
    wrong_asns,
    wrong_outside_asns,
    missing_vrfs,
    dead_sessions,
    wrong_origins,
    taken_prefixes,
)

__all__ = ["CAUSES", "Cause", "Context"]
