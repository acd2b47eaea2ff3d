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
