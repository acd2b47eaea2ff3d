"""CONFIG_DB tables as they come and go: JSON of strings, and the few ways to read a field of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from netaudit.state import ABSENT, Absent, Leaf

Value: TypeAlias = "str | list[str]"
Row: TypeAlias = "dict[str, Value]"
Table: TypeAlias = "dict[str, Row]"
Tables: TypeAlias = "dict[str, Table]"
Seen: TypeAlias = "Mapping[str, Mapping[str, Row] | None]"
"""Tables as observed: `{}` is absent on the device, `None` was not seen."""

T = TypeVar("T")

ABSENT_TABLE: Mapping[str, Row] = {}


class Unreadable(ValueError):
    """A device's text is not what this NOS writes; the message says which table and what."""


def parse_database(text: str) -> Tables:
    """CONFIG_DB from `config_db.json` text. Raises `Unreadable` for anything but an object of tables of rows."""
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise Unreadable("not a JSON object of tables")
    return {str(name): rows(name, table) for name, table in data.items()}


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that stands twice would drop what the first one says."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise Unreadable(f"the key {twice[:60]!r} stands twice in one object")
    return found


def rows(name: str, table: object) -> Table:
    """One table, every value a string or a list of strings. Raises `Unreadable`."""
    if not isinstance(table, Mapping):
        raise Unreadable(f"table {name} is not an object")
    result: Table = {}
    for key, row in table.items():
        if not isinstance(row, Mapping):
            raise Unreadable(f"{name}|{key} is not an object")
        result[str(key)] = dict(_field(name, key, str(f), v) for f, v in row.items() if (f, v) != ("NULL", "NULL"))
    return result


def _field(table: str, key: object, field: str, value: object) -> tuple[str, Value]:
    """A field as `config_db.json` has it. Redis writes a list as `name@`, and an empty row as NULL (sonic.md 0)."""
    read = _value(table, key, field, value)
    if field.endswith("@") and isinstance(read, str):
        return field[:-1], read.split(",") if read else []
    return field, read


def _value(table: str, key: object, field: object, value: object) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, Sequence):
        return [str(v) for v in value]
    raise Unreadable(f"{table}|{key} {field} is neither text nor a list")


def seen(tables: Seen, name: str) -> Mapping[str, Row] | None:
    """The rows of a table; `None` if it was not collected."""
    return tables.get(name)


def text(row: Mapping[str, Value], field: str) -> Leaf[str]:
    """A field, without blanks around it (they ship in vendor files, ecn.md section 4)."""
    value = row.get(field)
    if value is None:
        return ABSENT
    return ",".join(value) if isinstance(value, list) else value.strip()


def number(row: Mapping[str, Value], field: str) -> Leaf[int]:
    """A whole number. Raises `Unreadable` for other text."""
    value = text(row, field)
    if value is ABSENT or value is None:
        return ABSENT
    return integer(value, field)


def integer(value: str, what: str) -> int:
    """The number a text stands for. Raises `Unreadable`: int() would take `1_000` and other alphabets."""
    stripped = value.strip()
    if not (stripped.isascii() and stripped.removeprefix("-").isdigit() and len(stripped) < 20):
        raise Unreadable(f"{what} is {value[:40]!r}, not a number")
    return int(stripped)


def numbers(value: str, what: str) -> tuple[int, ...]:
    """`3,4` → (3, 4); empty text → ()."""
    return tuple(integer(part, what) for part in value.split(",") if part.strip())


def asn(value: str, what: str) -> int:
    """An AS number as asplain, or as asdot: `64086.59904` (RFC 5396). Raises `Unreadable`."""
    high, dot, low = value.partition(".")
    return integer(high, what) * 65536 + integer(low, what) if dot else integer(high, what)


def each(table: str, found: Mapping[str, Row], read: Callable[[Row], T]) -> dict[str, T]:
    """Every row, read. Raises `Unreadable` that names the row."""
    result: dict[str, T] = {}
    for key, row in found.items():
        try:
            result[key] = read(row)
        except Unreadable as error:
            raise Unreadable(f"{table}|{key} {error}") from None
    return result


def flag(row: Mapping[str, Value], field: str, on: str, off: str, default: bool | Absent) -> Leaf[bool]:
    """A switch with two words; anything else reads as `ABSENT`, which equals neither."""
    value = text(row, field)
    if value is ABSENT:
        return default
    return True if value == on else False if value == off else ABSENT


def alpha(exponent: int) -> Fraction:
    """`dynamic_th` n → 2^n, -8 to 7 (sonic.md section 3)."""
    if not -8 <= exponent <= 7:
        raise Unreadable(f"dynamic_th {exponent} is not in -8..7")
    return Fraction(2) ** exponent


def exponent(value: Fraction) -> int:
    """The nearest `dynamic_th` at or below an alpha."""
    n = -8
    while n < 7 and Fraction(2) ** (n + 1) <= value:
        n += 1
    return n


def fields(row: Mapping[str, object]) -> Row:
    """A row to write: unset and absent leaves left out, numbers as strings, as SONiC demands (sonic.md section 0)."""
    written: Row = {}
    for name, value in row.items():
        if value is None or value is ABSENT:
            continue
        if isinstance(value, list):
            written[name] = [str(v) for v in value]
        elif isinstance(value, bool):
            written[name] = "true" if value else "false"
        elif isinstance(value, tuple | frozenset):
            written[name] = ",".join(str(v) for v in (sorted(value) if isinstance(value, frozenset) else value))
        else:
            written[name] = str(value)
    return written


def natural(name: str) -> tuple[object, ...]:
    """Sort key that puts `Ethernet8` before `Ethernet16`."""
    parts: list[object] = []
    digits = ""
    for char in name + "\0":
        if char.isdigit():
            digits += char
            continue
        if digits:
            parts.append((0, int(digits)))
            digits = ""
        parts.append((1, char))
    return tuple(parts)


def dump(tables: Mapping[str, Mapping[str, Mapping[str, Value]]]) -> str:
    """`config_db.json` text: tables and keys in a fixed order, so that equal configurations are equal bytes."""
    ordered = {
        name: {
            key: dict(sorted(row.items(), key=lambda i: natural(i[0])))
            for key, row in sorted(table.items(), key=lambda i: natural(i[0]))
        }
        for name, table in sorted(tables.items())
        if table
    }
    return json.dumps(ordered, indent=4, ensure_ascii=False) + "\n"
