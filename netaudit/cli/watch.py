"""`collect`, `audit` and `doctor`: what the devices are, against what they shall be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import (
    Intent,
    Output,
    Progress,
    Targets,
    Where,
    end,
    following,
    note,
    out,
    outputs,
    style,
    verdict,
    write_file,
)
from netaudit.diag import Severity
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult
    from netaudit.audit.observed import Observation

INCOMPLETE = 3


def collect(
    intent: Intent,
    output: Annotated[Path, typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="Folder of the snapshot.")],
    where: Where = None,
    targets: Targets = None,
) -> None:
    """A snapshot of the devices, to audit later or elsewhere."""
    from netaudit import pipeline

    expected = pipeline.load_fabric(intent)
    reached = pipeline.targets(expected, pipeline.select(expected, where), targets)
    progress = Progress("collect", len(reached))
    try:
        snapshot, missing = pipeline.record(expected, reached, output, progress)
    finally:
        progress.close()
    for name, reason in missing.items():
        note(style().show(f"{name}: {reason}"))
    read = len(reached) - len(missing)
    if missing:
        out(verdict("✖", Role.BAD, f"{counted(len(missing), 'device')} of {len(reached)} could not be read"))
    else:
        out(verdict("✔", Role.GOOD, f"{counted(read, 'device')} read into {snapshot.folder}"))
    out(following(f"netaudit audit {intent} {snapshot.folder}"))
    end(INCOMPLETE if missing else 0)


def audit(
    intent: Intent,
    snapshot: Annotated[Path | None, typer.Argument(help="A snapshot in place of the devices.")] = None,
    where: Where = None,
    targets: Targets = None,
    output: Output = "text",
    settle: Annotated[
        str, typer.Option("--settle", envvar="NETAUDIT_SETTLE", help="Read again after this time before reporting.")
    ] = "30s",
    timeout: Annotated[str, typer.Option("--timeout", envvar="NETAUDIT_TIMEOUT", help="For each answer.")] = "60s",
    fail_on: Annotated[
        str, typer.Option("--fail-on", envvar="NETAUDIT_FAIL_ON", help="error or warning: what exits with 2.")
    ] = "error",
    report: Annotated[
        Path | None, typer.Option("--report", envvar="NETAUDIT_REPORT", help="HTML report; report-<ISO week>.html.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Every cause in full.")] = False,
) -> None:
    """Is the fabric as intended? Causes first, each with the command that fixes it."""
    from netaudit import pipeline

    if fail_on not in ("error", "warning"):
        raise typer.BadParameter(f"`{fail_on}` is neither error nor warning", param_hint="--fail-on")
    wanted = outputs(output, ("text", "json", "html"))
    settle_s, timeout_s = _seconds(settle, "--settle"), _seconds(timeout, "--timeout")
    expected = pipeline.load_fabric(intent)
    names = pipeline.select(expected, where)
    scope = names if where else None
    if snapshot is not None:
        from netaudit.collect.snapshot import load as load_snapshot

        recorded = pipeline.replay(expected, load_snapshot(snapshot), names)
        result = pipeline.audit(expected, str(intent), recorded, scope=scope)
    else:
        reached = pipeline.targets(expected, names, targets)
        progress = Progress(f"audit {expected.fabric}", len(names))

        def again(devices: Collection[str]) -> Iterable[Observation]:
            return pipeline.observe(expected, {n: reached[n] for n in devices}, timeout_s)

        try:
            seen = pipeline.observe(expected, reached, timeout_s, progress)
            result = pipeline.audit(expected, str(intent), seen, scope=scope, again=again, settle_s=settle_s)
        finally:
            progress.close()
    page = report or Path(f"report-{_week(result.started_at)}.html")
    emit(result, {"html": page, **wanted}, everything=everything, fail_on=Severity(fail_on))
    end(result.exit_code(Severity(fail_on)))


def emit(result: AuditResult, wanted: dict[str, Path | None], *, everything: bool, fail_on: Severity) -> None:
    """Write the result in each format, to its file or to stdout."""
    from netaudit.audit.report import html, json, text

    page = wanted.get("html")
    for name, file in wanted.items():
        if name == "html":
            data = html.render(result).encode()
        elif name == "json":
            data = json.render(result, fail_on=fail_on)
        else:
            shown = style()
            data = text.render(result, shown, everything=everything, report=str(page) if page else "").encode()
        if file is None:
            out(data.decode())
        else:
            write_file(file, data)


def _week(when: datetime) -> str:
    year, week, _ = when.isocalendar()
    return f"{year}-W{week:02d}"


def _seconds(text: str, option: str) -> float:
    """`30s`, `500ms`, `2min`. Raises `typer.BadParameter`."""
    for unit, factor in (("ms", 0.001), ("min", 60.0), ("s", 1.0)):
        number = text.strip().removesuffix(unit).strip()
        if text.strip().endswith(unit) and number.replace(".", "", 1).isdigit():
            return float(number) * factor
    raise typer.BadParameter(f"`{text}` is a time and needs a unit, for example 30s", param_hint=option)


def doctor(intent: Intent, where: Where = None, targets: Targets = None) -> None:
    """Which step of reaching each device fails: DNS, TCP, TLS, auth or path."""
    from netaudit import pipeline
    from netaudit.cli.doctor import doctor_text

    expected = pipeline.load_fabric(intent)
    reached = pipeline.targets(expected, pipeline.select(expected, where), targets)
    progress = Progress("doctor", len(reached))
    try:
        found = pipeline.examine_all(reached, progress)
    finally:
        progress.close()
    text, complete = doctor_text(found, style(), str(intent))
    out(text)
    end(0 if complete else INCOMPLETE)
