"""The walk over two trees in step: four answers, and what becomes of each pair of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction

import pytest
from audit.world import two_plane
from hypothesis import given, settings
from hypothesis import strategies as st
from platforms.nudge import other
from strategies import DEVICES, devices_with_leaf

import netaudit.state
from netaudit.state import (
    ABSENT,
    Bgp,
    BgpNeighbor,
    Device,
    Interface,
    Lldp,
    LldpNeighbor,
    Port,
    Profile,
    Qos,
    Queue,
    Scheduler,
    System,
    Watchdog,
)
from netaudit.state.expectation import Held
from netaudit.state.walk import (
    Difference,
    Kind,
    Path,
    Tally,
    below,
    differences,
    dotted,
    leaves,
    matches,
    names,
    with_leaf,
    without,
)


def device(**parts: object) -> Device:
    return Device(name="x", platform="sonic", **parts)  # type: ignore[arg-type]


def told(expected: object, observed: object, held: Held = True) -> list[tuple[str, Kind]]:
    return [(dotted(d.path), d.kind) for d in differences(expected, observed, held)]


UP, DOWN = Port(enabled=True), Port(enabled=False)

ANSWERS: Mapping[str, tuple[object, object, Kind | None]] = {
    # expected, observed → what it is; nothing: as it should be
    "not managed, not seen": (None, None, None),
    "not managed, absent": (None, ABSENT, None),
    "not managed, a value": (None, 9216, None),
    "must not be there, not seen": (ABSENT, None, Kind.UNSEEN),
    "must not be there, absent": (ABSENT, ABSENT, None),
    "must not be there, a value": (ABSENT, 9216, Kind.EXTRA),
    "a value, not seen": (9216, None, Kind.UNSEEN),
    "a value, absent": (9216, ABSENT, Kind.MISSING),
    "a value, the same": (9216, 9216, None),
    "a value, another": (9216, 1500, Kind.WRONG),
    "no, not seen": (False, None, Kind.UNSEEN),
    "nothing in a set, not seen": (frozenset(), None, Kind.UNSEEN),
    "zero, absent": (0, ABSENT, Kind.MISSING),
}


@pytest.mark.parametrize(("expected", "observed", "kind"), ANSWERS.values(), ids=ANSWERS)
def test_expected_against_observed(expected: object, observed: object, kind: Kind | None) -> None:
    """DESIGN.md, idea 4: what is not expected is never a finding, and what is not seen never a pass."""
    found = told(Port(mtu_bytes=expected), Port(mtu_bytes=observed))  # type: ignore[arg-type]
    assert found == ([] if kind is None else [("mtu_bytes", kind)])


TABLES: Mapping[str, tuple[object, object, list[tuple[str, Kind]]]] = {
    "not managed": (None, {"1": UP}, []),
    "not seen": ({"1": UP}, None, [("ports", Kind.UNSEEN)]),
    "absent as a whole": ({"1": UP}, ABSENT, [("ports", Kind.MISSING)]),
    "a row that is missing": ({"1": UP, "2": UP}, {"1": UP}, [("ports.2", Kind.MISSING)]),
    "a row that is told to be absent": ({"1": UP, "2": UP}, {"1": UP, "2": ABSENT}, [("ports.2", Kind.MISSING)]),
    "a row that was not seen": ({"1": UP, "2": UP}, {"1": UP, "2": None}, [("ports.2", Kind.UNSEEN)]),
    "a row too many": ({"1": UP}, {"1": UP, "2": UP}, [("ports.2", Kind.EXTRA)]),
    "a row that must not be there": ({"1": ABSENT}, {"1": UP}, [("ports.1", Kind.EXTRA)]),
    "a row that must not be there and is not": ({"1": ABSENT}, {}, []),
    "nothing more, and there is nothing": ({}, {}, []),
    "nothing, and something is there": ({}, {"1": UP}, [("ports.1", Kind.EXTRA)]),
    "nothing, and the table is absent": ({}, ABSENT, []),
    "nothing, and it was not seen": ({}, None, [("ports", Kind.UNSEEN)]),
    "a row of other values": ({"1": UP}, {"1": DOWN}, [("ports.1.enabled", Kind.WRONG)]),
}


@pytest.mark.parametrize(("expected", "observed", "found"), TABLES.values(), ids=TABLES)
def test_tables(expected: object, observed: object, found: list[tuple[str, Kind]]) -> None:
    assert told(device(ports=expected), device(ports=observed)) == found


def test_a_missing_object_is_one_difference_and_not_one_for_each_of_its_leaves() -> None:
    whole = two_plane().device("a-su1-r1-leaf")
    assert told(whole, Device(name=whole.name, platform=whole.platform, ports={})) == [
        ("system", Kind.UNSEEN),
        ("vrfs", Kind.UNSEEN),
        *((f"ports.{key}", Kind.MISSING) for key in whole.ports or {}),
        *((part, Kind.UNSEEN) for part in ("interfaces", "vlans", "bgp", "qos", "buffers", "lldp")),
    ]


def test_a_silent_device_passes_nothing() -> None:
    whole = two_plane().device("a-su1-r1-leaf")
    tally = Tally()
    silent = Device(name=whole.name, platform=whole.platform)
    found = list(differences(whole, silent, True, tally))
    assert {d.kind for d in found} == {Kind.UNSEEN}
    assert tally.leaves == len(("name", "platform")), "which say who was asked, and nothing of what was seen"


def test_an_object_without_any_leaf_that_is_expected_is_no_difference() -> None:
    """An area that is not ours leaves empty objects behind; nobody misses them."""
    assert told(device(qos=Qos(), bgp=Bgp()), device()) == []
    assert told(device(ports={"1": Port()}), device(ports={})) == []


HELD: Held = {"ports": {"*": {"mtu_bytes": True}}, "bgp": {"neighbors": {"1": True}}}


def test_only_leaves_that_a_store_can_hold_are_compared() -> None:
    expected = device(
        system=System(hostname="a"),
        ports={"1": Port(mtu_bytes=9216, alias="etp1")},
        bgp=Bgp(asn=1, neighbors={"1": BgpNeighbor(session="Established"), "2": BgpNeighbor(session="Established")}),
    )
    observed = device(ports={"1": Port(mtu_bytes=1500)}, bgp=Bgp(neighbors={"1": BgpNeighbor(session="Idle")}))
    assert told(expected, observed, HELD) == [
        ("ports.1.mtu_bytes", Kind.WRONG),
        ("bgp.neighbors.1.session", Kind.WRONG),
    ]


def test_what_a_store_cannot_hold_is_not_missed_there() -> None:
    expected = device(system=System(hostname="a"), bgp=Bgp(asn=1))
    assert told(expected, device(), {"ports": True}) == []
    assert told(expected, device(), False) == []


def test_a_row_too_many_counts_only_where_the_store_holds_it() -> None:
    neighbors = device(bgp=Bgp(neighbors={}))
    observed = device(bgp=Bgp(neighbors={"1": BgpNeighbor(session="Idle"), "2": BgpNeighbor(session="Idle")}))
    assert told(neighbors, observed, HELD) == [("bgp.neighbors.1", Kind.EXTRA)]


def test_a_star_stands_for_every_key_that_is_not_named() -> None:
    held: Held = {"ports": {"*": {"alias": True}, "2": False}}
    assert below(below(held, "ports"), "7") == {"alias": True}
    assert below(below(held, "ports"), "2") is False
    assert below(True, "anything") is True
    assert below(False, "anything") is False
    assert below(held, "qos") is False


def test_an_origin_is_that_of_the_nearest_object() -> None:
    """A finding ends with where the intent asks for it."""
    of_bgp, of_neighbor = {"asn": "bgp.asn_base"}, {"session": "formula"}
    expected = device(
        bgp=Bgp(asn=1, neighbors={"1": BgpNeighbor(session="Established", origin=of_neighbor)}, origin=of_bgp)
    )
    observed = device(bgp=Bgp(asn=2, neighbors={"1": BgpNeighbor(session="Idle")}))
    assert {dotted(d.path): d.origin for d in differences(expected, observed)} == {
        "bgp.asn": of_bgp,
        "bgp.neighbors.1.session": of_neighbor,
    }
    (missing,) = differences(expected, device(bgp=Bgp(asn=1, neighbors={})))
    assert (missing.origin, missing.field) == (of_neighbor, "1")


def test_an_origin_is_never_compared() -> None:
    assert Port(mtu_bytes=9216, origin={"mtu_bytes": "mtu.port"}) == Port(mtu_bytes=9216)
    assert told(Port(mtu_bytes=9216, origin={"mtu_bytes": "mtu.port"}), Port(mtu_bytes=9216)) == []


def test_an_observed_value_of_another_kind_is_wrong() -> None:
    assert told(device(qos=Qos(schedulers={"a": Scheduler()})), device(qos=Qos(schedulers="text"))) == [  # type: ignore[arg-type]
        ("qos.schedulers", Kind.WRONG)
    ]
    (found,) = differences(Port(lanes=(1, 2)), Port(lanes=(2, 1)))
    assert (found.expected, found.observed) == ((1, 2), (2, 1))


@given(st.sampled_from(DEVICES))
@settings(max_examples=10)
def test_a_device_is_as_it_is(name: str) -> None:
    one = two_plane().device(name)
    assert list(differences(one, one)) == []
    assert list(differences(one, two_plane().device(name))) == []


@given(devices_with_leaf())
def test_one_leaf_that_is_otherwise_is_one_difference_at_its_path(chosen: tuple[Device, Path, object]) -> None:
    whole, path, value = chosen
    (found,) = differences(whole, with_leaf(whole, path, other(path, value)))
    kind = Kind.EXTRA if value is ABSENT else Kind.WRONG
    assert (found.path, found.kind, found.expected) == (path, kind, value)
    (back,) = differences(with_leaf(whole, path, other(path, value)), whole)
    assert back.path == path


@given(devices_with_leaf())
def test_one_leaf_that_is_not_seen_is_one_difference_and_never_a_pass(chosen: tuple[Device, Path, object]) -> None:
    whole, path, _ = chosen
    (found,) = differences(whole, with_leaf(whole, path, None))
    assert (found.path, found.kind) == (path, Kind.UNSEEN)
    assert list(differences(with_leaf(whole, path, None), whole)) == []


@given(devices_with_leaf())
def test_changing_a_leaf_back_gives_the_same_device(chosen: tuple[Device, Path, object]) -> None:
    whole, path, value = chosen
    assert with_leaf(with_leaf(whole, path, other(path, value)), path, value) == whole
    assert with_leaf(whole, path, value) == whole


def test_leaves_are_all_that_is_compared() -> None:
    """The tally of a walk over equal trees is the number of leaves, but for empty tables, which hold nothing."""
    for name in ("a-su1-r1-leaf", "a-spine1"):
        whole, tally = two_plane().device(name), Tally()
        assert list(differences(whole, whole, True, tally)) == []
        assert tally.leaves == sum(value != {} for _, value in leaves(whole))


def test_an_empty_table_is_a_leaf_and_an_unset_one_is_none() -> None:
    assert list(leaves(device(ports={}, interfaces=None))) == [
        (("name",), "x"),
        (("platform",), "sonic"),
        (("ports",), {}),
    ]


def test_keys_that_are_numbers_stand_in_a_path_as_text() -> None:
    qos = Qos(dscp_to_tc={"ROCE": {26: 3}})
    assert list(leaves(qos)) == [(("dscp_to_tc", "ROCE", "26"), 3)]
    assert with_leaf(qos, ("dscp_to_tc", "ROCE", "26"), 1) == Qos(dscp_to_tc={"ROCE": {26: 1}})


@pytest.mark.parametrize("path", ["ports.9.mtu_bytes", "ports.1.speed", "nothing", "ports.1.mtu_bytes.more"])
def test_a_path_that_is_not_there_is_an_error(path: str) -> None:
    with pytest.raises(KeyError):
        with_leaf(device(ports={"1": Port(mtu_bytes=9216)}), tuple(path.split(".")), 1)


PATTERNS = [
    ("qos.ports.*.pfc", "qos.ports.1/1.pfc", True),
    ("qos.ports.*.pfc", "qos.ports.1/1.watched", False),
    ("qos", "qos.ports.1/1.pfc", True),
    ("qos.ports", "qos", False),
    ("ports.*", "ports.1.mtu_bytes", True),
    ("ports.*", "ports", False),
    ("*", "anything.at.all", True),
]


@pytest.mark.parametrize(("pattern", "path", "wanted"), PATTERNS)
def test_a_pattern_names_a_leaf_and_all_that_is_below_it(pattern: str, path: str, wanted: bool) -> None:
    assert matches(pattern, tuple(path.split("."))) is wanted


def test_without_unsets_what_the_patterns_name_and_nothing_else() -> None:
    whole = device(
        system=System(hostname="a", serial="1"),
        ports={"1": UP, "2": Port(enabled=True, mtu_bytes=9216)},
        qos=Qos(ports={}),
        lldp=Lldp(enabled=True),
    )
    assert without(whole, ("qos", "ports.*.enabled", "system.serial")) == device(
        system=System(hostname="a"),
        ports={"1": Port(), "2": Port(mtu_bytes=9216)},
        lldp=Lldp(enabled=True),
    )
    assert without(whole, ()) == whole
    assert without(whole, ("ports.2",)).ports == {"1": UP, "2": None}


@given(devices_with_leaf())
@settings(max_examples=30)
def test_without_a_leaf_it_is_neither_rendered_nor_audited(chosen: tuple[Device, Path, object]) -> None:
    whole, path, _ = chosen
    less = without(whole, (dotted(path),))
    assert path not in [p for p, _ in leaves(less)]
    assert list(differences(less, with_leaf(whole, path, None))) == []


def test_every_field_is_unset_by_default_and_says_what_it_is() -> None:
    """A default would turn a reader that forgets a field into a pass (STYLE.md section 2.5)."""
    trees = [
        cls
        for _, cls in inspect.getmembers(netaudit.state, inspect.isclass)
        if is_dataclass(cls) and "origin" in names_of(cls)
    ]
    assert {Port, Qos, Bgp, Device, Watchdog, Queue, Profile, Interface, LldpNeighbor} <= set(trees)
    for cls in trees:
        for f in fields(cls):
            # who the device is, never compared
            if (cls, f.name) not in [(Device, name) for name in ("name", "platform", "version", "asic")]:
                assert f.default is None, (cls, f.name)
        assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert "__slots__" in cls.__dict__


def names_of(cls: type) -> list[str]:
    return [f.name for f in fields(cls)]


def test_the_fields_that_are_compared_are_all_but_origin_and_place() -> None:
    assert set(names_of(Port)) - set(names(Port)) == {"origin"}
    assert set(names_of(Device)) - set(names(Device)) == {"origin", "place", "version", "asic"}


def test_a_difference_says_which_field_it_is_of() -> None:
    found = Difference(
        path=("buffers", "profiles", "x", "alpha"), kind=Kind.WRONG, expected=Fraction(1), observed=ABSENT
    )
    assert found.field == "alpha"
