"""The audit on a terminal: the verdict first, what to do, what is not known, and one next command last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from netaudit.audit.findings import AuditResult, Finding
from netaudit.audit.report.paper import change_text, waived_text
from netaudit.audit.report.summary import FIRST, Gap, Summary, blind, gaps, places, summary, verdict, where
from netaudit.diag import Severity
from netaudit.terminal import (
    LIST_LIMIT,
    Role,
    Style,
    Symbol,
    counted,
    duration,
    fold_text,
    number,
    pad,
    seen_width,
    spread,
    symbol_of,
    wrapped,
)

_MARGIN = 4  # rule ids end this far from the edge: a terminal may draw the line's symbol two columns wide
_LABEL = 11  # `compared`, `unproven` and two blanks more
_HEAD = {
    "error": (Symbol.ERROR, Role.BAD),
    "warning": (Symbol.WARNING, Role.CARE),
    "unknown": (Symbol.UNKNOWN, Role.UNKNOWN),
    "good": (Symbol.GOOD, Role.GOOD),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    result: AuditResult
    counts: Summary
    style: Style
    everything: bool


def render(result: AuditResult, style: Style, *, everything: bool = False, report: str = "") -> str:
    """Return the audit as text that ends with a newline; at most three causes in full unless `everything` (`--all`).

    `report` is the file the HTML report was written to, named beside the next command.
    """
    page = _Page(result=result, counts=summary(result), style=style, everything=everything)
    blocks = (_head(page), *_causes(page), _rest(page), _not_audited(page), _facts(page), _next(page, report))
    return "\n".join("\n".join(block) + "\n" for block in blocks if block)


def _head(page: _Page) -> tuple[str, ...]:
    style = page.style
    symbol, role = _HEAD[page.counts.state]
    sentence = style.symbol(verdict(page.result, page.counts, style.show))
    painted = style.paint(sentence, Role.BAD) if role is Role.BAD else sentence
    return (f"{style.paint(style.symbol(symbol), role)} {painted}",)  # never wrapped: it must survive `head -1`


# ── causes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _shown(page: _Page) -> tuple[Finding, ...]:
    return page.counts.ranked if page.everything else page.counts.urgent[:FIRST]


def _causes(page: _Page) -> Iterable[tuple[str, ...]]:
    shown = _shown(page)
    digits = len(str(len(shown)))
    return (tuple(_cause(page, finding, f"{i:>{digits}}")) for i, finding in enumerate(shown, 1))


def _cause(page: _Page, finding: Finding, rank: str) -> Iterable[str]:
    style = page.style
    symbol, role = symbol_of(finding.severity)
    fresh = _fresh(page, finding)
    head = f"  {style.paint(style.symbol(symbol), role)} {style.paint(rank, role)}  {fresh}"
    right = style.width - _MARGIN
    under = " " * seen_width(head)
    rule = style.show(finding.rule)
    titles = wrapped(style.show(finding.title), right - seen_width(rule) - 2, head, under)
    titles = tuple(line[: len(head)] + style.paint(line[len(head) :], Role.BOLD) for line in titles[:1]) + tuple(
        under + style.paint(line[len(under) :], Role.BOLD) for line in titles[1:]
    )
    yield from spread(titles[0], style.paint(rule, Role.QUIET), right)
    yield from titles[1:]
    if finding.device not in finding.title and finding.object not in finding.title:
        yield from wrapped(style.show(_some(page, where(finding), 4)), right, under)
    size = places(finding)
    effects = wrapped(style.show(finding.effect), right - (seen_width(size) + 2 if size else 0), under)
    yield from spread(effects[0], size, right) if finding.effect or size else ()
    yield from effects[1:]
    if finding.consequences:
        listed = _some(page, [consequence.text for consequence in finding.consequences], 3, "; ")
        yield from wrapped(style.show(f"explains {listed}"), right, under)
    if finding.instruction:
        yield from wrapped(f"by hand: {style.show(finding.instruction)}", right, under)
    if finding.fix:
        yield under + style.paint(style.show(finding.fix), Role.LINK)


def _fresh(page: _Page, finding: Finding) -> str:
    """`new  ` in front of what the audit before did not have, as many blanks where it had it; a first has none."""
    change = page.result.change
    if change is None or change.since is None:
        return ""
    return page.style.paint("new", Role.LINK) + "  " if page.result.is_new(finding) else "     "


def _rest(page: _Page) -> tuple[str, ...]:
    """What is not shown in full: one more error by its title, all else as counts."""
    shown, style = set(map(id, _shown(page))), page.style
    left = {s: [f for f in page.counts.causes[s] if id(f) not in shown] for s in Severity}
    errors = left[Severity.ERROR]
    lines: list[str] = []
    if errors:
        symbol = style.paint(style.symbol(Symbol.ERROR), Role.BAD)
        what = style.show(errors[0].title) if len(errors) == 1 else style.paint("--all", Role.LINK)
        lines += wrapped(f"{counted(len(errors), 'more error cause')}: {what}", style.width, f"  {symbol} ")
    pieces = [_counted(page, s, left[s]) for s in (Severity.WARNING, Severity.INFO) if left[s]]
    if page.result.waived and not _clean(page):
        pieces.append(f"{style.symbol(Symbol.WAIVED)} {_waived(page.result)}")
    if pieces:
        lines.append("  " + style.symbol(" · ").join(pieces) if style.unicode else "  " + "; ".join(pieces))
    return (*lines, *_notes(page))


def _notes(page: _Page) -> Iterable[str]:
    """What went wrong beside the audit, then waivers that need a look."""
    style = page.style
    care = style.paint(style.symbol(Symbol.WARNING), Role.CARE)
    notes = [*page.result.notes]
    for note in page.result.waiver_notes:
        source = note.waiver.source
        notes.append(f"{note.text} ({source.file}:{source.line})" if source else note.text)
    limit = len(notes) if page.everything else LIST_LIMIT
    for text in notes[:limit]:
        yield from wrapped(style.show(text), style.width, f"  {care} ")
    if len(notes) > limit:
        yield style.symbol(f"  … {len(notes) - limit:,} more: --all")


def _waived(result: AuditResult) -> str:
    waivers = {id(w.waiver) for w in result.waived}
    return f"{counted(len(result.waived), 'finding')} waived by {counted(len(waivers), 'waiver')}"


def _clean(page: _Page) -> bool:
    return page.counts.state == "good" and not page.result.findings


def _counted(page: _Page, severity: Severity, left: Sequence[Finding]) -> str:
    symbol, role = symbol_of(severity)
    more = "more " if len(left) < len(page.counts.causes[severity]) else ""
    seen = sum(len(set(f.objects)) or 1 for f in left)
    total = f", {counted(seen, 'finding')}" if seen > len(left) else ""
    sign = page.style.paint(page.style.symbol(symbol), role)
    return f"{sign} {counted(len(left), f'{more}{severity} cause')}{total}"


# ── what is not known, and what was looked at ─────────────────────────────────────────────────────────────────────


def _not_audited(page: _Page) -> tuple[str, ...]:
    missing, style = gaps(page.result), page.style
    if not missing:
        return ()
    doctor = style.paint(style.show(f"netaudit doctor {page.result.intent}"), Role.LINK)
    word = style.paint("NOT AUDITED", Role.UNKNOWN)
    head = f"  ? {word}, nothing is claimed about these: {doctor} finds the failing step"
    names = [style.show(fold_text(gap.devices)) for gap in missing]
    column = min(max(map(seen_width, names)), 28) + 3  # a longer list of names stands on its own line
    limit = len(missing) if page.everything else LIST_LIMIT
    listed = [
        line for name, gap in zip(names[:limit], missing, strict=False) for line in _gap(style, name, gap, column)
    ]
    more = len(missing) - limit
    rest = () if more <= 0 else (style.symbol(f"    … {more:,} more: --all"),)
    return (head, *listed, *rest)


def _gap(style: Style, name: str, gap: Gap, column: int) -> Iterable[str]:
    under = " " * (4 + column)
    if seen_width(name) + 3 > column:
        yield from wrapped(name, style.width, "    ")
        name = ""
    yield from wrapped(style.show(gap.text), style.width, f"    {pad(name, column)}", under)
    for effect in gap.effects:
        yield from wrapped(style.show(effect), style.width, under)


def _facts(page: _Page) -> tuple[str, ...]:
    result, counts, style = page.result, page.counts, page.style
    spots = [(spot.what, spot.where) for spot in result.declared]
    clean = _clean(page)
    facts = [("compared", _compared(result, counts)) if clean else ("audited", _audited(counts))]
    if result.waived and clean:
        facts.append(("waived", waived_text(result)))
    if result.unverifiable:
        untold = blind([(u.what, fold_text(u.where)) for u in result.unverifiable])
        facts.append(("unproven", f"{counted(len(untold), 'thing')} nobody can tell: {_some(page, untold, 5)}"))
    if spots:
        listed = blind(spots)
        facts.append(("declared", f"{counted(len(listed), 'blind spot')}: {_some(page, listed, 5)}"))
    if result.change is not None:
        facts.append(("change", change_text(result)))
    if result.changed_during:
        gone = counted(len(result.changed_during), "difference")
        were = "was" if len(result.changed_during) == 1 else "were"
        facts.append(("settled", f"{gone} {were} gone when read again after {duration(result.settle_s)}; not counted"))
    lines: list[str] = []
    for label, text in facts:
        lines += wrapped(style.show(text), style.width, f"  {label:<{_LABEL}}", " " * (2 + _LABEL))
    return tuple(lines)


def _some(page: _Page, items: Sequence[str], limit: int, between: str = ", ") -> str:
    """The items in one text, or the first `limit` and how many more there are."""
    more = 0 if page.everything else len(items) - limit
    return between.join(items) if more <= 0 else f"{between.join(items[:limit])} … {more:,} more: --all"


def _compared(result: AuditResult, counts: Summary) -> str:
    stores = ", ".join(counts.stores[:-1]) + " and " + counts.stores[-1] if len(counts.stores) > 1 else counts.stores
    looked = f"{number(counts.values)} values" + (f" in {''.join(stores)}" if stores else "")
    links = [counted(result.links, "link")] if result.links else []
    tables = [counted(result.route_tables, "route table")] if result.route_tables else []
    return "; ".join((looked, *links, *tables))


def _audited(counts: Summary) -> str:
    part = [f"{counts.part:,} in part"] if counts.part else []
    unseen = [f"{counts.unseen:,} not at all"] if counts.unseen else []
    completely = " completely" if part or unseen else ""
    switches = ", ".join((f"{counts.complete:,} of {counts.switches:,} switches{completely}", *part, *unseen))
    between = ";" if part or unseen else ","
    return f"{switches}{between} {number(counts.values)} values, {duration(counts.took_s)}"


def _next(page: _Page, report: str) -> tuple[str, ...]:
    style = page.style
    command = ""
    if page.counts.urgent:
        # A cause nobody has a command for is still something to do: its rule says what.
        command = next((f.fix for f in page.counts.urgent if f.fix), f"netaudit rules {page.counts.urgent[0].rule}")
    elif page.counts.unknown:
        command = f"netaudit doctor {page.result.intent}"
    what = style.paint(style.show(command), Role.LINK) if command else "nothing to do."
    gap = "       " if command else " "
    return (f"Next: {what}{gap}Report: {style.show(report)}" if report else f"Next: {what}",)
