"""Each example fabric with Junos in each role, in all of them, and with hosts attached in each way."""

from __future__ import annotations

import pytest

from netaudit.platforms import junos
from netaudit.render import render
from netaudit.state import Store
from netaudit.state.walk import differences, dotted
from platforms.junos.fabrics import NAMES, fabric, roles, switches
from platforms.junos.grammar import problems_of

CASES = [(name, (role,)) for name in NAMES for role in roles(name)] + [(name, roles(name)) for name in NAMES]


@pytest.mark.parametrize(
    ("name", "switched"), CASES, ids=lambda case: case if isinstance(case, str) else "+".join(case)
)
def test_what_is_rendered_is_junos_and_is_read_back_as_it_is_expected(name: str, switched: tuple[str, ...]) -> None:
    for device in switches(fabric(name, switched)):
        files = render(device)
        read = junos.read_config(files, device.name)
        assert [dotted(d.path) for d in differences(device, read, junos.HELD[Store.RUNNING])] == []
        assert junos.problems(files) == ()
        assert problems_of(files["junos.conf"]) == []
        assert junos.quantize(device) == device


@pytest.mark.parametrize("attach", ["routed", "bgp", "vlan"])
def test_hosts_are_attached_in_each_way(attach: str) -> None:
    devices = list(switches(fabric("two-plane", ("leaf", "spine"), attach)))
    assert {device.place.role for device in devices if device.place} == {"leaf", "spine"}
    for device in devices:
        files = render(device)
        read = junos.read_config(files, device.name)
        assert [dotted(d.path) for d in differences(device, read, junos.HELD[Store.RUNNING])] == []
        assert junos.problems(files) == ()
        assert problems_of(files["junos.conf"]) == []


def test_a_host_that_speaks_bgp_is_let_in_by_its_address_whatever_its_number() -> None:
    leaf = next(
        d for d in switches(fabric("two-plane", ("leaf", "spine"), "bgp")) if d.place and d.place.role == "leaf"
    )
    lines = render(leaf)["junos.conf"].splitlines()
    assert "set protocols bgp group HOST-V4-ANY dynamic-neighbor HOSTS allow 10.0.0.1/32" in lines
    assert "set protocols bgp group HOST-V4-ANY peer-as-list AS-ANY" in lines
    assert "set protocols bgp group HOST-V4-ANY import HOST-IN" in lines


def test_hosts_in_a_vlan_have_access_ports_and_one_gateway() -> None:
    leaf = next(
        d for d in switches(fabric("two-plane", ("leaf", "spine"), "vlan")) if d.place and d.place.role == "leaf"
    )
    lines = render(leaf)["junos.conf"].splitlines()
    vlan = next(iter(leaf.vlans or {}))
    assert "set interfaces et-0/0/0:0 unit 0 family ethernet-switching interface-mode access" in lines
    assert f"set interfaces et-0/0/0:0 unit 0 family ethernet-switching vlan members VLAN{vlan}" in lines
    assert f"set vlans VLAN{vlan} l3-interface irb.{vlan}" in lines
    assert any(line.startswith(f"set interfaces irb unit {vlan} family inet address ") for line in lines)
