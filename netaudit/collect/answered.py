"""What a gNMI server sent, as the answers to what was asked: a value as it came, or updates in one tree."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from netaudit import gnmi
from netaudit.collect.failure import ReachStep
from netaudit.gnmi.paths import covers, parts, plain
from netaudit.gnmi.tree import Tree
from netaudit.platforms import Answer, Miss, Query

_TOO_DEEP: Final = f"{ReachStep.PATH}: the value is nested too deeply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A value and where it is; `gone` where the device says that nothing is there any more."""

    path: tuple[str, ...]
    answer: Answer
    gone: bool = False


Updates: TypeAlias = tuple[Update, ...]


def updates_of(notifications: Iterable[gnmi.Notification]) -> Updates:
    """All updates of some notifications in order, each with its whole path; of one notification deletes come first."""
    found: list[Update] = []
    for notification in notifications:
        prefix = gnmi.elems(notification.prefix)
        for path in notification.delete:
            found.append(Update(path=(*prefix, *gnmi.elems(path)), answer=Answer(), gone=True))
        for update in notification.update:
            found.append(Update(path=(*prefix, *gnmi.elems(update.path)), answer=_answer(update.val)))
    return tuple(found)


def keyed(query: Query) -> bool:
    """Does the path of a query name entries of a list?"""
    return any(parts(element)[1] for element in query.path)


def of_sonic(query: Query) -> bool:
    """Is it a path of a database of SONiC's, named by the target or by the origin (sonic.md 8)?"""
    return bool(query.target) or query.origin == "sonic-db"


def answers_of(group: Sequence[Query], updates: Updates) -> tuple[Answer, ...] | None:
    """The answers in the order of the queries; None where there is not one for each, or an update is for none."""
    of: dict[str, list[Update]] = {query.id: [] for query in group}
    for update in updates:
        query = _asked_for(group, update.path)
        if query is None:
            return None
        of[query.id].append(update)
    if not any(of.values()):
        return None
    answers = tuple(_joined(query, of[query.id]) for query in group)
    return None if None in answers else tuple(answer for answer in answers if answer is not None)


def _asked_for(group: Sequence[Query], path: tuple[str, ...]) -> Query | None:
    """The query whose path says most of what an update's says; one below an update's path takes it whole."""
    exact = next((query for query in group if query.path == path), None)
    if exact is not None:
        return exact
    group = [query for query in group if not of_sonic(query)]
    below = [query for query in group if covers(query.path, path)]
    if below:
        return max(below, key=lambda query: len(query.path))
    above = [query for query in group if path and covers(path, query.path)]
    return above[0] if len(above) == 1 else None


def _joined(query: Query, updates: Sequence[Update]) -> Answer | None:
    """One answer of all updates for a query; None where the query must be asked alone."""
    if not updates:
        return Answer(miss=Miss.ABSENT) if query.stream or keyed(query) else None
    if not query.stream and not keyed(query) and len(updates) == 1 and _same(query.path, updates[0].path):
        return updates[0].answer
    if of_sonic(query):
        return None  # one value for each path (sonic.md 8)
    tree, kept, failed = Tree(), False, ""
    for update in updates:
        if update.gone:
            tree.drop(update.path)
        elif update.answer.miss is not None:
            failed = failed or update.answer.reason
        else:
            try:
                tree.put(update.path, json.loads(update.answer.text))
            except (ValueError, RecursionError):
                failed = (
                    failed or f"{ReachStep.PATH}: what is at /{'/'.join(update.path)[:80]} is no JSON that can be read"
                )
            else:
                kept = True
    if failed and not kept:
        return Answer(miss=Miss.FAILED, reason=failed)
    try:
        return Answer(text=json.dumps(tree.json(), ensure_ascii=False))
    except RecursionError:
        return Answer(miss=Miss.FAILED, reason=_TOO_DEEP)


def _unread(path: tuple[str, ...]) -> str:
    return f"{ReachStep.PATH}: what is at /{'/'.join(path)[:80]} is no JSON that can be read"


def _same(path: Sequence[str], other: Sequence[str]) -> bool:
    return len(path) == len(other) and all(plain(one) == plain(two) for one, two in zip(path, other, strict=True))


def _answer(value: gnmi.TypedValue) -> Answer:
    """A typed value as JSON text."""
    kind = value.WhichOneof("value")
    try:
        if kind in ("json_ietf_val", "json_val"):
            return Answer(text=(value.json_ietf_val or value.json_val).decode("utf-8"))
        scalars = [_scalar(one) for one in value.leaflist_val.element] if kind == "leaflist_val" else _scalar(value)
    except UnicodeDecodeError:
        return Answer(miss=Miss.FAILED, reason=f"{ReachStep.PATH}: the value is not UTF-8 text")
    if scalars is None or (isinstance(scalars, list) and None in scalars):
        reason = f"{ReachStep.PATH}: a value of type {kind or 'none'} is not understood"
        return Answer(miss=Miss.FAILED, reason=reason)
    return Answer(text=json.dumps(scalars, ensure_ascii=False))


def _scalar(value: gnmi.TypedValue) -> object:
    """A scalar as Python has it; None for what is none, or is not understood."""
    kind = value.WhichOneof("value")
    if kind in ("string_val", "ascii_val"):
        return value.string_val or value.ascii_val
    if kind in ("int_val", "uint_val", "bool_val", "double_val", "float_val"):
        number: object = getattr(value, kind)
        return number
    if kind == "decimal_val":
        return value.decimal_val.digits / 10**value.decimal_val.precision
    if kind == "bytes_val":
        return base64.b64encode(value.bytes_val).decode("ascii")
    return None
