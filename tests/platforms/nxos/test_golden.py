"""What NX-OS switches are given: golden files of a leaf, a spine and a device of a block."""

from __future__ import annotations

from typing import Protocol

import pytest

from netaudit.render import render

from .fabrics import fabric, roles


class Compare(Protocol):
    def __call__(self, name: str, text: str) -> None: ...


DEVICES = {
    "leaf": ("two-plane", "a-su1-r1-leaf"),
    "spine": ("two-plane", "a-spine1"),
    "block": ("three-profiles", "t-storage1"),
}


@pytest.mark.parametrize("kind", DEVICES)
def test_a_switch_is_given_this_text(golden: Compare, kind: str) -> None:
    intent, device = DEVICES[kind]
    golden(f"nxos/{kind}.cfg", render(fabric(intent, (*roles(intent), "blocks")).device(device))["nxos.cfg"])


def test_the_same_state_gives_the_same_bytes() -> None:
    expected = fabric("two-plane", ("leaf", "spine"))
    assert render(expected.device("a-spine1")) == render(expected.device("a-spine1"))
