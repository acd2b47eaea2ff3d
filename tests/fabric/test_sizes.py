"""A number with too many digits is an error in no time, not a fabric that is built for an hour."""

from __future__ import annotations

import time

import pytest
from intent.example import small

from fabric.made import problems

HUGE = {
    "hosts": {"units": "{su1: {hosts: 999999999}}"},
    "links": {"spine": "{model: nvidia-sn5600, platform: sonic, count: 1, links: 999999999, speed: 800G}"},
    "leaves that do not fit": {"rails": "8", "planes": "[a, b, c, d]", "units": "{count: 9000, hosts: 2}"},
}
GENEROUS_S = 20.0
"""A thousand times what it takes; what is built in full takes hours."""


@pytest.mark.parametrize("change", HUGE.values(), ids=HUGE)
def test_a_fabric_that_does_not_fit_is_not_built_first(change: dict[str, str]) -> None:
    begun = time.monotonic()
    assert any("need more cages" in d.message or "has no room" in d.message for d in problems(small(**change)))
    assert time.monotonic() - begun < GENEROUS_S
