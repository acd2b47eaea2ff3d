"""Why a device could not be asked: the step of reaching it that failed, and a one-line cause."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_CAUSE_LENGTH: Final = 200
"""Characters of a foreign error text that still fit in a report's two lines."""


class ReachStep(StrEnum):
    """The steps of reaching a device, in the order in which they happen (design/terminal.md, doctor)."""

    DNS = "DNS"
    TCP = "TCP"
    TLS = "TLS"
    HOST_KEY = "host key"
    """What TLS is to gNMI: SSH's proof that this is the device."""
    AUTH = "auth"
    PATH = "path"


class Kind(StrEnum):
    """What happened at that step."""

    UNREACHABLE = "unreachable"
    TLS_REFUSED = "TLS refused"
    HOST_KEY_REFUSED = "host key refused"
    AUTH_REFUSED = "auth refused"
    REFUSED = "refused"
    """The device understood and said no."""
    TIMED_OUT = "timed out"
    CUT_OFF = "cut off"
    """The answer ended too early, or is larger than what is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed attempt; a result like any other, never raised by this package."""

    kind: Kind
    step: ReachStep
    cause: str

    def __str__(self) -> str:
        return f"{self.step}: {self.cause}"


class Unreached(Exception):
    """A failure for callers whose protocol knows exceptions only (nornir's connection plugins)."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(str(failure))


def one_line(text: str) -> str:
    r"""The first line with words in it, cut at 200 characters, with control and direction characters as `\x1b`."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in first)
    return shown if len(shown) <= _CAUSE_LENGTH else shown[: _CAUSE_LENGTH - 1] + "…"
