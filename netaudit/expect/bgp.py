"""The BGP speaker of each device: numbers, sessions on every fabric link, and what passes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from netaudit import platforms
from netaudit.expect.interfaces import leaf_blocks
from netaudit.expect.policies import (
    FROM_HOST,
    TO_HOST,
    PlaneRules,
    allowas_in,
    export_policy,
    families,
    import_policy,
    own_prefixes,
    policies,
)
from netaudit.expect.raw import raw_text
from netaudit.expect.vrfs import vrf_path, vrf_speakers
from netaudit.fabric import DEFAULT_VRF, DRAINED, PLANNED, Fabric, FabricDevice, FabricPort, is_fabric_link
from netaudit.fabric.addressing import host_link
from netaudit.intent import tiers
from netaudit.state import Bgp, BgpNeighbor, LinkEnd

DEFAULT_PATHS = 64
"""Width that hardware load balancing groups have at most (topology.md section 3)."""


def bgp(
    fabric: Fabric,
    device: FabricDevice,
    laid: Mapping[str, FabricPort],
    plane: PlaneRules,
    dark: frozenset[LinkEnd] = frozenset(),
) -> Bgp:
    """The whole speaker. `remote_asn` and `session` are what the live session must show."""
    model = fabric.intent.model
    raw = raw_text(fabric, device)
    neighbors = dict(_sessions(fabric, device, laid, dark)) | dict(_hosts(fabric, device, laid, dark))
    return Bgp(
        asn=device.asn,
        router_id=device.router_id,
        multipath_relax=True,
        maximum_paths=maximum_paths(fabric),
        keepalive_s=model.bgp.keepalive,
        hold_s=model.bgp.hold,
        requires_policy=True,
        networks=frozenset(own_prefixes(device)),
        discards=frozenset((*device.blocks, *device.originates)),
        policies=policies(fabric, device, plane),
        neighbors=neighbors,
        vrfs=vrf_speakers(fabric, device, neighbors, maximum_paths(fabric)),
        unmodelled=platforms.platform(device.platform).raw_lines(raw),
        raw=raw or None,
        origin=_origin(_pins(device, "asn"), _pins(device, "loopback"), bool(raw)),
    )


def _sessions(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], dark: frozenset[LinkEnd]
) -> Iterator[tuple[str, BgpNeighbor]]:
    """A session on each link between switches, and to external neighbors."""
    for key, port in laid.items():
        if is_fabric_link(port.kind) and port.peer is not None and not _hidden(fabric, device, port):
            down = LinkEnd(device=device.name, port=key) in dark or port.status == DRAINED
            for far, active in sessions_of(fabric, device, port).items():
                yield far, _neighbor(fabric, device, port, active, down)


def maximum_paths(fabric: Fabric) -> int:
    """64, or the next power of two that holds the widest set (topology.md section 3).

    That is the uplinks of a leaf or a spine, a superspine's links to a pod, a block's uplinks, or the links between a
    spine and the devices of a block, which announce the same.
    """
    wanted = fabric.intent.model.bgp.maximum_paths
    if wanted != "auto":
        return wanted
    model = fabric.intent.model
    top, pod = model.superspine, model.spine.count if model.superspine is not None else 1
    widths = [*tiers.uplinks(model).values(), pod * (top.links if top is not None and top.wiring == "full" else 1)]
    widths += (b.room * b.links for b in model.blocks.values())
    if top is not None:
        widths += (tiers.above(model, name) * b.links for name, b in model.blocks.items())
    widest = max(widths)
    return max(DEFAULT_PATHS, 1 << (widest - 1).bit_length())


def _hosts(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], dark: frozenset[LinkEnd]
) -> Iterator[tuple[str, BgpNeighbor]]:
    """Where hosts speak BGP: a session to the host's address of every host port, one for each family."""
    if fabric.intent.model.hosts.attach != "bgp":
        return
    for number, key in enumerate(fabric.layouts["leaf"].downlinks, start=1) if device.place.role == "leaf" else ():
        port = laid.get(key)
        if port is None or port.peer is None:
            continue
        down = LinkEnd(device=device.name, port=key) in dark or port.status == DRAINED
        for block in leaf_blocks(device):
            yield (
                host_link(block, number)[1].partition("/")[0],
                BgpNeighbor(
                    vrf=DEFAULT_VRF,
                    over=key,
                    remote="external",
                    session=None if down else "Established",
                    import_policy=FROM_HOST,
                    export_policy=TO_HOST,
                    families=frozenset({f"ipv{block.version}"}),
                    allowas_in={},
                    origin=_HOST_ORIGIN,
                ),
            )


