"""The catalogue's entries by name, read from the data files of this package."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypedDict, cast

from netaudit.hardware.model import Cage, HeadroomData, Hwsku, Medium, NicModel, PgRow, PoolTemplate, SwitchModel


class _CageRun(TypedDict):
    """Cages that are alike and follow each other."""

    first: int
    last: int
    first_lane: int
    lane_step: int
    lanes: int
    max_speed_mbps: int
    alias: str
    service: bool
    breakouts: Mapping[str, list[int]]


class _HeadroomRow(TypedDict):
    pipeline_kib: str
    mac_phy_kib: str
    peer_response_kib: str
    gearbox_ns: int
    extra_kib: int
    tile: bool
    port_reserved_cells: int
    port_shared_cells: int


class _PoolRow(TypedDict):
    name: str
    direction: str
    mode: str
    size_bytes: int
    shared_headroom_bytes: int | None


class _FactoryRun(TypedDict):
    first: int
    last: int
    mode: str


class _HwskuRow(TypedDict):
    platform: str
    pg: str
    pools: Mapping[str, list[_PoolRow]]
    breakout_modes: Mapping[str, str]
    factory_modes: list[_FactoryRun]
    factory_cable_m: int
    sources: Mapping[str, str]


class _SwitchRow(TypedDict):
    vendor: str
    asic: str
    cell_bytes: int
    buffer_bytes: int
    buffer_class: str
    itms: int
    cages: list[_CageRun]
    headroom: _HeadroomRow
    default_hwsku: str
    hwskus: Mapping[str, _HwskuRow]
    sources: Mapping[str, str]


class _NicRow(TypedDict):
    title: str
    max_ports: int
    port_speeds_mbps: list[int]
    total_mbps: int
    pcie_generation: int
    pcie_lanes: int
    pcie_mbps: int
    sources: Mapping[str, str]


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


@cache
def switch(name: str) -> SwitchModel:
    """One switch model. Raises KeyError for a name that is not among `switch_names()`."""
    if name not in switch_names():
        raise KeyError(name)
    row = cast(_SwitchRow, json.loads((_data() / "switches" / f"{name}.json").read_text("utf-8")))
    return SwitchModel(
        name=name,
        vendor=row["vendor"],
        asic=row["asic"],
        cages=tuple(cage for run in row["cages"] for cage in _cages(run)),
        cell_bytes=row["cell_bytes"],
        buffer_bytes=row["buffer_bytes"],
        buffer_class=row["buffer_class"],
        itms=row["itms"],
        headroom=_headroom(row["headroom"]),
        default_hwsku=row["default_hwsku"],
        hwskus={sku: _hwsku(sku, data) for sku, data in row["hwskus"].items()},
        sources=row["sources"],
    )


def models() -> tuple[SwitchModel, ...]:
    """Every switch model, by name."""
    return tuple(switch(name) for name in switch_names())


@cache
def nic(name: str) -> NicModel:
    """One NIC model. Raises KeyError for a name that is not among `nic_names()`."""
    row = _nics()[name]
    return NicModel(
        name=name,
        title=row["title"],
        max_ports=row["max_ports"],
        port_speeds_mbps=tuple(row["port_speeds_mbps"]),
        total_mbps=row["total_mbps"],
        pcie_generation=row["pcie_generation"],
        pcie_lanes=row["pcie_lanes"],
        pcie_mbps=row["pcie_mbps"],
        sources=row["sources"],
    )


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


def _nics() -> Mapping[str, _NicRow]:
    return cast(Mapping[str, _NicRow], json.loads((_data() / "nics.json").read_text("utf-8")))


def _media() -> Mapping[str, _MediumRow]:
    return cast(Mapping[str, _MediumRow], json.loads((_data() / "media.json").read_text("utf-8")))


def _cages(run: _CageRun) -> Iterator[Cage]:
    breakouts = {mode: tuple(speeds) for mode, speeds in run["breakouts"].items()}
    for number in range(run["first"], run["last"] + 1):
        lane = run["first_lane"] + (number - run["first"]) * run["lane_step"]
        yield Cage(
            number=number,
            lanes=tuple(range(lane, lane + run["lanes"])),
            max_speed_mbps=run["max_speed_mbps"],
            breakouts=breakouts,
            alias=run["alias"].format(cage=number),
            service=run["service"],
        )


def _headroom(row: _HeadroomRow) -> HeadroomData:
    return HeadroomData(
        pipeline_kib=Fraction(row["pipeline_kib"]),
        mac_phy_kib=Fraction(row["mac_phy_kib"]),
        peer_response_kib=Fraction(row["peer_response_kib"]),
        gearbox_ns=row["gearbox_ns"],
        extra_kib=row["extra_kib"],
        tile=row["tile"],
        port_reserved_cells=row["port_reserved_cells"],
        port_shared_cells=row["port_shared_cells"],
    )


def _hwsku(name: str, row: _HwskuRow) -> Hwsku:
    factory = {n: run["mode"] for run in row["factory_modes"] for n in range(run["first"], run["last"] + 1)}
    return Hwsku(
        name=name,
        platform=row["platform"],
        pg=_pg_table(row["pg"]),
        pools={topo: tuple(PoolTemplate(**pool) for pool in pools) for topo, pools in row["pools"].items()},
        breakout_modes=row["breakout_modes"],
        factory_modes=factory,
        factory_cable_m=row["factory_cable_m"],
        sources=row["sources"],
    )


@cache
def _pg_table(name: str) -> Mapping[tuple[int, int], PgRow]:
    """A lookup table; HWSKUs that ship the same file name the same table."""
    text = (_data() / "pg" / f"{name}.csv").read_text("utf-8")
    return {
        (int(row["speed_mbps"]), int(row["length_m"])): PgRow(
            size_bytes=int(row["size_bytes"]),
            xon_bytes=int(row["xon_bytes"]),
            xoff_bytes=int(row["xoff_bytes"]),
            threshold=int(row["threshold"]),
            xon_offset_bytes=int(row["xon_offset_bytes"]) if row["xon_offset_bytes"] else None,
        )
        for row in csv.DictReader(text.splitlines())
    }
