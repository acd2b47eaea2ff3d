"""The devices that contract tests are held against: the example's, and small variations of it.

Together they set every field of the state; `test_example.py` says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from audit.world import as_sent, two_plane

from netaudit.platforms import names
from netaudit.state import ABSENT, Device, Failures, Interface, LldpNeighbor, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"


@cache
def devices() -> tuple[Device, ...]:
    """A leaf, a spine, and the leaf with what neither has: a VRF, two classes in one group, fixed limits."""
    leaf, spine = lean(two_plane().device(LEAF)), lean(two_plane().device(SPINE))
    return leaf, spine, varied(leaf)


def lean(device: Device) -> Device:
    """The same switch with two spare ports only: the others are alike, and would be most of the text."""
    assert device.interfaces is not None
    assert device.ports is not None
    spare = [key for key in device.ports if key not in device.interfaces]
    kept = {*device.interfaces, spare[0], spare[-1]}
    return replace(device, ports={key: port for key, port in device.ports.items() if key in kept})


def varied(leaf: Device) -> Device:
    """Valid settings that the example does not use, on some ports of a leaf."""
    assert leaf.interfaces is not None
    assert leaf.buffers is not None
    assert leaf.qos is not None
    profiles = leaf.buffers.profiles or {}
    fixed = replace(profiles["q_lossy_profile"], alpha=ABSENT, limit_bytes=1_048_576)
    headroom = replace(profiles["pg_lossless_400000_5m_profile"], xon_offset_bytes=18_432)
    pools = leaf.buffers.pools or {}
    shared = replace(pools["ingress_lossless_pool"], shared_headroom_bytes=33_554_432)
    ports = leaf.buffers.ports or {}
    merged = replace(ports["1/1"], groups={"0": "ingress_lossy_profile", "3-4": "pg_lossless_400000_5m_profile"})
    bare = replace((leaf.qos.ports or {})["1/1"], pfc=frozenset({3, 4}), watched=frozenset(), watchdog=ABSENT)
    return replace(
        leaf,
        interfaces={
            **leaf.interfaces,
            "1/1": Interface(
                vrf="Vrf-storage", addresses=frozenset({"10.9.0.0/31", "2001:db8::/127"}), link_local=False
            ),
            "64": Interface(vrf="default", addresses=frozenset(), link_local=False),
        },
        qos=replace(leaf.qos, ports={**(leaf.qos.ports or {}), "1/1": bare}),
        buffers=replace(
            leaf.buffers,
            pools={**pools, "ingress_lossless_pool": shared},
            profiles={**profiles, "q_lossy_profile": fixed, "pg_lossless_400000_5m_profile": headroom},
            ports={**ports, "1/1": merged},
        ),
    )


@cache
def in_stores(name: str) -> dict[Store, Device]:
    """One device of the example that is the same in every store, with LLDP neighbors as they are received."""
    device = lean(two_plane().device(name))
    assert device.lldp is not None
    heard = {key: as_sent(two_plane(), n) for key, n in (device.lldp.neighbors or {}).items()}
    neighbors = {key: n for key, n in heard.items() if isinstance(n, LldpNeighbor)}
    routes = two_plane().routes(name, Failures())
    whole = replace(device, lldp=replace(device.lldp, neighbors=neighbors), routes=routes)
    return dict.fromkeys(Store, whole)


def platform_names() -> tuple[str, ...]:
    """Every platform there is; a new one gets its contract tests by being listed."""
    return names()
