"""How ports, VRFs and headroom are called on NX-OS."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.platforms import nxos
from netaudit.platforms.nxos.answers_text import key_of

PORTS = {
    "5": "Ethernet1/5",
    "64": "Ethernet1/64",
    "5/2": "Ethernet1/5/2",
}


@pytest.mark.parametrize(("port", "name"), PORTS.items())
def test_a_port_is_called_after_its_cage(port: str, name: str) -> None:
    assert nxos.port_name(port, 4, 8, 32) == name
    assert nxos.cage_of(name, 8) == port.partition("/")[0]


@given(cage=st.integers(1, 128), sub=st.integers(0, 8))
def test_the_name_of_a_port_leads_back_to_it(cage: int, sub: int) -> None:
    port = f"{cage}/{sub}" if sub else str(cage)
    assert key_of(nxos.port_name(port, 1, 8, 0)) == port


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Eth1/1", "Ethernet1/1"),
        ("eth1/5/2", "Ethernet1/5/2"),
        ("Ethernet1/5", "Ethernet1/5"),
        ("Ethernet 1/5", "Ethernet1/5"),
        ("mgmt0", "mgmt0"),
        ("swp1", "swp1"),
        ("Ethernet5", "Ethernet5"),
    ],
)
def test_a_short_name_is_written_out(short: str, full: str) -> None:
    assert nxos.full_name(short) == full


@pytest.mark.parametrize("name", ["Ethernet5", "swp5", "et-0/0/5", "Ethernet2/5", "loopback0", ""])
def test_other_text_is_in_no_cage(name: str) -> None:
    assert nxos.cage_of(name, 8) is None


@pytest.mark.parametrize(
    ("vrf", "said"),
    [
        ("storage", ""),
        ("Vrf-red", ""),
        ("management", "every NX-OS switch"),
        ("x" * 33, "33 characters"),
        ("a b", "no name"),
    ],
)
def test_a_vrf_that_nxos_cannot_have_is_told(vrf: str, said: str) -> None:
    problem = nxos.vrf_problem(vrf)
    assert said in problem
    assert bool(problem) == bool(said)


def test_links_are_numbered_and_the_reason_is_the_reload() -> None:
    assert "reload" in nxos.unnumbered("")
    assert "reload" in nxos.unnumbered("10.5(2)")


def test_headroom_is_called_after_speed_and_length() -> None:
    assert nxos.lossless_profile(400_000, 5) == "HEADROOM-400G-5M"
    assert nxos.merged(frozenset({4, 3})) == ("3", "4")
