"""The numbers of a lossless class with their derivation: headroom, ECN thresholds, shares, pools. Imports nothing.

`method` (ASICs that are no Spectrum) and `variants` (how published tables were made) are imported where needed:
most fabrics need neither, and every command pays for what stands here.
"""

from netaudit.lossless.ceiling import Ceiling, ceiling
from netaudit.lossless.derivation import Caution, Derived, Term
from netaudit.lossless.ecn import Ecn, delay_cap_us, ecn, rtt
from netaudit.lossless.ets import spelled, strict_cap, weights
from netaudit.lossless.headroom import SONIC_PAUSE_QUANTA, Headroom, headroom
from netaudit.lossless.pool import (
    Fit,
    fit,
    ingress_pool,
    reserved,
    shared_buffer,
    shared_headroom_pool,
    sharing_cautions,
)

__all__ = [
    "SONIC_PAUSE_QUANTA",
    "Caution",
    "Ceiling",
    "Derived",
    "Ecn",
    "Fit",
    "Headroom",
    "Term",
    "ceiling",
    "delay_cap_us",
    "ecn",
    "fit",
    "headroom",
    "ingress_pool",
    "reserved",
    "rtt",
    "shared_buffer",
    "shared_headroom_pool",
    "sharing_cautions",
    "spelled",
    "strict_cap",
    "weights",
]
