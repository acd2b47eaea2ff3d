"""How `whatif` answers: as a page, as data, and as a paper for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from netaudit import __version__
from netaudit.audit.report.paper import Paper, of_check
from netaudit.cli.show.page import Json, Table, View, dump, facts, notes, page, table
from netaudit.diag import Diagnostic
from netaudit.expect import Expected
from netaudit.terminal import Style, Symbol, counted
from netaudit.whatif import NAMED, Outcome, Requirement, measured

RULE = "CAP-04"
"""audit-rules.md: a single failure leaves less than the declared minimum."""
_RULES = {RULE: "what a failure leaves is less than required"}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was asked, and what came out."""

    expected: Expected
    named: str
    outcomes: tuple[Outcome, ...]
    required: tuple[Requirement, ...]

    @cached_property
    def worst(self) -> tuple[Outcome, ...]:
        """The worst first: by what is left, then by how many are alike."""
        return tuple(
            sorted(
                self.outcomes,
                key=lambda o: (o.capacity, -o.cut_count, -o.apart, min(o.rails.values(), default=1.0), -o.event.count),
            )
        )

    @cached_property
    def missed(self) -> tuple[tuple[Requirement, Outcome], ...]:
        """Requirements that are not met, by which failures."""
        return tuple((r, o) for r in self.required for o in self.worst if r.concerns(o) and not r.holds(o))

    @property
    def empty(self) -> tuple[Requirement, ...]:
        """Requirements on something that this fabric has none of."""
        return tuple(r for r in self.required if not any(r.concerns(o) for o in self.outcomes))


def as_text(answer: Answer, style: Style, *, everything: bool) -> str:
    """The page."""
    view = View(named=answer.named, style=style, everything=everything)
    rows = tuple(_row(outcome) for outcome in answer.worst)
    head = ("left", "paths", "fails", "alike", "what then")
    return page(
        view,
        _verdict(answer),
        table(view, Table(head=head, rows=rows, right=frozenset({0, 3}))),
        _worst_facts(answer, style),
        notes(style, tuple(_notes(answer))),
        then=view.command("show fabric"),
    )


def _verdict(answer: Answer) -> tuple[Symbol, str]:
    if not answer.worst:
        return Symbol.INFO, "nothing of that kind is in this fabric"
    worst = answer.worst[0]
    if answer.missed:
        missing = len({r.text for r, _ in answer.missed})
        return Symbol.ERROR, f"{counted(missing, 'requirement')} of {len(answer.required)} not met"
    if answer.required:
        return Symbol.GOOD, f"{counted(len(answer.required), 'requirement')} met by {_number(answer)}"
    if worst.event.kind == NAMED:
        return Symbol.INFO, f"{_percent(worst.capacity)} of every pair's rate is left without {worst.event.label}"
    return Symbol.INFO, f"{_number(answer)}: the worst leaves {_percent(worst.capacity)} of a pair's rate"


def _number(answer: Answer) -> str:
    total = sum(outcome.event.count for outcome in answer.outcomes)
    return f"{counted(total, 'failure')} of {counted(len(answer.outcomes), 'kind')}"


def _percent(share: float) -> str:
    """Two digits, never rounded to all or nothing."""
    percent = 100 * share
    text = f"{percent:.1f}".rstrip("0").rstrip(".")
    return f"{text} %" if text not in ("0", "100") or share in (0.0, 1.0) else f"{percent:.3g} %"


def _row(outcome: Outcome) -> tuple[str, ...]:
    event = outcome.event
    paths = str(outcome.paths) if outcome.paths == outcome.paths_before else f"{outcome.paths_before} → {outcome.paths}"
    return (
        _percent(outcome.capacity),
        paths,
        f"{event.kind}: {event.what}" if event.what != event.kind else event.kind,
        f"{event.count:,}",
        "; ".join(_consequences(outcome)) or "nothing slows down",
    )


