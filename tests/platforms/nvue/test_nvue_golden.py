"""Whole files, reviewed like code: a leaf, a spine, a VRF and a VLAN, a block, and the words before 5.15."""

from __future__ import annotations

import pytest
from conftest import Golden

from netaudit.platforms import nvue
from netaudit.render import render
from platforms.nvue.fabrics import examples, of_intent

FILES = {
    "leaf.yaml": lambda: examples("5.17.0")[0],
    "spine.yaml": lambda: examples("5.17.0")[1],
    "vrf.yaml": lambda: examples("5.17.0")[2],
    "leaf-5.14.yaml": lambda: examples("5.14.0")[0],
    "block.yaml": lambda: next(d for d in of_intent("three-profiles") if d.place and d.place.role == "storage"),
    "hosts-speak-bgp.yaml": lambda: next(iter(of_intent("two-plane", variant="hosts that speak BGP"))),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_as_it_was_reviewed(name: str, golden: Golden) -> None:
    device = FILES[name]()
    text = render(nvue.quantize(device))["nvue.yaml"]
    assert render(nvue.quantize(device))["nvue.yaml"] == text
    golden(f"nvue/{name}", text)
