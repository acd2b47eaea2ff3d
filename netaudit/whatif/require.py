"""What must be left after a failure: `any single spine: capacity >= 0.85`, read, and held against outcomes."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from netaudit.diag import Diagnostic, Invalid, Source
from netaudit.whatif.events import PAIR
from netaudit.whatif.outcome import Outcome

OPTION = "--require"
METRICS = ("capacity", "paths", "cut", "apart")
"""Share of the worst pair, narrowest ECMP, NICs cut off, pairs of leaves without a route."""
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
}
_SHAPE = re.compile(
    r"\s*(?P<any>any)\s+(?P<number>single|two)\s+(?P<one>[\w-]+)(?:\s+and\s+(?P<other>[\w-]+))?\s*:"
    r"\s*(?P<metric>\w+)\s*(?P<sign>>=|<=|==|>|<)\s*(?P<value>\d+(?:\.\d+)?)\s*(?P<percent>%?)\s*",
    re.ASCII,
)
_EXAMPLE = "for example: any single switch: capacity >= 0.85; any two spines: paths >= 8; any single link: cut == 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One condition on every outcome of a kind of failure."""

    text: str
    one: str
    """A kind of event (`link`, `module`, `switch`, `plane`), a role, or a kind of link."""
    other: str
    """The second one of two; empty for single failures."""
    metric: str
    sign: str
    value: float

    def concerns(self, outcome: Outcome) -> bool:
        """Is it a failure of that kind?"""
        event = outcome.event
        if self.other:
            return event.kind == PAIR and event.of == tuple(sorted((self.one, self.other)))
        return self.one in (event.kind, event.what)

    def holds(self, outcome: Outcome) -> bool:
        """Is what is left enough?"""
        return _COMPARE[self.sign](measured(outcome, self.metric), self.value)


def measured(outcome: Outcome, metric: str) -> float:
    """The value of a metric."""
    values = {
        "capacity": outcome.capacity,
        "paths": outcome.paths,
        "cut": outcome.cut_count,
        "apart": outcome.apart,
    }
    return values[metric]


def requirement(text: str, known: Iterable[str]) -> Requirement:
    """The condition that `text` means. `known`: all words that a failure is called by. Raises `Invalid`."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise _wrong(text, 0, len(text), "this is no requirement", _EXAMPLE)
    words = tuple(dict.fromkeys(known))
    one = _word(text, found, "one", words)
    two = found["number"] == "two"
    if found["other"] and not two:
        raise _wrong(text, found.start("other"), len(found["other"]), "`single` is one failure", "any two … and …")
    other = (_word(text, found, "other", words) if found["other"] else one) if two else ""
    if found["metric"] not in METRICS:
        close = get_close_matches(found["metric"], METRICS, 1)
        hint = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(METRICS)}"
        raise _wrong(text, found.start("metric"), len(found["metric"]), f"`{found['metric']}` is not measured", hint)
    value = float(found["value"])
    if found["percent"]:
        if found["metric"] != "capacity":
            message = f"`{found['metric']}` is a number, not a percentage"
            raise _wrong(text, found.start("value"), len(found["value"]) + 1, message, "without %")
        value /= 100
    if found["metric"] == "capacity" and value > 1:
        hint = f"{value / 100:g} or {value:g} %" if value <= 100 else "0 to 1, or a percentage"
        raise _wrong(text, found.start("value"), len(found["value"]), "capacity is a share, at most 1", hint)
    return Requirement(
        text=" ".join(text.split()), one=one, other=other, metric=found["metric"], sign=found["sign"], value=value
    )


def _word(text: str, found: re.Match[str], group: str, known: tuple[str, ...]) -> str:
    said = found[group]
    for word in (said, said.removesuffix("s"), said.removesuffix("es"), said.removesuffix("ves") + "f"):
        if word in known:
            return word
    close = get_close_matches(said, known, 1)
    hint = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(known)}"
    raise _wrong(text, found.start(group), len(said), f"nothing that fails is called `{said}`", hint)


def _wrong(text: str, start: int, width: int, message: str, hint: str) -> Invalid:
    source = Source(file=OPTION, line=1, column=start + 1, width=max(1, width))
    return Invalid([Diagnostic(message=f"{message}: `{text}`", source=source, hint=hint)])
