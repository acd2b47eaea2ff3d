"""A link beside the pattern that is in maintenance may carry traffic and need not: no route tells on it."""

from __future__ import annotations

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit.expect import Expected
from netaudit.state import Failures, Route

NONE, NEWS = Failures(), ("default", "10.160.0.0/16")


def intent(*statuses: str) -> str:
    links = ", ".join(
        f'{{a: "a-border1:{n}", b: "core1:x{n}", speed: 400G, cable: 15m dr4, status: {status}}}'
        for n, status in enumerate(statuses, start=1)
    )
    return small(
        blocks="{border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 1, links: 1, speed: 400G, "
        "cable: 40m dr4}}",
        external="{core1: {asn: 64512, prefixes: [10.160.0.0/16]}}",
        links=f"[{links}]",
    )


def through(*ports: str) -> Route:
    return Route(frozenset(ports), frozenset({(64512,)}))


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(intent("active", "drained", "drained")))


def test_expected_are_all_paths_and_any_of_those_in_maintenance_may_be_missing(expected: Expected) -> None:
    assert expected.routes("a-border1", NONE)[NEWS] == through("1", "2", "3")
    for ports in (("1",), ("1", "2"), ("1", "3")):
        assert expected.allows("a-border1", NEWS, through(*ports), NONE), ports


def test_what_is_not_in_maintenance_must_be_there_and_nothing_else(expected: Expected) -> None:
    for ports in (("2", "3"), ("2",), ("1", "4"), ()):
        assert not expected.allows("a-border1", NEWS, through(*ports), NONE), ports
    assert not expected.allows("a-border1", NEWS, None, NONE)
    assert not expected.allows("a-border1", NEWS, Route(frozenset({"1"}), frozenset({(64513,)})), NONE)


def test_with_all_links_in_maintenance_there_may_be_no_route_at_all() -> None:
    drained = Expected(fabric(intent("drained", "drained")))
    assert drained.allows("a-border1", NEWS, None, NONE)
    assert drained.allows("a-border1", NEWS, through("2"), NONE)
    assert not drained.allows("a-border1", ("default", "10.255.0.1/32"), None, NONE)


def test_without_such_a_link_nothing_may_be_missing() -> None:
    active = Expected(fabric(intent("active", "active")))
    assert not active.allows("a-border1", NEWS, through("1"), NONE)
    assert not active.allows("a-border1", NEWS, None, NONE)
