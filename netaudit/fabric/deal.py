"""How the ports of each role are dealt out, and what does not fit on its model."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit import platforms
from netaudit.fabric.layout import DoesNotFit, layout
from netaudit.fabric.model import Layout
from netaudit.fabric.problems import Problems
from netaudit.fabric.roles import roles
from netaudit.fabric.topology import HOST_LEAF, LEAF_SPINE, block_kind, block_of
from netaudit.hardware import SwitchModel
from netaudit.intent import Intent
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
            hint = f"a {name} needs {counts}; {remedy}"
            problems.add(_to_blame(intent, name, error), f"{name}: {error}", hint)
    return result


def _groups(model: IntentModel) -> Mapping[str, Groups]:
    """DESIGN.md rule 2: a block with a lower id takes the later cages of a spine, each with room for its capacity."""
    spine = model.spine
    blocks = sorted(model.blocks.items(), key=lambda item: item[1].id)
    found: dict[str, Groups] = {
        "leaf": (
            [(HOST_LEAF, model.host_capacity, model.hosts.speed)],
            [(LEAF_SPINE, spine.count * spine.links, spine.speed)],
        ),
        "spine": (
            [(LEAF_SPINE, model.unit_capacity * model.rails * spine.links, spine.speed)],
            [(block_kind(name), block.room * block.links, block.speed) for name, block in blocks],
        ),
    }
    for name, block in model.blocks.items():
        found[name] = ([], [(block_kind(name), spine.count * block.links, block.speed)])
    return found


def _to_blame(intent: Intent, role: str, error: DoesNotFit) -> str:
    """The intent path that asks for what does not fit."""
    if error.kind == HOST_LEAF:
        capacity = "capacity.hosts" if intent.given("capacity.hosts") else "units"
        return "hosts.speed" if error.too_fast else capacity
    if error.kind != LEAF_SPINE:
        return f"blocks.{block_of(error.kind)}.{'speed' if error.too_fast else 'links'}"
    if error.too_fast:
        return "spine.speed"
    if role == "leaf":
        return "spine.links"
    return "capacity.units" if intent.given("capacity.units") else "units"
