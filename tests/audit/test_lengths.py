"""Cables that are not as long as the headroom at their ends assumes (CAB-07)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.world import Fault, audited, concluded, healthy, observations, setting, told, two_plane
from netaudit.audit.audit import audit
from netaudit.diag import Severity
from netaudit.state import ABSENT, Store
from netaudit.state.length import same_length

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
HOST_PORT = f"{LEAF}:1/1"


def plug(end: str, length_m: object) -> Fault:
    device, _, port = end.partition(":")
    return setting(device, f"ports.{port}.cable_m", length_m, Store.STATE)


@pytest.mark.parametrize(
    ("assumed_m", "told_m", "same"),
    [
        (3.0, 3.0, True),
        (3.0, 3.3, True),
        (3.0, 3.4, False),
        (2.5, 3.0, True),  # whole metres may be rounded
        (0.5, 1.0, True),
        (3.0, 4.0, False),
        (2.0, 1.5, False),
        (40.0, 44.0, True),
        (40.0, 44.5, False),
        (40.0, 46.0, False),
        (320.0, 325.0, True),
        (320.0, 325.5, False),  # 1.7 %, and more than 5 m
        (320.0, 314.0, False),
    ],
)
def test_lengths_are_the_same_within_ten_percent_and_five_metres(assumed_m: float, told_m: float, same: bool) -> None:
    assert same_length(assumed_m, told_m) is same


def test_a_longer_cable_to_a_host_is_an_error_for_its_headroom_does_not_cover_it() -> None:
    result = audited(plug(HOST_PORT, 7.0))
    (finding,) = result.findings
    assert (finding.rule, finding.object, finding.severity) == ("CAB-07", HOST_PORT, Severity.ERROR)
    assert f"The cable su1-h1:r1/a – {HOST_PORT} is 7 m long by its plug at {HOST_PORT}, not 3 m" in finding.title
    assert "made for 5 m" in finding.effect
    assert result.exit_code() == 2
    (line,) = finding.comparisons
    assert (line.expected, line.observed, line.queries) == (
        "3.0",
        {"state": "7.0"},
        ("gNMI STATE_DB TRANSCEIVER_INFO",),
    )


def test_both_plugs_of_one_cable_are_one_finding_with_both_ends() -> None:
    (finding,) = audited(plug(f"{LEAF}:64", 60.0), plug(f"{SPINE}:1", 60.0)).findings
    assert finding.rule == "CAB-07"
    assert set(finding.devices) == {LEAF, SPINE}
    assert finding.objects == (f"{LEAF}:64 – {SPINE}:1",)
    assert len(finding.comparisons) == 2


def test_a_shorter_cable_is_a_warning() -> None:
    result = audited(plug(f"{LEAF}:64", 10.0), plug(f"{SPINE}:1", 10.0))
    (finding,) = result.findings
    assert finding.severity is Severity.WARNING
    assert "lies idle" in finding.effect
    assert result.exit_code() == 0


def test_a_length_that_the_rounded_up_profile_still_covers_is_a_warning() -> None:
    (finding,) = audited(plug(HOST_PORT, 5.0)).findings
    assert finding.severity is Severity.WARNING
    assert "still covers it" in finding.effect


@pytest.mark.parametrize("seen", [ABSENT, 3.0, 3.2])
def test_what_a_plug_does_not_tell_or_tells_closely_enough_is_no_finding(seen: object) -> None:
    result = audited(plug(HOST_PORT, seen))
    assert told(result) == []
    assert result.exit_code() == 0


def test_plugs_that_were_not_read_are_not_audited() -> None:
    result = audited(plug(HOST_PORT, None))
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, "state ports")]
    assert result.exit_code() == 3


def test_three_cables_of_a_class_with_the_same_other_length_are_one_finding() -> None:
    ports = ("1/1", "1/2", "2/1")
    (finding,) = audited(*(plug(f"{LEAF}:{port}", 7.0) for port in ports)).findings
    assert finding.title == "3 cables host-leaf are 7 m long by their plugs, not 3 m"
    assert len(finding.objects) == len(finding.comparisons) == 3
    several = audited(*(plug(f"{LEAF}:{port}", length) for port, length in zip(ports, (7.0, 8.0, 9.0), strict=True)))
    assert [f.rule for f in several.findings] == ["CAB-07"] * 3


def test_two_plugs_that_disagree_are_one_finding_that_says_both() -> None:
    (finding,) = audited(plug(f"{LEAF}:64", 60.0), plug(f"{SPINE}:1", 90.0)).findings
    assert "60 m and 90 m long by its plugs, not 34 m" in finding.title


def test_a_length_that_nobody_can_believe_is_listed_and_counts_for_nothing() -> None:
    expected = two_plane()
    why = "its plug tells 65535 m, and 6,300 m is the most that an EEPROM can say"
    seen = [replace(o, doubts=(("1/1", why),)) if o.device == LEAF else o for o in observations(healthy(expected))]
    result = audit(expected, seen, seen[0].read_at)
    assert (told(result), result.exit_code()) == ([], 0)
    assert [(u.what, u.where, u.reason) for u in result.unverifiable if u.what.startswith("how")] == [
        ("how long the cable is", (HOST_PORT,), why)
    ]


def test_the_healthy_fabric_has_no_finding() -> None:
    assert told(concluded(two_plane(), healthy(two_plane()))) == []
