"""An outside computation of headroom.md 4.4 and 4.5 and of ecn.md 2.2 and 5, in a few lines that use nothing of ours.

What is computed here is held against the numbers that the references print, and what netaudit computes against it.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from netaudit.lossless import ecn, fit
from netaudit.lossless.method import by_asic

TH5_BYTES, CELL, PORTS = 173_268_640, 254, 64
FIXED_NS, PREAMBLE, MTU, PFC = 2_152, 20, 9_216, 84


def worst(length_m: float) -> int:
    """The curve of headroom.md 2.5 for Tomahawk 5: one cell for 84 B, A = 246.6 cells, 800G is 100 B/ns."""
    return round((246.6 + 100 * (FIXED_NS + 10 * length_m) / 84) * CELL)


def bulk(length_m: float) -> int:
    """headroom.md 1 with frames of 4,158 B, both MTUs 9,216."""
    wire = 2 * (MTU + PREAMBLE) + PFC + 100 * (FIXED_NS + 10 * length_m)
    return math.ceil(wire / (4_158 + PREAMBLE) * math.ceil(4_158 / CELL) + math.ceil(MTU / CELL)) * CELL


def ours(length_m: float, *, large: bool) -> int:
    return by_asic(
        asic="Tomahawk 5", speed_mbps=800_000, length_m=length_m, port_mtu_bytes=MTU, cell_bytes=CELL, bulk=large
    ).xoff_bytes


TABLE = {
    5: (728_726, (27, 54), 256_286, (9, 19)),
    40: (834_390, (31, 62), 292_354, (11, 22)),
    300: (1_620_520, (60, 120), 561_086, (21, 41)),
    2_000: (6_761_226, (250, 499), 2_318_258, (86, 171)),
    10_000: (30_951_678, (1_143, 2_286), 10_586_212, (391, 782)),
    40_000: (121_665_746, (4_494, 8_988), 41_591_484, (1_536, 3_073)),
}
"""headroom.md 4.4: metres → (worst a group, percent of the chip for one and for two classes, bulk, the same)."""


@pytest.mark.parametrize("length_m", TABLE)
def test_the_table_of_4_4_is_what_the_formula_gives_outside(length_m: int) -> None:
    small, small_percent, large, large_percent = TABLE[length_m]
    assert abs(worst(length_m) - small) <= CELL
    assert bulk(length_m) == large
    for group, percents in ((small, small_percent), (large, large_percent)):
        for classes, percent in enumerate(percents, start=1):
            assert 100 * classes * PORTS * group / TH5_BYTES == pytest.approx(percent, abs=0.8)


@pytest.mark.parametrize("length_m", TABLE)
def test_what_netaudit_computes_is_the_table_of_4_4(length_m: int) -> None:
    # ours has A = 257, as section 1 predicts, where the fit has 246.6: 2.6 kB more, 0.4 % at 5 m (headroom.md 2.5)
    assert 0 <= ours(length_m, large=False) - worst(length_m) <= 11 * CELL
    # and the delay that 800G rows alone show, 7 ns less than the one over all speeds: 3 cells
    assert 0 <= bulk(length_m) - ours(length_m, large=True) <= 3 * CELL


@pytest.mark.parametrize(
    ("classes", "ratio", "small_m", "large_m"),
    [(1, 1, 30, 540), (1, 2, 300, 1_325), (1, 4, 835, 2_900), (2, 1, None, 145), (2, 2, 30, 540), (2, 4, 300, 1_325)],
)
def test_the_lengths_of_4_5_are_where_30_percent_end(
    classes: int, ratio: int, small_m: int | None, large_m: int
) -> None:
    for length_m, curve, large in ((small_m, worst, False), (large_m, bulk, True)):
        if length_m is None:
            assert classes * PORTS * curve(0) > 0.3 * TH5_BYTES
            continue
        assert (
            classes * PORTS * curve(length_m) / ratio <= 0.3 * TH5_BYTES < classes * PORTS * curve(length_m + 6) / ratio
        )
        for metres, fits in ((length_m * 0.95 - 2, True), (length_m * 1.05 + 6, False)):
            needed = classes * PORTS * ours(metres, large=large) // ratio
            assert fit(headroom_bytes=needed, buffer_bytes=TH5_BYTES).fits is fits


@pytest.mark.parametrize(
    ("long_ports", "small_m", "large_m"), [(4, 1_400, 5_500), (2, 3_000, 11_200), (1, 6_200, 22_700), (8, 630, 2_700)]
)
def test_long_links_of_a_half_chip_beside_short_ones_reach_as_far_as_4_5_says(
    long_ports: int, small_m: int, large_m: int
) -> None:
    for length_m, curve, large in ((small_m, worst, False), (large_m, bulk, True)):
        short = (32 - long_ports) * curve(40) / 4
        share = (long_ports * curve(length_m) + short) / (TH5_BYTES / 2)
        assert share == pytest.approx(0.3, rel=0.05)
        mine = (
            (long_ports * ours(length_m, large=large) + (32 - long_ports) * ours(40, large=large) // 4) * 2 / TH5_BYTES
        )
        assert mine == pytest.approx(share, rel=0.01)


SHARED = {
    "64 x 800G": 72.06e6,
    "128 x 400G": 55.08e6,
    "256 x 200G": 60.98e6,
    "Spectrum-4": 52.16e6,
    "Spectrum-5": 94.93e6,
}
E1_KB = [
    ("64 x 800G", 1, 8, (4_503, 3_002)),
    ("64 x 800G", 1, 16, (2_251, 1_501)),
    ("64 x 800G", 1, 64, (562, 375)),
    ("64 x 800G", Fraction(1, 8), 8, (1_000, 900)),
    ("64 x 800G", Fraction(1, 8), 64, (125, 112)),
    ("128 x 400G", 1, 8, (3_442, 2_295)),
    ("128 x 400G", 1, 128, (215, 143)),
    ("256 x 200G", 1, 8, (3_811, 2_540)),
    ("256 x 200G", 1, 256, (119, 79)),
    ("Spectrum-4", 1, 8, (3_260, 2_173)),
    ("Spectrum-5", 1, 8, (5_933, 3_955)),
    ("Spectrum-5", 1, 512, (92, 61)),
]
"""ecn.md 2.2: device, alpha, congested queues → E1 in kB with one and with two lossless classes."""


@pytest.mark.parametrize(("device", "alpha", "queues", "kilobytes"), E1_KB)
def test_the_bound_of_ecn_2_2_is_what_netaudit_holds_kmax_below(
    device: str, alpha: Fraction | int, queues: int, kilobytes: tuple[int, int]
) -> None:
    for classes, printed in enumerate(kilobytes, start=1):
        outside = float(alpha) * SHARED[device] / (queues * (1 + float(alpha) * classes)) / 1_000
        assert outside == pytest.approx(printed, abs=1, rel=0.002)
        result = ecn(
            speed_mbps=800_000,
            rtt_ns=10_000,
            roce_mtu_bytes=4096,
            cell_bytes=CELL,
            shared_bytes=int(SHARED[device]),
            alpha=Fraction(alpha),
            lossless_classes=classes,
            congested_queues=queues,
        )
        bound = next(float(term.value) for term in result.terms if term.name == "ECN before PFC (E1)")
        assert bound / 1_000 == pytest.approx(outside, rel=1e-6)
        assert result.kmax_bytes <= 800 * outside


@pytest.mark.parametrize(
    ("gbps", "shared", "classes", "kmin_kb", "kmax_kb"),
    [
        (25, 1e12, 1, 67.056, 156.210),
        (100, 1e12, 1, 125.222, 499.872),
        (400, 55.08e6, 2, 500.126, 1_835),
        (800, 72.06e6, 2, 1_000.252, 2_401),
        (800, 52.16e6, 2, 869, 1_738),
    ],
)
def test_the_rule_of_ecn_5_gives_the_same_outside(
    gbps: int, shared: float, classes: int, kmin_kb: float, kmax_kb: float
) -> None:
    bdp, e1 = gbps / 8 * 10_000, shared / (8 * (1 + classes))
    kmin = max(bdp, 16 * (4_096 + 82))
    kmax = min(4 * kmin, 0.8 * e1, gbps / 8 * 50_000)
    kmin = kmax / 2 if kmax < 2 * kmin else kmin
    assert kmin / 1_000 == pytest.approx(kmin_kb, rel=0.01)
    assert kmax / 1_000 == pytest.approx(kmax_kb, rel=0.01)
    result = ecn(
        speed_mbps=gbps * 1_000,
        rtt_ns=10_000,
        roce_mtu_bytes=4096,
        cell_bytes=CELL,
        shared_bytes=int(shared),
        alpha=Fraction(1),
        lossless_classes=classes,
    )
    assert 0 <= result.kmin_bytes - kmin < CELL
    assert 0 <= kmax - result.kmax_bytes < CELL
