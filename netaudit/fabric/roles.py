"""Which switches an intent asks for: roles, places, and the numbers that a place has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netaudit.intent import tiers
from netaudit.intent.schema import IntentModel
from netaudit.state import Place

BLOCK_TIER = 3
BLOCK_LOOPBACKS, BLOCK_ASNS = 64, 100
"""Numbers that each block id has for its devices (DESIGN.md section 3, «Addresses» and «ASNs»)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What all switches of a role have in common. `path` is where the intent speaks of them."""

    name: str
    path: str
    tier: int
    model: str
    platform: str
    pattern: str
    """Of their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place, and the numbers that follow from it alone."""

    place: Place
    plane: int
    """From 0."""
    index: int
    """Of a leaf its leaf index; of the others their number − 1."""
    asn: int
    """Number within the plane and tier."""
    loopback: int
    """Number within the quarter of the plane's slice, from 1."""
    group: int = 0
    slot: int = 0
    """As in `FabricDevice`."""


def roles(model: IntentModel) -> Mapping[str, Role]:
    """Every role by its name: `leaf`, `spine`, `superspine`, and each block."""
    leaf, spine, names = model.leaf, model.spine, model.names
    found = [
        Role(name="leaf", path="leaf", tier=0, model=leaf.model, platform=leaf.platform, pattern=names.leaf),
        Role(name="spine", path="spine", tier=1, model=spine.model, platform=spine.platform, pattern=names.spine),
    ]
    if (top := model.superspine) is not None:
        found.append(
            Role(
                name="superspine",
                path="superspine",
                tier=2,
                model=top.model,
                platform=top.platform or spine.platform,
                pattern=names.superspine,
            )
        )
    for name, block in model.blocks.items():
        found.append(
            Role(
                name=name,
                path=f"blocks.{name}",
                tier=BLOCK_TIER,
                model=block.model,
                platform=block.platform,
                pattern=names.block,
            )
        )
    return {role.name: role for role in found}


def spots(model: IntentModel) -> Iterator[Spot]:
    """Every switch: plane by plane, leaves before spines before superspines before blocks."""
    slots = tiers.leaf_slots(model)
    for number, plane in enumerate(model.planes):
        for (unit, rail), slot in slots.items():
            index = tiers.leaf_index(model, unit, rail)
            place = Place(role="leaf", tier=0, plane=plane, unit=unit, rail=rail)
            group = tiers.leaf_group(model, unit, rail)
            yield Spot(place=place, plane=number, index=index, asn=index, loopback=index + 1, group=group, slot=slot)
        yield from _spines(model, number, plane)
        for group, n in tiers.superspine_numbers(model):
            place = Place(role="superspine", tier=2, plane=plane, number=n)
            slot = (n - 1) % tiers.superspine_room(model)
            yield Spot(place=place, plane=number, index=n - 1, asn=0, loopback=n, group=group, slot=slot)
        for name, block in model.blocks.items():
            for n in range(1, block.count + 1):
                place = Place(role=name, tier=BLOCK_TIER, plane=plane, number=n)
                asn, loopback = block.id * BLOCK_ASNS + n, block.id * BLOCK_LOOPBACKS + n
                yield Spot(place=place, plane=number, index=n - 1, asn=asn, loopback=loopback, slot=n - 1)


def _spines(model: IntentModel, number: int, plane: str) -> Iterator[Spot]:
    """The spines of a plane: those of a rail or a pod share an AS number, which is that of their rail or pod."""
    grouped = model.superspine is not None and model.superspine.wiring == "grouped"
    for group, n in tiers.spine_numbers(model):
        yield Spot(
            place=Place(role="spine", tier=1, plane=plane, number=n),
            plane=number,
            index=n - 1,
            asn=0 if model.spine.per == "plane" else group,
            loopback=n,
            group=group,
            slot=group - 1 if grouped else n - 1,
        )


def pattern_name(role: Role, place: Place) -> str:
    """The name by the pattern."""
    return role.pattern.format(plane=place.plane, unit=place.unit, rail=place.rail, n=place.number, block=place.role)
