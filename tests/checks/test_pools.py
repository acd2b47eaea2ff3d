"""A leaf of 64 × 800G, at 5, 40, 300 and 2,000 m, in one and two classes: what headroom.md 4.4 and 4.5 say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.checks import Checked, check, room
from netaudit.checks.budget import Budget, budgets
from netaudit.checks.design import Design, design
from netaudit.diag import Diagnostic
from netaudit.expect import Expected
from netaudit.fabric import build
from tests.intent.example import read

ONE = "roce: {dscp: [26], priority: 3, lossless: true, share: 60%, ecn: auto}"
TWO = (
    "roce: {dscp: [26], priority: 3, lossless: true, share: 30%, ecn: auto}, "
    "kv: {dscp: [27], priority: 4, lossless: true, share: 30%, ecn: auto}"
)
PORTS, TH5_BYTES, KEPT_BYTES = 64, 173_268_640, 2 * 37 * 254
"""Each group of a Tomahawk 5 keeps two frames of 37 cells beside its headroom."""


def leaf(folder: Path, length_m: int, classes: int, buffers: str, model: str = "dell-z9864f") -> Design:
    """Two leaves whose 64 ports of 800G all have cables of that length: 60 to hosts, 4 to spines."""
    text = f"""\
schema: 1
fabric: t
planes: [a]
rails: 1
units: {{su1: {{hosts: 60}}, su2: {{hosts: 60}}}}
hosts: {{nic: cx8, speed: 800G}}
leaf: {{model: {model}, platform: sonic}}
spine: {{model: {model}, platform: sonic, count: 4, links: 1, speed: 800G}}
cables: {{host-leaf: {length_m}m dr8, leaf-spine: {length_m}m dr8}}
traffic: {{{ONE if classes == 1 else TWO}, default: {{share: 40%}}}}
buffers: {{shallow: {buffers}}}
"""
    return design(Expected(build(read(folder, text))))


def of_leaf(found: Design) -> Budget:
    return next(b for b in budgets(found) if b.load.role == "leaf")


def told(found: Design) -> list[tuple[str, str]]:
    return [(str(d.severity), d.message) for d in room.fit(found) if "leaves" in d.message]


SAID: dict[tuple[int, int, str], tuple[float, str | None]] = {
    (5, 1, "worst-case"): (27, None),
    (5, 2, "worst-case"): (54, "warning"),
    (40, 1, "worst-case"): (31, "warning"),
    (40, 2, "worst-case"): (62, "warning"),
    (300, 1, "worst-case"): (60, "warning"),
    (300, 2, "worst-case"): (120, "error"),
    (2_000, 1, "worst-case"): (250, "error"),
    (2_000, 2, "worst-case"): (499, "error"),
    (5, 1, "bulk"): (9, None),
    (5, 2, "bulk"): (19, None),
    (40, 1, "bulk"): (11, None),
    (40, 2, "bulk"): (22, None),
    (300, 1, "bulk"): (21, None),
    (300, 2, "bulk"): (41, "warning"),
    (2_000, 1, "bulk"): (86, "warning"),
    (2_000, 2, "bulk"): (171, "error"),
}
"""headroom.md 4.4: (metres, classes, packets) → percent of the chip, and what follows with phi = 30 %."""


@pytest.mark.parametrize(("length_m", "classes", "packets"), SAID)
def test_a_leaf_of_64_ports_is_told_what_the_table_says(
    length_m: int, classes: int, packets: str, tmp_path: Path
) -> None:
    percent, severity = SAID[length_m, classes, packets]
    found = leaf(tmp_path, length_m, classes, f"{{headroom: computed, packets: {packets}}}")
    budget = of_leaf(found)
    xoff_bytes = budget.headroom_bytes - classes * PORTS * KEPT_BYTES
    assert 100 * xoff_bytes / TH5_BYTES == pytest.approx(percent, rel=0.012, abs=0.6)
    assert [severity for severity, _ in told(found)] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("ratio", "classes", "length_m", "severity"),
    [
        # headroom.md 4.5, worst case: r = 2 reaches 300 m with one class and 30 m with two, r = 4 835 m and 300 m
        (2, 1, 280, None),
        (2, 1, 320, "warning"),
        (2, 2, 20, None),
        (2, 2, 40, "warning"),
        (4, 1, 800, None),
        (4, 1, 900, "warning"),
        (4, 2, 280, None),
        (4, 2, 320, "warning"),
    ],
)
def test_a_shared_headroom_pool_reaches_as_far_as_4_5_says(
    ratio: int, classes: int, length_m: int, severity: str | None, tmp_path: Path
) -> None:
    found = leaf(tmp_path, length_m, classes, f"{{headroom: computed, shared_headroom: {ratio}}}")
    assert [severity for severity, _ in told(found)] == ([severity] if severity else [])
    assert list(room.sharing(found)) == []


@pytest.mark.parametrize(("phi", "severity"), [("60%", "warning"), ("62%", None), ("100%", None)])
def test_phi_is_the_intents(phi: str, severity: str | None, tmp_path: Path) -> None:
    found = leaf(tmp_path, 300, 1, f"{{headroom: computed, phi: {phi}}}")
    assert [severity for severity, _ in told(found)] == ([severity] if severity else [])
    assert all(f"above {phi.replace('%', ' %')} little is left" in message for _, message in told(found))


def test_a_refusal_names_what_costs_most_and_ways_out_with_their_numbers(tmp_path: Path) -> None:
    found = leaf(tmp_path, 300, 2, "{headroom: computed}")
    (refusal,) = (d for d in room.fit(found) if "leaves" in d.message)
    assert "60 × host-leaf, 800G over 300 m: 196.8 MB" in refusal.message
    ways = refusal.hint.removeprefix("each alone would do: ").split("; ")
    assert [way.partition(" (")[0] for way in ways] == [
        "host-leaf at most 196 m",
        "headroom: computed, packets: bulk",
        "headroom: computed, shared_headroom: 4",
        "1 lossless class",
        "no lossless class, ECN alone",
    ]
    assert "headroom: computed, packets: bulk (74.9 MB, 43 %)" in ways
    assert "1 lossless class (105.8 MB, 61 %)" in ways


@pytest.mark.parametrize(
    ("buffers", "classes"),
    [
        ("{headroom: computed, packets: bulk}", 2),
        ("{headroom: computed, shared_headroom: 4}", 2),
        ("{headroom: computed}", 1),
    ],
)
def test_each_way_out_does_make_it_fit(buffers: str, classes: int, tmp_path: Path) -> None:
    assert not [d for d in room.fit(leaf(tmp_path, 300, classes, buffers)) if str(d.severity) == "error"]


def test_unused_ports_cost_nothing(tmp_path: Path) -> None:
    found = leaf(tmp_path, 300, 1, "{headroom: computed}")
    spine = next(b for b in budgets(found) if b.load.role == "spine")
    group = of_leaf(found).headroom_bytes // PORTS
    assert spine.headroom_bytes == 2 * group, "two leaves, two ports with a cable of 64"


def sharing(folder: Path, length_m: int, classes: int, model: str) -> list[Diagnostic]:
    return list(room.sharing(leaf(folder, length_m, classes, "{headroom: published}", model)))


def test_a_published_pool_is_judged_by_the_groups_that_share_it(tmp_path: Path) -> None:
    # Dell's table and template of Tomahawk 5: 1,621,536 B a group at 300 m, 33,374,584 B shared: 6.15 to 1
    assert sharing(tmp_path, 40, 1, "dell-z9864f") == []
    (leaves,) = sharing(tmp_path, 300, 2, "dell-z9864f")
    assert (str(leaves.severity), leaves.rule) == ("warning", "HDR-06")
    assert (
        "16,687,292 B is over-subscribed 6.15 times and holds 10 full groups in each of the 2 parts" in leaves.message
    )


@pytest.mark.parametrize(("ratio", "severity"), [(4, None), (5, "warning"), (8, "warning"), (9, "error")])
def test_a_shared_headroom_pool_is_judged_by_its_ratio(ratio: int, severity: str | None, tmp_path: Path) -> None:
    found = leaf(tmp_path, 40, 1, f"{{headroom: computed, shared_headroom: {ratio}}}")
    told_of_leaves = [d for d in room.sharing(found) if "leaves" in d.message]
    assert [str(d.severity) for d in told_of_leaves] == ([severity] if severity else [])
    own = leaf(tmp_path, 40, 1, "{headroom: computed, shared_headroom: 1}")
    assert list(room.sharing(own)) == [], "each group of these has its own"


def test_a_pool_holds_two_full_groups_however_few_ports_share_it(tmp_path: Path) -> None:
    found = leaf(tmp_path, 40, 1, "{headroom: computed, shared_headroom: 4}")
    spine = next(b for b in budgets(found) if b.load.role == "spine")
    # two ports with a cable: a quarter of two groups would be half of one
    assert spine.shared_bytes == spine.beyond_bytes
    assert not [d for d in room.sharing(found) if "spines" in d.message]


def test_a_checked_fabric_prints_phi_sharing_and_packets_with_a_refusal(tmp_path: Path) -> None:
    found: Checked = check(leaf(tmp_path, 2_000, 1, "{headroom: computed, phi: 25%}").expected)
    assert "headroom computed, worst-case packets; each group has its own; phi 25 %" in found.tables[0]
