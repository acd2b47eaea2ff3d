"""Cumulus Linux by nvueschema, models made of the schema that NVIDIA publishes for each release of NVUE.

The models ignore keys that they do not know; those are found here, by walking data and model in step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import resolve_name
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from netaudit.platforms import Files, nvue
from netaudit.platforms.nvue.config import tree_of, version_of
from netaudit.platforms.nvue.words import release
from netaudit.state import Device

LIBRARY = "nvueschema"


def witness(files: Files, device: Device) -> tuple[str, tuple[str, ...]] | None:
    """What the models of the rendered version object to; `None` where there are none of it, or none at all."""
    text = files[nvue.FILES[0]]
    found = problems(tree_of(text), release(version_of(text)))
    return None if found is None else (LIBRARY, found)


def problems(tree: Mapping[str, object], version: tuple[int, int]) -> tuple[str, ...] | None:
    """What a release's model has against the tree below `set`, one line each; `None` where there is no model."""
    model = _model(version)
    if model is None:
        return None
    try:
        model.model_validate(tree)  # type: ignore[attr-defined]  # a pydantic model
    except ValueError as error:
        return tuple(line for line in str(error).splitlines() if line.strip())
    return tuple(_unknown(tree, model, ""))


@cache
def _model(version: tuple[int, int]) -> type | None:
    if find_spec("nvueschema") is None:
        return None
    versions: tuple[str, ...] = import_module("nvueschema.models._versions").VERSIONS
    if f"{version[0]}.{version[1]}" not in versions:
        return None
    found: type = resolve_name(f"nvueschema.models.v{version[0]}_{version[1]}:NvueConfig")
    return found


def _unknown(data: object, kind: object, at: str) -> Iterator[str]:
    """Keys that no branch of a type knows."""
    kinds = [one for one in _branches(kind) if get_origin(one) is dict or hasattr(one, "model_fields")]
    if not isinstance(data, Mapping) or not kinds:
        return
    for key, value in data.items():
        below = [found for one in kinds for found in _below(one, str(key))]
        if not below:
            yield f"{at}/{key}: no such key"
        else:
            yield from min((list(_unknown(value, one, f"{at}/{key}")) for one in below), key=len)


def _branches(kind: object) -> Iterator[object]:
    """The types that a type stands for."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _branches(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for one in get_args(kind):
            yield from _branches(one)
    else:
        yield kind


def _below(kind: object, key: str) -> Iterator[object]:
    """What a key of a dictionary or of a model may hold."""
    if get_origin(kind) is dict:
        yield get_args(kind)[1]
        return
    for name, field in getattr(kind, "model_fields", {}).items():
        if key == (field.alias or name):
            yield field.annotation
