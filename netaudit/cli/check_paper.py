"""What `check` found, for other programs: JUnit, SARIF, GitHub, Markdown."""

from __future__ import annotations

from netaudit import __version__
from netaudit.audit.report.paper import Paper, of_check
from netaudit.checks import RULES
from netaudit.cli.check_text import Judged, all_found, verdict_of
from netaudit.diag import Diagnostic
from netaudit.terminal import counted


def check_paper(judged: tuple[Judged, ...], code: int) -> Paper:
    """The answer as a paper; of several fabrics one, with the file of each as a suite."""
    files = [one.file for one in judged]
    return of_check(
        version=__version__,
        fabric=", ".join(one.expected.fabric for one in judged),
        intent=files[0],
        verdict=verdict_of(judged),
        exit_code=code,
        diagnostics=all_found(judged),
        rules=RULES,
        beside=files[1:],
    )


def refused_paper(found: tuple[Diagnostic, ...], named: str, code: int) -> Paper:
    """Why an intent cannot be read."""
    return of_check(
        version=__version__,
        fabric=named,
        intent=named,
        verdict=f"{counted(len(found), 'error')} in {named}; nothing was done",
        exit_code=code,
        diagnostics=found,
        rules=RULES,
    )
