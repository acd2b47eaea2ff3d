"""Who is at the other end of each cable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaudit.state.leaf import Absent, Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class LldpNeighbor:
    """One neighbor. Expected: the neighbor's name in the model and its port as `cage[/sub]`.

    Observed: as received, until `audit` has looked both up in the model; the unknown stays as received.
    """

    system: Leaf[str] = None
    port: Leaf[str] = None
    origin: Origin | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lldp:
    """LLDP of a device; `neighbors` by port. `ABSENT` is a port that was asked and hears nobody."""

    enabled: Leaf[bool] = None
    neighbors: Mapping[str, LldpNeighbor | Absent] | None = None
    origin: Origin | None = field(default=None, compare=False, repr=False)
