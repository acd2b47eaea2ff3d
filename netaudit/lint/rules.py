"""Which rules a headroom table is held against, and all that they find in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from netaudit.diag import Diagnostic, Severity
from netaudit.lint import itself, physics
from netaudit.lint.silicon import Silicon
from netaudit.lint.table import Table

RULES: Mapping[str, str] = {
    "TAB-01": "headroom grows with the cable",
    "TAB-02": "each length has its own headroom",
    "TAB-03": "a group that keeps its own headroom has room for xon and xoff",
    "TAB-04": "every length in use has a row",
    "TAB-05": "headroom is a whole number of cells",
    "TAB-06": "headroom is what the ASIC, the speed and the length need",
    "TAB-07": "a row is made for its own speed and ASIC",
    "TAB-08": "xon leaves two frames",
    "TAB-09": "speeds are Mb/s, sizes are bytes",
    "TAB-10": "a speed and length has one row",
    "TAB-11": "a faster port has no less headroom",
    "TAB-12": "every row follows the formula of its table",
    "TAB-13": "the file can be read",
    "TAB-14": "a port has the profile of its own speed and length",
}
"""Rule → what must hold."""
"""Rule → what must hold."""

CHECKS: tuple[Callable[[Table, Silicon], Iterator[Diagnostic]], ...] = (
    physics.units,
    itself.twice,
    itself.growth,
    itself.flat,
    itself.size,
    itself.missing,
    itself.stale,
    physics.cells,
    physics.need,
    itself.copied,
    itself.faster,
    physics.formula,
    physics.xon,
)


def lint(table: Table, chip: Silicon) -> tuple[Diagnostic, ...]:
    """Everything about one table, in the order of its lines."""
    found = [*table.problems, *(d for check in CHECKS for d in check(table, chip))]
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
    return tuple(
        sorted(
            found,
            key=lambda d: (d.source.line, d.source.column, order[d.severity], d.rule) if d.source else (0, 0, 0, ""),
        )
    )
