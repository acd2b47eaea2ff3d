"""The contract sees what the example sets, so the example sets every field of the state, or says why not."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass

import pytest
from audit.world import two_plane

import netaudit.state
from netaudit.state import ABSENT, BlindSpot, Failures, Link, LinkEnd, Place, PolicyRule, Route
from netaudit.state.walk import Path, leaves, names
from platforms.example import devices
from platforms.nudge import other

NOT_A_TREE = (BlindSpot, Failures, Link, LinkEnd, Place, PolicyRule, Route)
"""Values of `state` that are no part of a device's tree, or one leaf of it as a whole."""


def state_classes() -> Iterator[type]:
    for _, cls in inspect.getmembers(netaudit.state, inspect.isclass):
        if is_dataclass(cls) and cls not in NOT_A_TREE:
            yield cls


def set_fields(tree: object) -> Iterator[tuple[type, str]]:
    """(class, field) of everything in a tree that has a value."""
    if is_dataclass(tree) and not isinstance(tree, type) and type(tree) not in NOT_A_TREE:
        for name in names(type(tree)):
            value = getattr(tree, name)
            if value is not None and value is not ABSENT:
                yield type(tree), name
            yield from set_fields(value)
    elif isinstance(tree, Mapping):
        for value in tree.values():
            yield from set_fields(value)


@pytest.mark.parametrize("cls", list(state_classes()), ids=lambda cls: cls.__name__)
def test_the_example_sets_every_field(cls: type) -> None:
    routed = two_plane().routes("a-su1-r1-leaf", Failures())
    found = {pair for device in devices() for pair in set_fields(device)}
    unset = {name for name in names(cls) if (cls, name) not in found}
    # rows of the site's own are read with all that stands beside them; test_raw_tables.py holds their contract
    assert unset == ({"routes", "raw"} if cls is netaudit.state.Device else set()), cls
    assert routed, "the expected state of a device is without its routes, which are asked for apart"


def test_every_leaf_of_the_example_has_another_valid_value() -> None:
    unknown = []
    for device in devices():
        for path, value in leaves(device):
            if path[0] not in ("name", "platform", "place") and not _has_other(path, value):
                unknown.append(path)
    assert unknown == []


def _has_other(path: Path, value: object) -> bool:
    try:
        return other(path, value) != value
    except LookupError:
        return False
