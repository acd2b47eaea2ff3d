"""Field cases A01 to A04: headroom, the PFC watchdog, the DSCP chain and ECN thresholds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from field.site import LEAF, audited, put, rules, told_by, two_classes
from netaudit.checks import check
from netaudit.diag import Severity
from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.platforms import sonic
from tests.intent.example import problems, read, small

LOSSLESS = "pg_lossless_400000_5m_profile"
LOSSY = "ingress_lossy_profile"


def judged(tables: object) -> list[str]:
    return list(sonic.problems({"config_db.json": json.dumps(tables)}))


# Case A01, PFC on, no headroom


def switch(**groups: str) -> dict[str, Any]:
    """A config_db.json with three ports that have PFC on 3 and 4; `e0_3="x"` binds a group of Ethernet0."""
    ports = ("Ethernet0", "Ethernet8", "Ethernet16")
    bound = {f"Ethernet{key[1:].replace('_', '|')}": {"profile": profile} for key, profile in groups.items()}
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf", "buffer_model": "traditional"}},
        "PORT": {p: {"lanes": str(n), "speed": "100000", "admin_status": "up"} for n, p in enumerate(ports)},
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "40m")},
        "PORT_QOS_MAP": {p: {"pfc_enable": "3,4"} for p in ports},
        "BUFFER_POOL": {"in": {"type": "ingress", "mode": "dynamic", "size": "9000000", "xoff": "4000000"}},
        "BUFFER_PROFILE": {
            "pg_lossless_100000_40m_profile": {
                "pool": "in",
                "size": "18432",
                "xon": "18432",
                "xoff": "177152",
                "dynamic_th": "0",
            },
            LOSSY: {"pool": "in", "size": "0", "dynamic_th": "3"},
        },
        "BUFFER_PG": {**{f"{p}|0": {"profile": LOSSY} for p in ports}, **bound},
    }


GOOD = "pg_lossless_100000_40m_profile"


def test_pfc_without_a_lossless_group_is_told_of_the_port_and_of_no_other() -> None:
    told = judged(switch(**{"e8_3-4": GOOD, "e16_3": GOOD, "e16_4": LOSSY}))
    about = [line for line in told if "headroom" in line]
    assert [line.partition(" ")[0].partition(":")[0] for line in about] == [
        "PORT_QOS_MAP|Ethernet0",
        "PORT_QOS_MAP|Ethernet0",
        "BUFFER_PG|Ethernet16|4",
    ]
    assert "priority 3" in about[0]
    assert "priority 4" in about[1]
    assert not any("Ethernet8" in line for line in told)


def test_the_switch_of_the_case_is_told_the_same(original_json: Callable[[str], Any]) -> None:
    told = [line for line in judged(original_json("A01/observed_config_db.json")) if "headroom" in line]
    assert {line.partition(" ")[0].partition(":")[0] for line in told} == {
        "PORT_QOS_MAP|Ethernet4",
        "BUFFER_PG|Ethernet12|4",
    }


def test_a_missing_lossless_group_is_one_finding_of_its_port() -> None:
    gone = put(**{"Ethernet0|3": None})
    result = audited({LEAF: {"BUFFER_PG": gone}})
    assert rules(result) == [("HDR-02", f"{LEAF}:1/1")]
    assert result.findings[0].severity is Severity.ERROR


def test_a_lossless_priority_on_a_lossy_profile_is_one_finding_of_its_port() -> None:
    def rebound(groups: Any) -> None:
        groups["Ethernet4|3"] = groups.pop("Ethernet4|3-4")
        groups["Ethernet4|4"] = {"profile": LOSSY}

    result = audited({"a-su1-r1-leaf": {"BUFFER_PG": rebound}}, expected=two_classes())
    assert [rule for rule, _ in rules(result)] == ["HDR-02"]
    assert result.findings[0].objects == (f"{LEAF}:1/2",)


SPELLINGS: dict[str, Callable[[str], dict[str, str]]] = {
    "a list": lambda profile: {"3,4": profile},
    "one by one": lambda profile: {"3": profile, "4": profile},
    "a reference of 2020": lambda profile: {"3-4": f"[BUFFER_PROFILE|{profile}]"},
    "one by one, by old references": lambda profile: dict.fromkeys("34", f"[BUFFER_PROFILE|{profile}]"),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("query", ["BUFFER_PG", "BUFFER_PG_TABLE", "saved"])
def test_a_group_is_the_same_in_every_spelling(spelling: Callable[[str], dict[str, str]], query: str) -> None:
    bar = ":" if query == "BUFFER_PG_TABLE" else "|"

    def respelled(tree: Any) -> None:
        groups = tree["BUFFER_PG"] if query == "saved" else tree
        for key in [key for key in groups if key.endswith(f"{bar}3-4")]:
            profile = groups.pop(key)["profile"]
            port = key.partition(bar)[0]
            groups.update({f"{port}{bar}{n}": {"profile": p} for n, p in spelling(profile).items()})

    given = told_by(LEAF, two_classes())
    assert f"{bar}3-4" in given[query].text, "else this tests nothing"
    result = audited({LEAF: {query: respelled}}, expected=two_classes())
    assert (rules(result), result.not_audited) == ([], ())


def test_a_variant_rows_of_several_ports_and_ranges_of_queues_are_the_same() -> None:
    """SONiC's own templates of 2018 write `Ethernet0,Ethernet4|0`, and `0-2` for three queues of one profile."""

    def folded(tree: Any) -> None:
        ports = [key.partition("|")[0] for key in tree if key.endswith("|0")]
        profile = tree[f"{ports[0]}|0"]["profile"]
        for port in ports:
            del tree[f"{port}|0"]
        tree[",".join(ports) + "|0"] = {"profile": f"[BUFFER_PROFILE|{profile}]"}

    result = audited({LEAF: {"BUFFER_PG": folded, "BUFFER_QUEUE": folded}})
    assert (rules(result), result.not_audited) == ([], ())


