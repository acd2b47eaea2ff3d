"""How much buffer each QFX switch has: what the percents of its configuration mean in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

KB: Final = 1024
ITMS: Final = 2
"""Halves into which every QFX of the table splits its shared buffer (junos.md section 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One switch of the family, by the figures of junos.md section 2 («Default shared buffer, KB»)."""

    name: str
    shared_kb: int

    @property
    def shared_bytes(self) -> int:
        """What all ports share while the dedicated buffers are as they come."""
        return self.shared_kb * KB

    def partition_bytes(self, percent: int) -> int:
        """Size of a partition of the shared buffer."""
        return self.shared_bytes * percent // 100

    def partition_percent(self, size_bytes: int) -> Fraction:
        """What part of the shared buffer so many bytes are, in percent."""
        return Fraction(size_bytes * 100, self.shared_bytes)

    def fill_bytes(self, hundredths: int) -> int:
        """Length of a queue that is so many hundredths of a percent full.

        `fill-level` is percent of what a queue may have, which depends on what is free (junos.md section 2). 100 % is
        taken as the most that it ever has, the shared buffer of its half of the chip: marking begins there or before.
        """
        return self.shared_bytes * hundredths // (ITMS * 10_000)

    def fill_hundredths(self, size_bytes: int) -> int:
        """The nearest fill level to a length of a queue, in hundredths of a percent; at least one of them."""
        return min(10_000, max(1, round(Fraction(size_bytes * ITMS * 10_000, self.shared_bytes))))


CHIPS: Final[Mapping[str, Chip]] = {
    name: Chip(name=name, shared_kb=shared)
    for name, shared in (("QFX5130", 111_263), ("QFX5220", 44_420), ("QFX5230", 74_743), ("QFX5240", 84_206))
}
UNKNOWN: Final = CHIPS["QFX5240"]
"""That of a chip that no switch of the table has, and of a configuration that does not name one."""

_OF_ASIC: Final[Mapping[str, str]] = {
    "trident4": "QFX5130",
    "tomahawk3": "QFX5220",
    "tomahawk4": "QFX5230",
    "tomahawk5": "QFX5240",
}
"""Chip of the catalogue → the switch of the table that has it: one of 12.8 Tb/s is a QFX5220, 25.6 a QFX5230, 51.2 a
QFX5240."""


def chip(asic: str) -> Chip:
    """The switch of the family with a chip of the catalogue; QFX5240 where none has it."""
    return CHIPS.get(_OF_ASIC.get("".join(asic.split()).lower(), ""), UNKNOWN)


def marked(name: str, held: Chip) -> str:
    """The name of a profile whose numbers are percents, with what they are percents of: `ROCE-400G-QFX5240`.

    Configuration text has no other place that says it, and a percent without it is no size.
    """
    return f"{name}-{held.name}"


def unmarked(name: str) -> tuple[str, Chip | None]:
    """(name without the mark, the switch it names); `None` where there is no mark."""
    bare, _, last = name.rpartition("-")
    return (bare, CHIPS[last]) if bare and last in CHIPS else (name, None)
