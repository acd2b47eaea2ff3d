"""One device of each kind, as every NOS would have it: what is the same, what is declared, what is a fault of ours.

Three comparisons; every leaf that differs in one of them is declared, or a fault: the neutral model of the NOS against
that of the intent (names of ports, links that need addresses); that against what the NOS can hold (`quantize`); this
against what its own text says when it is read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from netaudit import platforms
from netaudit.diag import Invalid
from netaudit.equivalence.witnesses import witness
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent.schema import IntentModel
from netaudit.platforms import Files, Platform
from netaudit.render import render
from netaudit.state import ABSENT, Device, Store
from netaudit.state.expectation import Held
from netaudit.state.walk import Path, below, differences, dotted, leaves, matches


class Kind(StrEnum):
    """How a leaf that is declared differs."""

    WORDS = "other words"
    """The same in names or units of the NOS: ports, maps, profiles, thresholds, links with addresses."""
    IMPLIED = "implied"
    """No setting of its own: it follows from another, or is a word of the other NOS."""
    LACKS = "lacks"
    """The NOS cannot do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A leaf, or all of one shape, that is not what the intent's own NOS has."""

    kind: Kind | None = None
    """`None`: a fault."""
    leaf: str
    """The pattern by which it is declared, else its path."""
    count: int
    reason: str
    """Why, as it is declared; of a fault what was expected and what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What one NOS makes of one device."""

    device: str
    platform: str
    leaves: int
    """Leaves that the configuration of the device has in the neutral model."""
    same: int
    declared: tuple[Change, ...]
    faults: tuple[Change, ...]
    refused: str = ""
    """Why the fabric cannot be built with this NOS there; then there is nothing to compare."""
    witness: str = ""
    """Who else reads the text, not written here; empty: it is self-checked."""
    objections: tuple[str, ...] = ()
    """What that witness says against it."""

    @property
    def holds(self) -> bool:
        """Is there no fault, and nothing that the witness objects to?"""
        return not self.faults and not self.objections


def prove(expected: Expected) -> Iterator[Proof]:
    """For one device of each role and NOS of the fabric, what each NOS there is makes of it."""
    built = {name: _everywhere(expected, name) for name in platforms.names()}
    for device in _samples(expected):
        yield from (_proof(expected, device, name, other) for name, other in built.items())


def _samples(expected: Expected) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for name, device in expected.built.devices.items():
        kind = (device.place.role, device.platform)
        if kind not in seen:
            seen.add(kind)
            yield name


def _everywhere(expected: Expected, platform: str) -> Expected | str:
    """The same fabric with one NOS on every switch; or why there can be none."""
    intent = expected.built.intent
    try:
        return Expected(build(replace(intent, model=_with(intent.model, platform)), today=expected.built.today))
    except Invalid as error:
        return error.diagnostics[0].message


def _with(model: IntentModel, platform: str) -> IntentModel:
    update: dict[str, object] = {
        name: section.model_copy(update={"platform": platform})
        for name in ("leaf", "spine", "superspine")
        if (section := getattr(model, name)) is not None
    }
    update["blocks"] = {n: block.model_copy(update={"platform": platform}) for n, block in model.blocks.items()}
    # a version is that of one NOS; which the others would have, nobody says
    return model.model_copy(update=update)


def _proof(expected: Expected, name: str, nos: str, other: Expected | str) -> Proof:
    if isinstance(other, str):
        return Proof(device=name, platform=nos, leaves=0, same=0, declared=(), faults=(), refused=other)
    platform = platforms.platform(nos)
    ours, theirs = expected.intended(name), other.intended(name)
    held = platform.quantize(theirs)
    files = render(held)
    own = platforms.platform(ours.platform)
    configured = own.held(Store.RUNNING, ours)
    declared: dict[str, list[Path]] = {}
    reasons: dict[str, tuple[Kind, str]] = {}
    faults: list[Change] = []
    between = {**_NAMES, **_tables(own, platform), **_numbered(expected, other, name)}
    tables = ((between, ours, theirs), (_declared(platform, held), theirs, held))
    for known, one, two in tables:
        for path, was, now in _changes(one, two, configured):
            pattern = _pattern(known, path, was)
            if pattern:
                declared.setdefault(pattern, []).append(path)
                reasons.setdefault(pattern, known[pattern])
            else:
                faults.append(Change(leaf=dotted(path), count=1, reason=f"{was} became {now}, which nothing declares"))
    faults += _read_back(platform, held, files, name)
    every = dict(leaves(ours, configured))
    other_leaves = {path for paths in declared.values() for path in paths}
    who, objections = witness(nos, files, held)
    return Proof(
        device=name,
        platform=nos,
        leaves=len(every),
        same=sum(path not in other_leaves for path in every),
        declared=tuple(
            Change(kind=reasons[p][0], leaf=p, count=len(found), reason=reasons[p][1]) for p, found in declared.items()
        ),
        faults=tuple(_folded(faults)),
        witness=who,
        objections=objections,
    )


