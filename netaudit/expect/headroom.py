"""How much headroom each port needs, and where the number comes from: the table of its HWSKU, or the formula."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from netaudit import hardware, lossless, platforms
from netaudit.expect.overrides import settings_for
from netaudit.fabric import Fabric, FabricDevice, FabricPort
from netaudit.hardware import SwitchModel
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.lossless import BufferProfile
from netaudit.lossless import Term
from netaudit.platforms import Platform
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
    """The buffer policy of a switch: as its block says, else by the class of its model.

    Where a NOS has no tables of a vendor's, what is published for it is computed (DESIGN.md, «Headroom tables»).
    """
    intent = fabric.intent.model
    block, buffers = intent.blocks.get(role), intent.buffers
    kind = block.buffers if block is not None and block.buffers is not None else model.buffer_class
    chosen = buffers.deep if kind == "deep" else buffers.shallow
    platform = _platform_of(intent, role)
    if platform.TABLES:
        return chosen
    return _without_tables(chosen, shares=not SHARED & platform.UNSUPPORTED.keys())


SHARED = frozenset({"buffers.pools", "buffers.pools.*", "buffers.pools.*.shared_headroom_bytes"})
"""What a NOS says that it lacks where each of its groups has headroom of its own."""


def _platform_of(intent: IntentModel, role: str) -> Platform:
    if role in ("leaf", ""):
        return platforms.platform(intent.leaf.platform)
    top = intent.superspine.platform if role == "superspine" and intent.superspine is not None else None
    block = intent.blocks.get(role)
    return platforms.platform(block.platform if block is not None else top or intent.spine.platform)


@cache
def _without_tables(chosen: BufferProfile, *, shares: bool) -> BufferProfile:
    update: dict[str, object] = {"headroom": "computed"} if chosen.headroom == "published" else {}
    if chosen.sharing > 1 and not shares:
        update["shared_headroom"] = 1
    return chosen.model_copy(update=update) if update else chosen


def is_dynamic(fabric: Fabric, device: FabricDevice) -> bool:
    """Whether the switch computes its headroom by itself."""
    return policy(fabric, device.model, device.place.role).headroom == "dynamic"


def port_headroom(
    fabric: Fabric, device: FabricDevice, port: FabricPort, speed_mbps: int
) -> Headroom | NoHeadroom | None:
    """The lossless profile of a port; `None` for a port without a cable."""
    if port.peer is None:
        return None
    length_m = fabric.cable(port.kind).length_m
    if fabric.intent.cables:  # some were measured
        here = LinkEnd(device=device.name, port=port.key)
        length_m = fabric.cabling(here, port.peer, port.kind).length_m
    chosen = policy(fabric, device.model, device.place.role)
    mtu_bytes = fabric.intent.model.mtu.port
    if chosen.headroom == "dynamic":  # it goes by what is configured on the port
        mtu_bytes = settings_for(fabric, device, port).mtu_bytes(mtu_bytes)
    key = _Key(
        model=device.model.name,
        hwsku=device.hwsku,
        platform=device.platform,
        speed_mbps=speed_mbps,
        lanes=len(port.lanes),
        length_m=length_m,
        port_mtu_bytes=mtu_bytes,
        mode=chosen.headroom,
        bulk=chosen.packets == "bulk",
        shared=chosen.sharing > 1,
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
    shared: bool
    alpha: Fraction


@cache
def _headroom(key: _Key) -> Headroom | NoHeadroom:
    if key.mode == "published":
        return _published(key)
    return _dynamic(key) if key.mode == "dynamic" else _computed(key)


def formula(
    key_model: SwitchModel,
    speed_mbps: int,
    length_m: float,
    lanes: int,
    mtu: int,
    *,
    bulk: bool,
    allowance: bool = True,
) -> lossless.Headroom:
    """Headroom by the formula of the ASIC, each group with its own: SONiC's for NVIDIA switches (headroom.md 2.2), else
    the delays of the maker's table, else the ceiling (headroom.md 1, 2.5); the result names which.

    `allowance`: with what SONiC adds to be on the safe side where groups have their own (2,048 B of a kind pattern).
    """
    data = key_model.headroom
    if data.method != "formula":
        from netaudit.lossless.method import by_asic  # fabrics of Spectrum switches do not pay for its tables

        return by_asic(
            asic=key_model.asic,
            speed_mbps=speed_mbps,
            length_m=length_m,
            port_mtu_bytes=mtu,
            cell_bytes=key_model.cell_bytes,
            bulk=bulk,
            fixed_ns=data.fixed_ns,
            own=bool(key_model.origin),
        )
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
        shared_headroom=not allowance,
        peer_response_kib=data.peer_response_kib,
    )


def _computed(key: _Key) -> Headroom:
    model = hardware.switch(key.model)
    result = formula(
        model, key.speed_mbps, key.length_m, key.lanes, key.port_mtu_bytes, bulk=key.bulk, allowance=not key.shared
    )
    length = math.ceil(key.length_m)
    shared_size = shared_group(model, result)
    return Headroom(
        profile=platforms.platform(key.platform).lossless_profile(key.speed_mbps, length),
        cable_length_m=length,
        real_length_m=key.length_m,
        size_bytes=shared_size if key.shared else result.size_bytes,
        xon_bytes=result.xon_bytes,
        xoff_bytes=result.xoff_bytes,
        xon_offset_bytes=result.xon_offset_bytes,
        alpha=key.alpha,
        source=f"computed for {key.length_m:g} m, {'bulk' if key.bulk else 'worst-case'} packets, {result.method}",
        terms=(*result.terms, _own(shared_size)) if key.shared else result.terms,
        dedicated=not key.shared,
    )


def _dynamic(key: _Key) -> Headroom | NoHeadroom:
    """What the switch will compute: SONiC's formula for the length in whole metres, under the switch's own name."""
    model, length_m = hardware.switch(key.model), math.ceil(key.length_m)
    if model.headroom.method != "formula":
        return NoHeadroom(
            reason=f"{key.model} computes no headroom: SONiC has no formula for {model.asic}",
            hint=f"buffers: {{{model.buffer_class}: {{headroom: published}}}} takes the HWSKU's table",
        )
    result = formula(
        model, key.speed_mbps, length_m, key.lanes, key.port_mtu_bytes, bulk=key.bulk, allowance=not key.shared
    )
    box = model.hwskus[key.hwsku].platform
    return Headroom(
        profile=platforms.platform(key.platform).computed_profile(
            key.speed_mbps, length_m, key.port_mtu_bytes, key.lanes, box
        ),
        cable_length_m=length_m,
        real_length_m=key.length_m,
        size_bytes=result.size_bytes,
        xon_bytes=result.xon_bytes,
        xoff_bytes=result.xoff_bytes,
        xon_offset_bytes=None,
        alpha=key.alpha,
        source=f"computed by the switch for {length_m} m, {'bulk' if key.bulk else 'worst-case'} packets, by "
        f"{result.method}",
        terms=result.terms,
        dedicated=not key.shared,
    )


def shared_group(model: SwitchModel, result: lossless.Headroom) -> int:
    """What a group keeps of its own where xoff comes out of a shared headroom pool: xon, or two frames (sonic.md 3)."""
    return result.xon_bytes if model.headroom.method == "formula" else result.size_bytes - result.xoff_bytes


def _own(size_bytes: int) -> Term:
    return Term(name="size with a shared pool", value=size_bytes, unit="B", source="the shared headroom pool has xoff")


def _published(key: _Key) -> Headroom | NoHeadroom:
    hwsku = hardware.switch(key.model).hwskus[key.hwsku]
    row_m = hwsku.row_length_m(key.speed_mbps, key.length_m)
    speed, kind = f"{key.speed_mbps // 1000}G", hardware.switch(key.model).buffer_class
    if row_m is None:
        longest = hwsku.lengths_m(key.speed_mbps)
        known = f"its longest row for {speed} is {longest[-1]} m" if longest else f"it has no row for {speed}"
        return NoHeadroom(
            reason=f"the headroom table of {key.hwsku} has no row that covers {key.length_m:g} m at {speed}; {known}",
            hint=f"buffers: {{{kind}: {{headroom: computed}}}} binds our own profile",
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
