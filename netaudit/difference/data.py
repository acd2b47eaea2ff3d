"""A diff of two intents as data for programs, and as Markdown for a merge request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from netaudit.difference.compare import FabricDiff
from netaudit.difference.text import facts_of, verdict
from netaudit.push.groups import DiffGroup
from netaudit.push.report import folded
from netaudit.state import Link
from netaudit.terminal import LIST_LIMIT, counted, fold_text

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

MOST_LINES = 200
"""Lines of one group in Markdown: forges cut a comment at 65,536 characters (GitHub) or fold it."""


def diff_data(diff: FabricDiff, old: str, new: str) -> Mapping[str, Json]:
    """Everything, with each line of each device."""
    return {
        "old": old,
        "new": new,
        "fabric": diff.fabric,
        "changes": bool(diff),
        "devices_in_both": diff.devices,
        "added": list(diff.added),
        "removed": list(diff.removed),
        "renamed": dict(diff.renamed),
        "another_nos": {name: {"old": was, "new": shall} for name, (was, shall) in diff.reinstalled.items()},
        "renumbered": [{"device": r.device, "what": r.what, "old": r.old, "new": r.new} for r in diff.renumbered],
        "flapping": {name: list(ports) for name, ports in diff.flapping.items()},
        "cables": {
            "added": [_link(link) for link in diff.cables.added],
            "removed": [_link(link) for link in diff.cables.removed],
            "moved": [{"old": _link(c.old), "new": _link(c.new)} for c in diff.cables.moved],
            "changed": [{"old": _link(c.old), "new": _link(c.new)} for c in diff.cables.changed],
        },
        "impact": {str(impact): count for impact, count in diff.impacts.items()},
        "groups": [
            {
                "impact": str(group.impact),
                "same": group.same,
                "devices": {device.name: list(device.diff) for device in group.devices},
            }
            for group in diff.groups
        ],
        "not_compared": {device.name: device.reason for device in diff.plan.blocked},
    }


def _link(link: Link) -> Mapping[str, Json]:
    return {
        "a": str(link.a),
        "b": str(link.b),
        "kind": link.kind,
        "length_m": link.length_m,
        "medium": link.medium,
    }


def diff_markdown(diff: FabricDiff, old: str, new: str) -> str:
    """The diff as a comment in a merge request: the verdict, a table of facts, and every diff once, folded away."""
    lines = [f"### netaudit: {verdict(diff)}", "", f"{_code(old)} → {_code(new)}", ""]
    facts = list(facts_of(diff))
    if facts:
        lines += ["| | |", "|---|---|", *(f"| {label} | {_cell(text)} |" for label, text in facts), ""]
    for number, group in enumerate(diff.groups, start=1):
        lines += _group(number, group)
    if diff.plan.blocked:
        lines += ["Not compared:", "", *(f"- {_code(d.name)}: {_cell(d.reason)}" for d in diff.plan.blocked), ""]
    return "\n".join(lines).rstrip() + "\n"


def _group(number: int, group: DiffGroup) -> Iterator[str]:
    names = [device.name for device in group.devices]
    lines = folded(group.diff)
    open_ = " open" if len(lines) <= LIST_LIMIT else ""
    head = f"diff {number}: {counted(len(names), 'device')}, impact <b>{group.impact}</b>"
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    yield f"<details{open_}><summary>{head}: {_html(fold_text(names))}</summary>"
    yield ""
    if not group.same:
        yield f"As on {_code(names[0])}; the others differ from it in numbers and addresses only."
        yield ""
    yield f"{fence}text"
    yield from (line.replace("\n", " ") for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"… {len(lines) - MOST_LINES:,} more"
    yield fence
    yield ""
    yield "</details>"
    yield ""


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cell(text: str) -> str:
    return _html(text).replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    return f"`{text.replace('`', '')}`"