def _consequences(outcome: Outcome) -> Iterator[str]:
    if outcome.cut_count:
        shown = ", ".join(outcome.cut[:3])
        more = f" and {outcome.cut_count - 3:,} more" if outcome.cut_count > 3 else ""
        yield f"cut off: {shown}{more}"
    elif outcome.event.nics:
        yield f"{counted(len(outcome.event.nics), 'NIC port')} down, the NIC's other planes carry on"
    slow = {rail: share for rail, share in outcome.rails.items() if share < 1}
    if slow and not outcome.cut_count:
        least = min(slow.values())
        yield f"{counted(len(slow), 'rail')} at {_percent(least)} in plane {', '.join(sorted({p for p, _ in slow}))}"
    if outcome.apart:
        yield f"{counted(outcome.apart, 'pair')} of leaves without a route"
    for prefix, leaves in sorted(outcome.unreached.items()):
        yield f"{prefix} not reached from {counted(leaves, 'leaf', 'leaves')}"
    if outcome.hot:
        hot = outcome.hot[0]
        yield f"{counted(hot.count, 'link')} like {hot.device}:{hot.port} offered {_percent(hot.load)}"


def _worst_facts(answer: Answer, style: Style) -> tuple[str, ...]:
    if not answer.worst:
        return ()
    worst = answer.worst[0]
    rows = [
        (
            "worst",
            f"{worst.event.label}, one of {worst.event.count:,} alike" if worst.event.count > 1 else worst.event.label,
        )
    ]
    rows += [
        ("" if number else "not met", f"{r.text}: {o.event.label} leaves {r.metric} {measured(o, r.metric):g}")
        for number, (r, o) in enumerate(answer.missed[:10])
    ]
    rows.append(("traffic", "uniform all-to-all between leaves at the rate of every host port; equal-cost splitting"))
    return facts(style, rows, label=10)


def _notes(answer: Answer) -> Iterator[str]:
    for requirement in answer.empty:
        yield f"`{requirement.text}` speaks of nothing that this fabric has"
    drained = sorted(n for n, d in answer.expected.built.devices.items() if d.place.status == "drained")
    if drained:
        yield f"drained counts as failed: {', '.join(drained[:5])}{' …' if len(drained) > 5 else ''}"


def as_json(answer: Answer) -> str:
    """The same as data."""
    rows: list[Json] = [_data(outcome) for outcome in answer.worst]
    return dump(
        {
            "whatif": answer.expected.fabric,
            "outcomes": rows,
            "requirements": [
                {
                    "text": r.text,
                    "met": not any(r is other for other, _ in answer.missed),
                    "missed_by": [o.event.label for other, o in answer.missed if other is r],
                }
                for r in answer.required
            ],
        }
    )


def _data(outcome: Outcome) -> Json:
    event = outcome.event
    rails: list[Json] = [{"plane": p, "rail": r, "share": share} for (p, r), share in outcome.rails.items()]
    hot: list[Json] = [
        {"device": h.device, "port": h.port, "alike": h.count, "offered": round(h.load, 9)} for h in outcome.hot
    ]
    return {
        "kind": event.kind,
        "what": event.what,
        "example": event.label,
        "alike": event.count,
        "capacity": outcome.capacity,
        "paths_before": outcome.paths_before,
        "paths": outcome.paths,
        "rails": rails,
        "hot": hot,
        "cut_off": list(outcome.cut),
        "cut_off_count": outcome.cut_count,
        "pairs_without_route": outcome.apart,
        "not_reached": dict(sorted(outcome.unreached.items())),
    }


def as_paper(answer: Answer, code: int) -> Paper:
    """Requirements as cases: one that is not met is a failure with the numbers."""
    return of_check(
        version=__version__,
        fabric=answer.expected.fabric,
        intent=answer.named,
        verdict=_verdict(answer)[1],
        exit_code=code,
        diagnostics=[
            Diagnostic(
                message=f"{r.text}: {o.event.label} leaves {r.metric} {measured(o, r.metric):g}",
                hint=f"{o.event.count:,} alike",
                rule=RULE,
            )
            for r, o in answer.missed
        ],
        rules=_RULES,
    )
