"""Pools, profiles and bindings of every port: headroom for the lossless classes, shares for the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from netaudit import platforms
from netaudit.expect.classes import Class, classes, lossless_priorities
from netaudit.expect.headroom import Headroom, groups
from netaudit.expect.pools import ingress_lossless, templates
from netaudit.expect.wide import Wide
from netaudit.fabric import FabricDevice, FabricPort
from netaudit.hardware import PoolTemplate
from netaudit.state import ABSENT, Buffers, Pool, PortBuffers, Profile

LOSSLESS_IN, LOSSY_IN = "ingress_lossless_profile", "ingress_lossy_profile"
LOSSLESS_OUT, LOSSY_OUT, LOSSY_QUEUE = "egress_lossless_profile", "egress_lossy_profile", "q_lossy_profile"

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
    return Buffers(
        model="traditional",
        pools={template.name: _pool(template, pool) for template in templates(device)},
        profiles={**_template_profiles(), **{h.profile: _lossless(h) for h in found.values()}},
        ports={
            key: _shared_port(wide, device, known.get(key), key in found)
            for key, port in laid.items()
            if port.peer is not None
        },
        origin=_ORIGIN,
    )


def _shared_port(wide: Wide, device: FabricDevice, headroom: Headroom | None, bound: bool) -> PortBuffers:
    key = ("buffers", device.platform, headroom.profile if headroom else "", bound)
    return wide.shared(key, lambda: _port(wide, device, headroom, bound))


def _pool(template: PoolTemplate, ingress_bytes: int) -> Pool:
    ours = template.direction == "ingress" and "lossless" in template.name
    return Pool(
        direction=template.direction,
        size_bytes=ingress_bytes if ours else template.size_bytes,
        # the published table carries each group's own headroom, so no shared headroom pool takes effect
        shared_headroom_bytes=ABSENT,
        dynamic=template.mode == "dynamic",
        origin=_POOL_ORIGIN,
    )


def _template_profiles() -> dict[str, Profile]:
    return {
        name: Profile(
            pool=pool,
            size_bytes=size,
            alpha=Fraction(2) ** exponent,
            limit_bytes=ABSENT,
            xon_bytes=ABSENT,
            xoff_bytes=ABSENT,
            xon_offset_bytes=ABSENT,
            origin=_TEMPLATE_ORIGIN,
        )
        for name, (pool, size, exponent) in _TEMPLATE.items()
    }


def _lossless(headroom: Headroom) -> Profile:
    return Profile(
        pool="ingress_lossless_pool",
        size_bytes=headroom.size_bytes,
        alpha=headroom.alpha,
        limit_bytes=ABSENT,
        xon_bytes=headroom.xon_bytes,
        xoff_bytes=headroom.xoff_bytes,
        xon_offset_bytes=ABSENT if headroom.xon_offset_bytes is None else headroom.xon_offset_bytes,
        origin=dict.fromkeys(("size_bytes", "xon_bytes", "xoff_bytes", "xon_offset_bytes"), f"={headroom.source}")
        | {"alpha": "buffers.shallow.alpha", "pool": "buffers", "limit_bytes": "=alpha limits it"},
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
    return LOSSLESS_OUT if kind.priority is not None else LOSSY_QUEUE


_ORIGIN = {"model": "buffers.shallow.headroom", "pools": "buffers", "profiles": "buffers", "ports": "buffers"}
_POOL_ORIGIN = {
    "size_bytes": "=the HWSKU's template, less where our headroom leaves less",
    "direction": "=the HWSKU's template",
    "dynamic": "=the HWSKU's template",
    "shared_headroom_bytes": "buffers.shallow.shared_headroom",
}
_TEMPLATE_ORIGIN = {
    **dict.fromkeys(("pool", "size_bytes", "alpha", "limit_bytes"), "=the HWSKU's template"),
    **dict.fromkeys(("xon_bytes", "xoff_bytes", "xon_offset_bytes"), "=no headroom: the profile is not lossless"),
}
_PORT_ORIGIN = {
    "cable_length_m": "cables",
    "groups": "cables",
    "queues": "traffic",
    "ingress": "=the HWSKU's template",
    "egress": "=the HWSKU's template",
}
