"""`netaudit demo`: the whole job on a virtual fabric, then real faults, each named once. It judges itself."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import end, following, note, out, style, verdict, write_file
from netaudit.terminal import Role, duration

if TYPE_CHECKING:
    from netaudit.audit.findings import AuditResult
    from netaudit.collect.targets import Target
    from netaudit.expect import Expected

FAILED = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the lab, and what an audit must say of it."""

    words: tuple[str, ...]
    rules: tuple[str, ...]
    exit_code: int
    tells: str


FAULTS = (
    Fault(("swap", "a-su1-r1-leaf:64", "a-su1-r2-leaf:64"), ("CAB-02",), 2, "two cables are swapped"),
    Fault(("link", "a-su1-r3-leaf:63"), ("INT-01",), 2, "a cable is cut"),
    Fault(("session", "b-su2-r1-leaf:62"), ("BGP-01",), 2, "a BGP session is stuck"),
    Fault(("asn", "b-spine2", "4200999999"), ("BGP-02",), 2, "a spine has another ASN"),
    Fault(("withdraw", "a-su2-r4-leaf", "10.0.0.112/28"), ("RIB-01",), 2, "a leaf no longer announces its hosts"),
    Fault(("announce", "b-spine1", "10.32.3.0/28"), ("RIB-01",), 2, "a spine announces hosts that do not exist"),
    Fault(("unreachable", "a-spine2"), (), 3, "a switch does not answer"),
)

TOGETHER = (FAULTS[0], FAULTS[1], FAULTS[3], FAULTS[6])
"""Faults that share no object, for the report."""


def demo(
    keep: Annotated[bool, typer.Option("--keep", envvar="NETAUDIT_KEEP", help="Leave the lab running.")] = False,
    report: Annotated[
        Path, typer.Option("--report", envvar="NETAUDIT_REPORT", help="HTML report of an audit with faults.")
    ] = Path("report-demo.html"),
) -> None:
    """A whole fabric on this machine, in one minute: check, push, audit, break, find."""
    from netaudit.resources import example_dir

    started = time.monotonic()
    intent = example_dir() / "two-plane.yml"
    folder = Path(tempfile.mkdtemp(prefix="netaudit-demo-"))
    wrong: list[str] = []
    try:
        with _lab(intent, folder, keep) as (expected, reached):
            _push(expected, reached, folder, wrong)
            if not wrong:
                _faults(expected, reached, folder, wrong, report)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    took = duration(time.monotonic() - started)
    if wrong:
        out("\n" + verdict("✖", Role.BAD, f"the demo did not come out as it should ({took})"))
        for line in wrong:
            out(f"  {style().show(line)}")
        end(FAILED)
    out(
        "\n"
        + verdict(
            "✔", Role.GOOD, f"{len(FAULTS)} faults, each named once, and a clean fabric before and after ({took})"
        )
    )
    out(f"  report     {report}")
    out(following(f"netaudit lab up {intent}        the same fabric, to try on yourself"))


@contextmanager
def _lab(intent: Path, folder: Path, keep: bool) -> Iterator[tuple[Expected, dict[str, Target]]]:
    """The fabric and how it is reached; taken down at the end, however that comes."""
    from netaudit import pipeline
    from netaudit.lab import control
    from netaudit.labdir import write_lab
    from netaudit.pipeline_check import check_all

    step = _Step()
    expected = pipeline.load_fabric(intent)
    errors = [d for d in check_all(expected).diagnostics if d.severity == "error"]
    step(
        f"check      {intent.name}: {len(expected.devices)} switches, {len(expected.links)} links, {len(errors)} errors"
    )
    write_lab(expected.built, folder / "lab")
    try:
        targets = control.up(folder / "lab")
        reached = dict(pipeline.targets(expected, tuple(expected.devices), targets))
        step(f"lab up     {len(reached)} switches with gNMI and SSH, as they ship")
        yield expected, reached
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


def _push(expected: Expected, reached: dict[str, Target], folder: Path, wrong: list[str]) -> None:
    from netaudit import pipeline

    step = _Step()
    made = pipeline.plan(expected, reached)
    step(f"plan       {len(made.changes)} devices change, {len(made.blocked)} refused or unread")
    result = pipeline.carry_out(made, reached, folder / "runs")
    step(
        f"push       {len(result.done)} done, {len(result.undone)} undone, {len(result.unknown)} unknown",
        good=not result.stopped,
    )
    if result.interrupted:  # a push ends in order on Ctrl-C, and says so; the demo ends with it
        raise KeyboardInterrupt
    if result.stopped:
        wrong.append(f"push: {result.stopped}")
        return
    again = pipeline.plan(expected, reached)
    step(f"plan       again: {len(again.changes)} devices change", good=not again.changes)
    if again.changes or again.blocked:
        wrong.append(f"the second plan is not empty: {', '.join(d.name for d in again.changes)}")


def _faults(expected: Expected, reached: dict[str, Target], folder: Path, wrong: list[str], report: Path) -> None:
    """A clean audit, then each fault alone, then a clean one again."""
    from netaudit.audit.report import html
    from netaudit.lab import control

    _judge(expected, reached, Fault((), (), 0, "nothing is wrong"), wrong)
    for fault in FAULTS:
        control.break_(folder / "lab", fault.words[0], fault.words[1:])
        _judge(expected, reached, fault, wrong)
        control.heal(folder / "lab")
    for fault in TOGETHER:
        control.break_(folder / "lab", fault.words[0], fault.words[1:])
    rules = tuple(sorted(rule for fault in TOGETHER for rule in fault.rules))
    several = Fault((), rules, 3, f"{len(TOGETHER)} of them at once")
    write_file(report, html.render(_judge(expected, reached, several, wrong)).encode())
    control.heal(folder / "lab")
    _judge(expected, reached, Fault((), (), 0, "all is healed"), wrong)


def _judge(expected: Expected, reached: dict[str, Target], fault: Fault, wrong: list[str]) -> AuditResult:
    """Audit, print what was found, and note where it is not what the fault is."""
    from netaudit import pipeline

    step = _Step()
    result = pipeline.audit(expected, "intent/two-plane.yml", pipeline.observe(expected, reached), settle_s=0.0)
    rules = tuple(sorted(f.rule for f in result.findings))
    code = result.exit_code()
    right = rules == fault.rules and code == fault.exit_code
    short = ", ".join(rules) or ("NOT AUDITED" if result.not_audited else "as intended")
    step(f"audit      {fault.tells:<42} {short:<24} exit {code}", good=right)
    for line in (*(f.title for f in result.findings), *(f"{n.device}: NOT AUDITED" for n in result.not_audited)):
        out(style().symbol(f"             {style().show(line)}"))
    if not right:
        wrong.append(f"{' '.join(fault.words) or fault.tells}: found {', '.join(rules) or 'nothing'} with exit {code}")
        wrong.extend(f"  {n.device} {n.what}: {n.reason}" for n in result.not_audited[:3])
        wrong.extend(f"  {f.title}" for f in result.findings[:5])
    return result