def test_a_group_that_the_switch_computes_is_not_missing_in_the_dynamic_model_only() -> None:
    tables = switch(**{"e0_3-4": "NULL", "e8_3-4": "NULL", "e16_3-4": "NULL"})
    assert [line for line in judged(tables) if "headroom" in line] != []
    tables["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
    tables["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0"}}
    tables["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}}
    assert [line for line in judged(tables) if "headroom" in line] == []


# Case A02, the watchdog polls slower than it must detect

STORM = {
    "PFC_WD": {
        "GLOBAL": {"POLL_INTERVAL": "400"},
        "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "300"},
        "Ethernet8": {"action": "drop", "detection_time": "400", "restoration_time": "400"},
    }
}


def test_an_intent_whose_poll_is_slower_than_detection_and_restoration_is_refused_for_both(tmp_path: Path) -> None:
    told = problems(tmp_path, small(pfc="{watchdog: {poll: 500ms, detect: 200ms, restore: 400ms}}"))
    assert [(d.severity, d.source.line if d.source else 0) for d in told] == [(Severity.ERROR, 10)] * 2
    assert ["200ms" in d.message for d in told] == [True, False]
    assert ["400ms" in d.message for d in told] == [False, True]


def test_a_poll_equal_to_both_times_is_a_good_one(tmp_path: Path) -> None:
    assert problems(tmp_path, small(pfc="{watchdog: {poll: 500ms, detect: 500ms, restore: 500ms}}")) == ()


def test_a_watchdog_table_that_cannot_see_a_storm_is_told_for_each_time() -> None:
    assert [line.partition(":")[0] for line in judged(STORM)] == [
        "PFC_WD|Ethernet0 detection_time",
        "PFC_WD|Ethernet0 restoration_time",
    ]


def test_the_table_of_the_case_is_told_the_same(original_json: Callable[[str], object]) -> None:
    told = judged(original_json("A02/observed_config_db.json"))
    assert [line.partition(":")[0] for line in told] == [
        "PFC_WD|Ethernet0 detection_time",
        "PFC_WD|Ethernet0 restoration_time",
    ]


def test_a_slower_poll_on_the_switch_is_one_finding() -> None:
    result = audited({LEAF: {"PFC_WD": put("GLOBAL", POLL_INTERVAL="500")}})
    assert rules(result) == [("WD-05", f"{LEAF} qos.watchdog_poll_ms")]


def test_a_variant_restoration_alone_is_shorter_than_the_poll(tmp_path: Path) -> None:
    """The default poll follows detection, and a restoration shorter than that is as blind."""
    intent = read(tmp_path, small(pfc="{watchdog: {detect: 400ms, restore: 150ms}}"))
    told = [d for d in check(Expected(build(intent))).diagnostics if d.severity is Severity.ERROR]
    assert [d.rule for d in told] == ["WD-05"]
    assert "150ms" in told[0].message


# Case A03, the stock DSCP map

STOCK = {str(n): "1" for n in range(64)} | {"3": "3", "4": "4", "46": "5", "48": "6"}


def stock(tree: Any) -> None:
    """Every map of the switch as SONiC ships it: DSCP 3 and 4 alone reach traffic classes 3 and 4."""
    for name in tree:
        tree[name] = dict(STOCK)


def test_a_stock_dscp_map_is_an_error_that_names_the_code_point_the_class_and_the_queue() -> None:
    result = audited({LEAF: {"DSCP_TO_TC_MAP": stock}})
    assert [f.rule for f in result.findings] == ["QOS-02"]
    first = result.findings[0]
    assert first.severity is Severity.ERROR
    assert first.effect.startswith("DSCP 26 → traffic class 1 → queue 1 (lossy)")
    assert "queue 3 (lossless)" in first.effect


def test_a_code_point_that_is_not_mapped_is_no_mapping_and_not_class_0() -> None:
    def less(tree: Any) -> None:
        for row in tree.values():
            row.pop("26")

    result = audited({LEAF: {"DSCP_TO_TC_MAP": less}})
    assert [f.rule for f in result.findings] == ["QOS-02"]
    assert "DSCP 26 → no mapping" in result.findings[0].effect
    assert [c.observed["running"] for c in result.findings[0].comparisons] == ["absent"]


def test_a_variant_the_chain_breaks_behind_the_class() -> None:
    """DSCP 26 is in traffic class 3 as planned, and the class is in another queue: the pause hits the wrong one."""

    def misqueued(tree: Any) -> None:
        for row in tree.values():
            row["3"] = "1"

    result = audited({LEAF: {"TC_TO_QUEUE_MAP": misqueued}})
    assert [f.rule for f in result.findings] == ["QOS-03"]
    assert "traffic class 3" in result.findings[0].effect


# Case A04, minimum above maximum


def with_ecn(*profiles: str) -> str:
    classes = (
        "{a: {dscp: [26], priority: 3, lossless: true, share: 40%, ecn: %s},"
        " b: {dscp: [27], priority: 4, lossless: true, share: 30%, ecn: %s}, default: {share: 30%}}"
    )
    for profile in profiles:
        classes = classes.replace("%s", profile, 1)
    return small(traffic=classes)


def test_a_minimum_above_the_maximum_and_more_than_100_percent_are_refused_in_one_run(tmp_path: Path) -> None:
    told = problems(
        tmp_path, with_ecn("{kmin: 2048kB, kmax: 1024kB, pmax: 5%}", "{kmin: 150kB, kmax: 1500kB, pmax: 101%}")
    )
    assert sorted("kmin" in d.message for d in told) == [False, True]
    assert any("101" in d.message for d in told)


def test_equal_thresholds_and_100_percent_are_good(tmp_path: Path) -> None:
    text = with_ecn("{kmin: 1024kB, kmax: 1024kB, pmax: 100%}", "{kmin: 1KiB, kmax: 1.5MB, pmax: 1%}")
    assert problems(tmp_path, text) == ()


def test_a_swapped_profile_in_a_file_is_told() -> None:
    row = {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "9", "green_max_threshold": "8"}
    wred = {"WRED_PROFILE": {"X": {**row, "wred_yellow_enable": "true", "wred_red_enable": "true"}}}
    assert any("green_min_threshold: 9 is above the maximum 8" in line for line in judged(wred))


@pytest.mark.parametrize("text", ["{kmin: 0.5B, kmax: 1kB, pmax: 1%}", "{kmin: -1kB, kmax: 1kB, pmax: 1%}"])
def test_a_variant_a_threshold_is_a_whole_number_of_bytes(text: str, tmp_path: Path) -> None:
    assert problems(tmp_path, with_ecn(text, "auto")) != ()
