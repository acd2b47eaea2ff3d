"""`render`, `plan`, `push` and `rollback`: from the intent to the devices."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from netaudit.cli.cable_lengths import other_lengths
from netaudit.cli.common import Intent, Progress, Targets, Where, end, following, note, out, style, verdict, write_file
from netaudit.cli.fabrics import FabricName, all_of, named, one_of, parts
from netaudit.diag import Diagnostic, Invalid
from netaudit.terminal import Role, counted, fold_text

if TYPE_CHECKING:
    from netaudit.expect import Expected
    from netaudit.push.result import PushResult

RUNS = Path("runs")
UNREACHED: Final = "say how the devices are reached: --targets FILE, or --intent INTENT"

Undo = Annotated[
    str, typer.Option("--undo", envvar="NETAUDIT_UNDO", help="wave: keep waves that passed; all: take all back.")
]
ByIntent = Annotated[
    Path | None, typer.Option("--intent", envvar="NETAUDIT_INTENT", help="Where the management addresses stand.")
]
Runs = Annotated[Path, typer.Option("--runs", envvar="NETAUDIT_RUNS", help="Folder of the logs and the old files.")]


def render(
    intent: Intent,
    folder: Annotated[Path, typer.Option("-d", "--dir", envvar="NETAUDIT_DIR", help="OUT/<device>/<file>.")],
    where: Where = None,
    fabric: FabricName = None,
) -> None:
    """Write the files of every device, without touching a device."""
    from netaudit import pipeline

    known = all_of(intent, fabric)
    count = devices = 0
    for expected, names in parts(known, where):
        devices += len(names)
        for name, files in pipeline.render_all(expected, names):
            for file, text in files.items():
                write_file(folder / name / file, text.encode())
                count += 1
    out(verdict("✔", Role.GOOD, f"{counted(count, 'file')} for {counted(devices, 'device')} in {folder}"))
    out(following(f"netaudit plan {named(known[0], intent, known)} -o plan.json"))


def plan(
    intent: Intent,
    output: Annotated[Path, typer.Option("-o", "--output", envvar="NETAUDIT_OUTPUT", help="The plan's file.")],
    where: Where = None,
    fabric: FabricName = None,
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

    expected = one_of(intent, fabric, "a plan, and its approval, is of one")
    reached = pipeline.targets(expected, pipeline.select(expected, where), targets)
    progress = Progress("plan", len(reached))
    try:
        made = pipeline.plan(expected, reached, progress)
    finally:
        progress.close()
    save_plan(made, output)
    name = shlex.quote(str(intent)) + (f" --fabric {fabric}" if fabric else "")
    by = _reach(targets, intent)
    lines = [*plan_lines(made, shlex.quote(str(output)), style(), full=full, intent=name, reach=by)]
    out("\n".join((*lines[:-1], *other_lengths(expected, made, reached, name, targets), lines[-1])))
    end(made.exit_code(detailed))


def push(
    file: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan made by `netaudit plan`.")],
    targets: Targets = None,
    intent: ByIntent = None,
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
    expected = _of_plan(all_of(intent), planned.fabric, file, intent) if intent is not None else None
    sha = pipeline.intent_sha256(expected.built.intent) if expected is not None else ""
    if sha and planned.intent_sha256 not in ("", sha):
        message = f"{file} was made from another state of {intent}"
        raise Invalid([Diagnostic(message=message, hint=f"netaudit plan {intent} -o {file}")])
    if targets is not None:
        reached = load_targets(targets, chosen)
    elif expected is not None:
        reached = pipeline.targets(expected, tuple(chosen), None)
    else:
        raise typer.BadParameter(UNREACHED)
    if approve and not is_approved(planned, approve):
        raise typer.BadParameter(
            f"{approve} is not the approval of this plan ({planned.approval[:8]})", param_hint="--approve"
        )
    if not (yes or approve) and not _yes(f"Push {counted(len(planned.changes), 'device')}?"):
        message = f"{file} is not approved: the question was not answered with yes"
        hint = f"--yes, or in a job --approve {planned.approval[:8]}"
        raise Invalid([Diagnostic(message=message, hint=hint)])
    result = pipeline.carry_out(planned, reached, runs, undo=undo, on_event=lambda event: note(str(event)))
    _report(result, str(file), intent, targets)


def _yes(question: str) -> bool:
    """The answer of a person, or of what is piped in; a stream that has ended says no."""
    sys.stderr.write(f"{question} [y/N]: ")
    sys.stderr.flush()
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer.endswith("\n"):
        sys.stderr.write("\n")
    return answer.strip().lower() in ("y", "yes")


def _reach(targets: Path | None, intent: Path | None) -> str:
    """How a next command line says where the devices are; nothing where the environment says it."""
    if targets is not None:
        return "" if os.environ.get("NETAUDIT_TARGETS") else f" --targets {shlex.quote(str(targets))}"
    return f" --intent {shlex.quote(str(intent))}" if intent is not None else ""


def _of_plan(known: Sequence[Expected], fabric: str, file: Path, intent: Path) -> Expected:
    """The fabric of a workspace that a plan is of. Raises `Invalid`."""
    found = [expected for expected in known if expected.fabric == fabric]
    if found or len(known) == 1:
        return (*found, *known)[0]
    names = ", ".join(expected.fabric for expected in known)
    message = f"{file} is a plan of {fabric}, and {intent} has {names}"
    raise Invalid([Diagnostic(message=message, hint="name the intent that it was made from")])


def rollback(
    run: Annotated[str, typer.Argument(help="Number of the push: 2026-11-29-01.")],
    targets: Targets = None,
    intent: ByIntent = None,
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
    if targets is not None:
        reached = load_targets(targets, {name: w.platform for name, w in wanted.items()})
    elif intent is not None:
        expected = _of_plan(all_of(intent), past.fabric, Path(run), intent)
        gone = sorted(wanted.keys() - expected.devices)
        if gone:
            message = f"{fold_text(gone)} of run {run} stand no longer in {intent}"
            raise Invalid([Diagnostic(message=message, hint="--targets FILE says how they are reached")])
        reached = pipeline.targets(expected, tuple(wanted), None)
    else:
        raise typer.BadParameter(UNREACHED)
    back = pipeline.plan_files(past.fabric, wanted, reached)
    if back.blocked:
        for device in back.blocked:
            note(f"{device.name}  {device.reason}")
    if not back.changes:
        out(verdict("✔", Role.GOOD, f"nothing to take back of run {run}"))
        end(3 if back.blocked else 0)
    result = pipeline.carry_out(back, reached, runs, undo=undo, on_event=lambda event: note(str(event)))
    _report(result, f"run {run}", intent, targets)


def _known_undo(undo: str) -> None:
    if undo not in ("wave", "all"):
        raise typer.BadParameter(f"`{undo}` is neither wave nor all", param_hint="--undo")


def _report(result: PushResult, plan_file: str, intent: Path | None, targets: Path | None) -> None:
    from netaudit.push.report import push_lines

    by, name = _reach(targets, intent), shlex.quote(str(intent)) if intent is not None else ""
    out("\n".join(push_lines(result, plan_file, style(), intent=name, reach=by)))
    end(result.exit_code)
