"""What a report says was asked is what is asked, and the table in which the value really stands."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.platforms import sonic
from netaudit.platforms.sonic.ask import QUERIES
from netaudit.render import render
from netaudit.state import Device, Profile, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below, dotted, matches, with_leaf
from platforms.example import devices, in_stores
from platforms.nudge import one_of_each, other

LEAVES = [
    (path, value) for path, value in one_of_each(in_stores("a-su1-r1-leaf")[Store.RUNNING]) if path[0] != "routes"
]


def held(store: Store, path: Path) -> bool:
    part: Held = sonic.HELD[store]
    for name in path:
        part = below(part, name)
    return part is not False


@pytest.mark.parametrize("store", Store)
def test_a_query_is_named_for_each_leaf_that_a_store_holds_and_for_no_other(store: Store) -> None:
    wrong = [dotted(path) for path, _ in LEAVES if bool(sonic.asked(store, path)) != held(store, path)]
    assert wrong == []


def test_every_query_that_is_named_is_asked() -> None:
    tables = {f"gNMI {q.target} {'/'.join(q.path)}" for q in QUERIES if q.transport == "gnmi"}
    commands = " ".join(q.command for q in QUERIES)
    for store in Store:
        for path, _ in LEAVES:
            named = sonic.asked(store, path)
            if named.startswith("gNMI "):
                assert named in tables, dotted(path)
            elif named and store is Store.SAVED:
                assert named.split()[0] in commands, dotted(path)
            elif named:
                assert named.removeprefix("vtysh ").split(" · ")[0].replace("…", "ipv4").split()[0] in commands


SPREAD = ("bgp", "system.routing_rows", "interfaces.*.vrf", "ports.*.native")
"""Not one value of one table: FRR's text, rows of several tables, a default that is not written, the row's own key."""


def test_the_table_that_is_named_is_the_one_that_changes() -> None:
    """For every leaf: change it, render, and see which table of config_db.json is another one."""
    wrong = {}
    device = devices()[0]
    before = json.loads(render(device)["config_db.json"])
    for path, value in one_of_each(device):
        if not held(Store.RUNNING, path) or any(matches(pattern, path) for pattern in SPREAD):
            continue
        after = json.loads(render(with_leaf(device, path, other(path, value)))["config_db.json"])
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        if {f"gNMI CONFIG_DB {name}" for name in changed} != {sonic.asked(Store.RUNNING, path)}:
            wrong[dotted(path)] = (sorted(changed), sonic.asked(Store.RUNNING, path))
    assert wrong == {}


@given(st.fractions(min_value=0, max_value=1000))
def test_alpha_is_rounded_down_to_what_the_chip_can_hold_once(alpha: Fraction) -> None:
    """dynamic_th -8 to 7 is 2^n (sonic.md section 3); a smaller share is never turned into a larger one."""
    device = devices()[0]
    profiles = {"x": Profile(alpha=alpha)}
    asked = Device(name="x", platform="sonic", buffers=with_leaf(device, ("buffers", "profiles"), profiles).buffers)
    once = sonic.quantize(asked)
    assert once.buffers is not None
    found = (once.buffers.profiles or {})["x"].alpha
    assert isinstance(found, Fraction)
    assert Fraction(1, 256) <= found <= 128
    assert found <= max(alpha, Fraction(1, 256)) < found * 2 or alpha >= 256
    assert sonic.quantize(once) == once


def test_what_needs_no_rounding_is_not_touched() -> None:
    for device in devices():
        assert sonic.quantize(device) == device
