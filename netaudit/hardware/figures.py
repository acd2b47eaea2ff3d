"""Whether a number is published or estimated, how many next hops a chip holds, and what it can do for balancing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "dlb-flowlet": "dynamic load balancing by flowlets",
        "dlb-packet": "dynamic load balancing packet by packet",
        "adaptive-routing": "adaptive routing, NIC and switch together",
        "scheduled-fabric": "scheduled fabric of cells and credits",
        "trimming": "packet trimming on lossy queues",
        "udf-qp-hash": "hash over the RDMA queue pair",
    }
)
"""What a switch can do for load balancing (load-balancing.md section 1) → in words. A model without one is
not known to do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number, where it is from, and how far it may be off where nobody published it."""

    value: int | Fraction
    source: str
    margin_percent: int | None = None
    """`None`: published. Else it is an estimate of ours, this far off at most by our judgement."""

    @property
    def estimated(self) -> bool:
        """Whether a report has to say so."""
        return self.margin_percent is not None

    @property
    def note(self) -> str:
        """`estimate ±10 %`; empty for what is published."""
        return "" if self.margin_percent is None else f"estimate ±{self.margin_percent} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many next hops the chip holds. `None`: not published."""

    ecmp_width: int | None = None
    """Next hops of one group at most."""
    ecmp_groups: int | None = None
    ecmp_members: int | None = None
    """Next hops of all groups together."""
    dlb_groups: int | None = None
    """Groups that balance by load; those beyond fall back to the hash."""
    dlb_width: int | None = None
    """Next hops of one such group at most."""
