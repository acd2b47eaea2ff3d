"""`netaudit demo`: the whole job on a virtual fabric, then real faults, each named once. It judges itself."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import end, following, note, out, style, verdict, write_file
from netaudit.terminal import Role, counted, duration

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult
    from netaudit.cli.demo_faults import Fault
    from netaudit.collect.targets import Target
    from netaudit.expect import Expected

FAILED = 2


@dataclass(slots=True)
class _Demo:
    """One demo: the fabric, how it is reached, and what did not come out as it should."""

    intent: Path
    folder: Path
    expected: Expected
    reached: dict[str, Target]
    wrong: list[str] = field(default_factory=list)


def demo(
    intent: Annotated[
        Path | None, typer.Argument(metavar="[INTENT]", help="Another fabric than the example.", show_default=False)
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", envvar="NETAUDIT_KEEP", help="Leave the lab running.")] = False,
    report: Annotated[
        Path, typer.Option("--report", envvar="NETAUDIT_REPORT", help="HTML report of an audit with faults.")
    ] = Path("report-demo.html"),
) -> None:
    """A whole fabric on this machine, in one minute: check, push, audit, break, find."""
    from netaudit.resources import example_dir

    started = time.monotonic()
    chosen = intent or example_dir() / "two-plane.yml"
    folder = Path(tempfile.mkdtemp(prefix="netaudit-demo-"))
    try:
        with _lab(chosen, folder, keep) as job:
            _push(job)
            count = _faults(job, report) if not job.wrong else 0
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    took = duration(time.monotonic() - started)
    if job.wrong:
        out("\n" + verdict("✖", Role.BAD, f"the demo did not come out as it should ({took})"))
        for line in job.wrong:
            out(f"  {style().show(line)}")
        end(FAILED)
    told = f"{counted(count, 'fault')}, each named once, and a clean fabric before and after ({took})"
    out("\n" + verdict("✔", Role.GOOD, told))
    out(f"  report     {report}")
    out(following(f"netaudit lab up {chosen}        the same fabric, to try on yourself"))


@contextmanager
def _lab(intent: Path, folder: Path, keep: bool) -> Iterator[_Demo]:
    """The fabric and how it is reached; taken down at the end, however that comes."""
    from netaudit import pipeline
    from netaudit.lab import control
    from netaudit.labdir import write_lab
    from netaudit.pipeline_check import check_all

    step = _Step()
    expected = pipeline.load_fabric(intent)
    errors = [d for d in check_all(expected).diagnostics if d.severity == "error"]
    size = f"{len(expected.devices)} switches, {len(expected.links)} links, {len(errors)} errors"
    step(f"check      {intent.name}: {size}", good=not errors)
    write_lab(expected.built, folder / "lab")
    try:
        targets = control.up(folder / "lab")
        reached = dict(pipeline.targets(expected, tuple(expected.devices), targets))
        step(f"lab up     {len(reached)} switches with gNMI and SSH, as they ship")
        yield _Demo(intent, folder, expected, reached, [d.message for d in errors])
    finally:
        if keep:
            note(f"the lab runs on: netaudit lab down --dir {folder / 'lab'}")
        else:
            control.down(folder / "lab")


class _Step:
    """Says what was done and how long it took."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def __call__(self, text: str, *, good: bool = True) -> None:
        now = time.monotonic()
        shown = style()
        mark = shown.paint(shown.symbol("✔"), Role.GOOD) if good else shown.paint(shown.symbol("✖"), Role.BAD)
        out(f"{mark} {shown.symbol(text)}  {now - self._since:.1f} s")
        self._since = now


def _push(job: _Demo) -> None:
    from netaudit import pipeline

    step = _Step()
    made = pipeline.plan(job.expected, job.reached)
    step(f"plan       {len(made.changes)} devices change, {len(made.blocked)} refused or unread")
    result = pipeline.carry_out(made, job.reached, job.folder / "runs")
    words = f"{len(result.done)} done, {len(result.undone)} undone, {len(result.unknown)} unknown"
    step(f"push       {words}", good=not result.stopped)
    if result.interrupted:  # a push ends in order on Ctrl-C, and says so; the demo ends with it
        raise KeyboardInterrupt
    if result.stopped:
        job.wrong.append(f"push: {result.stopped}")
        return
    again = pipeline.plan(job.expected, job.reached)
    step(f"plan       again: {len(again.changes)} devices change", good=not again.changes)
    if again.changes or again.blocked:
        job.wrong.append(f"the second plan is not empty: {', '.join(d.name for d in again.changes)}")


def _faults(job: _Demo, report: Path) -> int:
    """A clean audit, then each fault alone, some together for the report, then a clean one again. How many faults."""
    from netaudit.audit.report import html
    from netaudit.cli.demo_faults import CLEAN, HEALED, faults_for, together
    from netaudit.lab import control

    lab = job.folder / "lab"
    faults = faults_for(job.expected)
    _judge(job, CLEAN)
    for fault in faults:
        control.break_(lab, fault.words[0], fault.words[1:])
        _judge(job, fault)
        control.heal(lab)
    chosen, several = together(faults)
    for fault in chosen:
        control.break_(lab, fault.words[0], fault.words[1:])
    write_file(report, html.render(_judge(job, several)).encode())
    control.heal(lab)
    _judge(job, HEALED)
    return len(faults)


def _judge(job: _Demo, fault: Fault) -> AuditResult:
    """Audit, print what was found, and note where it is not what the fault is."""
    from netaudit import pipeline

    step = _Step()
    seen = pipeline.observe(job.expected, job.reached)
    result = pipeline.audit(job.expected, str(job.intent), seen, settle_s=0.0)
    rules = tuple(sorted(f.rule for f in result.findings))
    code = result.exit_code()
    right = rules == fault.rules and code == fault.exit_code
    short = ", ".join(rules) or ("NOT AUDITED" if result.not_audited else "as intended")
    step(f"audit      {fault.tells:<42} {short:<24} exit {code}", good=right)
    for line in (*(f.title for f in result.findings), *(f"{n.device}: NOT AUDITED" for n in result.not_audited)):
        out(style().symbol(f"             {style().show(line)}"))
    if not right:
        said = " ".join(fault.words) or fault.tells
        job.wrong.append(f"{said}: found {', '.join(rules) or 'nothing'} with exit {code}")
        job.wrong.extend(f"  {n.device} {n.what}: {n.reason}" for n in result.not_audited[:3])
        job.wrong.extend(f"  {f.title}" for f in result.findings[:5])
    return result
