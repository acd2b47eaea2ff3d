"""The text of the site's own that each device gets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache

from netaudit import platforms
from netaudit.fabric import Fabric, FabricDevice
from netaudit.intent.schema.raw import Raw
from netaudit.intent.where import Where, parse
from netaudit.state import BlindSpot, Leaf


def raw_text(fabric: Fabric, device: FabricDevice) -> str:
    """The snippets of lines of one device, in the order of the list."""
    mine = ((entry, text) for entry, text in _snippets(fabric) if meets(entry, device))
    return "\n".join(text for entry, text in mine if not _of_tables(entry, device))


def raw_tables(fabric: Fabric, device: FabricDevice) -> Mapping[str, Mapping[str, Mapping[str, Leaf[str]]]]:
    """The rows of the snippets of tables of one device; where two say something of one field, the last in the list."""
    tables: dict[str, dict[str, dict[str, Leaf[str]]]] = {}
    for table, key, field, value, _ in raw_fields(fabric, device):
        row = tables.setdefault(table, {}).setdefault(key, {})
        row[field] = value
    return tables


def raw_fields(fabric: Fabric, device: FabricDevice) -> Iterator[tuple[str, str, str, str, int]]:
    """(table, row, field, value, number of its snippet) of each; a row without fields has one that says so."""
    for number, (entry, text) in enumerate(_snippets(fabric)):
        if meets(entry, device) and _of_tables(entry, device):
            for place, value in _fields(text):
                yield *place, value, number


@cache
def _fields(text: str) -> tuple[tuple[tuple[str, str, str], str], ...]:
    found: list[tuple[tuple[str, str, str], str]] = []
    for table, rows in json.loads(text).items():
        for key, row in rows.items():
            for field, value in (row or {NOTHING: NOTHING}).items():
                found.append(((table, key, field), ",".join(value) if isinstance(value, list) else value))
    return tuple(found)


NOTHING = "NULL"
"""The field of a row that has none, as Redis has it: a row that is there differs from none by it."""


def _of_tables(entry: Raw, device: FabricDevice) -> bool:
    return entry.file.endswith(platforms.platform(device.platform).RAW_TABLES)


def meets(entry: Raw, device: FabricDevice) -> bool:
    """Is the device one of those that a snippet is for?"""
    return _where(entry.where).covers(device.name, device.place, device.platform)


def raw_spots(fabric: Fabric, device: FabricDevice) -> Iterator[BlindSpot]:
    """What every report says of a device's snippets: that lines are there is audited, what they do is not."""
    for entry, _ in _snippets(fabric):
        if meets(entry, device):
            parts = "rows" if _of_tables(entry, device) else "lines"
            yield BlindSpot(
                what=f"raw {entry.file}",
                where=entry.where,
                reason=f"its {parts} are audited for presence, not for what they do; {entry.owner}, {entry.reason}",
            )


def _snippets(fabric: Fabric) -> Iterator[tuple[Raw, str]]:
    return zip(fabric.intent.model.raw, fabric.intent.raw, strict=True)


@cache
def _where(text: str) -> Where:
    return parse(text)
