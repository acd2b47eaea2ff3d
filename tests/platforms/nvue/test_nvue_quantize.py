"""The normal form: rounded once, and what it changes is what NVUE cannot hold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import devices_with_leaf

from netaudit.platforms import nvue
from netaudit.platforms.nvue.buffers import ALPHAS, memory_bytes, model_of, nearest, of_percent, percent
from netaudit.state import Device, PortQos, Qos, Queue, Watchdog
from netaudit.state.walk import matches, with_leaf
from platforms.example import devices
from platforms.nudge import other
from platforms.nvue.fabrics import INTENTS, RELEASES, examples, expected, held, of_intent
from platforms.test_contract import changed


def test_every_example_device_is_rounded_once_for_every_release() -> None:
    for release in RELEASES:
        for device in examples(release):
            assert nvue.quantize(device) == device


@given(devices_with_leaf())
def test_a_device_with_any_leaf_changed_is_rounded_once(drawn: tuple[Device, tuple[str, ...], object]) -> None:
    device, path, value = drawn
    changed = nvue.quantize(replace(with_leaf(device, path, other(path, value)), platform="nvue"))
    assert nvue.quantize(changed) == changed


@given(
    st.dictionaries(
        st.sampled_from(["1", "2", "3/1", "3/2"]),
        st.dictionaries(
            st.sampled_from("01234567"),
            st.tuples(*[st.sampled_from(["A", "B-400G", "ETS/0", "ECN-400G/3", "X/Y/3", None])] * 2),
            max_size=5,
        ),
        max_size=4,
    )
)
def test_any_queues_of_any_ports_get_names_that_stay(
    ports: dict[str, dict[str, tuple[str | None, str | None]]],
) -> None:
    qos = Qos(
        schedulers={},
        wred={},
        ports={
            key: PortQos(queues={queue: Queue(scheduler=names[0], wred=names[1]) for queue, names in queues.items()})
            for key, queues in ports.items()
        },
    )
    device = nvue.quantize(Device(name="x", platform="nvue", qos=qos))
    assert nvue.quantize(device) == device


@pytest.mark.parametrize("intent", INTENTS)
def test_what_quantizing_changes_of_an_example_intent_is_declared(intent: str) -> None:
    declared = (*nvue.UNSUPPORTED, *nvue.IMPLIED, *nvue.ROUNDED)
    fabric = expected(intent)
    for device in of_intent(intent):
        intended = fabric.intended(device.name)
        for path in {*changed(intended, device), *changed(device, intended)}:
            assert any(matches(pattern, path) for pattern in declared), ".".join(path)


def test_a_class_keeps_its_dscp_its_queue_and_its_pfc_priority_whatever_their_numbers() -> None:
    for device in of_intent("two-plane", variant="two lossless classes whose queues have other numbers"):
        assert device.qos is not None
        dscps = (device.qos.dscp_to_tc or {})["default-global"]
        queues = (device.qos.tc_to_queue or {})["default-global"]
        # (DSCP, PFC priority, queue) as the intent says
        for dscp, priority, queue in ((26, 3, 4), (18, 5, 2), (48, 6, 6), (0, 0, 0)):
            assert (dscps[dscp], queues[dscps[dscp]]) == (priority, queue)
        assert sorted(queues) == list(range(8))
        assert len(set(queues.values())) == 8


def test_detection_is_never_sooner_than_asked_for_and_restoring_is_one_interval() -> None:
    device = devices("nvue")[0]
    assert device.qos is not None
    for poll, asked, detect in ((200, 200, 200), (100, 250, 300), (50, 200, 200), (9999, 200, 5000)):
        ports = {
            key: replace(port, watchdog=Watchdog(detect_ms=asked, restore_ms=400, action="drop"))
            for key, port in (device.qos.ports or {}).items()
        }
        found = held(replace(device, qos=replace(device.qos, watchdog_poll_ms=poll, ports=ports)))
        assert found.qos is not None
        dogs = {port.watchdog for port in (found.qos.ports or {}).values()}
        used = min(5000, max(100, poll))
        assert dogs == {Watchdog(detect_ms=detect, restore_ms=used)}


@pytest.mark.parametrize(
    ("hwsku", "model", "size"),
    [
        ("ACS-SN5600", "SN5600", 158_229_504),
        ("Mellanox-SN5600-C256S1", "SN5600", 158_229_504),
        ("ACS-MSN4600C", "SN4600C", 60_817_392),
        ("Mellanox-SN5640-C448O16", "SN5640", 136_209_408),
        ("ACS-SN6600_LD", "SN6600_LD", 226_492_416),
        ("Arista-7060X6-64PE", "Arista-7060X6-64PE", None),
    ],
)
def test_a_model_is_found_in_an_hwsku_and_its_memory_by_the_model(hwsku: str, model: str, size: int | None) -> None:
    assert model_of(hwsku) == model
    assert memory_bytes(model) == size


@given(st.integers(1, 100), st.sampled_from([13_945_824, 158_229_504, 226_492_416]))
def test_a_percentage_of_memory_leads_back_to_itself(share: int, total: int) -> None:
    assert percent(of_percent(share, total), total) == share


@given(st.fractions(0, 1000))
def test_an_alpha_is_never_more_than_asked_for_where_there_is_one(alpha: Fraction) -> None:
    assert nearest(alpha) in ALPHAS
    assert nearest(alpha) <= alpha or nearest(alpha) == min(ALPHAS)


def test_before_5_11_nobody_says_that_lldp_is_on_and_before_5_14_nothing_trims() -> None:
    varied = devices("nvue")[2]
    old, new = held(varied, "5.10"), held(varied, "5.14")
    assert old.lldp is not None
    assert new.lldp is not None
    assert (old.lldp.enabled, new.lldp.enabled) == (None, True)
    assert old.qos is not None
    assert new.qos is not None
    assert old.qos.trimming is None
    assert new.qos.trimming is not None


def test_more_paths_than_256_are_256() -> None:
    device = devices("nvue")[0]
    assert device.bgp is not None
    wide = nvue.quantize(replace(device, platform="nvue", bgp=replace(device.bgp, maximum_paths=512)))
    assert wide.bgp is not None
    assert wide.bgp.maximum_paths == 256
