"""Who must be heard on which port."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.fabric import DRAINED, FabricPort
from netaudit.state import LinkEnd, Lldp, LldpNeighbor

_ORIGIN = {
    "enabled": "=LLDP shows how cables really run",
    **dict.fromkeys(("neighbors", "system", "port"), "=the cable plan"),
}


def lldp(name: str, laid: Mapping[str, FabricPort], dark: frozenset[LinkEnd] = frozenset()) -> Lldp:
    """The far end of each planned cable, by its name and port in the model; nobody where the link is to be down.

    Where an end is in maintenance, whoever is heard or not is right.
    """
    neighbors = {
        key: LldpNeighbor(origin=_ORIGIN)
        if port.status == DRAINED
        else LldpNeighbor(system=port.peer.device, port=port.peer.port, origin=_ORIGIN)
        for key, port in laid.items()
        if port.peer is not None and LinkEnd(device=name, port=key) not in dark
    }
    return Lldp(enabled=True, neighbors=neighbors, origin=_ORIGIN)
