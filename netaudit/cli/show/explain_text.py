"""How `show explain` reads: the verdict with its source, the levels, then where the leaf goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from netaudit.cli.show import fields
from netaudit.cli.show.explain import Explained, Written
from netaudit.cli.show.levels import Level
from netaudit.cli.show.lines import Line
from netaudit.cli.show.page import Table, View, facts, page, table
from netaudit.cli.show.target import Target
from netaudit.cli.show.values import said
from netaudit.diag import Diagnostic, Severity, Source
from netaudit.diag_text import render_diagnostics
from netaudit.expect import Expected
from netaudit.state.walk import dotted
from netaudit.terminal import Role, Style, Symbol, columns, counted, spread

FEW_LINES = 6
"""Rendered lines on the page before it stops. Judgement."""
VALUE = 48
"""Characters of a value in an overview. Judgement."""


def explain_page(found: Explained, view: View) -> str:
    """The page of one leaf."""
    style = view.style
    where = (
        *facts(style, (("field", dotted(found.path)), ("formula", found.formula), *_spelling(found))),
        *_rendered(view, found),
        *facts(style, tuple(_audit(found))),
    )
    steps = table(view, found.derivation.table) if found.derivation else ()
    head = (Symbol.INFO, _verdict(found))
    return page(
        view, head, _levels(view, found.levels), _intent(style, found.intent), where, steps, then=_next(view, found)
    )


def _verdict(found: Explained) -> str:
    what = f"{found.field} is {found.said} on {found.at}"
    winner = found.winner
    if found.spelling.none:
        return f"{what}: {found.spelling.none.partition(': ')[0]}"
    if found.value is None:
        return f"{what}: netaudit leaves it as the device has it"
    if winner is None:
        return f"{what}, by the design"
    if winner.name == "override":
        return f"{what}, set by an override ({winner.note})"
    if winner.source is not None:
        return f"{what}, from {winner.source}"
    return f"{what}: {found.formula}" if found.formula else f"{what}, a default ({winner.where})"


def _next(view: View, found: Explained) -> str:
    winner = found.winner
    if winner is None or winner.source is None:
        return "nothing to do."
    if winner.name == "override":
        below = [level.value for level in found.levels if level.value and level.name != "override"]
        again = f" Without the override it is {view.style.show(below[-1])}." if below else ""
        return f"nothing to do.{again}"
    place = view.style.show(f"{winner.source.file}:{winner.source.line}")
    return f"nothing to do. To change it, edit {place}, then  {view.command('check')}"


def _levels(view: View, found: Sequence[Level]) -> tuple[str, ...]:
    """The table of levels; `← wins` at the end of its line."""
    style = view.style
    rows = [("level", "value", "where")]
    for level in found:
        where = f"{level.where}   {level.note}" if level.note else level.where
        rows.append((level.name, level.value or "–", where))
    shown = [tuple(style.show(cell) for cell in row) for row in rows]
    for number, level in enumerate(found, 1):
        role = Role.BOLD if level.wins else Role.QUIET if not level.value else None
        if role:
            shown[number] = tuple(style.paint(cell, role) for cell in shown[number])
    title, *lines = columns(shown, width=style.width)
    wins = style.symbol("← wins")
    marked = [
        line
        for level, text in zip(found, lines, strict=False)
        for line in spread(text, wins if level.wins else "", style.width)
    ]
    return (title, *marked, *lines[len(found) :])


def _intent(style: Style, found: Sequence[Written]) -> tuple[str, ...]:
    """The lines of the intent, with a caret, as an error message shows them."""
    lines: list[str] = []
    for written in found:
        lines.append(f"  {style.show(f'{written.source}, {written.why}')}")
        shown = Diagnostic(message="", source=written.source, severity=Severity.INFO)
        lines += render_diagnostics([shown], partial(_same, written.text), style).splitlines()[1:]
    return tuple(lines)


def _same(text: str, source: Source) -> str:
    return text


def _rendered(view: View, found: Explained) -> tuple[str, ...]:
    style = view.style
    if not found.rendered.lines:
        rows = [("rendered", f"nowhere: {found.rendered.reason}")]
        if found.rendered.instead:
            first = found.rendered.instead[0]
            rows.append(("", f"another value would stand in {first.file}: {_joined(first)}"))
        return facts(style, rows)
    limit = None if view.everything else FEW_LINES
    shown = found.rendered.lines[:limit]
    more = len(found.rendered.lines) - len(shown)
    rows = [
        ("" if i else "rendered", f"{found.at.device}/{line.file}   {_joined(line)}") for i, line in enumerate(shown)
    ]
    return facts(style, [*rows, *([("", f"… {more:,} more: --all")] if more else [])])


def _spelling(found: Explained) -> Iterator[tuple[str, str]]:
    """What the NOS makes of it, where that is not just what is asked for."""
    yield f"on {found.spelling.nos}", found.spelling.other
    yield "unverified", found.spelling.doubt


def _joined(line: Line) -> str:
    return f"{line.place}   {line.text}" if line.place else line.text


def _audit(found: Explained) -> Iterator[tuple[str, str]]:
    for number, asked in enumerate(found.asked):
        yield "" if number else "read by", f"{asked.query} ({asked.store})"
    if not found.asked:
        yield "read by", "nothing: no store of this platform holds it"
    for spot in found.blind:
        yield "blind spot", f"{spot.where}: {spot.reason}"
    if found.rule is not None:
        yield "audited by", f"{found.rule.id}  {found.problem}"
    if found.far is not None:
        yield "both ends", f"{found.at} – {found.far.name}" + (f", {found.far.text}" if found.far.text else "")


# ── without a field: which there are ──────────────────────────────────────────────────────────────────────────────


def overview_page(expected: Expected, at: Target, view: View) -> str:
    """Every field of a port, or of a device beside its ports, with its value."""
    device = expected.device(at.device)
    paths = fields.here(device, at)
    rows = tuple((dotted(path), _short(said(path[-1], fields.value(device, path)))) for path in paths)
    words = fields.DEVICE_WORDS if at.port is None else {**fields.PORT_WORDS, **fields.DEVICE_WORDS}
    head = (
        Symbol.INFO,
        f"{at} has {counted(len(rows), 'field')}; any of them, or one of the words below, is explained",
    )
    known = facts(view.style, (("words", ", ".join(words)),))
    return page(
        view,
        head,
        table(view, Table(head=("field", "value"), rows=rows)),
        known,
        then=view.command("show explain", str(at), "speed" if at.port else "asn"),
    )


def _short(text: str) -> str:
    return text if len(text) <= VALUE else text[: VALUE - 1] + "…"
