"""Many names as few words: those that differ in one number folded into a range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_FOLD_AT_LEAST = 3  # two names are as short unfolded: `a-spine1, a-spine2`


def fold(names: Iterable[str], to: str = "..") -> tuple[str, ...]:
    """Return the names, those that differ in one number folded: `a-su3-r1..r4,r6-leaf`, `a-spine1..16`, `leaf:33–64`.

    Order is that of the first of each group; equal names count once. `to` stands between the ends of a range, except
    for ports, which take `–`.
    """
    rows = list(dict.fromkeys(tuple(re.split(r"(\d+)", name)) for name in names))
    longest = max((len(row) for row in rows), default=0)
    for at in range(longest - 2, 0, -2):  # numbers stand at odd indexes; the last one varies fastest
        rows = _fold_at(rows, at, to)
    return tuple("".join(row) for row in rows)


def fold_text(names: Iterable[str], to: str = "..") -> str:
    """Return the folded names as one text: `a-su3-r6..r8-leaf, a-spine9`."""
    return ", ".join(fold(names, to))


def _fold_at(rows: Sequence[tuple[str, ...]], at: int, to: str) -> list[tuple[str, ...]]:
    groups: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        groups.setdefault(_key_at(row, at), []).append(row)
    folded: dict[tuple[str, ...], None] = {}
    for row in rows:
        key = _key_at(row, at)
        if len(groups[key]) < _FOLD_AT_LEAST:
            folded[row] = None
            continue
        numbers = sorted(int(member[at]) for member in groups[key])
        folded[*key[:at], _ranges(numbers, key[at - 1], key[at + 1], to), *key[at + 2 :]] = None
    return list(folded)


def _key_at(row: tuple[str, ...], at: int) -> tuple[str, ...]:
    """Return the row without its number at `at`; the row itself where it has none that a range may hold (`007`)."""
    plain = at < len(row) and row[at].isdecimal() and row[at] == str(int(row[at]))
    return (*row[:at], "", *row[at + 1 :]) if plain else row


def _ranges(numbers: Sequence[int], before: str, after: str, to: str) -> str:
    """`1..r4,r6-leaf` for the part behind `a-su3-r`: inside a name the letters repeat, at its end they do not."""
    word = re.search(r"[A-Za-z]*$", before)
    again = word.group() if word and after else ""
    between = "–" if before.endswith((":", "/")) else to
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    spelled: list[str] = []
    for run in runs:
        if len(run) >= _FOLD_AT_LEAST:
            spelled.append(f"{run[0]}{between}{again}{run[-1]}")
        else:
            spelled += [str(number) for number in run]
    return f",{again}".join(spelled) + after
