"""The box: who it must be, and what of it is set."""

from __future__ import annotations

from netaudit.fabric import BLOCK_TIER, FabricDevice
from netaudit.state import System

_ORIGIN = {
    "hostname": "names",
    "hwsku": "devices",
    "hardware": "devices",
    "mac": "devices",
    "serial": "devices",
    "tier": "=the tier, which sets the hash seed (LB-02)",
    "asn": "bgp.asn_base",
    "own_routing_files": "=the routing mode that keeps our file",
    "routing_rows": "owns",
}
_PINNED = {**_ORIGIN, "asn": "devices"}
"""Where devices.csv has an ASN of its own for the device."""


def system(device: FabricDevice) -> System:
    """Facts from devices.csv; what it does not say is not invented (DESIGN.md, rule 4)."""
    row = device.row
    return System(
        hostname=device.name,
        hwsku=device.hwsku if row is not None and row.hwsku else None,
        hardware=device.model.hwskus[device.hwsku].platform if row is not None and row.hwsku else None,
        mac=row.mac.lower() if row is not None and row.mac else None,
        serial=row.serial if row is not None and row.serial else None,
        # a block hangs below the spines as the leaves do, and hashes as they do
        tier=0 if device.place.tier == BLOCK_TIER else device.place.tier,
        asn=device.asn,
        own_routing_files=True,
        routing_rows=frozenset(),
        origin=_PINNED if row is not None and row.asn is not None else _ORIGIN,
    )
