"""What can be read of an intent although parts of it are wrong: one run shows the problems of all the others."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from netaudit.intent.schema import IntentModel
from netaudit.intent.text import Data


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """A model, and the dotted paths of it that could be read; whatever lies below one of them could be, too."""

    model: IntentModel
    readable: frozenset[str]

    def has(self, needs: frozenset[str]) -> bool:
        """Whether everything that is needed could be read. `units.*`: at least some entries of a mapping."""
        return all(self._has(need) for need in needs)

    def _has(self, need: str) -> bool:
        parts = need.split(".")
        return any(".".join(parts[:length]) in self.readable for length in range(1, len(parts) + 1))


def whole(model: IntentModel) -> Partial:
    """A model without errors."""
    return Partial(model=model, readable=frozenset(IntentModel.model_fields))


def partial(data: Mapping[str, Data]) -> Partial:
    """All that can be read of `data`, each field by itself; one that is not there has its default, if it has one."""
    model, readable = _read(IntentModel, data, "")
    return Partial(model=cast(IntentModel, model), readable=frozenset(readable))


def section_of(annotation: object) -> tuple[type[BaseModel] | None, bool]:
    """(the model inside a type, whether a free key or an index stands between)."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    origin = typing.get_origin(annotation)
    free = isinstance(origin, type) and issubclass(origin, (Mapping, tuple))
    for argument in typing.get_args(annotation):
        model, _ = section_of(argument)
        if model is not None:
            return model, free
    return None, free


def _read(section: type[BaseModel], data: Mapping[str, Data], prefix: str) -> tuple[BaseModel, set[str]]:
    values: dict[str, object] = {}
    readable: set[str] = set()
    for name, field in section.model_fields.items():
        key, path = field.alias or name, f"{prefix}{name}"
        if key not in data:
            if not field.is_required():
                values[name] = field.get_default(call_default_factory=True)
                readable.add(path)
            continue
        try:
            values[name] = _reader(section, name).validate_python(data[key])
        except ValidationError:
            inner, free = section_of(field.annotation)
            value = data[key]
            if inner is not None and isinstance(value, Mapping):
                values[name], below = _entries(inner, value, path) if free else _read(inner, value, f"{path}.")
                readable |= below
        else:
            readable.add(path)
    return section.model_construct(None, **values), readable


def _entries(section: type[BaseModel], data: Mapping[str, Data], path: str) -> tuple[Mapping[str, BaseModel], set[str]]:
    """The entries of a mapping with free keys that can be read as a whole."""
    found: dict[str, BaseModel] = {}
    for name, value in data.items():
        try:
            found[name] = section.model_validate(value)
        except ValidationError:
            continue
    return found, {f"{path}.*"} if found else set()


@cache
def _reader(section: type[BaseModel], name: str) -> TypeAdapter[object]:
    """What reads one field alone."""
    info = section.model_fields[name]
    annotation = cast(
        "type[object]", Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
    )
    return TypeAdapter(annotation, config=None if hasattr(annotation, "model_config") else {"strict": True})
