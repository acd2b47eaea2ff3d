"""The plan as a value, as a file and in waves."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.diag import Invalid
from netaudit.platforms import Impact
from netaudit.push.groups import diff_groups
from netaudit.push.plan import (
    DevicePlan,
    Plan,
    Running,
    Status,
    Wanted,
    device_plan,
    files_sha256,
    is_approved,
    make_plan,
    unread,
)
from netaudit.push.plan_file import load_plan, save_plan
from netaudit.push.waves import waves
from netaudit.state import Place
from push.box import FILE, PlainPlatform, leaf, spine

PLAIN = PlainPlatform()
WANTED = Wanted(
    name="leaf1", platform="plain", place=leaf("a", "su1", 1), files={FILE: "new\n"}, owns=("qos",), serial="S1"
)
OLD = Running(files={FILE: "old\n"}, serial="S1")


def entry(name: str, place: Place, impact: Impact = Impact.DRAIN, diff: tuple[str, ...] = ("x",)) -> DevicePlan:
    one = device_plan(replace(WANTED, name=name, place=place), OLD, PLAIN)
    return replace(one, impact=impact, diff=diff)


def test_a_device_that_differs_changes_and_the_plan_says_how() -> None:
    plan = device_plan(WANTED, OLD, PLAIN)
    assert (plan.status, plan.diff, plan.steps) == (
        Status.CHANGE,
        ("- old", "+ new"),
        ("checkpoint", "upload", "load", "save"),
    )
    assert plan.running_sha256 == files_sha256(OLD.files)


def test_a_device_that_means_the_same_does_not_change() -> None:
    plan = device_plan(WANTED, Running(files={FILE: "\nnew\n\n"}, serial="S1"), PLAIN)
    assert (plan.status, plan.steps, plan.files) == (Status.NONE, (), {})


def test_a_box_that_tells_no_serial_where_one_is_known_is_refused() -> None:
    plan = device_plan(WANTED, Running(files={FILE: "old\n"}, serial=""), PLAIN)
    assert plan.status is Status.REFUSED
    assert plan.reason == "the device tells no serial, S1 in the inventory: is this the right box?"


def test_another_serial_refuses_the_device() -> None:
    plan = device_plan(WANTED, Running(files={FILE: "old\n"}, serial="S2"), PLAIN)
    assert (plan.status, plan.reason) == (
        Status.REFUSED,
        "serial S2 on the device, S1 in the inventory: is this the right box?",
    )


def test_a_platform_that_cannot_make_a_candidate_refuses_the_device() -> None:
    plan = device_plan(WANTED, Running(files={FILE: "locked\n"}, serial="S1"), PLAIN)
    assert (plan.status, plan.reason) == (Status.REFUSED, "the box is locked")


def test_no_running_text_is_in_the_plan() -> None:
    plan = device_plan(WANTED, Running(files={FILE: "old\npassword hunter2\n"}, serial="S1"), PLAIN)
    assert "hunter2" not in repr(replace(plan, diff=()))  # what a diff may show is the platform's to decide


def test_the_exit_code_says_whether_the_plan_is_whole() -> None:
    change, same = device_plan(WANTED, OLD, PLAIN), device_plan(WANTED, Running(files=WANTED.files, serial="S1"), PLAIN)
    for devices, code in (([], 0), ([same], 0), ([change], 0), ([change, unread(WANTED, "TCP: refused")], 3)):
        assert make_plan("f", "", devices).exit_code() == code
    assert make_plan("f", "", [change]).exit_code(detailed=True) == 2
    assert make_plan("f", "", [same]).exit_code(detailed=True) == 0


def test_the_approval_covers_what_is_pushed_and_from_what_and_nothing_else() -> None:
    one = entry("leaf1", leaf("a", "su1", 1))
    approval = make_plan("f", "i", [one]).approval
    for other in (
        make_plan("g", "i", [one]),
        make_plan("f", "j", [one]),
        make_plan("f", "i", [replace(one, running_sha256="0")]),
        make_plan("f", "i", [replace(one, candidate_sha256="0")]),
        make_plan("f", "i", [one, entry("leaf2", leaf("a", "su1", 2))]),
    ):
        assert other.approval != approval
    assert make_plan("f", "i", [one, unread(replace(WANTED, name="z"), "down")]).approval == approval


def test_an_approval_needs_eight_digits_of_the_right_ones() -> None:
    plan = make_plan("f", "i", [entry("leaf1", leaf("a", "su1", 1))])
    assert is_approved(plan, plan.approval)
    assert is_approved(plan, plan.approval[:8].upper())
    assert not is_approved(plan, plan.approval[:7])
    assert not is_approved(plan, "00000000")
    assert not is_approved(plan, "")


@pytest.fixture
def plan() -> Plan:
    devices = [
        entry("leaf1", leaf("a", "su1", 1)),
        entry("spine1", spine("a", 1)),
        unread(replace(WANTED, name="leaf2"), "gNMI TCP: refused"),
    ]
    return make_plan("lab", "abc", devices)


def test_a_plan_is_read_back_as_it_was_saved(plan: Plan, tmp_path: Path) -> None:
    save_plan(plan, tmp_path / "plan.json")
    assert load_plan(tmp_path / "plan.json") == plan
    assert (tmp_path / "plan.json").stat().st_mode & 0o077 == 0
    assert [f.name for f in tmp_path.iterdir()] == ["plan.json"]


CHANGES = {
    "a hash": lambda d: d["devices"][0].update(candidate_sha256="0"),
    "the approval": lambda d: d.update(approval="0"),
    "another device": lambda d: d["devices"].append({**d["devices"][0], "name": "x"}),
    "a device less": lambda d: d["devices"].pop(0),
    "an unknown key": lambda d: d.update(comment="x"),
    "an unknown key of a device": lambda d: d["devices"][0].update(comment="x"),
    "a missing key": lambda d: d["devices"][0].pop("place"),
    "a later format": lambda d: d.update(format=2),
    "an unknown status": lambda d: d["devices"][0].update(status="maybe"),
    "a number for text": lambda d: d["devices"][0].update(name=1),
    "a list for an object": lambda d: d["devices"][0].update(files=[]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_plan_that_was_changed_is_refused(plan: Plan, tmp_path: Path, what: str) -> None:
    file = tmp_path / "plan.json"
    save_plan(plan, file)
    data = json.loads(file.read_text())
    CHANGES[what](data)
    file.write_text(json.dumps(data))
    with pytest.raises(Invalid) as caught:
        load_plan(file)
    assert "netaudit plan" in caught.value.diagnostics[0].hint


@settings(max_examples=60)
@given(st.binary(max_size=60) | st.integers(0, 3000))
def test_no_file_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, junk: bytes | int) -> None:
    file = tmp_path_factory.mktemp("junk") / "plan.json"
    save_plan(make_plan("lab", "", [entry("leaf1", leaf("a", "su1", 1))]), file)
    whole = file.read_bytes()
    file.write_bytes(junk if isinstance(junk, bytes) else whole[: junk % (len(whole) - 2)])
    with pytest.raises(Invalid):
        load_plan(file)


def test_a_missing_plan_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        load_plan(tmp_path / "plan.json")


PLACES = [
    *(leaf(plane, unit, rail) for plane in "ab" for unit in ("su1", "su2") for rail in (1, 2, 3)),
    *(spine(plane, number) for plane in "ab" for number in range(1, 9)),
]
ENTRIES = [entry(f"{p.plane}-{p.unit or 'spine'}-{p.rail or p.number}", p) for p in PLACES]


def test_waves_touch_every_device_once() -> None:
    found = [name for wave in waves(ENTRIES) for name in wave.devices]
    assert sorted(found) == sorted(e.name for e in ENTRIES)


def test_waves_do_not_depend_on_the_order_of_the_plan() -> None:
    shuffled = list(ENTRIES)
    random.Random(1).shuffle(shuffled)
    assert waves(shuffled) == waves(ENTRIES)


def test_no_wave_has_two_planes_or_two_leaves_of_a_unit_or_more_than_a_quarter_of_the_spines() -> None:
    places = {e.name: e.place for e in ENTRIES}
    for wave in waves(ENTRIES):
        members = [places[name] for name in wave.devices]
        assert len({p.plane for p in members}) == 1
        units = [p.unit for p in members if p.unit]
        assert len(units) == len(set(units))
        assert sum(1 for p in members if p.role == "spine") <= 2
        assert len({p.role for p in members}) == 1


def test_the_canary_is_one_leaf_and_spines_come_last_in_their_plane() -> None:
    found = waves(ENTRIES)
    assert (found[0].title, found[0].devices) == ("canary of plane a", ("a-su1-1",))
    of_a = [name for wave in found for name in wave.devices if name.startswith("a-")]
    assert all("spine" in name for name in of_a[-8:])
    assert found[len(of_a) and next(i for i, w in enumerate(found) if "plane b" in w.title)].devices == ("b-su1-1",)


def test_where_nothing_is_interrupted_a_plane_takes_two_waves() -> None:
    quiet = [replace(e, impact=Impact.NONE) for e in ENTRIES]
    assert [len(w.devices) for w in waves(quiet)] == [1, 13, 1, 13]


def test_a_plan_without_changes_has_no_waves() -> None:
    assert waves([]) == ()


def test_equal_diffs_are_one_group_and_what_differs_in_numbers_only_is_said_to() -> None:
    place = leaf("a", "su1", 1)
    plan = make_plan(
        "f",
        "",
        [
            entry("leaf1", place, diff=("PORT|Ethernet0 mtu  9100 → 9216",)),
            entry("leaf2", place, diff=("PORT|Ethernet0 mtu  9100 → 9216",)),
            entry("leaf3", place, Impact.RESET, ("+ router bgp 1", "+ hostname leaf3", "+ fd00:ff::3/128")),
            entry("leaf4", place, Impact.RESET, ("+ router bgp 2", "+ hostname leaf4", "+ fd00:ff::a:4/128")),
            entry("leaf5", place, Impact.RESET, ("+ something else",)),
        ],
    )
    assert [([d.name for d in g.devices], g.same) for g in diff_groups(plan)] == [
        (["leaf1", "leaf2"], True),
        (["leaf3", "leaf4"], False),
        (["leaf5"], True),
    ]
