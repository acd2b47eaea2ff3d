"""What a configuration would not do although EOS takes it."""

from __future__ import annotations

import pytest

from netaudit.platforms import eos
from netaudit.render import render
from platforms.example import devices


def rendered() -> str:
    return render(eos.quantize(devices("eos")[0]))["eos.cfg"]


def test_what_we_render_has_none() -> None:
    assert eos.problems({"eos.cfg": rendered()}) == ()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("service-profile NETAUDIT-400G\n", "service-profile OTHER\n", "service-profile OTHER is not defined"),
        ("minimum-threshold 433152", "minimum-threshold 99433152", "the minimum threshold is above the maximum one"),
        ("bandwidth percent 60", "bandwidth percent 80", "its queues get 120 percent together"),
        ("polling-interval 0.1 ", "polling-interval 0.2 ", "the watchdog looks every 200 ms"),
        ("   priority-flow-control on\n", "", "it has a watchdog and no PFC to watch"),
        ("route-map FABRIC-IN in", "route-map GONE in", "route-map GONE is used by a neighbor and not defined"),
        ("ip prefix-list FABRIC-IN\n", "ip prefix-list GONE\n", "prefix-list ip FABRIC-IN, which is not defined"),
        ("   neighbor FABRIC peer group\n", "", ""),
        ("   ipv6 enable\n", "", "`ipv6 enable` is missing there"),
    ],
)
def test_a_mistake_is_named(old: str, new: str, problem: str) -> None:
    text = rendered()
    assert old in text
    found = eos.problems({"eos.cfg": text.replace(old, new)})
    assert any(problem in line for line in found) or not problem


def test_a_text_that_is_none_is_its_only_problem() -> None:
    (problem,) = eos.problems({"eos.cfg": "\0"})
    assert "not text" in problem
