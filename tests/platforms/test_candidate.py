"""What a device shall hold: ours where an area is ours, the running configuration byte for byte elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from audit.world import two_plane

from netaudit.platforms import Answer, Files, Miss
from netaudit.platforms.sonic import candidate, diff, equal, running_files
from netaudit.platforms.sonic.tables import Unreadable
from netaudit.platforms.sonic.write import METADATA, MODELLED, OWNS
from netaudit.render import render
from platforms.answers_sonic import shown_by_vtysh
from platforms.example import LEAF, devices

RENDERED = render(two_plane().device(LEAF))
AREAS = tuple(OWNS)

FACTORY = {
    "DEVICE_METADATA": {
        "localhost": {
            "hostname": "sonic",
            "hwsku": "ACS-SN5600",
            "platform": "x86_64-nvidia_sn5600-r0",
            "mac": "0c:42:a1:00:00:01",
            "type": "LeafRouter",
            "bgp_asn": "65100",
            "docker_routing_config_mode": "separated",
            "buffer_model": "dynamic",
            "synchronous_mode": "enable",
            "default_pfcwd_status": "enable",
        }
    },
    "PORT": {
        "Ethernet0": {
            "lanes": "0,1,2,3,4,5,6,7",
            "speed": "800000",
            "index": "1",
            "tpid": "0x8100",
            "dom_polling": "on",
        }
    },
    "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65200", "name": "ARISTA01T2"}},
    "BUFFER_PROFILE": {"q_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "headroom_type": "static"}},
    "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}},
    "MGMT_INTERFACE": {"eth0|198.51.100.11/24": {"gwaddr": "198.51.100.1"}},
    "MGMT_PORT": {"eth0": {"alias": "eth0", "admin_status": "up"}},
    "NTP_SERVER": {"192.0.2.123": {}},
    "FEATURE": {"lldp": {"state": "enabled", "auto_restart": "enabled"}},
    "VERSIONS": {"DATABASE": {"VERSION": "version_202411_01"}},
}
"""A switch as it may be found: SONiC's own defaults, and what other people put there."""
OLD_FRR = "frr defaults traditional\nrouter bgp 65100\n neighbor 10.0.0.1 remote-as 65200\nexit\n"
RUNNING: Files = {"config_db.json": json.dumps(FACTORY, indent=4) + "\n", "frr.conf": OLD_FRR}


def tables(files: Files) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = json.loads(files["config_db.json"])
    return found


def test_tables_that_are_not_ours_survive() -> None:
    made = tables(candidate(RENDERED, RUNNING, AREAS))
    for name in ("MGMT_INTERFACE", "MGMT_PORT", "NTP_SERVER", "FEATURE", "VERSIONS"):
        assert made[name] == FACTORY[name]


def test_the_order_and_the_bytes_of_what_is_not_ours_are_the_same_twice() -> None:
    once = candidate(RENDERED, RUNNING, AREAS)
    assert candidate(RENDERED, once, AREAS) == once
    assert equal(once, candidate(RENDERED, once, AREAS))
    assert diff(once, candidate(RENDERED, once, AREAS)) == ()


def test_rows_beside_the_plan_in_an_area_of_ours_go() -> None:
    made = tables(candidate(RENDERED, RUNNING, AREAS))
    assert "scheduler.0" not in made["SCHEDULER"]
    assert "BGP_NEIGHBOR" not in made
    assert made["BUFFER_PROFILE"].keys() == tables(RENDERED)["BUFFER_PROFILE"].keys()


def test_fields_that_no_leaf_stands_for_stay_in_rows_of_ours() -> None:
    """Somebody set them for a reason that the intent has no words for (DESIGN.md, «SONiC, owns»)."""
    made = tables(candidate(RENDERED, RUNNING, AREAS))
    port = tables(RENDERED)["PORT"]["Ethernet0"]
    assert made["PORT"]["Ethernet0"] == {**port, "tpid": "0x8100", "dom_polling": "on"}
    assert made["BUFFER_PROFILE"]["q_lossy_profile"]["headroom_type"] == "static"


def test_a_field_that_a_leaf_stands_for_and_the_plan_has_not_goes() -> None:
    """A stale `autoneg` on a copper port is not managed and stays away from what we write; `fec` is ours."""
    running = {**FACTORY, "PORT": {"Ethernet512": {"index": "65", "fec": "rs", "description": "old"}}}
    files = {**RUNNING, "config_db.json": json.dumps(running)}
    made = tables(candidate(RENDERED, files, AREAS))
    assert "description" not in made["PORT"]["Ethernet512"]


def test_every_table_of_ours_keeps_a_foreign_field() -> None:
    """But the maps, whose fields are their entries: an entry too many is drift."""
    whole = tables(RENDERED)
    maps = {
        "DSCP_TO_TC_MAP",
        "TC_TO_QUEUE_MAP",
        "TC_TO_PRIORITY_GROUP_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "CABLE_LENGTH",
    }
    foreign = {t: {k: {**row, "vendor_field": "x"} for k, row in rows.items()} for t, rows in whole.items()}
    made = tables(candidate(RENDERED, {**RUNNING, "config_db.json": json.dumps(foreign)}, AREAS))
    kept = {t for t, rows in made.items() if all(row.get("vendor_field") == "x" for row in rows.values())}
    assert kept == whole.keys() - maps


