"""Twice the fabric takes at most three times as long: nothing in check, render or routes compares all with all."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

from netaudit.checks import check
from netaudit.difference import compare
from netaudit.expect import Expected
from netaudit.export import cables
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.render import render
from netaudit.state import Failures

INTENT = """\
schema: 1
fabric: growing
planes: [a]
rails: 1
units:
{units}
capacity: {{units: 60, hosts: 4}}
hosts: {{nic: cx8, speed: 400G}}
leaf: {{model: nvidia-sn5600, platform: sonic}}
spine: {{model: nvidia-sn5600, platform: sonic, count: 4, links: 1, speed: 800G}}
cables: {{host-leaf: 3m dac, leaf-spine: 40m dr8}}
"""


def fabric(folder: Path, leaves: int) -> Expected:
    folder.mkdir(exist_ok=True)
    units = "\n".join(f"  su{number}: {{hosts: 4}}" for number in range(1, leaves + 1))
    (folder / "growing.yml").write_text(INTENT.format(units=units))
    return Expected(build(load(folder / "growing.yml")))


def whole(expected: Expected) -> None:
    check(expected)
    for name in expected.devices:
        render(expected.device(name))
        expected.routes(name, Failures())
    tuple(cables(expected.built, tuple(expected.devices)))
    compare(expected, expected)


def least_s(work: Callable[[], None], times: int = 3) -> float:
    """The shortest of several runs: what others do on the machine only ever adds."""
    found = []
    for _ in range(times):
        gc.collect()
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def test_twice_the_fabric_takes_at_most_three_times_as_long(tmp_path: Path) -> None:
    small = least_s(lambda: whole(fabric(tmp_path / "small", 12)))
    large = least_s(lambda: whole(fabric(tmp_path / "large", 28)))  # with four spines each: 16 and 32 switches
    assert large <= 3 * small
