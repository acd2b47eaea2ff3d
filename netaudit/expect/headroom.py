"""How much headroom each port needs, and where the number comes from: the table of its HWSKU, or the formula."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from netaudit import hardware, lossless, platforms
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import SwitchModel
from netaudit.intent.schema.lossless import BufferProfile
from netaudit.lossless import Term
from netaudit.state import LinkEnd

WORST_CASE_SMALL_PERCENT, BULK_SMALL_PERCENT = 100, 50
WORST_CASE_MTU_BYTES, BULK_MTU_BYTES = 1024, 4096
"""DESIGN.md section 3, «Packets»: settings of SONiC's formula for the two packet models; the first gives the published
tables of ACS-SN5600 to the byte (sonic.md section 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """One lossless profile: what a priority group of a port is given."""

    profile: str
    cable_length_m: int
    """What CABLE_LENGTH says: the row's length, or the real one rounded up."""
    real_length_m: float
    size_bytes: int
    xon_bytes: int
    xoff_bytes: int
    xon_offset_bytes: int | None
    alpha: Fraction
    source: str
    terms: tuple[Term, ...]
    dedicated: bool
    """Each group carries all of its headroom itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoHeadroom:
    """Why a port cannot be given any."""

    reason: str
    hint: str


def policy(fabric: Fabric, model: SwitchModel, role: str = "") -> BufferProfile:
    """The buffer policy of a switch: as its block says, else by the class of its model."""
    block, buffers = fabric.intent.model.blocks.get(role), fabric.intent.model.buffers
    kind = block.buffers if block is not None and block.buffers is not None else model.buffer_class
    return buffers.deep if kind == "deep" else buffers.shallow


def port_headroom(
    fabric: Fabric, device: FabricDevice, port: FabricPort, speed_mbps: int
) -> Headroom | NoHeadroom | None:
    """The lossless profile of a port; `None` for a port without a cable."""
    if port.peer is None:
        return None
    here = LinkEnd(device=device.name, port=port.key)
    length_m = fabric.cabling(here, port.peer, port.kind).length_m
    chosen = policy(fabric, device.model, device.place.role)
    key = _Key(
        model=device.model.name,
        hwsku=device.hwsku,
        platform=device.platform,
        speed_mbps=speed_mbps,
        lanes=len(port.lanes),
        length_m=length_m,
        port_mtu_bytes=fabric.intent.model.mtu.port,
        mode=chosen.headroom,
        bulk=chosen.packets == "bulk",
        alpha=chosen.alpha,
    )
    return _headroom(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """All that a profile depends on: equal ports share one."""

    model: str
    hwsku: str
    platform: str
    speed_mbps: int
    lanes: int
    length_m: float
    port_mtu_bytes: int
    mode: str
    bulk: bool
    alpha: Fraction


@cache
def _headroom(key: _Key) -> Headroom | NoHeadroom:
    if key.mode == "published":
        return _published(key)
    return _computed(key)


def formula(
    key_model: SwitchModel, speed_mbps: int, length_m: float, lanes: int, mtu: int, *, bulk: bool
) -> lossless.Headroom:
    """Headroom by SONiC's formula for NVIDIA switches (headroom.md section 2.2), each group with its own."""
    data = key_model.headroom
    return lossless.headroom(
        speed_mbps=speed_mbps,
        length_m=length_m,
        port_mtu_bytes=mtu,
        lossless_mtu_bytes=BULK_MTU_BYTES if bulk else WORST_CASE_MTU_BYTES,
        small_packet_percent=BULK_SMALL_PERCENT if bulk else WORST_CASE_SMALL_PERCENT,
        lanes=lanes,
        cell_bytes=key_model.cell_bytes,
        pipeline_kib=data.pipeline_kib,
        mac_phy_kib=data.mac_phy_kib,
        tile=data.tile,
        extra_kib=data.extra_kib,
        gearbox_ns=data.gearbox_ns,
        shared_headroom=False,
        peer_response_kib=data.peer_response_kib,
    )


def _computed(key: _Key) -> Headroom:
    result = formula(
        hardware.switch(key.model), key.speed_mbps, key.length_m, key.lanes, key.port_mtu_bytes, bulk=key.bulk
    )
    length = math.ceil(key.length_m)
    return Headroom(
        profile=platforms.platform(key.platform).lossless_profile(key.speed_mbps, length),
        cable_length_m=length,
        real_length_m=key.length_m,
        size_bytes=result.size_bytes,
        xon_bytes=result.xon_bytes,
        xoff_bytes=result.xoff_bytes,
        xon_offset_bytes=None,
        alpha=key.alpha,
        source=f"computed for {key.length_m:g} m, {'bulk' if key.bulk else 'worst-case'} packets (headroom.md 2.2)",
        terms=result.terms,
        dedicated=True,
    )


def _published(key: _Key) -> Headroom | NoHeadroom:
    hwsku = hardware.switch(key.model).hwskus[key.hwsku]
    row_m = hwsku.row_length_m(key.speed_mbps, key.length_m)
    speed = f"{key.speed_mbps // 1000}G"
    if row_m is None:
        longest = hwsku.lengths_m(key.speed_mbps)
        known = f"its longest row for {speed} is {longest[-1]} m" if longest else f"it has no row for {speed}"
        return NoHeadroom(
            reason=f"the headroom table of {key.hwsku} has no row that covers {key.length_m:g} m at {speed}; {known}",
            hint="buffers: {shallow: {headroom: computed}} binds our own profile",
        )
    row = hwsku.pg[key.speed_mbps, row_m]
    return Headroom(
        profile=platforms.platform(key.platform).lossless_profile(key.speed_mbps, row_m),
        cable_length_m=row_m,
        real_length_m=key.length_m,
        size_bytes=row.size_bytes,
        xon_bytes=row.xon_bytes,
        xoff_bytes=row.xoff_bytes,
        xon_offset_bytes=row.xon_offset_bytes,
        alpha=key.alpha,
        source=f"published row {row_m} m of {key.hwsku}",
        terms=(
            Term(name="published xoff", value=row.xoff_bytes, unit="B", source=f"pg_profile_lookup.ini of {key.hwsku}"),
        ),
        dedicated=row.dedicated,
    )


def groups(
    fabric: Fabric, device: FabricDevice, laid: Mapping[str, FabricPort], speeds: Mapping[str, int]
) -> Iterator[tuple[str, Headroom]]:
    """(port, profile) of every port that has one."""
    for key, port in laid.items():
        found = port_headroom(fabric, device, port, speeds[key])
        if isinstance(found, Headroom):
            yield key, found
