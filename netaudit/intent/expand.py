"""What short forms of the intent stand for, spelt out before the schema reads them; each part keeps its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from netaudit.diag import Diagnostic
from netaudit.intent.quantity import Misread, percent
from netaudit.intent.text import At, Data, Document, Mark

MAX_UNITS = 10_000
"""Most units of `{count: n}`: judgement, ten times the largest fabric known, so that a slip of a digit is caught."""


def expanded(
    document: Document, data: Mapping[str, Data]
) -> tuple[Document, Mapping[str, Data], tuple[tuple[At, Diagnostic], ...]]:
    """The document with `data` spelt out, that data, and what is wrong with the short forms."""
    marks = dict(document.marks)
    problems: list[tuple[At, Diagnostic]] = []
    spelt = dict(data)
    if isinstance(units := data.get("units"), Mapping):
        spelt["units"] = _numbered(_counted(units, document, marks, problems))
    if isinstance(traffic := data.get("traffic"), Mapping):
        spelt["traffic"] = _with_default(traffic)
    return replace(document, data=spelt, marks=marks), spelt, tuple(problems)


def _counted(
    units: Mapping[str, Data], document: Document, marks: dict[At, Mark], problems: list[tuple[At, Diagnostic]]
) -> Mapping[str, Data]:
    """`{count: 4, hosts: 64}` as su1 to su4 of 64 hosts."""
    if "count" not in units or isinstance(units["count"], Mapping):
        return units
    count, at = units["count"], ("units", "count")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_UNITS:
        message = f"`count` is a number of units from 1 to {MAX_UNITS:,}"
        problems.append((at, Diagnostic(message=message, source=document.marks[at].value)))
        count = 1
    body = {key: value for key, value in units.items() if key != "count"}
    for number in range(1, count + 1):
        name = f"su{number}"
        marks[("units", name)] = document.marks[at]
        for path, mark in document.marks.items():
            if path[:1] == ("units",) and path[1:2] not in ((), ("count",)):
                marks[("units", name, *path[1:])] = mark
    return {f"su{number}": body for number in range(1, count + 1)}


def _numbered(units: Mapping[str, Data]) -> Mapping[str, Data]:
    """Each unit with the number that its name ends in, where it has no `id` (DESIGN.md rule 1)."""
    spelt: dict[str, Data] = {}
    for name, unit in units.items():
        digits = re.search(r"[1-9]\d{0,5}$", name, re.ASCII)
        if isinstance(unit, Mapping) and "id" not in unit and digits:
            spelt[name] = {**unit, "id": int(digits[0])}
        else:
            spelt[name] = unit
    return spelt


def _with_default(traffic: Mapping[str, Data]) -> Mapping[str, Data]:
    """The classes with `default`, which takes what the shares of the others leave."""
    if "default" in traffic:
        return traffic
    left = Fraction(100)
    for item in traffic.values():
        if isinstance(item, Mapping) and not item.get("strict"):
            try:
                left -= percent(item.get("share"))
            except Misread:
                return {**traffic, "default": {}}  # the class without a share is reported, and this one after it
    return {**traffic, "default": {"share": f"{float(left):.9g}%"} if left > 0 else {}}
