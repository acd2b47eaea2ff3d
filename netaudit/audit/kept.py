"""An audit as it is kept and read back whole: every field of every value, by the types of the dataclasses themselves.

The JSON of `-o json` is for programs of others and has its own shape; this one is for `netaudit report` alone.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from math import isfinite
from typing import Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from netaudit.audit.findings import AuditResult, FailOn
from netaudit.diag import Diagnostic, Invalid, Severity, Source

FORMAT: Final = 1
_AGAIN: Final = "make a new one: netaudit audit INTENT"

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def dump(result: AuditResult, fail_on: FailOn = Severity.ERROR) -> bytes:
    """The audit, and what it was to fail on, as bytes that `load` gives back."""
    data = {"format": FORMAT, "fail_on": str(fail_on), "result": _plain(result)}
    return (json.dumps(data, ensure_ascii=True, separators=(",", ":")) + "\n").encode("ascii")


def load(raw: bytes, file: str) -> tuple[AuditResult, FailOn]:
    """What `dump` wrote. Raises `Invalid` for anything that is not exactly that; `file` is named in the message."""
    try:
        data = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _invalid(file, "this is not JSON, or it is cut off") from None
    if not isinstance(data, dict) or data.keys() != {"format", "fail_on", "result"}:
        raise _invalid(file, "this is not an audit that netaudit has kept")
    if data["format"] != FORMAT or isinstance(data["format"], bool):
        raise _invalid(file, f"this audit has format {data['format']!r}; this version reads format {FORMAT}")
    try:
        given = _read(str, data["fail_on"], "fail_on")
        fail_on: FailOn = "new" if given == "new" else Severity(str(given))
        result = _read(AuditResult, data["result"], "result")
    except (_WrongShape, ValueError) as error:
        raise _invalid(file, f"this audit cannot be read back: {error}") from None
    if not isinstance(result, AuditResult):
        raise AssertionError("a dataclass is read as itself")
    return result, fail_on


class _WrongShape(Exception):
    """A value is not of the type its place has."""


def _invalid(file: str, message: str) -> Invalid:
    return Invalid([Diagnostic(message=message, source=Source(file=file, line=1), hint=_AGAIN)])


def _plain(value: object) -> Json:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, frozenset):
        return sorted((_plain(v) for v in value), key=str)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no form in a kept audit")


def _read(wanted: object, data: object, at: str) -> object:
    """`data` as the type `wanted`; nothing is converted that `_plain` did not make."""
    origin = get_origin(wanted)
    if origin in (Union, types.UnionType):
        return _read_union(get_args(wanted), data, at)
    if origin is Literal:
        return data if data in get_args(wanted) else _wrong(at)
    if origin is tuple or origin is frozenset:
        return _read_items(wanted, data, at)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        value = get_args(wanted)[1]
        return {k: _read(value, v, f"{at}.{k}") for k, v in data.items()} if isinstance(data, dict) else _wrong(at)
    if not isinstance(wanted, type):
        raise TypeError(f"{at}: {wanted!r} has no form in a kept audit")
    if is_dataclass(wanted):
        return _read_object(wanted, data, at)
    return _read_single(wanted, data, at)


def _read_union(choices: tuple[object, ...], data: object, at: str) -> object:
    if data is None:
        return None if type(None) in choices else _wrong(at)
    (wanted,) = (c for c in choices if c is not type(None))
    return _read(wanted, data, at)


def _read_items(wanted: object, data: object, at: str) -> object:
    if not isinstance(data, list):
        return _wrong(at)
    inside = get_args(wanted)
    if get_origin(wanted) is frozenset:
        return frozenset(_read(inside[0], item, f"{at}[{i}]") for i, item in enumerate(data))
    each = inside[:1] * len(data) if inside[-1] is Ellipsis else inside
    if len(each) != len(data):
        return _wrong(at)
    return tuple(_read(t, item, f"{at}[{i}]") for i, (t, item) in enumerate(zip(each, data, strict=True)))


def _read_object(wanted: type, data: object, at: str) -> object:
    if not isinstance(data, dict):
        return _wrong(at)
    known = {f.name: f for f in fields(wanted)}
    unknown = data.keys() - known.keys()
    missing = [n for n, f in known.items() if n not in data and f.default is MISSING and f.default_factory is MISSING]
    if unknown or missing:
        raise _WrongShape(f"{at} {'knows no' if unknown else 'lacks'} `{min(unknown or missing)}`")
    hints = get_type_hints(wanted)
    return wanted(**{name: _read(hints[name], value, f"{at}.{name}") for name, value in data.items()})


def _read_single(wanted: type, data: object, at: str) -> object:
    if wanted is float:
        return _finite(data, at)
    if wanted in (str, int, bool):
        return data if type(data) is wanted else _wrong(at)
    if not isinstance(data, str):
        return _wrong(at)
    try:
        if wanted is datetime:
            when = datetime.fromisoformat(data)
            if when.tzinfo is None:
                return _wrong(at)
            when.astimezone(UTC)  # a report will: the last hours of the year 9999 have no such time
            return when
        if wanted is date:
            return date.fromisoformat(data)
        return wanted(data)
    except (ValueError, OverflowError):
        return _wrong(at)


def _finite(data: object, at: str) -> object:
    """A number that can be reckoned with: JSON as Python reads it knows NaN, and integers of any size."""
    try:
        if isinstance(data, int | float) and not isinstance(data, bool) and isfinite(data):
            return float(data)
    except OverflowError:
        return _wrong(at)
    return _wrong(at)


def _wrong(at: str) -> object:
    raise _WrongShape(f"{at} is not what it must be")
