"""The generic walk over two state trees in step: what differs, what was not seen, and how much was compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast

from netaudit.state.expectation import Held
from netaudit.state.leaf import ABSENT, Origin

Path: TypeAlias = tuple[str, ...]
"""Field names and keys from the device down: `("ports", "1/1", "mtu_bytes")`."""

T = TypeVar("T")


class Kind(StrEnum):
    """What a difference is. `UNSEEN` is never a finding and never a pass: it is NOT AUDITED."""

    WRONG = "wrong"
    MISSING = "missing"
    EXTRA = "extra"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where both trees disagree; the highest one, so that a missing object is one difference."""

    path: Path
    kind: Kind
    expected: object
    observed: object
    origin: Origin | None = None

    @property
    def field(self) -> str:
        """The last field name of the path, what `origin` is keyed by."""
        return self.path[-1]


@dataclass(slots=True)
class Tally:
    """How many leaves a walk has compared; filled while its differences are drawn."""

    leaves: int = 0


def dotted(path: Path) -> str:
    """`ports.1/1.mtu_bytes`, as people and reports write a path."""
    return ".".join(path)


@cache
def names(cls: type) -> tuple[str, ...]:
    """The compared fields of a state class, in order."""
    return tuple(f.name for f in fields(cls) if f.compare)


def below(held: Held, name: str) -> Held:
    """The part of a `held` tree under a field name or key; `False` if nothing of it is held."""
    if isinstance(held, bool):
        return held
    return held.get(name, held.get("*", False))


def differences(
    expected: object,
    observed: object,
    held: Held = True,
    tally: Tally | None = None,
    at: Path = (),
    origin: Origin | None = None,
) -> Iterator[Difference]:
    """Where `observed` is not what `expected` says, among the leaves that the store can hold.

    A missing object or table is one difference, not one for each leaf in it. Linear in the size of `expected`.
    """
    if held is False or expected is None:
        return
    if expected is ABSENT:
        kind = Kind.UNSEEN if observed is None else Kind.EXTRA
        if observed is not ABSENT:
            yield Difference(path=at, kind=kind, expected=expected, observed=observed, origin=origin)
        elif tally:
            tally.leaves += 1
        return
    if observed is None:
        if _anything(expected, held):
            yield Difference(
                path=at, kind=Kind.UNSEEN, expected=expected, observed=None, origin=_origin(expected) or origin
            )
        return
    if observed is ABSENT:
        if isinstance(expected, Mapping) and not expected:
            return  # nothing must be there, and nothing is
        if _anything(expected, held):
            yield Difference(
                path=at, kind=Kind.MISSING, expected=expected, observed=ABSENT, origin=_origin(expected) or origin
            )
        return
    if is_dataclass(expected) and type(expected) is type(observed):
        origin = _origin(expected) or origin
        for name in names(cast(type, type(expected))):
            part = below(held, name)
            if part is not False:
                yield from differences(
                    getattr(expected, name), getattr(observed, name), part, tally, (*at, name), origin
                )
    elif isinstance(expected, Mapping) and isinstance(observed, Mapping):
        yield from _tables(expected, observed, held, tally, at, origin)
    else:
        if tally:
            tally.leaves += 1
        if expected != observed:
            yield Difference(path=at, kind=Kind.WRONG, expected=expected, observed=observed, origin=origin)


def _tables(
    expected: Mapping[Any, object],
    observed: Mapping[Any, object],
    held: Held,
    tally: Tally | None,
    at: Path,
    origin: Origin | None,
) -> Iterator[Difference]:
    for key, value in expected.items():
        seen = observed.get(key, ABSENT)
        yield from differences(value, seen, below(held, str(key)), tally, (*at, str(key)), origin)
    for key, value in observed.items():
        if key not in expected and value is not ABSENT and value is not None and below(held, str(key)) is not False:
            yield Difference(path=(*at, str(key)), kind=Kind.EXTRA, expected=ABSENT, observed=value, origin=origin)


def _origin(value: object) -> Origin | None:
    return cast("Origin | None", getattr(value, "origin", None))


def _anything(expected: object, held: Held) -> bool:
    """Does `expected` demand any leaf that is held? An empty table demands that nothing is there."""
    return next(_leaves(expected, held, ()), None) is not None


def leaves(tree: object, held: Held = True) -> Iterator[tuple[Path, object]]:
    """Every leaf that is set, with its path. Empty tables count as a leaf: they say that nothing is there."""
    yield from _leaves(tree, held, ())


def _leaves(tree: object, held: Held, at: Path) -> Iterator[tuple[Path, object]]:
    if held is False or tree is None:
        return
    if is_dataclass(tree) and not isinstance(tree, type) and hasattr(tree, "origin"):
        for name in names(type(tree)):
            yield from _leaves(getattr(tree, name), below(held, name), (*at, name))
    elif isinstance(tree, Mapping) and tree:
        for key, value in tree.items():
            yield from _leaves(value, below(held, str(key)), (*at, str(key)))
    else:
        yield at, tree


def with_leaf(tree: T, path: Path, value: object) -> T:
    """The same tree with one leaf changed (`None` unsets it). Raises `KeyError` for a path that is not there."""
    return cast(T, _with_leaf(tree, path, value))


def _with_leaf(tree: object, path: Path, value: object) -> object:
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(tree, Mapping):
        key = next((k for k in tree if str(k) == head), None)
        if key is None:
            raise KeyError(head)
        return {k: _with_leaf(v, rest, value) if k == key else v for k, v in tree.items()}
    if is_dataclass(tree) and not isinstance(tree, type) and head in names(type(tree)):
        return replace(cast(Any, tree), **{head: _with_leaf(getattr(tree, head), rest, value)})
    raise KeyError(head)


def matches(pattern: str, path: Path) -> bool:
    """Is `path` the leaf, or below the object, that a pattern like `qos.ports.*.pfc` names?"""
    parts = pattern.split(".")
    return len(parts) <= len(path) and all(p in ("*", q) for p, q in zip(parts, path, strict=False))


def without(tree: T, patterns: Mapping[str, object] | frozenset[str] | tuple[str, ...]) -> T:
    """The same tree with every leaf that one of the patterns names set to `None`."""
    return cast(T, _without(tree, tuple(p.split(".") for p in patterns)))


def _without(tree: object, patterns: tuple[list[str], ...]) -> object:
    if not patterns:
        return tree
    if any(not p for p in patterns):
        return None
    if isinstance(tree, Mapping):
        return {k: _without(v, tuple(p[1:] for p in patterns if p[0] in ("*", str(k)))) for k, v in tree.items()}
    if is_dataclass(tree) and not isinstance(tree, type):
        heads = {p[0] for p in patterns}
        changes = {
            name: _without(getattr(tree, name), tuple(p[1:] for p in patterns if p[0] == name))
            for name in names(type(tree))
            if name in heads
        }
        return replace(cast(Any, tree), **changes) if changes else tree
    return tree
