"""Tables under failures, made from those as designed, are those that spreading everything anew comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.expect import Expected
from netaudit.expect.rib import Tables
from netaudit.fabric import build, is_fabric_link
from netaudit.state import Failures, Link, Route, RouteKey
from tests.intent.example import EXAMPLE, read, small

BLOCK = "{border: {id: 1, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr8,"
FABRICS = {
    "one link a pair": {"rails": "2", "units": "{su1: {hosts: 2}, su2: {hosts: 2}}"},
    "two links a pair": {"spine": "{model: nvidia-sn5600, platform: sonic, count: 3, links: 2, speed: 800G}"},
    "with a block and a default route": {"blocks": BLOCK + ' originates: ["0.0.0.0/0"]}}'},
    "numbered": {"addressing": "{fabric: numbered, loopbacks: 10.255.0.0/16}"},
}


@cache
def fabric(name: str) -> Expected:
    with TemporaryDirectory() as folder:
        return Expected(build(read(Path(folder), small(**FABRICS[name]))))


def anew(expected: Expected, failures: Failures) -> Mapping[str, Mapping[RouteKey, Route]]:
    """All tables with every class spread from nothing, and every prefix sorted anew."""
    tables = Tables(expected.wide, failures)
    found: dict[str, dict[RouteKey, Route]] = {name: {} for name in expected.devices}
    for prefix, names in tables._origins.items():
        accept, send = tables._filters(prefix, frozenset(names))
        numbered = any(s.ipv4_only for heard in tables._sessions.values() for s in heard)
        spread = tables._propagate((frozenset(names), accept, send, numbered and ":" in prefix))
        for name in expected.devices.keys() & spread.keys():
            found[name]["default", prefix] = spread[name]
    return {name: table if name not in failures.devices else {} for name, table in found.items()}


@st.composite
def failures(draw: st.DrawFn, expected: Expected) -> Failures:
    links = [link for link in expected.links if is_fabric_link(link.kind)]
    names = list(expected.devices)
    several = st.lists(st.sampled_from(links), max_size=4, unique=True)
    crossed: Sequence[Link] = draw(st.lists(st.sampled_from(links), max_size=2, unique=True))
    recabled: frozenset[Link] = frozenset()
    if len(crossed) == 2:
        one, two = crossed
        recabled = frozenset({Link(a=one.a, b=two.b, kind=one.kind), Link(a=two.a, b=one.b, kind=two.kind)})
    owner, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    own = sorted(key[1] for key, route in expected.routes(owner, Failures()).items() if not route.hops)
    return Failures(
        links=frozenset(draw(several)) | frozenset(crossed if recabled else ()),
        sessions=frozenset(link.a for link in draw(several)),
        devices=frozenset(draw(st.lists(st.sampled_from(names), max_size=2))),
        recabled=recabled,
        withdrawn=frozenset({(owner, draw(st.sampled_from(own)))}) if draw(st.booleans()) and own else frozenset(),
        added=frozenset({(other, "10.0.0.0/28")}) if draw(st.booleans()) else frozenset(),
        asns=draw(
            st.dictionaries(st.sampled_from(names), st.sampled_from([4200000000, 4200100000, 65000]), max_size=2)
        ),
    )


@pytest.mark.parametrize("name", FABRICS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_tables_under_failures_are_those_of_spreading_everything_anew(name: str, data: st.DataObject) -> None:
    expected = fabric(name)
    failed = data.draw(failures(expected))
    told = {device: dict(Tables(expected.wide, failed).of(device)) for device in expected.devices}
    assert told == anew(expected, failed)


def test_a_class_that_a_failure_does_not_touch_is_the_same_object() -> None:
    """Work and memory are linear in what differs: of 16 leaves in two planes, the other plane is not looked at."""
    from netaudit.intent import load

    expected = Expected(build(load(EXAMPLE)))
    link = next(link for link in expected.links if link.kind == "leaf-spine")
    designed, broken = Tables.designed(expected.wide), Tables(expected.wide, Failures(links=frozenset({link})))
    for name in expected.devices:
        broken.of(name)
    same = [kind for kind in broken._classes if broken._spread_of(kind) is designed._spread_of(kind)]
    assert len(same) >= len(broken._classes) // 2
