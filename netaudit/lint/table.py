"""What a headroom table is, whichever file it came from: rows by speed and length, and the lengths that are in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from netaudit.diag import Diagnostic, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One speed and length."""

    speed_mbps: int
    length_m: int
    size_bytes: int
    xon_bytes: int
    xoff_bytes: int
    xon_offset_bytes: int | None
    source: Source
    columns: Mapping[str, Source]
    """`size`, `xon`, `xoff`, `xon_offset` → where each stands."""

    def at(self, column: str) -> Source:
        """Where a figure stands; the row where it has no place of its own."""
        return self.columns.get(column, self.source)

    @property
    def name(self) -> str:
        """`800G at 40 m`."""
        return f"{speed_text(self.speed_mbps)} at {self.length_m:,} m"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Ports with a speed and a cable length that the table must have a row for."""

    speed_mbps: int
    length_m: int
    ports: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A port whose priority group has a profile of another speed or length than its own."""

    port: str
    speed_mbps: int
    length_m: int
    profile_speed_mbps: int
    profile_length_m: int
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All rows of one file."""

    file: str
    kind: str
    """`lookup` of pg_profile_lookup.ini, or `config` of CONFIG_DB."""
    hwsku: str
    """As the file or its folder names it; empty where neither does."""
    rows: tuple[Row, ...]
    uses: tuple[Use, ...] = ()
    stale: tuple[Bound, ...] = ()
    beside: tuple[Row, ...] = ()
    """Rows of the pg_profile_lookup.ini in the same folder, where this file has none of its own."""
    shared: bool | None = None
    """A shared headroom pool carries xoff; `None` where the file has no pools."""
    dynamic: bool = False
    """The switch computes its profiles: a length needs no row."""
    problems: tuple[Diagnostic, ...] = ()
    """Lines that could not be read."""


def speed_text(speed_mbps: int) -> str:
    """`800G`, `2.5G`, `100M`."""
    return f"{speed_mbps / 1000:g}G" if speed_mbps >= 1000 else f"{speed_mbps}M"
