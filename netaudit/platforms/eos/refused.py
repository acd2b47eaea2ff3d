"""What an intent may ask for and is not rendered for EOS."""

from __future__ import annotations

from netaudit.platforms import Refused

REFUSED: tuple[Refused, ...] = (
    Refused(
        path="bgp.bfd",
        values=(True,),
        message="BFD is not rendered for EOS: the expected state has no word for it, so nothing would audit it",
        hint="bfd: false; keepalive: 1s, hold: 3s is the fastest without",
    ),
    Refused(
        path="pfc.watchdog.action",
        values=("forward",),
        message="the PFC watchdog of EOS drops or only tells: it has no word for passing the packets of a storm on",
        hint="action: drop; alert is `notify-only` (eos.md section 2)",
    ),
    Refused(
        path="load_balancing.mode",
        values=("dlb", "glb", "spray"),
        message="dynamic load balancing is not rendered for EOS: the expected state has no word for it",
        hint="mode: ecmp; `raw` can bring `ip hardware fib load-balance distribution dynamic` (eos.md section 2)",
    ),
    Refused(
        path="load_balancing.hash",
        values=("queue-pair",),
        message="a hash of the RDMA queue pair is not rendered for EOS: only sand chips have words for it",
        hint="hash: [five-tuple]; NICs put entropy into the UDP source port",
    ),
)
