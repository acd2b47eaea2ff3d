"""What a push would do to each device, as a value that is reviewed, approved, saved and later carried out as shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from netaudit.platforms import Files, Impact, Platform
from netaudit.state import Place

FORMAT: Final = 1
APPROVAL_LENGTH: Final = 8
"""Hexadecimal digits of the approval that are shown, and that suffice to approve."""


class Status(StrEnum):
    """What the plan says of a device."""

    CHANGE = "change"
    NONE = "none"
    """It holds already what it shall."""
    REFUSED = "refused"
    """It answered, and must not be touched; the reason says why."""
    UNREAD = "unread"
    """Its running configuration could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What one device shall hold, rendered from the intent."""

    name: str
    platform: str
    place: Place
    files: Files
    owns: tuple[str, ...]
    serial: str = ""
    """As the inventory says; a box with another is refused. Empty: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What one device holds, as read from it."""

    files: Files
    serial: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePlan:
    """One device of a plan. Holds what we render, never the running text: that may hold the box's secrets."""

    name: str
    platform: str
    place: Place
    status: Status
    reason: str = ""
    files: Files
    """As rendered; empty unless the device changes."""
    owns: tuple[str, ...] = ()
    serial: str = ""
    """As read from the box."""
    running_sha256: str = ""
    candidate_sha256: str = ""
    diff: tuple[str, ...] = ()
    impact: Impact = Impact.NONE
    steps: tuple[str, ...] = ()
    """Names of the steps that lead there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan for a fabric or a part of it."""

    fabric: str
    intent_sha256: str
    """Of the intent it was made from; empty where a push does not come from one (rollback)."""
    devices: tuple[DevicePlan, ...]

    @property
    def changes(self) -> tuple[DevicePlan, ...]:
        """The devices a push touches."""
        return tuple(d for d in self.devices if d.status is Status.CHANGE)

    @property
    def blocked(self) -> tuple[DevicePlan, ...]:
        """The devices that were refused or not read."""
        return tuple(d for d in self.devices if d.status in (Status.REFUSED, Status.UNREAD))

    @property
    def approval(self) -> str:
        """SHA-256 of what a push would do: every changing device, from which text to which."""
        said = [[d.name, d.platform, d.running_sha256, d.candidate_sha256] for d in self.changes]
        return _sha256(json.dumps([FORMAT, self.fabric, self.intent_sha256, said]))

    def exit_code(self, detailed: bool = False) -> int:
        """0; 3 with a device refused or not read; with `detailed` 2 if anything changes (DESIGN.md section 4)."""
        if self.blocked:
            return 3
        return 2 if detailed and self.changes else 0


def is_approved(plan: Plan, given: str) -> bool:
    """Is `given` the approval of this very plan, or its first digits (8 at least)."""
    return len(given) >= APPROVAL_LENGTH and plan.approval.startswith(given.lower())


def device_plan(wanted: Wanted, running: Running, platform: Platform) -> DevicePlan:
    """What it takes to make a device that holds `running` hold what is wanted."""
    if wanted.serial and wanted.serial != running.serial:
        told = f"serial {running.serial} on the device" if running.serial else "the device tells no serial"
        reason = f"{told}, {wanted.serial} in the inventory: is this the right box?"
        return _blocked(wanted, Status.REFUSED, reason, running.serial)
    try:
        candidate = platform.candidate(wanted.files, running.files, wanted.owns)
        # The run's name only names temporary files; it is not known before the push.
        steps = platform.steps(running.files, candidate, "plan")
        diff = platform.diff(running.files, candidate)
    except ValueError as error:
        return _blocked(wanted, Status.REFUSED, str(error), running.serial)
    changes = bool(steps.apply)
    return DevicePlan(
        name=wanted.name,
        platform=wanted.platform,
        place=wanted.place,
        status=Status.CHANGE if changes else Status.NONE,
        files=dict(wanted.files) if changes else {},
        owns=wanted.owns,
        serial=running.serial,
        running_sha256=files_sha256(running.files),
        candidate_sha256=files_sha256(candidate),
        diff=diff,
        impact=steps.impact,
        steps=tuple(step.name for step in (*steps.prepare, *steps.apply, *steps.save)) if changes else (),
    )


def unread(wanted: Wanted, reason: str) -> DevicePlan:
    """The plan of a device that could not be read."""
    return _blocked(wanted, Status.UNREAD, reason)


def make_plan(fabric: str, intent_sha256: str, devices: Iterable[DevicePlan]) -> Plan:
    """The plan of these devices, in the order of their names: the order of reading must not change the approval."""
    return Plan(fabric=fabric, intent_sha256=intent_sha256, devices=tuple(sorted(devices, key=lambda d: d.name)))


def files_sha256(files: Files) -> str:
    """One hash of a set of files, whatever their order."""
    return _sha256(json.dumps(sorted(files.items())))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _blocked(wanted: Wanted, status: Status, reason: str, serial: str = "") -> DevicePlan:
    return DevicePlan(
        name=wanted.name,
        platform=wanted.platform,
        place=wanted.place,
        status=status,
        reason=reason,
        files={},
        owns=wanted.owns,
        serial=serial,
    )
