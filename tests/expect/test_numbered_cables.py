"""A cable in a wrong place between ports that have addresses: there is light, and no session."""

from __future__ import annotations

from functools import cache

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit.expect import Expected
from netaudit.state import Failures, Link, LinkEnd

LEAF, OTHER, SPINE = "a-su1-r1-leaf", "a-su2-r1-leaf", "a-spine1"


@cache
def numbered(how: str) -> Expected:
    """One plane, two leaves, two spines with two links each: numbered by the intent, or because a NOS needs it."""
    platform = "nxos" if how == "by the NOS" else "sonic"
    more = ", fabric: numbered" if how == "by the intent" else ""
    return Expected(
        fabric(
            small(
                planes="[a]",
                rails="1",
                units="{su1: {hosts: 1}, su2: {hosts: 1}}",
                leaf="{model: nvidia-sn5600, platform: sonic}",
                spine=f"{{model: nvidia-sn5600, platform: {platform}, count: 2, links: 2, speed: 800G}}",
                addressing=f"{{loopbacks: [10.255.0.0/16], hosts: 10.0.0.0/10{more}}}",
            )
        )
    )


def crossed(expected: Expected) -> Failures:
    """The first uplinks of both leaves are exchanged."""
    ends = [LinkEnd(device=name, port="64") for name in (LEAF, OTHER)]
    planned = [next(link for link in expected.links if end in (link.a, link.b)) for end in ends]
    return Failures(
        recabled=frozenset(
            Link(a=end, b=link.b, kind=link.kind) for end, link in zip(ends, reversed(planned), strict=True)
        )
    )


@pytest.mark.parametrize("how", ["by the intent", "by the NOS"])
def test_no_session_comes_up_over_a_cable_that_the_addresses_do_not_fit(how: str) -> None:
    expected = numbered(how)
    (prefix,) = (
        key for key, route in expected.routes(OTHER, Failures()).items() if not route.hops and key[1][-3:] != "/32"
    )
    assert expected.routes(LEAF, Failures())[prefix].hops == {"61", "62", "63", "64"}
    assert expected.routes(LEAF, crossed(expected))[prefix].hops == {"61", "62", "63"}
    assert "64" not in {hop for route in expected.routes(LEAF, crossed(expected)).values() for hop in route.hops}


def test_over_link_local_addresses_it_does() -> None:
    expected = numbered("not at all")
    (prefix,) = (
        key for key, route in expected.routes(OTHER, Failures()).items() if not route.hops and key[1][-3:] != "/32"
    )
    assert expected.routes(LEAF, crossed(expected))[prefix].hops == {"61", "62", "63", "64"}
