"""What changes, device by device: files, numbers, ports that go down, who comes and who goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from netaudit.difference.wiring import Wiring, wiring
from netaudit.expect import Expected
from netaudit.platforms import Impact, platform
from netaudit.push.groups import DiffGroup, diff_groups
from netaudit.push.plan import DevicePlan, Plan, Running, Wanted, device_plan, make_plan
from netaudit.render import render
from netaudit.state import Device, Place
from netaudit.state.walk import Path, differences

FLAPS: Final = frozenset({"enabled", "speed_mbps", "lanes", "breakout", "fec", "autoneg"})
"""Leaves of a port that take its link down while they change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumbered:
    """A number of a device that becomes another."""

    device: str
    what: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricDiff:
    """All that one intent in place of another does."""

    fabric: str
    devices: int
    """Devices that both have."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: Mapping[str, str]
    """Old name → new name, of the device at one place."""
    reinstalled: Mapping[str, tuple[str, str]]
    """Device → (NOS, the other one in its place): nothing of the old configuration stays, so there is no diff."""
    renumbered: tuple[Renumbered, ...]
    flapping: Mapping[str, tuple[str, ...]]
    """Device → ports whose link goes down while it changes."""
    cables: Wiring
    plan: Plan
    """The devices whose rendered files change, with the diffs and the impact."""

    @property
    def groups(self) -> tuple[DiffGroup, ...]:
        """The changing devices by the shape of their diffs, the gravest impact first."""
        return diff_groups(self.plan)

    @property
    def impacts(self) -> Mapping[Impact, int]:
        """Impact → devices, mildest first."""
        return {impact: sum(1 for d in self.plan.changes if d.impact is impact) for impact in Impact}

    def __bool__(self) -> bool:
        parts = (self.added, self.removed, self.renamed, self.reinstalled, self.renumbered, self.cables)
        return any(parts) or bool(self.plan.changes or self.plan.blocked)


def compare(old: Expected, new: Expected) -> FabricDiff:
    """What changes on the way from one to the other. Devices are matched by place, and by name where that is gone."""
    pairs = dict(_pairs(old.devices, new.devices))
    renamed = {one: other for one, other in pairs.items() if one != other}
    plans: list[DevicePlan] = []
    flapping: dict[str, tuple[str, ...]] = {}
    reinstalled: dict[str, tuple[str, str]] = {}
    for before, after in pairs.items():
        was, shall = old.device(before), new.device(after)
        if was == shall:
            continue
        if was.platform != shall.platform:
            reinstalled[after] = (was.platform, shall.platform)
            continue
        plans.append(_plan(was, shall, new))
        ports = tuple(dict.fromkeys(p[1] for p in _paths(was, shall) if p[0] == "ports" and {*p[2:3]} <= FLAPS))
        if ports:
            flapping[after] = ports
    here = frozenset(pairs.values())
    return FabricDiff(
        fabric=new.fabric,
        devices=len(pairs),
        added=tuple(name for name in new.devices if name not in here),
        removed=tuple(name for name in old.devices if name not in pairs),
        renamed=renamed,
        reinstalled=reinstalled,
        renumbered=tuple(r for one, other in pairs.items() for r in _renumbered(old, new, one, other)),
        flapping=flapping,
        cables=wiring(old, new, renamed),
        plan=make_plan(new.fabric, "", plans),
    )


def _pairs(old: Mapping[str, Place], new: Mapping[str, Place]) -> Iterator[tuple[str, str]]:
    """(old name, new name) of the devices that both have, in the order of the new."""
    at = {str(place): name for name, place in old.items()}
    matched = {name: at[str(place)] for name, place in new.items() if str(place) in at}
    taken = frozenset(matched.values())
    for name in new:
        if name in matched:
            yield matched[name], name
        elif name in old and name not in taken:
            yield name, name


def _plan(was: Device, shall: Device, new: Expected) -> DevicePlan:
    """What a push would do to a device that holds exactly what the old intent says."""
    device = new.built.devices[shall.name]
    owns = tuple(new.built.intent.model.owns)
    areas = ("ports", "addressing", "bgp", "qos", "buffers", "lldp") if "all" in owns else owns
    wanted = Wanted(name=shall.name, platform=shall.platform, place=device.place, files=render(shall), owns=areas)
    return device_plan(wanted, Running(files=render(was), serial=""), platform(shall.platform))


def _paths(was: Device, shall: Device) -> Iterator[Path]:
    """Where both differ. Both ways round: a leaf that the one does not manage is no difference seen from it."""
    yield from (d.path for d in differences(was, shall))
    yield from (d.path for d in differences(shall, was))


def _renumbered(old: Expected, new: Expected, one: str, other: str) -> Iterator[Renumbered]:
    was, shall = old.built.devices[one], new.built.devices[other]
    numbers = (
        ("ASN", str(was.asn), str(shall.asn)),
        ("router id", was.router_id, shall.router_id),
        ("loopback", ", ".join(was.loopbacks), ", ".join(shall.loopbacks)),
        ("host prefix", ", ".join(was.blocks), ", ".join(shall.blocks)),
    )
    for what, before, after in numbers:
        if before != after:
            yield Renumbered(device=other, what=what, old=before or "none", new=after or "none")
