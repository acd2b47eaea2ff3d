"""How a plan and a push read on a terminal (design/terminal.md, plan and push). Lines out; nothing is printed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from netaudit.platforms import Impact
from netaudit.push.groups import DiffGroup, diff_groups
from netaudit.push.plan import APPROVAL_LENGTH, Plan, Status
from netaudit.push.result import PushResult, Word
from netaudit.push.waves import waves
from netaudit.terminal import LIST_LIMIT, Role, Style, Symbol, counted, duration, fold_text, wrapped

_ROLES: Final = {
    Impact.NONE: Role.GOOD,
    Impact.RESET: Role.CARE,
    Impact.FLAP: Role.CARE,
    Impact.DRAIN: Role.BAD,
    Impact.REBOOT: Role.BAD,
}
SAID: Final = {
    Impact.NONE: "nothing is interrupted",
    Impact.RESET: "BGP sessions restart on {}",
    Impact.FLAP: "ports go down and up on {}",
    Impact.DRAIN: "traffic is drained on {}",
    Impact.REBOOT: "{} reboot",
}
"""What an impact means, with a place for the devices."""
INTENT: Final = "INTENT"
"""Stands for the intent's file where a push was not told it."""


def plan_lines(
    plan: Plan, file: str, style: Style, *, full: bool = False, intent: str = "", reach: str = ""
) -> tuple[str, ...]:
    """The plan as a person reviews it: every diff once; `full` shows each line of each device.

    `intent` and `reach` (` --targets FILE`, ` --intent FILE`) make the next command line one that can be copied.
    """
    groups = diff_groups(plan)
    body = [*diff_lines(groups, style, full=full), *_blocked(plan, style)]
    if plan.changes:
        body += [*_impact(plan, style), f"  approval  sha256 {plan.approval[:APPROVAL_LENGTH]}, valid until a running"]
        body[-1] += " config or the intent changes"
    body += [""] if body and body[-1] else []
    lines = (_plan_verdict(plan, groups, file, style), "", *body, _plan_next(plan, file, full, intent, reach))
    return tuple(style.symbol(line) for line in lines)


def _plan_verdict(plan: Plan, groups: Sequence[DiffGroup], file: str, style: Style) -> str:
    counts = [counted(len(plan.changes), "device changes", "devices change")] if plan.changes else []
    for status, word in ((Status.REFUSED, "refused"), (Status.UNREAD, "not read")):
        number = sum(1 for d in plan.devices if d.status is status)
        if number:
            counts.append(f"{number:,} {word}" if counts else f"{counted(number, 'device')} {word}")
    if not counts:
        of = counted(len(plan.devices), "device holds what it shall", "devices hold what they shall")
        return f"{style.paint(Symbol.GOOD, Role.GOOD)} {style.show(file)}: nothing to change, {of}"
    parts = [", ".join(counts)]
    if groups:
        gravest = groups[0].impact
        on = counted(sum(1 for d in plan.changes if d.impact is gravest), "device")
        parts += [counted(len(groups), "diff"), SAID[gravest].format(on)]
    return f"{style.paint(Symbol.WARNING, Role.CARE)} {style.show(file)}: {'; '.join(parts)}"


def _plan_next(plan: Plan, file: str, full: bool, intent: str, reach: str) -> str:
    if plan.changes:
        read = "read the diffs" if full else "read the diffs (--full shows every line)"
        return f"Next: {read}, then  netaudit push {file}{reach}"
    if plan.blocked:
        return f"Next: netaudit doctor {intent or INTENT} --where {plan.blocked[0].name}{_targets(reach)}"
    return "Next: nothing to do."


def _targets(reach: str) -> str:
    return reach if "--targets" in reach else ""


def diff_lines(groups: Sequence[DiffGroup], style: Style, *, full: bool) -> Iterator[str]:
    """Every diff once, under what it does and to which devices; `full` shows each line of each device."""
    for number, group in enumerate(groups, start=1):
        names = fold_text(d.name for d in group.devices)
        each = " each" if len(group.devices) > 1 else ""
        same = "the same " if group.same and each else ""
        what = f"{counted(len(group.devices), 'device')}, {same}{counted(len(group.diff), 'value')}{each}"
        head = f"  diff {number}   {what:<42} impact {style.paint(group.impact, _ROLES[group.impact])}"
        yield from wrapped(style.show(names), style.width, f"{head}   ", "    ")
        shown = group.devices if full and not group.same else group.devices[:1]
        for device in shown:
            if not group.same:
                others = "" if full else ", the others differ from it in numbers and addresses only"
                yield f"    as on {style.show(device.name)}{others}"
            lines = [f"    {style.show(line)}" for line in (device.diff if full else folded(device.diff))]
            yield from lines if full or len(lines) <= LIST_LIMIT else (*lines[:LIST_LIMIT], _more(len(lines)))
        yield ""


def _more(lines: int) -> str:
    return f"    … {lines - LIST_LIMIT:,} more: --full"


_NUMBER: Final = re.compile(r"(\d+)")


