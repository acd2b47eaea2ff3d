"""Which switches an intent asks for: roles, places, and the numbers that a place has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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


def roles(model: IntentModel) -> Mapping[str, Role]:
    """Every role by its name: `leaf`, `spine`, and each block."""
    leaf, spine, names = model.leaf, model.spine, model.names
    found = [
        Role(name="leaf", path="leaf", tier=0, model=leaf.model, platform=leaf.platform, pattern=names.leaf),
        Role(name="spine", path="spine", tier=1, model=spine.model, platform=spine.platform, pattern=names.spine),
    ]
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
    """Every switch: plane by plane, leaves before spines before blocks."""
    for number, plane in enumerate(model.planes):
        for unit, body in model.units.items():
            for rail in range(1, model.rails + 1):
                index = (body.id - 1) * model.rails + rail - 1
                place = Place(role="leaf", tier=0, plane=plane, unit=unit, rail=rail)
                yield Spot(place=place, plane=number, index=index, asn=index, loopback=index + 1)
        for spine in range(1, model.spine.count + 1):
            place = Place(role="spine", tier=1, plane=plane, number=spine)
            yield Spot(place=place, plane=number, index=spine - 1, asn=0, loopback=spine)
        for name, block in model.blocks.items():
            for n in range(1, block.count + 1):
                place = Place(role=name, tier=BLOCK_TIER, plane=plane, number=n)
                asn, loopback = block.id * BLOCK_ASNS + n, block.id * BLOCK_LOOPBACKS + n
                yield Spot(place=place, plane=number, index=n - 1, asn=asn, loopback=loopback)


def pattern_name(role: Role, place: Place) -> str:
    """The name by the pattern."""
    return role.pattern.format(plane=place.plane, unit=place.unit, rail=place.rail, n=place.number, block=place.role)
