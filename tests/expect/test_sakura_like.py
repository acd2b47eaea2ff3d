"""The large example: 100 hosts in two halls, spines without a free port, and cables beyond every published row."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from netaudit.checks import check
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import HOST_LEAF, LEAF_SPINE, build
from netaudit.intent import load
from netaudit.state import Failures

INTENT = Path(__file__).resolve().parents[2] / "intent" / "sakura-like.yml"


@cache
def sakura_like() -> Expected:
    return Expected(build(load(INTENT)))


def test_it_has_the_size_of_topology_md_section_1() -> None:
    built = sakura_like().built
    assert Counter(device.place.role for device in built.devices.values()) == {"leaf": 16, "spine": 8}
    assert len(built.hosts) == 100
    kinds = Counter(link.kind for link in sakura_like().links)
    assert kinds == {HOST_LEAF: 100 * 8, LEAF_SPINE: 16 * 8 * 4}


def test_the_leaves_fill_the_spines() -> None:
    fabric_ports = [p for p in sakura_like().built.ports("s-spine1").values() if p.speed_mbps == 800_000]
    assert len(fabric_ports) == 64
    assert all(port.peer is not None for port in fabric_ports)


def test_only_the_links_of_hall1_are_320_m_long() -> None:
    lengths = Counter(
        (sakura_like().built.devices[link.a.device].place.unit, link.length_m)
        for link in sakura_like().links
        if link.kind == LEAF_SPINE
    )
    assert lengths == {("hall1", 320.0): 256, ("hall2", 40.0): 256}


@pytest.mark.parametrize(("name", "prefixes", "paths"), [("s-hall1-r1-leaf", 38, 992), ("s-spine1", 32, 128)])
def test_tables_have_the_sizes_of_topology_md_section_5(name: str, prefixes: int, paths: int) -> None:
    """16 leaves, 8 spines, 4 links, one block a leaf: counted with one loopback a device, so IPv4 only."""
    routes = sakura_like().routes(name, Failures())
    learned = [route for (_, prefix), route in routes.items() if route.hops and "." in prefix]
    assert (len(learned), sum(len(route.hops) for route in learned)) == (prefixes, paths)


def test_both_ends_of_a_long_cable_have_a_profile_of_their_own_for_it() -> None:
    for name, key in (("s-hall1-r1-leaf", "64"), ("s-spine1", "1")):
        buffers = sakura_like().device(name).buffers
        assert buffers
        assert (buffers.ports or {})[key].cable_length_m == 320
        profile = ((buffers.ports or {})[key].groups or {})["3"]
        assert profile == "pg_lossless_800000_320m_profile"
        xoff = (buffers.profiles or {})[profile].xoff_bytes
        assert isinstance(xoff, int)
        # 280 m of fibre more than the published row of 40 m, 362,496 B: 5 ns/m there and back at 800 Gb/s; in the worst
        # case all frames have 64 B, and each takes a cell of 192 B
        assert xoff - 362_496 == pytest.approx(280 * 2 * 5e-9 * 800e9 / 8 * 192 / 64, rel=0.02)


def test_the_checks_accept_it_and_say_what_the_length_costs() -> None:
    found = check(sakura_like())
    assert found.count(Severity.ERROR) == 0
    costs = [d.message for d in found.diagnostics if "headroom takes" in d.message]
    assert [message.split(" of ")[0] for message in costs] == ["headroom takes 52.7 MB", "headroom takes 53.4 MB"]
