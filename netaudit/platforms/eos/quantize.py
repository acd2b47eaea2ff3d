"""The expected state as EOS can hold it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from netaudit.platforms.eos.quantize_buffers import quantized_buffers
from netaudit.platforms.eos.quantize_qos import quantized_qos
from netaudit.platforms.eos.raw import raw_rows
from netaudit.platforms.eos.speeds import spelled
from netaudit.state import Bgp, BgpNeighbor, BgpVrf, Device, Leaf, Port

MOST_MTU = 9214
"""What 7060X and 7280 take at most (eos.md section 2)."""
LEAST_MTU = 68
MOST_PATHS = 600
MOST_LOOPS = 10


def quantize(device: Device) -> Device:
    """The normal form; what it changes stands in UNSUPPORTED, IMPLIED or ROUNDED."""
    system = device.system
    if system is not None:
        system = replace(
            system, hwsku=None, hardware=None, tier=None, asn=None, own_routing_files=None, routing_rows=None
        )
    bgp = device.bgp
    raw = device.raw
    if bgp is not None and isinstance(bgp.unmodelled, frozenset) and bgp.unmodelled:
        raw = {**(raw or {}), **raw_rows(bgp.unmodelled)}
    return replace(
        device,
        system=system,
        ports=None if device.ports is None else {key: _port(port) for key, port in device.ports.items()},
        bgp=None if bgp is None else _bgp(bgp),
        qos=None if device.qos is None else quantized_qos(device),
        buffers=None if device.buffers is None else quantized_buffers(device),
        raw=raw,
    )


def _port(port: Port) -> Port:
    speed, lanes = port.speed_mbps, port.lanes
    if isinstance(speed, int) and isinstance(lanes, tuple):
        pair = spelled(speed, len(lanes))
        speed, lanes = (None, None) if pair is None else (pair[0], tuple(range(pair[1])))
    elif isinstance(lanes, tuple):
        lanes = tuple(range(len(lanes)))
    mtu = port.mtu_bytes
    if isinstance(mtu, int):
        mtu = min(max(mtu, LEAST_MTU), MOST_MTU)
    autoneg = port.autoneg
    if autoneg is None and port.cable_m is not None and isinstance(speed, int):
        # copper, of which nobody says it: it comes up by negotiation (audit-rules.md, INT-05)
        autoneg = True
    return replace(
        port,
        speed_mbps=speed,
        lanes=lanes,
        autoneg=autoneg,
        mtu_bytes=mtu,
        alias=None,
        breakout=None,
        pfc_asymmetric=None,
    )


def _bgp(bgp: Bgp) -> Bgp:
    asns: dict[str, object] = {"default": bgp.asn, **{vrf: speaker.asn for vrf, speaker in (bgp.vrfs or {}).items()}}
    return replace(
        bgp,
        maximum_paths=_paths(bgp.maximum_paths),
        unmodelled=frozenset() if isinstance(bgp.unmodelled, frozenset) else bgp.unmodelled,
        neighbors=None
        if bgp.neighbors is None
        else {key: _neighbor(neighbor, asns) for key, neighbor in bgp.neighbors.items()},
        vrfs=None if bgp.vrfs is None else {vrf: _speaker(speaker) for vrf, speaker in bgp.vrfs.items()},
    )


def _speaker(speaker: BgpVrf) -> BgpVrf:
    return replace(speaker, maximum_paths=_paths(speaker.maximum_paths))


def _paths(paths: Leaf[int]) -> Leaf[int]:
    return min(paths, MOST_PATHS) if isinstance(paths, int) else paths


def _neighbor(neighbor: BgpNeighbor, asns: Mapping[str, object]) -> BgpNeighbor:
    remote = neighbor.remote
    if remote == "external" and neighbor.far_asn is not None:
        remote = str(neighbor.far_asn)
    elif remote == "internal" and isinstance(own := asns.get(str(neighbor.vrf or "default")), int):
        remote = str(own)
    return replace(neighbor, remote=remote, allowas_in=_loops(neighbor))


def _loops(neighbor: BgpNeighbor) -> Mapping[str, Leaf[int]] | None:
    """One number for all families in use."""
    counts = [count for count in (neighbor.allowas_in or {}).values() if isinstance(count, int)]
    if not counts or not isinstance(neighbor.families, frozenset):
        return neighbor.allowas_in
    return dict.fromkeys(sorted(neighbor.families), min(max(counts), MOST_LOOPS))
