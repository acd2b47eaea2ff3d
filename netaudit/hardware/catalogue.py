"""The catalogue's entries by name, read from the data files of this package when they are asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypedDict, cast

from netaudit.hardware.model import Medium, NicModel, SwitchModel
from netaudit.hardware.rows import NicRow, PgTable, SwitchRow, nic_of, pg_table, switch_of


class Own(str):
    """The name of a user's own model, which carries the model: wherever the name goes, `switch` and `nic` find it.

    So two intents in one process may each have another model of that name, and nothing is registered anywhere. To
    everything else it is text. Names of different models are not equal: caches by name keep them apart.
    """

    entry: SwitchModel | NicModel | None
    """`None`: its file is wrong, which is told; that there is no such model would be noise."""
    made_of: str
    """The text that the model was read from: equal texts, equal models."""

    def __new__(cls, name: str, made_of: str = "") -> Own:
        """A name whose `entry` is still to come: the model has its name in it."""
        made = super().__new__(cls, name)
        made.made_of = made_of
        made.entry = None
        return made

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True and (not isinstance(other, Own) or self.made_of == other.made_of)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def own_switch(name: str, row: SwitchRow, tables: Mapping[str, PgTable], origin: str) -> SwitchModel:
    """A user's model, whose name carries it."""
    own = Own(name, repr((row, tables)))
    own.entry = model = switch_of(own, row, tables, origin)
    return model


def own_nic(name: str, row: NicRow, origin: str) -> NicModel:
    """A user's adapter, whose name carries it."""
    own = Own(name, repr(row))
    own.entry = model = nic_of(own, row, origin)
    return model


def known_switch(name: str) -> bool:
    """Whether the catalogue or a file of the user's has a switch model of this name."""
    return isinstance(name, Own) or name in switch_names()


def known_nic(name: str) -> bool:
    """Whether the catalogue or a file of the user's has a NIC model of this name."""
    return isinstance(name, Own) or name in nic_names()


def kin(asic: str) -> SwitchModel | None:
    """A model of the catalogue with this chip, whose figures that depend on the chip alone hold for others too."""
    plain = "".join(asic.lower().replace("-", "").split())
    same = (model for model in models() if "".join(model.asic.lower().replace("-", "").split()) == plain)
    return next(same, None)


class _MediumRow(TypedDict):
    title: str
    kind: str
    by_lane: bool
    reaches_m: Mapping[str, int]
    source: str


def _data() -> Traversable:
    return files("netaudit.hardware") / "data"


@cache
def switch_names() -> tuple[str, ...]:
    """Every switch model's name, sorted."""
    suffix = ".json"
    return tuple(
        sorted(f.name.removesuffix(suffix) for f in (_data() / "switches").iterdir() if f.name.endswith(suffix))
    )


@cache
def nic_names() -> tuple[str, ...]:
    """Every NIC model's name, sorted."""
    return tuple(sorted(_nics()))


@cache
def media_names() -> tuple[str, ...]:
    """Every kind of cable and optic, sorted."""
    return tuple(sorted(_media()))


def switch(name: str) -> SwitchModel:
    """One switch model, of the catalogue or a user's own. Raises KeyError for a name that is not known."""
    if isinstance(name, Own) and isinstance(name.entry, SwitchModel):
        return name.entry
    return _switch(str(name))


def models() -> tuple[SwitchModel, ...]:
    """Every switch model of the catalogue, by name."""
    return tuple(switch(name) for name in switch_names())


def nic(name: str) -> NicModel:
    """One NIC model, of the catalogue or a user's own. Raises KeyError for a name that is not known."""
    if isinstance(name, Own) and isinstance(name.entry, NicModel):
        return name.entry
    return _nic(str(name))


@cache
def medium(name: str) -> Medium:
    """One kind of cable or optic. Raises KeyError for a name that is not among `media_names()`."""
    row = _media()[name]
    return Medium(
        name=name,
        title=row["title"],
        kind=row["kind"],
        by_lane=row["by_lane"],
        reaches_m={int(rate): reach for rate, reach in row["reaches_m"].items()},
        source=row["source"],
    )


@cache
def _switch(name: str) -> SwitchModel:
    if name not in switch_names():
        raise KeyError(name)
    row = cast(SwitchRow, json.loads((_data() / "switches" / f"{name}.json").read_text("utf-8")))
    return switch_of(name, row, _Tables())


@cache
def _nic(name: str) -> NicModel:
    return nic_of(name, _nics()[name])


class _Tables(Mapping[str, PgTable]):
    """The lookup tables of the package by name, each read when it is asked for; HWSKUs share equal ones."""

    def __getitem__(self, name: str) -> PgTable:
        return _pg(name)

    def __iter__(self) -> Iterator[str]:
        return (f.name.removesuffix(".csv") for f in (_data() / "pg").iterdir())

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def _pg(name: str) -> PgTable:
    return pg_table((_data() / "pg" / f"{name}.csv").read_text("utf-8"))


@cache
def _nics() -> Mapping[str, NicRow]:
    return cast(Mapping[str, NicRow], json.loads((_data() / "nics.json").read_text("utf-8")))


@cache
def _media() -> Mapping[str, _MediumRow]:
    return cast(Mapping[str, _MediumRow], json.loads((_data() / "media.json").read_text("utf-8")))
