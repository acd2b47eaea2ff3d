"""What stays of a push on this machine: its number, its log, and what each device held before."""

from __future__ import annotations

import fcntl
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from netaudit.diag import Unusable
from netaudit.platforms import Files
from netaudit.push.plan import DevicePlan, Wanted
from netaudit.push.plan_file import place_from, place_to
from netaudit.push.result import Outcome, Word
from netaudit.push.store import invalid, list_of, object_of, read_json, text, write_json
from netaudit.terminal import stamp

FORMAT: Final = 1
_RUN: Final = re.compile(r"\d{4}-\d\d-\d\d-\d\d+")
_WHAT: Final = "the record of a run"
_HINT: Final = "make a new plan from the intent instead: netaudit plan INTENT -o plan.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened during a push."""

    at: datetime
    wave: int
    device: str
    """Empty for what concerns the whole run."""
    text: str

    def __str__(self) -> str:
        return f"{stamp(self.at)} {self.device or f'wave {self.wave}'} {self.text}"


class Run:
    """One push in progress. Its methods may be called from any thread."""

    def __init__(self, folder: Path, name: str, log: IO[str], on_event: Callable[[Event], None] | None) -> None:
        self.name = name
        self.log_file = folder / f"{name}.log"
        self.wave = 0
        self._folder = folder
        self._log = log
        self._on_event = on_event
        self._lock = threading.Lock()

    def note(self, device: str, text: str) -> None:
        """Log one event, and hand it to whoever shows progress."""
        event = Event(at=datetime.now(UTC), wave=self.wave, device=device, text=text)
        with self._lock:
            self._log.write(f"{event}\n")
            self._log.flush()
            if self._on_event is not None:
                self._on_event(event)

    def keep(self, device: DevicePlan, files: Files, serial: str) -> None:
        """Store what of a device's configuration may change, before it is touched, for its owner alone to read."""
        data = {
            "format": FORMAT,
            "name": device.name,
            "platform": device.platform,
            "place": place_to(device.place),
            "owns": device.owns,
            "serial": serial,
            "files": dict(files),
        }
        write_json(self._folder / self.name / f"{device.name}.json", data)

    def record(self, fabric: str, outcomes: Mapping[str, Outcome]) -> None:
        """Store the word on each device: at the start all are unknown, so that a killed run can be taken back."""
        rows = {name: {"word": o.word.value, "reason": o.reason} for name, o in outcomes.items()}
        data = {"format": FORMAT, "run": self.name, "fabric": fabric, "devices": rows}
        write_json(self._folder / f"{self.name}.json", data)


@contextmanager
def start_run(folder: Path, on_event: Callable[[Event], None] | None = None) -> Iterator[Run]:
    """A new run, numbered within its day; one at a time, as devices have no lock of their own (sonic.md 10)."""
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((folder / ".lock").open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            name, log = _new_log(folder)
        except BlockingIOError:
            hint = "wait for its end; two pushes at a time would read each other's half-done devices"
            raise Unusable(f"another push is running with {folder}", hint) from None
        except OSError as error:
            raise Unusable(f"{folder} cannot be written: {error.strerror}", "look at space and permissions") from None
        stack.enter_context(log)
        yield Run(folder, name, log, on_event)


def _new_log(folder: Path) -> tuple[str, IO[str]]:
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    number = 1
    while True:
        try:
            return f"{day}-{number:02d}", (folder / f"{day}-{number:02d}.log").open("x", encoding="utf-8")
        except FileExistsError:
            number += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A push that was."""

    folder: Path
    run: str
    fabric: str
    to_take_back: tuple[str, ...]
    """Devices that hold, or may hold, the new configuration."""

    def wanted(self, device: str) -> Wanted:
        """What the device held before the run, as what it shall hold again. Raises Invalid for an unusable file."""
        file = self.folder / self.run / f"{device}.json"
        data = read_json(file, _WHAT, _HINT)
        try:
            if data["format"] != FORMAT or data["name"] != device:
                raise ValueError("another format or another device")
            return Wanted(
                name=device,
                platform=text(data["platform"]),
                place=place_from(data["place"]),
                files={name: text(content) for name, content in object_of(data["files"]).items()},
                owns=tuple(map(text, list_of(data["owns"]))),
                serial=text(data["serial"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise invalid(file, f"not {_WHAT}: {error}", _HINT) from None


def load_run(folder: Path, run: str) -> PastRun:
    """A past run by its number. Raises Invalid where there is none."""
    file = folder / f"{run}.json"
    if not _RUN.fullmatch(run) or not file.is_file():
        known = sorted(f.stem for f in folder.glob("*.json") if _RUN.fullmatch(f.stem))
        raise invalid(file, f"there is no run {run}", f"the last one is {known[-1]}" if known else f"{folder} has none")
    data = read_json(file, _WHAT, _HINT)
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}; this version reads format {FORMAT}")
        words = {name: Word(text(object_of(row)["word"])) for name, row in object_of(data["devices"]).items()}
        fabric = text(data["fabric"])
    except (KeyError, TypeError, ValueError) as error:
        raise invalid(file, f"not {_WHAT}: {error}", _HINT) from None
    back = tuple(
        name
        for name, word in words.items()
        if word in (Word.DONE, Word.UNKNOWN) and (folder / run / f"{name}.json").is_file()
    )
    return PastRun(folder=folder, run=run, fabric=fabric, to_take_back=back)
