"""Which spines a leaf meets and at which place among their ports, and which superspines a spine: by numbers alone.

A *group* of spines is what `spine.count` is counted in: the plane, a rail or a pod (DESIGN.md section 3, `per`). Groups
count from 1. Places count from 0 and follow from ids, so that growth inside the capacity moves none (rule 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netaudit.intent.schema import IntentModel

WHOLE = 1
"""The one group where all spines of a plane are one."""


def first_rails(model: IntentModel) -> range:
    """The first rail of each leaf of a unit: it stands in the leaf's place and name."""
    return range(1, model.rails + 1, model.leaf.rails)


def spine_groups(model: IntentModel) -> tuple[int, ...]:
    """The groups of spines that there are: all rails, or the pods that units are in."""
    if model.spine.per == "rail":
        return tuple(range(1, model.rails + 1))
    if model.spine.per == "pod":
        return tuple(sorted({unit.pod or WHOLE for unit in model.units.values()}))
    return (WHOLE,)


def group_capacity(model: IntentModel) -> int:
    """Groups that numbers, ports and pools are laid out for."""
    if model.spine.per == "pod":
        return model.capacity.pods or max(spine_groups(model))
    return max(spine_groups(model))


def spine_numbers(model: IntentModel) -> Iterable[tuple[int, int]]:
    """(group, number) of every spine of a plane; numbers count through the groups."""
    count = model.spine.count
    for group in spine_groups(model):
        for number in range((group - 1) * count + 1, group * count + 1):
            yield group, number


def spine_capacity(model: IntentModel) -> int:
    """The highest number of a spine that is laid out for."""
    return group_capacity(model) * model.spine.count


def leaf_group(model: IntentModel, unit: str, rail: int) -> int:
    """The group of the spines that a leaf meets; `rail` is that of its place."""
    per = model.spine.per
    return rail if per == "rail" else model.units[unit].pod or WHOLE if per == "pod" else WHOLE


def leaf_index(model: IntentModel, unit: str, rail: int) -> int:
    """Leaf index within the plane: (unit − 1) × leaves of a unit + which of them it is (DESIGN.md, «Indices»)."""
    return (model.units[unit].id - 1) * model.unit_leaves + (rail - 1) // model.leaf.rails


def leaf_slots(model: IntentModel) -> Mapping[tuple[str, int], int]:
    """(unit, rail of its place) of every leaf → its place among the ports of its spines.

    That is its index, counted within the rail or the pod.
    """
    found: dict[tuple[str, int], int] = {}
    size = pod_units(model) if model.spine.per == "pod" else 0
    for unit, body in model.units.items():
        for rail in first_rails(model):
            nth = (rail - 1) // model.leaf.rails
            base = (body.id - 1) % size if size else body.id - 1
            found[unit, rail] = base if model.spine.per == "rail" else base * model.unit_leaves + nth
    return found


def slot_capacity(model: IntentModel) -> int:
    """Leaves that a spine has ports for."""
    if model.spine.per == "rail":
        return model.unit_capacity
    return (pod_units(model) if model.spine.per == "pod" else model.unit_capacity) * model.unit_leaves


def pod_units(model: IntentModel) -> int:
    """Units that a pod is laid out for. Written capacities decide alone: then a further unit never moves another."""
    capacity = model.capacity
    if capacity.pod_units is not None:
        return capacity.pod_units
    if capacity.units is not None:
        return -(-capacity.units // capacity.pods) if capacity.pods is not None else capacity.units
    ids = [(unit.pod, unit.id) for unit in model.units.values()]
    fullest = max(sum(1 for other, _ in ids if other == pod) for pod, _ in ids)
    highest = max(number for _, number in ids)
    able = (
        size
        for size in range(fullest, highest + 1)
        if len({(pod, (number - 1) % size) for pod, number in ids}) == len(ids)
    )
    return next(able, max(1, highest))  # none is enough for two units of one number, which are refused


def superspine_numbers(model: IntentModel) -> Iterable[tuple[int, int]]:
    """(group, number) of every superspine of a plane: grouped, the group is the place of its spines in their pods.

    Each group keeps numbers for its part of the capacity; with full wiring all are group 0.
    """
    body = model.superspine
    if body is None:
        return
    if body.wiring == "full":
        yield from ((0, number) for number in range(1, body.count + 1))
        return
    there, room = body.count // model.spine.count, body.room // model.spine.count
    for group in range(1, model.spine.count + 1):
        yield from ((group, (group - 1) * room + number) for number in range(1, there + 1))


def uplinks(model: IntentModel) -> Mapping[str, int]:
    """Role → its links to the tier above that are laid out for: leaves, and spines below superspines."""
    found = {"leaf": model.spine.count * model.spine.links}
    if model.superspine is not None:
        found["spine"] = superspine_room(model) * model.superspine.links
    return found


def superspine_room(model: IntentModel) -> int:
    """Superspines that a spine has ports for: those of its group, or all."""
    body = model.superspine
    if body is None:
        return 0
    return body.room if body.wiring == "full" else body.room // model.spine.count


def above(model: IntentModel, block: str) -> int:
    """Devices of a plane that a block is laid out to meet: each spine, or each superspine."""
    if model.blocks[block].to == "superspine":
        return model.superspine.room if model.superspine is not None else 0
    return spine_capacity(model)
