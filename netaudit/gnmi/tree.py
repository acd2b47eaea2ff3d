"""Trees of JSON and the leaf updates they are sent as: one made of the other, in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from netaudit.gnmi.paths import ANY, parts, plain, spelled

Path: TypeAlias = tuple[str, ...]
Update: TypeAlias = tuple[Path, object]
"""Where, and which value: a scalar, or a tree."""

MAX_DEPTH: Final = 64
"""Elements of a path, levels of a value. Judgement: OpenConfig's deepest path has below 20."""

LIST_KEYS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "address": (("ip",),),
    "afi-safi": (("afi-safi-name",),),
    "as-segment": (("index",),),
    "component": (("name",),),
    "interface": (("name",), ("interface-id",), ("id",)),
    "ipv4-entry": (("prefix",),),
    "ipv6-entry": (("prefix",),),
    "neighbor": (("neighbor-address",), ("id",), ("ip",)),
    "network-instance": (("name",),),
    "next-hop": (("index",),),
    "next-hop-group": (("id",),),
    "peer-group": (("peer-group-name",),),
    "priority": (("priority",),),
    "protocol": (("identifier", "name"),),
    "queue": (("name",),),
    "route": (("prefix", "origin", "path-id"), ("prefix", "path-id"), ("prefix",)),
    "subinterface": (("index",),),
    "switch-priority": (("priority",),),
}
"""List of OpenConfig → which leaves may be its keys; an entry has the first of these that it holds all of."""


@dataclass(slots=True)
class Tree:
    """A tree that is filled by updates in the order in which they come."""

    _root: _Node = field(default_factory=lambda: _Node())

    def put(self, path: Sequence[str], value: object) -> None:
        """Set what is at a path; objects are merged with what is there. Raises ValueError below MAX_DEPTH levels."""
        if len(path) > MAX_DEPTH:
            raise ValueError(f"a path of {len(path)} elements")
        self._root.reach(path).take(value, len(path))

    def drop(self, path: Sequence[str]) -> None:
        """Remove what is at a path and below it."""
        if not path:
            self._root = _Node()
            return
        holder: _Node | None = self._root
        for element in path[:-1]:
            holder = holder.child(element) if holder else None
        if holder is not None:
            holder.forget(path[-1])

    def json(self) -> object:
        """The tree as JSON has it: lists of objects with their keys in them."""
        return self._root.json()


@dataclass(slots=True)
class _Node:
    """One place of the tree: a scalar or list (`value`), or names below it (`names`, and `entries` of keyed lists)."""

    value: object = None
    holds: bool = False
    names: MutableMapping[str, _Node] = field(default_factory=dict)
    entries: MutableMapping[str, MutableMapping[tuple[tuple[str, str], ...], _Node]] = field(default_factory=dict)

    def reach(self, path: Sequence[str]) -> _Node:
        at = self
        for element in path:
            name, keys = parts(element)
            if keys:
                at = at.entries.setdefault(name, {}).setdefault(tuple(sorted(keys.items())), _Node())
            else:
                at = at.names.setdefault(name, _Node())
        return at

    def child(self, element: str) -> _Node | None:
        name, keys = parts(element)
        return self.entries.get(name, {}).get(tuple(sorted(keys.items()))) if keys else self.names.get(name)

    def forget(self, element: str) -> None:
        name, keys = parts(element)
        if keys:
            self.entries.get(name, {}).pop(tuple(sorted(keys.items())), None)
        else:
            self.names.pop(name, None)
            self.entries.pop(name, None)

    def take(self, value: object, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ValueError(f"a value of more than {MAX_DEPTH} levels")
        if isinstance(value, Mapping):
            for name, below in value.items():
                self.names.setdefault(str(name), _Node()).take(below, depth + 1)
        elif isinstance(value, list) and isinstance(self.value, list):
            self.value = [*self.value, *value]
        else:
            self.value, self.holds = value, True

    def json(self) -> object:
        if not self.names and not self.entries:
            return self.value if self.holds else {}
        made: dict[str, object] = {name: node.json() for name, node in self.names.items()}
        for name, entries in self.entries.items():
            listed = [_entry(dict(keys), node.json()) for keys, node in entries.items()]
            before = made.get(name)
            made[name] = [*before, *listed] if isinstance(before, list) else listed
        return made


def _entry(keys: Mapping[str, str], value: object) -> object:
    return {**keys, **value} if isinstance(value, Mapping) else {**keys, "value": value}


def merged(updates: Iterable[Update]) -> object:
    """The tree that updates describe. Raises ValueError where one is deeper than MAX_DEPTH."""
    tree = Tree()
    for path, value in updates:
        tree.put(path, value)
    return tree.json()


def select(tree: object, path: Sequence[str]) -> Iterator[Update]:
    """What of a tree a path asks for, each by its whole path; `*` stands for any name or key."""
    yield from _select(tree, tuple(path), ())


def _select(tree: object, wanted: Path, at: Path) -> Iterator[Update]:
    if not wanted:
        yield at, tree
        return
    if not isinstance(tree, Mapping):
        return
    name, keys = parts(wanted[0])
    for there, below in tree.items():
        if name not in (ANY, there) and plain(name) != plain(str(there)):
            continue
        if not isinstance(below, list):
            if not keys:
                yield from _select(below, wanted[1:], (*at, str(there)))
        elif not keys and len(wanted) == 1:
            yield (*at, str(there)), below
        else:
            for entry in below:
                if isinstance(entry, Mapping) and _has(entry, keys):
                    yield from _select(entry, wanted[1:], (*at, spelled(str(there), keys_of(str(there), entry))))


def _has(entry: Mapping[str, object], keys: Mapping[str, str]) -> bool:
    return all(key in entry and value in (ANY, str(entry[key])) for key, value in keys.items())


def keys_of(name: str, entry: Mapping[str, object]) -> Mapping[str, str]:
    """The keys of an entry of the list of that name; none where LIST_KEYS does not know it."""
    for keys in LIST_KEYS.get(plain(name), ()):
        if all(key in entry for key in keys):
            return {key: str(entry[key]) for key in keys}
    return {}


def leaves(value: object, at: Path = ()) -> Iterator[Update]:
    """The leaves of a tree, each by its whole path; leaf lists, and lists without known keys, are leaves too."""
    if isinstance(value, Mapping):
        for name, below in value.items():
            keyed = [entry for entry in below if isinstance(entry, Mapping)] if isinstance(below, list) else []
            if keyed and all(keys_of(str(name), entry) for entry in keyed):
                for entry in keyed:
                    yield from leaves(entry, (*at, spelled(str(name), keys_of(str(name), entry))))
            else:
                yield from leaves(below, (*at, str(name)))
    else:
        yield at, value
