"""The thresholds that netaudit computes, given back to it as if a user had written them: on every model and speed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from netaudit import hardware
from netaudit.checks import ecn
from netaudit.checks.design import Design, design
from netaudit.diag import Diagnostic, Severity
from netaudit.expect import Expected
from netaudit.expect.classes import classes
from netaudit.fabric import build
from netaudit.hardware import SwitchModel
from netaudit.intent.schema import IntentModel
from netaudit.lossless import Ecn
from tests.intent.example import read

MODELS = hardware.switch_names()
CLASSES = {
    1: "roce: {{dscp: [26], priority: 3, lossless: true, share: 60%, ecn: {0}}}",
    2: "roce: {{dscp: [26], priority: 3, lossless: true, share: 30%, ecn: {0}}}, "
    "kv: {{dscp: [27], priority: 4, lossless: true, share: 30%, ecn: {0}}}",
}


def speeds(model: SwitchModel) -> list[int]:
    """What all cages and their parts can run at, from 10G on: below it nobody runs RDMA."""
    every = [{speed for modes in cage.breakouts.values() for speed in modes} for cage in model.fabric_cages]
    return sorted(speed for speed in set.intersection(*every) if speed >= 10_000)


def fabric(folder: Path, model: SwitchModel, speed_mbps: int, lossless: int, marking: str) -> Design:
    speed = f"{speed_mbps // 1000}G"
    text = f"""\
schema: 1
fabric: t
planes: [a]
rails: 1
units: {{su1: {{hosts: 2}}, su2: {{hosts: 2}}}}
hosts: {{nic: cx8, speed: {speed}}}
leaf: {{model: {model.name}, platform: sonic}}
spine: {{model: {model.name}, platform: sonic, count: 1, links: 1, speed: {speed}}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
traffic: {{{CLASSES[lossless].format(marking)}, default: {{share: 40%}}}}
buffers: {{shallow: {{headroom: computed}}}}
"""
    return design(Expected(build(read(folder, text))))


def computed(found: Design, speed_mbps: int) -> dict[str, Ecn]:
    marked = [kind for kind in classes(found.intent) if kind.body.ecn is not None]
    return {kind.name: found.expected.wide.marking(kind, speed_mbps) for kind in marked}


def squeezed(result: Ecn) -> bool:
    return any(caution.code == "ecn-squeezed" for caution in result.warnings)


@pytest.mark.parametrize("lossless", [1, 2])
@pytest.mark.parametrize("name", MODELS)
def test_what_netaudit_computes_passes_what_netaudit_checks(name: str, lossless: int, tmp_path: Path) -> None:
    model = hardware.switch(name)
    for speed_mbps in speeds(model):
        auto = fabric(tmp_path, model, speed_mbps, lossless, "auto")
        results = computed(auto, speed_mbps)
        assert len(results) == lossless
        for result in results.values():
            assert 0 < result.kmin_bytes <= result.kmax_bytes
            assert result.pmax_percent == 100
        one = results["roce"]
        written = f"{{kmin: {one.kmin_bytes}B, kmax: {one.kmax_bytes}B, pmax: {one.pmax_percent}%}}"
        told = list(ecn.given(fabric(tmp_path, model, speed_mbps, lossless, written)))
        if squeezed(one):  # Kmin gave way to buffer or delay: that it costs throughput is what `auto` says as well
            told = [d for d in told if d.rule != "ECN-04"]
        assert told == [], f"{name} at {speed_mbps}, {lossless} lossless: {told[0].message}"


@pytest.mark.parametrize("name", MODELS)
def test_marking_is_proved_to_come_before_pause_on_every_model(name: str, tmp_path: Path) -> None:
    model = hardware.switch(name)
    found = fabric(tmp_path, model, speeds(model)[-1], 2, "auto")
    _, shared_bytes = ecn.smallest_pool(found)
    for result in computed(found, speeds(model)[-1]).values():
        terms = {term.name: Fraction(term.value) for term in result.terms}
        # alpha 1, two classes, 8 queues: E1 is a 24th of what is shared (ecn.md 2.2)
        assert terms["ECN before PFC (E1)"] == Fraction(shared_bytes, 24)
        assert terms["mark before pause"] == Fraction(shared_bytes, 24) - result.kmax_bytes
        assert terms["mark before pause"] >= Fraction(shared_bytes, 24) / 5
        assert terms["margin at 2-to-1"] == (
            Fraction(2 * shared_bytes, 3) - result.kmax_bytes - terms["bandwidth x RTT"]
        )


@pytest.mark.parametrize(
    ("control", "severity"), [("dcqcn", Severity.WARNING), ("rtt", Severity.INFO), ("none", Severity.INFO)]
)
def test_marks_that_nobody_slows_down_for_are_information(control: str, severity: Severity, tmp_path: Path) -> None:
    model = hardware.switch("nvidia-sn5600")
    found = fabric(tmp_path, model, 800_000, 1, "{kmin: 40kB, kmax: 2MB, pmax: 20%}")
    hosts = found.model.hosts.model_copy(update={"cc": control})
    other = found.fabric.intent.model.model_copy(update={"hosts": hosts})
    told: list[Diagnostic] = list(ecn.given(_with(found, other)))
    assert [(d.rule, d.severity) for d in told] == [("ECN-04", severity)]
    assert (f"`cc: {control}`" in told[0].message) is (severity is Severity.INFO)


def _with(found: Design, model: IntentModel) -> Design:
    built = replace(found.fabric, intent=replace(found.intent, model=model))
    return design(Expected(built))
