"""Two snapshots side by side. What the switches answer is spelled by the tests of the platforms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from platforms import answers_sonic
from platforms.example import LEAF, in_stores

from netaudit.collect.snapshot import Recorded, Snapshot, save
from netaudit.collect.snapshot_compare import Shift, compare
from netaudit.platforms import Answer, Answers, Miss
from netaudit.state import Device, Store
from netaudit.state.walk import with_leaf

WHEN = datetime(2026, 11, 23, tzinfo=UTC)


def answers(stores: Mapping[Store, Device]) -> Answers:
    return answers_sonic.answers(stores)


def snap(folder: Path, name: str, **devices: Answers) -> Snapshot:
    recorded = {device: Recorded(platform="sonic", answers=given) for device, given in devices.items()}
    return save(folder / name, recorded, fabric="f", version="1", taken=WHEN)


def with_mtu(port: str, mtu_bytes: int) -> Answers:
    """The leaf with another MTU on one port, in every store that has it."""
    stores = in_stores(LEAF)
    path = ("ports", port, "mtu_bytes")
    changed = {
        s: with_leaf(d, path, mtu_bytes) if d.ports and d.ports[port].mtu_bytes else d for s, d in stores.items()
    }
    return answers(changed)


def first_port() -> str:
    ports = in_stores(LEAF)[Store.RUNNING].ports
    assert ports
    return next(iter(ports))


def test_a_damaged_file_is_a_gap_of_its_device_alone(tmp_path: Path) -> None:
    one, other = answers(in_stores(LEAF)), with_mtu(first_port(), 4000)
    before, after = snap(tmp_path, "a", leaf=one, leaf2=one), snap(tmp_path, "b", leaf=one, leaf2=other)
    (tmp_path / "b" / "leaf.json.gz").write_bytes(b"damaged")
    found = compare(before, after)
    assert [(g.device, g.reason) for g in found.gaps] == [
        ("leaf", "its file in the second snapshot is of no use: leaf.json.gz: cut off or damaged")
    ]
    assert {shift.device for shift in found.shifts} == {"leaf2"}


def test_the_same_answers_are_equal(tmp_path: Path) -> None:
    same = answers(in_stores(LEAF))
    found = compare(snap(tmp_path, "a", leaf=same), snap(tmp_path, "b", leaf=same))
    assert (found.devices, found.shifts, found.gaps) == (("leaf",), (), ())


def test_a_changed_leaf_is_one_change_with_the_stores_that_say_so(tmp_path: Path) -> None:
    port = first_port()
    before, after = snap(tmp_path, "a", leaf=answers(in_stores(LEAF))), snap(tmp_path, "b", leaf=with_mtu(port, 1500))
    (shift,) = compare(before, after).shifts
    assert (shift.path, shift.after, shift.place) == (("ports", port, "mtu_bytes"), 1500, f"leaf:{port}")
    assert shift.shape == "ports.*.mtu_bytes"
    assert {Store.RUNNING, Store.SAVED} <= {*shift.stores}
    (back,) = compare(after, before).shifts
    assert (back.before, back.after) == (shift.after, shift.before)


def test_what_was_not_answered_in_one_of_them_is_a_gap_and_no_change(tmp_path: Path) -> None:
    whole = answers(in_stores(LEAF))
    query = next(q for q in whole if "PORT" in q or "port" in q)
    partly = {**whole, query: Answer(miss=Miss.FAILED, reason="no answer in 60 s")}
    for pair in ((whole, partly), (partly, whole)):
        found = compare(snap(tmp_path, "a", leaf=pair[0]), snap(tmp_path, "b", leaf=pair[1]))
        assert found.shifts == ()
        assert any("no answer in 60 s" in gap.reason for gap in found.gaps)


def test_a_device_of_one_snapshot_only_or_silent_in_one_is_a_gap(tmp_path: Path) -> None:
    whole = answers(in_stores(LEAF))
    silent = {query: Answer(miss=Miss.FAILED, reason="connection refused") for query in whole}
    before, after = snap(tmp_path, "a", x=whole, y=whole), snap(tmp_path, "b", y=silent, z=whole)
    found = compare(before, after)
    assert found.shifts == ()
    assert {(g.device, g.reason) for g in found.gaps} == {
        ("x", "it is not in the second snapshot"),
        ("y", "connection refused (second snapshot)"),
        ("z", "it is not in the first snapshot"),
    }


def test_a_platform_that_this_version_does_not_know_is_a_gap(tmp_path: Path) -> None:
    whole = answers(in_stores(LEAF))
    recorded = {"leaf": Recorded(platform="another", answers=whole)}
    after = save(tmp_path / "b", recorded, fabric="f", version="1", taken=WHEN)
    for before in (snap(tmp_path, "a", leaf=whole), after):
        found = compare(before, after)
        assert found.shifts == ()
        assert [g.reason.partition(" (")[0] for g in found.gaps] == ["this version does not know the platform another"]


def test_routes_are_told_by_what_changes_about_them() -> None:
    hops = Shift(
        device="leaf", path=("routes", "('default', '10.0.0.0/28')", "hops"), before=1, after=2, stores=(Store.STATE,)
    )
    assert (hops.shape, hops.place) == ("next hops of routes", "leaf 10.0.0.0/28")
    gone = replace(hops, path=("routes", "('storage', '10.0.0.0/28')"))
    assert (gone.shape, gone.place) == ("routes", "leaf 10.0.0.0/28 in VRF storage")
