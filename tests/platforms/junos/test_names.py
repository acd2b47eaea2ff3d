"""Ports by the numbers on the front panel, and Junos's names for them, which count from 0."""

from __future__ import annotations

import pytest

from netaudit import hardware
from netaudit.platforms import junos
from netaudit.platforms.junos.names import port_of

NAMES = {"1": "et-0/0/0", "64": "et-0/0/63", "1/1": "et-0/0/0:0", "1/2": "et-0/0/0:1", "33/8": "et-0/0/32:7"}


@pytest.mark.parametrize(("key", "name"), NAMES.items())
def test_a_port_is_named_after_its_cage_and_its_channel(key: str, name: str) -> None:
    assert junos.port_name(key, 4, 8, 504) == name
    assert port_of(name) == key
    assert port_of(f"{name}.0") == key
    assert junos.cage_of(name, 8) == key.partition("/")[0]


def test_every_port_of_the_catalogue_has_a_name_of_its_own_that_leads_back_to_it() -> None:
    for model in (hardware.switch(name) for name in hardware.switch_names()):
        keys = [str(cage.number) for cage in model.cages]
        keys += [f"{cage.number}/{sub}" for cage in model.cages for sub in range(1, len(cage.lanes) + 1)]
        names = {junos.port_name(key, 1, 8, 0) for key in keys}
        assert len(names) == len(keys)
        assert [port_of(junos.port_name(key, 1, 8, 0)) for key in keys] == keys


@pytest.mark.parametrize(
    "text", ["lo0", "re0:mgmt-0", "ae0", "et-0/0", "et-0/0/1:", "et-1/0/1", "Ethernet1", "irb.5", ""]
)
def test_other_text_is_no_port_and_stays(text: str) -> None:
    assert junos.cage_of(text, 8) is None
    assert port_of(text) == text
    assert junos.full_name(text) == text


def test_a_port_of_another_speed_family_is_another_one() -> None:
    """Field case A15: `et-0/0/1` and `xe-0/0/1` must stay different, a logical interface is its port."""
    assert port_of("xe-0/0/1") == "xe-0/0/1"
    assert junos.full_name("xe-0/0/1") != junos.full_name("et-0/0/1")
    assert junos.full_name("et-0/0/1.0") == "et-0/0/1"
    assert junos.full_name("et-0/0/1") != junos.full_name("et-0/0/11")


@pytest.mark.parametrize(
    ("version", "numbered"),
    [("", False), ("24.4R1-EVO", False), ("21.1R1", False), ("20.4R3-S2", True), ("19.1", True), ("what", False)],
)
def test_links_have_addresses_on_releases_that_cannot_discover_neighbors(version: str, numbered: bool) -> None:
    assert bool(junos.unnumbered(version)) is numbered


@pytest.mark.parametrize(
    ("name", "fine"),
    [("storage", True), ("Vrf-red", True), ("mgmt_junos", False), ("default", False), ("__x__", False), ("a b", False)],
)
def test_a_routing_instance_has_a_name_that_junos_takes(name: str, fine: bool) -> None:
    assert (junos.vrf_problem(name) == "") is fine
