"""What became of each rule of the field's catalogue: decided before a change, by an audit, or not here, and why."""

from __future__ import annotations

import csv
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from netaudit.diag import Severity


class Status(StrEnum):
    """Where a rule is decided, or what it would take."""

    BEFORE = "before"
    AUDIT = "audit"
    HOST = "host"
    OPTICS = "optics"
    SAMPLES = "samples"
    REFUSED = "refused"


MEANING = {
    Status.BEFORE: "decided before a change: by `netaudit check`, while the intent is read, or because it is built so",
    Status.AUDIT: "decided by `netaudit audit`",
    Status.HOST: "needs data of the hosts, which netaudit does not read",
    Status.OPTICS: "needs readings of the optics",
    Status.SAMPLES: "needs two readings of counters with the time between them",
    Status.REFUSED: "not decided by this version, for the reason given",
}
"""Status → what it says to a reader."""
_SEVERITIES = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One rule of the catalogue and what became of it."""

    id: str
    severity: Severity
    """In the catalogue; a check of ours may be stricter or say it in degrees."""
    status: tuple[Status, ...]
    rules: tuple[str, ...]
    """Our rules that decide it."""
    what: str
    """What is right, in one line."""
    reason: str
    """Why it is not decided, or how it is where no rule of ours says it; may be empty."""


@cache
def entries() -> tuple[Entry, ...]:
    """Every rule of the catalogue, in its order."""
    text = files("netaudit.rulebook").joinpath("catalogue.csv").read_text(encoding="utf-8")
    return tuple(
        Entry(
            id=row["id"],
            severity=_SEVERITIES[row["severity"]],
            status=tuple(Status(word) for word in row["status"].split("+")),
            rules=tuple(row["rules"].split()),
            what=row["what"],
            reason=row["reason"],
        )
        for row in csv.DictReader(text.splitlines())
    )


def decided(entry: Entry, checks: Collection[str], audits: Collection[str]) -> tuple[Status, ...]:
    """The status, with what the given rules of `check` and `audit` decide under the entry's own id."""
    found = set(entry.status)
    if entry.id in checks:
        found.add(Status.BEFORE)
    if entry.id in audits:
        found.add(Status.AUDIT)
    return tuple(status for status in Status if status in found)
