"""Front panel positions, and which links come up."""

from __future__ import annotations

import pytest

from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.ports import PortSpec, link_is_up, port_spec, positions, read_port_config


def row(lanes: str, index: str, subport: str = "") -> dict[str, str]:
    return {"lanes": lanes, "index": index, **({"subport": subport} if subport else {})}


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ({"Ethernet0": row("0,1,2,3,4,5,6,7", "1")}, {"1": "Ethernet0"}),
        ({"Ethernet0": row("0,1,2,3,4,5,6,7", "1", "0")}, {"1": "Ethernet0"}),
        (
            {"Ethernet0": row("0,1,2,3", "1"), "Ethernet4": row("4,5,6,7", "1")},
            {"1/1": "Ethernet0", "1/2": "Ethernet4"},
        ),
        (
            {"Ethernet4": row("4,5", "1", "2"), "Ethernet0": row("0,1", "1", "1")},
            {"1/1": "Ethernet0", "1/2": "Ethernet4"},
        ),
        ({"Ethernet0": row("0,1,2,3", "1", "2")}, {"1/2": "Ethernet0"}),
        ({"Ethernet8": row("1,2", "2"), "Ethernet0": row("17,18", "1")}, {"1": "Ethernet0", "2": "Ethernet8"}),
        (
            {"Ethernet4": row("21,22,23,24", "1"), "Ethernet0": row("17,18,19,20", "1")},
            {"1/1": "Ethernet0", "1/2": "Ethernet4"},
        ),
        ({"Ethernet9": {"lanes": "9"}}, {}),
        ({"Ethernet512": {**row("512", "65"), "role": "Inb"}}, {}),
    ],
)
def test_a_row_has_the_position_printed_on_the_front_panel(
    rows: dict[str, dict[str, str]], wanted: dict[str, str]
) -> None:
    assert positions({"PORT": rows}, {}) == wanted


def test_an_index_missing_in_the_database_is_that_of_the_hardware_table() -> None:
    ini = read_port_config("# name lanes alias index speed\nEthernet0 0,1 etp1 7 100000\n\n")
    assert positions({"PORT": {"Ethernet0": {"lanes": "0,1"}}}, ini) == {"7": "Ethernet0"}


def test_a_port_is_down_unless_its_row_says_up() -> None:
    assert not port_spec("Ethernet0", {"lanes": "0,1", "speed": "100000"}).enabled


LEAF, SPINE = End(device="leaf", port="1"), End(device="spine", port="2")
UP = PortSpec(native="Ethernet0", enabled=True, speed="800000", lanes=8)


@pytest.mark.parametrize(
    ("other", "up"),
    [
        (UP, True),
        (PortSpec(native="x", enabled=False, speed="800000", lanes=8), False),
        (PortSpec(native="x", enabled=True, speed="400000", lanes=8), False),
        (PortSpec(native="x", enabled=True, speed="800000", lanes=4), False),
        (None, False),
    ],
)
def test_a_link_wants_both_ends_up_and_alike(other: PortSpec | None, up: bool) -> None:
    ports = {LEAF: UP} | ({SPINE: other} if other else {})
    assert link_is_up(Cable(a=LEAF, b=SPINE), ports, frozenset({"leaf", "spine"})) is up


@pytest.mark.parametrize(("enabled", "up"), [(True, True), (False, False)])
def test_a_host_follows_its_switch(enabled: bool, up: bool) -> None:
    spec = PortSpec(native="Ethernet0", enabled=enabled, speed="200000", lanes=2)
    cable = Cable(a=End(device="su1-h1", port="r1/a"), b=LEAF, a_lldp_port="nic1p1")
    assert link_is_up(cable, {LEAF: spec}, frozenset({"leaf"})) is up
