"""Fabrics of the example intents with Junos on their switches, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import Intent, load
from netaudit.state import Device

INTENTS = Path(__file__).resolve().parents[3] / "intent"
NAMES = tuple(sorted(path.stem for path in INTENTS.glob("*.yml")))
ROLES = ("leaf", "spine", "superspine")


@cache
def intent(name: str) -> Intent:
    return load(INTENTS / f"{name}.yml")


def roles(name: str) -> tuple[str, ...]:
    """The roles that an intent has; `blocks` stands for all of them."""
    model = intent(name).model
    return (*(role for role in ROLES if getattr(model, role) is not None), *(("blocks",) if model.blocks else ()))


@cache
def fabric(name: str, switched: tuple[str, ...], attach: str = "") -> Expected:
    """The fabric of an example with Junos in some roles, and its hosts attached in another way if one is said."""
    whole = intent(name)
    model = whole.model
    update: dict[str, object] = {
        role: getattr(model, role).model_copy(update={"platform": "junos"}) for role in switched if role != "blocks"
    }
    if "blocks" in switched:
        update["blocks"] = {n: b.model_copy(update={"platform": "junos"}) for n, b in model.blocks.items()}
    if attach:
        update["hosts"] = model.hosts.model_copy(update={"attach": attach})
    return Expected(build(replace(whole, model=model.model_copy(update=update))))


def switches(expected: Expected) -> Iterator[Device]:
    """One Junos switch of each role, plane and status."""
    seen: set[tuple[str, str, str]] = set()
    for name, place in expected.devices.items():
        kind = (place.role, place.plane, place.status)
        if kind not in seen and expected.built.devices[name].platform == "junos":
            seen.add(kind)
            yield expected.device(name)
