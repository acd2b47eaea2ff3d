"""A deep-buffer block behind a long link: thresholds of its own, for its round trip, and what the near end is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from netaudit.checks import ecn
from netaudit.checks.design import Design, design
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.expect.classes import classes
from netaudit.fabric import build
from tests.intent.example import read, small


def across(folder: Path, length: str, model: str = "arista-7280r4-32qf-32df") -> Design:
    block = (
        f"{{id: 1, model: {model}, platform: sonic, count: 1, to: spine, links: 1, speed: 400G, cable: {length} lr4}}"
    )
    buffers = "{shallow: {headroom: computed}, deep: {headroom: computed, packets: bulk}}"
    return design(Expected(build(read(folder, small(blocks=f"{{wan: {block}}}", buffers=buffers)))))


def thresholds(found: Design, device: str | None) -> tuple[int, int]:
    (kind,) = (kind for kind in classes(found.intent) if kind.body.ecn is not None)
    box = found.fabric.devices[device] if device is not None else None
    result = found.expected.wide.marking(kind, 400_000, box)
    return result.kmin_bytes, result.kmax_bytes


@pytest.mark.parametrize("length_km", [2, 10, 40])
def test_a_deep_buffer_marks_by_the_round_trip_of_its_long_link(length_km: int, tmp_path: Path) -> None:
    found = across(tmp_path, f"{length_km}km")
    # ecn.md 3 and 5: 86 m of fibre between hosts, three switches, NICs, and the link there and back; 400G is 50 B/ns
    rtt_ns = 2 * 86 * 5 + 2 * 3 * 800 + 3_000 + 2 * length_km * 1_000 * 5
    kmin, kmax = thresholds(found, "a-wan1")
    assert 0 <= kmin - 50 * rtt_ns < 4_096
    # the delay cap of a deep buffer is 200 us, or four round trips of a long link: 4 x Kmin is what binds
    assert 0 <= 4 * 50 * rtt_ns - kmax < 4_096
    assert thresholds(found, "a-spine1") == thresholds(found, None)


def test_what_a_deep_switch_is_given_is_what_it_is_expected_to_have(tmp_path: Path) -> None:
    found = across(tmp_path, "10km")
    wred = found.expected.device("a-wan1").qos.wred["ROCE-400G"]  # type: ignore[union-attr,index]
    marking = wred.colours["green"]  # type: ignore[index,union-attr]
    assert (marking.kmin_bytes, marking.kmax_bytes) == thresholds(found, "a-wan1")


@pytest.mark.parametrize(("length", "words"), [("10km", "over 10,000 m of wan-spine: kmin"), ("1km", "")])
def test_the_near_end_of_a_long_link_is_told_that_it_marks_too_early(length: str, words: str, tmp_path: Path) -> None:
    told = list(ecn.far(across(tmp_path, length)))
    assert [(d.rule, d.severity) for d in told] == ([("ECN-04", Severity.WARNING)] if words else [])
    assert all(words in d.message and "a round trip 109 us" in d.message for d in told)
    assert all(d.source is not None and d.source.line == 10 for d in told)
