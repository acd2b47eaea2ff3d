"""Headroom that the switch computes: its names, what each store shows of it, and what is the switch's own affair."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from netaudit.platforms import Answer, Answers, sonic
from netaudit.platforms.sonic.dynamic import PARAMETER, PATTERN
from netaudit.render import render
from netaudit.state import ABSENT, Computing, Device, Store
from netaudit.state.walk import Kind, differences
from platforms.example import devices, in_stores

from . import answers_sonic

DYNAMIC = devices()[3]
LEAF = DYNAMIC.name
UPLINK, HOST = "pg_lossless_800000_40m_mtu9216_profile", "pg_lossless_400000_5m_mtu9216_profile"


def whole() -> Device:
    """The switch with what is not configured."""
    stores = in_stores(LEAF)[Store.STATE]
    return replace(DYNAMIC, lldp=stores.lldp, routes=stores.routes)


def asked() -> Answers:
    """Its answers, the two tables among them that only such a switch is asked for."""
    found = answers_sonic.answers(dict.fromkeys(Store, whole()))
    tables = json.loads(render(DYNAMIC)["config_db.json"])
    return {**found, **{name: Answer(text=json.dumps(tables[name])) for name in (PARAMETER, PATTERN)}}


def told(answers: Answers, store: Store) -> list[tuple[str, Kind]]:
    seen = sonic.read(answers, LEAF).stores[store]
    return [(".".join(d.path), d.kind) for d in differences(whole(), seen, sonic.held(store, DYNAMIC))]


@pytest.mark.parametrize(
    ("speed", "length", "mtu", "lanes", "box", "name"),
    [
        (800_000, 40, 9216, 8, "x86_64-nvidia_sn5600-r0", "pg_lossless_800000_40m_mtu9216_profile"),
        (800_000, 40, 9100, 8, "x86_64-nvidia_sn5600-r0", "pg_lossless_800000_40m_profile"),
        (400_000, 5, 9100, 8, "x86_64-nvidia_sn5600-r0", "pg_lossless_400000_5m_8lane_profile"),
        (400_000, 5, 9216, 4, "ACS-SN5600", "pg_lossless_400000_5m_mtu9216_profile"),
        (400_000, 5, 9100, 8, "x86_64-mlnx_msn4700-r0", "pg_lossless_400000_5m_profile"),
        (100_000, 5, 9100, 8, "x86_64-mlnx_msn4700-r0", "pg_lossless_100000_5m_8lane_profile"),
        (100_000, 5, 9100, 8, "x86_64-nvidia_sn6600_ld-r0", "pg_lossless_100000_5m_profile"),
        (100_000, 5, 9100, 4, "", "pg_lossless_100000_5m_profile"),
    ],
)
def test_a_profile_has_the_name_that_buffermgrd_gives_it(
    speed: int, length: int, mtu: int, lanes: int, box: str, name: str
) -> None:
    assert sonic.computed_profile(speed, length, mtu, lanes, box) == name


def test_the_configuration_binds_groups_to_null_and_has_no_profile_and_no_size_of_what_is_computed() -> None:
    database = json.loads(render(DYNAMIC)["config_db.json"])
    assert database["DEVICE_METADATA"]["localhost"]["buffer_model"] == "dynamic"
    assert {row["profile"] for key, row in database["BUFFER_PG"].items() if key.endswith("|3")} == {"NULL"}
    assert not any(name.startswith("pg_lossless") for name in database["BUFFER_PROFILE"])
    assert [name for name, row in database["BUFFER_POOL"].items() if "size" in row] == ["egress_lossless_pool"]
    assert not any("xoff" in row for row in database["BUFFER_POOL"].values())
    assert database[PARAMETER] == {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "2"}}
    assert database[PATTERN] == {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}}


@pytest.mark.parametrize("store", list(Store))
def test_each_store_shows_all_that_it_can_hold_of_a_switch_that_computes(store: Store) -> None:
    assert sonic.read(asked(), LEAF).problems == ()
    assert told(asked(), store) == []


def test_such_a_switch_alone_is_asked_what_it_computes_for() -> None:
    assert [query.id for query in sonic.raw_queries(DYNAMIC)] == [PARAMETER, PATTERN]
    assert sonic.raw_queries(devices()[0]) == ()


def test_what_it_computes_for_is_not_audited_where_nobody_asked() -> None:
    silent = {name: answer for name, answer in asked().items() if name != PATTERN}
    assert told(silent, Store.RUNNING) == [("buffers.computing", Kind.UNSEEN)]


def test_groups_are_not_audited_where_what_names_their_profile_was_not_seen() -> None:
    broken = {**asked(), "CABLE_LENGTH": Answer(text="{")}
    assert {path.rpartition(".")[2] for path, kind in told(broken, Store.RUNNING) if kind is Kind.UNSEEN} == {
        "cable_length_m",
        "groups",
    }


@pytest.mark.parametrize("length", ["0m", "", "x", "m"])
def test_a_port_without_a_length_gets_nothing_computed(length: str) -> None:
    files = render(DYNAMIC)
    database = json.loads(files["config_db.json"])
    database["CABLE_LENGTH"]["AZURE"]["Ethernet504"] = length
    if length in ("", "x", "m"):
        del database["CABLE_LENGTH"]["AZURE"]["Ethernet504"]
    read = sonic.read_config({**files, "config_db.json": json.dumps(database)}, LEAF)
    assert read.buffers is not None
    assert read.buffers.ports is not None
    assert (read.buffers.ports["64"].groups or {})["3"] == "NULL"


def test_null_is_no_headroom_in_the_traditional_model() -> None:
    files = render(DYNAMIC)
    database = json.loads(files["config_db.json"])
    database["DEVICE_METADATA"]["localhost"]["buffer_model"] = "traditional"
    read = sonic.read_config({**files, "config_db.json": json.dumps(database)}, LEAF)
    assert read.buffers is not None
    assert {(port.groups or {})["3"] for port in (read.buffers.ports or {}).values()} == {"NULL"}


@pytest.mark.parametrize(
    ("name", "key", "row"),
    [
        ("BUFFER_POOL_TABLE", "ingress_zero_pool", {"type": "ingress", "mode": "static", "size": "0"}),
        ("BUFFER_PROFILE_TABLE", "ingress_lossy_pg_zero_profile", {"pool": "ingress_zero_pool", "size": "0"}),
        ("BUFFER_PG_TABLE", "Ethernet256:0", {"profile": "ingress_lossy_pg_zero_profile"}),
        ("BUFFER_QUEUE_TABLE", "Ethernet256:0-7", {"profile": "[BUFFER_PROFILE_TABLE:egress_lossy_zero_profile]"}),
    ],
)
def test_what_is_bound_to_ports_that_are_down_is_the_switch_s_own_affair(
    name: str, key: str, row: dict[str, str]
) -> None:
    table = {**json.loads(asked()[name].text), key: row}
    assert told({**asked(), name: Answer(text=json.dumps(table))}, Store.APPLIED) == []


def test_a_profile_that_nobody_planned_is_found_in_both_stores() -> None:
    row = {"pool": "ingress_lossless_pool", "size": "1", "xon": "1", "xoff": "1", "dynamic_th": "0"}
    extra = [("buffers.profiles.pg_lossless_800000_300m_profile", Kind.EXTRA)]
    for store, name in ((Store.RUNNING, "BUFFER_PROFILE"), (Store.APPLIED, "BUFFER_PROFILE_TABLE")):
        table = {**json.loads(asked()[name].text), "pg_lossless_800000_300m_profile": row}
        assert told({**asked(), name: Answer(text=json.dumps(table))}, store) == extra


def test_less_headroom_than_expected_is_seen_where_it_is_applied() -> None:
    table = json.loads(asked()["BUFFER_PROFILE_TABLE"].text)
    table[UPLINK]["xoff"] = "1024"
    found = told({**asked(), "BUFFER_PROFILE_TABLE": Answer(text=json.dumps(table))}, Store.APPLIED)
    assert found == [(f"buffers.profiles.{UPLINK}.xoff_bytes", Kind.WRONG)]


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (PATTERN, {"mtu": "large"}),
        (PARAMETER, {"default_dynamic_th": "99"}),
        (PARAMETER, {"over_subscribe_ratio": "1_0"}),
    ],
)
def test_what_is_no_number_is_told_by_its_table_and_never_taken_for_one(table: str, row: dict[str, str]) -> None:
    broken = {**asked(), table: Answer(text=json.dumps({"AZURE": row}))}
    assert [query for query, _ in sonic.read(broken, LEAF).problems] == [table]
    assert {kind for _, kind in told(broken, Store.RUNNING)} == {Kind.UNSEEN}


def test_a_ratio_of_none_is_no_shared_headroom() -> None:
    none = json.dumps({"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}})
    assert told({**asked(), PARAMETER: Answer(text=none)}, Store.RUNNING) == [
        ("buffers.computing.oversubscription", Kind.MISSING)
    ]


def test_two_rows_where_the_switch_takes_one_or_the_other_are_none() -> None:
    files = render(DYNAMIC)
    database = json.loads(files["config_db.json"])
    database[PATTERN]["OTHER"] = {"mtu": "4096", "small_packet_percentage": "50"}
    read = sonic.read_config({**files, "config_db.json": json.dumps(database)}, LEAF)
    assert read.buffers is not None
    assert isinstance(read.buffers.computing, Computing)
    assert (read.buffers.computing.lossless_mtu_bytes, read.buffers.computing.small_packet_percent) == (ABSENT, ABSENT)
    assert any(
        "OTHER" in problem or PATTERN in problem for problem in sonic.problems({"config_db.json": json.dumps(database)})
    )
