"""What an intent can ask for and we do not configure on Junos."""

from __future__ import annotations

from typing import Final

from netaudit.platforms import Refused

REFUSED: Final = (
    Refused(
        path="bgp.bfd",
        values=(True,),
        message="BFD is not in the state that is rendered and audited, so Junos would run without it unnoticed",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without",
    ),
    Refused(
        path="pfc.watchdog.action",
        values=("alert",),
        message="the PFC watchdog of Junos drops or forwards: none of it only tells",
        hint="action: drop (junos.md section 2)",
    ),
    Refused(
        path="load_balancing.mode",
        values=("dlb", "glb", "spray"),
        message="dynamic load balancing is not in the state that is rendered and audited on Junos",
        hint="mode: ecmp, and `forwarding-options enhanced-hash-key ecmp-dlb …` as `raw` (junos.md section 2)",
    ),
    Refused(
        path="load_balancing.hash",
        values=("queue-pair",),
        message="Junos takes the RDMA queue pair into its hash by itself; a setting for it is not in the state",
        hint="hash: [five-tuple] (load-balancing.md section 1)",
    ),
)
