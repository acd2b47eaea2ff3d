"""What `check` prints: the verdict, the fabric in a few lines, every problem, and one next command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from netaudit.checks import Checked
from netaudit.diag import Diagnostic, Severity
from netaudit.diag_text import line_of_file, render_diagnostics
from netaudit.expect import Expected
from netaudit.terminal import Role, Style, counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A fabric and what was found about it."""

    expected: Expected
    checked: Checked

    @property
    def refused(self) -> bool:
        """Does a rule refuse it?"""
        return bool(_count(self.checked.diagnostics, Severity.ERROR))

    @property
    def file(self) -> str:
        """Its own file of the workspace."""
        return self.expected.built.intent.file


def check_text(judged: tuple[Judged, ...], named: str, style: Style) -> str:
    """The answer for a person; `named` is the intent, or the folder of several, as the user wrote it."""
    several = len(judged) > 1
    file = judged[0].file if several else named
    again = f"fix these, then  netaudit check {named}" if _refused(judged) else f"netaudit plan {file} -o plan.json"
    blocks = (
        _head(_verdict_of_several(judged), bad=_refused(judged), style=style) if several else "",
        *(block for one in judged for block in _fabric(one, style)),
        f"Next: {style.paint(again, Role.LINK)}",
    )
    return style.symbol("\n\n".join(block for block in blocks if block)) + "\n"


def _fabric(one: Judged, style: Style) -> tuple[str, ...]:
    checked = one.checked
    return (
        _head(check_verdict(one.expected, checked.diagnostics), bad=one.refused, style=style),
        "\n".join(f"  {name:<10} {text}" for name, text in checked.facts.items()),
        render_diagnostics(checked.diagnostics, line_of_file).rstrip("\n"),
        *("\n".join(table) for table in checked.tables),
    )


def _head(text: str, *, bad: bool, style: Style) -> str:
    sign = style.paint("✖", Role.BAD) if bad else style.paint("✔", Role.GOOD)
    return f"{sign} {text}"


def _refused(judged: tuple[Judged, ...]) -> bool:
    return any(one.refused for one in judged)


def _count(found: tuple[Diagnostic, ...], severity: Severity) -> int:
    return sum(d.severity is severity for d in found)


def all_found(judged: tuple[Judged, ...]) -> tuple[Diagnostic, ...]:
    """What was found about any of them."""
    return tuple(d for one in judged for d in one.checked.diagnostics)


def verdict_of(judged: tuple[Judged, ...]) -> str:
    """The first sentence, of one fabric or of several."""
    (one, *more) = judged
    return _verdict_of_several(judged) if more else check_verdict(one.expected, one.checked.diagnostics)


def check_verdict(expected: Expected, found: tuple[Diagnostic, ...]) -> str:
    """The first sentence about a fabric: can it be built?"""
    if _count(found, Severity.ERROR):
        return f"{expected.fabric} is refused: {_problems(found)}; nothing was rendered"
    size = f"{counted(len(expected.devices), 'device')}, {counted(len(expected.links), 'link')}"
    return f"{expected.fabric} can be built: {size}, {_problems(found)}"


def _verdict_of_several(judged: tuple[Judged, ...]) -> str:
    problems = _problems(all_found(judged))
    refused = [one.expected.fabric for one in judged if one.refused]
    if refused:
        return f"{len(refused)} of {len(judged)} fabrics refused ({', '.join(refused)}): {problems}"
    return f"{len(judged)} fabrics can be built side by side: {problems}"


def _problems(found: tuple[Diagnostic, ...]) -> str:
    errors, warnings = (_count(found, s) for s in (Severity.ERROR, Severity.WARNING))
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"


def check_json(judged: tuple[Judged, ...]) -> str:
    """The answer for a program: of one fabric its facts, of several those of each in `fabrics`."""
    if len(judged) == 1:
        checked = judged[0].checked
        return _json({**_answer(checked.diagnostics, checked.facts), **checked.data})
    fabrics = [
        {
            "fabric": one.expected.fabric,
            "file": one.file,
            "counts": _counts(one.checked.diagnostics),
            "facts": dict(one.checked.facts),
            **one.checked.data,
        }
        for one in judged
    ]
    return _json({**_answer(all_found(judged), {}), "fabrics": fabrics})


def diagnostics_json(found: tuple[Diagnostic, ...], facts: Mapping[str, str]) -> str:
    """The answer for a program about one intent, which may be one that cannot be read."""
    return _json(_answer(found, facts))


def _answer(found: tuple[Diagnostic, ...], facts: Mapping[str, str]) -> Mapping[str, object]:
    return {
        "version": 1,
        "counts": _counts(found),
        "facts": dict(facts),
        "diagnostics": [_row(diagnostic) for diagnostic in found],
    }


def _row(found: Diagnostic) -> Mapping[str, object]:
    return {
        "severity": str(found.severity),
        "rule": found.rule,
        "message": found.message,
        "hint": found.hint,
        "file": found.source.file if found.source else None,
        "line": found.source.line if found.source else None,
        "column": found.source.column if found.source else None,
    }


def _counts(found: tuple[Diagnostic, ...]) -> Mapping[str, int]:
    return {str(s): _count(found, s) for s in Severity}


def _json(answer: Mapping[str, object]) -> str:
    return json.dumps(answer, indent=1) + "\n"
