"""A state as lines, `["ports", "1/1", "enabled"] true`: the whole configuration of this NOS; and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from netaudit.state import ABSENT, Device, PolicyRule
from netaudit.state.walk import Path, leaves

LIVE = ("name", "platform", "place")


def lines(device: Device) -> Iterator[str]:
    """One line a leaf."""
    for path, value in leaves(device):
        if path[0] not in LIVE:
            yield f"{json.dumps(list(path))} {json.dumps(_said(value), sort_keys=True)}"


def _said(value: object) -> object:
    if value is ABSENT:
        return {"absent": True}
    if isinstance(value, Mapping):
        return {"table": True}
    if isinstance(value, frozenset):
        return {"set": sorted((_said(one) for one in value), key=json.dumps)}
    if isinstance(value, tuple):
        return {"tuple": [_said(one) for one in value]}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, PolicyRule):
        return {"rule": [value.prefix, value.up_to]}
    return value


def _meant(said: Any) -> object:
    if not isinstance(said, dict):
        return said
    ((kind, body),) = said.items()
    made: Mapping[str, Any] = {
        "absent": lambda: ABSENT,
        "table": lambda: {},
        "set": lambda: frozenset(_meant(one) for one in body),
        "tuple": lambda: tuple(_meant(one) for one in body),
        "fraction": lambda: Fraction(body),
        "rule": lambda: PolicyRule(prefix=body[0], up_to=body[1]),
    }
    return made[kind]()


def parsed(text: str) -> Mapping[Path, object]:
    """Path → value of each line. Raises `ValueError` for other text."""
    found: dict[Path, object] = {}
    decoder = json.JSONDecoder()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            path, at = decoder.raw_decode(line)
            found[tuple(path)] = _meant(json.loads(line[at:]))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(f"line {number} is no path and value: {error}") from None
    return found


def device(text: str, name: str) -> Device:
    """The state that the lines describe. Raises `ValueError`."""
    tree: dict[str, Any] = {}
    for path, value in parsed(text).items():
        at = tree
        for part in path[:-1]:
            at = at.setdefault(part, {})
            if not isinstance(at, dict):
                raise ValueError(f"{'.'.join(path)} is below a value")
        at[path[-1]] = value
    try:
        return Device(name=name, platform="vos", **_fields(Device, tree))
    except (TypeError, KeyError) as error:
        raise ValueError(f"no such leaf: {error}") from None


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    return get_type_hints(cls)


def _fields(cls: type, tree: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(_hints(cls)[name], body) for name, body in tree.items()}


def _value(hint: Any, body: Any) -> object:
    """A branch as the type that a field has for it; a leaf as it is."""
    if not isinstance(body, dict):
        return body
    one = next(h for h in _flat(hint) if is_dataclass(h) or (get_origin(h) is not None and len(get_args(h)) == 2))
    if is_dataclass(one):
        return one(**_fields(one, body))  # type: ignore[arg-type,operator]
    key, value = get_args(one)
    return {(int(k) if key is int else k): _value(value, v) for k, v in body.items()}


def _flat(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, UnionType):
        for one in get_args(hint):
            yield from _flat(one)
    elif hint is not NoneType:
        yield hint
