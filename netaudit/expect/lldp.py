"""Who must be heard on which port."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.fabric import FabricPort
from netaudit.state import Lldp, LldpNeighbor

_ORIGIN = {"enabled": "=LLDP shows how cables really run", "neighbors": "=the cable plan"}


def lldp(laid: Mapping[str, FabricPort]) -> Lldp:
    """The far end of each planned cable, by its name and port in the model."""
    neighbors = {
        key: LldpNeighbor(system=port.peer.device, port=port.peer.port, origin=_ORIGIN)
        for key, port in laid.items()
        if port.peer is not None
    }
    return Lldp(enabled=True, neighbors=neighbors, origin=_ORIGIN)
