"""`compare`: two snapshots side by side, equal differences together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netaudit.cli.common import Output, end, following, out, outputs, style, verdict, write_file
from netaudit.terminal import LIST_LIMIT, Role, counted, fold_text, moment, spread, stamp, wrapped

if TYPE_CHECKING:
    from netaudit.collect.snapshot import Snapshot
    from netaudit.collect.snapshot_compare import Compared, Gap, Shift

DIFFER = 2
INCOMPLETE = 3
PLACES = 8
"""Folded places of a change that are listed; more are counted."""


def compare(
    before: Annotated[Path, typer.Argument(metavar="SNAP", help="The earlier snapshot.", show_default=False)],
    after: Annotated[Path, typer.Argument(metavar="SNAP", help="The later one.", show_default=False)],
    output: Output = "text",
    everything: Annotated[bool, typer.Option("--all", envvar="NETAUDIT_ALL", help="Lists in full.")] = False,
) -> None:
    """Two snapshots side by side: what changed on which switches, with no intent asked."""
    from netaudit.collect import snapshot, snapshot_compare

    wanted = outputs(output, ("text", "json"))
    old, new = snapshot.load(before), snapshot.load(after)
    found = snapshot_compare.compare(old, new)
    for name, file in wanted.items():
        if name == "json":
            text = _data(old, new, found)
        else:
            text = _text(old, new, found, everything)
        if file is None:
            out(text)
        else:
            write_file(file, text.encode())
    end(_code(found))


def _code(found: Compared) -> int:
    if found.gaps or not found.devices:
        return INCOMPLETE
    return DIFFER if found.shifts else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The same change at several places."""

    shape: str
    before: str
    after: str
    stores: tuple[str, ...]
    members: tuple[Shift, ...]


def _groups(found: Compared) -> tuple[Group, ...]:
    """Most places first, routes last: they follow from something else."""
    alike: dict[tuple[str, str, str, tuple[str, ...]], list[Shift]] = {}
    for shift in found.shifts:
        before, after = _values(shift)
        alike.setdefault((shift.shape, before, after, tuple(map(str, shift.stores))), []).append(shift)
    made = [
        Group(shape=shape, before=before, after=after, stores=stores, members=tuple(members))
        for (shape, before, after, stores), members in alike.items()
    ]
    return tuple(sorted(made, key=lambda g: (g.shape.endswith("routes"), -len(g.members), g.shape)))


def _values(shift: Shift) -> tuple[str, str]:
    from netaudit.audit.causes.context import show
    from netaudit.collect.snapshot_compare import ROUTES
    from netaudit.state import Route

    if shift.path[-1] in ROUTES and shift.path[0] == "routes":
        return "", ""
    before, after = ("present" if isinstance(v, Route) else show(v) for v in (shift.before, shift.after))
    return before, after


def _data(old: Snapshot, new: Snapshot, found: Compared) -> str:
    groups = [
        {
            "what": group.shape,
            "before": group.before,
            "after": group.after,
            "stores": [*group.stores],
            "places": [{"device": s.device, "place": s.place, "path": [*s.path]} for s in group.members],
        }
        for group in _groups(found)
    ]
    data = {
        "version": 1,
        "before": {"fabric": old.fabric, "taken": stamp(old.taken)},
        "after": {"fabric": new.fabric, "taken": stamp(new.taken)},
        "devices": len(found.devices),
        "changes": groups,
        "not_compared": [{"device": g.device, "what": g.what, "reason": g.reason} for g in found.gaps],
        "exit_code": _code(found),
    }
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def _text(old: Snapshot, new: Snapshot, found: Compared, everything: bool) -> str:
    shown = style()
    groups = _groups(found)
    lines = [_head(old, new, found, len(groups)), ""]
    for group in groups if everything else groups[:LIST_LIMIT]:
        lines += _group(group, everything)
    if not everything and len(groups) > LIST_LIMIT:
        lines.append(shown.symbol(f"  … {len(groups) - LIST_LIMIT:,} more: --all"))
    if found.gaps:
        lines += _gaps(found.gaps, everything)
    when = f"{moment(old.taken)} and {moment(new.taken)}"
    other = "" if old.fabric == new.fabric else f"; of two fabrics: {old.fabric} and {new.fabric}"
    lines += [f"  taken      {shown.show(when + other)}", ""]
    text = "\n".join(lines)
    if not found.shifts and not found.gaps:
        return f"{text}\nNext: nothing to do.\n"
    return f"{text}\n{following(f'netaudit audit INTENT {shown.show(str(new.folder))}')}\n"


def _head(old: Snapshot, new: Snapshot, found: Compared, groups: int) -> str:
    shown = style()
    names = f"{shown.show(str(old.folder))} and {shown.show(str(new.folder))}"
    of = f"{counted(len(found.devices), 'switch', 'switches')}"
    unseen = len({g.device for g in found.gaps})
    missing = f"; {unseen:,} of {of} could not be compared completely" if unseen else ""
    if found.shifts:
        on = len({s.device for s in found.shifts})
        what = f"{counted(groups, 'change')} at {counted(len(found.shifts), 'place')}, on {on:,} of {of}"
        return verdict("≠", Role.CARE, f"{names} differ: {what}{missing}")
    if not found.devices:
        return verdict("?", Role.UNKNOWN, f"{names} have no device: nothing was compared")
    if unseen:
        return verdict("?", Role.UNKNOWN, f"{names}: no difference was seen{missing}")
    return verdict("✔", Role.GOOD, f"{names} are equal: {of}")


def _group(group: Group, everything: bool) -> list[str]:
    shown = style()
    size = f"{', '.join(group.stores)}; {counted(len(group.members), 'place')}"
    sign = shown.paint(shown.symbol("≠"), Role.CARE)
    lines = [*spread(f"  {sign} {shown.paint(shown.show(group.shape), Role.BOLD)}", size, shown.width)]
    if group.before or group.after:
        change = shown.symbol(f"{shown.show(group.before)} → {shown.show(group.after)}")
        lines += wrapped(change, shown.width, "    ")
    devices = dict.fromkeys(s.device for s in group.members)
    names = [s.place for s in group.members] if len(group.members) <= PLACES or everything else [*devices]
    return [*lines, *wrapped(shown.show(fold_text(names)), shown.width, "    "), ""]


def _gaps(gaps: tuple[Gap, ...], everything: bool) -> list[str]:
    shown = style()
    lines = [f"  ? {shown.paint('NOT COMPARED', Role.UNKNOWN)}, nothing is claimed about these"]
    alike: dict[tuple[str, str], list[str]] = {}
    for gap in gaps:
        alike.setdefault((gap.what, gap.reason), []).append(gap.device)
    rows = list(alike.items())
    for (what, reason), devices in rows if everything else rows[:LIST_LIMIT]:
        lines += wrapped(shown.show(f"{fold_text(devices)}  {what}: {reason}"), shown.width, "    ")
    if not everything and len(rows) > LIST_LIMIT:
        lines.append(shown.symbol(f"    … {len(rows) - LIST_LIMIT:,} more: --all"))
    return [*lines, ""]
