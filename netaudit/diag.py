"""What can be wrong with an input, and where: the one form of every error message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a diagnostic or a finding matters: traffic at risk, worth a look, or to know."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place in a file. Lines and columns count from 1; `width` is how many characters the caret marks."""

    file: str
    line: int
    column: int = 1
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem of an input: what, where, why (`message`) and how to fix it (`hint`)."""

    message: str
    source: Source | None = None
    hint: str = ""
    severity: Severity = Severity.ERROR
    rule: str = ""


class Invalid(Exception):
    """An input cannot be used. Carries every problem its stage found, in file order."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(
            sorted(
                diagnostics, key=lambda d: (d.source.file, d.source.line, d.source.column) if d.source else ("", 0, 0)
            )
        )
        super().__init__("; ".join(d.message for d in self.diagnostics))


class Unusable(Exception):
    """The environment, not the input, stops us: a missing program, a port in use. Exit code 1, with a remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)
