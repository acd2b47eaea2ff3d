"""RFC 6902: a JSON document after a patch, all or nothing."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = object


class PatchRefused(Exception):
    """The patch does not fit the document, or is no patch."""


def patched(document: Json, patch: Json) -> Json:
    """The document after the patch; the one given stays as it is. Raises `PatchRefused`."""
    if not isinstance(patch, list):
        raise PatchRefused("Patch is not a list of operations")
    result = copy.deepcopy(document)
    for operation in patch:
        if not isinstance(operation, Mapping):
            raise PatchRefused("Operation is not an object")
        result = _apply(result, operation)
    return result


def tokens(pointer: Json) -> tuple[str, ...]:
    """The steps of a JSON pointer, `~1` and `~0` undone (RFC 6901)."""
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise PatchRefused(f"Location must start with / ({pointer!r})")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def pointer(*steps: str) -> str:
    """The JSON pointer of these steps."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _apply(document: Json, operation: Mapping[str, Json]) -> Json:
    """One operation."""
    name = operation.get("op")
    at = tokens(operation.get("path"))
    if name in ("add", "replace", "test") and "value" not in operation:
        raise PatchRefused("The operation does not contain a 'value' member")
    if name == "add":
        return _add(document, at, copy.deepcopy(operation["value"]))
    if name == "replace":
        _get(document, at)
        return _add(_remove(document, at), at, copy.deepcopy(operation["value"]))
    if name == "remove":
        _get(document, at)
        return _remove(document, at)
    if name == "test":
        if _get(document, at) != operation["value"]:
            raise PatchRefused(f"{operation['path']} is not as tested")
        return document
    if name in ("move", "copy"):
        source = tokens(operation.get("from"))
        if name == "move" and at[: len(source)] == source and at != source:
            raise PatchRefused("Cannot move values into their own children")
        value = copy.deepcopy(_get(document, source))
        return _add(_remove(document, source) if name == "move" else document, at, value)
    raise PatchRefused(f"Unknown operation {name!r}")


def _get(document: Json, at: Sequence[str]) -> Json:
    """The value at a place."""
    for step in at:
        document = _child(document, step)
    return document


def _child(parent: Json, step: str) -> Json:
    """A member of an object or an element of an array."""
    if isinstance(parent, dict):
        if step not in parent:
            raise PatchRefused(f"member '{step}' not found")
        return parent[step]
    if isinstance(parent, list):
        return parent[_index(parent, step, len(parent) - 1)]
    raise PatchRefused(f"'{step}' is looked for in {parent!r}, which holds nothing")


def _index(array: Sequence[Json], step: str, highest: int) -> int:
    """An array index, or the end for `-`."""
    if step == "-" and highest == len(array):
        return len(array)
    if not step.isdecimal() or (len(step) > 1 and step[0] == "0") or int(step) > highest:
        raise PatchRefused(f"'{step}' is not a valid sequence index")
    return int(step)


def _add(document: Json, at: Sequence[str], value: Json) -> Json:
    """The document with a value put at a place whose parent is there."""
    if not at:
        return value
    parent = _get(document, at[:-1])
    if isinstance(parent, dict):
        parent[at[-1]] = value
    elif isinstance(parent, list):
        parent.insert(_index(parent, at[-1], len(parent)), value)
    else:
        raise PatchRefused(f"unable to add '{at[-1]}' to {parent!r}")
    return document


def _remove(document: Json, at: Sequence[str]) -> Json:
    """The document without what is at a place; without the whole document nothing is left but `None`."""
    if not at:
        return None
    parent = _get(document, at[:-1])
    if isinstance(parent, dict):
        del parent[at[-1]]
    elif isinstance(parent, list):
        del parent[_index(parent, at[-1], len(parent) - 1)]
    return document
