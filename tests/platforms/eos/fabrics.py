"""The example intents of the repository with EOS on some of their switches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import Intent, load

INTENTS = Path(__file__).resolve().parents[3] / "intent"
NAMES = tuple(sorted(path.name for path in INTENTS.glob("*.yml")))
ROLES = ("leaf", "spine", "superspine", "blocks")
DEEP = "arista-7280r4-32qf-32df"
SHALLOW = "arista-7060x6-64pe"


@cache
def fabric(name: str, *roles: str) -> Expected:
    """The fabric of an example, with EOS on the switches of the roles."""
    return Expected(build(switched(load(INTENTS / name), *roles)))


def switched(intent: Intent, *roles: str) -> Intent:
    """The same intent with EOS on the switches of the roles."""
    model = intent.model
    update: dict[str, object] = {}
    for role in roles:
        if role == "blocks":
            blocks = {name: b.model_copy(update={"platform": "eos"}) for name, b in model.blocks.items()}
            update["blocks"] = blocks
        elif getattr(model, role) is not None:
            update[role] = getattr(model, role).model_copy(update={"platform": "eos"})
    return replace(intent, model=model.model_copy(update=update))


@cache
def hosts(attach: str, fabric_links: str) -> Expected:
    """The two-plane example with other hosts and other links, EOS everywhere."""
    intent = switched(load(INTENTS / "two-plane.yml"), *ROLES)
    model = intent.model
    update = {
        "hosts": model.hosts.model_copy(update={"attach": attach}),
        "addressing": model.addressing.model_copy(update={"fabric": fabric_links}),
    }
    return Expected(build(replace(intent, model=model.model_copy(update=update))))
