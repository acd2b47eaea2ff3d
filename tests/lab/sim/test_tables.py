"""What the databases show, in the form that Redis and gNMI give it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.sim.conftest import Lab
from netaudit.diag import Invalid
from netaudit.lab.sim.cabling import read_lab
from netaudit.lab.sim.database import config_text, find, hash_of, read_config
from netaudit.lab.sim.serve import boot_fabric
from netaudit.lab.sim.tables import Tables, table


def rows(lab: Lab, database: str, name: str, switch: str = "leaf1") -> Tables:
    return table(lab.fabric, lab.switch(switch), database, name)


def test_an_empty_row_and_a_list_are_as_redis_keeps_them(lab: Lab) -> None:
    assert rows(lab, "CONFIG_DB", "INTERFACE")["Ethernet0"] == {"NULL": "NULL"}
    assert rows(lab, "CONFIG_DB", "MGMT_INTERFACE")["eth0|192.0.2.9/24"]["forced_mgmt_routes@"] == "198.51.100.0/24"


def test_the_port_table_says_what_is_and_has_its_pseudo_keys(lab: Lab) -> None:
    found = rows(lab, "APPL_DB", "PORT_TABLE")
    assert {"PortConfigDone", "PortInitDone"} <= set(found)
    up = found["Ethernet56"]
    assert {key: up[key] for key in ("admin_status", "oper_status", "speed", "mtu", "fec", "alias")} == {
        "admin_status": "up",
        "oper_status": "up",
        "speed": "800000",
        "mtu": "9216",
        "fec": "rs",
        "alias": "etp8",
    }
    assert found["Ethernet8"]["oper_status"] == "down"
    assert rows(lab, "STATE_DB", "PORT_TABLE")["Ethernet56"]["netdev_oper_status"] == "up"


def test_the_port_table_has_the_fields_of_a_real_one(lab: Lab, shared: Path) -> None:
    real = json.loads((shared / "field/real/gnmi/sonic_port_table.json").read_text(encoding="utf-8"))
    ours = rows(lab, "APPL_DB", "PORT_TABLE")["Ethernet56"]
    assert set(ours) <= set().union(*real.values()) | {"subport"}


def test_buffers_of_appl_db_follow_the_configuration(lab: Lab) -> None:
    assert rows(lab, "APPL_DB", "BUFFER_PG_TABLE")["Ethernet56:3"] == {"profile": "pg_lossless_800000_40m_profile"}
    assert rows(lab, "APPL_DB", "BUFFER_POOL_TABLE") == rows(lab, "CONFIG_DB", "BUFFER_POOL")
    assert rows(lab, "APPL_DB", "BUFFER_PROFILE_TABLE") == rows(lab, "CONFIG_DB", "BUFFER_PROFILE")
    assert rows(lab, "APPL_DB", "BUFFER_QUEUE_TABLE") == {}


def test_a_group_that_the_dynamic_model_would_compute_is_not_programmed(lab: Lab) -> None:
    lab.patch("leaf1", ("add", "/BUFFER_PG/Ethernet8|3", {"profile": "NULL"}))
    assert "Ethernet8:3" not in rows(lab, "APPL_DB", "BUFFER_PG_TABLE")


def test_serial_and_mac_are_in_the_eeprom_table(lab: Lab) -> None:
    found = rows(lab, "STATE_DB", "EEPROM_INFO")
    assert (found["0x23"]["Value"], found["0x24"]["Value"]) == ("MTleaf1", "02:00:00:00:00:01")


def test_bgpmon_reports_every_peer(lab: Lab) -> None:
    assert rows(lab, "STATE_DB", "NEIGH_STATE_TABLE")["Ethernet56"] == {"peerType": "e-BGP", "state": "Established"}


def test_counters_are_there_and_stand_still(lab: Lab) -> None:
    counters = rows(lab, "COUNTERS_DB", "COUNTERS")["Ethernet56"]
    assert set(counters.values()) == {"0"}
    assert "SAI_PORT_STAT_PFC_7_TX_PKTS" in counters
    (oids,) = rows(lab, "COUNTERS_DB", "COUNTERS_PORT_NAME_MAP").values()
    assert set(oids) == set(lab.switch("leaf1").config["PORT"])


def test_what_is_not_there_is_empty(lab: Lab) -> None:
    assert rows(lab, "APPL_DB", "NOPE") == rows(lab, "ASIC_DB", "ASIC_STATE") == rows(lab, "CONFIG_DB", "VLAN") == {}


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ((), {"a|b": {"x": "1"}, "a": {"y": "2"}}),
        (("a",), {"y": "2"}),
        (("a", "b"), {"x": "1"}),
        (("a|b",), {"x": "1"}),
        (("a|b", "x"), "1"),
        (("a", "b", "x"), "1"),
        (("a", "y"), "2"),
        (("a", "z"), None),
        (("c",), None),
    ],
)
def test_elements_are_parts_of_the_key_first_and_a_field_last(steps: tuple[str, ...], wanted: object) -> None:
    assert find({"a|b": {"x": "1"}, "a": {"y": "2"}}, steps, "|") == wanted


def test_numbers_in_a_config_become_text_as_the_loader_does_it() -> None:
    assert read_config('{"PORT": {"Ethernet0": {"mtu": 9100}}}', "x") == {"PORT": {"Ethernet0": {"mtu": "9100"}}}


def test_every_problem_of_a_config_is_named_at_once() -> None:
    with pytest.raises(Invalid) as refused:
        read_config('{"A": 1, "B": {"x": 1}, "C": {"x": {"y": true, "z": [1]}}}', "f")
    assert [problem.message for problem in refused.value.diagnostics] == [
        "f: table A is not a JSON object",
        "f: B|x is not a JSON object",
        "f: C|x: the value of y is neither text nor a list of texts",
        "f: C|x: the value of z is neither text nor a list of texts",
    ]


def test_real_configurations_are_read_and_written_without_loss(shared: Path) -> None:
    for path in sorted((shared / "data/sonic-real").glob("*.json")):
        config = read_config(path.read_text(encoding="utf-8"), path.name)
        again = read_config(config_text(config), path.name)
        assert again == {name: content for name, content in config.items() if content}, path.name
        assert all(
            isinstance(value, str)
            for content in config.values()
            for row in content.values()
            for value in hash_of(row).values()
        )


def lab_with(tmp_path: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


GOOD = '{"fabric": "f", "devices": {"leaf1": {"platform": "sonic"}}}'


@pytest.mark.parametrize(
    ("files", "messages"),
    [
        ({}, ["lab.json cannot be read", "lab.json is no lab", "cables.csv cannot be read", "lacks the columns a, b"]),
        ({"lab.json": "[]", "cables.csv": "a,b\n"}, ["lab.json is no lab"]),
        (
            {"lab.json": '{"fabric": "f", "devices": {"x": {"platform": "dos"}}}', "cables.csv": "a,b\n"},
            ["x is dos, which the simulator does not know"],
        ),
        ({"lab.json": GOOD, "cables.csv": "x,b\n"}, ["lacks the columns a"]),
        ({"lab.json": GOOD, "cables.csv": "a,b\nleaf1,leaf1:2\n"}, ["an end is not device:port"]),
        ({"lab.json": GOOD, "cables.csv": "a,b\nh1:r1/a,h2:r1/a\n"}, ["neither h1:r1/a nor h2:r1/a is a switch"]),
        ({"lab.json": GOOD, "cables.csv": "a,b\nh1:r1/a,leaf1:1\nh2:r1/a,leaf1:1\n"}, ["leaf1:1 is taken by line 2"]),
    ],
)
def test_a_lab_that_cannot_be_read_says_all_that_is_wrong(
    tmp_path: Path, files: dict[str, str], messages: list[str]
) -> None:
    with pytest.raises(Invalid) as refused:
        read_lab(lab_with(tmp_path, files))
    found = sorted(problem.message for problem in refused.value.diagnostics)
    assert len(found) == len(messages)
    assert all(any(message in one for one in found) for message in messages)


def test_a_cable_of_a_host_may_stand_either_way_round(tmp_path: Path) -> None:
    (cable,) = read_lab(lab_with(tmp_path, {"lab.json": GOOD, "cables.csv": "b,a\nh1:r1/a,leaf1:1\n"})).cables
    assert (str(cable.a), str(cable.b)) == ("h1:r1/a", "leaf1:1")


def test_every_box_that_cannot_boot_is_named(tmp_path: Path) -> None:
    devices = {name: {"platform": "sonic"} for name in ("leaf1", "leaf2", "leaf3")}
    eeprom = '{"serial": "1", "mac": "2", "platform": "3", "hwsku": "4"}'
    labdir = lab_with(
        tmp_path,
        {
            "lab.json": json.dumps({"fabric": "f", "devices": devices}),
            "cables.csv": "a,b\n",
            "devices/leaf1/eeprom.json": "{}",
            "devices/leaf2/eeprom.json": eeprom,
            "devices/leaf3/eeprom.json": eeprom,
            "devices/leaf3/etc/sonic/config_db.json": "{",
        },
    )
    with pytest.raises(Invalid) as refused:
        boot_fabric(labdir)
    assert len(refused.value.diagnostics) == 3
