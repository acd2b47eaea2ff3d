"""What a gNMI server answers from a tree of JSON: Get with subtrees, Subscribe with leaf updates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from netaudit import gnmi
from netaudit.gnmi.tree import leaves, select


def typed(value: object, encoding: int) -> gnmi.TypedValue:
    """A value as a server sends it: JSON bytes in the encoding, scalars as themselves where that is PROTO."""
    if encoding == gnmi.Encoding.PROTO:
        return _scalar(value)
    text = json.dumps(value, ensure_ascii=False).encode()
    if encoding == gnmi.Encoding.JSON_IETF:
        return gnmi.TypedValue(json_ietf_val=text)
    return gnmi.TypedValue(json_val=text)


def _scalar(value: object) -> gnmi.TypedValue:
    if isinstance(value, bool):
        return gnmi.TypedValue(bool_val=value)
    if isinstance(value, int):
        return gnmi.TypedValue(uint_val=value) if value >= 0 else gnmi.TypedValue(int_val=value)
    if isinstance(value, float):
        return gnmi.TypedValue(double_val=value)
    if isinstance(value, list):
        return gnmi.TypedValue(leaflist_val=gnmi.ScalarArray(element=[_scalar(one) for one in value]))
    return gnmi.TypedValue(string_val=value if isinstance(value, str) else json.dumps(value))


def get_notification(
    tree: object, prefix: gnmi.Path, path: gnmi.Path, encoding: int = gnmi.Encoding.JSON_IETF
) -> gnmi.Notification | None:
    """The answer to one path of a Get: an update with a subtree for each place it stands for; None if there is none."""
    steps = (*gnmi.elems(prefix), *gnmi.elems(path))
    found = [gnmi.Update(path=gnmi.path(*at), val=typed(value, encoding)) for at, value in select(tree, steps)]
    return gnmi.Notification(timestamp=1, update=found) if found else None


def stream(tree: object, request: gnmi.SubscriptionList, per_message: int = 100) -> Iterator[gnmi.SubscribeResponse]:
    """What a subscription brings first: the leaves of its paths, then the sync_response."""
    prefix = gnmi.elems(request.prefix)
    updates = (
        gnmi.Update(path=gnmi.path(*leaf), val=typed(value, request.encoding))
        for wanted in request.subscription
        for at, below in select(tree, (*prefix, *gnmi.elems(wanted.path)))
        for leaf, value in leaves(below, at)
    )
    for few in _batches(updates, per_message):
        yield gnmi.SubscribeResponse(update=gnmi.Notification(timestamp=1, update=few))
    yield gnmi.SubscribeResponse(sync_response=True)


def _batches(updates: Iterable[gnmi.Update], size: int) -> Iterator[list[gnmi.Update]]:
    batch: list[gnmi.Update] = []
    for update in updates:
        batch.append(update)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
