"""What is kept of a device for a rollback: all that a push changes, and nothing that belongs to others."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from netaudit.platforms import Files
from netaudit.platforms.sonic import candidate, equal, kept
from netaudit.platforms.sonic.write import OWNS
from platforms.test_candidate import FACTORY, OLD_FRR, RENDERED, RUNNING

AREAS = tuple(OWNS)
Tables = dict[str, dict[str, dict[str, str]]]


def files(*changes: Mapping[str, object], frr: str = OLD_FRR) -> Files:
    """A switch as found, with other tables."""
    database: dict[str, object] = dict(FACTORY)
    for change in changes:
        database |= change
    return {"config_db.json": json.dumps(database), "frr.conf": frr}


def tables(of: Files) -> Tables:
    found: Tables = json.loads(of["config_db.json"])
    return found


def test_a_rollback_brings_back_every_byte_that_the_push_replaced() -> None:
    new = candidate(RENDERED, RUNNING, AREAS)
    assert not equal(new, RUNNING), "the push changes nothing, and the test says nothing"
    assert equal(candidate(kept(RUNNING, RENDERED, AREAS), new, AREAS), RUNNING)


def test_no_secret_of_somebody_else_is_kept() -> None:
    running = files({"SNMP_COMMUNITY": {"s3cret": {"TYPE": "RO"}}, "TACPLUS": {"global": {"passkey": "pass99"}}})
    text = "".join(kept(running, RENDERED, AREAS).values())
    assert "s3cret" not in text
    assert "pass99" not in text
    assert "NTP_SERVER" not in text


def test_what_a_second_engineer_changed_after_the_push_survives_the_rollback() -> None:
    running = files(
        {"SNMP_COMMUNITY": {"aaa": {"TYPE": "RO"}, "bbb": {"TYPE": "RO"}}, "SYSLOG_SERVER": {"192.0.2.5": {}}}
    )
    before = kept(running, RENDERED, AREAS)
    after = tables(candidate(RENDERED, running, AREAS))
    after["SNMP_COMMUNITY"] = {"bbb": {"TYPE": "RW"}}
    del after["SYSLOG_SERVER"]
    after["NTP_SERVER"] = {"192.0.2.6": {}}
    after["PORT"]["Ethernet0"]["tpid"] = "0x9100"
    back = tables(candidate(before, {"config_db.json": json.dumps(after), "frr.conf": RENDERED["frr.conf"]}, AREAS))
    assert back["SNMP_COMMUNITY"] == {"bbb": {"TYPE": "RW"}}
    assert "SYSLOG_SERVER" not in back
    assert back["NTP_SERVER"] == {"192.0.2.6": {}}
    assert back["PORT"]["Ethernet0"]["tpid"] == "0x9100", "a field of a row of ours that no leaf stands for is theirs"
    assert back["PORT"]["Ethernet0"]["speed"] == "800000", "and the row is as it was before the push"


def test_a_row_that_the_push_removes_comes_back_whole() -> None:
    running = files({"VLAN": {"Vlan42": {"vlanid": "42", "dhcp_servers": "192.0.2.1"}}})
    new = candidate(RENDERED, running, AREAS)
    assert "Vlan42" not in tables(new).get("VLAN", {})
    back = candidate(kept(running, RENDERED, AREAS), new, AREAS)
    assert tables(back)["VLAN"]["Vlan42"] == {"vlanid": "42", "dhcp_servers": "192.0.2.1"}


def test_a_table_that_only_the_push_fills_is_empty_again() -> None:
    rendered = tables(RENDERED)
    rendered["SWITCH_HASH"] = {"GLOBAL": {"ecmp_hash": "SRC_IP"}}
    ours: Files = {**RENDERED, "config_db.json": json.dumps(rendered)}
    new = candidate(ours, RUNNING, AREAS)
    assert "SWITCH_HASH" in tables(new)
    assert "SWITCH_HASH" not in tables(candidate(kept(RUNNING, ours, AREAS), new, AREAS))


@pytest.mark.parametrize("area", AREAS)
def test_of_an_area_that_is_not_ours_nothing_is_kept_and_nothing_comes_back(area: str) -> None:
    owns = tuple(one for one in AREAS if one != area)
    before = kept(RUNNING, RENDERED, owns)
    shared = {table for one in owns for table in OWNS[one]}
    assert not ({*OWNS[area]} - shared) & tables(before).keys()
    if area == "bgp":
        assert before["frr.conf"] == ""
    assert equal(candidate(before, candidate(RENDERED, RUNNING, owns), owns), RUNNING)
