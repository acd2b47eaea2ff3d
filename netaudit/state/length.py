"""Two lengths of one cable: whether they mean the same (CAB-07)."""

from __future__ import annotations

from typing import Final

MOST_RELATIVE: Final = 0.1
MOST_M: Final = 5.0
"""audit-rules.md, CAB-07: a difference of more than 10 %, or of more than 5 m, is one."""
STEP_M: Final = 1.0
"""SFF-8636 tells whole metres only (byte 146), a length below one as 1: less than a step apart may be rounding."""


def same_length(assumed_m: float, told_m: float) -> bool:
    """Is a length that was told the one that is assumed, as exactly as lengths of cables are told?"""
    apart_m = abs(told_m - assumed_m)
    if told_m.is_integer() and apart_m < STEP_M and apart_m <= MOST_M:
        return True
    return apart_m <= MOST_M and apart_m <= MOST_RELATIVE * assumed_m
