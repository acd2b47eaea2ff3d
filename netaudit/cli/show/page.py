"""How every page of `show` is laid out: the verdict first, facts and tables, one next command last."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from netaudit.terminal import LIST_LIMIT, NARROW, Role, Style, Symbol, columns, pad, seen_width, wrapped

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What `-o json` is made of."""

LABEL = 12
"""Columns of a fact's label, with the blanks behind it."""
INDENT = 2
LEAST = 20
"""Columns below which text is not folded: one word a line reads worse than a long line."""
_ROLES: Mapping[Symbol, Role] = {Symbol.ERROR: Role.BAD, Symbol.WARNING: Role.CARE, Symbol.GOOD: Role.GOOD}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the reader wants a page: for which terminal, in full or cut, and how the intent was named."""

    named: str
    """The intent, as the user wrote it: commands to copy repeat it."""
    style: Style = field(default_factory=Style)
    everything: bool = False
    """Lists in full (`--all`)."""

    def command(self, what: str, *rest: str) -> str:
        """A command line to copy: `netaudit show headroom intent/ a-su1-r1-leaf:64`."""
        return self.style.show(" ".join(("netaudit", what, *map(shlex.quote, (self.named, *rest)))))


def page(view: View, head: tuple[Symbol, str], *blocks: Sequence[str], then: str = "nothing to do.") -> str:
    """The whole page. `head` is the symbol and the sentence of the verdict; empty blocks leave no gap."""
    symbol, sentence = head
    lines = [f"{mark(view.style, symbol)} {view.style.show(sentence)}"]
    for block in blocks:
        lines += ["", *block] if block else ()
    following = view.style.paint(view.style.symbol(then), Role.LINK)
    return "\n".join((*lines, "", f"Next: {following}", ""))


def mark(style: Style, symbol: Symbol) -> str:
    """The sign in its colour; `●` is plain: a value is no judgement."""
    text = style.symbol(symbol)
    return style.paint(text, _ROLES[symbol]) if symbol in _ROLES else text


def facts(style: Style, rows: Sequence[tuple[str, str]], label: int = LABEL) -> tuple[str, ...]:
    """`label   text` for each row with a text, wrapped under itself; a row without a label goes on."""
    lines: list[str] = []
    room = max((label, *(seen_width(style.show(name)) + 2 for name, text in rows if text)))
    for name, text in rows:
        if text:
            lines += wrapped(style.show(text), style.width, f"  {pad(style.show(name), room)}")
    return tuple(line.rstrip() for line in lines)


def notes(style: Style, texts: Sequence[str], symbol: Symbol = Symbol.WARNING) -> tuple[str, ...]:
    """What the reader must know besides, a sign before each."""
    lines: list[str] = []
    for text in texts:
        first, *more = wrapped(style.show(text), style.width - 2)
        lines += [f"{mark(style, symbol)} {first}", *(f"  {line}" for line in more)]
    return tuple(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table before it is laid out."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    """Columns whose cells end at one edge."""
    bold: frozenset[int] = frozenset()
    """Rows that stand out."""
    whole: bool = False
    """Never cut: a derivation with a step left out is none."""


def table(view: View, what: Table) -> tuple[str, ...]:
    """The lines of a table, cut at ten rows unless everything is asked for; none of one without rows.

    Text in the last column goes on in the next line, under itself.
    """
    if not what.rows:
        return ()
    style = view.style
    kept = what.rows if view.everything or what.whole else what.rows[:LIST_LIMIT]
    shown = [tuple(style.show(cell) for cell in row) for row in (what.head, *kept)]
    room = style.width - INDENT - sum(max(seen_width(row[i]) for row in shown) + 2 for i in range(len(what.head) - 1))
    lines: list[tuple[str, ...]] = []
    for number, row in enumerate(shown):
        parts = wrapped(row[-1], room) if style.width >= NARROW and room >= LEAST else (row[-1],)
        cells = [(*row[:-1], parts[0]), *(("",) * (len(row) - 1) + (part,) for part in parts[1:])]
        stands_out = number - 1 in what.bold
        lines += [tuple(style.paint(c, Role.BOLD) for c in cell) if stands_out else cell for cell in cells]
    more = len(what.rows) - len(kept)
    rest = (style.symbol(f"  … {more:,} more: --all"),) if more else ()
    return (*columns(lines, right=what.right, indent=INDENT, width=style.width), *rest)


def dump(payload: Mapping[str, Json]) -> str:
    """The JSON of a page: keys in the order in which they are documented, text as it is."""
    return json.dumps({"version": 1, **payload}, indent=2, ensure_ascii=False) + "\n"
