"""The box itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from netaudit.state.leaf import Leaf, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """Facts of a box, and the settings that are of the box and not of an area."""

    hostname: Leaf[str] = None
    hwsku: Leaf[str] = None
    """Which hardware profile the NOS runs; selects its tables."""
    hardware: Leaf[str] = None
    """Platform string of the NOS."""
    mac: Leaf[str] = None
    serial: Leaf[str] = None
    tier: Leaf[int] = None
    """0 leaf, 1 spine, 2 superspine. Where a NOS ties it to the tier, this sets the ECMP hash seed."""
    asn: Leaf[int] = None
    """The ASN the device's own database repeats; the speaker's is `Bgp.asn`."""
    own_routing_files: Leaf[bool] = None
    """The routing daemons keep the files we push, through restarts."""
    routing_rows: Leaf[frozenset[str]] = None
    """Routing objects in the device's own database, beside our files: none may be there."""
    origin: Origin | None = field(default=None, compare=False, repr=False)