def folded(diff: Sequence[str]) -> tuple[str, ...]:
    """The lines, those that say the same of many rows as one: `BUFFER_PG|Ethernet0..504|3 profile (64)  a → b`."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for line in diff:
        kinds.setdefault(_kind(line), []).append(line.partition("  ")[0])
    return tuple(
        "  ".join(part for part in (heads[0] if len(heads) == 1 else f"{_span(heads)} ({len(heads)})", tail) if part)
        for (_, tail), heads in kinds.items()
    )


def _kind(line: str) -> tuple[str, str]:
    head, _, tail = line.partition("  ")
    return (_NUMBER.sub("#", head), tail) if tail else (line, "")


def _span(heads: Sequence[str]) -> str:
    """What the heads have in common, with the lowest and highest of each number that varies."""
    parts = []
    for column in zip(*(_NUMBER.split(head) for head in heads), strict=True):
        varies = len(set(column)) > 1
        parts.append(f"{min(map(int, column))}..{max(map(int, column))}" if varies else column[0])
    return "".join(parts)


def _blocked(plan: Plan, style: Style) -> Iterator[str]:
    for status, title, symbol in (
        (Status.REFUSED, "refused", Symbol.ERROR),
        (Status.UNREAD, "not read, nothing is claimed about", Symbol.UNKNOWN),
    ):
        devices = [d for d in plan.devices if d.status is status]
        if devices:
            yield f"  {title}"
            for device in devices:
                first = f"  {style.paint(symbol, Role.BAD)} {style.show(device.name)}   "
                yield from wrapped(style.show(device.reason), style.width, first)
            yield ""


def _impact(plan: Plan, style: Style) -> Iterator[str]:
    counts = " · ".join(f"{impact} {sum(1 for d in plan.changes if d.impact is impact)}" for impact in Impact)
    yield f"  impact    {counts}        in {counted(len(waves(plan.changes)), 'wave')}"


def push_lines(
    result: PushResult, plan_file: str, style: Style, *, intent: str = "", reach: str = ""
) -> tuple[str, ...]:
    """What a push did: the verdict, the four words with their sum, why, and what to do next.

    `intent` and `reach`: as for `plan_lines`; a push that was given no intent cannot name it.
    """
    rows = [_row(result, word, style) for word in _order(result)]
    facts = [*([("why", style.show(result.stopped))] if result.stopped else []), ("took", _took(result))]
    lines = (
        _push_verdict(result, plan_file, style),
        "",
        *(line for row in rows for line in row),
        "",
        *(line for name, text in facts for line in wrapped(text, style.width, f"  {name:<10}  ")),
        "",
        _push_next(result, plan_file, intent or INTENT, reach),
    )
    return tuple(style.symbol(line) for line in lines)


def _order(result: PushResult) -> tuple[Word, ...]:
    """The unknown come first where there are any."""
    words = (Word.DONE, Word.UNDONE, Word.UNTOUCHED, Word.UNKNOWN)
    return (Word.UNKNOWN, *words[:3]) if result.unknown else words


_READ_BACK: Final = {Word.DONE: "read back = plan, saved", Word.UNDONE: "read back = before, saved as before"}


def _row(result: PushResult, word: Word, style: Style) -> tuple[str, ...]:
    """The devices with this word, those with one reason together."""
    found = result.of(word)
    painted = style.paint(f"{word:<9}", Role.UNKNOWN) if word is Word.UNKNOWN and found else f"{word:<9}"
    head = f"  {painted}  {len(found):>3}   "
    reasons: dict[str, list[str]] = {}
    for name, reason in found.items():
        reasons.setdefault("" if result.stopped.endswith(reason) else reason, []).append(name)
    lines: list[str] = []
    for reason, names in reasons.items():
        said = "; ".join(text for text in (_READ_BACK.get(word, ""), style.show(reason)) if text)
        lines += wrapped(f"{style.show(fold_text(names))}   {said}".rstrip(), style.width, " " * 19 if lines else head)
    return tuple(lines) or (head.rstrip(),)


def _took(result: PushResult) -> str:
    return f"{duration(result.took_s)} · run {result.run} · log {result.log}"


def _push_verdict(result: PushResult, plan_file: str, style: Style) -> str:
    if not (result.stopped or result.interrupted):
        of = f"{len(result.done)} of {counted(len(result.outcomes), 'device')}"
        return f"{style.paint(Symbol.GOOD, Role.GOOD)} push complete: {of} verified, nothing undone, nothing unknown"
    return f"{style.paint(Symbol.ERROR, Role.BAD)} {_stopped_verdict(result, style.show(plan_file), style)}"


def _stopped_verdict(result: PushResult, plan_file: str, style: Style) -> str:
    if result.unknown:
        which = counted(len(result.unknown), "device is in an unknown state", "devices are in an unknown state")
        return f"push incomplete: {which}; look at {style.show(next(iter(result.unknown)))} before anything else"
    if result.stale:
        differ = sum(1 for reason in result.untouched.values() if reason)
        return (
            f"{plan_file} is stale: {differ} of {counted(len(result.outcomes), 'device')} changed; nothing was touched"
        )
    counts = f"{len(result.done)} done, {len(result.undone)} undone, {len(result.untouched)} untouched"
    if result.interrupted:
        return f"push interrupted: {counts}, none unknown"
    where = f" in wave {result.stopped_in}" if result.stopped_in else " before the first wave"
    if result.undone and not result.done:
        back = counted(len(result.undone), "touched device is", "touched devices are")
        return f"push stopped{where} and undone: {back} back to the old state"
    return f"push stopped{where}: {counts}, none unknown"


def _push_next(result: PushResult, plan_file: str, intent: str, reach: str) -> str:
    if result.unknown:
        return f"Next: netaudit doctor {intent} --where {next(iter(result.unknown))}{_targets(reach)}"
    if result.stale or result.stopped or result.interrupted:
        back = f"        to take back what is done:  netaudit rollback {result.run}{reach}" if result.done else ""
        return f"Next: netaudit plan {intent} -o {plan_file}{_targets(reach)}{back}"
    if not result.outcomes:
        return "Next: nothing to do."
    return f"Next: nothing to do. To take it back:  netaudit rollback {result.run}{reach}"
