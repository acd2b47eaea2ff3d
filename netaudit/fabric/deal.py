"""How the ports of each role are dealt out, and what does not fit on its model."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit import platforms
from netaudit.fabric.kinds import HOST_LEAF, LEAF_SPINE, SPINE_SUPERSPINE, block_kind, block_of
from netaudit.fabric.layout import DoesNotFit, layout
from netaudit.fabric.model import Layout
from netaudit.fabric.problems import Problems
from netaudit.fabric.roles import roles
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent, tiers
from netaudit.intent.schema import IntentModel

Groups = tuple[list[tuple[str, int, int]], list[tuple[str, int, int]]]
"""(kind, count, speed in Mb/s) of the groups that count up from the first cage, and of those down from the last."""


def layouts(intent: Intent, models: Mapping[str, SwitchModel | None], problems: Problems) -> dict[str, Layout]:
    """Role → its layout, as far as the ports fit."""
    result: dict[str, Layout] = {}
    for name, (down, up) in _groups(intent.model).items():
        chosen = models[name]
        platform = roles(intent.model)[name].platform
        if chosen is None or platform not in platforms.names():
            continue
        try:
            result[name] = layout(chosen, platforms.platform(platform), down, up)
        except DoesNotFit as error:
            counts = ", ".join(f"{count} {kind} at {speed // 1000}G" for kind, count, speed in (*down, *up))
            remedy = "a slower speed, or a faster model" if error.too_fast else "smaller capacity, or a larger model"
            if _of_pods(intent, name, error):
                remedy = "`capacity: {pod_units: …}` says how many units a pod has"
            hint = f"a {name} needs {counts}; {remedy}"
            problems.add(_to_blame(intent, name, error), f"{name}: {error}", hint)
    return result


def _of_pods(intent: Intent, role: str, error: DoesNotFit) -> bool:
    """Do the ports of a spine not suffice for as many units as the whole fabric has, though it has pods?"""
    capacity, per = intent.model.capacity, intent.model.spine.per
    unsaid = per == "pod" and capacity.pod_units is None and capacity.pods is None and capacity.units is not None
    return unsaid and role == "spine" and error.kind == LEAF_SPINE and not error.too_fast


def _groups(model: IntentModel) -> Mapping[str, Groups]:
    """DESIGN.md rule 2: a block with a lower id takes the later cages above, each with room for its capacity.

    Of a spine the links to superspines follow, as they count down, too.
    """
    spine, up = model.spine, tiers.uplinks(model)
    found: dict[str, Groups] = {
        "leaf": ([(HOST_LEAF, model.leaf_capacity, model.hosts.speed)], [(LEAF_SPINE, up["leaf"], spine.speed)]),
        "spine": (
            [(LEAF_SPINE, tiers.slot_capacity(model) * spine.links, spine.speed)],
            _of_blocks(model, "spine"),
        ),
    }
    if (top := model.superspine) is not None:
        below = tiers.group_capacity(model) if top.wiring == "grouped" else tiers.spine_capacity(model)
        found["spine"][1].append((SPINE_SUPERSPINE, up["spine"], top.speed))
        found["superspine"] = ([(SPINE_SUPERSPINE, below * top.links, top.speed)], _of_blocks(model, "superspine"))
    for name, block in model.blocks.items():
        found[name] = ([], [(block_kind(name, block.to), tiers.above(model, name) * block.links, block.speed)])
    return found


def _of_blocks(model: IntentModel, role: str) -> list[tuple[str, int, int]]:
    blocks = sorted(model.blocks.items(), key=lambda item: item[1].id)
    return [(block_kind(n, b.to), b.room * b.links, b.speed) for n, b in blocks if b.to == role]


def _to_blame(intent: Intent, role: str, error: DoesNotFit) -> str:
    """The intent path that asks for what does not fit."""
    given = [path for path in ("capacity.pod_units", "capacity.units") if intent.given(path)]
    if error.kind == HOST_LEAF:
        capacity = "capacity.hosts" if intent.given("capacity.hosts") else "units"
        return "hosts.speed" if error.too_fast else capacity
    if error.kind == LEAF_SPINE:
        if error.too_fast:
            return "spine.speed"
        return "spine.links" if role == "leaf" else next(iter(given), "units")
    if error.kind == SPINE_SUPERSPINE:
        if error.too_fast:
            return "superspine.speed"
        return "superspine.links" if role == "spine" or not intent.given("capacity.pods") else "capacity.pods"
    return f"blocks.{block_of(error.kind)}.{'speed' if error.too_fast else 'links'}"
