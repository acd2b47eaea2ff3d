"""Whole configurations, for review: a leaf, a spine, a block's switch, and settings that the example does not use."""

from __future__ import annotations

from typing import Protocol

import pytest

from netaudit.platforms import junos
from netaudit.render import render
from netaudit.state import Device
from platforms.example import devices
from platforms.junos.fabrics import fabric, roles, switches


class Compare(Protocol):
    def __call__(self, name: str, text: str) -> None: ...


def block() -> Device:
    expected = fabric("three-profiles", roles("three-profiles"))
    return next(d for d in switches(expected) if d.place and d.place.role not in ("leaf", "spine", "superspine"))


@pytest.mark.parametrize("name", ["leaf", "spine", "varied", "block"])
def test_a_configuration_is_the_one_that_was_reviewed(name: str, golden: Compare) -> None:
    device = block() if name == "block" else devices("junos")[("leaf", "spine", "varied").index(name)]
    golden(f"junos/{name}.conf", render(junos.quantize(device))["junos.conf"])
