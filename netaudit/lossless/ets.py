"""What a scheduler is told: whole weights for shares in percent, and a strict queue's ceiling in bytes per second."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from netaudit.lossless.derivation import Derived, Term, require

MAX_WEIGHT = 100
"""SONiC takes DWRR weights 1 to 100; they are relative, no switch sums them (sonic-scheduler.yang)."""


def weights(shares: Mapping[str, Fraction | int], total: int = MAX_WEIGHT) -> dict[str, int]:
    """Weights that sum to `total`, each 1 at least, as near to the shares as whole numbers allow.

    Shares are percentages that sum to 100; with `total` 100 whole ones come back as they are. What rounding leaves goes
    to the largest remainders, equal ones by name, so that no order of keys matters. Raises ValueError otherwise.
    """
    require(bool(shares) and all(share > 0 for share in shares.values()), "every share must be positive")
    require(sum(shares.values()) == 100, "shares must sum to 100 percent")
    require(len(shares) <= total, "more shares than weights")
    exact = {name: Fraction(share) * total / 100 for name, share in shares.items()}
    granted = {name: max(1, math.floor(value)) for name, value in exact.items()}
    while (missing := total - sum(granted.values())) != 0:
        step = 1 if missing > 0 else -1
        open_to = [name for name in granted if step > 0 or granted[name] > 1]
        # The furthest behind its share gets one more; the furthest ahead gives one back (floors of 1 can overdraw).
        chosen = min(open_to, key=lambda name: (step * (granted[name] - exact[name]), name))
        granted[chosen] += step
    return granted


def strict_cap(*, percent: Fraction | int, speed_mbps: int) -> Derived:
    """The ceiling of a strict queue in bytes per second, which is what SONiC's `pir` counts in; rounded down."""
    require(0 < percent <= 100 and speed_mbps > 0, "a cap is over 0 and up to 100 percent of a speed")
    exact = Fraction(percent) * speed_mbps * 1_000_000 / 8 / 100
    terms = (
        Term(name="cap", value=Fraction(percent), unit="%", source="intent"),
        Term(name="line rate", value=Fraction(speed_mbps * 1_000_000, 8), unit="B/s", source=f"{speed_mbps // 1000}G"),
    )
    return Derived(value=math.floor(exact), unit="B/s", terms=terms)


SPELLINGS: Mapping[str, tuple[str, str]] = {
    "sonic": ("type DWRR, weight {percent}", "type STRICT, pir {cap} %"),
    "eos": ("bandwidth percent {percent}", "priority strict"),
    "nxos": ("bandwidth remaining percent {percent}", "priority level 1"),
    "junos": ("transmit-rate percent {percent}", "priority strict-high, transmit-rate percent {cap}"),
    "nvue": ("mode dwrr, bw-percent {percent}", "mode strict"),
}
"""Platform → how it says the share of a weighted queue, and a strict queue. Sources: sonic-scheduler.yang; EOS
`tx-queue` (eos.md section 2, ETS); NX-OS queuing policy, whose `remaining` leaves the strict queue out (nxos.md section
1); Junos schedulers (junos.md section 5); NVUE qos.egress-scheduler (nvue.md section 2)."""
OF_WHOLE_LINK = frozenset({"junos"})
"""Platforms where a weighted queue is told its part of the link and not of what strict queues leave (junos.md section
5: 45 + 45 + 5 beside a strict queue of 5)."""


def spelled(platform: str, shares: Mapping[str, Fraction | int], caps: Mapping[str, Fraction | int]) -> dict[str, str]:
    """Class → what its queue is told on that platform. `shares` sum to 100; `caps` are those of the strict classes.

    Whole percent on every platform, 1 at least. Raises KeyError for a platform that is none, ValueError as `weights`.
    """
    weighted, strict = SPELLINGS[platform]
    above = sum(math.ceil(cap) for cap in caps.values()) if platform in OF_WHOLE_LINK else 0
    require(above < MAX_WEIGHT, "the caps of the strict classes leave nothing")
    percents = weights(shares, MAX_WEIGHT - above)
    return {
        **{name: weighted.format(percent=percent) for name, percent in percents.items()},
        **{name: strict.format(cap=math.ceil(cap)) for name, cap in caps.items()},
    }
