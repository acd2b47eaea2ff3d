"""The words by which EOS says how fast a port is, and on how many lanes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[tuple[int, int], str]] = {
    (1_000, 1): "1g",
    (10_000, 1): "10g",
    (25_000, 1): "25g",
    (40_000, 4): "40g-4",
    (50_000, 1): "50g-1",
    (50_000, 2): "50g-2",
    (100_000, 1): "100g-1",
    (100_000, 2): "100g-2",
    (100_000, 4): "100g-4",
    (200_000, 1): "200g-1",
    (200_000, 2): "200g-2",
    (200_000, 4): "200g-4",
    (400_000, 2): "400g-2",
    (400_000, 4): "400g-4",
    (400_000, 8): "400g-8",
    (800_000, 4): "800g-4",
    (800_000, 8): "800g-8",
    (1_600_000, 8): "1.6t-8",
}
"""(Mb/s, lanes) → the word of a closed list (eos.md section 2); `auto` before it negotiates."""

_READ: Final[Mapping[str, tuple[int, int | None]]] = {
    **{word: pair for pair, word in WORDS.items()},
    "40g": (40_000, 4),
    "50g": (50_000, None),
    "100g": (100_000, 4),
    "200g": (200_000, None),
    "400g": (400_000, None),
    "1000full": (1_000, 1),
    "1gfull": (1_000, 1),
    "10000full": (10_000, 1),
    "10gfull": (10_000, 1),
    "25gfull": (25_000, 1),
    "40gfull": (40_000, 4),
    "50gfull": (50_000, None),
    "100gfull": (100_000, 4),
}
"""The same list the other way, with the words of older releases; lanes that a word leaves open are not known."""


def spelled(speed_mbps: int, lanes: int) -> tuple[int, int] | None:
    """The speed and the number of lanes that there is a word for: on as many lanes, else on the most that are fewer."""
    fewer = [n for speed, n in WORDS if speed == speed_mbps and n <= lanes]
    others = [n for speed, n in WORDS if speed == speed_mbps]
    if not others:
        return None
    return speed_mbps, max(fewer) if fewer else min(others)


def read_speed(words: list[str]) -> tuple[int, int | None, bool] | None:
    """(Mb/s, lanes, negotiated) of what stands behind `speed`; `None` where no speed is said."""
    auto = words[:1] == ["auto"]
    word = words[1] if words[:1] in (["auto"], ["forced"]) and len(words) > 1 else words[0] if words else ""
    found = _READ.get(word)
    return None if found is None else (*found, auto)
