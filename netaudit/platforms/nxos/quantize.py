"""The expected state as NX-OS can hold it: what has no place is unset, what is spelled otherwise is changed, once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from netaudit.platforms.nxos.held import IMPLIED, UNSUPPORTED
from netaudit.platforms.nxos.quantize_qos import quantize_qos, singles
from netaudit.platforms.nxos.raw import rows_of
from netaudit.state import ABSENT, Bgp, BgpNeighbor, Buffers, Computing, Device, Leaf, Port, PortBuffers, Profile
from netaudit.state.walk import without

MTU = (576, 9216)
"""nxos.md section 2."""
PAM4_MBPS = 50_000
"""A lane from which on modulation is PAM4, which no link does without RS-544."""
PAM4_PORT_MBPS = 200_000
"""A port from which on it is, where lanes are not told: NX-OS knows none of 200G without (nxos.md section 1)."""
MOST_PATHS = 512
MOST_LOOPS = 10
"""Of `allowas-in`, as CLI and DME have it."""
LEAST_BUFFER_BYTES = 5_000
"""`pause buffer-size` (nxos.md section 2)."""
_MODE = re.compile(r"(\d+)x(\d+)G", re.ASCII)
_MAP = re.compile(r"\d+g-\d+x", re.ASCII)


def quantize(device: Device) -> Device:
    """The normal form of a device; the same again where it is one already."""
    changed = replace(
        device,
        ports=None if device.ports is None else _ports(device.ports),
        bgp=None if device.bgp is None else _bgp(device.bgp),
        qos=None if device.qos is None else quantize_qos(device.qos, device.ports or {}),
        buffers=None if device.buffers is None else _buffers(device.buffers),
        raw=rows_of(device.bgp.raw) if device.bgp is not None and device.bgp.raw else device.raw,
    )
    return without(_ports_without(changed), _OTHERS)


_UNSET = (*UNSUPPORTED, *IMPLIED)


def _below(prefix: str) -> tuple[str, ...]:
    """Patterns of the leaves of one row, without the table that it is in."""
    return tuple(pattern.removeprefix(prefix) for pattern in _UNSET if pattern.startswith(prefix))


_OF_PORTS = {prefix: _below(prefix) for prefix in ("qos.ports.*.", "buffers.ports.*.")}
_OTHERS = tuple(pattern for pattern in _UNSET if not pattern.startswith(("ports.*.", *_OF_PORTS)))

T = TypeVar("T")


def _ports_without(device: Device) -> Device:
    """Leaves of ports unset row by row: equal rows are one object, before and after."""
    qos, buffers = device.qos, device.buffers
    return replace(
        device,
        qos=None if qos is None else replace(qos, ports=_rows(qos.ports, _OF_PORTS["qos.ports.*."])),
        buffers=None
        if buffers is None
        else replace(buffers, ports=_rows(buffers.ports, _OF_PORTS["buffers.ports.*."])),
    )


def _rows(rows: Mapping[str, T] | None, patterns: tuple[str, ...]) -> Mapping[str, T] | None:
    if rows is None:
        return None
    made = {id(row): without(row, patterns) for row in {id(row): row for row in rows.values()}.values()}
    return {key: made[id(row)] for key, row in rows.items()}


def _ports(ports: Mapping[str, Port]) -> Mapping[str, Port]:
    split = _split(ports)
    return {key: _port(key, port, split) for key, port in ports.items()}


def _split(ports: Mapping[str, Port]) -> Mapping[str, str]:
    """First port of a cage in parts → the map by which it is: as many parts as there are, as fast as the fastest."""
    found: dict[str, tuple[int, int]] = {}
    for key, port in ports.items():
        cage, _, part = key.partition("/")
        if part.isdigit() and isinstance(port.speed_mbps, int):
            parts, speed = found.get(cage, (0, 0))
            found[cage] = max(parts, int(part)), max(speed, port.speed_mbps)
    return {f"{cage}/1": f"{speed // 1000}g-{parts}x" for cage, (parts, speed) in found.items()}


def _port(key: str, port: Port, split: Mapping[str, str]) -> Port:
    mtu = port.mtu_bytes
    return replace(
        port,
        breakout=_breakout(key, port.breakout, split.get(key)),
        fec="auto" if port.fec == "rs" and _is_pam4(port) else port.fec,
        mtu_bytes=min(max(mtu, MTU[0]), MTU[1]) if isinstance(mtu, int) else mtu,
        # rows of IMPLIED, here because ports are many
        alias=None,
        lanes=None,
        autoneg=None,
        pfc_asymmetric=None,
    )


def _is_pam4(port: Port) -> bool:
    if not isinstance(port.speed_mbps, int):
        return False
    if isinstance(port.lanes, tuple) and port.lanes:
        return port.speed_mbps // len(port.lanes) >= PAM4_MBPS
    return port.speed_mbps >= PAM4_PORT_MBPS


def _breakout(key: str, mode: Leaf[str], parts: str | None) -> Leaf[str]:
    """`2x400G[200G]` → `400g-2x`. Of a cage that is one port there is none, and it is said on its first port only.

    Where the catalogue has no mode of the cage, it is what its parts say.
    """
    if isinstance(mode, str) and _MAP.fullmatch(mode):
        return mode
    if "/" not in key:
        return ABSENT
    if mode is ABSENT:
        return mode
    found = _MODE.match(mode or "")
    return f"{found[2]}g-{found[1]}x" if found else parts


def _bgp(bgp: Bgp) -> Bgp:
    neighbors = None if bgp.neighbors is None else {key: _neighbor(n) for key, n in bgp.neighbors.items()}
    vrfs = bgp.vrfs
    if vrfs is not None:
        vrfs = {name: replace(vrf, maximum_paths=_paths(vrf.maximum_paths)) for name, vrf in vrfs.items()}
    return replace(
        bgp,
        maximum_paths=_paths(bgp.maximum_paths),
        neighbors=neighbors,
        vrfs=vrfs,
        unmodelled=frozenset() if bgp.raw and isinstance(bgp.unmodelled, frozenset) else bgp.unmodelled,
    )


def _paths(paths: Leaf[int]) -> Leaf[int]:
    return min(max(paths, 1), MOST_PATHS) if isinstance(paths, int) else paths


def _neighbor(neighbor: BgpNeighbor) -> BgpNeighbor:
    known = neighbor.remote == "external" and isinstance(neighbor.far_asn, int)
    loops = neighbor.allowas_in
    return replace(
        neighbor,
        remote=str(neighbor.far_asn) if known else neighbor.remote,
        allowas_in={f: min(n, MOST_LOOPS) if isinstance(n, int) else n for f, n in loops.items()} if loops else loops,
    )


def _buffers(buffers: Buffers) -> Buffers:
    """Headroom alone. Where the switch shall compute it, that is what it does anyway, so nothing is said."""
    automatic = isinstance(buffers.computing, Computing)
    profiles, ports = buffers.profiles, buffers.ports
    usual = frozenset(
        n
        for port in {id(p): p for p in (ports or {}).values()}.values()
        for n in _lossless_groups(port, profiles or {})
    )
    lossless = {n: _profile(p) for n, p in (profiles or {}).items() if isinstance(p.xoff_bytes, int) and not automatic}
    return replace(
        buffers,
        profiles=None if profiles is None else lossless,
        ports=None if ports is None else _each(ports, lambda port: _bound(port, lossless, usual)),
    )


def _profile(profile: Profile) -> Profile:
    """With what was meant to be lent from a shared pool of headroom, which NX-OS has none of."""
    size = profile.size_bytes
    if not isinstance(size, int):
        return profile
    own = sum(part for part in (profile.xon_bytes, profile.xoff_bytes) if isinstance(part, int))
    return replace(profile, size_bytes=max(size, own, LEAST_BUFFER_BYTES))


def _each(ports: Mapping[str, PortBuffers], change: Callable[[PortBuffers], PortBuffers]) -> Mapping[str, PortBuffers]:
    """Every port changed; equal ones are one object, before and after."""
    made = {id(port): change(port) for port in {id(port): port for port in ports.values()}.values()}
    return {key: made[id(port)] for key, port in ports.items()}


def _lossless_groups(port: PortBuffers, profiles: Mapping[str, Profile]) -> Iterator[str]:
    for numbers, name in (port.groups or {}).items():
        if name in profiles and isinstance(profiles[name].xoff_bytes, int):
            yield from singles(numbers)


def _bound(port: PortBuffers, lossless: Mapping[str, Profile], usual: frozenset[str]) -> PortBuffers:
    """One policy for all no-drop classes of a port: the one with the most headroom."""
    if port.groups is None:
        return port
    names = sorted({name for name in port.groups.values() if name in lossless}, key=lambda n: (_size(lossless[n]), n))
    return replace(port, groups=dict.fromkeys(sorted(usual, key=int), names[-1]) if names else {})


def _size(profile: Profile) -> int:
    return profile.size_bytes if isinstance(profile.size_bytes, int) else 0
