"""ECN thresholds against the table of ecn.md 5, the paper's own numbers, and the order of things."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless import Ecn, delay_cap_us, ecn, rtt

HUGE = 10**12
SPECTRUM_4 = 52_161_690  # t1 pool of ACS-SN5600
TOMAHAWK_5 = 72_060_000  # one ITM, ecn.md 2.2: 72.0 MB


def thresholds(speed_mbps: int, *, cell: int = 254, shared: int = HUGE, classes: int = 1, **more: int) -> Ecn:
    return ecn(
        speed_mbps=speed_mbps,
        rtt_ns=more.pop("rtt_ns", 10_000),
        roce_mtu_bytes=4096,
        cell_bytes=cell,
        shared_bytes=shared,
        alpha=Fraction(1),
        lossless_classes=classes,
        **more,
    )


@pytest.mark.parametrize(
    ("speed_mbps", "kmin", "kmax"),
    [
        (25_000, 67_056, 156_210),
        (100_000, 125_222, 499_872),
        (200_000, 250_190, 999_998),
        (400_000, 500_126, 1_999_996),
        (800_000, 1_000_252, 3_999_992),
    ],
)
def test_the_table_of_ecn_5_is_exact(speed_mbps, kmin, kmax):
    result = thresholds(speed_mbps)
    assert (result.kmin_bytes, result.kmax_bytes, result.warnings) == (kmin, kmax, ())


def test_pfc_bounds_kmax_before_it_squeezes_kmin():
    result = thresholds(800_000, shared=TOMAHAWK_5, classes=2)
    assert result.kmin_bytes == 1_000_252
    assert result.kmax_bytes == pytest.approx(2_401_000, abs=1_000)
    assert not result.warnings


def test_a_buffer_too_small_for_the_round_trip_halves_kmin_and_says_so():
    result = thresholds(800_000, cell=192, shared=SPECTRUM_4, classes=2)
    assert (result.kmin_bytes, result.kmax_bytes) == (869_376, 1_738_560)
    assert [(w.code, "buffer" in w.text) for w in result.warnings] == [("ecn-squeezed", True)]


def test_at_10g_the_delay_cap_always_squeezes():
    result = thresholds(10_000)
    assert result.kmax_bytes <= 62_500
    assert [(w.code, "delay cap" in w.text) for w in result.warnings] == [("ecn-squeezed", True)]


def test_the_bound_is_the_papers_for_its_own_switch():
    # SIGCOMM'15: 12 MB, 32 ports, 8 classes, beta 8; t_ECN below 21.75 KB (ecn.md 2.1: 21,755.6 B)
    shared = 12_000_000 - 8 * 32 * 22_400
    result = ecn(
        speed_mbps=40_000,
        rtt_ns=4_000,
        roce_mtu_bytes=1_500,
        cell_bytes=208,
        shared_bytes=shared,
        alpha=Fraction(1),
        lossless_classes=8,
        congested_queues=32,
    )
    bound = next(term for term in result.terms if term.name.startswith("ECN before PFC"))
    assert float(bound.value) == pytest.approx(21_755.6, abs=0.1)


def test_the_strict_case_is_told_and_changes_nothing():
    plain = thresholds(800_000, shared=TOMAHAWK_5)
    strict = thresholds(800_000, shared=TOMAHAWK_5, egress_ports=64)
    assert (strict.kmin_bytes, strict.kmax_bytes) == (plain.kmin_bytes, plain.kmax_bytes)
    assert [w.code for w in strict.warnings] == ["ecn-strict-case"]
    assert "begins only after PFC" in strict.warnings[0].text


def test_the_strict_case_distinguishes_half_marking_from_none():
    result = thresholds(100_000, shared=TOMAHAWK_5 // 2, egress_ports=64)
    assert "before marking is complete" in result.warnings[0].text


@pytest.mark.parametrize(("control", "pmax"), [("dcqcn", 100), ("rtt", 20), ("none", 20)])
def test_pmax_follows_congestion_control(control, pmax):
    result = ecn(
        speed_mbps=400_000,
        rtt_ns=10_000,
        roce_mtu_bytes=4096,
        cell_bytes=192,
        shared_bytes=SPECTRUM_4,
        alpha=Fraction(1),
        lossless_classes=1,
        congestion_control=control,
    )
    assert result.pmax_percent == pmax


def test_latency_first_marks_earlier():
    assert (
        ecn(
            speed_mbps=400_000,
            rtt_ns=10_000,
            roce_mtu_bytes=4096,
            cell_bytes=254,
            shared_bytes=HUGE,
            alpha=Fraction(1),
            lossless_classes=1,
            throughput=Fraction(1, 2),
        ).kmin_bytes
        == 250_190
    )


def test_the_round_trip_of_a_leaf_spine_leaf_path():
    assert rtt(lengths_m=[3, 42, 42, 3], switches=3).value == 8_700  # ecn.md 3: 90 m, 8.7 us


def test_three_hundred_metres_more_cost_three_microseconds():
    assert rtt(lengths_m=[300], switches=0).value - rtt(lengths_m=[0], switches=0).value == 3_000


def test_a_deep_buffer_may_wait_longer_on_a_long_link():
    assert delay_cap_us(deep=False, rtt_ns=110_000) == 50
    assert delay_cap_us(deep=True, rtt_ns=10_000) == 200
    assert delay_cap_us(deep=True, rtt_ns=110_000) == 440


def test_margins_are_what_an_incast_leaves_below_the_pfc_trigger():
    result = thresholds(400_000, shared=TOMAHAWK_5)
    margins = {term.name: term.value for term in result.terms if term.name.startswith("margin")}
    assert list(margins) == [f"margin at {n}-to-1" for n in (2, 4, 8, 16)]
    assert margins["margin at 2-to-1"] == Fraction(2 * TOMAHAWK_5, 3) - result.kmax_bytes - 500_000


@given(
    speed=st.sampled_from([10_000, 25_000, 100_000, 200_000, 400_000, 800_000]),
    rtt_ns=st.integers(1_000, 200_000),
    mtu=st.sampled_from([1_024, 2_048, 4_096, 8_192]),
    cell=st.sampled_from([96, 144, 192, 254, 256, 420]),
    shared=st.integers(100_000, 200_000_000),
    exponent=st.integers(-7, 7),
    classes=st.integers(1, 8),
)
def test_thresholds_are_whole_cells_in_order_and_below_every_bound(speed, rtt_ns, mtu, cell, shared, exponent, classes):
    alpha = Fraction(2) ** exponent
    result = ecn(
        speed_mbps=speed,
        rtt_ns=rtt_ns,
        roce_mtu_bytes=mtu,
        cell_bytes=cell,
        shared_bytes=shared,
        alpha=alpha,
        lossless_classes=classes,
    )
    assert 0 < result.kmin_bytes <= result.kmax_bytes
    assert result.kmin_bytes % cell == 0
    assert result.kmax_bytes % cell == 0
    assert 1 <= result.pmax_percent <= 100
    bound = Fraction(8, 10) * alpha * shared / (8 * (1 + alpha * classes))
    assert result.kmax_bytes <= max(min(bound, Fraction(speed * 50, 8)), cell)


@given(
    speed=st.sampled_from([100_000, 400_000, 800_000]), rtt_ns=st.integers(1_000, 100_000), more=st.integers(1, 50_000)
)
def test_kmin_never_shrinks_with_the_round_trip(speed, rtt_ns, more):
    kmins = [thresholds(speed, rtt_ns=value, delay_cap_us=10_000).kmin_bytes for value in (rtt_ns, rtt_ns + more)]
    assert kmins == sorted(kmins)


def test_figures_that_are_no_figures_are_refused():
    with pytest.raises(ValueError, match="positive"):
        thresholds(0)
