"""What becomes of each device when a plan is carried out in waves: verified new, verified old, untouched or unknown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol, TypeAlias, TypeVar

from netaudit.collect.targets import Target
from netaudit.platforms import Platform
from netaudit.platforms import platform as platform_of
from netaudit.push.device import Ready, Times, change, clean, get_ready, stale_reason, take_back
from netaudit.push.plan import Plan, Running
from netaudit.push.result import Outcome, PushResult, Word
from netaudit.push.run import Event, Run, start_run
from netaudit.push.session import Session
from netaudit.push.waves import Wave, waves
from netaudit.terminal import counted, fold_text

WORKERS: Final = 20
Item = TypeVar("Item")


class EachHost(Protocol):
    """`netaudit.nornir.hosts.each_host`, handed in: an answer or an error for every item, as they finish."""

    def __call__(
        self, items: Mapping[str, Item], task: Callable[[Item], object], workers: int = ...
    ) -> Generator[tuple[str, object], None, None]:
        """(name, what `task` gave) for every item; closing it waits for the tasks that have begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLine:
    """One thing a gate looked at."""

    ok: bool
    text: str
    """`96 of 96 sessions Established`, `drops on priority 3: 17 on a-su3-r3-leaf:41 in 60 s, allowed 0`."""


Judge: TypeAlias = Callable[[], Iterable[GateLine]]
Gate: TypeAlias = Callable[[Wave], Judge]
"""Called before a wave is touched, so that it can note what is normal; what it returns is called to judge the wave."""


