"""Whether rails, pods and superspines fit each other: what spines are counted in, and who meets whom."""

from __future__ import annotations

from collections.abc import Iterator

from netaudit import hardware
from netaudit.diag import Diagnostic
from netaudit.intent import tiers
from netaudit.intent.consistency import at
from netaudit.intent.schema import IntentModel
from netaudit.intent.text import Document


def trays(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Rails that cannot be shared out among leaves that serve several."""
    if model.rails % model.leaf.rails:
        message = f"{model.rails} rails cannot be shared out among leaves that serve {model.leaf.rails} each"
        able = ", ".join(str(n) for n in range(1, model.rails + 1) if model.rails % n == 0)
        yield at.error(message, at.value(document, "leaf", "rails"), f"leaf: {{rails: …}} divides rails: {able}")


def counted_in(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Spines that are counted in what they cannot be."""
    per, source = model.spine.per, at.value(document, "spine", "per")
    if model.superspine is not None and per != "pod":
        hint = "spine: {per: pod}, and units: {su1: {hosts: …, pod: 1}}"
        message = f"spines are counted per {per}, and superspines join pods"
        yield at.error(message, source if per == "rail" else at.key(document, "superspine"), hint)
    if per == "rail" and model.leaf.rails > 1:
        message = f"`per: rail`, and a leaf serves {model.leaf.rails} rails: it would meet several groups of spines"
        yield at.error(message, source, "leaf: {rails: 1}, or spine: {per: plane}")


def pods(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Units without a pod where there are pods, with one where there are none, and pods that nothing joins."""
    per = model.spine.per
    for name, unit in model.units.items():
        if per == "pod" and unit.pod is None:
            where = at.key(document, "units", name)
            yield at.error(f"unit `{name}` is in no pod, and spines are counted per pod", where, "pod: 1")
        elif per != "pod" and unit.pod is not None:
            message = f"`pod: {unit.pod}` has no effect: spines are counted per {per}"
            yield at.error(message, at.key(document, "units", name, "pod"), "spine: {per: pod}; or take the pod out")
    several = len({unit.pod for unit in model.units.values()}) > 1
    if per == "pod" and model.superspine is None and several:
        message = "nothing joins the pods: hosts of one would not reach those of another"
        hint = "superspine: {model: …, wiring: grouped, count: …, links: …, speed: …}"
        yield at.error(message, at.value(document, "spine", "per"), hint)


def slots(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Pods beyond the capacity, and two units at one place of their pod."""
    if model.spine.per != "pod":
        for key in ("pods", "pod_units"):
            if ("capacity", key) in document.marks:
                message = f"`{key}` has no effect: spines are counted per {model.spine.per}"
                yield at.error(message, at.key(document, "capacity", key), "spine: {per: pod}")
        return
    size = tiers.pod_units(model)
    first: dict[tuple[int | None, int], str] = {}
    for name, unit in model.units.items():
        if model.capacity.pods is not None and unit.pod is not None and unit.pod > model.capacity.pods:
            message = f"unit `{name}` is in pod {unit.pod}, and `capacity` is for pods 1 to {model.capacity.pods}"
            yield at.error(message, at.value(document, "units", name, "pod"), f"capacity: {{pods: {unit.pod}}}")
        if unit.id == 0:
            continue  # without a number: said already
        other = first.setdefault((unit.pod, (unit.id - 1) % size), name)
        if other != name:
            message = f"units `{other}` and `{name}` have the same place in pod {unit.pod}, which has {size} of them"
            hint = f"number the units of a pod one after another, or capacity: {{pod_units: {max(size + 1, unit.id)}}}"
            yield at.error(message, at.value(document, "units", name, "pod"), hint)


def superspines(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Superspines that cannot be shared out among groups, that are beyond their capacity, or of no known model."""
    body = model.superspine
    if body is None:
        return
    if not hardware.known_switch(body.model):
        yield at.unknown("switch", body.model, hardware.switch_names(), at.value(document, "superspine", "model"))
    spines = model.spine.count
    for key, number in (("count", body.count), ("capacity", body.room)):
        if body.wiring == "grouped" and number % spines:
            message = f"{number} superspines cannot be shared out among {spines} groups, one for each spine of a pod"
            hint = f"{key}: {-(-number // spines) * spines}; or wiring: full"
            yield at.error(message, at.value(document, "superspine", key), hint)
            break
    if body.room < body.count:
        message = f"there are {body.count} superspines, and their `capacity` is for {body.room}"
        yield at.error(message, at.value(document, "superspine", "count"), f"capacity: {body.count}")


def cable(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Superspines without a class of cables, the other way round, or with a kind that the catalogue does not have."""
    there = model.cables.spine_superspine
    if there is not None and model.superspine is None:
        where = at.key(document, "cables", "spine-superspine")
        yield at.error("there are no superspines to cable", where, "superspine: {…}; or take the cables out")
    elif there is None and model.superspine is not None:
        where = at.key(document, "cables")
        yield at.error("the cables to the superspines are missing", where, "cables: {spine-superspine: 100m fr4}")
    elif there is not None and there.medium not in hardware.media_names():
        source = at.value(document, "cables", "spine-superspine")
        yield at.unknown("kind of cable", there.medium, hardware.media_names(), source)


def blocks(model: IntentModel, document: Document) -> Iterator[Diagnostic]:
    """Blocks below superspines that are not there."""
    for name, block in model.blocks.items():
        if block.to == "superspine" and model.superspine is None:
            source = at.value(document, "blocks", name, "to")
            yield at.error(f"block `{name}` hangs below superspines, and there are none", source, "to: spine")
