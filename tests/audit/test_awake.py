"""A port that is up although the intent has it down is one finding there, with all that follows from the link."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.world import INTENT, World, as_sent, changed, concluded, healthy, told
from netaudit.audit.findings import AuditResult
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.state import Failures, Link, LldpNeighbor, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
OVERRIDE = """
overrides:
  - {where: "a-su1-r1-leaf:64", set: {enabled: false}, reason: "CHG-1: optic is suspect", until: 2099-01-01}
"""


@pytest.fixture(scope="module")
def dark(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """The example with one uplink taken out of service at its leaf."""
    folder = tmp_path_factory.mktemp("dark")
    shutil.copytree(INTENT.parent / "two-plane", folder / "two-plane")
    file = folder / "dark.yml"
    file.write_text(INTENT.read_text() + OVERRIDE)
    return Expected(build(load(file)))


def link(expected: Expected) -> Link:
    return next(one for one in expected.links if one.a.device == LEAF and one.a.port == "64")


def enabled(expected: Expected) -> World:
    """Somebody started the port by hand; nothing is plugged in yet."""
    world = healthy(expected)
    for store in (Store.RUNNING, Store.APPLIED):
        world = changed(world, LEAF, store, ("ports", "64", "enabled"), True)
    return world


def lit(expected: Expected) -> World:
    """The link came up with it: both ends are up and hear each other."""
    world, cable = enabled(expected), link(expected)
    for end, far in ((cable.a, cable.b), (cable.b, cable.a)):
        world = changed(world, end.device, Store.STATE, ("ports", end.port, "oper_up"), True)
        heard = as_sent(expected, LldpNeighbor(system=far.device, port=far.port))
        world = changed(world, end.device, Store.STATE, ("lldp", "neighbors", end.port), heard)
    return world


def carrying(expected: Expected) -> World:
    """And BGP with it: routes leave through the link again."""
    world, cable = lit(expected), link(expected)
    for end in (cable.a, cable.b):
        path = ("bgp", "neighbors", end.port, "session")
        world = changed(world, end.device, Store.STATE, path, "Established")
    whole = Failures(recabled=frozenset({cable}))
    for name in world:
        world = changed(world, name, Store.STATE, ("routes",), expected.routes(name, whole))
    return world


def only(result: AuditResult) -> str:
    assert told(result) == [("INT-01", f"{LEAF}:64")], [f.title for f in result.findings]
    assert result.findings[0].title == f"{LEAF}:64 is up although the intent has it down"
    return result.findings[0].effect


def test_a_link_that_is_down_as_the_intent_has_it_is_no_finding(dark: Expected) -> None:
    assert told(concluded(dark, healthy(dark))) == []


@pytest.mark.parametrize("world", [enabled, lit], ids=["port", "link"])
def test_a_port_that_was_started_by_hand_is_one_finding(dark: Expected, world: object) -> None:
    assert callable(world)
    assert "becomes part of the fabric" in only(concluded(dark, world(dark)))


def test_a_link_that_carries_routes_again_is_one_finding_with_its_session_and_routes(dark: Expected) -> None:
    result = concluded(dark, carrying(dark))
    assert "taken out of service" in only(result)
    (session, routes) = result.findings[0].consequences
    assert session.text == "1 BGP session"
    assert routes.text == "26 routes on 2 devices", "as many as when the link is cut"


def test_spare_ports_that_were_all_started_are_one_finding() -> None:
    expected = Expected(build(load(Path(INTENT))))
    world = healthy(expected)
    for port in ("10", "11", "12"):
        world = changed(world, LEAF, Store.RUNNING, ("ports", port, "enabled"), True)
    (finding,) = concluded(expected, world).findings
    assert finding.title == f"{LEAF}:10 and 2 more are up although the intent has them down"
    assert finding.objects == tuple(f"{LEAF}:{port}" for port in ("10", "11", "12"))
