"""How a diff of two intents reads on a terminal. Lines out; nothing is printed here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from netaudit.difference.compare import FabricDiff, Renumbered
from netaudit.platforms import Impact
from netaudit.push.report import SAID, diff_lines
from netaudit.state import Link
from netaudit.terminal import Role, Style, Symbol, counted, fold_text, wrapped

LABEL: Final = 13
SHOWN: Final = 5
"""Examples of one kind that are shown; JSON has all."""


def verdict(diff: FabricDiff) -> str:
    """All in one sentence."""
    if not diff:
        return f"nothing changes: {counted(diff.devices, 'device')} are the same"
    counts = [
        (len(diff.plan.changes), "device changes", "devices change"),
        (len(diff.reinstalled), "device gets another NOS", "devices get another NOS"),
        (len(diff.plan.blocked), "cannot be compared", "cannot be compared"),
        (len(diff.added), "is new", "are new"),
        (len(diff.removed), "goes", "go"),
        (len(diff.cables.added) + len(diff.cables.removed), "cable comes or goes", "cables come or go"),
        (len(diff.cables.moved), "cable moves", "cables move"),
    ]
    said = ", ".join(counted(n, one, many) for n, one, many in counts if n) or "no device changes"
    worst = next((i for i in reversed(Impact) if diff.impacts[i]), None)
    if worst is None:
        return said
    on = counted(diff.impacts[worst], "device")
    return f"{said}; {SAID[worst].format(on)}"


def diff_text(diff: FabricDiff, old: str, new: str, style: Style, *, full: bool = False) -> tuple[str, ...]:
    """The diff as a person reviews it: who comes and goes, what is renumbered and moved, and every diff once."""
    good = not diff
    symbol = style.paint(Symbol.GOOD if good else Symbol.WARNING, Role.GOOD if good else Role.CARE)
    lines = [f"{symbol} {style.show(old)} → {style.show(new)}: {verdict(diff)}", ""]
    if good:
        return tuple(style.symbol(line) for line in (*lines, "Next: nothing to do."))
    facts = [line for label, text in facts_of(diff) for line in _fact(label, style.show(text), style)]
    lines += [*facts, ""] if facts else []
    lines += diff_lines(diff.groups, style, full=full)
    for device in diff.plan.blocked:
        lines += wrapped(f"{style.show(device.name)}: {style.show(device.reason)}", style.width, "  not compared  ")
    lines += [] if lines[-1] == "" else [""]
    lines += [f"Next: netaudit check {style.show(new)}, then  netaudit plan {style.show(new)} -o plan.json"]
    return tuple(style.symbol(line) for line in lines)


def _fact(label: str, text: str, style: Style) -> Sequence[str]:
    return wrapped(text, style.width, f"  {label:<{LABEL}}")


def facts_of(diff: FabricDiff) -> Iterator[tuple[str, str]]:
    """(what happens, to whom and how), all that a diff of files does not say by itself."""
    for label, names in (("added", diff.added), ("removed", diff.removed)):
        if names:
            yield label, f"{counted(len(names), 'device')}   {fold_text(names)}"
    if diff.renamed:
        yield "renamed", _some(f"{one} → {other}" for one, other in diff.renamed.items())
    for (was, shall), names in _reinstalled(diff).items():
        text = f"{fold_text(names)}   installed anew: every line is another one, see netaudit render"
        yield "another NOS", f"{counted(len(names), 'device')} {was} → {shall}   {text}"
    yield from _renumbered(diff.renumbered)
    cables = diff.cables
    for label, links in (("cables new", cables.added), ("cables gone", cables.removed)):
        if links:
            yield label, f"{len(links):,}   {_ends(links)}"
    if cables.moved:
        yield "ports move", f"{len(cables.moved):,}   {_some(_move(c.old, c.new) for c in cables.moved)}"
    if cables.changed:
        kinds = Counter(_remade(c.old, c.new) for c in cables.changed)
        yield "cables", f"{len(cables.changed):,} change   {_some(f'{n:,} {text}' for text, n in kinds.most_common())}"
    if diff.flapping:
        ports = sum(map(len, diff.flapping.values()))
        yield "flaps", f"{counted(ports, 'port')} on {fold_text(diff.flapping)}"
    impacts = " · ".join(f"{impact} {count}" for impact, count in diff.impacts.items())
    if diff.plan.changes:
        yield "impact", impacts


def _reinstalled(diff: FabricDiff) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(NOS, the one in its place) → devices."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, change in diff.reinstalled.items():
        found[change] = (*found.get(change, ()), name)
    return found


def _renumbered(found: Sequence[Renumbered]) -> Iterator[tuple[str, str]]:
    kinds: dict[str, list[Renumbered]] = {}
    for one in found:
        kinds.setdefault(one.what, []).append(one)
    for what, group in kinds.items():
        yield (
            "renumbers",
            f"{what} of {counted(len(group), 'device')}   "
            + _some(f"{one.device} {one.old} → {one.new}" for one in group),
        )


def _ends(links: Sequence[Link]) -> str:
    return _some(f"{link.a} – {link.b}" for link in links)


def _move(old: Link, new: Link) -> str:
    return f"{old.a} – {old.b} → {new.a.port} – {new.b.port}"


def _remade(old: Link, new: Link) -> str:
    was, shall = f"{old.length_m:g} m {old.medium}", f"{new.length_m:g} m {new.medium}"
    return f"{new.kind} {was} → {shall}" if was != shall else f"{old.kind} → {new.kind}"


def _some(texts: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    found = list(texts)
    more = len(found) - SHOWN
    return ", ".join(found[:SHOWN]) + (f", … {more:,} more" if more > 0 else "")
