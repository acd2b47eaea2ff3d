"""How long cables are, as their plugs say: `show interface transceiver | json`.

The field `len_cu` is byte 146 of SFF-8636, the length of a cable assembly in whole metres. Of an optic NX-OS prints
there how far it reaches (a QSFP-40G-CSR4 has `200`), so the type of the plug decides. Both stand in public outputs of
Nexus 9000 (`QSFP-100G-PCC` with `3`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from netaudit.platforms.nxos.answers_text import Unreadable, is_port, key_of, parsed, rows, word
from netaudit.state import ABSENT, Leaf

BEYOND_M = 255
"""Stands for "more than 254 m" (SFF-8636 byte 146)."""
ASSEMBLY = re.compile(r"PCC|AOC|ACU|DAC|(?<![A-Z])CU(?=\d|$)|(?<![A-Z])(?:CR|AC)\d", re.ASCII | re.IGNORECASE)
"""In the type of a plug whose cable is fixed to it: passive and active copper, active optical cables."""
Lengths = tuple[Mapping[str, Leaf[float]], tuple[tuple[str, str], ...]]
"""Port → length, `ABSENT` where its plug tells none; and (port, why) of what it tells that nobody can believe."""


def read_lengths(text: str) -> Lengths:
    """The lengths of all ports in the answer. Raises `Unreadable`."""
    found: dict[str, Leaf[float]] = {}
    doubts: list[tuple[str, str]] = []
    for row in rows(parsed(text), "interface"):
        name = word(row, "interface")
        if is_port(name):
            found[key_of(name)], why = _length(row)
            if why:
                doubts.append((key_of(name), why))
    if not found and text.strip():
        raise Unreadable("no front panel port in the answer")
    return found, tuple(doubts)


def _length(row: Mapping[str, object]) -> tuple[Leaf[float], str]:
    told = word(row, "len_cu")
    if not told or not ASSEMBLY.search(word(row, "type")):
        return ABSENT, ""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,3})?", told, re.ASCII):
        return ABSENT, f"its plug tells a length of {told[:40]!r}, which is no number"
    length_m = float(told)
    if length_m == BEYOND_M:
        return ABSENT, f"its plug tells {told} m, which stands for any length above 254 m"
    if length_m > BEYOND_M:
        return ABSENT, f"its plug tells {told} m, and 254 m is the most that its EEPROM can say"
    return (length_m, "") if length_m else (ABSENT, "")
