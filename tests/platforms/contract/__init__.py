"""What the contract says of one platform: a module of this folder with its name, all in patterns of leaves.

A module may have: `NEVER_WRITTEN` (leaves that no file of ours says), `NEVER_ABSENT` (leaves that a configuration
cannot leave out alone), `DEFAULTS` (leaf → what the NOS makes of a setting that is not there), `FOLLOWS` (leaf → leaves
that change with it, because the configuration says both in one word), `CLOSED` (last names of tables that no row can
come to), `KEYS_THAT_OTHERS_HANG_ON` (tables whose rows are more than themselves), `NUDGES` (leaf → another valid value,
where the general one is none), `WRITER` (a module with `answers(stores)`, a second writer of the device's answers).
Each entry is a limit of the NOS and has its reason beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeAlias

from netaudit.state.walk import Path, matches

Nudge: TypeAlias = Callable[[object], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """All that a module of this folder says."""

    NEVER_WRITTEN: tuple[str, ...] = ()
    NEVER_ABSENT: tuple[str, ...] = ()
    DEFAULTS: Mapping[str, object] = field(default_factory=dict)
    FOLLOWS: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    CLOSED: tuple[str, ...] = ()
    KEYS_THAT_OTHERS_HANG_ON: tuple[str, ...] = ()
    NUDGES: Mapping[str, Nudge] = field(default_factory=dict)
    WRITER: ModuleType | None = None

    def follows(self, path: Path, with_it: Path) -> bool:
        """Does one leaf change with another?"""
        rows = (also for leaf, also in self.FOLLOWS.items() if matches(leaf, path))
        return any(matches(pattern, with_it) for also in rows for pattern in also)


@cache
def contract(platform: str) -> Contract:
    """What the module of a platform says; a platform without one has nothing to say beside the general contract."""
    name = f"platforms.contract.{platform}"
    if find_spec(name) is None:
        return Contract()
    module = import_module(name)
    said = {name: getattr(module, name) for name in Contract.__slots__ if hasattr(module, name)}
    return Contract(**said)
