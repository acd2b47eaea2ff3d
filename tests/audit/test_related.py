"""What follows from a difference on the same switch is no second finding, and what merely stands beside it is one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from audit.world import Fault, appearing, audited, setting, told, two_plane, vanished
from netaudit.audit.compare import compare
from netaudit.audit.observed import Observation
from netaudit.state import ABSENT, Failures, Marking, Profile, Store, Wred

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
OF_5M = Profile(pool="ingress_lossless_pool", size_bytes=1, alpha=Fraction(1), xoff_bytes=1)


def bound(port: str, profile: str) -> tuple[Fault, ...]:
    """buffermgrd bound a port to a profile that was not there before, and made it."""
    stores = (Store.RUNNING, Store.APPLIED)
    return (
        setting(LEAF, f"buffers.ports.{port}.groups.3", profile, *stores),
        appearing(LEAF, f"buffers.profiles.{profile}", OF_5M, *stores),
    )


def test_headroom_for_a_wrong_length_is_one_finding_with_group_and_profile() -> None:
    result = audited(setting(LEAF, "buffers.ports.64.cable_length_m", 5), *bound("64", "pg_lossless_800000_5m_profile"))
    assert told(result) == [("HDR-01", f"{LEAF}:64")]
    assert len(result.findings[0].comparisons) == 3


def test_headroom_that_follows_another_speed_is_one_finding() -> None:
    result = audited(setting(LEAF, "ports.64.speed_mbps", 400000), *bound("64", "pg_lossless_400000_40m_profile"))
    assert told(result) == [("INT-02", f"{LEAF}:64")]


def test_headroom_of_another_port_does_not_follow() -> None:
    result = audited(setting(LEAF, "ports.64.speed_mbps", 400000), *bound("63", "pg_lossless_400000_40m_profile"))
    assert told(result) == [("HDR-02", f"{LEAF}:63"), ("INT-02", f"{LEAF}:64")]


def test_a_profile_that_nobody_uses_is_a_finding_of_its_own() -> None:
    result = audited(
        setting(LEAF, "ports.64.mtu_bytes", 9100), appearing(LEAF, "buffers.profiles.old", OF_5M, Store.RUNNING)
    )
    assert told(result) == [("HDR-03", f"{LEAF} buffers.profiles.old"), ("INT-04", f"{LEAF}:64")]


def test_another_wred_profile_on_a_port_is_one_finding_with_the_profile() -> None:
    other = Wred(ecn=False, colours={"green": Marking(kmin_bytes=1, kmax_bytes=2, pmax_percent=5)})
    result = audited(appearing(LEAF, "qos.wred.AZURE", other), setting(LEAF, "qos.ports.64.queues.3.wred", "AZURE"))
    assert told(result) == [("ECN-07", f"{LEAF}:64")]
    assert len(result.findings[0].comparisons) == 2


def test_all_colours_of_a_profile_are_one_finding_at_the_profile() -> None:
    colours = ("green", "yellow", "red")
    result = audited(*(setting(LEAF, f"qos.wred.ROCE-800G.colours.{c}.kmax_bytes", 9**9) for c in colours))
    assert told(result) == [("ECN-03", f"{LEAF} qos.wred.ROCE-800G")]
    assert [c.observed["running"] for c in result.findings[0].comparisons] == [str(9**9)] * 3


def test_two_profiles_are_two_findings() -> None:
    result = audited(
        setting(LEAF, "qos.wred.ROCE-800G.colours.green.kmax_bytes", 9**9),
        setting(LEAF, "qos.wred.ROCE-400G.colours.green.kmax_bytes", 9**9),
    )
    assert [rule for rule, _ in told(result)] == ["ECN-03", "ECN-03"]


def test_a_minimum_above_the_planned_maximum_is_ecn_01() -> None:
    result = audited(setting(LEAF, "qos.wred.ROCE-800G.colours.green.kmin_bytes", 9**9))
    assert told(result) == [("ECN-01", f"{LEAF} qos.wred.ROCE-800G.colours.green.kmin_bytes")]


def test_entries_of_one_map_are_one_finding_whatever_their_values() -> None:
    result = audited(*(setting(LEAF, f"qos.dscp_to_tc.ROCE.{dscp}", dscp % 7 + 1) for dscp in (0, 1, 26)))
    assert told(result) == [("QOS-02", f"{LEAF} qos.dscp_to_tc.ROCE")]
    assert result.findings[0].effect.startswith("DSCP 26 →"), "the lossless one is what a person must read"


def test_an_entry_of_a_map_says_where_its_map_comes_from() -> None:
    """No origin names DSCP 26: the map it stands in has one."""
    result = audited(setting(LEAF, "qos.dscp_to_tc.ROCE.26", 0))
    (comparison,) = result.findings[0].comparisons
    assert comparison.derivation != ""
    assert comparison.source is not None
    assert comparison.source.file.endswith("two-plane.yml")


def test_a_watchdog_that_is_off_is_one_finding_with_its_row() -> None:
    result = audited(setting(LEAF, "qos.ports.64.watched", frozenset()), setting(LEAF, "qos.ports.64.watchdog", ABSENT))
    assert told(result) == [("WD-01", f"{LEAF}:64")]


def test_a_watchdog_that_is_off_everywhere_is_one_finding_with_its_poll() -> None:
    qos = two_plane().device(LEAF).qos
    assert qos is not None
    ports = [port for port, of in (qos.ports or {}).items() if of.watchdog]
    gone = [setting(LEAF, f"qos.ports.{port}.watchdog", ABSENT) for port in ports]
    result = audited(*gone, setting(LEAF, "qos.watchdog_poll_ms", ABSENT))
    assert [f.rule for f in result.findings] == ["WD-01"]
    assert len(result.findings[0].comparisons) == len(ports) + 1


def test_one_group_that_became_two_is_one_finding_of_its_port() -> None:
    result = audited(
        vanished(LEAF, "buffers.ports.64.groups.3"),
        appearing(LEAF, "buffers.ports.64.groups.3-4", "pg_lossless_800000_40m_profile"),
    )
    assert told(result) == [("HDR-02", f"{LEAF}:64")]


def test_a_missing_policy_of_two_sessions_is_one_finding() -> None:
    result = audited(*(setting(LEAF, f"bgp.neighbors.{port}.import_policy", ABSENT) for port in ("63", "64")))
    assert told(result) == [("BGP-11", f"{LEAF}:63")]
    assert result.findings[0].objects == (f"{LEAF}:63", f"{LEAF}:64")


def test_a_policy_is_shown_by_its_prefixes() -> None:
    result = audited(setting(LEAF, "bgp.policies.FABRIC-OUT.permits", frozenset()))
    assert "10.0.0.0/28" in result.findings[0].comparisons[0].expected
    assert "PolicyRule" not in result.findings[0].comparisons[0].expected


def test_what_was_seen_as_it_should_be_is_not_kept() -> None:
    """A fabric of 1,000 switches is held in memory until the audit ends: differences, facts and shared routes only."""
    expected = two_plane()
    planned = expected.routes(LEAF, Failures())
    whole = {store: expected.device(LEAF) for store in Store}
    copied = {key: replace(route) for key, route in planned.items()}
    whole[Store.STATE] = replace(whole[Store.STATE], routes=copied)
    kept = compare(expected, Observation(device=LEAF, stores=whole))
    assert (dict(kept.observation.stores), kept.stores, kept.running) == ({}, tuple(Store), None)
    assert kept.routes is not None
    assert all(route is planned[key] for key, route in kept.routes.items())
