"""Headroom of ASICs that are no Spectrum, and NVIDIA's variants, against the numbers of headroom.md."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless.ceiling import ceiling
from netaudit.lossless.curves import CURVES, curve_of, table_curve
from netaudit.lossless.method import BULK_PACKET_BYTES, by_asic
from netaudit.lossless.variants import SPECTRUM, VARIANTS, spectrum_of

LENGTHS = (5, 40, 300, 2_000, 10_000, 40_000)
WORST_TH5 = (728_726, 834_390, 1_620_520, 6_761_226, 30_951_678, 121_665_746)
BULK_TH5 = (256_286, 292_354, 561_086, 2_318_258, 10_586_212, 41_591_484)
"""headroom.md 4.4: one delay of 2,152 ns for all speeds; ours is that of 800G, 2,145.6 ns, so a few bytes differ."""


def th5(length_m: float, *, bulk: bool = False, speed_mbps: int = 800_000, **more: object):
    given = {"asic": "Tomahawk 5", "port_mtu_bytes": 9216, "cell_bytes": 254, **more}
    return by_asic(speed_mbps=speed_mbps, length_m=length_m, bulk=bulk, **given)


@pytest.mark.parametrize(("length_m", "worst", "bulk"), tuple(zip(LENGTHS, WORST_TH5, BULK_TH5, strict=True)))
def test_tomahawk_5_at_800g_needs_what_the_reference_computes(length_m, worst, bulk):
    assert th5(length_m).xoff_bytes == pytest.approx(worst, rel=0.002)
    assert th5(length_m, bulk=True).xoff_bytes == pytest.approx(bulk, rel=0.004)


@pytest.mark.parametrize(
    ("variant", "xoffs"),
    [
        ("worst-case", (257_024, 362_496, 1_150_976, 6_301_696, 30_544_896, 121_453_568)),
        ("bulk-shared", (95_232, 132_096, 411_648, 2_234_368, 10_812_416, 42_980_352)),
    ],
)
def test_spectrum_4_at_800g_is_exact_in_both_packet_models(variant, xoffs):
    assert tuple(VARIANTS[variant].at(4, 800_000, m, lanes=8).xoff_bytes for m in LENGTHS) == xoffs


def test_size_of_a_tomahawk_5_group_is_its_headroom_and_what_its_table_keeps_beside():
    found = th5(40)
    assert (found.xoff_bytes, found.size_bytes - found.xoff_bytes) == (835_406, 18_796)
    assert (found.xon_bytes, found.xon_offset_bytes) == (0, 3_556)
    assert not found.generic


@pytest.mark.parametrize("bulk", [False, True])
def test_an_asic_without_data_has_the_ceiling_and_says_that_it_is_generic(bulk):
    found = by_asic(
        asic="Silicon One G200", speed_mbps=400_000, length_m=40, port_mtu_bytes=9216, cell_bytes=512, bulk=bulk
    )
    plain = ceiling(
        speed_mbps=400_000,
        length_m=40,
        port_mtu_bytes=9216,
        lossless_mtu_bytes=9216,
        cell_bytes=512,
        packet_bytes=BULK_PACKET_BYTES if bulk else 64,
    )
    assert found.generic
    assert found.xoff_bytes == plain.xoff_bytes
    assert "generic" in found.method


def test_a_speed_that_the_table_lacks_has_the_models_one_delay_or_the_ceiling():
    assert th5(40, speed_mbps=1_600_000).generic
    assert not th5(40, speed_mbps=1_600_000, fixed_ns=2_152).generic


def test_a_users_own_delay_comes_before_that_of_the_asics_table():
    assert th5(40, fixed_ns=9_000).xoff_bytes == th5(40).xoff_bytes
    assert th5(40, fixed_ns=9_000, own=True).xoff_bytes > th5(40).xoff_bytes


@given(
    asic=st.sampled_from(["Tomahawk 3", *(curve.asic for curve in CURVES.values())]),
    speed=st.sampled_from([25_000, 100_000, 400_000, 800_000]),
    length=st.integers(0, 3_000),
    bulk=st.booleans(),
)
def test_the_terms_of_any_asic_add_up(asic, speed, length, bulk):
    found = by_asic(asic=asic, speed_mbps=speed, length_m=length, port_mtu_bytes=9216, cell_bytes=254, bulk=bulk)
    at = next(i for i, term in enumerate(found.terms) if term.unit == "x")
    wire = sum((Fraction(term.value) for term in found.terms[:at]), Fraction(0))
    exact = wire * Fraction(found.terms[at].value) + Fraction(found.terms[at + 1].value)
    assert 0 <= found.xoff_bytes - exact < found.step_bytes
    assert found.xoff_bytes % found.step_bytes == 0
    assert all(term.source and term.unit for term in found.terms)


@given(speed=st.sampled_from([100_000, 200_000, 400_000, 800_000]), length=st.integers(0, 10_000))
def test_bulk_packets_need_less_than_the_smallest(speed, length):
    assert th5(length, bulk=True, speed_mbps=speed).xoff_bytes < th5(length, speed_mbps=speed).xoff_bytes


@given(mtu=st.integers(1_500, 9_000), more=st.integers(1, 216))
def test_a_larger_frame_never_needs_less(mtu, more):
    assert th5(40, port_mtu_bytes=mtu).xoff_bytes <= th5(40, port_mtu_bytes=mtu + more).xoff_bytes


def test_a_curve_refuses_speeds_it_does_not_have_and_packets_it_does_not_know():
    with pytest.raises(ValueError, match="no delay for"):
        CURVES["TH5 Dell"].at(1_600_000, 5)
    with pytest.raises(ValueError, match="what packets"):
        CURVES["TH6 Nokia"].at(800_000, 5, packet_bytes=4158)


@pytest.mark.parametrize(
    ("asic", "name"),
    [("Tomahawk 5", "TH5 Dell"), ("tomahawk-5", "TH5 Dell"), ("Broadcom Tomahawk5", "TH5 Dell"), ("Tomahawk 3", None)],
)
def test_an_asic_is_known_by_any_spelling(asic, name):
    found = curve_of(asic)
    assert (found.name if found else None) == name


def test_the_table_of_a_vendor_may_follow_another_curve_than_its_asic_and_split_by_speed():
    hwsku = "Nokia-IXR7220-H6-O256"
    names = [found.name for s in (50_000, 800_000) if (found := table_curve(hwsku, "Tomahawk 6", s))]
    assert names == ["TH6 Nokia below 100G", "TH6 Nokia"]


@pytest.mark.parametrize(
    ("asic", "generation"), [("Spectrum-4", 4), ("NVIDIA Spectrum 1", 1), ("Spectrum-9", None), ("Tomahawk 4", None)]
)
def test_a_spectrum_is_known_by_its_number(asic, generation):
    assert spectrum_of(asic) == generation
    assert generation is None or generation in SPECTRUM
