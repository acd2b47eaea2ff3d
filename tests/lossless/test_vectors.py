"""The 413 published rows: byte for byte where a variant or curve holds, else with a bounded and tight error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from netaudit.lossless.curves import CURVES, table_curve
from netaudit.lossless.variants import MADE_WITH, SPECTRUM, VARIANTS

HERE = Path(__file__).parent
VECTORS = json.loads((HERE / "vectors.json").read_text())
BOUNDS = json.loads((HERE / "bounds.json").read_text())
FAULTS = VECTORS["faults"]
CALIBRATED = sum(len(curve.fixed_ns) for curve in CURVES.values())
"""Delays solved from rows: so many of the exact rows of curves are no test of the curve."""


@dataclass(frozen=True, kw_only=True)
class Row:
    hwsku: str
    asic: str
    speed_mbps: int
    length_m: int
    xoff: int
    xon: int
    size: int

    @property
    def method(self) -> str:
        """Chosen by HWSKU, ASIC and speed alone."""
        if self.hwsku in MADE_WITH:
            return "{}, Spectrum-{}".format(*reversed(MADE_WITH[self.hwsku]))
        curve = table_curve(self.hwsku, self.asic, self.speed_mbps)
        assert curve is not None
        return curve.name

    @property
    def family(self) -> str:
        return f"{self.hwsku}: {self.method}"

    @property
    def computed(self) -> int:
        if self.hwsku in MADE_WITH:
            generation, variant = MADE_WITH[self.hwsku]
            return VARIANTS[variant].at(generation, self.speed_mbps, self.length_m).xoff_bytes
        curve = table_curve(self.hwsku, self.asic, self.speed_mbps)
        assert curve is not None
        return curve.at(self.speed_mbps, self.length_m).xoff_bytes

    @property
    def error_percent(self) -> float:
        """Signed: below 0 where we compute less than was published."""
        return round(100 * (self.computed - self.xoff) / self.xoff, 2)

    @property
    def fault(self) -> dict[str, object] | None:
        here = (self.hwsku, self.speed_mbps // 1000, self.length_m)
        for fault in FAULTS:
            if here[0] == fault["hwsku"] and here[1] in fault["speeds_gbps"] and here[2] in fault["lengths_m"]:
                return fault
        return None


def read() -> Iterator[Row]:
    for group in VECTORS["groups"]:
        for speed, length, xoff, xon, size in group["rows"]:
            yield Row(
                hwsku=group["hwsku"],
                asic=group["asic"],
                speed_mbps=speed,
                length_m=length,
                xoff=xoff,
                xon=xon,
                size=size,
            )


ROWS = tuple(read())
SOUND = tuple(row for row in ROWS if row.fault is None)
AT = {(row.hwsku, row.speed_mbps, row.length_m): row for row in ROWS}


def name(row: Row) -> str:
    return f"{row.hwsku}-{row.speed_mbps // 1000}G-{row.length_m}m"


def bounds_now() -> dict[str, dict[str, float | int]]:
    found: dict[str, dict[str, float | int]] = {}
    for family in sorted({row.family for row in SOUND}):
        rows = [row for row in SOUND if row.family == family]
        errors = [row.error_percent for row in rows]
        exact = sum(row.computed == row.xoff for row in rows)
        found[family] = {"rows": len(rows), "exact": exact, "least_percent": min(errors), "most_percent": max(errors)}
    return found


def test_all_413_rows_are_here_as_published(shared):
    groups = json.loads((shared / "data" / "headroom_vectors.json").read_text())["groups"]
    published = [
        (row["speed_mbps"], row["length_m"], row["published_xoff"], row["published_xon"], row["published_size"])
        for group in groups
        for row in group["rows"]
    ]
    assert [(row.speed_mbps, row.length_m, row.xoff, row.xon, row.size) for row in ROWS] == published


def test_at_least_212_rows_match_to_the_byte_and_at_most_40_are_declared_faults():
    exact = [row for row in SOUND if row.computed == row.xoff]
    assert len(ROWS) == 413
    assert len(exact) - CALIBRATED >= 212
    assert len(ROWS) - len(SOUND) <= 40


@pytest.mark.parametrize("row", SOUND, ids=name)
def test_a_sound_row_is_met_within_the_bound_of_its_family(row):
    bound = BOUNDS[row.family]
    assert bound["least_percent"] <= row.error_percent <= bound["most_percent"]


def test_the_bounds_are_those_of_the_rows_and_no_wider(request):
    if request.config.getoption("--update"):
        (HERE / "bounds.json").write_text(json.dumps(bounds_now(), indent=1) + "\n")
    assert json.loads((HERE / "bounds.json").read_text()) == bounds_now()


def faulty(kind: str) -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row.fault is not None and row.fault["kind"] == kind)


@pytest.mark.parametrize("row", faulty("halved"), ids=name)
def test_a_halved_row_is_half_of_the_formula_and_grows_less_than_the_cable_holds(row):
    shorter = max((other for other in SOUND if beside(other, row)), key=lambda other: other.length_m)
    cable = Fraction(2 * 5 * row.speed_mbps, 8_000) * (row.length_m - shorter.length_m)
    assert abs(row.computed - 2 * row.xoff) <= 1024
    assert row.xoff - shorter.xoff < cable


def beside(other: Row, row: Row) -> bool:
    return (other.hwsku, other.speed_mbps) == (row.hwsku, row.speed_mbps)


@pytest.mark.parametrize("row", faulty("mtu-omitted"), ids=name)
def test_a_row_without_the_port_mtu_misses_just_that(row):
    assert row.computed - row.xoff in (9216, 9216 - 1024)


@pytest.mark.parametrize("row", faulty("copied"), ids=name)
def test_a_copied_row_is_that_of_another_speed(row):
    faster = {100_000: 400_000}.get(row.speed_mbps, 100_000)
    assert row.xoff == AT[row.hwsku, faster, row.length_m].xoff


@pytest.mark.parametrize("row", faulty("flat"), ids=name)
def test_a_flat_row_is_the_same_for_three_lengths(row):
    assert len({AT[row.hwsku, row.speed_mbps, length].xoff for length in (5, 30, 40)}) == 1


@pytest.mark.parametrize("row", faulty("not-cells"), ids=name)
def test_a_row_that_is_no_whole_number_of_cells_is_named(row):
    assert row.xoff % 254


def test_every_declared_fault_has_its_rows_and_one_line_of_why():
    for fault in FAULTS:
        rows = [row for row in ROWS if row.fault is fault]
        assert len(rows) == len(fault["speeds_gbps"]) * len(fault["lengths_m"])
        assert "\n" not in fault["contradiction"]
        assert len(fault["contradiction"]) > 20


def test_xoff_of_a_curve_grows_with_length_and_with_the_speed_of_a_table():
    for curve in CURVES.values():
        for speed in curve.fixed_ns:
            found = [curve.at(speed, length).xoff_bytes for length in (5, 40, 300, 2_000, 10_000)]
            assert found == sorted(found)


def test_every_variant_is_the_table_of_some_hwsku_or_a_packet_model_of_the_intent():
    assert {variant for _, variant in MADE_WITH.values()} | {"worst-case", "bulk"} == set(VARIANTS)
    assert {generation for generation, _ in MADE_WITH.values()} == set(SPECTRUM)
