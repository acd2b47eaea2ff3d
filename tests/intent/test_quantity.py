from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.intent import quantity
from netaudit.intent.quantity import Misread

READ = [
    (quantity.speed_mbps, "400G", 400_000),
    (quantity.speed_mbps, "1.6T", 1_600_000),
    (quantity.speed_mbps, "100 Gb/s", 100_000),
    (quantity.speed_mbps, "200GbE", 200_000),
    (quantity.speed_mbps, "50000M", 50_000),
    (quantity.length_m, "3m", 3.0),
    (quantity.length_m, "320 m", 320.0),
    (quantity.length_m, "1.2km", 1200.0),
    (quantity.length_m, "50cm", 0.5),
    (quantity.time_us, "128us", 128),
    (quantity.time_us, "1.5 ms", 1500),
    (quantity.time_us, "1s", 1_000_000),
    (quantity.time_ms, "200ms", 200),
    (quantity.time_ms, "3s", 3000),
    (quantity.time_ms, "0.4s", 400),
    (quantity.time_s, "3s", 3),
    (quantity.time_s, "3000ms", 3),
    (quantity.percent, "60%", Fraction(60)),
    (quantity.percent, "12.5 %", Fraction(25, 2)),
    (quantity.size_bytes, "52MB", 52_000_000),
    (quantity.size_bytes, "9KiB", 9216),
    (quantity.size_bytes, "1GiB", 2**30),
    (quantity.size_bytes, "1GB", 10**9),
    (quantity.size_bytes, "64 B", 64),
    (quantity.alpha, 1, Fraction(1)),
    (quantity.alpha, "1/4", Fraction(1, 4)),
    (quantity.alpha, "8", Fraction(8)),
    (quantity.cable, "40m dr8", (40.0, "dr8")),
    (quantity.cable, "40 m  DR8", (40.0, "dr8")),
    (quantity.cable, "1500m 2fr4", (1500.0, "2fr4")),
    (quantity.asn, 4_200_000_000, 4_200_000_000),
    (quantity.asn, "65000.10", 4_259_840_010),
    (quantity.asn, "65000.2", 4_259_840_002),
]


@pytest.mark.parametrize(("read", "text", "value"), READ, ids=[f"{r.__name__} {t}" for r, t, _ in READ])
def test_a_quantity_is_read_by_its_unit(read, text, value):
    assert read(text) == value


BARE = [
    (quantity.speed_mbps, 400, "400G"),
    (quantity.speed_mbps, "400", "400G"),
    (quantity.length_m, 3, "3m"),
    (quantity.time_ms, 200, "200ms"),
    (quantity.time_us, 128, "128us"),
    (quantity.time_s, 3, "3s"),
    (quantity.percent, 60, "60%"),
    (quantity.percent, 0.6, "60%"),
    (quantity.size_bytes, 52, "52B"),
    (quantity.cable, 40, "40m"),
]


@pytest.mark.parametrize(("read", "value", "shown"), BARE)
def test_a_bare_number_is_refused_and_the_hint_shows_it_with_a_unit(read, value, shown):
    with pytest.raises(Misread) as caught:
        read(value)
    assert shown in caught.value.hint


WRONG = [
    (quantity.speed_mbps, "400GB", "size"),
    (quantity.size_bytes, "400G", "rate"),
    (quantity.size_bytes, "9KB", "two things"),
    (quantity.speed_mbps, "-400G", "speed"),
    (quantity.speed_mbps, "0G", "above 0"),
    (quantity.length_m, "0m", "above 0"),
    (quantity.length_m, "3ft", "no unit"),
    (quantity.time_ms, "1.5ms", "whole"),
    (quantity.time_us, "0.5us", "whole"),
    (quantity.time_s, "1500ms", "whole"),
    (quantity.percent, "101%", "at most 100"),
    (quantity.percent, "0%", "above 0"),
    (quantity.alpha, 0.25, "fraction"),
    (quantity.alpha, "1/0", "fraction"),
    (quantity.alpha, True, "fraction"),
    (quantity.cable, "40m", "medium"),
    (quantity.cable, "dr8 40m", "length"),
    (quantity.asn, 0, "RFC 7607"),
    (quantity.asn, 4_294_967_295, "RFC 7300"),
    (quantity.asn, "65535.65535", "RFC 7300"),
    (quantity.asn, 65_535, "RFC 7300"),
    (quantity.asn, 23_456, "AS_TRANS"),
    (quantity.asn, "0.23456", "RFC 6793"),
    (quantity.asn, 4_294_967_296, "1 to 4294967294"),
    (quantity.asn, "65536.1", "AS number"),
    (quantity.asn, "65000.", "AS number"),
    (quantity.asn, True, "AS number"),
    (quantity.asn, -1, "AS number"),
    (quantity.asn, 65000.1, "decimal fraction"),
]


@pytest.mark.parametrize(("read", "value", "said"), WRONG)
def test_what_is_no_quantity_of_its_kind_is_refused(read, value, said):
    with pytest.raises(Misread) as caught:
        read(value)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "right"), [("400g", "400G"), ("3M", "3m"), ("52mb", "52MB"), ("9kib", "9KiB"), ("200MS", "200ms")]
)
def test_a_unit_in_the_wrong_case_is_corrected_and_not_guessed(text, right):
    read = {"G": quantity.speed_mbps, "B": quantity.size_bytes, "s": quantity.time_ms}.get(right[-1], quantity.length_m)
    with pytest.raises(Misread) as caught:
        read(text)
    assert caught.value.hint == f"did you mean `{right}`?"


READERS = sorted({read for read, _, _ in READ}, key=lambda read: read.__name__)


@given(st.sampled_from(READERS), st.one_of(st.text(max_size=12), st.integers(), st.floats(), st.booleans(), st.none()))
def test_any_value_is_read_or_refused(read, value):
    try:
        assert read(value)
    except Misread as refused:
        assert refused.message  # noqa: PT017 - either outcome is right, and a refusal says something


@given(st.integers(1, 10**9), st.sampled_from(sorted(quantity.SIZE_UNITS)))
def test_a_size_survives_being_written(number, unit):
    assert quantity.size_bytes(f"{number}{unit}") == number * quantity.SIZE_UNITS[unit]
