"""VRFs: which ones a device has, what is let through in them, and how their speakers are set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from netaudit.fabric import DEFAULT_VRF, DRAINED, Fabric, FabricDevice, FabricPort
from netaudit.state import BgpNeighbor, BgpVrf, LinkEnd, PolicyRule

Rules = frozenset[PolicyRule]


def vrfs(fabric: Fabric, laid: Mapping[str, FabricPort]) -> frozenset[str]:
    """A device has a VRF where one of its links is in it."""
    return frozenset(fabric.vrf(port.kind) for port in laid.values() if port.peer is not None) - {DEFAULT_VRF}


def vrf_imports(vrf: str) -> str:
    """The policy for what a switch of ours sends in a VRF. `_` and a lower-case VRF: no neighbor has such a name."""
    return f"VRF_{vrf}-IN"


def vrf_exports(vrf: str) -> str:
    """The policy for what a switch of ours is sent in a VRF."""
    return f"VRF_{vrf}-OUT"


def vrf_tells(vrf: str) -> str:
    """The policy for what an external neighbor is sent in a VRF."""
    return f"VRF_{vrf}_EXTERNAL-OUT"


def vrf_policies(fabric: Fabric, device: FabricDevice) -> Iterator[tuple[str, Rules]]:
    """Name and rules of the policies of a device's VRFs, but for what each external neighbor may announce.

    Passed on is what the intent says that the external neighbors of the VRF announce, and nothing of ours. What one of
    them announces beyond its list, or without a list, stays on the device that hears it. An external neighbor is told
    of no default route, as in the default VRF.
    """
    drained, nothing = device.place.status == DRAINED, Rules()
    for vrf in sorted({v for end, v in fabric.vrf_ends.items() if end.device == device.name}):
        named = _named(fabric, vrf, device.place.plane)
        specific = Rules(rule for rule in named if not _is_default(rule.prefix))
        if any(not fabric.is_external(far) for far in _far(fabric, device.name, vrf)):
            yield vrf_imports(vrf), named
            yield vrf_exports(vrf), nothing if drained else named
        if any(map(fabric.is_external, _far(fabric, device.name, vrf))):
            yield vrf_tells(vrf), nothing if drained else specific


def _far(fabric: Fabric, device: str, vrf: str) -> Iterator[str]:
    """The devices at the other ends of a device's links in a VRF."""
    for port in fabric.extra.get(device, {}).values():
        if port.peer is not None and fabric.vrf(port.kind) == vrf:
            yield port.peer.device


def _named(fabric: Fabric, vrf: str, plane: str) -> Rules:
    """Every prefix that the external neighbors of a VRF are said to announce into a plane."""
    names = {
        port.peer.device
        for device, ports in fabric.extra.items()
        if fabric.devices[device].place.plane == plane
        for port in ports.values()
        if port.peer is not None and fabric.vrf(port.kind) == vrf and fabric.is_external(port.peer.device)
    }
    told = (str(prefix) for name in names for prefix in fabric.intent.model.external[name].prefixes or ())
    return Rules(PolicyRule(prefix=prefix, up_to=ip_network(prefix).prefixlen) for prefix in told)


def _is_default(prefix: str) -> bool:
    return ip_network(prefix).prefixlen == 0


def vrf_speakers(
    fabric: Fabric, device: FabricDevice, neighbors: Mapping[str, BgpNeighbor], maximum_paths: int
) -> Mapping[str, BgpVrf]:
    """The speaker of each VRF in which a session runs: set like the default one, and with no prefix of its own."""
    model = fabric.intent.model
    names = {n.vrf for n in neighbors.values() if isinstance(n.vrf, str)} - {DEFAULT_VRF}
    return {
        name: BgpVrf(
            asn=device.asn,
            router_id=device.router_id,
            multipath_relax=True,
            maximum_paths=maximum_paths,
            keepalive_s=model.bgp.keepalive,
            hold_s=model.bgp.hold,
            requires_policy=True,
            networks=frozenset(),
            origin=_ORIGIN,
        )
        for name in sorted(names)
    }


def vrf_path(kind: str) -> str:
    """Where the intent says in which VRF a link is."""
    return f"{kind}.vrf"


def externals_in(fabric: Fabric, device: str, vrf: str) -> frozenset[str]:
    """The external neighbors that a device has a link to in a VRF."""
    return frozenset(filter(fabric.is_external, _far(fabric, device, vrf)))


def in_vrf(fabric: Fabric, end: LinkEnd, vrf: str) -> bool:
    """Is an end of a link in that VRF?"""
    return fabric.vrf_ends.get(end, DEFAULT_VRF) == vrf


_ORIGIN = {
    "asn": "bgp.asn_base",
    "router_id": "addressing.loopbacks",
    "multipath_relax": "=on everywhere: paths through several ASNs are used together",
    "maximum_paths": "bgp.maximum_paths",
    "keepalive_s": "bgp.keepalive",
    "hold_s": "bgp.hold",
    "requires_policy": "=RFC 8212",
    "networks": "=nothing of ours is announced in a VRF",
}
