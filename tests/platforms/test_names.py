"""Ports by the numbers on the front panel, and SONiC's names for them."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.platforms import sonic
from netaudit.platforms.sonic.names import positions

NAMES = {
    # port, lanes of the port, lanes of a cage → name (sonic.md section 1: step 8 for 8-lane cages, 4 for two in one)
    ("1", 8, 8): "Ethernet0",
    ("2", 8, 8): "Ethernet8",
    ("64", 8, 8): "Ethernet504",
    ("1/1", 4, 8): "Ethernet0",
    ("1/2", 4, 8): "Ethernet4",
    ("2/2", 4, 8): "Ethernet12",
    ("1/8", 1, 8): "Ethernet7",
    ("3", 4, 4): "Ethernet8",
}


@pytest.mark.parametrize(("port", "name"), NAMES.items(), ids=str)
def test_a_port_is_named_after_its_first_lane(port: tuple[str, int, int], name: str) -> None:
    key, lanes, cage_lanes = port
    first_lane = (int(key.partition("/")[0]) - 1) * cage_lanes
    assert sonic.port_name(key, lanes, cage_lanes, first_lane) == name
    assert sonic.cage_of(name, port[2]) == port[0].partition("/")[0]


@pytest.mark.parametrize("text", ["etp1", "Ethernet", "Ethernet1/1", "ethernet0", "Ethernet-4", ""])
def test_other_text_is_no_port_name(text: str) -> None:
    assert sonic.cage_of(text, 8) is None


def test_every_cage_of_the_catalogue_comes_back_from_its_name() -> None:
    for model in (hardware.switch(name) for name in hardware.switch_names()):
        lanes = len(model.fabric_cages[0].lanes)
        for cage in model.fabric_cages:
            name = sonic.port_name(str(cage.number), lanes, lanes, (cage.number - 1) * lanes)
            assert sonic.cage_of(name, lanes) == str(cage.number)


ROWS: dict[str, tuple[dict[str, dict[str, object]], dict[str, str]]] = {
    "one port a cage": (
        {"Ethernet0": {"index": "1"}, "Ethernet8": {"index": "2"}},
        {"Ethernet0": "1", "Ethernet8": "2"},
    ),
    "two ports of a cage, by subport": (
        {"Ethernet0": {"index": "1", "subport": "1"}, "Ethernet4": {"index": "1", "subport": "2"}},
        {"Ethernet0": "1/1", "Ethernet4": "1/2"},
    ),
    "two ports of a cage, by their lanes": (
        {"Ethernet4": {"index": "1"}, "Ethernet0": {"index": "1"}},
        {"Ethernet0": "1/1", "Ethernet4": "1/2"},
    ),
    "one port of a split cage": ({"Ethernet4": {"index": "1", "subport": "2"}}, {"Ethernet4": "1/2"}),
    "subport 0 is not split": ({"Ethernet0": {"index": "1", "subport": "0"}}, {"Ethernet0": "1"}),
    "no index": ({"Ethernet0": {}}, {"Ethernet0": "Ethernet0"}),
    "an index that is no number": ({"Ethernet0": {"index": "one"}}, {"Ethernet0": "Ethernet0"}),
    "another kind of port": ({"PortChannel1": {"index": "1"}}, {"PortChannel1": "PortChannel1"}),
    "two ports that claim one place": (
        {"Ethernet0": {"index": "1", "subport": "1"}, "Ethernet4": {"index": "1", "subport": "1"}},
        {"Ethernet0": "1/1", "Ethernet4": "Ethernet4"},
    ),
}


@pytest.mark.parametrize(("rows", "keys"), ROWS.values(), ids=ROWS)
def test_a_port_has_its_place_on_the_front_panel(rows: dict[str, dict[str, object]], keys: dict[str, str]) -> None:
    """A port without a place keeps its own name, so that it is seen as one too many and not lost."""
    assert positions(rows) == keys


MERGED: dict[frozenset[int], tuple[str, ...]] = {
    frozenset({3}): ("3",),
    frozenset({3, 4}): ("3-4",),
    frozenset({4, 3, 5}): ("3-5",),
    frozenset({2, 4}): ("2", "4"),
    frozenset({0, 1, 3}): ("0-1", "3"),
    frozenset(): (),
}


@pytest.mark.parametrize(("priorities", "keys"), MERGED.items(), ids=str)
def test_priority_groups_are_keyed_as_buffermgrd_merges_them(priorities: frozenset[int], keys: tuple[str, ...]) -> None:
    assert sonic.merged(priorities) == keys


def test_a_headroom_profile_has_the_name_that_buffermgrd_looks_for() -> None:
    assert sonic.lossless_profile(800_000, 40) == "pg_lossless_800000_40m_profile"
