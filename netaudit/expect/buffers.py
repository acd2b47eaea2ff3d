"""Pools, profiles and bindings of every port: headroom for the lossless classes, shares for the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from netaudit import platforms
from netaudit.expect.classes import Class, classes, lossless_priorities, trimming
from netaudit.expect.headroom import (
    BULK_MTU_BYTES,
    BULK_SMALL_PERCENT,
    WORST_CASE_MTU_BYTES,
    WORST_CASE_SMALL_PERCENT,
    Headroom,
    groups,
    is_dynamic,
    policy,
)
from netaudit.expect.pools import ingress_lossless, is_left_to_switch, shared_headroom, templates
from netaudit.expect.wide import Wide
from netaudit.fabric import FabricDevice, FabricPort
from netaudit.hardware import PoolTemplate, pool_roles
from netaudit.state import ABSENT, Buffers, Computing, Pool, PortBuffers, Profile

LOSSLESS_IN, LOSSY_IN = "ingress_lossless_profile", "ingress_lossy_profile"
LOSSLESS_OUT, LOSSY_OUT, LOSSY_QUEUE = "egress_lossless_profile", "egress_lossy_profile", "q_lossy_profile"
TRIM_QUEUE = "q_trim_profile"
"""That of a queue that trims: ports as a whole and priority groups may not use it (sonic.md section 3)."""

_TEMPLATE = {
    LOSSLESS_IN: ("ingress_lossless_pool", 0, 7),
    LOSSY_IN: ("ingress_lossy_pool", 0, 3),
    LOSSLESS_OUT: ("egress_lossless_pool", 0, 7),
    LOSSY_OUT: ("egress_lossy_pool", 9216, 7),
    LOSSY_QUEUE: ("egress_lossy_pool", 0, 3),
}
"""Profile → (pool, reserved bytes, dynamic_th), as sonic-buildimage renders buffers_defaults_t1.j2 of ACS-SN5600: the
port as a whole is bounded loosely, lossless egress not at all in practice (HDR-09)."""


def buffers(
    wide: Wide, device: FabricDevice, laid: Mapping[str, FabricPort], speeds: Mapping[str, int], up: Collection[str]
) -> Buffers:
    """All buffers. Spare ports are bound to nothing and cost nothing; `up`: ports that are administratively up.

    buffermgrd takes the lossless group of a port that is down away (sonic.md section 3), so none is expected there.
    """
    priorities = lossless_priorities(wide.fabric.intent)
    known = dict(groups(wide.fabric, device, laid, speeds)) if priorities else {}
    found = {key: headroom for key, headroom in known.items() if key in up}
    pool = ingress_lossless(wide.fabric, device, laid, found.values()).value
    roles = pool_roles(templates(device))
    shared = shared_headroom(wide.fabric, device, found.values())
    dynamic = is_dynamic(wide.fabric, device)
    return Buffers(
        model="dynamic" if dynamic else "traditional",
        computing=_computing(wide, device) if dynamic else None,
        pools={
            template.name: _pool(template, roles, pool, shared, left=is_left_to_switch(wide.fabric, device, template))
            for template in templates(device)
        },
        profiles={
            **_template_profiles(roles, trims=trimming(wide.fabric.intent) is not None),
            # equal ports share one object: of a large switch a few are made
            **{h.profile: _lossless(h, roles) for h in {id(h): h for h in found.values()}.values()},
        },
        ports={
            # a switch that computes takes the headroom of a port that is down back itself, and leaves the row
            key: _shared_port(wide, device, known.get(key), key in found or dynamic)
            for key, port in laid.items()
            if port.peer is not None
        },
        origin=_ORIGIN,
    )


def _shared_port(wide: Wide, device: FabricDevice, headroom: Headroom | None, bound: bool) -> PortBuffers:
    key = ("buffers", device.platform, headroom.profile if headroom else "", bound)
    return wide.shared(key, lambda: _port(wide, device, headroom, bound))


def _computing(wide: Wide, device: FabricDevice) -> Computing:
    """What it computes for: the intent's packets, alpha and over-subscription."""
    chosen = policy(wide.fabric, device.model, device.place.role)
    bulk = chosen.packets == "bulk"
    return Computing(
        lossless_mtu_bytes=BULK_MTU_BYTES if bulk else WORST_CASE_MTU_BYTES,
        small_packet_percent=BULK_SMALL_PERCENT if bulk else WORST_CASE_SMALL_PERCENT,
        alpha=chosen.alpha,
        oversubscription=chosen.sharing if chosen.sharing > 1 else ABSENT,
        origin=_COMPUTING_ORIGIN,
    )


