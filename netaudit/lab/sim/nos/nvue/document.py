"""NVUE's configuration as text: the YAML list of header, set and unset, ranges, `nv set` lines, differences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, cast

import yaml

from netaudit.lab.sim.nos.nvue.check import placed
from netaudit.lab.sim.nos.nvue.schema import Json

Tree = Mapping[str, Json]
_RANGE: Final = re.compile(r"([A-Za-z]*)(\d+(?:-\d+)?(?:,[A-Za-z]*\d+(?:-\d+)?)*)")
_COMMANDS: Final = re.compile(r"(?:\s*(?:#.*|nv\s+(?:set|unset)\s+.+)?\n)*\s*(?:#.*|nv\s+(?:set|unset)\s+.+)?")
_NAME: Final = re.compile(r"(swp|bond|vlan|eth)(\d+)")
_RANGED: Final = ("interface",)
"""Branches whose keys may be ranges: `swp1-8`. VLANs of a bridge and of its ports may be too."""
_MOST: Final = 8192
"""More names than a range of any box stands for."""


def read(text: str, modern: bool) -> tuple[Tree | None, Tree, Tree]:
    """(header, set, unset) of a file of YAML, or of `nv set` and `nv unset` lines. Raises `ValueError`."""
    if text.strip() and _COMMANDS.fullmatch(text):
        return None, *_of_commands(text, modern)
    try:
        data = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"not YAML: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(data, list):
        raise ValueError("a configuration is a list of header, set and unset")
    parts: dict[str, Tree] = {"set": {}, "unset": {}}
    header: Tree | None = None
    for entry in data:
        if not isinstance(entry, dict) or len(entry) != 1 or not {*entry} <= {"header", "set", "unset"}:
            raise ValueError("an entry of the list is not one of header, set, unset")
        ((name, value),) = entry.items()
        if not isinstance(value, dict | None):
            raise ValueError(f"{name} holds no tree")
        if name == "header":
            header = _named(value or {})
        else:
            parts[name] = merged(parts[name], expanded(_named(value or {})))
    return header, parts["set"], parts["unset"]


_BASE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BASE_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""libyaml reads and writes ten times as fast; where PyYAML was built without it, its own code does the same."""


class _Loader(_BASE_LOADER):  # type: ignore[misc]  # either of the two is a class
    """YAML where a key that stands twice is an error, as ruamel.yaml has it."""


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    twice = [key for at, key in enumerate(keys) if key in keys[:at]]
    if twice:
        raise yaml.constructor.ConstructorError(None, None, f"found duplicate key {twice[0]}", node.start_mark)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def _named(node: object) -> dict[str, Json]:
    """A tree whose keys are all text. Raises `ValueError` for a list or a date in it."""
    made: dict[str, Json] = {}
    for key, value in cast(Mapping[object, object], node).items():
        if isinstance(value, dict):
            made[_key(key)] = _named(value)
        elif value is None or isinstance(value, str | int | float | bool):
            made[_key(key)] = cast(Json, value)
        else:
            raise ValueError(f"{key}: a {type(value).__name__} is no value")
    return made


def _key(key: object) -> str:
    return key if isinstance(key, str) else str(key)


def names_of(key: str) -> tuple[str, ...]:
    """The names that a range stands for: `swp1-3,5` four; another text stands for itself."""
    found = _RANGE.fullmatch(key)
    if found is None or ("-" not in key and "," not in key):
        return (key,)
    word, names = found[1], []
    for part in found[2].split(","):
        first, _, last = part.removeprefix(word).partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            return (key,)
        numbers = range(int(first), int(last or first) + 1)
        if len(numbers) > _MOST:
            return (key,)
        names += [f"{word}{number}" for number in numbers]
    return tuple(names)


def expanded(tree: Tree) -> Tree:
    """The same with a branch for each name of a range."""
    made = dict(tree)
    for branch in _RANGED:
        if isinstance(rows := tree.get(branch), Mapping):
            made[branch] = _each(rows)
    return _with_vlans(made)


def _each(rows: Tree) -> Tree:
    """Rows with their ranges taken apart; a name that stands twice has both."""
    made: dict[str, Json] = {}
    for key, row in rows.items():
        for name in names_of(key):
            before = made.get(name)
            made[name] = merged(before, row) if isinstance(before, Mapping) and isinstance(row, Mapping) else row
    return made


def _with_vlans(tree: Tree) -> Tree:
    """The same for `vlan` below a bridge domain: `10,20` and `10-12`."""
    made: dict[str, Json] = {}
    for key, value in tree.items():
        if not isinstance(value, Mapping):
            made[key] = value
        else:
            below = _with_vlans(value)
            made[key] = _each(below) if key == "vlan" else below
    return made


