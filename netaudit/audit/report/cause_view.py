"""One cause as the HTML page shows it: its places, the values store by store, and where the intent asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from netaudit.audit.findings import AuditResult, Comparison, Finding
from netaudit.audit.report.summary import concerned, place_count, places, where
from netaudit.diag import Source
from netaudit.state import Store

ROWS = 10
"""Comparisons of a finding before the rest is folded."""
ROWS_AT_MOST = 100
"""Comparisons of a finding on the page at all; `-o json` has every one."""
LISTED = 60
"""Places of a finding that are listed after folding."""
OTHERS = 3
"""Further devices, or consequences, of a cause that are named before the rest is a count."""

EMPTY = "(empty)"
"""An empty value; nothing at all would look as if it had not been read."""

Anchor = Callable[[str], str]
"""Name of a device → its address on the page; empty for a name the page has no place for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLink:
    """A device's name and its address on the page; no address for a name that is no device of the fabric."""

    name: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What one store says of one leaf."""

    text: str
    """Empty where the leaf was not read."""
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One comparison: the expected value and what each store says, in the order of the table's stores."""

    what: str
    expected: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where the intent asks for a value: the line, what of it, and the intent path or formula behind it."""

    at: str
    line: str
    text: str
    caret: str
    derivations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One finding on the page."""

    id: str
    rank: int
    finding: Finding
    word: str
    sentences: tuple[str, ...]
    """The effect, what the cause explains, what is done by hand."""
    size: str
    """`96 ports`; empty for one place."""
    count: int
    first: DeviceLink
    others: tuple[DeviceLink, ...]
    """The other devices concerned, at most three; `more` counts the rest."""
    more: int
    family: str
    """`QOS` of QOS-02, for the filter."""
    plane_list: str
    """The planes concerned, a space between them; names of planes hold none."""
    where: tuple[str, ...]
    unlisted: int
    stores: tuple[str, ...]
    lines: tuple[Line, ...]
    folded: tuple[Line, ...]
    unshown: int
    asked: tuple[Asked, ...]
    queries: tuple[str, ...]


def anchors(result: AuditResult) -> Anchor:
    """Return what gives each name its address, unique and of harmless characters: `device-a-su1-r1-leaf`."""
    names = [device.name for device in result.devices]
    names += [f.device for f in result.findings] + [n.device for n in result.not_audited]
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        plain = "device-" + re.sub(r"[^A-Za-z0-9._-]", lambda c: f"_{ord(c.group()):x}", name)
        unique = plain
        while unique in taken:
            unique += "_"
        taken.add(unique)
        ids[name] = unique
    return lambda name: ids.get(name, "")


def link(name: str, anchor: Anchor) -> DeviceLink:
    """Return the name as a link to what the page says of it."""
    at = anchor(name)
    return DeviceLink(name=name, href=f"#{at}" if at else "")


def cause_view(rank: int, finding: Finding, plane: Mapping[str, str], anchor: Anchor) -> Cause:
    """Return what the page shows of `finding`, which stands at `rank` among all; `plane` is that of each switch."""
    others = [name for name in concerned(finding) if name != finding.device]
    stores = _stores(finding.comparisons)
    lines = [_line(comparison, stores) for comparison in finding.comparisons[:ROWS_AT_MOST]]
    listed = where(finding, "…")
    return Cause(
        id=f"finding-{rank}",
        rank=rank,
        finding=finding,
        word=str(finding.severity),
        sentences=tuple(_sentences(finding)),
        size=places(finding),
        count=place_count(finding),
        first=link(finding.device, anchor),
        others=tuple(link(name, anchor) for name in others[:OTHERS]),
        more=max(0, len(others) - OTHERS),
        family=finding.rule.partition("-")[0],
        plane_list=" ".join(dict.fromkeys(plane[name] for name in concerned(finding) if name in plane)),
        where=listed[:LISTED],
        unlisted=max(0, len(listed) - LISTED),
        stores=stores,
        lines=tuple(lines[:ROWS]),
        folded=tuple(lines[ROWS:]),
        unshown=max(0, len(finding.comparisons) - ROWS_AT_MOST),
        asked=tuple(_asked(finding.comparisons)),
        queries=tuple(dict.fromkeys(query for c in finding.comparisons for query in c.queries)),
    )


def _sentences(finding: Finding) -> Iterable[str]:
    if finding.effect:
        yield finding.effect.removesuffix(".") + "."
    if finding.consequences:
        more = len(finding.consequences) - OTHERS
        told = ", ".join(consequence.text for consequence in finding.consequences[:OTHERS])
        yield f"Explains {told}" + (f" and {more:,} more." if more > 0 else ".")
    if finding.instruction:
        yield "By hand: " + finding.instruction.removesuffix(".") + "."


def _stores(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """The stores any of them was read from: the known ones in their order, then what else is named."""
    seen = dict.fromkeys(str(store) for comparison in comparisons for store in comparison.observed)
    known = [str(store) for store in Store]
    return (*[store for store in known if store in seen], *[store for store in seen if store not in known])


def _line(comparison: Comparison, stores: Sequence[str]) -> Line:
    observed: Mapping[str, str] = {str(store): value for store, value in comparison.observed.items()}
    return Line(
        what=comparison.what,
        expected=comparison.expected or EMPTY,
        values=tuple(
            Value(
                text=(observed[store] or EMPTY) if store in observed else "",
                differs=_differs(comparison, observed, store),
            )
            for store in stores
        ),
    )


def _differs(comparison: Comparison, observed: Mapping[str, str], store: str) -> bool:
    return store in observed and observed[store] != comparison.expected


def _asked(comparisons: Sequence[Comparison]) -> Iterable[Asked]:
    """Each place of the intent once, with all that is derived from it."""
    derived: dict[tuple[Source | None, str], list[str]] = {}
    for comparison in comparisons:
        if comparison.source is not None or comparison.derivation:
            derived.setdefault((comparison.source, comparison.source_text), []).append(comparison.derivation)
    for (source, text), derivations in list(derived.items())[:ROWS]:
        marked = source is not None and bool(text)
        yield Asked(
            at=str(source) if source else "",
            line=str(source.line) if source and text else "",
            text=text,
            caret=" " * (source.column - 1) + "^" * source.width if source and marked else "",
            derivations=tuple(filter(None, dict.fromkeys(derivations)))[:ROWS],
        )
