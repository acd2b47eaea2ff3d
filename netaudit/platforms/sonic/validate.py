"""What is wrong with a SONiC configuration although SONiC's YANG models accept it (sonic.md section 9).

Everything here can be told from the files alone: nothing is asked of a device, and no model of the hardware is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from netaudit.platforms import Files
from netaudit.platforms.sonic import validate_buffers, validate_ports, validate_qos, validate_routing
from netaudit.platforms.sonic.tables import Row, Table, Tables, Value
from netaudit.platforms.sonic.validate_problem import Problem

Check = Callable[[Tables], Iterator[Problem]]

CHECKS: tuple[Check, ...] = (
    validate_ports.lanes,
    validate_ports.fec,
    validate_ports.names,
    validate_ports.breakouts,
    validate_ports.addresses,
    validate_ports.strangers,
    validate_buffers.ranges,
    validate_buffers.pools,
    validate_buffers.thresholds,
    validate_buffers.headroom,
    validate_buffers.directions,
    validate_buffers.references,
    validate_buffers.lossless,
    validate_buffers.computing,
    validate_buffers.cables,
    validate_qos.maps,
    validate_qos.references,
    validate_qos.chain,
    validate_qos.schedulers,
    validate_qos.marking,
    validate_qos.watchdog,
    validate_routing.rows,
)


def problems(files: Files) -> tuple[str, ...]:
    """`TABLE|key field: what is wrong`, one line for rows that have the same problem. Empty for a good configuration.

    A file that is not there is not judged. Never raises on text, whatever it holds.
    """
    found: list[Problem] = []
    tables: Tables = {}
    if "config_db.json" in files:
        tables = _tables(files["config_db.json"], found)
        for check in CHECKS:
            found.extend(check(tables))
    if files.get("frr.conf", "").strip():
        found.extend(validate_routing.frr(files["frr.conf"], tables if "config_db.json" in files else None))
    return tuple(_folded(found))


def _folded(found: Iterable[Problem]) -> Iterator[str]:
    """Equal problems of several rows as one line, in the order in which they were found."""
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in dict.fromkeys(found):
        alike.setdefault((problem.table, problem.field, problem.text), []).append(problem)
    for (_, _, text), rows in alike.items():
        more = f" (and {len(rows) - 1:,} more rows)" if len(rows) > 1 else ""
        yield f"{rows[0].place}: {text}{more}"


def _tables(text: str, found: list[Problem]) -> Tables:
    """The tables as far as they can be used; everything else is a problem of its own."""
    try:
        data = json.loads(text, object_pairs_hook=_pairs(found))
    except (ValueError, RecursionError) as error:
        found.append(Problem("config_db.json", "", "", f"not JSON: {error}"))
        return {}
    if not isinstance(data, dict):
        found.append(Problem("config_db.json", "", "", "not an object of tables"))
        return {}
    tables: Tables = {}
    for name, table in data.items():
        if not isinstance(table, dict):
            found.append(Problem(str(name), "", "", "not a table: an object of rows is expected"))
        elif not table:
            found.append(Problem(str(name), "", "", "an empty table: GCU refuses it, leave the table out"))
        else:
            tables[str(name)] = _rows(str(name), table, found)
    return tables


def _pairs(found: list[Problem]) -> Callable[[list[tuple[str, object]]], dict[str, object]]:
    """A hook for JSON objects that notes what stands in one twice; JSON would silently keep the last."""

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        result = dict(items)
        if len(result) == len(items):
            return result
        result.clear()
        for key, value in items:
            if key in result:
                found.append(Problem("config_db.json", "", "", f"`{key[:80]}` stands twice in one object"))
            result[key] = value
        return result

    return pairs


def _rows(name: str, table: dict[str, object], found: list[Problem]) -> Table:
    rows: Table = {}
    for key, row in table.items():
        if not isinstance(row, dict):
            found.append(Problem(name, key, "", "not a row: an object of fields is expected"))
            continue
        rows[key] = _row(name, key, row, found)
        first, _, _ = key.partition("|")
        if "," in first:
            found.append(Problem(name, key, "", "several ports in one key: write one row for each port"))
    return rows


def _row(name: str, key: str, row: dict[str, object], found: list[Problem]) -> Row:
    for value in row.values():
        if not isinstance(value, str) or "[" in value:
            break
    else:
        return cast(Row, row)  # nearly every row: nothing to look at in it
    result: Row = {}
    for field, value in row.items():
        kept = _value(value)
        if kept is None or not (isinstance(value, str) or _is_texts(value)):
            shown = json.dumps(value)[:40]
            found.append(Problem(name, key, field, f'{shown} is no text: every value is a string, as "9100"'))
        if kept is not None:
            result[field] = kept
            if any(_is_bracketed(part) for part in ([kept] if isinstance(kept, str) else kept)):
                found.append(Problem(name, key, field, "a reference in brackets is dead: write the bare name"))
    return result


def _value(value: object) -> Value | None:
    """The value as text, so that other checks still see it; `None` for what no field can hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return [str(part) for part in value]
    return None


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_bracketed(text: str) -> bool:
    """`[BUFFER_PROFILE|x]`, alone or in a list: how references were written up to 2021 (sonic.md section 0)."""
    return "[" in text and any(part.strip().startswith("[") and "|" in part for part in text.split(","))
