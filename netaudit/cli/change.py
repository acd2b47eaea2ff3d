"""`render`, `plan`, `push` and `rollback`: from the intent to the devices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Intent, Progress, Targets, Where, end, following, note, out, style, verdict, write_file
from netaudit.diag import Diagnostic, Invalid
from netaudit.terminal import Role, counted

if TYPE_CHECKING:
    from netaudit.push.result import PushResult

RUNS = Path("runs")

Undo = Annotated[
    str, typer.Option("--undo", envvar="NETAUDIT_UNDO", help="wave: keep waves that passed; all: take all back.")
]
Runs = Annotated[Path, typer.Option("--runs", envvar="NETAUDIT_RUNS", help="Folder of the logs and the old files.")]


def render(
    intent: Intent,
    folder: Annotated[Path, typer.Option("-d", "--dir", envvar="NETAUDIT_DIR", help="OUT/<device>/<file>.")],
    where: Where = None,
) -> None:
    """Write the files of every device, without touching a device."""
    from netaudit import pipeline

    expected = pipeline.load_fabric(intent)
    names = pipeline.select(expected, where)
    count = 0
    for name, files in pipeline.render_all(expected, names):
        for file, text in files.items():
            write_file(folder / name / file, text.encode())
            count += 1
    out(verdict("✔", Role.GOOD, f"{counted(count, 'file')} for {counted(len(names), 'device')} in {folder}"))
    out(following(f"netaudit plan {intent} -o plan.json"))


def plan(
    intent: Intent,
    output: Annotated[Path, typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="The plan's file.")],
    where: Where = None,
    targets: Targets = None,
    full: Annotated[bool, typer.Option("--full", envvar="NETAUDIT_FULL", help="Every line of the diffs.")] = False,
    detailed: Annotated[
        bool, typer.Option("--detailed-exitcode", envvar="NETAUDIT_DETAILED_EXITCODE", help="2 if anything changes.")
    ] = False,
) -> None:
    """What would be pushed, with its impact. Reads every device, writes none."""
    from netaudit import pipeline
    from netaudit.push.plan_file import save_plan
    from netaudit.push.report import plan_lines

    expected = pipeline.load_fabric(intent)
    reached = pipeline.targets(expected, pipeline.select(expected, where), targets)
    progress = Progress("plan", len(reached))
    try:
        made = pipeline.plan(expected, reached, progress)
    finally:
        progress.close()
    save_plan(made, output)
    out("\n".join(plan_lines(made, str(output), style(), full=full)))
    end(made.exit_code(detailed))


def push(
    file: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan made by `netaudit plan`.")],
    targets: Targets = None,
    intent: Annotated[
        Path | None, typer.Option("--intent", envvar="NETAUDIT_INTENT", help="Where the management addresses stand.")
    ] = None,
    undo: Undo = "wave",
    runs: Runs = RUNS,
    yes: Annotated[bool, typer.Option("--yes", "-y", envvar="NETAUDIT_YES", help="Do not ask.")] = False,
    approve: Annotated[
        str, typer.Option("--approve", envvar="NETAUDIT_APPROVE", help="Approval of the plan, in place of a question.")
    ] = "",
) -> None:
    """Push a plan: plane by plane, with checkpoint, read back, save; what fails is taken back."""
    from netaudit import pipeline
    from netaudit.collect.targets import load_targets
    from netaudit.push.plan import is_approved
    from netaudit.push.plan_file import load_plan

    _known_undo(undo)
    planned = load_plan(file)
    if not planned.changes:
        out(verdict("✔", Role.GOOD, "nothing to push: every device holds what it shall"))
        out(following("nothing to do."))
        end(0)
    chosen = {d.name: d.platform for d in planned.changes}
    if targets is not None:
        reached = load_targets(targets, chosen)
    elif intent is not None:
        expected = pipeline.load_fabric(intent)
        if planned.intent_sha256 and planned.intent_sha256 != pipeline.intent_sha256(expected.built.intent):
            message = f"{file} was made from another state of {intent}"
            raise Invalid([Diagnostic(message=message, hint=f"netaudit plan {intent} -o {file}")])
        reached = pipeline.targets(expected, tuple(chosen), None)
    else:
        raise typer.BadParameter("say how the devices are reached: --targets FILE, or --intent INTENT")
    if approve and not is_approved(planned, approve):
        raise typer.BadParameter(
            f"{approve} is not the approval of this plan ({planned.approval[:8]})", param_hint="--approve"
        )
    if not (yes or approve):
        typer.confirm(f"Push {counted(len(planned.changes), 'device')}?", abort=True, err=True)
    result = pipeline.carry_out(planned, reached, runs, undo=undo, on_event=lambda event: note(str(event)))
    _report(result, str(file))


def rollback(
    run: Annotated[str, typer.Argument(help="Number of the push: 2026-11-29-01.")],
    targets: Annotated[Path, typer.Option("--targets", envvar="NETAUDIT_TARGETS", help="How devices are reached.")],
    undo: Undo = "wave",
    runs: Runs = RUNS,
) -> None:
    """Take a push back: every device it changed holds again what it held before."""
    from netaudit import pipeline
    from netaudit.collect.targets import load_targets
    from netaudit.push.run import load_run

    _known_undo(undo)
    past = load_run(runs, run)
    wanted = {name: past.wanted(name) for name in past.to_take_back}
    reached = load_targets(targets, {name: w.platform for name, w in wanted.items()})
    back = pipeline.plan_files(past.fabric, wanted, reached)
    if back.blocked:
        for device in back.blocked:
            note(f"{device.name}  {device.reason}")
    if not back.changes:
        out(verdict("✔", Role.GOOD, f"nothing to take back of run {run}"))
        end(3 if back.blocked else 0)
    result = pipeline.carry_out(back, reached, runs, undo=undo, on_event=lambda event: note(str(event)))
    _report(result, f"run {run}")


def _known_undo(undo: str) -> None:
    if undo not in ("wave", "all"):
        raise typer.BadParameter(f"`{undo}` is neither wave nor all", param_hint="--undo")


def _report(result: PushResult, plan_file: str) -> None:
    from netaudit.push.report import push_lines

    out("\n".join(push_lines(result, plan_file, style())))
    end(result.exit_code)
