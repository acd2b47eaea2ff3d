"""The devices that contract tests are held against: the example's, and small variations of it.

Together they set every field of the state; `test_example.py` says so.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

from audit.world import as_sent, two_plane

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.platforms import names
from netaudit.state import (
    ABSENT,
    BgpNeighbor,
    BgpVrf,
    Computing,
    Device,
    Failures,
    Interface,
    LldpNeighbor,
    Store,
    Trimming,
    Vlan,
)

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"


@cache
def devices(platform: str = "sonic") -> tuple[Device, ...]:
    """Of switches that all run one NOS: a leaf, a spine, the leaf with what neither has (a VRF, two classes in one
    group, fixed limits), and the leaf that computes headroom by itself, where the NOS has a model of that."""
    expected = everywhere(platform)
    leaf, spine = lean(expected.intended(LEAF)), lean(expected.intended(SPINE))
    return leaf, spine, varied(leaf), *((computing(leaf),) if platforms.platform(platform).TABLES else ())


@cache
def everywhere(platform: str) -> Expected:
    """The example, with one NOS on every switch."""
    if platform == "sonic":
        return two_plane()
    intent = two_plane().built.intent
    model = intent.model
    update = {name: getattr(model, name).model_copy(update={"platform": platform}) for name in ("leaf", "spine")}
    return Expected(build(replace(intent, model=model.model_copy(update=update))))


def lean(device: Device) -> Device:
    """The same switch with two spare cages only: the others are alike, and would be most of the text.

    A cage is there with all of its ports, as some names tell a part of a cage from a whole one by the others alone.
    """
    assert device.interfaces is not None
    assert device.ports is not None
    spare = [key for key in device.ports if key not in device.interfaces]
    kept = {key.partition("/")[0] for key in (*device.interfaces, spare[0], spare[-1])}
    return replace(device, ports={key: port for key, port in device.ports.items() if key.partition("/")[0] in kept})


def varied(leaf: Device) -> Device:
    """Valid settings that the example does not use, on some ports of a leaf: a VLAN on a spare one among them."""
    assert leaf.interfaces is not None
    assert leaf.buffers is not None
    assert leaf.qos is not None
    profiles = leaf.buffers.profiles or {}
    fixed = replace(profiles["q_lossy_profile"], alpha=ABSENT, limit_bytes=1_048_576, discard="trim")
    ports = leaf.buffers.ports or {}
    lossless = (ports["1/1"].groups or {})["3"]
    headroom = replace(profiles[lossless], xon_offset_bytes=18_432)
    pools = leaf.buffers.pools or {}
    shared = replace(pools["ingress_lossless_pool"], shared_headroom_bytes=33_554_432)
    merged = replace(ports["1/1"], groups={"0": "ingress_lossy_profile", "3-4": lossless})
    bare = replace((leaf.qos.ports or {})["1/1"], pfc=frozenset({3, 4}), watched=frozenset(), watchdog=ABSENT)
    bare = replace(bare, rewrite="SITE", shaper="HALF")
    trimming = Trimming(size_bytes=128, dscp=11, queue=6)
    hash_fields = frozenset({"source-ip", "destination-ip", "source-port", "IN_PORT"})
    assert leaf.bgp is not None
    bgp = leaf.bgp
    inside = BgpNeighbor(
        vrf="storage",
        remote="external",
        import_policy="FABRIC-IN",
        export_policy="FABRIC-OUT",
        families=frozenset({"ipv4"}),
        allowas_in={"ipv4": 1},
    )
    speaker = BgpVrf(
        asn=bgp.asn,
        router_id="10.9.9.9",
        multipath_relax=True,
        maximum_paths=32,
        keepalive_s=3,
        hold_s=9,
        requires_policy=True,
        networks=frozenset({"10.9.0.0/24"}),
    )
    return replace(
        leaf,
        vrfs=frozenset({"storage", "Vrf-red"}),
        bgp=replace(
            bgp,
            neighbors={**(bgp.neighbors or {}), "1/1": inside, "10.9.0.1": inside},
            vrfs={"storage": speaker},
        ),
        interfaces={
            **leaf.interfaces,
            "1/1": Interface(vrf="storage", addresses=frozenset({"10.9.0.0/31", "2001:db8::/127"}), link_local=False),
            "64": Interface(vrf="default", addresses=frozenset(), link_local=False),
            "Vlan1000": Interface(vrf="default", addresses=frozenset({"10.8.0.1/24"}), link_local=True),
        },
        vlans={"1000": Vlan(members=frozenset({"3/1"}), tagged=frozenset())},
        qos=replace(
            leaf.qos,
            trimming=trimming,
            hash_fields=hash_fields,
            ports={**(leaf.qos.ports or {}), "1/1": bare},
        ),
        buffers=replace(
            leaf.buffers,
            pools={**pools, "ingress_lossless_pool": shared},
            profiles={**profiles, "q_lossy_profile": fixed, lossless: headroom},
            ports={**ports, "1/1": merged},
        ),
    )


def computing(leaf: Device) -> Device:
    """The same switch where it computes headroom: the names are its own, and most pools have no size."""
    assert leaf.buffers is not None
    assert leaf.ports is not None
    pools, profiles, ports = leaf.buffers.pools or {}, leaf.buffers.profiles or {}, leaf.buffers.ports or {}
    made, bound = {}, {}
    for key, port in ports.items():
        old = (port.groups or {})["3"]
        name = f"{old.removesuffix('_profile')}_mtu9216_profile"
        made[name] = profiles[old]
        bound[key] = replace(port, groups={**(port.groups or {}), "3": name})
    told = Computing(lossless_mtu_bytes=1024, small_packet_percent=100, alpha=Fraction(1), oversubscription=2)
    unsized = {name: replace(p, size_bytes=ABSENT) for name, p in pools.items() if name != "egress_lossless_pool"}
    unsized["ingress_lossless_pool"] = replace(unsized["ingress_lossless_pool"], shared_headroom_bytes=655_360)
    return replace(
        leaf,
        buffers=replace(
            leaf.buffers,
            model="dynamic",
            computing=told,
            pools={**pools, **unsized},
            profiles={**{name: p for name, p in profiles.items() if not name.startswith("pg_lossless_")}, **made},
            ports=bound,
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
