"""Names that stand for several: `swp1-8`, `vlan: 10,20-22`, as NVUE shows what is alike unless told to expand it."""

from __future__ import annotations

import re
from typing import Final

from netaudit.platforms.nvue.tree import Tree, Value

MOST: Final = 8192
"""Names that a range may stand for: twice the VLANs there are. What is wider is left as it is."""
_RANGED: Final = ("interface", "vlan")
"""Branches whose keys may be ranges (NVUE-CLI of CumulusNetworks/docs, "Show Switch Configuration")."""
_PART: Final = re.compile(r"([A-Za-z_]*)(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


def names_of(key: str) -> tuple[str, ...]:
    """The names that a key stands for: `swp1-3,5` four; any other text is its own name."""
    if ("-" not in key and "," not in key) or len(key) > MOST:
        return (key,)
    names: list[str] = []
    word = ""
    for text in key.split(","):
        found = _PART.fullmatch(text)
        if found is None or (names and found[1] not in ("", word)) or (not names and not found[1] and word):
            return (key,)
        word = found[1] or word
        first, last = int(found[2]), int(found[3] or found[2])
        if last < first or len(names) + last - first >= MOST:
            return (key,)
        names += [f"{word}{number}" for number in range(first, last + 1)]
    return tuple(names)


def expanded(tree: Tree) -> Tree:
    """The same tree with a branch for each name of a range; one that stands in two ranges has what both say."""
    made: Tree = {}
    for key, value in tree.items():
        below = expanded(value) if isinstance(value, dict) else value
        made[key] = _apart(below) if key in _RANGED and isinstance(below, dict) else below
    return made


def _apart(rows: Tree) -> Tree:
    made: Tree = {}
    for key, row in rows.items():
        for name in names_of(key):
            made[name] = _both(made[name], row) if name in made else row
    return made


def _both(one: Value, other: Value) -> Value:
    """What two ranges say of one name; of a value, what the later one says."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    made: Tree = dict(one)
    for key, value in other.items():
        made[key] = _both(made[key], value) if key in made else value
    return made
