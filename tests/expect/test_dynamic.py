"""Headroom that the switch computes: what is expected of it, and that its own models take what is rendered."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import pytest
from oracles.sonic_yang import problems as yang_problems

from netaudit.expect import Expected
from netaudit.expect.headroom import groups
from netaudit.expect.pools import ingress_lossless
from netaudit.fabric import build
from netaudit.platforms import sonic
from netaudit.render import render
from netaudit.state import ABSENT, Buffers, Computing, Device, Store
from netaudit.state.walk import differences
from tests.intent.example import read, small

TABLES = (
    "BUFFER_PG",
    "BUFFER_POOL",
    "BUFFER_PROFILE",
    "CABLE_LENGTH",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "DEVICE_METADATA",
    "LOSSLESS_TRAFFIC_PATTERN",
)
"""Where a switch that computes differs from one that is given a table."""


class Compare(Protocol):
    def __call__(self, name: str, text: str) -> None: ...


def fabric(folder: Path, shallow: str = "headroom: dynamic", **changes: str) -> Expected:
    return Expected(build(read(folder, small(buffers=f"{{shallow: {{{shallow}}}}}", **changes))))


def of(expected: Expected, name: str) -> tuple[Device, Buffers]:
    device = expected.device(name)
    assert device.buffers is not None
    return device, device.buffers


@pytest.mark.parametrize(
    ("shallow", "told"),
    [
        ("headroom: dynamic", (1024, 100, Fraction(1), ABSENT)),
        ("headroom: dynamic, packets: bulk", (4096, 50, Fraction(1), ABSENT)),
        ("headroom: dynamic, alpha: 1/4, shared_headroom: 2", (1024, 100, Fraction(1, 4), 2)),
        ("headroom: dynamic, shared_headroom: 1", (1024, 100, Fraction(1), ABSENT)),
    ],
)
def test_the_switch_is_told_the_intent_s_packets_alpha_and_sharing(
    tmp_path: Path, shallow: str, told: tuple[object, ...]
) -> None:
    _, buffers = of(fabric(tmp_path, shallow), "a-spine1")
    computing = buffers.computing
    assert isinstance(computing, Computing)
    given = (computing.lossless_mtu_bytes, computing.small_packet_percent, computing.alpha, computing.oversubscription)
    assert (buffers.model, given) == ("dynamic", told)


def test_the_905_quanta_of_the_switch_are_expected_at_800g(tmp_path: Path) -> None:
    _, buffers = of(fabric(tmp_path), "a-spine1")
    profile = (buffers.profiles or {})["pg_lossless_800000_40m_mtu9216_profile"]
    assert (profile.xoff_bytes, profile.xon_bytes, profile.size_bytes) == (362_496, 38_912, 410_624)


def test_a_length_is_expected_as_the_whole_metres_that_the_switch_is_told(tmp_path: Path) -> None:
    expected = fabric(tmp_path, cables="{host-leaf: 2.5m dac, leaf-spine: 40m dr8}")
    name = "a-su1-r1-leaf"
    _, buffers = of(expected, name)
    port = (buffers.ports or {})["1/1"]
    assert port.cable_length_m == 3
    assert port.groups == {"0": "ingress_lossy_profile", "3": "pg_lossless_400000_3m_mtu9216_profile"}
    assert (buffers.profiles or {})["pg_lossless_400000_3m_mtu9216_profile"].xoff_bytes == 228_352


def test_an_mtu_that_is_overridden_on_a_port_is_computed_with(tmp_path: Path) -> None:
    override = '[{where: "a-su1-r1-leaf:1/1", set: {mtu: 9100}, reason: CHG-1, until: 2099-01-01}]'
    _, buffers = of(fabric(tmp_path, overrides=override), "a-su1-r1-leaf")
    ports = buffers.ports or {}
    assert (ports["1/1"].groups or {})["3"] == "pg_lossless_400000_3m_profile"
    assert (ports["1/2"].groups or {})["3"] == "pg_lossless_400000_3m_mtu9216_profile"


def test_pools_have_no_size_but_the_one_that_is_all_of_the_buffer(tmp_path: Path) -> None:
    _, buffers = of(fabric(tmp_path), "a-spine1")
    assert {name: pool.size_bytes for name, pool in (buffers.pools or {}).items()} == {
        "ingress_lossless_pool": ABSENT,
        "ingress_lossy_pool": ABSENT,
        "egress_lossless_pool": 158_229_504,
        "egress_lossy_pool": ABSENT,
    }


@pytest.mark.parametrize("more", ["", ", packets: bulk", ", shared_headroom: 2, alpha: 1/8"])
def test_sonics_own_models_and_our_own_eyes_take_what_is_rendered(tmp_path: Path, more: str) -> None:
    expected = fabric(tmp_path, f"headroom: dynamic{more}")
    for name in expected.devices:
        files = render(expected.device(name))
        assert yang_problems(json.loads(files["config_db.json"])) == []
        assert sonic.problems(files) == ()


def test_each_device_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    expected = fabric(tmp_path, "headroom: dynamic, shared_headroom: 2")
    for name in expected.devices:
        device = expected.device(name)
        read_back = sonic.read_config(render(device), name)
        assert list(differences(device, read_back, expected.held(name, Store.RUNNING))) == []


def test_what_cannot_be_told_of_a_switch_that_computes_is_declared(tmp_path: Path) -> None:
    spots = [spot.what for spot in fabric(tmp_path).blind_spots("a-spine1")]
    assert "buffers.pools.*.size_bytes" in spots
    published = fabric(tmp_path, "headroom: published")
    assert "buffers.pools.*.size_bytes" not in [spot.what for spot in published.blind_spots("a-spine1")]


def test_ecn_goes_by_the_half_of_the_buffer_that_each_ingress_pool_is_given(tmp_path: Path) -> None:
    """The pool that the switch makes is no larger than half of the chip."""
    expected = fabric(tmp_path)
    device = expected.built.devices["a-spine1"]
    laid = expected.built.ports("a-spine1")
    found = [h for _, h in groups(expected.built, device, laid, {key: p.speed_mbps for key, p in laid.items()})]
    assert 0 < ingress_lossless(expected.built, device, laid, found).value <= 158_229_504 // 2


def test_a_leaf_that_computes_is_given_these_tables(golden: Compare, tmp_path: Path) -> None:
    text = render(fabric(tmp_path, "headroom: dynamic, shared_headroom: 2").device("a-su1-r1-leaf"))["config_db.json"]
    tables = {name: rows for name, rows in json.loads(text).items() if name in TABLES}
    golden("render/a-su1-r1-leaf-dynamic/config_db.json", json.dumps(tables, indent=4, sort_keys=True) + "\n")
