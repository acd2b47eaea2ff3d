"""`collect`, `audit` and `doctor`: what the devices are, against what they shall be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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
)
from netaudit.cli.history import HistoryFile, kept_in
from netaudit.cli.report import FORMATS, emit, fail_on_of
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult
    from netaudit.audit.observed import Observation
    from netaudit.collect.targets import Target
    from netaudit.expect import Expected

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
        str, typer.Option("--fail-on", envvar="NETAUDIT_FAIL_ON", help="error, warning or new: what exits with 2.")
    ] = "error",
    report: Annotated[
        Path | None, typer.Option("--report", envvar="NETAUDIT_REPORT", help="HTML report; report-<ISO week>.html.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Every cause in full.")] = False,
    history: HistoryFile = ".netaudit/history.sqlite",
) -> None:
    """Is the fabric as intended? Causes first, each with the command that fixes it."""
    from netaudit import pipeline, pipeline_watch

    failing = fail_on_of(fail_on)
    wanted = outputs(output, FORMATS)
    settle_s, timeout_s = _seconds(settle, "--settle"), _seconds(timeout, "--timeout")
    expected = pipeline.load_fabric(intent)
    names = pipeline.select(expected, where)
    waivers = pipeline_watch.load_all_waivers(expected)
    scope = names if where else None
    taken: datetime | None = None
    if snapshot is not None:
        from netaudit.collect.snapshot import load as load_snapshot

        loaded = load_snapshot(snapshot)
        taken = loaded.taken
        recorded = pipeline.replay(expected, loaded, names)
        result = pipeline.audit(expected, str(intent), recorded, scope=scope)
    else:
        reached = pipeline.targets(expected, names, targets)
        result = _live(expected, str(intent), reached, scope, timeout_s, settle_s)
    result = pipeline_watch.judged(
        result,
        waivers,
        history=kept_in(history),
        intent_sha=pipeline.intent_sha256(expected.built.intent),
        fail_on=failing,
        scope=" ".join(sorted((where or "").split())),
        taken=taken,
    )
    page = report or Path(f"report-{_week(result.started_at)}.html")
    emit(result, {"html": page, **wanted}, everything=everything, fail_on=failing)
    end(result.exit_code(failing))


def _live(
    expected: Expected,
    named: str,
    reached: Mapping[str, Target],
    scope: Collection[str] | None,
    timeout_s: float,
    settle_s: float,
) -> AuditResult:
    """The audit of the devices as they are now; those with findings are read again after `settle_s`."""
    from netaudit import pipeline

    progress = Progress(f"audit {expected.fabric}", len(reached))

    def again(devices: Collection[str]) -> Iterable[Observation]:
        return pipeline.observe(expected, {n: reached[n] for n in devices}, timeout_s)

    try:
        seen = pipeline.observe(expected, reached, timeout_s, progress)
        return pipeline.audit(expected, named, seen, scope=scope, again=again, settle_s=settle_s)
    finally:
        progress.close()


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