def test_every_field_that_is_ever_written_is_known_as_ours() -> None:
    """Else a stale one would survive in the candidate for ever."""
    for device in devices():
        for table, rows in tables(render(device)).items():
            fields = {field for row in rows.values() for field in row}
            assert table == "DEVICE_METADATA" or table not in MODELLED or fields <= MODELLED[table], table


def test_facts_of_the_box_are_read_and_never_changed() -> None:
    made = tables(candidate(RENDERED, RUNNING, AREAS))["DEVICE_METADATA"]["localhost"]
    was, planned = FACTORY["DEVICE_METADATA"]["localhost"], tables(RENDERED)["DEVICE_METADATA"]["localhost"]
    ours = {field for fields in METADATA.values() for field in fields}
    assert ours == {"bgp_asn", "docker_routing_config_mode", "type", "buffer_model"}
    assert {f: v for f, v in made.items() if f not in ours} == {f: v for f, v in was.items() if f not in ours}
    assert {f: made[f] for f in ours} == {f: planned[f] for f in ours}


@pytest.mark.parametrize("area", AREAS)
def test_an_area_that_is_not_ours_is_left_alone(area: str) -> None:
    made = candidate(RENDERED, RUNNING, [a for a in AREAS if a != area])
    for table in OWNS[area]:
        assert tables(made).get(table) == FACTORY.get(table), table
    assert (made["frr.conf"] == OLD_FRR) == (area == "bgp")
    metadata = tables(made)["DEVICE_METADATA"]["localhost"]
    for field in METADATA.get(area, ()):
        assert metadata[field] == FACTORY["DEVICE_METADATA"]["localhost"][field]


def test_without_any_area_of_ours_nothing_changes() -> None:
    assert equal(candidate(RENDERED, RUNNING, ()), RUNNING)
    assert diff(RUNNING, candidate(RENDERED, RUNNING, ())) == ()


def test_every_table_that_is_rendered_is_of_an_area() -> None:
    owned = {table for area in OWNS.values() for table in area}
    assert tables(RENDERED).keys() - owned == {"DEVICE_METADATA"}


EQUAL: Mapping[str, tuple[str, str]] = {
    "another order of tables": ("config_db.json", json.dumps(dict(reversed(list(FACTORY.items()))))),
    "an empty table": ("config_db.json", json.dumps({**FACTORY, "VLAN": {}})),
    "FRR's own frame": ("frr.conf", shown_by_vtysh(OLD_FRR)),
    "blanks and comments": ("frr.conf", OLD_FRR.replace("\n", "  \n!\n")),
}


@pytest.mark.parametrize(("file", "text"), EQUAL.values(), ids=EQUAL)
def test_what_means_the_same_is_equal(file: str, text: str) -> None:
    assert equal(RUNNING, {**RUNNING, file: text})


def test_one_value_that_is_otherwise_is_one_line_of_the_diff() -> None:
    changed = {**FACTORY, "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "15"}}}
    other = {**RUNNING, "config_db.json": json.dumps(changed)}
    assert not equal(RUNNING, other)
    assert diff(RUNNING, other) == ("SCHEDULER|scheduler.0 weight  14 → 15",)


def test_rows_that_come_and_go_and_routing_lines_stand_in_the_diff() -> None:
    lines = diff(RUNNING, candidate(RENDERED, RUNNING, AREAS))
    assert "SCHEDULER|scheduler.0  removed" in lines
    assert "SCHEDULER|ROCE  added  type=DWRR weight=60" in lines
    assert "frr.conf - router bgp 65100" in lines
    assert "frr.conf + router bgp 4200000000" in lines


def _answers(**texts: str) -> dict[str, Answer]:
    whole = {"database": RUNNING["config_db.json"], "frr": shown_by_vtysh(OLD_FRR), "EEPROM_INFO": '{"Value": "MT1"}'}
    return {name: Answer(text=text) for name, text in (whole | texts).items()}


def test_the_running_configuration_is_files_again() -> None:
    files, serial = running_files(_answers())
    assert equal(files, RUNNING)
    assert serial == "MT1"
    assert "Building" not in files["frr.conf"]
    assert not files["frr.conf"].rstrip().endswith("end")


HALF = {
    "no database": {"database": ""},
    "a database that is cut off": {"database": RUNNING["config_db.json"][:400]},
    "a database without ports": {"database": '{"DEVICE_METADATA": {"localhost": {"hostname": "x"}}}'},
    "no routing configuration": {"frr": ""},
}


@pytest.mark.parametrize("texts", HALF.values(), ids=HALF)
def test_half_a_configuration_is_none(texts: dict[str, str]) -> None:
    """A candidate made from it would delete the rest."""
    with pytest.raises(Unreadable):
        running_files(_answers(**texts))


def test_a_query_that_failed_is_no_empty_configuration() -> None:
    for query in ("database", "frr"):
        asked = {**_answers(), query: Answer(miss=Miss.FAILED, reason="timed out")}
        with pytest.raises(Unreadable, match="timed out"):
            running_files(asked)


def test_a_switch_without_an_eeprom_has_no_serial_number() -> None:
    asked = {**_answers(), "EEPROM_INFO": Answer(miss=Miss.ABSENT)}
    assert running_files(asked)[1] == ""
