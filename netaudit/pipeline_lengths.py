"""What switches tell of the lengths of their cables, live or from a recording, as `lengths` decides over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from netaudit import platforms
from netaudit.collect.read import TIMEOUT_S, collect_device, silence
from netaudit.collect.snapshot import Snapshot
from netaudit.collect.targets import Target
from netaudit.expect import Expected
from netaudit.lengths import Seen, seen_of
from netaudit.nornir.hosts import HostError, each_host
from netaudit.pipeline import OnDone
from netaudit.platforms import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """What was seen, device by device, and why not of the others."""

    seen: Mapping[str, Seen]
    unread: Mapping[str, str]


def lengths_now(expected: Expected, reached: Mapping[str, Target], on_done: OnDone | None = None) -> Lengths:
    """Every device as it is now, asked for nothing but this."""
    seen: dict[str, Seen] = {}
    unread: dict[str, str] = {}
    with closing(each_host(reached, _collect)) as found:
        for name, given in found:
            why = str(given) if isinstance(given, HostError) else _take(expected, name, given, seen)
            if why and not expected.excuse(name):
                unread[name] = why
            if on_done:
                on_done(name, why or "read")
    return Lengths(seen=seen, unread=unread)


def lengths_recorded(expected: Expected, snapshot: Snapshot, names: Iterable[str]) -> Lengths:
    """Every device as it was when a snapshot was taken."""
    seen: dict[str, Seen] = {}
    unread: dict[str, str] = {}
    for name in names:
        recorded = snapshot.look(name)
        why = recorded if isinstance(recorded, str) else _take(expected, name, recorded.answers, seen)
        if why and not expected.excuse(name):
            unread[name] = why
    return Lengths(seen=seen, unread=unread)


def _collect(target: Target) -> Answers:
    platform = platforms.platform(target.platform)
    queries = [query for query in platform.QUERIES if query.id in platform.LENGTH_QUERIES]
    return collect_device(queries, target, TIMEOUT_S)


def _take(expected: Expected, name: str, answers: Answers, seen: dict[str, Seen]) -> str:
    """Note what a device tells; why it told nothing, or only a part."""
    platform = platforms.platform(expected.built.devices[name].platform)
    asked = {i: answer for i, answer in answers.items() if i in platform.LENGTH_QUERIES}
    failed = silence(asked)
    if failed is not None:
        return failed
    reading = platform.read(answers, name)
    wrong = [f"{query}: {why}" for query, why in reading.problems if query in platform.LENGTH_QUERIES]
    seen[name] = seen_of(expected, name, reading.stores, reading.doubts)
    return "; ".join(wrong)
