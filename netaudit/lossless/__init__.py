"""The numbers of a lossless class with their derivation: headroom, ECN thresholds, shares, pools. Imports nothing."""

from netaudit.lossless.ceiling import Ceiling, ceiling
from netaudit.lossless.derivation import Caution, Derived, Term
from netaudit.lossless.ecn import Ecn, delay_cap_us, ecn, rtt
from netaudit.lossless.ets import strict_cap, weights
from netaudit.lossless.headroom import SONIC_PAUSE_QUANTA, Headroom, headroom
from netaudit.lossless.pool import Fit, fit, ingress_pool, reserved, shared_headroom_pool, sharing_cautions

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
    "shared_headroom_pool",
    "sharing_cautions",
    "strict_cap",
    "weights",
]
