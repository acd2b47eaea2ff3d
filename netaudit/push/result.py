"""What a push did: four words, one for each device, and the exit code they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from netaudit.push.waves import Wave


class Word(StrEnum):
    """What is known of a device after a push."""

    DONE = "done"
    """Read back: the new configuration, saved."""
    UNDONE = "undone"
    """Read back: the old configuration, though it was touched."""
    UNTOUCHED = "untouched"
    """Nothing that runs was changed."""
    UNKNOWN = "unknown"
    """Neither could be read back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one device."""

    word: Word
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushResult:
    """What became of every device that the plan changes."""

    run: str
    outcomes: Mapping[str, Outcome]
    """In the order of the waves."""
    waves: tuple[Wave, ...] = ()
    stopped: str = ""
    """Why the push did not go to its end; empty if it did."""
    stopped_in: int = 0
    """Number of the wave it stopped in, 0 before the first."""
    stale: bool = False
    """A device no longer holds what the plan was made from; nothing was touched."""
    interrupted: bool = False
    took_s: float = 0.0
    log: str = ""
    """Path of the run's log."""

    def of(self, word: Word) -> Mapping[str, str]:
        """Device → reason, of the devices with this word."""
        return {name: o.reason for name, o in self.outcomes.items() if o.word is word}

    @property
    def done(self) -> Mapping[str, str]:
        """Verified new."""
        return self.of(Word.DONE)

    @property
    def undone(self) -> Mapping[str, str]:
        """Verified old again."""
        return self.of(Word.UNDONE)

    @property
    def untouched(self) -> Mapping[str, str]:
        """Nothing that runs was changed."""
        return self.of(Word.UNTOUCHED)

    @property
    def unknown(self) -> Mapping[str, str]:
        """To be looked at by a person, first of all."""
        return self.of(Word.UNKNOWN)

    @property
    def exit_code(self) -> int:
        """DESIGN.md section 4; an interrupt is 130 whatever else happened."""
        if self.interrupted:
            return 130
        if self.stale:
            return 4
        if self.unknown:
            return 3
        return 2 if self.stopped else 0
