"""What differs between two snapshots of a fabric, as the platforms read them; equal differences together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from netaudit import platforms
from netaudit.collect.snapshot import Recorded, Snapshot
from netaudit.platforms import Miss, Reading
from netaudit.state import Device, Store
from netaudit.state.walk import Kind, Path, differences, dotted

ROUTES: Final = {"hops": "next hops of routes", "as_paths": "AS paths of routes"}
"""Of routes only what kind of change it is: each has values of its own, and all follow from few causes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One leaf or object of a device that is not what it was, with the stores that say so."""

    device: str
    path: Path
    before: object
    after: object
    stores: tuple[Store, ...]

    @property
    def shape(self) -> str:
        """The path without what numbers the place, so that the same change at many ports is one."""
        if self.path[0] == "routes":
            return ROUTES.get(self.path[-1], "routes")
        return dotted(tuple("*" if part[:1].isdigit() else part for part in self.path))

    @property
    def place(self) -> str:
        """`device:port`, `device prefix`, or the device where the path has no number."""
        if self.path[0] == "routes" and len(self.path) > 1:
            return f"{self.device} {_prefix(self.path[1])}"
        numbers = [part for part in self.path if part[:1].isdigit()]
        return f"{self.device}:{numbers[0]}" if numbers else self.device


def _prefix(key: str) -> str:
    """A route's key as the walk spells it, `('default', '10.0.0.0/28')`, for a person."""
    vrf, _, prefix = key.strip("()").replace("'", "").partition(", ")
    return prefix if vrf == "default" else f"{prefix} in VRF {vrf}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What cannot be compared: it was not seen in one of the two, or in none."""

    device: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Both snapshots side by side."""

    devices: tuple[str, ...]
    shifts: tuple[Shift, ...]
    gaps: tuple[Gap, ...]


def compare(before: Snapshot, after: Snapshot) -> Compared:
    """Every device of either, one after the other; one whose file cannot be read is a gap."""
    names = tuple(dict.fromkeys((*before.devices, *after.devices)))
    shifts: list[Shift] = []
    gaps: list[Gap] = []
    for name in names:
        old, new = before.look(name), after.look(name)
        missing = _missing(name, old, new)
        if missing is not None or isinstance(old, str) or isinstance(new, str):
            gaps += [missing] if missing else []
            continue
        if old.platform != new.platform:
            shifts.append(_shift(name, ("platform",), old.platform, new.platform, Store.RUNNING))
            continue
        read = platforms.platform(old.platform).read
        found, unseen = _device(name, read(old.answers, name), read(new.answers, name))
        shifts += found
        gaps += unseen
    return Compared(devices=names, shifts=tuple(shifts), gaps=tuple(gaps))


def _missing(name: str, old: Recorded | str, new: Recorded | str) -> Gap | None:
    for which, recorded in (("first", old), ("second", new)):
        if isinstance(recorded, str):
            reason = recorded.replace("in the snapshot", f"in the {which} snapshot", 1)
            return Gap(device=name, what="everything", reason=reason)
        if all(answer.miss is Miss.FAILED for answer in recorded.answers.values()):
            reason = next((a.reason for a in recorded.answers.values() if a.reason), "it gave no answer")
            return Gap(device=name, what="everything", reason=f"{reason} ({which} snapshot)")
        if recorded.platform not in platforms.names():
            reason = f"this version does not know the platform {recorded.platform} ({which} snapshot)"
            return Gap(device=name, what="everything", reason=reason)
    return None


def _device(name: str, old: Reading, new: Reading) -> tuple[list[Shift], list[Gap]]:
    found: dict[Path, list[tuple[Store, object, object]]] = {}
    gaps: dict[tuple[str, str], None] = {}
    for store in Store:
        was, is_now = (reading.stores.get(store, _empty(name, reading)) for reading in (old, new))
        for path, before, after, unseen in _walked(was, is_now):
            if unseen:
                gaps[f"{store} {dotted(path)}", f"it was not seen in the {unseen} snapshot"] = None
            else:
                found.setdefault(path, []).append((store, before, after))
    for which, reading in (("first", old), ("second", new)):
        for query, reason in reading.problems:
            gaps[query, f"{reason} ({which} snapshot)"] = None
    return list(_merged(name, found)), [Gap(device=name, what=what, reason=reason) for what, reason in gaps]


def _empty(name: str, reading: Reading) -> Device:
    some = next(iter(reading.stores.values()), None)
    return Device(name=name, platform=some.platform if some else "")


def _walked(was: Device, is_now: Device) -> Iterator[tuple[Path, object, object, str]]:
    """(path, before, after, the snapshot it was not seen in or nothing)."""
    for difference in differences(was, is_now):
        unseen = "second" if difference.kind is Kind.UNSEEN else ""
        yield difference.path, difference.expected, difference.observed, unseen
    for difference in differences(is_now, was):
        if difference.kind is Kind.UNSEEN:  # the walk asks only for what the first tree has
            yield difference.path, None, difference.expected, "first"


def _merged(name: str, found: Mapping[Path, list[tuple[Store, object, object]]]) -> Iterator[Shift]:
    """The same change of one leaf in several stores is one."""
    for path, seen in found.items():
        left = list(seen)
        while left:
            _, before, after = left[0]
            alike = [entry for entry in left if entry[1] == before and entry[2] == after]
            left = [entry for entry in left if entry not in alike]
            stores = tuple(store for store, _, _ in alike)
            yield Shift(device=name, path=path, before=before, after=after, stores=stores)


def _shift(name: str, path: Path, before: object, after: object, store: Store) -> Shift:
    return Shift(device=name, path=path, before=before, after=after, stores=(store,))
