"""What an intent may ask for and is not rendered for Cumulus Linux."""

from __future__ import annotations

from netaudit.platforms import Refused

REFUSED: tuple[Refused, ...] = (
    Refused(
        path="bgp.bfd",
        values=(True,),
        message="BFD is not rendered for Cumulus: the expected state has no word for it, and nothing would audit it",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without",
    ),
    Refused(
        path="pfc.watchdog.action",
        values=("forward", "alert"),
        message="the PFC watchdog of Cumulus Linux drops, and has no setting for anything else",
        hint="action: drop (nvue.md section 3)",
    ),
    Refused(
        path="load_balancing.mode",
        values=("dlb", "glb", "spray"),
        message="adaptive routing is not rendered for Cumulus Linux: the expected state has no word for it",
        hint="mode: ecmp; `router adaptive-routing` is left as it runs (nvue.md section 4)",
    ),
    Refused(
        path="load_balancing.hash",
        values=("queue-pair",),
        message="Cumulus Linux does not hash the queue pair of RDMA (nvue.md section 4)",
        hint="hash: [five-tuple]; NICs put entropy into the UDP source port",
    ),
)
