"""SWITCH_TRIMMING and SWITCH_HASH, as the YANG models and a second engineer know them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from oracles import sonic_yang

from netaudit.expect import Expected
from netaudit.fabric import build
from netaudit.platforms.sonic import candidate, steps
from netaudit.platforms.sonic.switching import read_hash, read_trimming, write_switching
from netaudit.render import render
from netaudit.state import ABSENT, Qos, Trimming
from tests.intent.example import read, small

TRAFFIC = (
    "{roce: {dscp: [26], queue: 3, share: 60%, ecn: auto, trim: {dscp: 11}},"
    " trimmed: {dscp: [11], queue: 7, strict: true, cap: 10%},"
    " control: {dscp: [48], queue: 6, strict: true, cap: 5%, carries: [cnp, bgp, bfd]}, default: {share: 40%}}"
)


def rendered(folder: Path, **changes: str) -> dict[str, str]:
    return dict(render(Expected(build(read(folder, small(**changes)))).device("a-su1-r1-leaf")))


def test_what_is_rendered_passes_the_yang_models(tmp_path: Path) -> None:
    files = rendered(tmp_path, traffic=TRAFFIC, load_balancing="{hash: [five-tuple]}")
    assert sonic_yang.problems(json.loads(files["config_db.json"])) == []


def test_a_class_that_trims_has_its_own_profile_and_the_switch_its_one_row(tmp_path: Path) -> None:
    tables = json.loads(rendered(tmp_path, traffic=TRAFFIC)["config_db.json"])
    assert tables["SWITCH_TRIMMING"] == {"GLOBAL": {"size": "128", "dscp_value": "11", "queue_index": "7"}}
    assert tables["BUFFER_PROFILE"]["q_trim_profile"]["packet_discard_action"] == "trim"
    users = {key.partition("|")[2] for key, row in tables["BUFFER_QUEUE"].items() if row["profile"] == "q_trim_profile"}
    assert users == {"3"}
    lists = ("BUFFER_PG", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST")
    assert "q_trim_profile" not in json.dumps([tables[name] for name in lists]), "orchagent would refuse it there"


def test_nothing_is_said_of_either_where_the_intent_does_not(tmp_path: Path) -> None:
    tables = json.loads(rendered(tmp_path)["config_db.json"])
    assert {"SWITCH_TRIMMING", "SWITCH_HASH"} & tables.keys() == set()
    assert "q_trim_profile" not in tables["BUFFER_PROFILE"]


def with_tables(files: dict[str, str], **tables: object) -> dict[str, str]:
    return {**files, "config_db.json": json.dumps(json.loads(files["config_db.json"]) | tables)}


def test_a_hash_of_the_platform_s_own_stays_and_foreign_trimming_goes(tmp_path: Path) -> None:
    plain = rendered(tmp_path)
    theirs = {"GLOBAL": {"ecmp_hash": ["SRC_IP", "DST_IP"], "lag_hash": ["SRC_IP"]}}
    running = with_tables(plain, SWITCH_HASH=theirs, SWITCH_TRIMMING={"GLOBAL": {"size": "64"}})
    made = json.loads(candidate(plain, running, ("qos",))["config_db.json"])
    assert made["SWITCH_HASH"] == theirs
    assert "SWITCH_TRIMMING" not in made


def test_a_hash_that_the_intent_says_replaces_that_field_only(tmp_path: Path) -> None:
    ours = rendered(tmp_path, load_balancing="{hash: [five-tuple]}")
    running = with_tables(ours, SWITCH_HASH={"GLOBAL": {"ecmp_hash": ["SRC_IP"], "lag_hash": ["SRC_IP"]}})
    made = json.loads(candidate(ours, running, ("qos",))["config_db.json"])["SWITCH_HASH"]["GLOBAL"]
    assert made["lag_hash"] == ["SRC_IP"]
    assert made["ecmp_hash"] == ["SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_SRC_PORT", "L4_DST_PORT"]


def test_a_hash_that_comes_interrupts_nothing(tmp_path: Path) -> None:
    before, after = rendered(tmp_path), rendered(tmp_path, load_balancing="{hash: [five-tuple]}")
    assert str(steps(before, after, "1").impact) == "none"


@pytest.mark.parametrize(
    ("row", "dscp", "queue"),
    [
        ({"size": "128", "dscp_value": "11", "queue_index": "7"}, 11, 7),
        ({"size": "128", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "dynamic"}, ABSENT, ABSENT),
        ({"size": "128"}, ABSENT, ABSENT),
    ],
)
def test_words_in_place_of_numbers_are_no_planned_number(row: dict[str, str], dscp: object, queue: object) -> None:
    assert read_trimming({"GLOBAL": dict(row)}) == Trimming(size_bytes=128, dscp=dscp, queue=queue)  # type: ignore[arg-type]


def test_what_was_not_seen_is_not_absent() -> None:
    assert read_trimming(None) is None
    assert read_hash(None) is None
    assert read_trimming({}) is ABSENT
    assert read_hash({}) is ABSENT


def test_a_field_without_a_word_of_ours_is_written_and_read_back() -> None:
    qos = replace(Qos(), hash_fields=frozenset({"source-ip", "IN_PORT"}))
    row = write_switching(qos)["SWITCH_HASH"]
    assert row["GLOBAL"]["ecmp_hash"] == ["SRC_IP", "IN_PORT"]
    assert read_hash(row) == qos.hash_fields
    assert read_hash({"GLOBAL": {"ecmp_hash": "SRC_IP, IN_PORT"}}) == qos.hash_fields, "as older databases join lists"
