"""The ceiling model against the values of headroom.md 2.5 and 4.4, and against published tables."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless import Ceiling, ceiling


def tomahawk(length_m: float, *, speed_mbps: int = 800_000, packet: int = 64, fixed: int | None = 2_152) -> Ceiling:
    return ceiling(
        speed_mbps=speed_mbps,
        length_m=length_m,
        port_mtu_bytes=9_216,
        lossless_mtu_bytes=9_216,
        cell_bytes=254,
        packet_bytes=packet,
        fixed_ns=fixed,
    )


@pytest.mark.parametrize(("length_m", "xoff"), [(5, 731_520), (40, 837_184), (300, 1_623_568)])
def test_the_worst_case_of_headroom_2_5_is_exact(length_m, xoff):
    assert tomahawk(length_m).xoff_bytes == xoff


@pytest.mark.parametrize(
    ("length_m", "xoff"),
    [
        (5, 256_286),
        (40, 292_354),
        (300, 561_086),
        (2_000, 2_318_258),
        (10_000, 10_586_212),
        (40_000, 41_591_484),
    ],
)
def test_the_bulk_case_of_headroom_4_4_is_exact(length_m, xoff):
    assert tomahawk(length_m, packet=4_158).xoff_bytes == xoff


def test_only_an_unknown_delay_is_generic():
    assert tomahawk(5, fixed=None).generic
    assert not tomahawk(5).generic


def test_1810_quanta_stand_at_800g():
    reaction = next(term for term in tomahawk(5, fixed=None).terms if term.name == "peer reacts")
    assert reaction.value == 1_810 * 64
    assert "1810" in reaction.source


def test_a_speed_nobody_published_takes_the_next_ceiling_above_or_the_same_time():
    between = next(t for t in tomahawk(5, speed_mbps=300_000, fixed=None).terms if t.name == "peer reacts")
    beyond = next(t for t in tomahawk(5, speed_mbps=1_600_000, fixed=None).terms if t.name == "peer reacts")
    assert (between.value, beyond.value) == (905 * 64, 3_620 * 64)
    assert "judgement" in beyond.source


@pytest.mark.parametrize("hwsku", ["Dell-Z9864f-O64", "DellEMC-Z9664f-O64"])  # Tomahawk 5 and 4, cells of 254 B
def test_the_generic_result_covers_tables_that_follow_length_and_speed(shared, hwsku):
    with (shared / "data" / "pg_profile_tables.csv").open() as file:
        rows = [r for r in csv.DictReader(file) if r["hwsku"] == hwsku and int(r["speed_mbps"]) >= 100_000]
    assert rows
    for row in rows:
        ours = tomahawk(int(row["cable_m"]), speed_mbps=int(row["speed_mbps"]), fixed=None).xoff_bytes
        assert -0.02 <= ours / int(row["xoff"]) - 1 < 0.615  # headroom.md 2.5: -2.0 to +61 %


@given(
    speed=st.integers(10_000, 1_600_000),
    length=st.floats(0, 40_000, allow_nan=False),
    packet=st.integers(64, 9_216),
    cell=st.integers(80, 512),
)
def test_the_result_is_whole_cells_and_grows_with_the_cable(speed, length, packet, cell):
    def at(metres: float) -> Ceiling:
        return ceiling(
            speed_mbps=speed,
            length_m=metres,
            port_mtu_bytes=9_216,
            lossless_mtu_bytes=4_158,
            cell_bytes=cell,
            packet_bytes=packet,
        )

    near, far = at(length), at(length + 100)
    assert near.xoff_bytes == near.cells * cell
    assert near.xoff_bytes < far.xoff_bytes


@given(length=st.integers(0, 2_000), speed=st.sampled_from([10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000]))
def test_the_result_grows_with_speed(length, speed):
    assert (
        tomahawk(length, speed_mbps=speed, fixed=None).cells < tomahawk(length, speed_mbps=2 * speed, fixed=None).cells
    )


def test_a_packet_below_64_bytes_is_refused():
    with pytest.raises(ValueError, match="64 B"):
        tomahawk(5, packet=63)