def _pattern(known: _Declared, path: Path, was: object) -> str:
    """By which pattern a change is declared; nobody lacks what must not be there."""
    found = [pattern for pattern in known if matches(pattern, path)]
    named = (pattern for pattern in found if was is not ABSENT or known[pattern][0] is not Kind.LACKS)
    return next(named, found[0] if found else "")


_Declared: TypeAlias = Mapping[str, tuple[Kind, str]]

_NAMES: _Declared = {
    **dict.fromkeys(
        ("ports.*.native", "ports.*.alias", "ports.*.breakout"), (Kind.WORDS, "each NOS has names of its own for ports")
    ),
    **dict.fromkeys(
        ("buffers.ports.*.groups", "buffers.profiles"),
        (Kind.WORDS, "each NOS has names of its own for headroom profiles"),
    ),
    "buffers.ports.*.cable_length_m": (Kind.WORDS, "a table has rows for some lengths only"),
}


def _tables(own: Platform, other: Platform) -> _Declared:
    """What differs where one of both has tables of headroom and the other has not."""
    if own.TABLES == other.TABLES:
        return {}
    reason = "headroom is of the vendor's table on one, and computed on the other"
    leaves_of_it = ("buffers.profiles", "buffers.pools", "buffers.model", "buffers.computing", "qos.wred")
    return dict.fromkeys(leaves_of_it, (Kind.WORDS, reason))


def _numbered(expected: Expected, other: Expected, name: str) -> _Declared:
    """What differs where one NOS needs addresses on links that have none in the intent."""
    own, theirs = expected.built.devices[name], other.built.devices[name]
    for port in other.built.ports(name).values():
        if port.peer is None:
            continue
        numbered = bool(other.built.addresses(theirs, port))
        if numbered == bool(expected.built.addresses(own, port)):
            continue
        why = (other if numbered else expected).built.why_numbered(name, port.peer.device, port.kind)
        return dict.fromkeys(("interfaces.*.addresses", "interfaces.*.link_local", "bgp.neighbors"), (Kind.WORDS, why))
    return {}


def _declared(platform: Platform, held: Device) -> _Declared:
    """The three tables of a platform, what it lacks before what is a name. What one chip lacks and this one has under
    another name it does not lack."""
    known = [path for path, value in leaves(held) if value is not ABSENT]
    lacks = {leaf: why for leaf, why in platform.UNSUPPORTED.items() if not any(matches(leaf, p) for p in known)}
    return {
        **{leaf: (Kind.LACKS, why) for leaf, why in lacks.items()},
        **{leaf: (Kind.IMPLIED, why) for leaf, why in platform.IMPLIED.items()},
        **{leaf: (Kind.WORDS, why) for leaf, why in platform.ROUNDED.items()},
    }


def _folded(faults: list[Change]) -> Iterator[Change]:
    """Faults of one shape as one: leaves that differ in the numbers of ports and DSCPs only have one cause."""
    shapes: dict[tuple[str, ...], list[Change]] = {}
    for fault in faults:
        shape = tuple("*" if part[:1].isdigit() else part for part in fault.leaf.split("."))
        shapes.setdefault(shape, []).append(fault)
    for found in shapes.values():
        yield replace(found[0], count=len(found))


def _changes(one: Device, other: Device, held: Held) -> Iterator[tuple[Path, object, object]]:
    """(path, value, other value) of each leaf that only one has, or both have unlike each other."""
    before, after = dict(leaves(one, held)), dict(leaves(other, held))
    for path, value in before.items():
        if path[0] not in _WHO and after.get(path, _NOTHING) != value:
            yield path, value, after.get(path, _NOTHING)
    for path, value in after.items():
        if path[0] not in _WHO and path not in before:
            yield path, _NOTHING, value


_WHO = ("name", "platform")


class _Nothing:
    def __str__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def _read_back(platform: Platform, held: Device, files: Files, name: str) -> Iterator[Change]:
    """Where the text, read back, is not what was rendered."""
    try:
        read = platform.read_config(files, name)
    except ValueError as error:
        yield Change(leaf=", ".join(files), count=1, reason=f"the reader refuses our own text: {error}")
        return
    for found in differences(held, read, platform.held(Store.RUNNING, held)):
        if found.path[0] not in _WHO and below(platform.held(Store.RUNNING, held), found.path[0]) is not False:
            said = f"rendered as {found.expected}, read as {found.observed}"
            yield Change(leaf=dotted(found.path), count=1, reason=said)
