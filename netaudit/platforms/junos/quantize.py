"""The expected state as Junos can hold it: rounded once, and without what is no setting of its own there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from netaudit.platforms.junos.chips import chip
from netaudit.platforms.junos.held import IMPLIED, UNSUPPORTED
from netaudit.platforms.junos.names import release
from netaudit.platforms.junos.quantize_buffers import quantized_buffers
from netaudit.platforms.junos.quantize_qos import quantized_qos
from netaudit.state import ABSENT, Bgp, BgpNeighbor, BgpVrf, Device, Leaf, Port
from netaudit.state.walk import without

ETHERNET_BYTES: Final = 14
"""The Ethernet header, which the MTU of a port counts and that of IP does not (field case A07)."""
MOST_MTU_BYTES: Final = 9216
"""Largest MTU of a port, header included: that of every published QFX configuration (junos.md, J1)."""
LEAST_MTU_BYTES: Final = 256
MOST_LOOPS: Final = 10
"""`loops` is 1 to 10, and 1 lets no path with the own ASN in (Junos, «loops»): our number is one less."""
ECMP_STEP: Final = 32
MOST_PATHS: Final = 512
"""`chassis maximum-ecmp` is 16 or a multiple of 32 up to 512 (J2, junos-conf-chassis.yang)."""


def quantize(device: Device) -> Device:
    """What this switch and Junos hold of an expected state. Idempotent."""
    held = chip(device.asic)
    changed = replace(
        device,
        ports=None if device.ports is None else dict(_ports(device.ports)),
        bgp=None if device.bgp is None else _bgp(device.bgp, device.version),
        qos=None if device.qos is None else quantized_qos(device.qos, held, device.version),
        buffers=None if device.buffers is None else quantized_buffers(device.buffers, device.qos, held),
    )
    return without(changed, (*UNSUPPORTED, *IMPLIED))


def _ports(ports: Mapping[str, Port]) -> Iterator[tuple[str, Port]]:
    first: dict[str, Port] = {}
    for key, port in ports.items():
        first.setdefault(key.partition("/")[0], port)
    for key, port in ports.items():
        speed = first[key.partition("/")[0]].speed_mbps if "/" in key else port.speed_mbps
        yield (
            key,
            replace(
                port,
                speed_mbps=speed,
                fec=_fec(port.fec, speed),
                mtu_bytes=_mtu(port.mtu_bytes),
                breakout=_breakout(port.breakout),
            ),
        )


def _mtu(mtu_bytes: Leaf[int]) -> Leaf[int]:
    if not isinstance(mtu_bytes, int):
        return mtu_bytes
    return min(MOST_MTU_BYTES, max(LEAST_MTU_BYTES, mtu_bytes + ETHERNET_BYTES)) - ETHERNET_BYTES


FEC: Final[Mapping[int, Mapping[str, str]]] = {
    100_000: {"rs": "fec91", "none": "none"},
    25_000: {"rs": "fec108", "fc": "fec74", "none": "none"},
    10_000: {"fc": "fec74", "none": "none"},
}
"""Speed → word of the state → `ether-options fec` (junos.md section 1). What 400G and 800G use, clause 119, is no word
of it: there it is not configured."""


def _fec(fec: Leaf[str], speed_mbps: Leaf[int]) -> Leaf[str]:
    """A word that Junos has at that speed; else it is not managed."""
    if not isinstance(speed_mbps, int) or speed_mbps not in FEC:
        return None
    return fec if fec is ABSENT or fec in FEC[speed_mbps] else None


def _breakout(breakout: Leaf[str]) -> Leaf[str]:
    found = re.match(r"(\d+)x", breakout) if isinstance(breakout, str) else None
    return f"{found.group(1)}x" if found else None if isinstance(breakout, str) else breakout


FIRST_NO_POLICY: Final = (20, 3, 1)
"""Release from which Junos can refuse what no policy speaks of (Juniper, «defaults ebgp no-policy»)."""


def _bgp(bgp: Bgp, version: str) -> Bgp:
    one = bgp.maximum_paths == 1
    if release(version) < FIRST_NO_POLICY:
        vrfs = {name: replace(vrf, requires_policy=None) for name, vrf in (bgp.vrfs or {}).items()}
        bgp = replace(bgp, requires_policy=None, vrfs=vrfs if bgp.vrfs is not None else None)
    return replace(
        bgp,
        maximum_paths=ABSENT if one else _paths(bgp.maximum_paths),
        multipath_relax=False if one else bgp.multipath_relax,
        neighbors=None
        if bgp.neighbors is None
        else {key: _neighbor(key, neighbor) for key, neighbor in bgp.neighbors.items()},
        vrfs=None if bgp.vrfs is None else {name: _speaker(vrf) for name, vrf in bgp.vrfs.items()},
    )


def _speaker(vrf: BgpVrf) -> BgpVrf:
    return replace(vrf, multipath_relax=False) if vrf.maximum_paths == 1 else vrf


def _paths(paths: Leaf[int]) -> Leaf[int]:
    if not isinstance(paths, int):
        return paths
    return 16 if paths <= 16 else min(MOST_PATHS, -(-paths // ECMP_STEP) * ECMP_STEP)


def is_address(key: str) -> bool:
    """Is a session known by the neighbor's address, and not by a port?"""
    return "." in key or ":" in key


def _neighbor(key: str, neighbor: BgpNeighbor) -> BgpNeighbor:
    remote = neighbor.remote
    if is_address(key) and remote == "external" and neighbor.far_asn is not None:
        remote = str(neighbor.far_asn)
    allowed = neighbor.allowas_in
    if allowed is not None:
        allowed = {
            family: min(times, MOST_LOOPS - 1) if isinstance(times, int) else times for family, times in allowed.items()
        }
    return replace(neighbor, remote=remote, allowas_in=allowed)
