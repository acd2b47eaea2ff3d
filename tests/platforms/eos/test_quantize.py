"""The normal form: reached once, kept for ever, and held by a configuration whatever was asked for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import eos
from netaudit.platforms.eos.buffers import threshold
from netaudit.platforms.eos.quantize_qos import quantized_qos
from netaudit.render import render
from netaudit.state import ABSENT, BgpNeighbor, Buffers, Device, PortQos, Profile, Qos, Queue, Store, Watchdog
from netaudit.state.walk import Path, differences, leaves, with_leaf
from platforms.eos.fabrics import DEEP, fabric, switched
from platforms.example import devices
from platforms.nudge import other

INTENDED = devices("eos")
LEAVES = tuple(
    (number, path, value)
    for number, device in enumerate(INTENDED)
    for path, value in leaves(device)
    # a session in a VRF without a speaker, a port of another name and lines that are no text are none of a device's
    if path[0] not in ("name", "platform", "routes") and value != {} and path[-1] not in ("native", "unmodelled", "vrf")
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=3))
def test_whatever_is_asked_for_is_rounded_once_and_read_back(asked: list[tuple[int, Path, object]]) -> None:
    device = INTENDED[asked[0][0]]
    for number, path, value in asked:
        if number == asked[0][0]:
            try:
                device = with_leaf(device, path, other(path, value))
            except KeyError:  # below what an earlier change replaced
                continue
    held = eos.quantize(device)
    assert eos.quantize(held) == held
    read = eos.read_config(render(held), device.name)
    assert list(differences(held, read, eos.held(Store.RUNNING, held))) == []


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        (Fraction(1), Fraction(1)),
        (Fraction(128), Fraction(8)),
        (Fraction(1, 1024), Fraction(1, 128)),
        (Fraction(3), Fraction(4)),
        (Fraction(1, 3), Fraction(1, 4)),
        (Fraction(0), Fraction(1, 128)),
    ],
)
def test_a_share_of_the_buffer_becomes_the_nearest_of_the_list(asked: Fraction, held: Fraction) -> None:
    assert threshold(asked) == held


def dog(detect_ms: int, restore_ms: int, action: str = "drop") -> PortQos:
    watchdog = Watchdog(detect_ms=detect_ms, restore_ms=restore_ms, action=action)
    return PortQos(pfc=frozenset({3}), watchdog=watchdog)


@pytest.mark.parametrize(
    ("detect_ms", "restore_ms", "held"),
    [(200, 400, (200, 400)), (201, 399, (210, 400)), (1, 70_000, (10, 60_000)), (10, 10, (10, 10))],
)
def test_times_of_the_watchdog_are_hundredths_of_a_second(
    detect_ms: int, restore_ms: int, held: tuple[int, int]
) -> None:
    qos = quantized_qos(Device(name="x", platform="eos", qos=Qos(ports={"1": dog(detect_ms, restore_ms)})))
    found = (qos.ports or {})["1"].watchdog
    assert isinstance(found, Watchdog)
    assert (found.detect_ms, found.restore_ms) == held


@pytest.mark.parametrize(("poll_ms", "held"), [(200, 100), (100, 100), (50, 50), (1, 5), (99_999, 100)])
def test_the_watchdog_looks_twice_within_its_shortest_time(poll_ms: int, held: int) -> None:
    qos = Qos(watchdog_poll_ms=poll_ms, ports={"1": dog(200, 400), "2": dog(300, 400)})
    assert quantized_qos(Device(name="x", platform="eos", qos=qos)).watchdog_poll_ms == held


def test_a_watchdog_that_shall_forward_only_tells() -> None:
    qos = quantized_qos(Device(name="x", platform="eos", qos=Qos(ports={"1": dog(200, 400, "forward")})))
    assert (qos.ports or {})["1"].watchdog == Watchdog(detect_ms=200, restore_ms=400, action="alert")


def test_a_neighbor_that_is_dialled_has_the_number_that_the_model_gives_it() -> None:
    leaf = INTENDED[0]
    assert leaf.bgp is not None
    held = eos.quantize(leaf).bgp
    assert held is not None
    assert {n.remote for n in (held.neighbors or {}).values()} == {"4200100000"}
    unknown = {"192.0.2.1": BgpNeighbor(vrf="default", remote="external", families=frozenset({"ipv4"}))}
    other_leaf = eos.quantize(replace(leaf, bgp=replace(leaf.bgp, neighbors=unknown)))
    assert other_leaf.bgp is not None
    assert (other_leaf.bgp.neighbors or {})["192.0.2.1"].remote == "external"
    assert "bgp listen range 192.0.2.1/32 peer-group PEERS peer-filter EXTERNAL" in render(other_leaf)["eos.cfg"]


def test_the_whole_switch_has_the_largest_headroom_of_all_its_ports() -> None:
    leaf = INTENDED[0]
    assert leaf.buffers is not None
    sizes = {p.xoff_bytes for p in (leaf.buffers.profiles or {}).values() if isinstance(p.xoff_bytes, int)}
    assert len(sizes) > 1
    held = eos.quantize(leaf).buffers
    assert held is not None
    assert (held.profiles or {})["ingress"].xoff_bytes == max(sizes)
    assert {p.xoff_bytes for name, p in (held.profiles or {}).items() if name != "ingress"} == {None}


def test_of_a_chip_without_words_for_its_buffer_nothing_is_expected() -> None:
    expected = fabric("three-profiles.yml", "blocks")
    deep = [name for name, device in expected.built.devices.items() if device.model.name == DEEP]
    assert deep
    for name in deep:
        held = expected.device(name)
        assert held.buffers == Buffers(origin=None)
        text = render(held)["eos.cfg"]
        assert "platform trident" not in text
        assert "   tx-queue 3\n" in text
        assert "uc-tx-queue" not in text
        assert "buffers" not in eos.held(Store.RUNNING, held)  # type: ignore[operator]


def test_ports_with_the_same_queues_have_one_profile_whatever_else_they_have() -> None:
    queues = {"3": Queue(scheduler="A", wred=ABSENT)}
    ports = {"1": PortQos(queues=queues, pfc=frozenset({3})), "2": PortQos(queues=queues, pfc=frozenset())}
    qos = quantized_qos(Device(name="x", platform="eos", qos=Qos(schedulers={}, wred={}, ports=ports)))
    assert {q.scheduler for p in (qos.ports or {}).values() for q in (p.queues or {}).values()} == {"NETAUDIT/3"}


def test_a_row_that_says_nothing_is_none() -> None:
    rows = {"ingress": Profile(alpha=Fraction(8)), "queue 0": Profile(alpha=ABSENT, limit_bytes=1024)}
    held = eos.quantize(Device(name="x", platform="eos", buffers=Buffers(profiles=rows)))
    assert held.buffers is not None
    assert list(held.buffers.profiles or {}) == ["ingress"]


def test_the_switch_of_an_intent_is_not_touched_by_switching_others() -> None:
    intent = fabric("two-plane.yml").built.intent
    assert switched(intent, "spine").model.leaf.platform == "sonic"
