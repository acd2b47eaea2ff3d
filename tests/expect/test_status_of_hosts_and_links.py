"""The status of one host (hosts.csv) and of one link of the pattern (an override), seen from the live side."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from fabric.made import fabric
from intent.example import problems, small

from netaudit.expect import Expected
from netaudit.fabric import Fabric, build
from netaudit.intent import load
from netaudit.state import Failures, LinkEnd, LldpNeighbor, Route

NONE = Failures()
LEAF, KEY = "a-su1-r1-leaf", "1/2"


def with_host(status: str, **changes: str) -> Fabric:
    rows = f"index,unit,status\n2,su1,{status}\n"
    return fabric(small(hosts="{nic: cx8, speed: 400G, names: hosts.csv}", **changes), hosts=rows)


def with_link(status: str, where: str = f"{LEAF}:64", more: str = "") -> Fabric:
    return fabric(small(overrides=f'[{{where: "{where}", set: {{status: {status}}}, reason: optics{more}}}]'))


def test_a_planned_host_is_wired_and_its_ports_are_down_without_headroom() -> None:
    expected = Expected(with_host("planned"))
    device = expected.device(LEAF)
    assert device.ports
    assert device.buffers
    assert device.lldp
    assert (device.ports[KEY].enabled, device.ports[KEY].oper_up) == (False, False)
    assert list((device.buffers.ports or {})[KEY].groups or {}) == ["0"]
    assert KEY not in (device.lldp.neighbors or {})
    assert (device.ports["1/1"].enabled, device.ports["1/1"].oper_up) == (True, True)
    assert expected.built.ports(LEAF)[KEY].peer == LinkEnd(device="su1-h2", port="r1/a")


def test_a_drained_host_is_configured_as_ever_and_nothing_is_expected_of_its_state() -> None:
    drained, active = Expected(with_host("drained")).device(LEAF), Expected(with_host("active")).device(LEAF)
    assert drained.ports
    assert drained.lldp
    assert (drained.ports[KEY].enabled, drained.ports[KEY].oper_up) == (True, None)
    assert drained.buffers == active.buffers
    assert drained.bgp == active.bgp
    assert (drained.lldp.neighbors or {})[KEY] == LldpNeighbor(), "whoever answers is right, and silence is"


def test_a_retired_host_leaves_a_spare_port_and_its_number() -> None:
    built = with_host("retired", units="{su1: {hosts: 3}}")
    assert sorted(built.hosts) == ["su1-h1", "su1-h3"]
    assert (built.ports(LEAF)[KEY].kind, built.ports(LEAF)[KEY].peer) == ("spare", None)
    assert built.ports(LEAF)["2/1"].peer == LinkEnd(device="su1-h3", port="r1/a"), "nobody moves up"


@pytest.mark.parametrize("where", [f"{LEAF}:64", "a-spine1:1"])
def test_a_planned_link_is_down_at_both_ends_and_has_no_session(where: str) -> None:
    expected = Expected(with_link("planned", where))
    for name, key in ((LEAF, "64"), ("a-spine1", "1")):
        device = expected.device(name)
        assert device.ports
        assert device.bgp
        assert device.bgp.neighbors
        assert (device.ports[key].enabled, device.ports[key].oper_up) == (False, False)
        assert key not in device.bgp.neighbors
    assert expected.routes(LEAF, NONE)["default", "10.255.0.2/32"].hops == frozenset({"63"})


def test_a_drained_link_may_be_up_or_down_and_routes_may_do_with_or_without_it() -> None:
    expected = Expected(with_link("drained"))
    device = expected.device(LEAF)
    assert device.ports
    assert (device.ports["64"].enabled, device.ports["64"].oper_up) == (True, None)
    key = ("default", "10.255.0.2/32")
    whole = expected.routes(LEAF, NONE)[key]
    assert whole.hops == frozenset({"64", "63"})
    assert expected.allows(LEAF, key, Route(frozenset({"63"}), whole.as_paths), NONE)
    assert not expected.allows(LEAF, key, Route(frozenset({"64"}), whole.as_paths), NONE), "63 is not in maintenance"
    assert not Expected(with_link("active")).allows(LEAF, key, Route(frozenset({"63"}), whole.as_paths), NONE)


def test_a_status_ends_with_its_override(tmp_path: Path) -> None:
    text = small(overrides=f'[{{where: "{LEAF}:64", set: {{status: planned}}, reason: optics, until: 2026-01-31}}]')
    (tmp_path / "fabric.yml").write_text(text, encoding="utf-8")
    intent = load(tmp_path / "fabric.yml")
    ports = [build(intent, day).ports(LEAF)["64"] for day in (date(2026, 1, 31), date(2026, 2, 1))]
    assert [port.status for port in ports] == ["planned", "active"]


def test_a_link_of_the_pattern_is_not_retired_and_a_host_has_a_known_status(tmp_path: Path) -> None:
    text = small(overrides=f'[{{where: "{LEAF}:64", set: {{status: retired}}, reason: x}}]')
    assert "planned, active or drained" in problems(tmp_path, text)[0].message
    text = small(hosts="{nic: cx8, speed: 400G, names: hosts.csv}")
    found = problems(tmp_path, text, hosts="unit,index,status\nsu1,1,gone\n")[0]
    assert "planned, active, drained or retired" in found.message
    assert found.source is not None
    assert (found.source.line, found.source.column) == (2, 7)
