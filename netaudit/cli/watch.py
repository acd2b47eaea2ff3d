"""`collect`, `audit` and `doctor`: what the devices are, against what they shall be."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
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
from netaudit.cli.fabrics import FabricName, all_of, named, parts, worst
from netaudit.cli.history import HistoryFile, kept_in
from netaudit.cli.report import FORMATS, emit_all, fail_on_of, refuse_on_stdout
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult, FailOn
    from netaudit.audit.observed import Observation
    from netaudit.collect.targets import Target
    from netaudit.expect import Expected

INCOMPLETE = 3


def collect(
    intent: Intent,
    output: Annotated[Path, typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="Folder of the snapshot.")],
    where: Where = None,
    fabric: FabricName = None,
    targets: Targets = None,
) -> None:
    """A snapshot of the devices, to audit later or elsewhere; of several fabrics one in a folder each."""
    from netaudit import pipeline

    known = all_of(intent, fabric)
    chosen = parts(known, where)
    many = len(known) > 1
    reached = [(e, pipeline.targets(e, names, targets)) for e, names in chosen]
    codes = [_collected(e, found, output / e.fabric if many else output) for e, found in reached]
    folder = shlex.quote(str(output))
    out(following(f"netaudit audit {intent} {folder}" + (f" --fabric {fabric}" if fabric else "")))
    end(worst(codes))


def _collected(expected: Expected, reached: Mapping[str, Target], output: Path) -> int:
    """The snapshot of one fabric; its exit code."""
    from netaudit import pipeline

    progress = Progress(f"collect {expected.fabric}", len(reached))
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
    return INCOMPLETE if missing else 0


def audit(
    intent: Intent,
    snapshot: Annotated[Path | None, typer.Argument(help="A snapshot in place of the devices.")] = None,
    where: Where = None,
    only: Annotated[
        str, typer.Option("--only", envvar="NETAUDIT_ONLY", help="Rules and families, with commas: 'BGP,HDR-02'.")
    ] = "",
    fabric: FabricName = None,
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
    """Is the fabric as intended? Causes first, each with the command that fixes it.

    Of a folder of fabrics each is audited, and 3 (incomplete) wins over 2 (findings) of any of them.
    """
    from netaudit.audit.only import only as part_of
    from netaudit.audit.only import wanted_rules

    failing = fail_on_of(fail_on)
    wanted = outputs(output, FORMATS)
    rules = wanted_rules(only) if only else ()
    settle_s, timeout_s = _seconds(settle, "--settle"), _seconds(timeout, "--timeout")
    known = all_of(intent, fabric)
    many = len(known) > 1
    if many:
        refuse_on_stdout(wanted)
    results: list[AuditResult] = []
    for expected, names in parts(known, where):
        how = _How(where=where, targets=targets, snapshot=snapshot, history=history, fail_on=failing)
        results.append(_audited(expected, named(expected, intent, known), names, how, settle_s, timeout_s, many=many))
    if rules:
        results = [part_of(result, rules) for result in results]
    week = _week(results[0].started_at)
    files = {"html": report or Path(f"report-{week}.html"), **wanted}
    emit_all(results, files, everything=everything, fail_on=failing)
    end(worst([result.exit_code(failing) for result in results]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    """What an audit was asked for, the same for every fabric."""

    where: str | None
    targets: Path | None
    snapshot: Path | None
    history: str
    fail_on: FailOn


def _audited(
    expected: Expected, name: str, names: tuple[str, ...], how: _How, settle_s: float, timeout_s: float, *, many: bool
) -> AuditResult:
    """The audit of one fabric, with waivers and beside the one before it."""
    from netaudit import pipeline, pipeline_watch

    waivers = pipeline_watch.load_all_waivers(expected)
    scope = names if how.where else None
    taken: datetime | None = None
    if how.snapshot is not None:
        from netaudit.collect.snapshot import load as load_snapshot

        loaded = load_snapshot(how.snapshot / expected.fabric if many else _snapshot_of(how.snapshot, expected.fabric))
        taken = loaded.taken
        result = pipeline.audit(expected, name, pipeline.replay(expected, loaded, names), scope=scope)
    else:
        reached = pipeline.targets(expected, names, how.targets)
        result = _live(expected, name, reached, scope, timeout_s, settle_s)
    return pipeline_watch.judged(
        result,
        waivers,
        history=kept_in(how.history),
        intent_sha=pipeline.intent_sha256(expected.built.intent),
        fail_on=how.fail_on,
        scope=" ".join(sorted((how.where or "").split())),
        taken=taken,
    )


def _snapshot_of(folder: Path, fabric: str) -> Path:
    """The snapshot of one fabric: the folder itself, or that of the fabric in a folder of several."""
    inside = folder / fabric
    return inside if not (folder / "snapshot.json").exists() and (inside / "snapshot.json").exists() else folder


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


def doctor(intent: Intent, where: Where = None, fabric: FabricName = None, targets: Targets = None) -> None:
    """Which step of reaching each device fails: DNS, TCP, TLS, auth or path."""
    known = all_of(intent, fabric)
    end(worst([_examined(e, names, named(e, intent, known), targets) for e, names in parts(known, where)]))


def _examined(expected: Expected, names: Collection[str], name: str, targets: Path | None) -> int:
    from netaudit import pipeline
    from netaudit.cli.doctor import doctor_text

    reached = pipeline.targets(expected, names, targets)
    progress = Progress("doctor", len(reached))
    try:
        found = pipeline.examine_all(reached, progress)
    finally:
        progress.close()
    text, complete = doctor_text(found, style(), name)
    out(text)
    return 0 if complete else INCOMPLETE
