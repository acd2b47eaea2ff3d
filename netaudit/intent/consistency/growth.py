"""What a larger capacity would move: ports and addresses of what is there already (DESIGN.md rule 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from netaudit.intent import tiers
from netaudit.intent.schema import IntentModel

SHOWN: Final = 4
"""Leaves that are named; the others are counted. Judgement: a hint is one line or two."""


def units_moved(model: IntentModel, units: int) -> str:
    """What moves with room for units up to that number, as the end of a sentence."""
    if not _readable(model):
        return ""
    there = _fitting(model)
    grown = there.model_copy(update={"capacity": there.capacity.model_copy(update={"units": units})})
    old, new = tiers.leaf_slots(there), tiers.leaf_slots(grown)
    moved = [_place(plane, *leaf) for plane in model.planes for leaf in old if old[leaf] != new[leaf]]
    return f": other ports of their spines for {_named(moved)}" if moved else "; here it moves nothing that is there"


def hosts_moved(model: IntentModel, hosts: int) -> str:
    """What moves with room for so many hosts in a unit, as the end of a sentence."""
    if not _readable(model):
        return ""
    there = _fitting(model)
    rails, parts = model.leaf.rails, []
    old, new = _length(model, model.host_capacity * rails), _length(model, hosts * rails)
    leaves = [(unit, rail) for unit in there.units for rail in tiers.first_rails(there)]
    # the block of index 0 begins where it began; all others begin elsewhere
    others = [leaf for leaf in leaves if tiers.leaf_index(there, *leaf)]
    if old != new and others:
        named = _named([_place(plane, *leaf) for plane in model.planes for leaf in others])
        parts.append(f"blocks of hosts grow from /{old} to /{new}, so that those of {named} get other addresses")
    if rails > 1 and leaves:
        places = [_place(plane, *leaf) for plane in model.planes for leaf in leaves]
        parts.append(f"hosts go to other ports from the second rail on at {_named(places)}")
    return f": {'; '.join(parts)}" if parts else "; here it moves nothing that is there"


def _readable(model: IntentModel) -> bool:
    """Could all be read that says where a leaf stands? An intent with other errors is looked at, too."""
    needed = {"leaf": "rails", "spine": "per", "hosts": "attach", "addressing": "hosts"}
    known = vars(model)
    return {"planes", "rails"} <= known.keys() and all(
        section in known and key in vars(known[section]) for section, key in needed.items()
    )


def _fitting(model: IntentModel) -> IntentModel:
    """The intent less the units that the capacity has no room for."""
    units = {
        name: unit for name, unit in model.units.items() if unit.id and unit.id <= (model.capacity.units or unit.id)
    }
    return model.model_copy(update={"units": units})


def _length(model: IntentModel, ports: int) -> int:
    """Prefix length of a leaf's block: the smallest power of two that holds so many /31s, or a subnet of them."""
    longest = 32 if model.addressing.hosts[0].version == 4 else 128
    beside = 3 if longest == 32 else 2  # gateway, address of the network, and broadcast in IPv4
    addresses = max(2 * ports, ports + beside) if model.hosts.attach == "vlan" else 2 * ports
    return longest - (addresses - 1).bit_length()


def _place(plane: str, unit: str, rail: int) -> str:
    return f"{plane}/{unit}/r{rail}"


def _named(places: Sequence[str]) -> str:
    more = f" and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
    return f"{len(places):,} {'leaf' if len(places) == 1 else 'leaves'} ({', '.join(places[:SHOWN])}{more})"
