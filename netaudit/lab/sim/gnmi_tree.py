"""A tree of YANG data as a gNMI server holds it: what a path names in it, and how a value is spelled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import grpc

from netaudit import gnmi
from netaudit.lab.sim.gnmi_paths import Refused

Leaf: TypeAlias = "str | int | float | bool | tuple[str, ...]"
"""A value; a tuple is a leaf-list."""
Node: TypeAlias = "Mapping[str, Node] | Rows | Leaf"
"""Below the root, names have no module before them; the modules of the root are those of all below it."""
Where: TypeAlias = tuple[gnmi.PathElem, ...]
_ANY: Final = ("*", "...")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A list. Its keys are leaves of each row as well."""

    keys: tuple[str, ...]
    rows: tuple[Mapping[str, Node], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Something that a path names."""

    where: Where
    module: str
    node: Node


def find(tree: Mapping[str, Node], prefix: gnmi.Path, path: gnmi.Path) -> tuple[Found, ...]:
    """All that a path names, `module:name` and `name` alike; lists without keys stand for every row. Empty: nothing."""
    steps = (*prefix.elem, *path.elem)
    if not steps:
        return tuple(
            Found(where=(gnmi.PathElem(name=_bare(name)),), module=_module(name), node=node)
            for name, node in tree.items()
        )
    found = []
    for name, node in tree.items():
        if steps[0].name in _ANY or _bare(steps[0].name) == _bare(name):
            here = (gnmi.PathElem(name=_bare(name)),)
            found += [Found(where=w, module=_module(name), node=n) for w, n in _below(here, node, steps[1:])]
    return tuple(found)


def _bare(name: str) -> str:
    return name.rpartition(":")[2]


def _module(name: str) -> str:
    return name.rpartition(":")[0]


def _below(here: Where, node: Node, steps: Sequence[gnmi.PathElem]) -> Iterator[tuple[Where, Node]]:
    """What the rest of a path names below a node."""
    if not steps:
        yield here, node
        return
    if not isinstance(node, Mapping):
        return
    step, rest = steps[0], steps[1:]
    for name, child in node.items():
        if step.name not in _ANY and _bare(step.name) != name:
            continue
        if not isinstance(child, Rows):
            if not step.key:
                yield from _below((*here, gnmi.PathElem(name=name)), child, rest)
        elif not rest and not step.key:
            yield (*here, gnmi.PathElem(name=name)), child
        else:
            for keys, row in _rows(child, step.key):
                yield from _below((*here, gnmi.PathElem(name=name, key=keys)), row, rest)


def _rows(rows: Rows, wanted: Mapping[str, str]) -> Iterator[tuple[Mapping[str, str], Mapping[str, Node]]]:
    """(keys, row) of every row that fits."""
    for row in rows.rows:
        keys = {key: str(row[key]) for key in rows.keys}
        if all(keys.get(key) == value or value in _ANY for key, value in wanted.items()):
            yield keys, row


def leaves(found: Found) -> Iterator[Found]:
    """Every leaf of what was found, each with a path of its own; keys of lists stand in the paths."""
    node = found.node
    if isinstance(node, Mapping):
        for name, child in node.items():
            where = (*found.where, gnmi.PathElem(name=name))
            yield from leaves(Found(where=where, module=found.module, node=child))
    elif isinstance(node, Rows):
        *before, last = found.where
        for keys, row in _rows(node, {}):
            where = (*before, gnmi.PathElem(name=last.name, key=keys))
            yield from leaves(Found(where=where, module=found.module, node=row))
    else:
        yield found


def typed(found: Found, encoding: int, *, modules: bool = True) -> gnmi.TypedValue:
    """A value as an encoding has it; `modules`: JSON_IETF names those of the outermost members (RFC 7951)."""
    node = found.node
    if encoding == gnmi.Encoding.PROTO:
        return _scalar(node)
    if isinstance(node, Rows):
        data: object = {found.where[-1].name: _json(node)}  # a list is a member of something
    else:
        data = _json(node)
    if encoding == gnmi.Encoding.JSON:
        return gnmi.TypedValue(json_val=json.dumps(data).encode())
    if encoding != gnmi.Encoding.JSON_IETF:
        raise Refused(grpc.StatusCode.UNIMPLEMENTED, f"unsupported encoding: {encoding}")
    if isinstance(data, dict) and modules and found.module:
        data = {f"{found.module}:{name}": value for name, value in data.items()}
    return gnmi.TypedValue(json_ietf_val=json.dumps(data).encode())


def _scalar(node: Node) -> gnmi.TypedValue:
    """A leaf by its own type."""
    if isinstance(node, bool):
        return gnmi.TypedValue(bool_val=node)
    if isinstance(node, int):
        return gnmi.TypedValue(uint_val=node) if node >= 0 else gnmi.TypedValue(int_val=node)
    if isinstance(node, float):
        return gnmi.TypedValue(double_val=node)
    if isinstance(node, str):
        return gnmi.TypedValue(string_val=node)
    return gnmi.TypedValue(json_val=json.dumps(_json(node)).encode())


def _json(node: Node) -> object:
    if isinstance(node, Mapping):
        return {name: _json(child) for name, child in node.items()}
    if isinstance(node, Rows):
        return [_json(row) for row in node.rows]
    return list(node) if isinstance(node, tuple) else node