class Undo(StrEnum):
    """What goes back when a push stops."""

    WAVE = "wave"
    """The wave it stopped in; what passed its gate stays."""
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a push works with."""

    targets: Mapping[str, Target]
    each_host: EachHost
    platforms: Callable[[str], Platform] = platform_of
    workers: int = WORKERS
    times: Times = field(default_factory=Times)


def push(
    plan: Plan,
    means: Means,
    *,
    runs: Path,
    gate: Gate | None = None,
    undo: Undo = Undo.WAVE,
    on_event: Callable[[Event], None] | None = None,
) -> PushResult:
    """Take every changing device of the plan to its candidate, wave by wave, and say what became of each.

    Ctrl-C lets the devices in hand end, done or undone, and touches no other; it comes back as `interrupted`.
    Raises Unusable where `runs` cannot be written or another push is running.
    """
    started = time.monotonic()
    with start_run(runs, on_event) as run:
        work = _Push(plan, means, run, undo)
        run.record(
            plan.fabric, {name: Outcome(word=Word.UNKNOWN, reason="the push did not end") for name in work.names}
        )
        try:
            _interruptible(work, lambda: work.all_waves(gate) if work.check() else None)
            _interruptible(work, work.clean)
        finally:
            result = work.result(time.monotonic() - started)
            run.record(plan.fabric, result.outcomes)
        return result


def _interruptible(work: _Push, stage: Callable[[], None]) -> None:
    try:
        stage()
    except KeyboardInterrupt:
        work.interrupt()


class _Push:
    """One push in progress. Workers write into `_outcomes` and `_ready`, each for its own device only."""

    def __init__(self, plan: Plan, means: Means, run: Run, undo: Undo) -> None:
        self._means = means
        self._run = run
        self._undo = undo
        self._waves = waves(plan.changes)
        self._entries = {d.name: d for d in plan.changes}
        self._outcomes: dict[str, Outcome] = {}
        self._ready: dict[str, Ready] = {}
        self._halt = threading.Event()
        self._stopped = ""
        self._stale = False
        self._interrupted = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every device of the push, in the order in which they are touched."""
        return tuple(name for wave in self._waves for name in wave.devices)

    def check(self) -> bool:
        """Does every device still hold what the plan was made from? Nothing is touched unless all do."""
        reasons = {}
        for name, said in self._each(self.names, self._check_one).items():
            if not isinstance(said, _Checked):
                said = _Checked(reason=str(said))
            if said.reason:
                reasons[name] = said.reason
                self._stale = self._stale or said.stale
                self._run.note(name, said.reason)
        for name, reason in reasons.items():
            self._outcomes[name] = Outcome(word=Word.UNTOUCHED, reason=reason)
        if reasons:
            what = "no longer fits" if self._stale else "cannot be checked on"
            self._stopped = f"the plan {what} {counted(len(reasons), 'device')}, nothing was touched"
        return not reasons

    def all_waves(self, gate: Gate | None) -> None:
        """Wave after wave, until one fails."""
        for wave in self._waves:
            self._run.wave = wave.number
            self._run.note("", f"{wave.title}: {fold_text(wave.devices)}")
            judge, why = _before(gate, wave)
            if not why:
                self._take(wave.devices, self._turn)
                why = self._failed(wave) or self._judged(judge)
            if why:
                self._stop(wave, f"wave {wave.number}: {why}")
                return
            if self._undo is Undo.WAVE:  # this wave stays: its texts are needed no more, only what cleans up
                self._ready.update({name: self._ready[name].slim() for name in wave.devices})

    def clean(self) -> None:
        """Remove from the devices what the steps left there; an unknown device keeps its checkpoint for a person."""
        known = [n for n in self._ready if self._outcome(n).word is not Word.UNKNOWN]
        for name, said in self._each(known, self._clean_one).items():
            if said is not None:
                self._run.note(name, f"clean: {said}")

    def interrupt(self) -> None:
        """Ctrl-C came; by now every device in hand has ended."""
        self._interrupted = True
        self._stopped = self._stopped or "interrupted"
        self._run.note("", "interrupted")

    def result(self, took_s: float) -> PushResult:
        """What became of every device."""
        return PushResult(
            run=self._run.name,
            outcomes={name: self._outcome(name) for name in self.names},
            waves=self._waves,
            stopped=self._stopped,
            stopped_in=self._run.wave if self._stopped else 0,
            stale=self._stale,
            interrupted=self._interrupted,
            took_s=took_s,
            log=str(self._run.log_file),
        )

    def _outcome(self, name: str) -> Outcome:
        """What is known of a device. One that was about to be touched, and of which nobody told, is unknown."""
        if name in self._outcomes:
            return self._outcomes[name]
        if name in self._ready:
            return Outcome(word=Word.UNKNOWN, reason="its task ended without a word; see the log")
        return Outcome(word=Word.UNTOUCHED)

    def _each(self, names: Iterable[str], task: Callable[[str], object]) -> Mapping[str, object]:
        """What `task` gives for each name, or whatever stands for its crash."""
        with closing(self._means.each_host({n: n for n in names}, task, self._means.workers)) as answers:
            return dict(answers)

    def _take(self, names: Iterable[str], task: Callable[[str], Outcome | None]) -> None:
        """Run a task that touches devices; it notes its own outcomes, a crash of it is noted here."""
        for name, said in self._each(names, task).items():
            if said is None or isinstance(said, Outcome):
                continue
            self._halt.set()
            word = Word.UNKNOWN if name in self._ready else Word.UNTOUCHED
            self._outcomes[name] = Outcome(word=word, reason=str(said))
            self._run.note(name, f"crashed: {said}")

    def _check_one(self, name: str) -> _Checked:
        entry = self._entries[name]
        with self._session(name) as session:
            running = session.running(self._means.platforms(entry.platform))
        if not isinstance(running, Running):
            return _Checked(reason=running)
        reason = stale_reason(entry, running)
        return _Checked(reason=reason, stale=bool(reason))

    def _turn(self, name: str) -> Outcome | None:
        """One device, from old to new. None if it is left as it is."""
        if self._halt.is_set():
            return None
        entry = self._entries[name]
        with self._session(name) as session:
            ready = get_ready(entry, self._means.platforms(entry.platform), session, self._run)
            if isinstance(ready, str):
                outcome = Outcome(word=Word.UNTOUCHED, reason=ready)
                self._run.note(name, f"not touched: {ready}")
            else:
                self._ready[name] = ready
                outcome = change(ready, session, self._run, self._means.times)
        self._outcomes[name] = outcome
        if outcome.word is not Word.DONE:
            self._halt.set()
        return outcome

    def _back_one(self, name: str) -> Outcome:
        with self._session(name) as session:
            outcome = take_back(self._ready[name], self._stopped, session, self._run, self._means.times)
        self._outcomes[name] = outcome
        return outcome

    def _clean_one(self, name: str) -> None:
        with self._session(name) as session:
            clean(self._ready[name], session, self._run)

    def _session(self, name: str) -> Session:
        return Session(self._means.targets[name], self._means.times.answer_s)

    def _failed(self, wave: Wave) -> str:
        """The first device of the wave that is not verified new, with its reason."""
        for name in wave.devices:
            outcome = self._outcomes.get(name)
            if outcome is not None and outcome.word is not Word.DONE:
                return f"{name}: {outcome.reason}"
        return ""

    def _judged(self, judge: Judge | None) -> str:
        """What the gate finds wrong; empty if nothing."""
        if judge is None:
            return ""
        try:
            lines = tuple(judge())
        except Exception as error:  # noqa: BLE001 - a gate that crashes has not passed
            return f"gate crashed: {type(error).__name__}: {error}"
        for line in lines:
            self._run.note("", f"gate {'passed' if line.ok else 'failed'}: {line.text}")
        return "; ".join(f"gate: {line.text}" for line in lines if not line.ok)

    def _stop(self, wave: Wave, why: str) -> None:
        """Take back what shall not stay, the last wave first."""
        self._stopped = why
        self._run.note("", f"stopped: {why}")
        back = [wave] if self._undo is Undo.WAVE else list(reversed(self._waves[: wave.number]))
        for one in back:
            done = [n for n in one.devices if n in self._outcomes and self._outcomes[n].word is Word.DONE]
            self._take(done, self._back_one)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """What the check of one device against the plan found; nothing, if the reason is empty."""

    reason: str
    stale: bool = False


def _before(gate: Gate | None, wave: Wave) -> tuple[Judge | None, str]:
    """The judge of a wave, or why there is none."""
    if gate is None:
        return None, ""
    try:
        return gate(wave), ""
    except Exception as error:  # noqa: BLE001 - a gate that crashes stops the push before the wave is touched
        return None, f"gate crashed: {type(error).__name__}: {error}"
