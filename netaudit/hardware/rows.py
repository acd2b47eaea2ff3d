"""The models that the rows of a data file describe: how a file is laid out, and what each part of it becomes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NotRequired, TypedDict

from netaudit.hardware.figures import Limits
from netaudit.hardware.model import Cage, NicModel, SwitchModel
from netaudit.hardware.tables import HeadroomData, Hwsku, PgRow, PoolTemplate, TableRule

PgTable = Mapping[tuple[int, int], PgRow]


class CageRun(TypedDict):
    """Cages that are alike and follow each other. Lanes: by step from the first, or one first lane a cage, or all."""

    first: int
    last: int
    lanes: int
    max_speed_mbps: int
    breakouts: Mapping[str, list[int]]
    first_lane: NotRequired[int]
    lane_step: NotRequired[int]
    lane_starts: NotRequired[list[int]]
    cage_lanes: NotRequired[list[list[int]]]
    alias: NotRequired[str]
    sub_alias: NotRequired[str]
    native_first: NotRequired[int]
    native_step: NotRequired[int]
    service: NotRequired[bool]
    itms: NotRequired[list[int]]


class HeadroomRow(TypedDict):
    """Figures of the ASIC; those of the formula where it is SONiC's."""

    method: str
    pipeline_kib: NotRequired[str]
    mac_phy_kib: NotRequired[str]
    peer_response_kib: NotRequired[str]
    gearbox_ns: NotRequired[int]
    extra_kib: NotRequired[int]
    tile: NotRequired[bool]
    port_reserved_cells: NotRequired[int]
    port_shared_cells: NotRequired[int]
    fixed_ns: NotRequired[int | None]


class PoolRow(TypedDict):
    """A buffer pool of a template."""

    name: str
    direction: str
    mode: str
    size_bytes: int
    shared_headroom_bytes: NotRequired[int | None]


class FactoryRun(TypedDict):
    """Cages that ship in one mode."""

    first: int
    last: int
    mode: str


class RuleRow(TypedDict):
    """How a table was made, as far as it is not as today."""

    small_percent: int
    lossless_mtu_bytes: int
    small_by: str
    exact_rows: int
    rows: int
    port_mtu_bytes: NotRequired[int]
    fixed_response: NotRequired[bool]
    quanta_800g: NotRequired[int]
    tile: NotRequired[bool]
    extra_kib: NotRequired[int]
    gearbox_ns: NotRequired[int]


class HwskuRow(TypedDict):
    """A hardware profile. `pg` names its lookup table, or is `null` where none is published."""

    platform: str
    pg: str | None
    pools: Mapping[str, list[PoolRow]]
    factory_modes: list[FactoryRun]
    factory_cable_m: int
    sources: Mapping[str, str]
    breakout_modes: NotRequired[Mapping[str, str]]
    rule: NotRequired[RuleRow]


class SwitchRow(TypedDict):
    """One switch model."""

    vendor: str
    asic: str
    cell_bytes: int
    buffer_bytes: int
    buffer_class: str
    itms: int
    cages: list[CageRun]
    headroom: HeadroomRow
    default_hwsku: str
    hwskus: Mapping[str, HwskuRow]
    sources: Mapping[str, str]
    title: NotRequired[str]
    breakout_modes: NotRequired[Mapping[str, str]]
    """Spelling of the modes by `platform.json`, of all HWSKUs that say nothing else."""
    limits: NotRequired[Mapping[str, int]]
    features: NotRequired[Mapping[str, list[int]]]
    estimates: NotRequired[Mapping[str, int]]
    barred: NotRequired[Mapping[str, str]]
    partial: NotRequired[Mapping[str, str]]


class NicRow(TypedDict):
    """One network adapter."""

    title: str
    max_ports: int
    port_speeds_mbps: list[int]
    total_mbps: int
    pcie_generation: int
    pcie_lanes: int
    pcie_mbps: int
    sources: Mapping[str, str]
    out_of_order: NotRequired[bool | None]


def _no_hwsku(cages: tuple[Cage, ...]) -> Hwsku:
    """What stands for the hardware profile of a box that SONiC has none for: without tables, pools and spellings."""
    return Hwsku(
        name="",
        platform="",
        pg={},
        pools={},
        breakout_modes={},
        factory_modes={cage.number: next(iter(cage.breakouts)) for cage in cages},
        factory_cable_m=0,
        sources={},
    )


