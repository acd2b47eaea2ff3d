"""Routes: what BGP learned and originated, by the interfaces they leave through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

RouteKey: TypeAlias = tuple[str, str]
"""(vrf, prefix)."""


def route_name(key: RouteKey) -> str:
    """`10.0.0.0/24`, or `10.0.0.0/24 in VRF storage`."""
    vrf, prefix = key
    return prefix if vrf == "default" else f"{prefix} in VRF {vrf}"


@dataclass(frozen=True, slots=True)
class Route:
    """A BGP route. An own prefix has no hops and the empty AS path."""

    hops: frozenset[str]
    """Ports the traffic leaves through; an address for a numbered next hop that no port is known of."""
    as_paths: frozenset[tuple[int, ...]]
    """AS paths of the paths used together; one, where the fabric is as designed."""
