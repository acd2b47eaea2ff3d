"""Names of Cumulus Linux: front-panel positions and back, VRFs, and that the package is a platform."""

from __future__ import annotations

import pytest

from netaudit.platforms import Platform, names, nvue
from netaudit.platforms.nvue.names import key_of, native, position

PLATFORM: Platform = nvue
"""mypy holds the module against the Protocol here."""


def test_the_package_is_one_of_the_platforms() -> None:
    assert PLATFORM.NAME == "nvue"
    assert "nvue" in names()


@pytest.mark.parametrize(("port", "name"), [("64", "swp64"), ("1/1", "swp1s0"), ("1/2", "swp1s1"), ("12/8", "swp12s7")])
def test_a_port_is_called_after_its_cage_and_its_name_leads_back(port: str, name: str) -> None:
    assert nvue.port_name(port, 4, 8, 0) == name
    assert position(name) == port
    assert nvue.cage_of(name, 8) == port.partition("/")[0]


def test_no_two_ports_have_one_name() -> None:
    ports = [str(cage) for cage in range(1, 129)] + [f"{cage}/{sub}" for cage in range(1, 129) for sub in range(1, 9)]
    assert len({nvue.port_name(port, 1, 8, 0) for port in ports}) == len(ports)
    assert [position(nvue.port_name(port, 1, 8, 0)) for port in ports] == ports


@pytest.mark.parametrize(
    "name", ["eth0", "swp0", "swp01", "swp", "swp1s", "swp1s0s0", "bond1", "swp1.100", "Ethernet1"]
)
def test_what_is_no_front_panel_port_is_none(name: str) -> None:
    assert position(name) is None
    assert nvue.cage_of(name, 8) is None


def test_loopback_and_vlan_interfaces_have_names_of_their_own() -> None:
    assert [native(key, {}) for key in ("Loopback0", "Vlan1000", "10.0.0.1")] == ["lo", "vlan1000", "10.0.0.1"]
    assert [key_of(name) for name in ("lo", "vlan1000", "eth0")] == ["Loopback0", "Vlan1000", None]


@pytest.mark.parametrize("name", ["mgmt", "1st", "a-name-of-more-than-15", "with space", ""])
def test_a_vrf_may_not_have_every_name(name: str) -> None:
    assert nvue.vrf_problem(name)


def test_a_vrf_may_be_called_storage() -> None:
    assert nvue.vrf_problem("storage") == ""