def switch_of(name: str, row: SwitchRow, tables: Mapping[str, PgTable], origin: str = "") -> SwitchModel:
    """The model of a row. `tables`: lookup tables by the name that a HWSKU has for its own."""
    spelled = row.get("breakout_modes", {})
    cages = tuple(cage for run in row["cages"] for cage in _cages(run))
    skus = {sku: _hwsku(sku, data, spelled, tables) for sku, data in row["hwskus"].items()}
    return SwitchModel(
        name=name,
        title=row.get("title", ""),
        vendor=row["vendor"],
        asic=row["asic"],
        cages=cages,
        cell_bytes=row["cell_bytes"],
        buffer_bytes=row["buffer_bytes"],
        buffer_class=row["buffer_class"],
        itms=row["itms"],
        headroom=_headroom(row["headroom"]),
        default_hwsku=row["default_hwsku"],
        hwskus=skus or {"": _no_hwsku(cages)},
        sources=row["sources"],
        limits=Limits(**row.get("limits", {})),
        features={word: tuple(speeds) for word, speeds in row.get("features", {}).items()},
        estimates=row.get("estimates", {}),
        barred=row.get("barred", {}),
        partial=row.get("partial", {}),
        origin=origin,
    )


def nic_of(name: str, row: NicRow, origin: str = "") -> NicModel:
    """The adapter of a row."""
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
        out_of_order=row.get("out_of_order"),
        origin=origin,
    )


def pg_table(text: str) -> PgTable:
    """A lookup table as CSV with one row a speed and length."""
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


def _cages(run: CageRun) -> Iterator[Cage]:
    breakouts = {mode: tuple(speeds) for mode, speeds in run["breakouts"].items()}
    alias, parts = run.get("alias", ""), run.get("itms")
    native = run.get("native_first")
    for number in range(run["first"], run["last"] + 1):
        at = number - run["first"]
        yield Cage(
            number=number,
            lanes=_lanes(run, at),
            max_speed_mbps=run["max_speed_mbps"],
            breakouts=breakouts,
            alias=alias.format(cage=number),
            sub_alias=run.get("sub_alias", "{alias}{letter}" if alias else ""),
            service=run.get("service", False),
            native_index=None if native is None else native + at * run.get("native_step", run["lanes"]),
            itm=parts[at] if parts else None,
        )


def _lanes(run: CageRun, at: int) -> tuple[int, ...]:
    """The lanes of the cage at a place of its run."""
    if "cage_lanes" in run:
        return tuple(run["cage_lanes"][at])
    if "lane_starts" in run:
        lane = run["lane_starts"][at]
    else:
        lane = run["first_lane"] + at * run["lane_step"]
    return tuple(range(lane, lane + run["lanes"]))


def _headroom(row: HeadroomRow) -> HeadroomData:
    return HeadroomData(
        pipeline_kib=Fraction(row.get("pipeline_kib", "0")),
        mac_phy_kib=Fraction(row.get("mac_phy_kib", "0")),
        peer_response_kib=Fraction(row.get("peer_response_kib", "0")),
        gearbox_ns=row.get("gearbox_ns", 0),
        extra_kib=row.get("extra_kib", 0),
        tile=row.get("tile", False),
        port_reserved_cells=row.get("port_reserved_cells", 0),
        port_shared_cells=row.get("port_shared_cells", 0),
        method=row["method"],
        fixed_ns=row.get("fixed_ns"),
    )


def _hwsku(name: str, row: HwskuRow, spelled: Mapping[str, str], tables: Mapping[str, PgTable]) -> Hwsku:
    factory = {n: run["mode"] for run in row["factory_modes"] for n in range(run["first"], run["last"] + 1)}
    table = row["pg"]
    return Hwsku(
        name=name,
        platform=row["platform"],
        pg={} if table is None else tables[table],
        pools={topo: tuple(_pool(pool) for pool in pools) for topo, pools in row["pools"].items()},
        breakout_modes=row.get("breakout_modes", spelled),
        factory_modes=factory,
        factory_cable_m=row["factory_cable_m"],
        sources=row["sources"],
        rule=_rule(row["rule"]) if "rule" in row else None,
    )


def _pool(row: PoolRow) -> PoolTemplate:
    return PoolTemplate(
        name=row["name"],
        direction=row["direction"],
        mode=row["mode"],
        size_bytes=row["size_bytes"],
        shared_headroom_bytes=row.get("shared_headroom_bytes"),
    )


def _rule(row: RuleRow) -> TableRule:
    return TableRule(
        small_percent=row["small_percent"],
        lossless_mtu_bytes=row["lossless_mtu_bytes"],
        port_mtu_bytes=row.get("port_mtu_bytes", 9216),
        small_by=row["small_by"],
        fixed_response=row.get("fixed_response", False),
        quanta_800g=row.get("quanta_800g", 905),
        tile=row.get("tile", False),
        extra_kib=row.get("extra_kib", 0),
        gearbox_ns=row.get("gearbox_ns", 0),
        exact_rows=row["exact_rows"],
        rows=row["rows"],
    )
