"""The contract of every platform (DESIGN.md, idea 8): each leaf reaches the configuration and is read back.

Nobody can add a field, or a platform, by half: what is neither written nor read nor declared unsupported fails here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest

from netaudit import platforms, state
from netaudit.platforms import Answers, Platform
from netaudit.render import render
from netaudit.state import ABSENT, Computing, Device, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Kind, Path, below, differences, dotted, leaves, matches, names, with_leaf
from platforms import answers_sonic
from platforms.contract import contract
from platforms.example import LEAF, SPINE, devices, in_stores, platform_names
from platforms.nudge import one_of_each, other, shape


@pytest.fixture(params=platform_names())
def platform(request: pytest.FixtureRequest) -> Platform:
    return platforms.platform(request.param)


def is_held(held: Held, path: Path) -> bool:
    for name in path:
        held = below(held, name)
    return held is not False


def config_leaves(platform: Platform) -> Iterator[tuple[Device, Path, object]]:
    """One leaf of each shape of all example devices, that a configuration of this platform can hold."""
    for device in devices(platform.NAME):
        for path, value in one_of_each(platform.quantize(device)):
            silent = any(
                matches(pattern, path) for pattern in (*platform.UNSUPPORTED, *contract(platform.NAME).NEVER_WRITTEN)
            )
            held = platform.held(Store.RUNNING, platform.quantize(device))
            if is_held(held, path) and not silent and not has_no_other_vrf(device, path):
                yield device, path, value


def has_no_other_vrf(device: Device, path: Path) -> bool:
    """A session can be in another VRF only where there is a speaker in one."""
    return matches("bgp.neighbors.*.vrf", path) and not (device.bgp and device.bgp.vrfs)


def follows(device: Device, path: Path, other_path: Path) -> bool:
    """Does another leaf change with this one? On SONiC only where the switch computes headroom."""
    computes = device.buffers is not None and isinstance(device.buffers.computing, Computing)
    if path == other_path or (device.platform == "sonic" and not computes):
        return False
    return contract(device.platform).follows(path, other_path)


def nudged(platform: Platform, path: Path, value: object) -> object:
    """Another value that the platform can hold."""
    nudge = next((n for p, n in contract(platform.NAME).NUDGES.items() if matches(p, path)), None)
    return nudge(value) if nudge is not None else other(path, value)


def test_every_example_device_is_read_back_as_it_was_written(platform: Platform) -> None:
    for device in devices(platform.NAME):
        read = platform.read_config(render(platform.quantize(device)), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        assert list(differences(platform.quantize(device), read, held)) == []


def test_each_leaf_reaches_the_configuration_and_is_read_back_and_no_other_changes(platform: Platform) -> None:
    wrong = {}
    for device, path, value in config_leaves(platform):
        changed = platform.quantize(with_leaf(platform.quantize(device), path, nudged(platform, path, value)))
        read = platform.read_config(render(changed), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        lost = [dotted(d.path) for d in differences(changed, read, held) if not follows(device, path, d.path)]
        whole = differences(platform.quantize(device), read, held)
        seen = [dotted(d.path) for d in whole if not follows(device, path, d.path)]
        if lost or seen != [dotted(path)]:
            wrong[f"{device.name} {dotted(path)}"] = {"lost": lost, "seen": seen}
    assert wrong == {}


def test_each_leaf_that_must_not_be_there_is_not_written_and_reads_as_absent(platform: Platform) -> None:
    """Where the NOS has a default of its own, reading gives that default; the list says where and what."""
    wrong = {}
    for device, path, value in config_leaves(platform):
        if value is ABSENT or any(matches(p, path) for p in contract(platform.NAME).NEVER_ABSENT):
            continue
        changed = with_leaf(platform.quantize(device), path, ABSENT)
        read = platform.read_config(render(changed), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        different = (d for d in differences(changed, read, held) if not follows(device, path, d.path))
        found = {dotted(d.path): d.observed for d in different}
        if found and not any(
            matches(p, path) and found == {dotted(path): v} for p, v in contract(platform.NAME).DEFAULTS.items()
        ):
            wrong[f"{device.name} {dotted(path)}"] = found
    assert wrong == {}


def test_a_rendering_says_nothing_of_what_is_not_managed(platform: Platform) -> None:
    """`None` is not managed: the configuration is silent, and no template prints the word."""
    for device in devices(platform.NAME):
        for path, value in config_leaves_of(platform, device):
            if value is not ABSENT and not any(matches(p, path) for p in contract(platform.NAME).NEVER_ABSENT):
                texts = render(with_leaf(platform.quantize(device), path, None))
                assert not any("None" in text for text in texts.values()), dotted(path)


def config_leaves_of(platform: Platform, device: Device) -> Iterator[tuple[Path, object]]:
    return ((path, value) for d, path, value in config_leaves(platform) if d is device)


def test_what_a_platform_does_not_support_is_a_leaf_of_the_state_and_has_a_reason(platform: Platform) -> None:
    paths = [path for device in devices(platform.NAME) for path, _ in leaves(device)]
    tables = (platform.UNSUPPORTED, platform.IMPLIED, platform.ROUNDED, platform.UNVERIFIED)
    for pattern, reason in (row for table in tables for row in table.items()):
        assert any(matches(pattern, path) for path in paths) or is_field(pattern), pattern
        assert len(reason.split()) > 3, pattern


def is_field(pattern: str) -> bool:
    """Is it a leaf that no example has: a field of the state, by the types of its classes?"""
    found: object = Device
    for name in pattern.split("."):
        if name == "*":
            continue
        of = {f.name: str(f.type) for f in fields(found)} if isinstance(found, type) and is_dataclass(found) else {}
        if name not in of:
            return False
        known = (getattr(state, word) for word in re.findall(r"[A-Z]\w+", of[name]) if hasattr(state, word))
        found = next((one for one in known if is_dataclass(one)), str)
    return True


def test_whatever_quantizing_changes_is_declared_with_its_reason(platform: Platform) -> None:
    """Nothing is dropped in silence, and nothing becomes another number without a word."""
    declared = (*platform.UNSUPPORTED, *platform.IMPLIED, *platform.ROUNDED)
    wrong = set()
    for device in devices(platform.NAME):
        held = platform.quantize(device)
        assert platform.quantize(held) == held, f"{device.name}: what is rounded is rounded once"
        for path in {*changed(device, held), *changed(held, device)}:
            if not any(matches(pattern, path) for pattern in declared):
                wrong.add(dotted(shape(path)))
    assert wrong == set()


def changed(one: Device, other_one: Device) -> Iterator[Path]:
    """The leaves of one tree that the other does not have, or has with another value."""
    theirs = dict(leaves(other_one))
    for path, value in leaves(one):
        if theirs.get(path, NOTHING) != value and not (value == {} and any(p[: len(path)] == path for p in theirs)):
            yield path


NOTHING = object()


ANSWERED = [name for name in platform_names() if contract(name).WRITER is not None]
"""Platforms whose answers are written a second time here; those of the others come from their devices in the lab."""


@pytest.mark.parametrize("platform", ANSWERED, indirect=True)
@pytest.mark.parametrize("name", [LEAF, SPINE])
def test_every_store_shows_every_leaf_that_it_can_hold(platform: Platform, name: str) -> None:
    stores = in_stores(name)
    writer = contract(platform.NAME).WRITER
    assert writer is not None
    reading = platform.read(writer.answers(stores), name)
    assert reading.problems == ()
    for store in Store:
        assert list(differences(stores[store], reading.stores[store], platform.HELD[store])) == [], store
    assert reading.stores[Store.STATE].routes == stores[Store.STATE].routes


@pytest.mark.parametrize("platform", ANSWERED, indirect=True)
def test_each_leaf_of_each_store_is_read_in_that_store_alone(platform: Platform) -> None:
    """Wrong in one store and right in another is a diagnosis (DESIGN.md, idea 6), so none may stand for another."""
    stores, wrong = in_stores(LEAF), {}
    whole = stores[Store.RUNNING]
    writer = contract(platform.NAME).WRITER
    assert writer is not None
    asked = writer.answers(stores)
    for store in Store:
        for path, value in one_of_each(whole):
            silent = any(matches(p, path) for p in IN_TWO_STORES) or has_no_other_vrf(whole, path)
            if not is_held(platform.HELD[store], path) or silent:
                continue
            changed = with_leaf(whole, path, other(path, value))
            found = read_differences(platform, {**asked, **_answers_of(writer, store, changed, whole)}, whole)
            if found != {store: [dotted(path)]}:
                wrong[f"{store} {dotted(path)}"] = found
    assert wrong == {}


IN_TWO_STORES = (
    # APPL_DB knows a port by no other name than its own, which `running` maps to the cage
    "ports.*.native",
    *contract("sonic").NEVER_WRITTEN,
)


def read_differences(platform: Platform, asked: Answers, whole: Device) -> dict[Store, list[str]]:
    reading = platform.read(asked, whole.name)
    found = {
        store: [dotted(d.path) for d in differences(whole, reading.stores[store], platform.HELD[store])]
        for store in Store
    }
    return {store: paths for store, paths in found.items() if paths}


def _answers_of(writer: object, store: Store, changed: Device, whole: Device) -> Answers:
    native = {key: str(port.native) for key, port in (whole.ports or {}).items()}
    if store is Store.RUNNING:
        return answers_sonic.running(changed)
    if store is Store.SAVED:
        return answers_sonic.saved(changed)
    applied, state = (changed, whole) if store is Store.APPLIED else (whole, changed)
    return answers_sonic.live(applied, state, native)


def tables(tree: object, at: Path = ()) -> Iterator[tuple[Path, Mapping[object, object]]]:
    """Every table of a tree, with its path."""
    if isinstance(tree, Mapping):
        yield at, tree
        for key, value in tree.items():
            yield from tables(value, (*at, str(key)))
    elif is_dataclass(tree) and not isinstance(tree, type):
        for name in names(type(tree)):
            yield from tables(getattr(tree, name), (*at, name))


def one_table_of_each(platform: Platform) -> Iterator[tuple[Device, Path, Mapping[object, object]]]:
    """The first table of each shape that is not empty and that a configuration holds."""
    for device in devices(platform.NAME):
        found: dict[Path, tuple[Path, Mapping[object, object]]] = {}
        for path, table in tables(platform.quantize(device)):
            if (
                table
                and not any(matches(p, path) for p in contract(platform.NAME).KEYS_THAT_OTHERS_HANG_ON)
                and is_held(platform.held(Store.RUNNING, platform.quantize(device)), path)
            ):
                found.setdefault(shape(path), (path, table))
        yield from ((device, path, table) for path, table in found.values())


def test_each_row_that_goes_is_read_as_missing_and_no_other(platform: Platform) -> None:
    wrong = {}
    for device, path, table in one_table_of_each(platform):
        key = next(iter(table))
        less = with_leaf(platform.quantize(device), path, {k: v for k, v in table.items() if k != key})
        read = platform.read_config(render(less), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        found = [(dotted(d.path), d.kind) for d in differences(platform.quantize(device), read, held)]
        if found != [(dotted((*path, str(key))), Kind.MISSING)]:
            wrong[f"{device.name} {dotted(path)}"] = found
    assert wrong == {}


def test_each_row_that_comes_is_read_as_extra_and_no_other(platform: Platform) -> None:
    wrong = {}
    for device, path, table in one_table_of_each(platform):
        key, value = next(iter(table.items()))
        new = NEW_KEYS.get(type(key), "new")
        more = with_leaf(platform.quantize(device), path, {**table, new: value})
        read = platform.read_config(render(more), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        found = [(dotted(d.path), d.kind) for d in differences(platform.quantize(device), read, held)]
        if found != [(dotted((*path, str(new))), Kind.EXTRA)] and path[-1] not in contract(platform.NAME).CLOSED:
            wrong[f"{device.name} {dotted(path)}"] = found
    assert wrong == {}


NEW_KEYS: Mapping[type, object] = {int: 99, str: "new"}
