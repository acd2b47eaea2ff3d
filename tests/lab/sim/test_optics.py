"""What the plugs of the lab tell: TRANSCEIVER_INFO, and the faults of it."""

from __future__ import annotations

import pytest

from lab.sim.conftest import Lab
from lab.sim.example import cables
from netaudit.diag import Invalid
from netaudit.lab.sim.faults import heal, make
from netaudit.lab.sim.tables import table


def lengths(lab: Lab, switch: str = "leaf1") -> dict[str, str]:
    rows = table(lab.fabric, lab.switch(switch), "STATE_DB", "TRANSCEIVER_INFO")
    assert {row["cable_type"] for row in rows.values()} == {"Length Cable Assembly(m)"}
    return {native: row["cable_length"] for native, row in rows.items()}


def test_every_port_with_a_cable_has_a_plug_and_one_without_a_length_tells_zero(lab: Lab) -> None:
    found = lengths(lab)
    assert len(found) == sum("leaf1:" in line for line in cables().splitlines())
    assert set(found.values()) == {"0.0"}


def test_a_fault_of_the_cable_is_told_at_both_ends_and_healed(lab: Lab) -> None:
    assert make(lab.fabric, "optic-length", ["leaf1:8", "7"]).endswith("tell 7 m")
    assert lengths(lab)["Ethernet56"] == "7"
    assert sorted(lengths(lab, "spine1").values()).count("7") == 1
    heal(lab.fabric)
    assert set(lengths(lab).values()) == {"0.0"}


def test_one_plug_tells_whatever_it_is_told_to(lab: Lab) -> None:
    make(lab.fabric, "plug-length", ["leaf1:8", "65535"])
    assert lengths(lab)["Ethernet56"] == "65535"
    assert set(lengths(lab, "spine1").values()) == {"0.0"}


@pytest.mark.parametrize("arguments", [["leaf1:8", "x"], ["leaf1:8", "-3"], ["leaf1:99", "3"], ["nobody:1", "3"]])
def test_what_is_no_length_or_no_cable_is_refused(lab: Lab, arguments: list[str]) -> None:
    with pytest.raises(Invalid):
        make(lab.fabric, "optic-length", arguments)


def test_a_cut_cable_keeps_its_plugs_and_a_swapped_one_takes_them_along(lab: Lab) -> None:
    before = lengths(lab)
    make(lab.fabric, "link", ["leaf1:8"])
    assert lengths(lab) == before
    make(lab.fabric, "swap", ["leaf1:7", "leaf2:7"])
    assert len(lengths(lab)) == len(before)
