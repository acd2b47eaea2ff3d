"""`report`, and how an audit leaves in every form it has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from netaudit.cli.common import Output, end, out, outputs, style, write_file
from netaudit.cli.history import HistoryFile, kept_in
from netaudit.diag import Severity

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult, FailOn
    from netaudit.audit.report.paper import Paper

PAPERS: Final = ("junit", "sarif", "github", "markdown")
"""The forms for other programs, which `check` has as well."""
FORMATS: Final = ("text", "json", "html", *PAPERS)


def report(
    output: Output = "text",
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Every cause in full.")] = False,
    history: HistoryFile = ".netaudit/history.sqlite",
) -> None:
    """The last audit again, in any form, without asking a device; exits as that audit did."""
    from netaudit.pipeline_watch import last_audit

    wanted = outputs(output, FORMATS)
    kept = kept_in(history)
    if kept is None:
        raise typer.BadParameter("with none, no audit is kept", param_hint="--history")
    result, fail_on = last_audit(kept)
    emit(result, wanted, everything=everything, fail_on=fail_on)
    end(result.exit_code(fail_on))


def fail_on_of(text: str) -> FailOn:
    """What `--fail-on` says. Raises `typer.BadParameter`."""
    if text == "new":
        return "new"
    if text not in ("error", "warning"):
        raise typer.BadParameter(f"`{text}` is neither error nor warning nor new", param_hint="--fail-on")
    return Severity(text)


def emit(result: AuditResult, wanted: Mapping[str, Path | None], *, everything: bool, fail_on: FailOn) -> None:
    """Write the audit in each format, to its file or to stdout."""
    for name, file in wanted.items():
        data = _rendered(result, name, wanted.get("html"), everything=everything, fail_on=fail_on)
        if file is None:
            out(data.decode())
        else:
            write_file(file, data)


def _rendered(result: AuditResult, name: str, page: Path | None, *, everything: bool, fail_on: FailOn) -> bytes:
    from netaudit.audit.report import html, json, text
    from netaudit.audit.report.paper import of_audit

    if name == "html":
        return html.render(result).encode()
    if name == "json":
        return json.render(result, fail_on=fail_on)
    if name in PAPERS:
        return paper_bytes(of_audit(result, fail_on), name)
    return text.render(result, style(), everything=everything, report=str(page) if page else "").encode()


def paper_bytes(paper: Paper, name: str) -> bytes:
    """The paper in one of `PAPERS`."""
    from netaudit.audit.report import github, junit, markdown, sarif

    forms = {"junit": junit.render, "sarif": sarif.render, "github": github.render, "markdown": markdown.render}
    return forms[name](paper)