def merged(old: Tree, new: Tree) -> Tree:
    """`old` with everything of `new` put into it."""
    made = dict(old)
    for key, value in new.items():
        before = made.get(key)
        made[key] = merged(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return made


def without(tree: Tree, gone: Tree) -> Tree:
    """`tree` without what an `unset` names: a leaf or a branch that ends there is gone as a whole."""
    made = dict(tree)
    for key, value in gone.items():
        before = made.get(key)
        if key not in made:
            continue
        if isinstance(value, Mapping) and value and isinstance(before, Mapping):
            made[key] = without(before, value)
        else:
            del made[key]
    return made


def at(path: Sequence[str], value: Json) -> Tree:
    """A tree with one value at a path, ranges taken apart."""
    node: Json = value
    for name in reversed(path):
        node = {name: node}
    return expanded(cast(Tree, node))


def _of_commands(text: str, modern: bool) -> tuple[Tree, Tree]:
    """(set, unset) of lines. Raises `ValueError` with the number of the first that is wrong."""
    more: Tree = {}
    gone: Tree = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = _split(line)
        if not words:
            continue
        try:
            if words[1] == "set":
                more = merged(more, at(*placed(words[2:], modern)))
            else:
                gone = merged(gone, at(words[2:], None))
        except ValueError as error:
            raise ValueError(f"line {number}: {' '.join(words)}: {error}") from error
    return more, gone


def _split(line: str) -> list[str]:
    """Words of a line; those in quotes are one."""
    return [a or b or c for a, b, c in re.findall(r"'([^']*)'|\"([^\"]*)\"|(\S+)", line.partition("#")[0])]


def commands(tree: Tree, verb: str = "set") -> Iterator[str]:
    """`nv set` lines of a tree, a line for each value and each key without one."""
    for path, value in _values(tree, ()):
        words = [*path] if isinstance(value, Mapping) or value is None else [*path, str(value)]
        yield f"nv {verb} {' '.join(_quoted(word) for word in words)}"


def _quoted(word: str) -> str:
    return f"'{word}'" if re.search(r"\s", word) else word


def _values(node: Tree, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Json]]:
    for key, value in node.items():
        if isinstance(value, Mapping) and value:
            yield from _values(value, (*where, key))
        else:
            yield (*where, key), value


def difference(old: Tree, new: Tree) -> tuple[Tree, Tree]:
    """(what is set, what is unset) to come from one to the other."""
    more: dict[str, Json] = {}
    gone: dict[str, Json] = {}
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if key not in new:
            gone[key] = None
        elif key not in old or not (isinstance(before, Mapping) and isinstance(after, Mapping)):
            if key not in old or before != after:
                more[key] = after
        else:
            inner_more, inner_gone = difference(before, after)
            if inner_more:
                more[key] = inner_more
            if inner_gone:
                gone[key] = inner_gone
    return more, gone


_SECRET: Final = re.compile(r"[a-z-]*(password|secret|passphrase|md5-key|auth-key)")


def masked(tree: Tree) -> Tree:
    """The same with a star for each secret, which is how NVUE shows a configuration to anybody."""
    return {
        key: masked(value) if isinstance(value, Mapping) else "*" if _SECRET.fullmatch(key) else value
        for key, value in tree.items()
    }


def collapsed(tree: Tree) -> Tree:
    """The same with interfaces that are alike as ranges, as `nv config show` has it without `--expand`."""
    rows = tree.get("interface")
    return {**tree, "interface": _ranges(rows)} if isinstance(rows, Mapping) else tree


def _ranges(rows: Tree) -> Tree:
    """Interfaces that hold the same, by the word that their names begin with."""
    groups: list[tuple[str, list[int], Json]] = []
    made: dict[str, Json] = {}
    for name, row in sorted(rows.items(), key=lambda one: _order(one[0])):
        found = _NAME.fullmatch(name)
        if found is None:
            made[name] = row
            continue
        word, number = found[1], int(found[2])
        same = next((group for group in groups if group[0] == word and group[2] == row), None)
        if same is None:
            groups.append((word, [number], row))
        else:
            same[1].append(number)
    for word, numbers, row in groups:
        made[_range(word, numbers)] = row
    return dict(sorted(made.items(), key=lambda one: _order(one[0])))


def _range(word: str, numbers: Iterable[int]) -> str:
    """`swp1-3,5`."""
    parts = []
    for _, run in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        found = [number for _, number in run]
        parts.append(str(found[0]) if len(found) == 1 else f"{found[0]}-{found[-1]}")
    return word + ",".join(parts)


@lru_cache(maxsize=1 << 16)
def _order(name: str) -> tuple[tuple[int, int | str], ...]:
    """Names in the order that people count in."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.findall(r"\d+|\D+", name))


class _Dumper(_BASE_DUMPER):  # type: ignore[misc]  # either of the two is a class
    """YAML as NVUE writes it: lists begin at the margin, texts that look like numbers or flags are quoted."""


def written(entries: Iterable[tuple[str, Tree]]) -> str:
    """The YAML list of header, set and unset."""
    data = [{name: _plain(tree, ordered=name != "header")} for name, tree in entries]
    text = yaml.dump(data, Dumper=_Dumper, default_flow_style=False, sort_keys=False, width=1000, allow_unicode=True)
    return text.replace(": null\n", ":\n")


def _plain(tree: Tree, ordered: bool) -> dict[str, object]:
    items = sorted(tree.items(), key=lambda one: _order(one[0])) if ordered else list(tree.items())
    return {key: _plain(value, ordered) if isinstance(value, Mapping) else value for key, value in items}
