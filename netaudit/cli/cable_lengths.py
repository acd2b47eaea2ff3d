"""What a plan says of cables that are not as long as the headroom it would push assumes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from netaudit.cli.common import style
from netaudit.terminal import LIST_LIMIT, counted

if TYPE_CHECKING:
    from netaudit.collect.targets import Target
    from netaudit.expect import Expected
    from netaudit.push.plan import Plan


def other_lengths(
    expected: Expected, plan: Plan, reached: Mapping[str, Target], name: str, targets: Path | None
) -> Iterator[str]:
    """CAB-07 before the push: each cable once, the command that corrects the intent, and an empty line."""
    from netaudit.lengths import decide
    from netaudit.pipeline_lengths import lengths_now
    from netaudit.push.plan import Status

    read = {d.name for d in plan.devices if d.status in (Status.CHANGE, Status.NONE)}
    told = lengths_now(expected, {name: target for name, target in reached.items() if name in read})
    changes = decide(expected, told.seen).changes
    if not changes:
        return
    shown = style()
    head = counted(len(changes), "cable is", "cables are")
    yield f"{shown.symbol('▲')} CAB-07 {head} not as long as the headroom of this plan assumes"
    for change in changes[:LIST_LIMIT]:
        link = change.link
        yield shown.show(f"    {link.a} – {link.b}: {change.length_m:g} m by {change.told_by}, not {link.length_m:g} m")
    if len(changes) > LIST_LIMIT:
        yield f"    … {len(changes) - LIST_LIMIT:,} more"
    by = f" --targets {shlex.quote(str(targets))}" if targets is not None else ""
    yield f"    first  netaudit tune {name}{by}"
    yield ""
