"""Which devices of a plan have diffs of one shape, so that a person reads each once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from netaudit.platforms import Impact
from netaudit.push.plan import DevicePlan, Plan

_GRAVITY: Final = {impact: rank for rank, impact in enumerate(Impact)}
"""`Impact` lists the mildest first."""
_VARIES: Final = re.compile(r"[0-9a-fA-F]*(?::[0-9a-fA-F]*){2,}|\d+")
"""What differs between devices of one kind: IPv6 and MAC addresses, and every number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffGroup:
    """Devices whose diffs have one shape."""

    devices: tuple[DevicePlan, ...]
    same: bool
    """The diffs are equal to the letter; else they differ in numbers, addresses and the device's own name."""

    @property
    def impact(self) -> Impact:
        """What the change does to each of them."""
        return self.devices[0].impact

    @property
    def diff(self) -> tuple[str, ...]:
        """The diff of the first, as the example for all."""
        return self.devices[0].diff


def diff_groups(plan: Plan) -> tuple[DiffGroup, ...]:
    """The changing devices by the shape of their diffs; the gravest impact first, then the longest diff."""
    groups: dict[tuple[Impact, frozenset[str]], list[DevicePlan]] = {}
    for device in plan.changes:
        groups.setdefault((device.impact, shape(device)), []).append(device)
    found = [DiffGroup(devices=tuple(group), same=len({d.diff for d in group}) == 1) for group in groups.values()]
    return tuple(sorted(found, key=lambda g: (-_GRAVITY[g.impact], -len(g.diff), g.devices[0].name)))


def shape(device: DevicePlan) -> frozenset[str]:
    """The kinds of lines of a diff: its lines without numbers, addresses and the device's name.

    A set: how often a kind occurs says how many ports a device has, not what is done to them.
    """
    return frozenset(_VARIES.sub("#", line.replace(device.name, "@")) for line in device.diff)
