"""What stands in the way of a fabric, gathered until the end of the stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from netaudit.diag import Diagnostic, Source
from netaudit.intent import Intent


@dataclass(slots=True)
class Problems:
    """All of them, in the order in which they are found."""

    intent: Intent
    found: list[Diagnostic] = field(default_factory=list)

    def add(self, path: str, message: str, hint: str = "", source: Source | None = None) -> None:
        """Note one problem at an intent path, or at a place of another file."""
        where = source or self.intent.source(path)
        self.found.append(Diagnostic(message=message, source=where, hint=hint))
