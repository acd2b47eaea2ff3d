"""The class chain followed through a device, one link of it broken at a time; and what no small intent can break."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from netaudit.checks import balancing, chain, check
from netaudit.checks.design import Design, design
from netaudit.expect import Expected
from netaudit.expect.classes import classes, dscp_to_tc
from netaudit.fabric import build
from netaudit.state import ABSENT, Device, PortQos, Qos
from tests.intent.example import read, small


def given(folder: Path, **changes: str) -> Design:
    return design(Expected(build(read(folder, small(**changes)))))


def problems(found: Design, device: Device, name: str = "roce") -> list[str]:
    kind = next(c for c in classes(found.intent) if c.name == name)
    assert device.qos is not None
    return list(chain.broken(device.qos, kind, dscp_to_tc(found.intent)))


def one_port(device: Device, change: Callable[[Qos, PortQos], tuple[Qos, PortQos]]) -> Device:
    """The device with one port only, changed."""
    qos = device.qos
    assert qos is not None
    assert qos.ports is not None
    key, port = next(iter(qos.ports.items()))
    qos, port = change(qos, port)
    return replace(device, qos=replace(qos, ports={key: port}))


def port(**changed: Any) -> Callable[[Qos, PortQos], tuple[Qos, PortQos]]:
    return lambda qos, old: (qos, replace(old, **changed))


def entry(field: str, changed: Mapping[int, int]) -> Callable[[Qos, PortQos], tuple[Qos, PortQos]]:
    return lambda qos, old: (replace(qos, **{field: {"ROCE": {**getattr(qos, field)["ROCE"], **changed}}}), old)


def without_queue(qos: Qos, old: PortQos) -> tuple[Qos, PortQos]:
    assert old.queues is not None
    return qos, replace(old, queues={n: q for n, q in old.queues.items() if n != "3"})


def unmarked(qos: Qos, old: PortQos) -> tuple[Qos, PortQos]:
    assert old.queues is not None
    return qos, replace(old, queues={**old.queues, "3": replace(old.queues["3"], wred=ABSENT)})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (entry("dscp_to_tc", {26: 1}), ["DSCP 26 is not in queue 3"]),
        (entry("tc_to_queue", {3: 4}), ["DSCP 26 is not in queue 3"]),
        (entry("tc_to_pg", {3: 0}), ["it is in priority group 0, not 3"]),
        (entry("pfc_to_queue", {3: 4}), ["PFC of priority 3 does not pause queue 3"]),
        (
            port(pfc=frozenset()),
            ["PFC is off for priority 3", "the watchdog does not watch it"],
        ),
        (port(watched=frozenset()), ["the watchdog does not watch it"]),
        (without_queue, ["queue 3 has no scheduler"]),
        (unmarked, ["queue 3 is not marked"]),
    ],
)
def test_each_link_of_the_chain_that_breaks_is_named(
    change: Callable[[Qos, PortQos], tuple[Qos, PortQos]], said: list[str], tmp_path: Path
) -> None:
    found = given(tmp_path)
    whole = one_port(found.expected.device("a-su1-r1-leaf"), lambda qos, old: (qos, old))
    assert problems(found, whole) == []
    assert [line.partition(": ")[2] for line in problems(found, one_port(whole, change))] == said


def test_a_class_that_may_drop_and_is_paused_is_named(tmp_path: Path) -> None:
    found = given(tmp_path)
    paused = one_port(found.expected.device("a-su1-r1-leaf"), port(pfc=frozenset({3, 6}), watched=frozenset({3, 6})))
    assert problems(found, paused, "control") == ["1/1: it may drop, and PFC of priority 6 pauses it"]


def test_switches_of_one_tier_that_are_linked_polarise(tmp_path: Path) -> None:
    block = "model: nvidia-sn5600, platform: sonic, count: 1, to: spine, links: 1, speed: 400G, cable: 40m dr4"
    found = given(
        tmp_path,
        blocks=f"{{st: {{id: 1, {block}}}, bo: {{id: 2, {block}}}}}",
        links='[{a: "a-st1:9", b: "a-bo1:9", speed: 400G, cable: 15m dr4}]',
    )
    assert [d.message for d in balancing.seeds(found)] == ["a-st1 and a-bo1 hash with the same seed, 0: paths polarise"]


def test_leaves_and_spines_never_have_the_same_seed(tmp_path: Path) -> None:
    assert list(balancing.seeds(given(tmp_path))) == []
    for seeds in balancing.SEEDS.values():
        assert len(set(seeds.values())) == len(seeds)


def test_a_chip_that_cannot_trim_is_refused(tmp_path: Path) -> None:
    old = "{model: nvidia-sn4700, platform: sonic"
    found = check(
        given(
            tmp_path,
            hosts="{nic: cx7, speed: 100G}",
            leaf=old + "}",
            spine=old + ", count: 2, links: 1, speed: 400G}",
            cables="{host-leaf: 3m dac, leaf-spine: 40m dr4}",
            traffic="{roce: {dscp: [26], queue: 3, share: 60%, ecn: auto, trim: {dscp: 11}},"
            " trimmed: {dscp: [11], queue: 7, strict: true, cap: 10%},"
            " control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp]}, default: {share: 40%}}",
        ).expected
    )
    told = [d for d in found.diagnostics if d.rule == "LB-09" and d.severity == "error"]
    assert [d.message for d in told] == ["nvidia-sn4700 (Spectrum-3) is not known to trim packets"]
    assert "nvidia-sn5400" in told[0].hint
    assert told[0].source is not None


def test_the_skew_of_paths_is_a_full_queue_and_the_difference_of_cables(tmp_path: Path) -> None:
    rows = "a,b,length\na-su1-r1-leaf:64,a-spine1:1,340m\n"
    found = design(
        Expected(
            build(
                read(
                    tmp_path,
                    small(cables="{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}",
                          buffers="{shallow: {headroom: computed}}"),
                    cables=rows,
                )
            )
        )
    )  # fmt: skip
    wait, full, apart = balancing.skew_us(found)
    kmax = max(
        8 * found.expected.wide.marking(c, speed).kmax_bytes / speed
        for c in classes(found.intent)
        if c.body.ecn is not None
        for speed in (800_000,)
    )
    # 300 m longer, there and back down, 5 ns a metre
    assert float(wait) == pytest.approx(kmax + 2 * 300 * 0.005)
    assert apart == "600 m"
    assert full.endswith("at 800G")


def test_a_chip_that_does_not_see_the_queue_pair_is_refused(tmp_path: Path) -> None:
    old = "{model: nvidia-sn4700, platform: sonic"
    found = given(
        tmp_path,
        hosts="{nic: cx7, speed: 100G}",
        leaf=old + "}",
        spine=old + ", count: 2, links: 1, speed: 400G}",
        cables="{host-leaf: 3m dac, leaf-spine: 40m dr4}",
        load_balancing="{hash: [five-tuple, queue-pair]}",
    )
    told = list(balancing.queue_pairs(found))
    known = {load.model.name: load.model.can("udf-qp-hash") for load in found.loads}
    assert [d.rule for d in told] == ["LB-10"] * list(known.values()).count(False)
    assert list(balancing.queue_pairs(given(tmp_path, load_balancing="{hash: [five-tuple, queue-pair]}"))) == []
