"""What headroom leaves of the buffer."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netaudit.lossless import fit, ingress_pool, reserved, shared_buffer, shared_headroom_pool, sharing_cautions

BUFFER = 158_229_504
TEMPLATE_T0, TEMPLATE_T1 = 67_737_959, 52_161_690


def pool(headroom: int, *, template: int = TEMPLATE_T0, reserve: int = 0, shared: int = 0) -> int:
    return ingress_pool(
        template_bytes=template,
        buffer_bytes=BUFFER,
        cell_bytes=192,
        headroom_bytes=headroom,
        reserved_bytes=reserve,
        shared_headroom_bytes=shared,
    ).value


def test_the_template_stands_where_headroom_leaves_more():
    assert pool(64 * 304_128) == TEMPLATE_T0


def test_headroom_beyond_the_template_shrinks_the_pool_to_whole_cells():
    left = pool(128 * 1_198_080, template=TEMPLATE_T1)
    assert 0 < left < TEMPLATE_T1
    assert left % 192 == 0
    assert BUFFER - 128 * 1_198_080 - left < 192


def test_headroom_that_does_not_fit_at_all_leaves_nothing():
    assert pool(BUFFER + 1) == 0


@given(
    headroom=st.integers(0, 200_000_000),
    reserve=st.integers(0, 10_000_000),
    shared=st.integers(0, 60_000_000),
    template=st.integers(1, BUFFER),
)
def test_the_pool_never_takes_what_headroom_or_template_deny(headroom, reserve, shared, template):
    size = pool(headroom, template=template, reserve=reserve, shared=shared)
    assert 0 <= size <= template
    assert size == 0 or size + headroom + reserve + shared <= BUFFER


def test_reserves_of_an_sn5600_with_all_ports_whole():
    result = reserved(ports_up=64, eight_lane_ports_up=64, pipeline_kib=Fraction(19))
    assert result.value == 64 * (2 * 37 * 1024 + 10 * 1024) + 256 * 1024
    assert result.value == sum(int(term.value) for term in result.terms)


def test_narrow_ports_reserve_one_pipeline_a_group():
    wide = reserved(ports_up=2, eight_lane_ports_up=1, pipeline_kib=Fraction(19)).value
    narrow = reserved(ports_up=2, eight_lane_ports_up=0, pipeline_kib=Fraction(19)).value
    assert wide - narrow == 2 * 18 * 1024


def test_more_wide_ports_than_ports_are_refused():
    with pytest.raises(ValueError, match="among"):
        reserved(ports_up=1, eight_lane_ports_up=2, pipeline_kib=Fraction(19))


def test_a_shared_headroom_pool_divides_what_is_not_the_groups_own():
    result = shared_headroom_pool(uncovered_bytes=64 * 362_496, lossless_ports=64, ratio=4)
    assert result.value == (64 * 362_496 - 64 * 10_240) // 4


def test_a_shared_headroom_pool_is_never_empty():
    assert shared_headroom_pool(uncovered_bytes=0, lossless_ports=64, ratio=4).value == 655_360


def test_tomahawk_5_ships_a_tight_pool():
    # headroom.md 4.2: 35,360 cells per ITM, 32 ports x 2 groups of 2,853 cells, 12 full groups, 5.16:1
    cautions = sharing_cautions(
        pool_bytes=35_360 * 254, sum_xoff_bytes=64 * 2_853 * 254, greatest_xoff_bytes=2_853 * 254
    )
    assert [c.code for c in cautions] == ["shared-headroom-tight"]
    assert "5.16 times" in cautions[0].text
    assert "12 full" in cautions[0].text


@pytest.mark.parametrize(
    ("pool_bytes", "sum_xoff", "greatest", "codes"),
    [
        (4_000_000, 8_000_000, 100_000, []),
        (1_000_000, 8_000_001, 100_000, ["shared-headroom-refused"]),
        (199_999, 400_000, 100_000, ["shared-headroom-refused"]),
        (200_000, 400_000, 100_000, []),
        (1_000_000, 4_000_001, 100_000, ["shared-headroom-tight"]),
    ],
)
def test_sharing_is_judged_by_ratio_and_by_two_full_groups(pool_bytes, sum_xoff, greatest, codes):
    found = sharing_cautions(pool_bytes=pool_bytes, sum_xoff_bytes=sum_xoff, greatest_xoff_bytes=greatest)
    assert [c.code for c in found] == codes


@pytest.mark.parametrize(
    ("groups", "per_group", "fits"),
    [(64, 731_520, True), (128, 731_520, False)],  # one and two classes on TH5 at 5 m: 27 % and 54 % (headroom.md 4.4)
)
def test_headroom_may_take_three_tenths_of_the_buffer(groups, per_group, fits):
    result = fit(headroom_bytes=groups * per_group, buffer_bytes=173_268_640)
    assert result.fits is fits
    assert float(result.share) == pytest.approx(groups * per_group / 173_268_640)


def test_the_limit_itself_still_fits():
    assert fit(headroom_bytes=30, buffer_bytes=100).fits
    assert not fit(headroom_bytes=31, buffer_bytes=100).fits


def shared(**changes: int | bool) -> int:
    given = {
        "pool_bytes": 162_539_680,
        "shared_headroom_bytes": 33_374_584,
        "within_pool": True,
        "buffer_bytes": 173_268_640,
        "headroom_bytes": 1_200_000,
        "reserved_bytes": 900_000,
        "parts": 2,
    }
    return shared_buffer(**(given | changes)).value  # type: ignore[arg-type]


def test_what_groups_share_is_the_pool_without_the_headroom_that_is_in_it_and_half_of_it_on_two_parts():
    # Dell's template of Tomahawk 5: pool and shared headroom together are more than the chip, so one holds the other
    assert shared() == (162_539_680 - 33_374_584) // 2
    assert shared(parts=1) == 162_539_680 - 33_374_584


def test_shared_headroom_beside_the_pool_leaves_the_pool_whole_until_the_chip_is_full():
    assert shared(within_pool=False, pool_bytes=100_000_000, parts=1) == 100_000_000
    left = 173_268_640 - 33_374_584 - 1_200_000 - 900_000
    assert shared(within_pool=False, pool_bytes=173_000_000, parts=1) == left


def test_arista_shares_what_sonic_mgmt_measured_on_its_tomahawk_5():
    # headroom.md 4.2 and ecn.md 2.2: 64 x 800G, S 17,962,880 B, 72.0 MB an ITM from the trigger of a single group
    found = shared(pool_bytes=164_505_640, shared_headroom_bytes=17_962_880)
    assert found == pytest.approx(72_060_000, rel=0.02)


def test_nothing_is_shared_where_headroom_takes_all():
    assert shared(headroom_bytes=200_000_000) == 0


@pytest.mark.parametrize(
    ("ports", "greatest", "parts", "size"),
    [
        (64, 362_496, 1, (64 * 362_496 - 64 * 10_240) // 4),  # a quarter of all is more than two groups
        (4, 362_496, 1, 2 * 362_496),
        (4, 362_496, 2, 4 * 362_496),
        (1, 362_496, 1, 362_496),  # no more than there are
    ],
)
def test_a_pool_by_ratio_holds_two_full_groups_in_each_part(ports, greatest, parts, size):
    found = shared_headroom_pool(
        uncovered_bytes=ports * greatest, lossless_ports=ports, ratio=4, greatest_bytes=greatest, parts=parts
    )
    assert found.value == size
    assert not sharing_cautions(
        pool_bytes=found.value // parts,
        sum_xoff_bytes=(ports * greatest - ports * 10_240) // parts,
        greatest_xoff_bytes=greatest,
    )
