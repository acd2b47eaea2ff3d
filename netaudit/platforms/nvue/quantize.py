"""The expected state as Cumulus Linux can hold it: the normal form of everything that is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from netaudit.platforms.nvue.buffers import (
    BUFFER,
    LOSSLESS,
    LOSSY,
    TRIM,
    memory_of,
    model_of,
    nearest,
    of_percent,
    percent,
)
from netaudit.platforms.nvue.held import IMPLIED
from netaudit.platforms.nvue.names import port_name
from netaudit.platforms.nvue.ports import MTU, SPEEDS, WHOLE
from netaudit.platforms.nvue.quantize_qos import quantize_qos
from netaudit.platforms.nvue.words import LLDP_SWITCH, TRIMMING, release
from netaudit.state import (
    ABSENT,
    Bgp,
    Buffers,
    Computing,
    Device,
    Leaf,
    Pool,
    Port,
    PortBuffers,
    Profile,
    System,
)
from netaudit.state.walk import without

PATHS: Final = range(1, 257)
"""multipaths ebgp (nvue.md section 3)."""


def quantize(device: Device) -> Device:
    """Rounded once: what is given back is given back unchanged."""
    version = release(device.version)
    trims = version >= TRIMMING
    lldp = device.lldp
    if lldp is not None and version < LLDP_SWITCH:
        lldp = replace(lldp, enabled=None)
    made = replace(
        device,
        system=_system(device.system),
        ports=None if device.ports is None else _ports(device.ports),
        bgp=None if device.bgp is None else _bgp(device.bgp),
        qos=None if device.qos is None else quantize_qos(device.qos, trims),
        buffers=None if device.buffers is None else _buffers(device, device.buffers, trims),
        lldp=lldp,
    )
    return without(made, tuple(IMPLIED))


def _system(system: System | None) -> System | None:
    if system is None or not isinstance(system.hwsku, str):
        return system
    return replace(system, hwsku=model_of(system.hwsku))


def _bgp(bgp: Bgp) -> Bgp:
    vrfs = bgp.vrfs
    if vrfs is not None:
        vrfs = {name: replace(row, maximum_paths=_clamped(row.maximum_paths, PATHS)) for name, row in vrfs.items()}
    return replace(bgp, maximum_paths=_clamped(bgp.maximum_paths, PATHS), vrfs=vrfs)


def _ports(ports: Mapping[str, Port]) -> Mapping[str, Port]:
    """A cage that is split says so on its first part, whether or not its hardware profile has a name for that."""
    parts: dict[str, int] = {}
    for key in ports:
        cage, _, sub = key.partition("/")
        parts[cage] = max(parts.get(cage, 0), int(sub) if sub.isdigit() else 0)
    made = {key: _port(key, port) for key, port in ports.items()}
    for cage, count in parts.items():
        first = made.get(f"{cage}/1")
        if first is not None and first.breakout is None:
            mode = next((mode for mode in (2, 4) if count <= mode), 8)
            made[f"{cage}/1"] = replace(first, breakout=f"{mode}x")
    return made


def _port(key: str, port: Port) -> Port:
    return replace(
        port,
        native=port_name(key, 0, 0, 0)
        if isinstance(port.native, str) and not port.native.startswith("swp")
        else port.native,
        breakout=_breakout(key, port.breakout),
        speed_mbps=port.speed_mbps if port.speed_mbps in SPEEDS or not isinstance(port.speed_mbps, int) else None,
        mtu_bytes=_clamped(port.mtu_bytes, MTU),
    )


def _breakout(key: str, mode: Leaf[str]) -> Leaf[str]:
    """`2x400G[200G]` → `2x`; a whole cage is `1x` whatever its profile calls it."""
    if not isinstance(mode, str):
        return mode
    parts = mode.partition("x")[0]
    if "/" not in key and parts in ("", "1"):
        return WHOLE
    return f"{parts}x" if parts.isdigit() else mode


def _clamped(value: Leaf[int], known: range) -> Leaf[int]:
    return min(known[-1], max(known[0], value)) if isinstance(value, int) else value


def _buffers(device: Device, buffers: Buffers, trims: bool) -> Buffers:
    profiles = buffers.profiles or {}
    return replace(
        buffers,
        pools=None if buffers.pools is None else _pools(device, buffers.pools) if _lossless(buffers) else {},
        profiles=None if buffers.profiles is None else _profiles(buffers, profiles),
        ports=None
        if buffers.ports is None
        else {
            key: bound
            for key, bound in ((key, _bound(port, profiles, trims)) for key, port in buffers.ports.items())
            if bound.queues or isinstance(bound.cable_length_m, int)
        },
    )


def _lossless(buffers: Buffers) -> bool:
    """Is there headroom on any port? Pools are divided for lossless traffic."""
    return any(isinstance(port.cable_length_m, int) for port in (buffers.ports or {}).values())


def _pools(device: Device, pools: Mapping[str, Pool]) -> Mapping[str, Pool]:
    """What ingress has for lossless and for other traffic, as percents of the memory of the box.

    Where all share one pool at ingress, each gets half, which is what RoCE gives them (nvue.md section 2).
    """
    total = memory_of(device)
    if pools.keys() <= {LOSSLESS, LOSSY}:  # as a device has it already
        return {name: _pool(pool, _share(pool, total), total) for name, pool in pools.items()}
    lossless = pools.get("ingress_lossless_pool")
    if lossless is None or total is None:
        return {}
    lossy = pools.get("ingress_lossy_pool")
    ours, theirs = (p.size_bytes if p is not None else None for p in (lossless, lossy))
    share = 50
    if isinstance(ours, int) and isinstance(theirs, int) and ours + theirs:
        share = min(99, percent(ours, ours + theirs))
    made = {LOSSLESS: _pool(lossless, share, total), LOSSY: _pool(lossless, 100 - share, total)}
    return {**made, LOSSY: replace(made[LOSSY], shared_headroom_bytes=ABSENT)}


def _share(pool: Pool, total: int | None) -> int | None:
    return percent(pool.size_bytes, total) if isinstance(pool.size_bytes, int) and total else None


def _pool(pool: Pool, share: int | None, total: int | None) -> Pool:
    size: Leaf[int] = of_percent(share, total) if share is not None and total else pool.size_bytes
    shared = ABSENT if pool.shared_headroom_bytes is ABSENT else None
    return Pool(
        size_bytes=size if total else None,
        direction=pool.direction,
        dynamic=pool.dynamic,
        shared_headroom_bytes=shared,
        origin=pool.origin,
    )


def _profiles(buffers: Buffers, profiles: Mapping[str, Profile]) -> Mapping[str, Profile]:
    """Of all profiles the alpha of those with headroom is left, the smallest where they differ."""
    lossless = [p for name, p in profiles.items() if isinstance(p.xoff_bytes, int) or name == BUFFER]
    alphas = [p.alpha for p in lossless if isinstance(p.alpha, Fraction)]
    if isinstance(buffers.computing, Computing) and isinstance(buffers.computing.alpha, Fraction):
        alphas.append(buffers.computing.alpha)
    if not alphas:
        return {name: p for name, p in profiles.items() if name == BUFFER}
    origin = next((p.origin for p in lossless if isinstance(p.alpha, Fraction)), None)
    return {BUFFER: Profile(alpha=nearest(min(alphas)), origin=origin)}


def _bound(port: PortBuffers, profiles: Mapping[str, Profile], trims: bool) -> PortBuffers:
    """The cable length, and the queues that trim."""
    queues = port.queues or {}
    trimming = {
        queue: TRIM
        for queue, name in queues.items()
        if trims and (name == TRIM or (name in profiles and profiles[name].discard == "trim"))
    }
    length = port.cable_length_m
    return replace(
        port,
        cable_length_m=min(100_000, max(1, length)) if isinstance(length, int) else length,
        queues=None if port.queues is None else trimming,
    )
