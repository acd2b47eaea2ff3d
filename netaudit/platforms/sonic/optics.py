"""How long the cable at each port is, as its plug says: STATE_DB TRANSCEIVER_INFO, filled by xcvrd from the EEPROM."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from netaudit.platforms.sonic.tables import Row, text
from netaudit.state import ABSENT, Leaf

TABLE: Final = "TRANSCEIVER_INFO"
ASSEMBLY: Final = ("Length Cable Assembly(m)", "LengthCable(UnitsOfm)")
"""`cable_type` where `cable_length` is that of a cable: sonic-platform-common sff8436.py, sff8472.py and cmis.py. With
another type (`Length OM3(2m)`, `Length(km)`) it is how far the optic reaches, in other units."""
BEYOND_M: Final = 255
"""SFF-8636 byte 146 and SFF-8472 byte 18: 255 stands for "more than 254 m"."""
MOST_M: Final = 6_300
"""CMIS 5.0 byte 202: 63 times 100 m is the most that it can say."""
_NUMBER = re.compile(r"([-+]?)(\d{1,9}(?:\.\d{1,9})?)", re.ASCII)
_NOTHING: Final = ("", "N/A", "None")


def read_lengths(
    table: Mapping[str, Row] | None, keys: Mapping[str, str]
) -> tuple[Mapping[str, Leaf[float]] | None, tuple[tuple[str, str], ...]]:
    """Port → length, `ABSENT` where the plug tells none; and (port, why) of what it tells and nobody can believe."""
    if table is None:
        return None, ()
    lengths: dict[str, Leaf[float]] = {}
    doubts: list[tuple[str, str]] = []
    for name, row in table.items():
        port = keys.get(name, name)
        length_m, why = read_length(row)
        lengths[port] = length_m
        if why:
            doubts.append((port, why))
    return lengths, tuple(doubts)


def read_length(row: Row) -> tuple[Leaf[float], str]:
    """The length of a cable with fixed ends, or `ABSENT` and, where there is a reason not to believe it, that."""
    kind, told = text(row, "cable_type"), text(row, "cable_length")
    if not isinstance(told, str) or told in _NOTHING or kind not in ASSEMBLY:
        return ABSENT, ""
    found = _NUMBER.fullmatch(told)
    if found is None:
        return ABSENT, f"its plug tells a length of {told[:40]!r}, which is no number"
    length_m = float(found[2])
    if length_m == 0:
        return ABSENT, ""  # CMIS: the connector can be separated, so the plug cannot know the cable
    if found[1] == "-":
        return ABSENT, f"its plug tells a length of {told} m, less than none"
    if length_m == BEYOND_M:
        return ABSENT, f"its plug tells {told} m, which stands for any length above 254 m"
    if length_m > MOST_M:
        return ABSENT, f"its plug tells {told} m, and {MOST_M:,} m is the most that an EEPROM can say"
    return length_m, ""
