"""Where each of the 64 DSCP values goes: its class, and what that is on every switch; none is left to a default."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping

from netaudit.expect.classes import DEFAULT, classes, dscp_to_tc, pfc_to_queue, tc_to_pg
from netaudit.export.graph import Json
from netaudit.intent import Intent
from netaudit.lossless import spelled


def dscp_rows(intent: Intent) -> Iterator[Mapping[str, Json]]:
    """A row for each DSCP: class, traffic class, queue, priority group, PFC priority, and why it is there."""
    known, groups, paused = dscp_to_tc(intent), tc_to_pg(intent), pfc_to_queue(intent)
    by_queue = {c.queue: c for c in classes(intent)}
    for code, tc in known.items():
        kind = by_queue[tc]
        named = code in kind.body.dscp
        yield {
            "dscp": code,
            "class": kind.name,
            "tc": tc,
            "queue": tc,
            "priority_group": groups[tc],
            "pfc_priority": next((p for p, q in paused.items() if q == tc and p == kind.priority), None),
            "lossless": kind.body.lossless,
            "marked": kind.body.ecn is not None,
            "why": f"traffic.{kind.name}.dscp" if named else f"no class names it: `{DEFAULT}`",
        }


def class_rows(intent: Intent, platforms: Collection[str]) -> Iterator[Mapping[str, Json]]:
    """A row for each class: its queue, what it gets of a link, and how the given platforms are told."""
    found = classes(intent)
    shares = {c.name: c.body.share for c in found if not c.body.strict and c.body.share is not None}
    caps = {c.name: c.body.cap for c in found if c.body.strict and c.body.cap is not None}
    # caps that leave nothing are what `check` refuses (ETS-02), and no platform has words for them
    told_of = platforms if sum(caps.values()) < 100 else ()
    words = {platform: spelled(platform, shares, caps) for platform in told_of}
    for kind in found:
        part = f"strict, {float(kind.body.cap or 0):g} % at most" if kind.body.strict else None
        yield {
            "class": kind.name,
            "queue": kind.queue,
            "of a link": part or f"{float(kind.body.share or 0):g} %",
            **{platform: told.get(kind.name, "") for platform, told in words.items()},
        }


def dscp_markdown(intent: Intent, platforms: Collection[str]) -> str:
    """Both as tables."""
    return _table(list(class_rows(intent, platforms))) + "\n" + _table(list(dscp_rows(intent)))


def _table(rows: list[Mapping[str, Json]]) -> str:
    head = f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}\n"
    return head + "".join(f"| {' | '.join(_cell(v) for v in row.values())} |\n" for row in rows)


def dscp_csv(intent: Intent) -> str:
    """The rows as CSV with a header."""
    rows = list(dscp_rows(intent))
    text = io.StringIO()
    writer = csv.DictWriter(text, tuple(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
