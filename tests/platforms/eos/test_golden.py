"""The whole text of a leaf, a spine and a deep block, as a person reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from netaudit.platforms import eos
from netaudit.render import render
from platforms.eos.fabrics import fabric
from platforms.example import devices

Compare = Callable[[str, str], None]


@pytest.mark.parametrize(("number", "name"), [(0, "leaf"), (1, "spine"), (2, "leaf-with-vrf-and-vlan")])
def test_a_switch_is_given_this_text(golden: Compare, number: int, name: str) -> None:
    golden(f"eos/{name}.cfg", render(eos.quantize(devices("eos")[number]))["eos.cfg"])


def test_a_deep_block_is_given_this_text(golden: Compare) -> None:
    expected = fabric("three-profiles.yml", "leaf", "spine", "blocks")
    golden("eos/block.cfg", render(expected.device("t-storage1"))["eos.cfg"])


def test_the_same_state_gives_the_same_bytes() -> None:
    device = eos.quantize(devices("eos")[2])
    assert render(device) == render(device)


@pytest.mark.parametrize("number", range(3))
def test_a_text_is_what_eos_takes_line_by_line(number: int) -> None:
    """No comment behind a command, no tab, no blank at an end, and indents that only ever go one level down."""
    lines = render(eos.quantize(devices("eos")[number]))["eos.cfg"].splitlines()
    depth = 0
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() == "!":
            continue
        assert line
        assert line == line.rstrip()
        assert "\t" not in line
        assert "!" not in line
        assert indent in (0, 3, 6, 9, 4)
        assert indent <= depth + 4
        depth = indent
