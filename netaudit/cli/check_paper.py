"""What `check` found, for other programs: JUnit, SARIF, GitHub, Markdown."""

from __future__ import annotations

from netaudit import __version__
from netaudit.audit.report.paper import Paper, of_check
from netaudit.checks import RULES
from netaudit.cli.check_text import check_verdict
from netaudit.diag import Diagnostic
from netaudit.expect import Expected
from netaudit.terminal import counted


def check_paper(found: tuple[Diagnostic, ...], named: str, code: int, expected: Expected | None = None) -> Paper:
    """The answer as a paper; without `expected`, of an intent that cannot be read."""
    refused = f"{counted(len(found), 'error')} in {named}; nothing was done"
    return of_check(
        version=__version__,
        fabric=expected.fabric if expected else named,
        intent=expected.built.intent.file if expected else named,
        verdict=check_verdict(expected, found) if expected else refused,
        exit_code=code,
        diagnostics=found,
        rules=RULES,
    )
