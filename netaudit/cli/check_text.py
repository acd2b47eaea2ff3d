"""What `check` prints: the verdict, the fabric in a few lines, every problem, and one next command."""

from __future__ import annotations

import json
from collections.abc import Mapping

from netaudit.checks import Checked
from netaudit.diag import Diagnostic, Severity
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.expect import Expected
from netaudit.terminal import Role, Style, counted


def check_text(expected: Expected, checked: Checked, named: str, style: Style) -> str:
    """The answer for a person; `named` is the intent as the user wrote it."""
    errors = _count(checked.diagnostics, Severity.ERROR)
    sign = style.paint("✖", Role.BAD) if errors else style.paint("✔", Role.GOOD)
    head = f"{sign} {check_verdict(expected, checked.diagnostics)}"
    again = f"fix these, then  netaudit check {named}" if errors else f"netaudit plan {named} -o plan.json"
    blocks = (
        head,
        "\n".join(f"  {name:<10} {text}" for name, text in checked.facts.items()),
        render_diagnostics(checked.diagnostics, line_of_file).rstrip("\n"),
        *("\n".join(table) for table in checked.tables),
        f"Next: {style.paint(again, Role.LINK)}",
    )
    return style.symbol("\n\n".join(block for block in blocks if block)) + "\n"


def _count(found: tuple[Diagnostic, ...], severity: Severity) -> int:
    return sum(d.severity is severity for d in found)


def check_verdict(expected: Expected, found: tuple[Diagnostic, ...]) -> str:
    """The first sentence: can it be built?"""
    errors, warnings = (_count(found, s) for s in (Severity.ERROR, Severity.WARNING))
    counts = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    if errors:
        return f"{expected.fabric} is refused: {counts}; nothing was rendered"
    size = f"{counted(len(expected.devices), 'device')}, {counted(len(expected.links), 'link')}"
    return f"{expected.fabric} can be built: {size}, {counts}"


def check_json(found: tuple[Diagnostic, ...], facts: Mapping[str, str]) -> str:
    """The answer for a program."""
    rows = [
        {
            "severity": str(d.severity),
            "rule": d.rule,
            "message": d.message,
            "hint": d.hint,
            "file": d.source.file if d.source else None,
            "line": d.source.line if d.source else None,
            "column": d.source.column if d.source else None,
        }
        for d in found
    ]
    counts = {str(s): _count(found, s) for s in Severity}
    return json.dumps({"version": 1, "counts": counts, "facts": dict(facts), "diagnostics": rows}, indent=1) + "\n"
