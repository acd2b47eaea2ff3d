"""What every check is given: the expected state, the ports counted by what they need, and the day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from netaudit.checks.survey import Load, Members, PortClass, measured_row, survey
from netaudit.diag import Diagnostic, Severity, Source
from netaudit.expect import Expected
from netaudit.expect.classes import lossless_priorities
from netaudit.expect.headroom import policy
from netaudit.fabric import Fabric
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent
from netaudit.intent.schema import IntentModel
from netaudit.intent.schema.lossless import BufferProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One fabric before any change, and the day on which it is looked at."""

    expected: Expected
    today: date | None
    """`None`: nothing is said of dates."""
    classes: Mapping[PortClass, Members]
    """Every port with a cable."""
    loads: tuple[Load, ...]
    """Every device."""

    @property
    def fabric(self) -> Fabric:
        """What is built."""
        return self.expected.built

    @property
    def intent(self) -> Intent:
        """What was asked for, and where."""
        return self.expected.built.intent

    @property
    def model(self) -> IntentModel:
        """What was asked for."""
        return self.expected.built.intent.model

    @property
    def lossless(self) -> int:
        """How many lossless classes there are."""
        return len(lossless_priorities(self.intent))

    def policy(self, model: SwitchModel, role: str = "") -> BufferProfile:
        """How switches of that model share their buffer, in a role: a block may say another class of buffer."""
        return policy(self.fabric, model, role)

    def length_source(self, kind: PortClass) -> Source | None:
        """Where the length of a class is written: the measured row, else the class of cables."""
        members = self.classes[kind]
        row = measured_row(self.fabric, members.end, members.peer)
        return row.row.cell("length") if row is not None else self.intent.source(self.fabric.cable_path(kind.kind))

    def written(self, *paths: str) -> str:
        """The first of the paths that is written; the last if none is."""
        return next((path for path in paths if self.intent.given(path)), paths[-1])

    def found(self, severity: Severity, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """One diagnostic at an intent path or a place in a file."""
        source = self.intent.source(path) if isinstance(path, str) else path
        return Diagnostic(message=message, source=source, hint=hint, severity=severity, rule=rule)

    def error(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """Traffic is at risk, or the fabric cannot be as asked for: nothing is pushed."""
        return self.found(Severity.ERROR, rule, path, message, hint)

    def warning(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """It works and has a price that the reader should know."""
        return self.found(Severity.WARNING, rule, path, message, hint)

    def info(self, rule: str, path: str | Source | None, message: str, hint: str) -> Diagnostic:
        """To know; nothing needs to be done."""
        return self.found(Severity.INFO, rule, path, message, hint)


def design(expected: Expected, today: date | None = None) -> Design:
    """What the checks of a fabric are given."""
    classes, loads = survey(expected.built)
    return Design(expected=expected, today=today, classes=classes, loads=loads)
