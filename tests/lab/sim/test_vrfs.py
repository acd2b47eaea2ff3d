"""VRFs of a simulated switch: what is bound to one, what runs in it, and how FRR and the databases say so."""

from __future__ import annotations

import json

import pytest

from lab.sim.conftest import Lab
from netaudit.diag import Invalid
from netaudit.lab.sim import faults, frr_text
from netaudit.lab.sim.rib import route_table

PORTS = {"leaf1": "Ethernet56", "spine1": "Ethernet0"}
"""One link, both ends of it in the VRF."""
VRF = "Vrf_blue"
BLOCK = """router bgp {asn} vrf Vrf_blue
 no bgp default ipv4-unicast
 neighbor {port} interface remote-as external
 address-family ipv4 unicast
  network 10.99.0.0/24
  neighbor {port} activate
 exit-address-family
exit
vrf Vrf_blue
 ip route 10.99.0.0/24 blackhole
exit-vrf
"""


@pytest.fixture
def blue(lab: Lab) -> Lab:
    """The example with one link in a VRF; each end announces a prefix, that of the spine is another one."""
    for name, port in PORTS.items():
        switch = lab.switch(name)
        rows = {**switch.config["INTERFACE"], port: {"ipv6_use_link_local_only": "enable", "vrf_name": VRF}}
        switch.take({**switch.config, "VRF": {VRF: {}}, "INTERFACE": rows})
        asn = next(at[0].split()[2] for at in switch.frr if at and at[0].startswith("router bgp "))
        text = BLOCK.format(asn=asn, port=port).replace("10.99", "10.98" if name == "spine1" else "10.99")
        switch.frr, problems = frr_text.load(text, into=switch.frr)
        assert problems == ()
    lab.fabric.changed()
    return lab


def test_a_session_runs_in_the_vrf_of_its_port_and_routes_stay_in_it(blue: Lab) -> None:
    every = blue.show("leaf1", "show bgp vrf all summary json")
    assert every["Vrf_blue"]["ipv4Unicast"]["peers"]["Ethernet56"]["state"] == "Established"
    assert every["Vrf_blue"]["ipv4Unicast"]["vrfName"] == VRF
    assert every["default"]["ipv4Unicast"]["peers"]["Ethernet56"]["state"] == "Idle"
    tables = blue.show("leaf1", "show bgp vrf all ipv4 unicast json")
    assert set(tables["Vrf_blue"]["routes"]) == {"10.98.0.0/24", "10.99.0.0/24"}
    assert "10.98.0.0/24" not in tables["default"]["routes"]
    assert "10.98.0.0/24" not in blue.show("leaf2", "show bgp ipv4 unicast json")["routes"]


def test_zebra_prints_one_object_after_the_other_and_each_route_says_its_vrf(blue: Lab) -> None:
    """As FRR before 10.1 does (FRRouting/frr #15632)."""
    text = blue.run("leaf1", "vtysh -c 'show ip route vrf all json'").out
    assert isinstance(text, str)
    first, at = json.JSONDecoder().raw_decode(text)
    second, _ = json.JSONDecoder().raw_decode(text, at + 1)
    assert {route["vrfName"] for routes in first.values() for route in routes} == {"default"}
    assert {hop["interfaceName"] for hop in second["10.98.0.0/24"][0]["nexthops"]} == {"Ethernet56"}
    assert second["10.98.0.0/24"][0]["vrfName"] == VRF


def test_hardware_has_the_routes_of_a_vrf_under_its_name(blue: Lab) -> None:
    rows = route_table(blue.fabric, blue.switch("leaf1"))
    assert rows["Vrf_blue:10.98.0.0/24"]["ifname"] == "Ethernet56"
    assert "10.98.0.0/24" not in rows


def test_the_running_configuration_shows_the_blocks_and_reads_back(blue: Lab) -> None:
    text = frr_text.printed(blue.switch("leaf1").frr)
    assert "router bgp 4200000000 vrf Vrf_blue\n" in text
    assert "vrf Vrf_blue\n ip route 10.99.0.0/24 blackhole\nexit-vrf\n" in text
    assert frr_text.load(text)[0] == blue.switch("leaf1").frr


def test_an_empty_vrf_block_is_not_shown() -> None:
    config, problems = frr_text.load("frr defaults datacenter\nvrf Vrf_blue\nexit-vrf\n")
    assert problems == ()
    assert "vrf" not in frr_text.printed(config)


def test_each_vrf_has_an_as_number_of_its_own_and_keeps_it() -> None:
    text = "router bgp 65001\nexit\nrouter bgp 65002 vrf Vrf_blue\nexit\nrouter bgp 65003 vrf Vrf_blue\nexit\n"
    _, problems = frr_text.load(text)
    assert [(p.line, p.message) for p in problems] == [(5, "BGP is already running; AS is 65002")]


def test_without_its_vrf_a_port_waits_and_its_session_is_idle(blue: Lab) -> None:
    faults.make(blue.fabric, "vrf-gone", ["leaf1", VRF])
    found = blue.show("leaf1", "show bgp vrf all summary json")[VRF]["ipv4Unicast"]
    assert (found["peers"]["Ethernet56"]["state"], found["vrfId"]) == ("Idle", -1)
    assert "10.98.0.0/24" not in blue.show("leaf1", "show bgp vrf all ipv4 unicast json")[VRF]["routes"]
    faults.heal(blue.fabric)
    found = blue.show("leaf1", "show bgp vrf all summary json")[VRF]["ipv4Unicast"]
    assert found["peers"]["Ethernet56"]["state"] == "Established"


MADE = {
    "vrf leaf1:8 default": "leaf1:8 is in VRF default",
    "vrf leaf1:7 Vrf_blue": "leaf1:7 is in VRF Vrf_blue",
    "vrf-speaker leaf1 Vrf_blue": "leaf1 runs no BGP in VRF Vrf_blue",
}


@pytest.mark.parametrize("fault", MADE)
def test_a_fault_says_what_it_did_and_is_taken_back(blue: Lab, fault: str) -> None:
    before = (blue.switch("leaf1").config, blue.switch("leaf1").frr)
    kind, *words = fault.split()
    assert faults.make(blue.fabric, kind, words) == MADE[fault]
    assert (blue.switch("leaf1").config, blue.switch("leaf1").frr) != before
    faults.heal(blue.fabric)
    assert (blue.switch("leaf1").config, blue.switch("leaf1").frr) == before


REFUSED = {
    "vrf leaf1:8 Vrf_red": "leaf1 has no VRF|Vrf_red",
    "vrf-gone leaf1 Vrf_red": "leaf1 has no VRF|Vrf_red",
    "vrf-speaker leaf1 Vrf_red": "leaf1 runs no BGP in Vrf_red",
    "vrf-speaker leaf2 Vrf_blue": "leaf2 runs no BGP in Vrf_blue",
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_fault_of_what_is_not_there_is_refused(blue: Lab, fault: str) -> None:
    kind, *words = fault.split()
    with pytest.raises(Invalid) as refused:
        faults.make(blue.fabric, kind, words)
    assert refused.value.diagnostics[0].message == REFUSED[fault]
