"""What `doctor` prints: a row for each device and transport, equal rows folded, then each failure with its remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from netaudit.collect.doctor import STEPS, Examination
from netaudit.terminal import Role, Style, columns, counted, fold_text, wrapped

Found = Mapping[str, "tuple[Examination, ...] | str"]


def doctor_text(found: Found, style: Style, intent: str) -> tuple[str, bool]:
    """(text, can every device be read completely)."""
    bad = [n for n, tried in found.items() if isinstance(tried, str) or not all(e.ok for e in tried if e.needed)]
    lines = [_head(style, found, bad), ""]
    for transport, steps in STEPS.items():
        rows: dict[tuple[str, ...], list[str]] = {}
        for name, tried in found.items():
            for e in tried if not isinstance(tried, str) else ():
                if e.transport == transport:
                    rows.setdefault(tuple(str(e.verdicts[s]) for s in steps), []).append(name)
        if rows:
            head = (transport, *(str(s) for s in steps))
            lines += _table(head, rows, style.width)
            lines.append("")
    for name in bad:
        lines += [style.show(text) for text in _reasons(name, found[name])]
    lines += [line for text in _spared(found) for line in wrapped(style.show(text), style.width, "● ")]
    if bad or _spared(found):
        lines.append("")
    lines.append(f"Next: netaudit doctor {intent} --where {bad[0]}" if bad else "Next: nothing to do.")
    return "\n".join(style.symbol(line) for line in lines) + "\n", not bad


NAMES: Final = 40
"""Columns that names of devices may take in a table: the steps need the other half of 80."""


def _table(head: tuple[str, ...], rows: Mapping[tuple[str, ...], list[str]], width: int) -> Iterator[str]:
    """A row for each set of verdicts; more names than a column has room for stand in lines of their own below it."""
    folded = {row: fold_text(names) for row, names in rows.items()}
    cells = {
        row: text if len(text) <= NAMES else f"{counted(len(rows[row]), 'switch', 'switches')} below"
        for row, text in folded.items()
    }
    first, *others = columns([head, *((cells[row], *row) for row in rows)])
    yield first
    for line, text in zip(others, folded.values(), strict=True):
        yield line
        if len(text) > NAMES:
            yield from wrapped(text, width, "    ")


def _head(style: Style, found: Found, bad: list[str]) -> str:
    if not bad:
        text = f"{counted(len(found), 'switch', 'switches')} can be read completely"
        return f"{style.paint('✔', Role.GOOD)} {text}"
    good = len(found) - len(bad)
    return (
        f"{style.paint('✖', Role.BAD)} {good} of {len(found)} switches can be read completely; {fold_text(bad)} cannot"
    )


def _spared(found: Found) -> tuple[str, ...]:
    """What does not answer, and need not: one line for each transport and reason, with the switches."""
    told: dict[tuple[str, str], list[str]] = {}
    for name, tried in found.items():
        for e in tried if not isinstance(tried, str) else ():
            if not e.needed and not e.ok:
                reason = str(e.failure) if e.failure is not None else next(iter(e.paths.values()), "no answer")
                told.setdefault((e.transport, reason), []).append(name)
    return tuple(
        f"{fold_text(names)}  {transport} {reason}; nothing is lost: the same is asked by command"
        for (transport, reason), names in told.items()
    )


def _reasons(name: str, tried: tuple[Examination, ...] | str) -> list[str]:
    if isinstance(tried, str):
        return [f"✖ {name}  {tried}"]
    lines = [f"✖ {name}  {e.transport} {e.failure}" for e in tried if e.failure is not None and e.needed]
    lines += [f"✖ {name}  {path}: {why}" for e in tried if e.needed for path, why in list(e.paths.items())[:5]]
    return lines
