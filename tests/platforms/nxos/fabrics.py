"""Fabrics of the example intents with NX-OS on their switches, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from ipaddress import ip_network
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
    """The roles that an intent has."""
    return tuple(role for role in ROLES if getattr(intent(name).model, role) is not None)


@cache
def fabric(name: str, switched: tuple[str, ...]) -> Expected:
    """The fabric of an example with NX-OS in some of its roles; links without a number get one."""
    whole = intent(name)
    model = whole.model
    update: dict[str, object] = {
        role: getattr(model, role).model_copy(update={"platform": "nxos"}) for role in switched if role != "blocks"
    }
    if "blocks" in switched:
        update["blocks"] = {n: b.model_copy(update={"platform": "nxos"}) for n, b in model.blocks.items()}
    update["links"] = tuple(
        link if link.id is not None else link.model_copy(update={"id": number})
        for number, link in enumerate(model.links, start=1)
    )
    # the pool for addresses of links is by default in the middle of sakura-like's hosts, which has links without any
    update["addressing"] = model.addressing.model_copy(update={"numbered": (ip_network("100.64.0.0/12"),)})
    return Expected(build(replace(whole, model=model.model_copy(update=update))))


def switches(expected: Expected) -> Iterator[Device]:
    """One NX-OS switch of each role, plane and status."""
    seen: set[tuple[str, str, str]] = set()
    for name, place in expected.devices.items():
        kind = (place.role, place.plane, place.status)
        if kind not in seen and (device := expected.device(name)).platform == "nxos":
            seen.add(kind)
            yield device


@cache
def attached(attach: str, v6: bool = False) -> Expected:
    """Two-plane with NX-OS everywhere and its hosts attached in one way, with a pool of IPv6 for them or without."""
    whole = intent("two-plane")
    model = whole.model
    pools = (*model.addressing.hosts, *((ip_network("fd10::/44"),) if v6 else ()))
    update = {
        "leaf": model.leaf.model_copy(update={"platform": "nxos"}),
        "spine": model.spine.model_copy(update={"platform": "nxos"}),
        "hosts": model.hosts.model_copy(update={"attach": attach}),
        "addressing": model.addressing.model_copy(update={"hosts": pools}),
    }
    return Expected(build(replace(whole, model=model.model_copy(update=update))))
