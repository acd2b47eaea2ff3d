"""The JSON of a device's answers, and the parts of it: whatever is not what it should be is an error, never a value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

MOST_CHARACTERS: Final = 64 * 1024 * 1024
"""Of one answer: twelve times the BGP table of the largest fabric of the design."""


class Unreadable(ValueError):
    """An answer that cannot be used; the text says why."""


def parsed(text: str) -> object:
    """The value of an answer. A number with a dot stays text: as a float, AS 65000.10 would become 65000.1."""
    values = all_of(text)
    if len(values) != 1:
        raise Unreadable(f"{len(values)} JSON values in place of one")
    return values[0]


def all_of(text: str) -> list[object]:
    """All JSON values of an answer: before FRR 10.1, zebra prints one after the other, one a VRF (FRR #15632)."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"an answer of more than {MOST_CHARACTERS:,} characters")
    decoder, body, at = json.JSONDecoder(parse_float=str), text.strip(), 0
    found: list[object] = []
    try:
        while not found or at < len(body):
            value, at = decoder.raw_decode(body, at)
            found.append(value)
            while body[at : at + 1].isspace():
                at += 1
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON, perhaps cut off: {error}") from None
    return found


def table(value: object, what: str) -> Mapping[str, object]:
    """An object. Raises `Unreadable` for anything else."""
    if not isinstance(value, Mapping):
        raise Unreadable(f"{what}: not a JSON object")
    return value


def part(value: object, *path: str) -> Mapping[str, object]:
    """An object further down; empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def rows(value: object) -> list[Mapping[str, object]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def word(value: object) -> str:
    """A text without blanks and quotes around it; empty for anything else."""
    return value.strip().strip('"').strip() if isinstance(value, str) else ""
