"""The contract of every platform (DESIGN.md, idea 8): each leaf reaches the configuration and is read back.

Nobody can add a field, or a platform, by half: what is neither written nor read nor declared unsupported fails here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass

import pytest

from netaudit import platforms
from netaudit.platforms import Answers, Platform
from netaudit.render import render
from netaudit.state import ABSENT, Computing, Device, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Kind, Path, below, differences, dotted, leaves, matches, names, with_leaf
from platforms.example import LEAF, SPINE, devices, in_stores, platform_names
from platforms.nudge import one_of_each, other, shape

from . import answers_sonic

WRITERS = {"sonic": answers_sonic}
"""Platform → a second writer of its answers, in this folder."""


@pytest.fixture(params=platform_names())
def platform(request: pytest.FixtureRequest) -> Platform:
    return platforms.platform(request.param)


def is_held(held: Held, path: Path) -> bool:
    for name in path:
        held = below(held, name)
    return held is not False


def config_leaves(platform: Platform) -> Iterator[tuple[Device, Path, object]]:
    """One leaf of each shape of all example devices, that a configuration of this platform can hold."""
    for device in devices():
        for path, value in one_of_each(platform.quantize(device)):
            silent = any(matches(pattern, path) for pattern in (*platform.UNSUPPORTED, *NEVER_WRITTEN))
            held = platform.held(Store.RUNNING, platform.quantize(device))
            if is_held(held, path) and not silent and not has_no_other_vrf(device, path):
                yield device, path, value


def has_no_other_vrf(device: Device, path: Path) -> bool:
    """A session can be in another VRF only where there is a speaker in one."""
    return matches("bgp.neighbors.*.vrf", path) and not (device.bgp and device.bgp.vrfs)


NAMED_BY = (
    "buffers.model",
    "buffers.ports.*.cable_length_m",
    "ports.*.speed_mbps",
    "ports.*.lanes",
    "ports.*.mtu_bytes",
)
"""What names the profile that a switch computes: its configuration cannot have one of these and another name."""


def follows(device: Device, path: Path, other_path: Path) -> bool:
    """Does the profile of a group follow from this leaf, where the switch computes it?"""
    computes = device.buffers is not None and isinstance(device.buffers.computing, Computing)
    return computes and matches("buffers.ports.*.groups", other_path) and any(matches(p, path) for p in NAMED_BY)


NEVER_WRITTEN = (
    # what others put beside our files; it is expected empty, and test_read.py reads it. Lines of `raw` are expected
    # in `bgp.unmodelled` and written as text, which no leaf can say: test_raw.py holds the contract of them
    "system.routing_rows",
    "bgp.unmodelled",
)


def test_every_example_device_is_read_back_as_it_was_written(platform: Platform) -> None:
    for device in devices():
        read = platform.read_config(render(platform.quantize(device)), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        assert list(differences(platform.quantize(device), read, held)) == []


def test_each_leaf_reaches_the_configuration_and_is_read_back_and_no_other_changes(platform: Platform) -> None:
    wrong = {}
    for device, path, value in config_leaves(platform):
        changed = platform.quantize(with_leaf(platform.quantize(device), path, other(path, value)))
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
        if value is ABSENT or any(matches(p, path) for p in NEVER_ABSENT):
            continue
        changed = with_leaf(platform.quantize(device), path, ABSENT)
        read = platform.read_config(render(changed), device.name)
        held = platform.held(Store.RUNNING, platform.quantize(device))
        different = (d for d in differences(changed, read, held) if not follows(device, path, d.path))
        found = {dotted(d.path): d.observed for d in different}
        if found and not any(matches(p, path) and found == {dotted(path): v} for p, v in DEFAULTS.items()):
            wrong[f"{device.name} {dotted(path)}"] = found
    assert wrong == {}


DEFAULTS: Mapping[str, object] = {
    "ports.*.enabled": False,
    "ports.*.autoneg": False,
    "ports.*.pfc_asymmetric": False,
    "vrfs": frozenset(),
    "interfaces.*.vrf": "default",
    "bgp.neighbors.*.vrf": "default",
    "interfaces.*.link_local": False,
    "interfaces.*.addresses": frozenset(),
    "vlans.*.members": frozenset(),
    "vlans.*.tagged": frozenset(),
    "qos.ports.*.pfc": frozenset(),
    "qos.ports.*.watched": frozenset(),
    "qos.wred.*.ecn": False,
    "buffers.model": "traditional",
    "bgp.multipath_relax": False,
    "bgp.requires_policy": False,
    "bgp.keepalive_s": 3,
    "bgp.hold_s": 9,
    "bgp.networks": frozenset(),
    "bgp.discards": frozenset(),
    "bgp.unmodelled": frozenset(),
    "bgp.vrfs.*.multipath_relax": False,
    "bgp.vrfs.*.requires_policy": False,
    "bgp.vrfs.*.keepalive_s": 3,
    "bgp.vrfs.*.hold_s": 9,
    "bgp.vrfs.*.networks": frozenset(),
    "system.own_routing_files": False,
    "lldp.enabled": True,
}
"""Leaf → what SONiC and FRR make of a setting that is not there."""

NEVER_ABSENT = (
    # the row's own name, without which there is no row
    "ports.*.native",
    # a number is a whole entry of a map: it is there or not, which is a key and no leaf
    "qos.dscp_to_tc",
    "qos.tc_to_queue",
    "qos.tc_to_pg",
    "qos.pfc_to_queue",
    "qos.pfc_to_pg",
    "buffers.ports.*.groups",
    "buffers.ports.*.queues",
    # FRR has no speaker without a number, no policies of a neighbor without an address family, and no route-map
    # without a prefix-list to match: more than the leaf goes with it
    "bgp.asn",
    "bgp.vrfs.*.asn",
    "bgp.neighbors.*.families",
    "bgp.policies.*.permits",
)


def test_a_rendering_says_nothing_of_what_is_not_managed(platform: Platform) -> None:
    """`None` is not managed: the configuration is silent, and no template prints the word."""
    for device in devices():
        for path, value in config_leaves_of(platform, device):
            if value is not ABSENT and not any(matches(p, path) for p in NEVER_ABSENT):
                texts = render(with_leaf(platform.quantize(device), path, None))
                assert not any("None" in text for text in texts.values()), dotted(path)


def config_leaves_of(platform: Platform, device: Device) -> Iterator[tuple[Path, object]]:
    return ((path, value) for d, path, value in config_leaves(platform) if d is device)


def test_what_a_platform_does_not_support_is_a_leaf_of_the_state_and_has_a_reason(platform: Platform) -> None:
    paths = [path for device in devices() for path, _ in leaves(device)]
    for pattern, reason in platform.UNSUPPORTED.items():
        assert any(matches(pattern, path) for path in paths), pattern
        assert reason


@pytest.mark.parametrize("name", [LEAF, SPINE])
def test_every_store_shows_every_leaf_that_it_can_hold(platform: Platform, name: str) -> None:
    stores = in_stores(name)
    reading = platform.read(WRITERS[platform.NAME].answers(stores), name)
    assert reading.problems == ()
    for store in Store:
        assert list(differences(stores[store], reading.stores[store], platform.HELD[store])) == [], store
    assert reading.stores[Store.STATE].routes == stores[Store.STATE].routes


def test_each_leaf_of_each_store_is_read_in_that_store_alone(platform: Platform) -> None:
    """Wrong in one store and right in another is a diagnosis (DESIGN.md, idea 6), so none may stand for another."""
    stores, wrong = in_stores(LEAF), {}
    whole = stores[Store.RUNNING]
    writer = WRITERS[platform.NAME]
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
    *NEVER_WRITTEN,
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


KEYS_THAT_OTHERS_HANG_ON = (
    # a row of PORT gives a port its native name, under which every other table has it
    "ports",
    # without its speaker there is no session in a VRF
    "bgp.vrfs",
)


def one_table_of_each(platform: Platform) -> Iterator[tuple[Device, Path, Mapping[object, object]]]:
    """The first table of each shape that is not empty and that a configuration holds."""
    for device in devices():
        found: dict[Path, tuple[Path, Mapping[object, object]]] = {}
        for path, table in tables(platform.quantize(device)):
            if (
                table
                and not {path[0], dotted(path)} & {*KEYS_THAT_OTHERS_HANG_ON}
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
        if found != [(dotted((*path, str(new))), Kind.EXTRA)] and path[-1] not in CLOSED:
            wrong[f"{device.name} {dotted(path)}"] = found
    assert wrong == {}


NEW_KEYS: Mapping[type, object] = {int: 99, str: "new"}
CLOSED = ("colours", "allowas_in")
"""Tables with no other keys than those there are."""
