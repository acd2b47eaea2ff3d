"""How one device is taken to its candidate and back. Nothing it says of itself counts; only what is read back does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from netaudit.collect.failure import Failure, Kind, one_line
from netaudit.collect.ssh import Completed, SshClient
from netaudit.collect.targets import Target
from netaudit.platforms import Files, Platform, Step, Steps
from netaudit.platforms import platform as platform_of
from netaudit.push.plan import DevicePlan, Running, files_sha256
from netaudit.push.refusal import complaint, refusal
from netaudit.push.result import Outcome, Word
from netaudit.push.run import Run
from netaudit.push.session import Session
from netaudit.terminal import counted, duration

Got = TypeVar("Got")
_PAUSE_S: Final = (0.2, 5.0)
"""First and longest pause between two looks at a device that is not yet as it shall be."""
_PASSING: Final = (Kind.UNREACHABLE, Kind.TIMED_OUT, Kind.CUT_OFF)
"""Failures that may pass while services restart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long to wait for a device."""

    answer_s: float = 60.0
    """For each request (design/terminal.md: "no answer in 60 s")."""
    settle_s: float = 180.0
    """For the device to hold what was loaded, services restarting meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A device about to be touched: what it holds, what it shall hold, and the steps there and back."""

    entry: DevicePlan
    platform: Platform
    running: Running
    candidate: Files
    steps: Steps

    def slim(self) -> Ready:
        """Without its texts: all that is left to do is cleaning."""
        nothing = Running(files={}, serial=self.running.serial)
        return replace(self, running=nothing, candidate={}, steps=Steps(clean=self.steps.clean))


def stale_reason(entry: DevicePlan, running: Running) -> str:
    """Why the plan no longer fits what the device holds; empty if it does."""
    if entry.serial != running.serial:
        return f"another box: serial {running.serial or 'unknown'}, {entry.serial or 'unknown'} when the plan was made"
    if files_sha256(running.files) != entry.running_sha256:
        return "its running configuration was changed after the plan was made"
    return ""


def change_one(
    entry: DevicePlan,
    target: Target,
    run: Run,
    times: Times | None = None,
    platforms: Callable[[str], Platform] = platform_of,
) -> Outcome:
    """One device by itself, from check to cleaning; what `push` does in waves."""
    times = times or Times()
    with Session(target, times.answer_s) as session:
        ready = get_ready(entry, platforms(entry.platform), session, run)
        if isinstance(ready, str):
            return Outcome(word=Word.UNTOUCHED, reason=ready)
        outcome = change(ready, session, run, times)
        if outcome.word is not Word.UNKNOWN:
            clean(ready, session, run)
        return outcome


def get_ready(entry: DevicePlan, platform: Platform, session: Session, run: Run) -> Ready | str:
    """Everything needed to touch the device, stored for a later rollback; or why it must not be touched."""
    running = session.running(platform)
    if not isinstance(running, Running):
        return running
    if reason := stale_reason(entry, running):
        return reason
    candidate = platform.candidate(entry.files, running.files, entry.owns)
    if files_sha256(candidate) != entry.candidate_sha256:
        return "the candidate is not the one that was approved; plan again"
    run.keep(entry, platform.kept(running.files, entry.files, entry.owns), running.serial)
    return Ready(
        entry=entry,
        platform=platform,
        running=running,
        candidate=candidate,
        steps=platform.steps(running.files, candidate, run.name),
    )


def change(ready: Ready, session: Session, run: Run, times: Times) -> Outcome:
    """Load, read back, save. What fails is taken back at once; the outcome is what was read back in the end."""
    why = _carry_out(ready, ready.steps.prepare, session, run)
    if why:
        return Outcome(word=Word.UNTOUCHED, reason=why)
    why = _carry_out(ready, ready.steps.apply, session, run)
    why = why or _read_back(ready, ready.candidate, "read back", session, run, times)
    why = why or _carry_out(ready, ready.steps.save, session, run)
    return take_back(ready, why, session, run, times) if why else Outcome(word=Word.DONE)


def take_back(ready: Ready, why: str, session: Session, run: Run, times: Times) -> Outcome:
    """Back to the old configuration; `why` becomes the reason of the outcome."""
    run.note(ready.entry.name, f"undo: {why}")
    _until(session.connect, lambda c: isinstance(c, SshClient) or c.kind not in _PASSING, times)
    failed = _carry_out(ready, ready.steps.undo, session, run, to_the_end=True)
    unlike = _read_back(ready, ready.running.files, "read back the old", session, run, times)
    if not unlike and not failed:
        return Outcome(word=Word.UNDONE, reason=why)
    if not unlike:
        # Running is as before, but a step failed, perhaps the one that restores what a reboot brings back.
        return Outcome(word=Word.UNKNOWN, reason=f"{why}; running is as before, but undoing failed at {failed}")
    return Outcome(word=Word.UNKNOWN, reason=f"{why}; undoing failed: {failed or unlike}")


def clean(ready: Ready, session: Session, run: Run) -> None:
    """Remove what the steps left on the device. A failure is logged and is no result: nothing depends on it."""
    _carry_out(ready, ready.steps.clean, session, run, to_the_end=True)


def _carry_out(ready: Ready, steps: Iterable[Step], session: Session, run: Run, to_the_end: bool = False) -> str:
    """Run the steps; the first failure as text, or empty. `to_the_end`: after a failure the next are tried too.

    But not behind a step that they need.
    """
    first = ""
    for step in steps:
        started = time.monotonic()
        failure = _failure_of(session.step(step, ready.platform), step)
        took = duration(time.monotonic() - started)
        run.note(ready.entry.name, f"{step.name}: {failure}" if failure else f"{step.name} done in {took}")
        first = first or (failure and f"{step.name}: {failure}")
        if failure and (step.needed or not to_the_end):
            break
    return first


def _failure_of(result: Completed | Failure | None, step: Step) -> str:
    """Why a step failed; empty if it did not."""
    if isinstance(result, Failure):
        return str(result)
    if result is None:
        return ""
    if result.exit_code in step.ok and not (step.error_if_stderr and _complains(result, step)):
        allowed = step.driver and result.exit_code  # the driver refused, which this step may be
        return "" if allowed else refusal((result.stderr, result.stdout), step.harmless_stderr, step.refusal)
    said = complaint(result.stderr) or complaint(result.stdout) or "no output"
    return said if step.driver else f"exit code {result.exit_code}: {said}"


def _complains(result: Completed, step: Step) -> bool:
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    return any(not line.startswith(step.harmless_stderr) for line in lines)


def _read_back(ready: Ready, wanted: Files, name: str, session: Session, run: Run, times: Times) -> str:
    """Empty once the device holds `wanted`; after the settling time, why it does not."""
    started = time.monotonic()
    unlike = _until(lambda: _unlike(ready, wanted, session), lambda reason: not reason, times)
    took = duration(time.monotonic() - started)
    run.note(ready.entry.name, f"{name}: {unlike}" if unlike else f"{name} done in {took}")
    return f"{name}: {unlike}" if unlike else ""


def _unlike(ready: Ready, wanted: Files, session: Session) -> str:
    """Why what runs is not `wanted`; empty if it is."""
    running = session.running(ready.platform)
    if not isinstance(running, Running):
        return running
    try:
        if ready.platform.equal(wanted, running.files):
            return ""
        lines = ready.platform.diff(running.files, wanted)
    except ValueError as error:
        return one_line(str(error))
    return f"{counted(len(lines), 'value')} differ, first {one_line(lines[0])}" if lines else "it means something else"


def _until(attempt: Callable[[], Got], good: Callable[[Got], bool], times: Times) -> Got:
    """The first good result, or the last one when the settling time is over."""
    deadline = time.monotonic() + times.settle_s
    pause_s, longest_s = _PAUSE_S
    while not good(got := attempt()) and time.monotonic() + pause_s < deadline:
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, longest_s)
    return got