def _hidden(fabric: Fabric, device: FabricDevice, port: FabricPort) -> bool:
    """Is there no session on it? Not yet on the live side of a link that is planned (DESIGN.md rule 6); never between
    two with one ASN, where `remote-as external` refuses the other."""
    far = fabric.devices.get(port.peer.device) if port.peer is not None else None
    return (port.status == PLANNED and device.place.status != PLANNED) or (far is not None and far.asn == device.asn)


def sessions_of(fabric: Fabric, device: FabricDevice, port: FabricPort) -> Mapping[str, frozenset[str]]:
    """What the sessions of a link are known by → the families of each.

    One over the port, with all families; or where the link has addresses one for each of them, from address to address:
    a next hop is of the family of its session.
    """
    active = families(fabric)
    pairs = fabric.addresses(device, port)
    if not pairs:
        return {port.key: active}
    far = (address.partition("/")[0] for _, address in pairs)
    own = {address: active & {"ipv6" if ":" in address else "ipv4"} for address in far}
    return {address: family for address, family in own.items() if family}


def _neighbor(
    fabric: Fabric, device: FabricDevice, port: FabricPort, active: frozenset[str], dark: bool
) -> BgpNeighbor:
    assert port.peer is not None
    peer = port.peer.device
    numbered = bool(fabric.addresses(device, port))
    external = fabric.intent.model.external.get(peer)
    vrf = fabric.vrf(port.kind)
    far_asn = external.asn if external is not None else fabric.devices[peer].asn
    return BgpNeighbor(
        vrf=vrf,
        over=port.key if numbered else None,
        far_asn=far_asn,
        remote="external",
        remote_asn=None if dark else far_asn,
        session=None if dark else "Established",
        import_policy=import_policy(fabric, device, peer, vrf),
        export_policy=export_policy(fabric, peer, vrf),
        families=active,
        allowas_in=dict.fromkeys(sorted(active), times) if (times := allowas_in(fabric, device, peer)) else {},
        origin=_neighbor_origin("" if external is None else peer, "" if vrf == DEFAULT_VRF else port.kind),
    )


@cache
def _neighbor_origin(external: str, bound: str) -> Mapping[str, str]:
    """`bound`: the kind of a link that is in a VRF."""
    return {
        **_NEIGHBOR_ORIGIN,
        **({"remote_asn": f"external.{external}.asn"} if external else {}),
        **({"vrf": vrf_path(bound)} if bound else {}),
    }


def _pins(device: FabricDevice, column: str) -> bool:
    """Does devices.csv fix this number of the device?"""
    return device.row is not None and getattr(device.row, column) is not None


@cache
def _origin(asn: bool, loopback: bool, raw: bool) -> Mapping[str, str]:
    return {
        "asn": "devices" if asn else "bgp.asn_base",
        "router_id": "devices" if loopback else "addressing.loopbacks",
        "multipath_relax": "=on everywhere: paths through several ASNs are used together",
        "maximum_paths": "bgp.maximum_paths",
        "keepalive_s": "bgp.keepalive",
        "hold_s": "bgp.hold",
        "requires_policy": "=RFC 8212",
        "networks": "=own loopbacks, of a leaf its host block, of a block what it originates",
        "discards": "=holds the host block, so that it is announced (ADR-04)",
        "unmodelled": "raw" if raw else "owns",
        "neighbors": "=one session on each link between switches",
        "policies": "=what the plane may announce",
        "vrfs": "=a VRF is where one of the links is in it",
    }


_HOST_ORIGIN = dict.fromkeys(("session", "import_policy", "export_policy", "families"), "hosts.attach") | {
    "allowas_in": "=a host has no path with our ASN in it",
    "vrf": "=default",
    "remote": "=external: what the AS number of a host is, its operator decides",
}
_NEIGHBOR_ORIGIN = {
    "vrf": "=default",
    "remote": "=external: a wrong ASN is then seen, not a dead session",
    "remote_asn": "bgp.asn_base",
    "session": "=one session on each link between switches",
    "import_policy": "=RFC 8212",
    "export_policy": "=RFC 8212",
    "families": "addressing.loopbacks",
    "allowas_in": "bgp.allowas_in",
}
