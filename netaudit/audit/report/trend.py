"""Findings of the last audits as bars: what the HTML page draws, and its numbers for who cannot see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from netaudit.audit.findings import Moment
from netaudit.terminal import moments, number

HEIGHT, WIDTH, STEP = 60, 15, 19
"""Pixels: of the highest bar, of each bar, and from one to the next (design/report.html draws 15 and 19)."""
HEAD = 12
"""Pixels above the bars, for the number of the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One audit: errors stand below, warnings on top of them. Coordinates are pixels, as text for SVG."""

    x: str
    middle: str
    error_y: str
    error_height: str
    warning_y: str
    warning_height: str
    unknown: int
    """Switches that were NOT AUDITED: marked below the bar, as they are neither good nor bad."""
    when: str
    errors: int
    warnings: int
    label: str
    """`4 + 7` above the last bar, errors and warnings; empty above the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """All bars, oldest first."""

    bars: tuple[Bar, ...]
    width: str
    height: str
    base: str
    mark: str
    """Where the marks of NOT AUDITED begin."""
    words: str
    """The same for a screen reader."""


def trend(points: Sequence[Moment], zone: tzinfo | None) -> Trend | None:
    """The bars of these audits; `None` for fewer than two, which have no trend."""
    if len(points) < 2:
        return None
    most = max(1, *(p.errors + p.warnings for p in points))
    bars = tuple(_bar(n, p, most, zone, last=n == len(points) - 1) for n, p in enumerate(points))
    words = "; ".join(
        f"{b.when}: errors {number(b.errors)}, warnings {number(b.warnings)}, NOT AUDITED {number(b.unknown)}"
        for b in bars
    )
    base = HEAD + HEIGHT
    return Trend(
        bars=bars,
        width=str(STEP * len(points) + WIDTH),
        height=str(base + 14),
        base=str(base),
        mark=str(base + 4),
        words=words,
    )


def _bar(position: int, point: Moment, most: int, zone: tzinfo | None, *, last: bool) -> Bar:
    x, base = position * STEP + 8, HEAD + HEIGHT
    errors, warnings = _pixels(point.errors, most), _pixels(point.warnings, most)
    return Bar(
        x=str(x),
        middle=str(x + WIDTH // 2),
        error_y=str(base - errors),
        error_height=str(errors),
        warning_y=str(base - errors - warnings),
        warning_height=str(warnings),
        unknown=point.not_audited,
        when=moments(point.at, zone or UTC),
        errors=point.errors,
        warnings=point.warnings,
        label=f"{number(point.errors)} + {number(point.warnings)}" if last else "",
    )


def _pixels(count: int, most: int) -> int:
    """A height; what is there is seen, however small beside the rest."""
    return max(1, count * HEIGHT // most) if count else 0
