"""What an intent may ask for and community SONiC cannot do."""

from __future__ import annotations

from netaudit.platforms import Refused

REFUSED = (
    Refused(
        path="bgp.bfd",
        values=(True,),
        message="BFD does not run on SONiC with our own frr.conf: `split-unified` starts no bfdd",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without (sonic.md section 6)",
    ),
    Refused(
        path="load_balancing.mode",
        values=("dlb", "glb", "spray"),
        message="community SONiC has neither dynamic load balancing nor packet spraying: there is no model of ARS_*",
        hint="mode: ecmp (sonic.md section 5)",
    ),
    Refused(
        path="load_balancing.hash",
        values=("queue-pair",),
        message="community SONiC cannot hash the RDMA queue pair: SWITCH_HASH has no such field",
        hint="hash: [five-tuple]; NICs put entropy into the UDP source port (sonic.md section 5)",
    ),
)
