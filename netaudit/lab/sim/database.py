"""What a switch's databases hold, in JSON form and in the form Redis keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from netaudit.diag import Diagnostic, Invalid

Value: TypeAlias = str | list[str]
"""A field: text, or a leaf-list."""
Row: TypeAlias = dict[str, Value]
Table: TypeAlias = dict[str, Row]
Config: TypeAlias = dict[str, Table]
"""CONFIG_DB as config_db.json has it: table → key (parts joined with `|`) → field → value."""
Hash: TypeAlias = Mapping[str, str]
"""A row as Redis keeps it and a target-form Get shows it."""


def copy_of(config: Config) -> Config:
    """A copy that shares nothing that is ever changed; leaf-lists are replaced whole, never in place."""
    return {table: {key: dict(row) for key, row in rows.items()} for table, rows in config.items()}


def read_config(text: str, name: str) -> Config:
    """CONFIG_DB from the text of a config_db.json.

    Raises `Invalid` with every problem: no JSON, a table or row that is none, a value that no database can hold.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Invalid([Diagnostic(message=f"{name}: {error}")]) from error
    problems: list[str] = []
    config = config_of(data, problems)
    if problems:
        raise Invalid([Diagnostic(message=f"{name}: {problem}") for problem in problems])
    return config


def config_of(data: object, problems: list[str]) -> Config:
    """CONFIG_DB from parsed JSON; what does not fit is named in `problems` and left out."""
    if not isinstance(data, dict):
        problems.append("the whole is not a JSON object")
        return {}
    config: Config = {}
    for table, rows in data.items():
        if not isinstance(rows, dict):
            problems.append(f"table {table} is not a JSON object")
            continue
        config[table] = {}
        for key, row in rows.items():
            if not isinstance(row, dict):
                problems.append(f"{table}|{key} is not a JSON object")
                continue
            config[table][key] = _row_of(row, f"{table}|{key}", problems)
    return config


def _row_of(row: Mapping[str, object], where: str, problems: list[str]) -> Row:
    """One row; numbers become text, as the loader of the box does it."""
    made: Row = {}
    for field, value in row.items():
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            made[field] = value
        elif isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            made[field] = str(value)
        else:
            problems.append(f"{where}: the value of {field} is neither text nor a list of texts")
    return made


def config_text(config: Config) -> str:
    """The text that `config save` writes: sorted, indented by four, no empty table."""
    return json.dumps({table: rows for table, rows in config.items() if rows}, indent=4, sort_keys=True) + "\n"


def merged(config: Config, more: Config) -> Config:
    """`config` with the fields of `more` written over it; nothing is deleted."""
    made = copy_of(config)
    for table, rows in more.items():
        for key, row in rows.items():
            made.setdefault(table, {}).setdefault(key, {}).update(row)
    return made


def hash_of(row: Row) -> Hash:
    """The row as a Redis hash: a list is `name@`, joined with commas; a row without fields holds NULL (sonic.md 0)."""
    if not row:
        return {"NULL": "NULL"}
    return {
        (f"{field}@" if isinstance(value, list) else field): (",".join(value) if isinstance(value, list) else value)
        for field, value in row.items()
    }


def text(row: Mapping[str, Value], field: str, default: str = "") -> str:
    """A field as text; a list joined with commas."""
    value = row.get(field, default)
    return ",".join(value) if isinstance(value, list) else value


def metadata(config: Config) -> Row:
    """The row DEVICE_METADATA|localhost, empty where there is none."""
    return config.get("DEVICE_METADATA", {}).get("localhost", {})


def find(table: Mapping[str, Hash], elems: Sequence[str], separator: str) -> object | None:
    """What `elems` name in a table: a row, or a field of one; `None` for neither.

    Without elements it is the whole table. Elements are parts of the key first, joined with the separator of the
    database; the last one is a field where the row is called without it.
    """
    if not elems:
        return {key: dict(row) for key, row in table.items()} or None
    row = table.get(separator.join(elems))
    if row is not None:
        return dict(row)
    if len(elems) > 1:
        row = table.get(separator.join(elems[:-1]))
        return None if row is None else row.get(elems[-1])
    return None
