"""Headroom against the tables that NVIDIA ships, and against what physics demands of any such formula."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless import SONIC_PAUSE_QUANTA, Headroom, Term, headroom

CELL = {"SPC1": 96, "SPC3": 144, "SPC4": 192, "SPC5": 192, "SPC6": 256}
TILE = {"SPC4", "SPC5"}
PIPELINE_KIB = {"SPC6": 42}
SPEEDS = sorted(SONIC_PAUSE_QUANTA)


def spectrum(
    asic: str,
    speed_mbps: int,
    length_m: float,
    *,
    lanes: int | None = None,
    port_mtu: int = 9216,
    lossless_mtu: int = 1024,
    small: int = 100,
    shared: bool = False,
    extra_kib: int = 0,
    quanta_800g: int = 905,
    small_by: str = "bytes",
) -> Headroom:
    return headroom(
        speed_mbps=speed_mbps,
        length_m=length_m,
        port_mtu_bytes=port_mtu,
        lossless_mtu_bytes=lossless_mtu,
        small_packet_percent=small,
        lanes=lanes or (8 if speed_mbps == 800_000 else 4),
        cell_bytes=CELL[asic],
        pipeline_kib=Fraction(PIPELINE_KIB.get(asic, 19)),
        mac_phy_kib=Fraction("0.8"),
        tile=asic in TILE,
        extra_kib=extra_kib,
        gearbox_ns=0,
        shared_headroom=shared,
        pause_quanta={**SONIC_PAUSE_QUANTA, 800_000: quanta_800g},
        small_by=small_by,
    )


@pytest.mark.parametrize(
    ("speed_mbps", "length_m", "xoff"),
    [
        (800_000, 5, 257_024),
        (800_000, 40, 362_496),
        (800_000, 300, 1_150_976),
        (400_000, 5, 231_424),
        (400_000, 40, 283_648),
        (400_000, 300, 677_888),
        (100_000, 40, 126_976),
        (25_000, 300, 76_800),
    ],
)
def test_acs_sn5600_rows_are_exact(speed_mbps, length_m, xoff):
    assert spectrum("SPC4", speed_mbps, length_m).xoff_bytes == xoff


def test_the_worked_example_shows_its_terms():
    result = spectrum("SPC4", 400_000, 40)  # sonic.md 4, "Worked line"
    terms = {term.name: term for term in result.terms}
    assert round(terms["bytes on the cable"].value) == 20_202
    assert terms["peer reacts"].value == 905 * 64
    assert terms["between dies of the chip"].value == 6_000
    assert terms["MAC and PHY"].value == Fraction("819.2")
    assert terms["cells a byte of delay fills"].value == 3
    assert (result.xoff_bytes, result.xon_bytes, result.size_bytes) == (283_648, 19_456, 303_104)


@given(
    speed=st.sampled_from(SPEEDS),
    length=st.integers(0, 80_000),
    small=st.integers(0, 100),
    shared=st.booleans(),
    asic=st.sampled_from(sorted(CELL)),
)
def test_the_terms_add_up_to_xoff(speed, length, small, shared, asic):
    result = spectrum(asic, speed, length, small=small, shared=shared)
    terms = {term.name: Fraction(term.value) for term in result.terms}
    delay = sum(
        terms.get(name, Fraction(0))
        for name in (
            "frame on the wire here",
            "bytes on the cable",
            "MAC and PHY",
            "peer reacts",
            "between dies of the chip",
        )
    )
    exact = terms["frame the peer has begun"] + delay * terms["cells a byte of delay fills"]
    over = result.xoff_bytes - terms.get("allowance for all-small traffic", Fraction(0)) - exact
    assert 0 <= over < 1024
    assert all(term.source and term.unit for term in result.terms)


@pytest.mark.parametrize("number", range(7))
def test_nvidia_tables_are_reproduced_row_by_row(shared, number):
    group = json.loads((shared / "data" / "headroom_vectors.json").read_text())["groups"][number]
    params = group["params"]
    for row in group["rows"]:
        result = spectrum(
            group["asic"],
            row["speed_mbps"],
            row["length_m"],
            port_mtu=params["port_mtu"],
            lossless_mtu=params["lmtu"],
            small=params["small"],
            shared=params["shp"],
            quanta_800g=group["pause_quanta_800G"],
            small_by="bytes" if params.get("new", True) else "packets",
        )
        assert result.xoff_bytes == row["computed_xoff"]
        if not group["mismatches"]:
            assert result.xoff_bytes == row["published_xoff"]


def test_every_row_of_the_dynamic_model_is_reproduced(shared):
    with (shared / "data" / "headroom_examples.csv").open() as file:
        for row in csv.DictReader(file):
            asic = row["asic"].upper()
            result = spectrum(
                asic,
                int(row["speed_gbps"]) * 1000,
                int(row["cable_m"]),
                lanes=int(row["lanes"]),
                port_mtu=int(row["port_mtu"]),
                lossless_mtu=int(row["lossless_mtu"]),
                small=int(row["small_pct"]),
                shared=row["shp"] == "True",
                extra_kib=18 if asic == "SPC6" else 0,
            )
            assert (result.xoff_bytes, result.xon_bytes, result.size_bytes) == tuple(
                int(row[key]) for key in ("xoff", "xon", "size")
            )


@pytest.mark.parametrize(("hwsku", "asic"), [("ACS-MSN2700", "SPC1"), ("ACS-MSN3700", "SPC3"), ("ACS-MSN4700", "SPC3")])
def test_tables_from_before_the_quanta_are_exact_with_the_fixed_response(shared, hwsku, asic):
    with (shared / "data" / "pg_profile_tables.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["hwsku"] == hwsku and "simx" not in row["platform"]]
    assert rows
    for row in rows:
        result = headroom(
            speed_mbps=int(row["speed_mbps"]),
            length_m=int(row["cable_m"]),
            port_mtu_bytes=9216,
            lossless_mtu_bytes=1024,
            small_packet_percent=100,
            lanes=4,
            cell_bytes=CELL[asic],
            pipeline_kib=Fraction(19),
            mac_phy_kib=Fraction("0.8"),
            tile=False,
            extra_kib=0,
            gearbox_ns=0,
            shared_headroom=False,
            pause_quanta={},
            small_by="packets",
        )
        assert result.xoff_bytes == int(row["xoff"])


def test_xon_doubles_and_size_takes_a_frame_more_on_eight_lanes():
    four, eight = spectrum("SPC4", 400_000, 40, lanes=4), spectrum("SPC4", 400_000, 40, lanes=8)
    assert (four.xon_bytes, eight.xon_bytes) == (19_456, 38_912)
    assert eight.size_bytes - four.size_bytes == 19_456 + 9_216


def test_a_shared_pool_leaves_a_group_its_xon_only():
    result = spectrum("SPC4", 400_000, 40, small=50, lossless_mtu=4096, shared=True)
    assert (result.xoff_bytes, result.size_bytes) == (104_448, result.xon_bytes)


def test_kinder_traffic_gets_the_allowance_only_without_a_shared_pool():
    alone = spectrum("SPC4", 800_000, 40, small=50, lossless_mtu=4096)
    shared = spectrum("SPC4", 800_000, 40, small=50, lossless_mtu=4096, shared=True)
    assert alone.xoff_bytes - shared.xoff_bytes == 2048


def test_a_gearbox_is_passed_twice():
    plain = spectrum("SPC3", 100_000, 5)
    geared = headroom(
        speed_mbps=100_000,
        length_m=5,
        port_mtu_bytes=9216,
        lossless_mtu_bytes=1024,
        small_packet_percent=100,
        lanes=4,
        cell_bytes=144,
        pipeline_kib=Fraction(19),
        mac_phy_kib=Fraction("0.8"),
        tile=False,
        extra_kib=0,
        gearbox_ns=400,
        shared_headroom=False,
    )
    gearbox = next(term for term in geared.terms if term.name == "gearbox")
    assert gearbox.value == 2 * Fraction(100_000 * 400, 8192)
    assert geared.xoff_bytes > plain.xoff_bytes


def test_a_speed_without_quanta_falls_back_to_the_response_of_the_asic():
    result = spectrum("SPC4", 1_600_000, 5)
    assert Term(
        name="peer reacts", value=Fraction("3.8") * 1024, unit="B", source="asic_table.j2: peer_response_time"
    ) in (result.terms)


@given(length=st.integers(0, 10_000), small=st.integers(0, 100), shared=st.booleans())
def test_xoff_grows_with_speed(length, small, shared):
    xoffs = [spectrum("SPC4", speed, length, small=small, shared=shared, lanes=4).xoff_bytes for speed in SPEEDS]
    assert xoffs == sorted(xoffs)


@given(
    speed=st.sampled_from(SPEEDS),
    length=st.integers(0, 80_000),
    more=st.integers(1, 80_000),
    small=st.sampled_from([0, 100]) | st.integers(1, 99),
)
def test_xoff_never_shrinks_with_length(speed, length, more, small):
    short, long = (spectrum("SPC4", speed, metres, small=small, shared=True) for metres in (length, length + more))
    assert short.xoff_bytes <= long.xoff_bytes


@given(
    speed=st.sampled_from(SPEEDS), length=st.integers(0, 2_000), mtu=st.integers(1_500, 9_100), more=st.integers(1, 116)
)
def test_xoff_never_shrinks_with_the_port_mtu(speed, length, mtu, more):
    assert (
        spectrum("SPC4", speed, length, port_mtu=mtu).xoff_bytes
        <= spectrum("SPC4", speed, length, port_mtu=mtu + more).xoff_bytes
    )


@given(
    speed=st.sampled_from(SPEEDS), length=st.integers(0, 2_000), mtu=st.integers(256, 9_000), more=st.integers(1, 1_000)
)
def test_xoff_never_shrinks_with_the_lossless_mtu_of_all_small_traffic(speed, length, mtu, more):
    assert (
        spectrum("SPC4", speed, length, lossless_mtu=mtu).xoff_bytes
        <= spectrum("SPC4", speed, length, lossless_mtu=mtu + more).xoff_bytes
    )


@pytest.mark.parametrize("small", [-1, 101])
def test_a_share_of_small_packets_is_a_percentage(small):
    with pytest.raises(ValueError, match="percentage"):
        spectrum("SPC4", 400_000, 5, small=small)


def test_a_negative_length_is_refused():
    with pytest.raises(ValueError, match="positive"):
        spectrum("SPC4", 400_000, -1)
