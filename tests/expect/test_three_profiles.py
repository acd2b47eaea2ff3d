"""The example of three places: a server at a shallow switch, a shallow switch to a deep one, a server at a deep one."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.checks import check
from netaudit.cli.run import run
from netaudit.diag import Severity
from netaudit.pipeline_load import load_fabric
from netaudit.state import Device

INTENT = Path(__file__).resolve().parents[2] / "intent" / "three-profiles.yml"
A, B, B_DEEP, C = "t-gpu1-r1-leaf:1/1", "t-spine1:64/1", "t-storage1:64", "t-storage1:1"


@pytest.fixture(scope="module")
def devices() -> dict[str, Device]:
    expected = load_fabric(INTENT)
    return {name: expected.device(name) for name in expected.devices}


def headroom(devices: dict[str, Device], end: str) -> tuple[int, int, int]:
    """(length, xon, xoff) of the lossless profile of a port."""
    name, _, port = end.partition(":")
    buffers = devices[name].buffers
    assert buffers is not None
    assert buffers.ports is not None
    bound = buffers.ports[port]
    profile = (buffers.profiles or {})[(bound.groups or {})["3"]]
    assert isinstance(bound.cable_length_m, int)
    assert isinstance(profile.xon_bytes, int)
    assert isinstance(profile.xoff_bytes, int)
    return bound.cable_length_m, profile.xon_bytes, profile.xoff_bytes


def test_it_can_be_built() -> None:
    found = check(load_fabric(INTENT))
    assert [d for d in found.diagnostics if d.severity is Severity.ERROR] == []


def test_the_three_places_have_three_profiles(devices: dict[str, Device]) -> None:
    a, b, c = (headroom(devices, end) for end in (A, B, C))
    assert (a[0], b[0], c[0]) == (3, 323, 3)
    assert len({a[2], b[2], c[2]}) == 3
    # headroom.md 2.2 for 400G, small packets: the published 231,424 B at 5 m less 3,072 B for 2 m
    assert a[2] == 228_352
    assert b[2] > 3 * a[2], "at 320 m the cable holds more than all the rest"
    assert c[2] == 1_441_792, "the row of Qumran3D for everything up to 2 km, at 400G"


def test_both_ends_of_the_long_cable_are_made_for_it(devices: dict[str, Device]) -> None:
    assert headroom(devices, B_DEEP)[0] == 318
    assert headroom(devices, "t-spine1:64/2")[0] == 318
    assert headroom(devices, B_DEEP)[2] == headroom(devices, C)[2]


@pytest.mark.parametrize("end", [A, B, B_DEEP, C])
def test_each_is_explained_term_by_term(end: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "headroom", str(INTENT), end]) == 0
    said = capsys.readouterr().out
    assert f"on {end} (400G" in said
    assert "bytes on the cable" in said
