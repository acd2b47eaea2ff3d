"""The BGP speaker of each device: numbers, sessions on every fabric link, and what passes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from ipaddress import ip_network

from netaudit.expect.interfaces import plane_prefixes
from netaudit.fabric import LEAF_SPINE, Fabric, FabricDevice, FabricPort
from netaudit.state import Bgp, BgpNeighbor, LinkEnd, Policy, PolicyRule

IMPORT, EXPORT = "FABRIC-IN", "FABRIC-OUT"
DEFAULT_PATHS = 64
"""Width that hardware load balancing groups have at most (topology.md section 3)."""


def bgp(
    fabric: Fabric,
    device: FabricDevice,
    laid: Mapping[str, FabricPort],
    plane: frozenset[PolicyRule],
    dark: frozenset[LinkEnd] = frozenset(),
) -> Bgp:
    """The whole speaker. `remote_asn` and `session` are what the live session must show."""
    model = fabric.intent.model
    return Bgp(
        asn=device.asn,
        router_id=device.router_id,
        multipath_relax=True,
        maximum_paths=maximum_paths(fabric),
        keepalive_s=model.bgp.keepalive,
        hold_s=model.bgp.hold,
        requires_policy=True,
        networks=frozenset(own_prefixes(device)),
        discards=frozenset(device.blocks),
        policies=policies(device, plane),
        neighbors={
            key: _neighbor(fabric, port.peer.device, LinkEnd(device=device.name, port=key) in dark)
            for key, port in laid.items()
            if port.kind == LEAF_SPINE and port.peer is not None
        },
        unmodelled=frozenset(),
        origin=_origin(_pins(device, "asn"), _pins(device, "loopback")),
    )


def own_prefixes(device: FabricDevice) -> tuple[str, ...]:
    """What a device originates: its loopbacks, and of a leaf one aggregate for its hosts."""
    return (*(str(ip_network(loopback)) for loopback in device.loopbacks), *device.blocks)


def maximum_paths(fabric: Fabric) -> int:
    """64, or the next power of two that holds the widest set: a leaf's uplinks (topology.md section 3)."""
    wanted = fabric.intent.model.bgp.maximum_paths
    if wanted != "auto":
        return wanted
    widest = fabric.intent.model.spine.count * fabric.intent.model.spine.links
    return max(DEFAULT_PATHS, 1 << (widest - 1).bit_length())


def families(fabric: Fabric) -> frozenset[str]:
    """Address families in use: those that loopbacks or hosts have a pool of."""
    addressing = fabric.intent.model.addressing
    return frozenset(f"ipv{pool.version}" for pool in (*addressing.loopbacks, *addressing.hosts))


def _neighbor(fabric: Fabric, peer: str, dark: bool) -> BgpNeighbor:
    return BgpNeighbor(
        remote="external",
        remote_asn=None if dark else fabric.devices[peer].asn,
        session=None if dark else "Established",
        import_policy=IMPORT,
        export_policy=EXPORT,
        families=families(fabric),
        origin=_NEIGHBOR_ORIGIN,
    )


def policies(device: FabricDevice, plane: frozenset[PolicyRule]) -> Mapping[str, Policy]:
    """In: only what the plane may announce. Out: a leaf its own prefixes, a spine the plane's.

    A leaf that passes on nothing it learned makes a valley path impossible, whatever ASNs say (topology.md section 6).
    """
    own = frozenset(PolicyRule(prefix=p, up_to=ip_network(p).prefixlen) for p in own_prefixes(device))
    out = own if device.place.role == "leaf" else plane
    return {
        IMPORT: Policy(permits=plane, origin=_POLICY_ORIGIN),
        EXPORT: Policy(permits=out, origin=_POLICY_ORIGIN),
    }


def plane_rules(fabric: Fabric, plane: str) -> frozenset[PolicyRule]:
    """The plane's slices of the pools, and any pinned loopback that lies outside of them."""
    slices = plane_prefixes(fabric.intent, plane)
    rules = {PolicyRule(prefix=str(prefix), up_to=up_to) for prefix, up_to in slices}
    for device in fabric.devices.values():
        if device.place.plane == plane and device.row is not None and device.row.loopback:
            for loopback in map(ip_network, device.loopbacks):
                if not any(loopback.version == p.version and loopback.subnet_of(p) for p, _ in slices):  # type: ignore[arg-type]
                    rules.add(PolicyRule(prefix=str(loopback), up_to=loopback.prefixlen))
    return frozenset(rules)


def _pins(device: FabricDevice, column: str) -> bool:
    """Does devices.csv fix this number of the device?"""
    return device.row is not None and getattr(device.row, column) is not None


@cache
def _origin(asn: bool, loopback: bool) -> Mapping[str, str]:
    return {
        "asn": "devices" if asn else "bgp.asn_base",
        "router_id": "devices" if loopback else "addressing.loopbacks",
        "multipath_relax": "=on everywhere: paths through several ASNs are used together",
        "maximum_paths": "bgp.maximum_paths",
        "keepalive_s": "bgp.keepalive",
        "hold_s": "bgp.hold",
        "requires_policy": "=RFC 8212",
        "networks": "=own loopbacks, and of a leaf its host block",
        "discards": "=holds the host block, so that it is announced (ADR-04)",
        "unmodelled": "owns",
        "neighbors": "=one session on each link between leaf and spine",
        "policies": "=what the plane may announce",
    }


_NEIGHBOR_ORIGIN = {
    "remote": "=external: a wrong ASN is then seen, not a dead session",
    "remote_asn": "bgp.asn_base",
    "session": "=one session on each link between leaf and spine",
    "import_policy": "=RFC 8212",
    "export_policy": "=RFC 8212",
    "families": "addressing.loopbacks",
}
_POLICY_ORIGIN = {"permits": "addressing"}
