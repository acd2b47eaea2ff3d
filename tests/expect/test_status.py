"""What the live side of a fabric shows of devices that are planned, drained or retired."""

from __future__ import annotations

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, Store
from netaudit.state.walk import differences

TEXT = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2, status: planned}, su3: {hosts: 2}, su4: {hosts: 1, status: retired}}",
    capacity="{units: 6, hosts: 8}",
    devices="devices.csv",
)
ROWS = "place,status\na/spine/2,drained\nb/spine/1,retired\nb/su3/r2,drained\n"


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT, devices=ROWS))


def test_the_live_side_of_a_planned_link_is_down_without_session_neighbor_or_headroom(expected: Expected) -> None:
    spine = expected.device("a-spine1")
    assert spine.ports
    assert spine.bgp
    assert spine.lldp
    assert spine.buffers
    for key in "34":
        assert (spine.ports[key].enabled, spine.ports[key].oper_up) == (False, False)
        assert key not in (spine.bgp.neighbors or {})
        assert key not in (spine.lldp.neighbors or {})
        assert list((spine.buffers.ports or {})[key].groups or {}) == ["0"]
    for key in "1256":
        assert (spine.ports[key].enabled, spine.ports[key].oper_up) == (True, True)
        assert (spine.bgp.neighbors or {})[key].session == "Established"


def test_a_planned_device_is_rendered_whole_and_silence_of_it_is_right(expected: Expected) -> None:
    leaf = expected.device("a-su2-r1-leaf")
    assert expected.devices["a-su2-r1-leaf"].status == "planned"
    assert leaf.ports
    assert leaf.bgp
    assert not any(port.enabled for port in leaf.ports.values())
    assert {n.session for n in (leaf.bgp.neighbors or {}).values()} == {None}
    assert set(leaf.bgp.neighbors or {}) == {"63", "64"}
    assert "10.0.0.32/28" in (leaf.bgp.networks or ())


def test_either_state_of_a_link_to_a_drained_device_passes(expected: Expected) -> None:
    for name, key in (("a-su1-r1-leaf", "63"), ("a-spine2", "1"), ("b-su3-r2-leaf", "1/1")):
        device = expected.device(name)
        assert device.ports
        assert device.bgp
        assert device.lldp
        assert (device.ports[key].enabled, device.ports[key].oper_up) == (True, None)
        heard = (device.lldp.neighbors or {})[key]
        assert (getattr(heard, "system", ""), getattr(heard, "port", "")) == (None, None)
        if key in (device.bgp.neighbors or {}):
            session = (device.bgp.neighbors or {})[key]
            assert (session.remote, session.session, session.remote_asn) == ("external", None, None)


def test_the_tables_of_the_others_do_without_what_is_drained_or_planned(expected: Expected) -> None:
    leaf = expected.routes("a-su1-r1-leaf", Failures())
    prefixes = {prefix for _, prefix in leaf if "." in prefix}
    own_and_mates = {"10.255.0.1/32", "10.0.0.0/28", "10.255.0.2/32", "10.0.0.16/28"}
    third = {"10.255.0.5/32", "10.0.0.64/28", "10.255.0.6/32", "10.0.0.80/28"}
    assert prefixes == own_and_mates | third | {"10.255.32.1/32"}
    assert leaf["default", "10.0.0.64/28"].hops == {"64"}
    # plane b has one spine left, and it is not drained; b-su3-r2-leaf is
    assert ("default", "10.32.0.80/28") not in expected.routes("b-su1-r1-leaf", Failures())
    assert ("default", "10.32.0.64/28") in expected.routes("b-su1-r1-leaf", Failures())


def test_what_a_planned_device_holds_is_its_own_prefixes_and_a_drained_one_learns_as_before(expected: Expected) -> None:
    alone = expected.routes("a-su2-r1-leaf", Failures())
    assert {prefix for _, prefix in alone} == {"10.255.0.3/32", "fd00:ff::3/128", "10.0.0.32/28"}
    assert not any(route.hops for route in alone.values())
    drained = expected.routes("a-spine2", Failures())
    assert ("default", "10.0.0.0/28") in drained
    assert expected.allows("a-spine2", ("default", "10.0.0.0/28"), None, Failures())
    assert not expected.allows("a-spine1", ("default", "10.0.0.0/28"), None, Failures())


def test_a_drained_device_announces_nothing_and_says_so(expected: Expected) -> None:
    text = render(expected.device("a-spine2"))["frr.conf"]
    assert "route-map FABRIC-OUT deny 10\n" in text
    assert "prefix-list FABRIC-OUT" not in text
    assert "route-map FABRIC-OUT permit 10\n" in render(expected.device("a-spine1"))["frr.conf"]


def test_every_device_of_every_status_is_read_back_as_it_was_rendered(expected: Expected) -> None:
    assert {place.status for place in expected.devices.values()} == {"active", "planned", "drained"}
    for name in expected.devices:
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING)))
        assert not platforms.platform("sonic").problems(files)


def test_silence_of_a_planned_or_drained_device_has_an_excuse(expected: Expected) -> None:
    excuses = {name: expected.excuse(name) for name in ("a-su2-r1-leaf", "a-spine2", "a-spine1")}
    assert excuses == {
        "a-su2-r1-leaf": "it is planned: not there yet",
        "a-spine2": "it is drained: in maintenance",
        "a-spine1": "",
    }