def _pool(
    template: PoolTemplate,
    roles: Mapping[str, PoolTemplate],
    ingress_bytes: int,
    shared_bytes: int | None,
    *,
    left: bool,
) -> Pool:
    ours = template is roles.get("ingress_lossless_pool")
    return Pool(
        direction=template.direction,
        size_bytes=ABSENT if left else ingress_bytes if ours else template.size_bytes,
        # where each group has its own headroom, no shared headroom pool takes effect
        shared_headroom_bytes=ABSENT if shared_bytes is None or not ours else shared_bytes,
        dynamic=template.mode == "dynamic",
        origin=_LEFT_ORIGIN if left else _POOL_ORIGIN,
    )


def _template_profiles(roles: Mapping[str, PoolTemplate], *, trims: bool) -> dict[str, Profile]:
    used = _TEMPLATE | ({TRIM_QUEUE: _TEMPLATE[LOSSY_QUEUE]} if trims else {})
    return {
        name: Profile(
            pool=roles[pool].name if pool in roles else pool,
            size_bytes=size,
            # a pool is divided by alpha or by fixed limits, and so are the profiles in it
            alpha=ABSENT if _fixed(roles, pool) else Fraction(2) ** exponent,
            limit_bytes=roles[pool].size_bytes if _fixed(roles, pool) else ABSENT,
            xon_bytes=ABSENT,
            xoff_bytes=ABSENT,
            xon_offset_bytes=ABSENT,
            discard="trim" if name == TRIM_QUEUE else ABSENT,
            origin=_TEMPLATE_ORIGIN,
        )
        for name, (pool, size, exponent) in used.items()
    }


def _fixed(roles: Mapping[str, PoolTemplate], pool: str) -> bool:
    return pool in roles and roles[pool].mode == "static"


def _lossless(headroom: Headroom, roles: Mapping[str, PoolTemplate]) -> Profile:
    pool = roles.get("ingress_lossless_pool")
    return Profile(
        pool=pool.name if pool else "ingress_lossless_pool",
        size_bytes=headroom.size_bytes,
        alpha=headroom.alpha,
        limit_bytes=ABSENT,
        xon_bytes=headroom.xon_bytes,
        xoff_bytes=headroom.xoff_bytes,
        xon_offset_bytes=ABSENT if headroom.xon_offset_bytes is None else headroom.xon_offset_bytes,
        discard=ABSENT,
        origin=dict.fromkeys(("size_bytes", "xon_bytes", "xoff_bytes", "xon_offset_bytes"), f"={headroom.source}")
        | {"alpha": "buffers.shallow.alpha", "pool": "buffers", "limit_bytes": "=alpha limits it"}
        | {"discard": "=PFC keeps packets"},
    )


def _port(wide: Wide, device: FabricDevice, headroom: Headroom | None, bound: bool) -> PortBuffers:
    intent = wide.fabric.intent
    priorities = lossless_priorities(intent)
    merged = platforms.platform(device.platform).merged(priorities)
    lossless_groups = dict.fromkeys(merged, headroom.profile) if headroom and bound else {}
    return PortBuffers(
        cable_length_m=headroom.cable_length_m if headroom else None,
        groups={"0": LOSSY_IN, **lossless_groups},
        queues={str(c.queue): _queue_profile(c) for c in sorted(classes(intent), key=lambda c: c.queue)},
        ingress=(LOSSLESS_IN, LOSSY_IN),
        egress=(LOSSLESS_OUT, LOSSY_OUT),
        origin=_PORT_ORIGIN,
    )


def _queue_profile(kind: Class) -> str:
    if kind.priority is not None:
        return LOSSLESS_OUT
    return TRIM_QUEUE if kind.body.trim is not None else LOSSY_QUEUE


_ORIGIN = {
    "model": "buffers.shallow.headroom",
    "computing": "buffers.shallow.headroom",
    "pools": "buffers",
    "profiles": "buffers",
    "ports": "buffers",
}
_POOL_ORIGIN = {
    "size_bytes": "=the HWSKU's template, less where our headroom leaves less",
    "direction": "=the HWSKU's template",
    "dynamic": "=the HWSKU's template",
    "shared_headroom_bytes": "buffers.shallow.shared_headroom",
}
_LEFT_ORIGIN = {**_POOL_ORIGIN, "size_bytes": "=the switch computes it: what headroom leaves"}
_COMPUTING_ORIGIN = {
    **dict.fromkeys(("lossless_mtu_bytes", "small_packet_percent"), "buffers.shallow.packets"),
    "alpha": "buffers.shallow.alpha",
    "oversubscription": "buffers.shallow.shared_headroom",
}
_TEMPLATE_ORIGIN = {
    **dict.fromkeys(("pool", "size_bytes", "alpha", "limit_bytes"), "=the HWSKU's template"),
    **dict.fromkeys(("xon_bytes", "xoff_bytes", "xon_offset_bytes"), "=no headroom: the profile is not lossless"),
    "discard": "traffic",
}
_PORT_ORIGIN = {
    "cable_length_m": "cables",
    "groups": "cables",
    "queues": "traffic",
    "ingress": "=the HWSKU's template",
    "egress": "=the HWSKU's template",
}
