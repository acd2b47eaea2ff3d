"""The example fabric audited through the product's own doors: a switch's answers as text, one of them changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from audit.world import NOON, Fault, broken, healthy, observations, stores, two_plane
from platforms.answers_sonic import answers, route_table

from netaudit.audit.audit import conclude
from netaudit.audit.compare import DeviceAudit, compare
from netaudit.audit.findings import AuditResult
from netaudit.audit.observed import Observation
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.pipeline import observation
from netaudit.platforms import Answer, Answers
from tests.intent.example import read, small

LEAF, OTHER_LEAF, SPINE = "a-su1-r1-leaf", "a-su1-r2-leaf", "a-spine1"

Change: TypeAlias = "Answer | str | Callable[[Any], object]"
"""Another answer, another text, or what is done to the JSON of an answer (changed in place, or returned)."""
ZEBRA = frozenset({"bgp4", "bgp6", "route4", "route6"})
"""Queries from whose answers the routes of the hardware are made."""
Changes: TypeAlias = "Mapping[str, Mapping[str, Change]]"
"""Device → query id → its change."""


@cache
def two_classes() -> Expected:
    """A small fabric of one unit with two lossless classes, on priorities 3 and 4."""
    traffic = (
        "{roce: {dscp: [26], priority: 3, lossless: true, share: 40%, ecn: auto},"
        " kv: {dscp: [27], priority: 4, lossless: true, share: 40%, ecn: auto},"
        " control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp]}, default: {share: 20%}}"
    )
    with TemporaryDirectory() as folder:
        return Expected(build(read(Path(folder), small(traffic=traffic))))


@cache
def told_by(device: str, expected: Expected | None = None) -> Answers:
    """The answers of a switch that does what it should."""
    return answers(stores(expected or two_plane(), device))


def changed(given: Answers, changes: Mapping[str, Change]) -> Answers:
    """The same answers, but some otherwise."""
    told = {**given, **{query: _changed(given[query], change) for query, change in changes.items()}}
    if ZEBRA.isdisjoint(changes) or "ROUTE_TABLE" in changes:
        return told
    # what is programmed follows what zebra has
    try:
        table = route_table({query: json.loads(told[query].text) for query in ZEBRA})
    except ValueError:
        return told
    return {**told, "ROUTE_TABLE": Answer(text=json.dumps(table))}


def _changed(answer: Answer, change: Change) -> Answer:
    if isinstance(change, Answer):
        return change
    if isinstance(change, str):
        return Answer(text=change)
    tree = json.loads(answer.text or "{}")
    result = change(tree)
    return Answer(text=json.dumps(tree if result is None else result))


def put(*path: str, **fields: object) -> Callable[[Any], object]:
    """Set fields of a row, which is made if it is not there; a field of `None` is taken out."""

    def change(tree: Any) -> None:
        for name in path:
            tree = tree.setdefault(name, {})
        for name, value in fields.items():
            if value is None:
                tree.pop(name, None)
            else:
                tree[name] = value

    return change


def rename(**keys: str) -> Callable[[Any], object]:
    """Rows under other keys; `_` in a name is `|`."""
    return lambda tree: {keys.get(key.replace("|", "_"), key): row for key, row in tree.items()}


@cache
def _as_it_should_be(expected: Expected) -> Mapping[str, DeviceAudit]:
    return {o.device: compare(expected, o) for o in observations(healthy(expected))}


def audited(changes: Changes, *faults: Fault, expected: Expected | None = None) -> AuditResult:
    """The audit of a fabric in which switches answer otherwise; `faults`: what else has happened, in all tables."""
    fabric = expected or two_plane()
    world = broken(fabric, *faults)
    audits = dict(_as_it_should_be(fabric))
    for seen in observations(world):
        if world[seen.device] is not healthy(fabric)[seen.device]:
            audits[seen.device] = compare(fabric, seen)
    for device, queries in changes.items():
        given = answers(world[device]) if faults else told_by(device, expected)
        audits[device] = compare(fabric, observed(device, changed(given, queries)))
    return conclude(fabric, audits, NOON)


def observed(device: str, given: Answers) -> Observation:
    """What a pipeline makes of answers."""
    return replace(observation(device, "sonic", given, at=NOON), address="198.51.100.1")


def rules(result: AuditResult) -> list[tuple[str, str]]:
    """(rule, place) of every finding."""
    return sorted((f.rule, f.object) for f in result.findings)
