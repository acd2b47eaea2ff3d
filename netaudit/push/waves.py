"""In which order the devices of a plan are touched, and which of them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from netaudit.platforms import Impact
from netaudit.push.plan import DevicePlan

_SPINE_SHARE: Final = 4
"""At most one of so many changing devices above the leaves at a time: a quarter of a plane's capacity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """Devices that are touched together; a gate follows."""

    number: int
    """From 1."""
    title: str
    devices: tuple[str, ...]


def waves(devices: Iterable[DevicePlan]) -> tuple[Wave, ...]:
    """All devices in waves, one plane after the other, never two planes in one.

    Within a plane: one leaf alone (the canary), then the leaves, one rail of each unit at a time so that a host loses
    one port at most, then what stands above them, as a mistake there touches every unit; tier by tier, a quarter at a
    time. Devices on which nothing is interrupted share one wave, behind the canary.
    """
    planes: dict[str, list[DevicePlan]] = {}
    for device in sorted(devices, key=lambda d: d.name):
        planes.setdefault(device.place.plane, []).append(device)
    found = [part for plane in sorted(planes) for part in _plane(plane, planes[plane])]
    return tuple(
        Wave(number=number, title=title, devices=tuple(d.name for d in members))
        for number, (title, members) in enumerate(found, start=1)
    )


def _plane(plane: str, devices: Sequence[DevicePlan]) -> Iterator[tuple[str, Sequence[DevicePlan]]]:
    of_plane = f" of plane {plane}" if plane else ""
    ordered = sorted(devices, key=lambda d: (d.place.tier, d.place.unit, d.place.rail, d.place.number, d.name))
    canary, rest = ordered[0], ordered[1:]
    yield f"canary{of_plane}", [canary]
    quiet = [d for d in rest if d.impact is Impact.NONE]
    if quiet:
        yield f"nothing interrupted{of_plane}", quiet
    loud = [d for d in rest if d.impact is not Impact.NONE]
    leaves: dict[str, list[DevicePlan]] = {}
    for device in loud:
        if device.place.unit:
            leaves.setdefault(device.place.unit, []).append(device)
    for together in zip_longest(*leaves.values()):
        yield f"one leaf of each unit{of_plane}", [d for d in together if d is not None]
    above: dict[tuple[int, str], list[DevicePlan]] = {}
    for device in loud:
        if not device.place.unit:
            above.setdefault((device.place.tier, device.place.role), []).append(device)
    for (_, role), members in above.items():
        size = max(1, len(members) // _SPINE_SHARE)
        for start in range(0, len(members), size):
            title = f"one {role} at a time" if size == 1 else f"{size} of {len(members)} {role}s at a time"
            yield f"{title}{of_plane}", members[start : start + size]
