"""What blocks announce reaches every leaf, and nobody but a border can announce a default route."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fabric.made import fabric
from intent.example import small

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.render import render
from netaudit.state import Failures, Route, Store
from netaudit.state.walk import differences

DEFAULT = ("default", "0.0.0.0/0")
STORED = ("default", "10.200.0.0/16")
TEXT = small(
    units="{su1: {hosts: 2}, su2: {hosts: 2}}",
    blocks="{storage: {id: 1, model: nvidia-sn5600, platform: sonic, buffers: deep, count: 2, links: 2, speed: 400G, "
    "cable: 320m dr4, originates: [10.200.0.0/16]}, "
    "border: {id: 2, model: nvidia-sn5600, platform: sonic, count: 2, links: 1, speed: 400G, cable: 40m dr4, "
    'originates: [0.0.0.0/0, "::/0"]}}',
    buffers="{shallow: {headroom: computed}}",
)


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(fabric(TEXT))


def test_what_a_block_announces_reaches_every_leaf_over_every_spine(expected: Expected) -> None:
    for leaf in ("a-su1-r1-leaf", "a-su2-r2-leaf", "b-su1-r2-leaf"):
        routes = expected.routes(leaf, Failures())
        assert routes[DEFAULT].hops == routes["default", "::/0"].hops == routes[STORED].hops == {"63", "64"}
        (path,) = routes[DEFAULT].as_paths
        assert len(path) == 2
    assert expected.routes("a-spine1", Failures())[STORED].hops == {"63/1", "63/2", "64/1", "64/2"}
    assert expected.routes("a-border1", Failures())[DEFAULT] == Route(frozenset(), frozenset({()}))
    assert expected.routes("a-storage1", Failures())[DEFAULT].hops == {"63/1", "63/2", "64/1", "64/2"}


def test_loopbacks_of_blocks_are_learned_and_blocks_learn_those_of_the_plane(expected: Expected) -> None:
    assert ("default", "10.255.96.65/32") in expected.routes("a-su1-r1-leaf", Failures())
    learned = {prefix for (_, prefix), r in expected.routes("a-storage1", Failures()).items() if r.hops}
    assert {"10.0.0.0/30", "10.255.0.1/32", "10.255.32.1/32", "10.255.96.66/32", "10.255.96.129/32"} <= learned
    assert not any(prefix.startswith(("10.32.", "10.255.128.")) for prefix in learned)


@pytest.mark.parametrize("liar", ["a-su1-r1-leaf", "a-storage1"])
def test_a_default_route_of_a_leaf_or_of_another_block_goes_nowhere(expected: Expected, liar: str) -> None:
    alone = Expected(fabric(TEXT.replace('0.0.0.0/0, "::/0"', "192.0.2.0/24")))
    lie = Failures(added=frozenset({(liar, "0.0.0.0/0")}))
    for name in alone.devices:
        assert (DEFAULT in alone.routes(name, lie)) == (name == liar)
    # and beside a border it changes no table but the liar's own
    for name in expected.devices:
        before, after = expected.routes(name, Failures()), expected.routes(name, lie)
        assert name == liar or before == after


def test_a_spine_takes_from_a_block_what_is_that_blocks_and_passes_everything_on(expected: Expected) -> None:
    bgp = expected.device("a-spine1").bgp
    assert bgp
    names = {key: (n.import_policy, n.export_policy) for key, n in (bgp.neighbors or {}).items()}
    assert names["1"] == ("FABRIC-IN", "FABRIC-OUT")
    assert names["64/2"] == ("STORAGE-IN", "FABRIC-OUT")
    assert names["63/1"] == ("STORAGE-IN", "FABRIC-OUT")
    assert names["62/2"] == ("BORDER-IN", "FABRIC-OUT")
    permits = {name: {rule.prefix for rule in policy.permits} for name, policy in (bgp.policies or {}).items()}
    assert "0.0.0.0/0" not in permits["FABRIC-IN"] | permits["STORAGE-IN"]
    assert "10.200.0.0/16" not in permits["FABRIC-IN"] | permits["BORDER-IN"]
    assert {"0.0.0.0/0", "::/0", "10.200.0.0/16"} <= permits["FABRIC-OUT"]


def test_an_originated_prefix_is_held_by_a_discard_route(expected: Expected) -> None:
    border = expected.device("a-border1")
    assert border.bgp
    assert {"0.0.0.0/0", "::/0"} == border.bgp.discards
    assert {"0.0.0.0/0", "::/0", "10.255.96.129/32"} <= set(border.bgp.networks or ())
    text = render(border)["frr.conf"]
    assert "ip route 0.0.0.0/0 blackhole\n" in text
    assert "ipv6 route ::/0 blackhole\n" in text


def test_which_border_a_tied_default_came_from_is_free_and_nothing_else(expected: Expected) -> None:
    leaf, none = "a-su1-r1-leaf", Failures()
    wanted = expected.routes(leaf, none)[DEFAULT]
    spine, first, second = 4_200_100_000, 4_200_300_201, 4_200_300_202
    assert wanted.as_paths == {(spine, first)}
    for paths in ({(spine, second)}, {(spine, first), (spine, second)}):
        assert expected.allows(leaf, DEFAULT, replace(wanted, as_paths=frozenset(paths)), none)
    assert not expected.allows(leaf, DEFAULT, replace(wanted, hops=frozenset({"64"})), none)
    assert not expected.allows(leaf, DEFAULT, replace(wanted, as_paths=frozenset({(spine, 64_512)})), none)
    assert not expected.allows(leaf, DEFAULT, None, none)
    assert not expected.allows(leaf, ("default", "192.0.2.0/24"), wanted, none)


def test_a_block_has_the_buffer_policy_that_it_asks_for(expected: Expected) -> None:
    storage, border = expected.device("a-storage1"), expected.device("a-border1")
    assert storage.buffers
    assert border.buffers
    sizes = {
        key: next(p.xoff_bytes for name, p in (buffers.profiles or {}).items() if "lossless_400" in name)
        for key, buffers in (("deep", storage.buffers), ("shallow", border.buffers))
    }
    # 320 m of bulk frames beside 40 m of the smallest ones (DESIGN.md, «Packets»)
    assert sizes == {"deep": 257_024, "shallow": 283_648}


def test_devices_of_blocks_are_read_back_as_they_are_rendered(expected: Expected) -> None:
    for name, place in expected.devices.items():
        device = expected.device(name)
        files = render(device)
        read = platforms.platform("sonic").read_config(files, name)
        assert not list(differences(device, read, expected.held(name, Store.RUNNING))), name
        assert not platforms.platform("sonic").problems(files)
        assert device.system
        assert device.system.tier == (1 if place.role == "spine" else 0)
