"""Queues as NX-OS has them: inside policies, the strict one in queue 7, a lossless one in that of its priority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from netaudit.platforms import nxos
from netaudit.render import render
from netaudit.state import (
    ABSENT,
    Device,
    Marking,
    Port,
    PortQos,
    Qos,
    Queue,
    Scheduler,
    Store,
    Watchdog,
    Wred,
)
from netaudit.state.walk import differences, dotted

COLOURS = ("green", "yellow", "red")
IDENTITY = {n: n for n in range(8)}


def marking(low: int = 433_152, high: int = 1_731_840) -> Wred:
    one = Marking(kmin_bytes=low, kmax_bytes=high, pmax_percent=100)
    return Wred(ecn=True, colours=dict.fromkeys(COLOURS, one))


def port(**queues: str) -> PortQos:
    """`q3="ROCE"` → the queue with that scheduler; WRED where it is ROCE."""
    return PortQos(
        dscp_to_tc="ROCE",
        tc_to_queue="ROCE",
        pfc_to_queue="ROCE",
        pfc=frozenset({3}),
        watched=frozenset({3}),
        queues={
            name.removeprefix("q"): Queue(scheduler=s, wred="ROCE" if s == "ROCE" else ABSENT)
            for name, s in queues.items()
        },
        watchdog=Watchdog(detect_ms=200, restore_ms=450, action="drop"),
    )


def device(ports: Mapping[str, PortQos], **more: object) -> Device:
    schedulers = {
        "ROCE": Scheduler(kind="dwrr", weight=60, cap_bytes_per_s=ABSENT),
        "BULK": Scheduler(kind="dwrr", weight=40, cap_bytes_per_s=ABSENT),
        "SCAVENGER": Scheduler(kind="dwrr", weight=30, cap_bytes_per_s=ABSENT),
        "CONTROL": Scheduler(kind="strict", weight=ABSENT, cap_bytes_per_s=2_500_000_000),
    }
    qos = Qos(
        dscp_to_tc={"ROCE": {d: {26: 3, 48: 6}.get(d, 0) for d in range(64)}},
        tc_to_queue={"ROCE": IDENTITY},
        pfc_to_queue={"ROCE": IDENTITY},
        schedulers=schedulers,
        wred={"ROCE": marking()},
        watchdog_poll_ms=200,
        ports=ports,
    )
    qos = replace(qos, **more)  # type: ignore[arg-type]  # fields of Qos by their names
    return Device(
        name="x",
        platform="nxos",
        ports={key: Port(native=f"Ethernet1/{key}", speed_mbps=400_000, enabled=True) for key in ports},
        qos=qos,
    )


def made(one: Device) -> Qos:
    quantized = nxos.quantize(one)
    assert nxos.quantize(quantized) == quantized
    assert quantized.qos is not None
    read = nxos.read_config(render(quantized), "x")
    held = {"qos": nxos.HELD[Store.RUNNING]["qos"]}  # type: ignore[index]  # a tree here
    assert [dotted(d.path) for d in differences(quantized, read, held)] == []
    return quantized.qos


USUAL = {"1": port(q0="BULK", q3="ROCE", q6="CONTROL")}


def test_the_strict_class_is_in_queue_7_whatever_its_number() -> None:
    qos = made(device(USUAL))
    assert (qos.dscp_to_tc or {})["ROCE"][48] == 7
    assert list((qos.ports or {})["1"].queues or {}) == ["0", "3", "7"]
    assert (qos.schedulers or {})["EGRESS-400G q7"].kind == "strict"


def test_what_was_in_queue_7_goes_where_the_strict_class_was() -> None:
    qos = made(device({"1": port(q0="BULK", q3="ROCE", q6="CONTROL", q7="SCAVENGER")}))
    assert (qos.schedulers or {})["EGRESS-400G q6"].kind == "dwrr"
    assert (qos.schedulers or {})["EGRESS-400G q7"].kind == "strict"


def test_a_lossless_class_has_the_queue_of_its_priority() -> None:
    """qos-group n, nq n and pfc-cos n are one number (nxos.md section 2)."""
    one = port(q0="BULK", q4="ROCE", q6="CONTROL")
    dscps = {"ROCE": {d: {26: 4, 48: 6}.get(d, 0) for d in range(64)}}
    queues = {"ROCE": {**IDENTITY, 3: 4}}
    qos = made(device({"1": one}, dscp_to_tc=dscps, pfc_to_queue=queues))
    assert (qos.dscp_to_tc or {})["ROCE"][26] == 3
    assert (qos.wred or {}).keys() == {"EGRESS-400G q3"}


def test_a_traffic_class_with_a_queue_of_another_number_is_in_that_queue() -> None:
    steps = {"ROCE": {**IDENTITY, 1: 3}}
    dscps = {"ROCE": {d: {26: 1, 48: 6}.get(d, 0) for d in range(64)}}
    qos = made(device(USUAL, tc_to_queue=steps, dscp_to_tc=dscps))
    assert (qos.dscp_to_tc or {})["ROCE"][26] == 3


@pytest.mark.parametrize(
    ("weights", "percents"),
    [
        ((60, 40), (60, 40)),
        ((30, 20), (60, 40)),
        ((100, 100, 100), (34, 33, 33)),
        ((1, 100), (1, 99)),
        ((90, 30, 30), (60, 20, 20)),
    ],
)
def test_shares_are_percentages_that_sum_to_100(weights: tuple[int, ...], percents: tuple[int, ...]) -> None:
    schedulers = {f"S{n}": Scheduler(kind="dwrr", weight=w) for n, w in enumerate(weights)}
    one = replace(port(), queues={str(n): Queue(scheduler=f"S{n}", wred=ABSENT) for n in range(len(weights))})
    qos = made(device({"1": one}, schedulers=schedulers))
    assert tuple(s.weight for s in (qos.schedulers or {}).values()) == percents


def test_thresholds_are_whole_kbytes() -> None:
    qos = made(device(USUAL))
    found = ((qos.wred or {})["EGRESS-400G q3"].colours or {})["green"]
    assert (found.kmin_bytes, found.kmax_bytes) == (433_000, 1_732_000)


def test_thresholds_that_are_equal_stay_so_and_none_is_nothing() -> None:
    qos = made(device(USUAL, wred={"ROCE": marking(300, 300)}))
    found = ((qos.wred or {})["EGRESS-400G q3"].colours or {})["green"]
    assert (found.kmin_bytes, found.kmax_bytes) == (1000, 1000)


def test_ports_with_other_queues_have_a_policy_of_their_own() -> None:
    """The system has that of the most ports, and the others say theirs."""
    ports = {"1": port(q0="BULK"), "2": port(q3="ROCE", q6="CONTROL"), "3": port(q3="ROCE", q6="CONTROL")}
    quantized = nxos.quantize(device(ports))
    text = render(quantized)["nxos.cfg"]
    assert (
        "  service-policy type queuing output EGRESS-400G-2\n"
        in text.split("system qos\n", 1)[1].split("\n\n")[0] + "\n"
    )
    assert text.count("service-policy type queuing output EGRESS-400G\n") == 1
    made(device(ports))


def test_a_port_that_goes_to_another_policy_is_seen_in_its_queues_alone() -> None:
    ports = {"1": port(q0="BULK"), "2": port(q3="ROCE", q6="CONTROL"), "3": port(q3="ROCE", q6="CONTROL")}
    whole = nxos.quantize(device(ports))
    assert whole.qos is not None
    moved = replace(whole, qos=replace(whole.qos, ports={**(whole.qos.ports or {}), "2": (whole.qos.ports or {})["1"]}))
    read = nxos.read_config(render(moved), "x")
    found = [d.path for d in differences(whole, read, nxos.HELD[Store.RUNNING])]
    assert found
    assert {path[:4] for path in found} == {("qos", "ports", "2", "queues")}


def test_a_share_that_is_otherwise_is_seen() -> None:
    text = render(nxos.quantize(device(USUAL)))["nxos.cfg"]
    other = text.replace("remaining percent 60", "remaining percent 55").replace("percent 40", "percent 45")
    found = differences(
        nxos.quantize(device(USUAL)), nxos.read_config({"nxos.cfg": other}, "x"), nxos.HELD[Store.RUNNING]
    )
    assert [dotted(d.path) for d in found] == [
        "qos.schedulers.EGRESS-400G q0.weight",
        "qos.schedulers.EGRESS-400G q3.weight",
    ]


def test_no_drop_classes_are_those_of_the_whole_switch() -> None:
    ports = {
        "1": port(q3="ROCE"),
        "2": replace(port(q3="ROCE"), pfc=frozenset({3, 4})),
        "3": replace(port(q3="ROCE"), pfc=frozenset()),
    }
    qos = made(device(ports))
    assert [p.pfc for p in (qos.ports or {}).values()] == [frozenset({3, 4}), frozenset({3, 4}), frozenset()]


@pytest.mark.parametrize(
    ("detect", "restore", "interval", "open_again"),
    [(200, 400, 200, 400), (200, 450, 200, 400), (100, 260, 100, 300), (50, 100, 100, 100), (3000, 3000, 1000, 3000)],
)
def test_the_watchdog_finds_after_one_interval_and_opens_after_several(
    detect: int, restore: int, interval: int, open_again: int
) -> None:
    one = replace(port(q3="ROCE"), watchdog=Watchdog(detect_ms=detect, restore_ms=restore, action="drop"))
    qos = made(device({"1": one}))
    dog = (qos.ports or {})["1"].watchdog
    assert isinstance(dog, Watchdog)
    assert (qos.watchdog_poll_ms, dog.detect_ms, dog.restore_ms) == (interval, None, open_again)


@pytest.mark.parametrize(("asked", "done"), [("drop", "drop"), ("forward", "drop"), ("alert", "alert")])
def test_the_watchdog_shuts_a_queue_or_only_says_so(asked: str, done: str) -> None:
    one = replace(port(q3="ROCE"), watchdog=Watchdog(detect_ms=200, restore_ms=400, action=asked))
    dog = (made(device({"1": one})).ports or {})["1"].watchdog
    assert isinstance(dog, Watchdog)
    assert dog.action == done


def test_a_port_none_of_whose_priorities_is_watched_has_no_watchdog() -> None:
    qos = made(device({"1": replace(port(q3="ROCE"), watched=frozenset())}))
    assert (qos.ports or {})["1"].watchdog is ABSENT


HASHES = {
    "five-tuple": ({"source-ip", "destination-ip", "protocol", "source-port", "destination-port"}, 5),
    "addresses": ({"source-ip", "destination-ip"}, 2),
    "one address and a port": ({"source-ip", "destination-port"}, 5),
    "the destination": ({"destination-ip", "destination-port"}, 3),
    "a field of SONiC's": ({"source-ip", "IN_PORT"}, 2),
}


@pytest.mark.parametrize(("fields", "count"), HASHES.values(), ids=HASHES)
def test_the_hash_takes_at_least_what_is_asked_for(fields: set[str], count: int) -> None:
    found = made(device(USUAL, hash_fields=frozenset(fields))).hash_fields
    assert isinstance(found, frozenset)
    assert len(found) == count
    assert fields & {"source-ip", "destination-ip", "source-port", "destination-port"} <= found
