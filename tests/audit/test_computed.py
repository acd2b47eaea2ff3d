"""Headroom that the switches compute, against what was expected: less is an error, more is told, and causes take it."""

from __future__ import annotations

import pytest

from audit.world import INTENT, audited, concluded, healthy, setting, stores, told, vanished
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.intent import load
from netaudit.platforms import sonic
from netaudit.state import ABSENT, Store

LEAF = "a-su1-r1-leaf"
HOST = "pg_lossless_400000_3m_mtu9216_profile"
AT = f"buffers.profiles.{HOST}"


@pytest.fixture(scope="module")
def computing(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    folder = tmp_path_factory.mktemp("computing")
    (folder / "two-plane").mkdir()
    for table in ("devices.csv", "cables.csv"):
        (folder / "two-plane" / table).write_bytes((INTENT.parent / "two-plane" / table).read_bytes())
    file = folder / "fabric.yml"
    text = INTENT.read_text(encoding="utf-8")
    file.write_text(text.replace("headroom: published", "headroom: dynamic"), encoding="utf-8")
    return Expected(build(load(file)))


def test_a_fabric_that_computes_what_is_expected_has_no_finding(computing: Expected) -> None:
    result = audited(expected=computing)
    assert (told(result), result.not_audited) == ([], ())


def test_no_store_of_a_switch_that_computes_shows_the_result_but_the_applied_one(computing: Expected) -> None:
    seen = stores(computing, LEAF)
    for store in (Store.RUNNING, Store.SAVED):
        buffers = seen[store].buffers
        assert buffers is not None
        assert (buffers.profiles or {})[HOST] is None
        assert (buffers.ports or {})["1/1"].groups == {"0": "ingress_lossy_profile", "3": HOST}
    applied = seen[Store.APPLIED].buffers
    assert applied is not None
    assert (applied.profiles or {})[HOST].xoff_bytes == 228_352


@pytest.mark.parametrize(
    ("field", "value", "severity", "word"),
    [
        ("xoff_bytes", 228_351, Severity.ERROR, "less"),
        ("xoff_bytes", 228_353, Severity.INFO, "more"),
        ("xon_bytes", 1, Severity.ERROR, "less"),
        ("size_bytes", 999_999_999, Severity.INFO, "more"),
    ],
)
def test_less_than_the_formula_gives_is_an_error_and_more_is_told(
    computing: Expected, field: str, value: int, severity: Severity, word: str
) -> None:
    (finding,) = audited(setting(LEAF, f"{AT}.{field}", value, Store.APPLIED), expected=computing).findings
    assert (finding.rule, finding.object, finding.severity) == ("HDR-03", f"{LEAF} {AT}.{field}", severity)
    assert finding.title.startswith(f"The switch computed {word} headroom than planned")


def test_what_one_number_has_too_much_does_not_make_up_for_another(computing: Expected) -> None:
    faults = (
        setting(LEAF, f"{AT}.xoff_bytes", 1, Store.APPLIED),
        setting(LEAF, f"{AT}.size_bytes", 10**9, Store.APPLIED),
    )
    (finding,) = audited(*faults, expected=computing).findings
    assert (finding.rule, finding.severity) == ("HDR-03", Severity.ERROR)


def test_a_table_that_is_right_and_not_programmed_is_still_said_so() -> None:
    profile = "buffers.profiles.pg_lossless_400000_5m_profile.xoff_bytes"
    (finding,) = audited(setting(LEAF, profile, 999_999, Store.APPLIED)).findings
    assert (finding.rule, finding.severity) == ("HDR-03", Severity.ERROR)
    assert finding.title.endswith("configured, and not programmed")


def test_a_pattern_that_is_otherwise_takes_along_all_that_was_computed_from_it(computing: Expected) -> None:
    faults = (
        setting(LEAF, "buffers.computing.small_packet_percent", 50),
        *(
            setting(LEAF, f"buffers.profiles.{name}.xoff_bytes", 1, Store.APPLIED)
            for name in (HOST, "pg_lossless_800000_34m_mtu9216_profile")
        ),
    )
    result = audited(*faults, expected=computing)
    assert told(result) == [("HDR-03", f"{LEAF} buffers.computing.small_packet_percent")]
    assert len(result.findings[0].comparisons) == 3


def test_a_switch_in_the_traditional_model_is_one_finding(computing: Expected) -> None:
    faults = [
        setting(LEAF, "buffers.model", "traditional"),
        setting(LEAF, "buffers.computing", ABSENT),
        *(
            setting(LEAF, f"buffers.pools.{pool}.size_bytes", 1)
            for pool in ("ingress_lossless_pool", "egress_lossy_pool")
        ),
        setting(LEAF, "buffers.ports.1/1.groups.3", "pg_lossless_400000_5m_profile"),
        vanished(LEAF, AT, Store.APPLIED),
    ]
    assert told(audited(*faults, expected=computing)) == [("HDR-05", f"{LEAF} buffers.model")]


@pytest.mark.parametrize("leaf", ["ports.64.mtu_bytes", "ports.64.speed_mbps", "buffers.ports.64.cable_length_m"])
def test_a_port_that_is_otherwise_takes_its_headroom_along(computing: Expected, leaf: str) -> None:
    other = sonic.computed_profile(800_000, 34, 9100, 8, "x86_64-nvidia_sn5600-r0")
    everywhere = (Store.RUNNING, Store.SAVED, Store.APPLIED)
    value = {"mtu_bytes": 9100, "speed_mbps": 400_000, "cable_length_m": 5}[leaf.rpartition(".")[2]]
    faults = (setting(LEAF, leaf, value), setting(LEAF, "buffers.ports.64.groups.3", other, *everywhere))
    assert len(audited(*faults, expected=computing).findings) == 1


def test_a_group_that_got_nothing_takes_along_the_profile_that_nothing_else_uses(computing: Expected) -> None:
    spine_port = next(
        key
        for key, port in (computing.device(LEAF).buffers.ports or {}).items()
        if "38m" in str(port.groups)  # type: ignore[union-attr]
    )
    alone = "pg_lossless_800000_38m_mtu9216_profile"
    ports = [
        key for key, p in (computing.device(LEAF).buffers.ports or {}).items() if alone in (p.groups or {}).values()
    ]  # type: ignore[union-attr]
    assert spine_port in ports
    faults = [vanished(LEAF, f"buffers.ports.{key}.groups.3", Store.APPLIED) for key in ports]
    faults.append(vanished(LEAF, f"buffers.profiles.{alone}", Store.APPLIED))
    result = audited(*faults, expected=computing)
    assert {rule for rule, _ in told(result)} == {"HDR-02"}


def test_headroom_that_was_not_seen_is_not_audited(computing: Expected) -> None:
    world = healthy(computing)
    unseen = {
        **world,
        LEAF: {
            **world[LEAF],
            Store.APPLIED: setting(LEAF, "buffers", None, Store.APPLIED).shows(world)[LEAF][Store.APPLIED],
        },
    }
    result = concluded(computing, unseen)
    assert [(n.device, n.what) for n in result.not_audited] == [(LEAF, "applied buffers")]
