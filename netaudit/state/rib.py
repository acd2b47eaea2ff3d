"""Routes: what BGP learned and originated, by the interfaces they leave through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

RouteKey: TypeAlias = tuple[str, str]
"""(vrf, prefix)."""


@dataclass(frozen=True, slots=True)
class Route:
    """A BGP route. An own prefix has no hops and the empty AS path."""

    hops: frozenset[str]
    """Ports the traffic leaves through; an address for a numbered next hop that no port is known of."""
    as_paths: frozenset[tuple[int, ...]]
    """AS paths of the paths used together; one, where the fabric is as designed."""
