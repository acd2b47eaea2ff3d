"""Shares become weights, and a cap becomes bytes per second."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless import spelled, strict_cap, weights
from netaudit.lossless.ets import OF_WHOLE_LINK, SPELLINGS


def test_whole_shares_are_their_own_weights():
    assert weights({"roce": 60, "default": 40}) == {"roce": 60, "default": 40}


def test_thirds_get_the_remainder_by_name_whatever_their_order():
    third = Fraction(100, 3)
    expected = {"a": 34, "b": 33, "c": 33}
    assert weights({"a": third, "b": third, "c": third}) == expected
    assert weights({"c": third, "b": third, "a": third}) == expected


def test_the_largest_remainder_is_served_first():
    assert weights({"a": Fraction("49.4"), "b": Fraction("50.6")}) == {"a": 49, "b": 51}


def test_a_share_below_one_percent_still_gets_a_weight():
    assert weights({"big": Fraction("99.8"), "s": Fraction("0.1"), "t": Fraction("0.1")}) == {"big": 98, "s": 1, "t": 1}


@given(
    parts=st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.integers(1, 1_000), min_size=1, max_size=8),
    total=st.integers(8, 100),
)
def test_weights_sum_to_what_was_asked_for(parts, total):
    whole = sum(parts.values())
    shares = {name: Fraction(100 * part, whole) for name, part in parts.items()}
    result = weights(shares, total)
    assert sum(result.values()) == total
    assert set(result) == set(shares)
    assert all(1 <= weight <= 100 for weight in result.values())
    order = sorted(shares, key=lambda name: shares[name])
    assert all(result[low] <= result[high] + 1 for low, high in pairwise(order))


@pytest.mark.parametrize("shares", [{}, {"a": 50}, {"a": 100, "b": 0}, {"a": 110, "b": -10}])
def test_shares_that_do_not_divide_the_link_are_refused(shares):
    with pytest.raises(ValueError, match=r"shar"):
        weights(shares)


def test_more_classes_than_weights_are_refused():
    with pytest.raises(ValueError, match="more shares"):
        weights({str(n): 20 for n in range(5)}, total=4)


@pytest.mark.parametrize(
    ("percent", "speed_mbps", "bytes_per_s"),
    [(5, 800_000, 5_000_000_000), (5, 400_000, 2_500_000_000), (Fraction(1, 3), 25_000, 10_416_666)],
)
def test_a_cap_is_in_bytes_per_second(percent, speed_mbps, bytes_per_s):
    cap = strict_cap(percent=percent, speed_mbps=speed_mbps)
    assert (cap.value, cap.unit) == (bytes_per_s, "B/s")


@pytest.mark.parametrize("percent", [0, 101])
def test_a_cap_is_part_of_the_link(percent):
    with pytest.raises(ValueError, match="cap"):
        strict_cap(percent=percent, speed_mbps=400_000)


SHARES, CAPS = {"roce": 60, "default": 40}, {"control": 5}


@pytest.mark.parametrize(
    ("platform", "roce", "default", "control"),
    [
        ("sonic", "type DWRR, weight 60", "type DWRR, weight 40", "type STRICT, pir 5 %"),
        ("eos", "bandwidth percent 60", "bandwidth percent 40", "priority strict"),
        ("nxos", "bandwidth remaining percent 60", "bandwidth remaining percent 40", "priority level 1"),
        (
            "junos",
            "transmit-rate percent 57",
            "transmit-rate percent 38",
            "priority strict-high, transmit-rate percent 5",
        ),
        ("nvue", "mode dwrr, bw-percent 60", "mode dwrr, bw-percent 40", "mode strict"),
    ],
)
def test_each_platform_is_told_the_same_shares_in_its_own_words(platform, roce, default, control):
    assert spelled(platform, SHARES, CAPS) == {"roce": roce, "default": default, "control": control}


@pytest.mark.parametrize("platform", SPELLINGS)
def test_what_weighted_queues_are_told_sums_to_100_or_to_what_strict_ones_leave(platform):
    third = Fraction(100, 3)
    told = spelled(platform, {"a": third, "b": third, "c": third}, {"s": Fraction("7.5")})
    total = sum(int(told[name].rsplit(" ", 1)[1]) for name in "abc")
    assert total == (92 if platform in OF_WHOLE_LINK else 100)


def test_caps_that_leave_nothing_are_refused_where_they_count():
    with pytest.raises(ValueError, match="leave nothing"):
        spelled("junos", SHARES, {"a": 50, "b": 50})


def test_a_platform_that_is_none_has_no_words():
    with pytest.raises(KeyError):
        spelled("ios", SHARES, CAPS)
