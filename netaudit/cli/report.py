"""`report`, and how an audit leaves in every form it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


TOGETHER: Final = ("text", "json", "github", "markdown")
"""Forms that several audits can share on stdout; the others are one document each."""


def refuse_on_stdout(wanted: Mapping[str, Path | None]) -> None:
    """Several documents of a form that is one cannot go to stdout. Raises `typer.BadParameter`."""
    for name, file in wanted.items():
        if file is None and name not in TOGETHER:
            raise typer.BadParameter(f"of several fabrics {name} goes to a file each: {name}=FILE", param_hint="-o")


def emit_all(
    results: Sequence[AuditResult], wanted: Mapping[str, Path | None], *, everything: bool, fail_on: FailOn
) -> None:
    """Write several audits: a file each, with the fabric in its name; on stdout one after the other, JSON as one."""
    if len(results) == 1:
        emit(results[0], wanted, everything=everything, fail_on=fail_on)
        return
    for result in results:
        apart = {n: file.with_name(f"{file.stem}-{result.fabric}{file.suffix}") for n, file in wanted.items() if file}
        shown = {name: None for name, file in wanted.items() if file is None and name != "json"}
        emit(result, {**apart, **shown}, everything=everything, fail_on=fail_on)
    if "json" in wanted and wanted["json"] is None:
        out(_json_of_all(results, fail_on))


def _json_of_all(results: Sequence[AuditResult], fail_on: FailOn) -> str:
    """The audits of several fabrics as one object."""
    import json as data

    from netaudit.audit.report import json
    from netaudit.cli.fabrics import worst

    fabrics = [data.loads(json.render(result, fail_on=fail_on)) for result in results]
    code = worst([result.exit_code(fail_on) for result in results])
    return data.dumps({"version": 1, "exit_code": code, "fabrics": fabrics}, indent=1, ensure_ascii=False) + "\n"


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
