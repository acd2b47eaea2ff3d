"""VRFs in an audit: what is not as planned in one is named once, and what is somebody else's is left alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from expect.test_vrfs import TEXT
from fabric.made import fabric
from intent.example import small

from audit.world import World, appearing, changed, concluded, healthy, setting, told
from netaudit.expect import Expected
from netaudit.state import ABSENT, BgpVrf, Failures, Interface, Link, Route, Store

ONE, TWO = "a-border1", "a-border2"
KEY = ("storage", "10.170.0.0/16")


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


@pytest.fixture(scope="module")
def numbered() -> Expected:
    return Expected(fabric(small(addressing="{fabric: numbered, loopbacks: 10.255.0.0/16, hosts: 10.0.0.0/10}")))


def with_routes(world: World, device: str, routes: dict[tuple[str, str], Route]) -> World:
    state = replace(world[device][Store.STATE], routes=routes)
    return {**world, device: {**world[device], Store.STATE: state}}


def test_a_fabric_with_vrfs_as_intended_has_no_finding(expected: Expected) -> None:
    result = concluded(expected, healthy(expected))
    assert (told(result), result.not_audited) == ([], ())


def test_a_route_that_is_missing_in_a_vrf_is_one_finding_that_says_the_vrf(expected: Expected) -> None:
    whole = expected.routes(TWO, Failures())
    world = with_routes(healthy(expected), TWO, {k: r for k, r in whole.items() if k != KEY})
    (finding,) = concluded(expected, world).findings
    assert (finding.rule, finding.device, finding.object) == ("RIB-01", TWO, "10.170.0.0/16 in VRF storage")
    assert finding.title == f"10.170.0.0/16 in VRF storage is missing on {TWO}"
    assert finding.comparisons[0].what == f"{TWO} routes.10.170.0.0/16 in VRF storage"


def test_a_prefix_that_is_missing_in_one_vrf_is_not_told_of_another(expected: Expected) -> None:
    """10.160.0.0/16 is in both tables of the border."""
    whole = expected.routes(ONE, Failures())
    key = ("default", "10.160.0.0/16")
    world = with_routes(healthy(expected), ONE, {k: r for k, r in whole.items() if k != key})
    assert told(concluded(expected, world)) == [("RIB-01", "10.160.0.0/16")]


def test_a_network_that_somebody_adds_in_a_vrf_is_one_finding_with_its_routes(expected: Expected) -> None:
    added = setting(ONE, "bgp.vrfs.storage.networks", frozenset({"192.0.2.0/24"}))
    whole = dict(expected.routes(ONE, Failures()))
    own = {("storage", "192.0.2.0/24"): Route(frozenset(), frozenset({()}))}
    world = with_routes(added.shows(healthy(expected)), ONE, {**whole, **own})
    (finding,) = concluded(expected, world).findings
    assert finding.rule == "BGP-11"
    assert [consequence.text for consequence in finding.consequences] == ["1 route on 1 device"]


SETTINGS = {
    "bgp.vrfs.storage.asn": (65001, "BGP-02"),
    "bgp.vrfs.storage.router_id": ("192.0.2.1", "BGP-11"),
    "bgp.vrfs.storage.hold_s": (180, "BGP-06"),
    "bgp.vrfs.storage.maximum_paths": (1, "BGP-07"),
    "bgp.vrfs.storage.multipath_relax": (False, "BGP-07"),
    "bgp.vrfs.storage.requires_policy": (False, "BGP-11"),
    "bgp.neighbors.1.vrf": ("default", "ADR-09"),
    "interfaces.1.vrf": ("default", "ADR-09"),
    "interfaces.3.vrf": ("storage", "ADR-09"),
    "vrfs": (frozenset(), "ADR-09"),
}


@pytest.mark.parametrize("path", SETTINGS)
def test_each_setting_of_a_vrf_that_is_otherwise_is_one_finding(expected: Expected, path: str) -> None:
    value, rule = SETTINGS[path]
    result = concluded(expected, setting(ONE, path, value).shows(healthy(expected)))
    assert [(f.rule, f.device) for f in result.findings] == [(rule, ONE)]


def test_a_vrf_that_is_missing_in_the_saved_file_alone_is_what_was_never_saved(expected: Expected) -> None:
    result = concluded(expected, setting(ONE, "vrfs", frozenset(), Store.SAVED).shows(healthy(expected)))
    assert [f.rule for f in result.findings] == ["MGT-03"]


def test_the_vrf_of_somebody_else_and_a_spare_port_in_it_are_no_finding(expected: Expected) -> None:
    world = setting(ONE, "vrfs", frozenset({"storage", "Vrf-red"})).shows(healthy(expected))
    theirs = Interface(vrf="Vrf-red", addresses=frozenset({"192.0.2.1/31"}), link_local=False)
    world = appearing(ONE, "interfaces.20", theirs).shows(world)
    assert told(concluded(expected, world)) == []
    beside = appearing(ONE, "interfaces.20", replace(theirs, vrf="storage")).shows(healthy(expected))
    assert told(concluded(expected, beside)) == [("ADR-01", f"{ONE}:20")]


def test_a_speaker_of_somebody_else_in_a_routing_file_of_ours_is_found(expected: Expected) -> None:
    speaker = BgpVrf(asn=65001, networks=frozenset())
    world = appearing(ONE, "bgp.vrfs.Vrf-red", speaker).shows(healthy(expected))
    assert told(concluded(expected, world)) == [("BGP-11", f"{ONE} bgp.vrfs.Vrf-red")]


def cut(world: World, expected: Expected, link: Link) -> World:
    """Both ends of a numbered link are down; their sessions are keyed by the far address."""
    for end in (link.a, link.b):
        bgp = expected.device(end.device).bgp
        key = next(k for k, n in (bgp.neighbors or {}).items() if n.over == end.port)  # type: ignore[union-attr]
        for path, value in (
            (("ports", end.port, "oper_up"), False),
            (("lldp", "neighbors", end.port), ABSENT),
            (("bgp", "neighbors", key, "session"), "Idle"),
            (("bgp", "neighbors", key, "remote_asn"), None),
        ):
            world = changed(world, end.device, Store.STATE, path, value)
    failures = Failures(links=frozenset({link}))
    for name in expected.devices:
        world = with_routes(world, name, dict(expected.routes(name, failures)))
    return world


def test_a_dead_numbered_link_is_one_finding_with_its_session_and_routes(numbered: Expected) -> None:
    link = next(k for k in numbered.links if k.kind == "leaf-spine")
    (finding,) = concluded(numbered, cut(healthy(numbered), numbered, link)).findings
    assert (finding.rule, finding.objects) == ("INT-01", (f"{link.a} – {link.b}",))
    session, routes = finding.consequences
    assert session.text == "1 BGP session"
    assert "routes on" in routes.text
    assert sum(c.what.endswith(".session") for c in finding.comparisons) == 2


def test_a_dead_session_over_a_numbered_link_is_told_by_its_ports(numbered: Expected) -> None:
    link = next(k for k in numbered.links if k.kind == "leaf-spine")
    world = healthy(numbered)
    for end in (link.a, link.b):
        bgp = numbered.device(end.device).bgp
        key = next(k for k, n in (bgp.neighbors or {}).items() if n.over == end.port)  # type: ignore[union-attr]
        world = changed(world, end.device, Store.STATE, ("bgp", "neighbors", key, "session"), "Active")
    failures = Failures(sessions=frozenset({link.a, link.b}))
    for name in numbered.devices:
        world = with_routes(world, name, dict(numbered.routes(name, failures)))
    (finding,) = concluded(numbered, world).findings
    assert (finding.rule, finding.objects) == ("BGP-01", (f"{link.a} – {link.b}",))
