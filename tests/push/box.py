"""A box with one text as configuration, its platform, and a few of them to push to. Real SSH and gNMI, real files."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from collect.device import Device, running

from netaudit.collect.targets import Target
from netaudit.nornir.hosts import each_host
from netaudit.platforms import Answers, Files, Impact, Query, Step, Steps
from netaudit.push.apply import Means
from netaudit.push.device import Times
from netaudit.push.plan import Plan, Wanted, make_plan
from netaudit.push.preview import preview
from netaudit.state import Place, Store

FILE = "box.cfg"
SERIAL = ("STATE_DB", "EEPROM_INFO", "0x23")


class PlainPlatform:
    """One file; blank lines mean nothing; a line `impact WORD` says what changing it does."""

    NAME = "plain"
    QUERIES = ()
    PUSH_QUERIES = (
        Query(id="running", store=Store.RUNNING, transport="ssh", command="show running"),
        Query(id="serial", store=Store.STATE, transport="gnmi", target="STATE_DB", path=SERIAL[1:]),
    )

    def running_files(self, answers: Answers) -> tuple[Files, str]:
        if answers["running"].miss is not None:
            raise ValueError(f"running: {answers['running'].reason}")
        serial = answers["serial"].text
        return {FILE: answers["running"].text}, json.loads(serial)["Value"] if serial else ""

    def candidate(self, rendered: Files, running: Files, owns: object) -> Files:
        if "locked" in running[FILE]:
            raise ValueError("the box is locked")
        return {FILE: rendered[FILE]}

    def kept(self, running: Files, rendered: Files, owns: object) -> Files:
        return dict(running)  # the box has no part that a push leaves alone

    def equal(self, one: Files, other: Files) -> bool:
        return one[FILE].split() == other[FILE].split()

    def diff(self, running: Files, candidate: Files) -> tuple[str, ...]:
        old, new = running[FILE].splitlines(), candidate[FILE].splitlines()
        return (*(f"- {line}" for line in old if line not in new), *(f"+ {line}" for line in new if line not in old))

    def steps(self, running: Files, candidate: Files, run: str) -> Steps:
        if self.equal(running, candidate):
            return Steps()
        words = candidate[FILE].split()
        return Steps(
            apply=(
                Step(name="checkpoint", command=f"checkpoint {run}"),
                Step(name="upload", path="/new.cfg", content=candidate[FILE]),
                Step(name="load", command="load new.cfg"),
            ),
            save=(Step(name="save", command="save"),),
            undo=(Step(name="rollback", command=f"rollback {run}"), Step(name="save old", command="save")),
            clean=(Step(name="forget", command=f"forget {run}"),),
            impact=Impact(words[words.index("impact") + 1]) if "impact" in words else Impact.NONE,
        )


def plain(name: str) -> PlainPlatform:
    return PlainPlatform()


@dataclass
class Box:
    """One device and what its mini shell knows. `fault` maps a command's first word to what happens in its place."""

    device: Device
    running: str
    saved: str
    checkpoints: dict[str, str] = field(default_factory=dict)
    faults: dict[str, Callable[[Box], tuple[int, str, str] | None]] = field(default_factory=dict)

    def shell(self, command: str) -> tuple[int, str, str] | None:
        verb, _, rest = command.partition(" ")
        if verb in self.faults and (said := self.faults[verb](self)) is not None:
            return said
        if command == "show running":
            return 0, self.running, ""
        if verb == "checkpoint":
            self.checkpoints[rest] = self.running
        elif verb == "load":
            self.running = (self.device.root / rest).read_text()
        elif verb == "rollback":
            if rest not in self.checkpoints:
                return 2, "", f"Error: no checkpoint {rest}\n"
            self.running = self.checkpoints[rest]
        elif verb == "save":
            self.saved = self.running
        elif verb == "forget":
            self.checkpoints.pop(rest, None)
        else:
            return None
        return 0, "", ""


@dataclass
class Fabric:
    """Boxes with their places, and what a push needs."""

    boxes: Mapping[str, Box]
    places: Mapping[str, Place]
    folder: Path

    @property
    def targets(self) -> Mapping[str, Target]:
        return {name: box.device.target for name, box in self.boxes.items()}

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    def wanted(self, text: str, names: tuple[str, ...] = (), serial: str = "") -> list[Wanted]:
        return [
            Wanted(name=n, platform="plain", place=self.places[n], files={FILE: text}, owns=("all",), serial=serial)
            for n in names or self.boxes
        ]

    def plan(self, text: str, names: tuple[str, ...] = (), serial: str = "") -> Plan:
        devices = [preview(w, self.targets[w.name], plain, 5.0) for w in self.wanted(text, names, serial)]
        return make_plan("lab", "", devices)

    def means(self, settle_s: float = 0.5, workers: int = 4) -> Means:
        return Means(
            targets=self.targets,
            each_host=each_host,
            platforms=plain,
            workers=workers,
            times=Times(answer_s=5.0, settle_s=settle_s),
        )


def leaf(plane: str, unit: str, rail: int) -> Place:
    return Place(role="leaf", tier=0, plane=plane, unit=unit, rail=rail)


def spine(plane: str, number: int) -> Place:
    return Place(role="spine", tier=1, plane=plane, number=number)


@contextmanager
def fabric(folder: Path, places: Mapping[str, Place], text: str = "old\n") -> Iterator[Fabric]:
    with ExitStack() as stack:
        boxes = {}
        for name in places:
            device = stack.enter_context(running(folder / name, name))
            device.tables[SERIAL] = json.dumps({"Value": f"SN-{name}"})
            box = Box(device=device, running=text, saved=text)
            device.shell = box.shell
            boxes[name] = box
        yield Fabric(boxes=boxes, places=places, folder=folder)


def fails(text: str = "Error: no") -> Callable[[Box], tuple[int, str, str]]:
    return lambda box: (2, "", f"{text}\n")


def once(action: Callable[[Box], tuple[int, str, str] | None]) -> Callable[[Box], tuple[int, str, str] | None]:
    """The action the first time, the real command afterwards."""
    used = threading.Event()

    def first(box: Box) -> tuple[int, str, str] | None:
        if used.is_set():
            return None
        used.set()
        return action(box)

    return first
