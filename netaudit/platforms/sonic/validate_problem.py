"""One problem of a configuration, and how a check reads fields that may hold anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from netaudit.platforms.sonic.tables import Row, Tables, Value

PORT = re.compile(r"Ethernet\d+", re.ASCII)


class Problem(NamedTuple):
    """Where and what; rows with the same table, field and text are told as one."""

    table: str
    key: str
    field: str
    text: str

    @property
    def place(self) -> str:
        """`TABLE|key field`, as far as there is one."""
        return f"{self.table}{'|' + self.key if self.key else ''}{' ' + self.field if self.field else ''}"


def word(row: Mapping[str, Value], field: str) -> str:
    """A field without blanks around it; empty if it is not there."""
    value = row.get(field, "")
    return value.strip() if isinstance(value, str) else ",".join(value)


@lru_cache(maxsize=4_096)  # maps are read for every port that they are bound to
def number(text: str) -> int | None:
    """The number a text stands for; `None` for other text, which YANG tells."""
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 25 else None


def numbers(text: str) -> frozenset[int]:
    """`3,4` → {3, 4}; what is no number is left to YANG."""
    return frozenset(n for part in text.split(",") if (n := number(part.strip())) is not None)


def by_port(tables: Tables, name: str) -> dict[str, dict[str, Row]]:
    """Port → what stands behind it in the key → row. Keys of VOQ chassis, which name a system port, are left out."""
    result: dict[str, dict[str, Row]] = {}
    for key, row in tables.get(name, {}).items():
        port, _, rest = key.rpartition("|")
        if port and "|" not in port:
            for each in port.split(","):
                result.setdefault(each, {})[rest] = row
    return result


def members(text: str, most: int) -> tuple[int, ...]:
    """The numbers of `3`, `3-4` or `3,4`; what is none of them is left out."""
    return tuple(n for part in text.split(",") for n in span(part.strip(), most) or ())


def span(text: str, most: int) -> range | None:
    """`3` or `3-4` as a range; `None` for anything else, also a reversed one or one beyond `most`."""
    first, dash, last = text.partition("-")
    low, high = number(first), number(last) if dash else number(first)
    if low is None or high is None or not 0 <= low <= high <= most:
        return None
    return range(low, high + 1)


def dynamic(tables: Tables) -> bool:
    """Whether the switch computes headroom itself."""
    return word(tables.get("DEVICE_METADATA", {}).get("localhost", {}), "buffer_model") == "dynamic"
