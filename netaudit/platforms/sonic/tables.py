"""CONFIG_DB tables as they come and go: JSON of strings, and the few ways to read a field of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, TypeVar

from netaudit.state import ABSENT, Absent, Leaf

Value: TypeAlias = "str | list[str]"
Row: TypeAlias = "dict[str, Value]"
Table: TypeAlias = "dict[str, Row]"
Tables: TypeAlias = "dict[str, Table]"
Seen: TypeAlias = "Mapping[str, Mapping[str, Row] | None]"
"""Tables as observed: `{}` is absent on the device, `None` was not seen."""

MOST_VALUES = 3_000_000
"""Values in one JSON text. The largest is FRR's table: prefixes of 1,500 leaves, 64 paths each, 25 values a path."""

T = TypeVar("T")

ABSENT_TABLE: Mapping[str, Row] = {}


class Unreadable(ValueError):
    """A device's text is not what this NOS writes; the message says which table and what."""


def parse_database(text: str) -> Tables:
    """CONFIG_DB from `config_db.json` text. Raises `Unreadable` for anything but an object of tables of rows."""
    try:
        data = json.loads(bounded(text), object_pairs_hook=once, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise Unreadable("not a JSON object of tables")
    return {str(name): rows(name, table) for name, table in data.items()}


def bounded(text: str) -> str:
    """The JSON text, if it has no more values than a switch has. Raises `Unreadable`.

    Counted before it is parsed: 9 MB of `[],` become 300 MB of lists.
    """
    values = text.count(",") + text.count("[") + text.count("{")
    if values > MOST_VALUES:
        raise Unreadable(f"an answer of {values:,} values; {MOST_VALUES:,} are the most that is read")
    return text


def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that stands twice would drop what the first one says."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        # `add` gives None: true is the first key that was there already
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
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


_BRACKETS = re.compile(r"\[\w+[|:]([^\[\]]*)\]", re.ASCII)


def reference(row: Mapping[str, Value], field: str) -> Leaf[str]:
    """A field that names rows of another table, as bare names: up to 2021 SONiC wrote `[BUFFER_PROFILE|x]`."""
    value = text(row, field)
    return _BRACKETS.sub(r"\1", value) if isinstance(value, str) and "[" in value else value


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
    if not dot:
        return integer(high, what)
    parts = integer(high, what), integer(low, what)
    if not all(0 <= part < 65_536 for part in parts):
        raise Unreadable(f"{what} is {value[:40]!r}, not a number of 16 bits on both sides of the dot")
    return parts[0] * 65_536 + parts[1]


def each(table: str, found: Mapping[str, Row], read: Callable[[Row], T]) -> dict[str, T]:
    """Every row, read. Raises `Unreadable` that names the row."""
    result: dict[str, T] = {}
    for key, row in found.items():
        try:
            result[key] = read(row)
        except Unreadable as error:
            raise Unreadable(f"{table}|{key} {error}") from None
    return result


def port_rows(table: Mapping[str, Row]) -> Iterator[tuple[str, str, Row]]:
    """(port, what stands behind it in the key, row). Older keys hold several ports: `Ethernet0,Ethernet4|3`."""
    for key, row in table.items():
        ports, _, rest = key.partition("|")
        for port in ports.split(",") if "," in ports else (ports,):
            yield port.strip(), rest, row


_LONGEST = 40
"""Characters of the longest set that means something: sixteen numbers, one by one (sonic-buffer-queue.yang)."""
_NUMBERS = re.compile(r"\d{1,2}(-\d{1,2})?(,\d{1,2}(-\d{1,2})?)*", re.ASCII)


def singles(numbers_: str) -> tuple[str, ...]:
    """`3-4` and `3,4` → (`3`, `4`); what is no set of queues or groups stays as it is."""
    if len(numbers_) > _LONGEST or not _NUMBERS.fullmatch(numbers_):
        return (numbers_,)
    found: list[str] = []
    for part in numbers_.split(","):
        first, dash, last = part.partition("-")
        found += [str(n) for n in range(int(first), int(last if dash else first) + 1)] or [part]
    return tuple(found)


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


@lru_cache(maxsize=256)
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
        if type(value) is str:  # most of them
            written[name] = value
        elif isinstance(value, list):
            written[name] = [str(v) for v in value]
        elif isinstance(value, bool):
            written[name] = "true" if value else "false"
        elif isinstance(value, tuple | frozenset):
            written[name] = ",".join(str(v) for v in (sorted(value) if isinstance(value, frozenset) else value))
        else:
            written[name] = str(value)
    return written


@lru_cache(maxsize=16_384)  # the same names stand in table after table, on device after device
def natural(name: str) -> tuple[object, ...]:
    """Sort key that puts `Ethernet8` before `Ethernet16`."""
    parts = _NUMBER_OR_CHARACTER.findall(name + "\0")
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


_NUMBER_OR_CHARACTER = re.compile(r"\d+|\D")


def _ordered(row: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    found = tuple(row)
    order = _in_order(found)
    return tuple(row.items()) if order == found else tuple((field, row[field]) for field in order)


@lru_cache(maxsize=1_024)
def _in_order(fields_: tuple[str, ...]) -> tuple[str, ...]:
    """The fields of a row as they are written; rows of one table mostly have the same ones."""
    return tuple(sorted(fields_, key=natural))


def dump(tables: Mapping[str, Mapping[str, Mapping[str, Value]]]) -> str:
    """`config_db.json` text: tables and keys in a fixed order, so that equal configurations are equal bytes."""
    ordered = {
        name: {key: _ordered(table[key]) for key in sorted(table, key=natural)}
        for name, table in sorted(tables.items())
        if table
    }
    if not ordered:
        return "{}\n"
    inside = ",\n".join(f"    {_quoted(name)}: {_table(table)}" for name, table in ordered.items())
    return "{\n" + inside + "\n}\n"


def _table(table: Mapping[str, tuple[tuple[str, Value], ...]]) -> str:
    inside = ",\n".join(f"        {_quoted(key)}: {_row(row)}" for key, row in table.items())
    return "{\n" + inside + "\n    }"


def _row(row: tuple[tuple[str, Value], ...]) -> str:
    """A row as `json.dumps(indent=4)` writes it. That one is Python; without `indent` it is C, five times as fast."""
    if any(isinstance(value, list) for _, value in row):
        return json.dumps(dict(row), indent=4, ensure_ascii=False).replace("\n", "\n        ")
    return _plain_row(row)


@lru_cache(maxsize=4_096)  # the same row stands there for port after port, on device after device
def _plain_row(row: tuple[tuple[str, Value], ...]) -> str:
    if not row:
        return "{}"
    text = json.dumps(dict(row), ensure_ascii=False, separators=(",\n            ", ": "))
    return "{\n            " + text[1:-1] + "\n        }"


@lru_cache(maxsize=16_384)  # as `natural`
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
