"""NVUE's tree as nested mappings, whose leaves are texts and numbers; an empty one is a name without more to say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from netaudit.platforms.nvue.text import Node

Tree: TypeAlias = "dict[str, Tree | str | int]"
Value: TypeAlias = "Tree | str | int"


def put(tree: Tree, path: Sequence[str], value: Value) -> None:
    """Set what stands at a path; names on the way are made."""
    at = tree
    for name in path[:-1]:
        below = at.setdefault(name, {})
        if not isinstance(below, dict):
            below = at[name] = {}
        at = below
    at[path[-1]] = value


def get(tree: Value | None, *path: str) -> Value | None:
    """What stands at a path; None where it is not there."""
    for name in path:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def below(tree: Value | None, *path: str) -> Tree:
    """The mapping at a path; an empty one where none is there."""
    found = get(tree, *path)
    return found if isinstance(found, dict) else {}


def text(tree: Value | None, *path: str) -> str | None:
    """The scalar at a path as text; None where none is there."""
    found = get(tree, *path)
    return None if found is None or isinstance(found, dict) else str(found)


def number(tree: Value | None, *path: str) -> int | None:
    """The whole number at a path; None where there is none. Raises ValueError where something else stands."""
    found = text(tree, *path)
    if found is None or found == "":
        return None
    if not re.fullmatch(r"\d{1,12}", found, re.ASCII):
        raise ValueError(f"{' '.join(path)} is {found[:40]!r}, no number")
    return int(found)


def on(tree: Value | None, *path: str) -> bool | None:
    """A switch: `enabled`, `enable`, `on` or their opposites; None where it is not set."""
    found = text(tree, *path)
    if found is None or found == "":
        return None
    known = {"enabled": True, "enable": True, "on": True, "disabled": False, "disable": False, "off": False}
    if found not in known:
        raise ValueError(f"{' '.join(path)} is {found[:40]!r}, neither enabled nor disabled")
    return known[found]


def switch(value: bool) -> str:
    """`enabled` or `disabled`."""
    return "enabled" if value else "disabled"


def leaves(tree: Value, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every leaf as (path, value), a name without more to say with the empty text."""
    if not isinstance(tree, dict):
        yield at, str(tree)
    elif not tree and at:
        yield at, ""
    else:
        for name, value in tree.items():
            yield from leaves(value, (*at, name))


def line(path: Sequence[str], value: str) -> str:
    """A leaf as `nv set` says it: `router bgp autonomous-system 65101`."""
    return " ".join([*path, value]) if value else " ".join(path)


def of(node: Node | None) -> Tree:
    """The tree of a mapping of a text; a list of scalars is one of names without more to say."""
    found = _value(node) if node is not None else {}
    return found if isinstance(found, dict) else {}


def _value(node: Node) -> Value:
    if node.text is not None:
        return node.text
    made: Tree = {name: _value(child) for name, child in node.children.items()}
    for number_, item in enumerate(node.items):
        made[item.text if item.text is not None else str(number_)] = {} if item.text is not None else _value(item)
    return made


def same(one: Mapping[str, object] | object, other: Mapping[str, object] | object) -> bool:
    """Do two trees say the same? Order says nothing, and a number is its text."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        return not one and not other  # `x: {}` and `x:` say the same
    return str(one) == str(other)
