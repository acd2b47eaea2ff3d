"""An audit or a check as Markdown (GitHub's flavour): what a job summary or a merge request shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from netaudit.audit.report.paper import Item, Paper
from netaudit.audit.report.summary import Gap
from netaudit.diag import Severity
from netaudit.terminal import fold_text, safe

AT_MOST = 200
"""Rows of a table. GitHub cuts a job summary at 1 MiB; 200 rows stay far below, the rest is counted."""
Row = TypeVar("Row")
_SIGNS = {Severity.ERROR: "✖ error", Severity.WARNING: "▲ warning", Severity.INFO: "● info"}
_MEANS = re.compile(r"[\\`*_\[\]<>&|~#@!$]|://|(?<=www)\.", re.IGNORECASE)
"""What can mean something in GFM: marks, links, mentions, tables and HTML. Text never starts a line, so no lists."""


def render(paper: Paper) -> bytes:
    """Return the page: verdict, causes, NOT AUDITED, what is accepted, and what changed."""
    sign = {0: "✔", 2: "✖", 3: "?"}.get(paper.exit_code, "✖")
    blocks = [
        f"## {sign} {text(paper.verdict)}",
        *_table("", paper.counted, ("severity", "rule", "where", "problem", "effect and source"), _row),
        *_commands(paper),
        *_table("NOT AUDITED", paper.gaps, ("switch", "what", "reason"), _gap_row),
        *_table("Waived", [i for i in paper.items if i.waived], ("rule", "where", "problem", "waiver"), _waived_row),
        "\n".join(f"- **{text(name.split(' ')[0])}**: {text(told)}" for name, told in paper.facts.items()),
        f"netaudit {text(paper.version)}, `{paper.command}`, exit code {paper.exit_code}, {len(paper.suites):,} "
        + ("switches" if paper.command == "audit" else "files"),
    ]
    page = "\n\n".join(block for block in blocks if block) + "\n"
    return page.encode("utf-8", "backslashreplace")


def text(given: str) -> str:
    """Plain text as Markdown that reads the same: no markup, link, mention, HTML or second line comes of it."""
    return _MEANS.sub(_plain, safe(given))


def _plain(found: re.Match[str]) -> str:
    piece = found[0]
    if piece == "://":
        return "&#58;//"  # an autolink of GFM cannot be escaped by a backslash
    if piece == "@":
        return "@\u2060"  # a word joiner: no user is called that, so nobody is notified
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;", ".": "&#46;"}.get(piece, f"\\{piece}")


def code(given: str) -> str:
    """Text as a code span, whatever backticks it has; for outside of tables."""
    shown = safe(given)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    # A reader takes one blank off both ends, unless there is nothing but blanks (CommonMark 6.1).
    pad = " " if shown.strip() and (shown[0] == shown[-1] == " " or "`" in (shown[0], shown[-1])) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _table(
    title: str, items: Sequence[Row], heads: Sequence[str], row: Callable[[Row], tuple[str, ...]]
) -> Iterable[str]:
    if not items:
        return
    if title:
        yield f"### {title}"
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(row(item)) + " |" for item in items[:AT_MOST]]
    yield "\n".join(lines)
    if len(items) > AT_MOST:
        yield f"… and {len(items) - AT_MOST:,} more."


def _row(item: Item) -> tuple[str, ...]:
    fresh = {True: " **new**", False: "", None: ""}[item.new]
    at = (f"{item.source}",) if item.source and str(item.source) != item.place else ()
    return (
        _SIGNS[item.severity] + fresh,
        text(item.rule),
        text(item.place),
        text(item.title),
        "<br>".join(map(text, (*item.details, *at))),
    )


def _gap_row(gap: Gap) -> tuple[str, ...]:
    devices = fold_text(gap.devices)
    return (
        text(devices),
        text(f"{gap.what or 'everything'} of {devices}"),
        "<br>".join(map(text, (gap.reason, *gap.effects))),
    )


def _waived_row(item: Item) -> tuple[str, ...]:
    return text(item.rule), text(item.place), text(item.title), text(item.waived)


def _commands(paper: Paper) -> Iterable[str]:
    commands = list(dict.fromkeys(i.command for i in paper.counted if i.command))[:3]
    if commands:
        yield "Do next:\n\n" + "\n".join(f"- {code(command)}" for command in commands)
