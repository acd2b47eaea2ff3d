"""VLANs on SONiC: what the tables say, what of them stays, and in which order a switch is taken from one to another."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from expect.test_attached_by_vlan import FOURTH, LEAF, TEXT
from fabric.made import fabric
from intent.example import small
from oracles.sonic_yang import problems as yang_problems

from netaudit import platforms
from netaudit.expect import Expected
from netaudit.lab.sim import gcu
from netaudit.platforms import Answer, Files, Impact, Miss, Steps
from netaudit.platforms.sonic import candidate, equal, read, read_config, steps
from netaudit.platforms.sonic.vlans import read_vlans
from netaudit.platforms.sonic.write import OWNS
from netaudit.render import render
from netaudit.state import Store, Vlan
from platforms import answers_sonic

Tables = dict[str, dict[str, dict[str, object]]]
KEYS = {"Ethernet0": "1/1", "Ethernet4": "1/2"}
IN_VLAN = render(Expected(fabric(FOURTH)).device(LEAF))
ROUTED = render(Expected(fabric(small())).device(LEAF))
AREAS = tuple(OWNS)
OF_SECOND_ENGINEER = {
    "VLAN": {"Vlan42": {"vlanid": "42", "dhcp_servers": ["192.0.2.1"]}},
    "VLAN_MEMBER": {"Vlan42|Ethernet192": {"tagging_mode": "untagged"}},
    "VLAN_INTERFACE": {"Vlan42": {}, "Vlan42|192.0.2.1/24": {}},
}
"""A VLAN of somebody else's on a spare port."""


def tables(files: Files) -> Tables:
    found: Tables = json.loads(files["config_db.json"])
    return found


def with_rows(files: Files, more: Mapping[str, Mapping[str, Mapping[str, object]]]) -> Files:
    """The files with rows beside those that are there."""
    found = tables(files)
    for table, rows in more.items():
        found[table] = {**found.get(table, {}), **{key: dict(row) for key, row in rows.items()}}
    return {**files, "config_db.json": json.dumps(found)}


def vlans(**rows: dict[str, dict[str, object]]) -> Mapping[str, Vlan] | None:
    return read_vlans({"VLAN": {}, "VLAN_MEMBER": {}, **rows}, KEYS)  # type: ignore[dict-item]


def test_the_tables_of_a_leaf_are_those_of_sonic() -> None:
    found = tables(IN_VLAN)
    assert found["VLAN"] == {"Vlan1000": {"vlanid": "1000"}}
    assert found["VLAN_MEMBER"] == {
        "Vlan1000|Ethernet0": {"tagging_mode": "untagged"},
        "Vlan1000|Ethernet4": {"tagging_mode": "untagged"},
    }
    assert found["VLAN_INTERFACE"] == {"Vlan1000": {}, "Vlan1000|10.0.0.9/29": {}}
    assert not {"Ethernet0", "Ethernet4"} & found["INTERFACE"].keys()
    assert not any(name.startswith("VLAN") for name in tables(ROUTED))


READ = {
    "a port without a mode, which vlanmgrd takes as untagged": ({"Vlan7|Ethernet0": {}}, {"1/1"}, set()),
    "a port that sends tags": ({"Vlan7|Ethernet0": {"tagging_mode": "tagged"}}, set(), {"1/1"}),
    "a port that sends tags of priority": ({"Vlan7|Ethernet0": {"tagging_mode": "priority_tagged"}}, set(), {"1/1"}),
    "a port channel, by its own name": ({"Vlan7|PortChannel1": {"tagging_mode": "tagged"}}, set(), {"PortChannel1"}),
    "a port that no row of PORT is of": ({"Vlan7|Ethernet9": {"tagging_mode": "untagged"}}, {"Ethernet9"}, set()),
}


@pytest.mark.parametrize("name", READ)
def test_members_are_read_as_vlanmgrd_takes_them(name: str) -> None:
    rows, members, tagged = READ[name]
    found = vlans(VLAN={"Vlan7": {"vlanid": "7"}}, VLAN_MEMBER=rows)  # type: ignore[arg-type]
    assert found == {"7": Vlan(members=frozenset(members), tagged=frozenset(tagged))}


def test_ports_of_a_vlan_without_a_row_are_in_none_and_are_seen_all_the_same() -> None:
    rows: dict[str, dict[str, object]] = {
        "Vlan7|Ethernet0": {"tagging_mode": "untagged"},
        "Vlan8|Ethernet4": {"tagging_mode": "tagged"},
    }
    assert vlans(VLAN={"Vlan7": {"vlanid": "7"}}, VLAN_MEMBER=rows) == {
        "7": Vlan(members=frozenset({"1/1"}), tagged=frozenset()),
        "8 (members only)": Vlan(members=frozenset(), tagged=frozenset({"1/2"})),
    }


@pytest.mark.parametrize("members", [["Ethernet0", "Ethernet4"], "Ethernet0,Ethernet4"])
def test_members_that_stand_in_the_row_of_an_old_configuration_are_untagged_ones(members: object) -> None:
    assert vlans(VLAN={"Vlan7": {"members": members}}) == {
        "7": Vlan(members=frozenset({"1/1", "1/2"}), tagged=frozenset())
    }


@pytest.mark.parametrize("table", ["VLAN", "VLAN_MEMBER"])
def test_a_table_that_was_not_seen_makes_vlans_not_seen_and_no_switch_without_them(table: str) -> None:
    device = Expected(fabric(FOURTH)).device(LEAF)
    answers = answers_sonic.answers(dict.fromkeys(Store, device))
    reading = read({**answers, table: Answer(miss=Miss.FAILED, reason="cut off")}, LEAF)
    assert reading.stores[Store.RUNNING].vlans is None
    assert reading.stores[Store.SAVED].vlans == device.vlans
    assert (table, "cut off") in reading.problems
    absent = read({**answers, table: Answer(miss=Miss.ABSENT)}, LEAF)
    assert set(absent.stores[Store.RUNNING].vlans or {}) == ({"1000 (members only)"} if table == "VLAN" else {"1000"})


def test_fields_of_a_vlan_that_no_leaf_stands_for_stay() -> None:
    own = {"dhcp_servers": ["192.0.2.1", "192.0.2.2"], "mtu": "9000", "vlanid": "1000"}
    running = with_rows(
        IN_VLAN,
        {"VLAN": {"Vlan1000": own}, "VLAN_INTERFACE": {"Vlan1000": {"proxy_arp": "enabled", "grat_arp": "enabled"}}},
    )
    made = tables(candidate(IN_VLAN, running, AREAS))
    assert made["VLAN"]["Vlan1000"] == own
    assert made["VLAN_INTERFACE"]["Vlan1000"] == {"proxy_arp": "enabled", "grat_arp": "enabled"}
    old = with_rows(IN_VLAN, {"VLAN": {"Vlan1000": {**own, "members": ["Ethernet0"]}}})
    assert tables(candidate(IN_VLAN, old, AREAS))["VLAN"]["Vlan1000"] == own, "the old field is in VLAN_MEMBER"


@pytest.mark.parametrize("planned", [IN_VLAN, ROUTED], ids=["vlan", "routed"])
def test_a_vlan_of_somebody_else_goes_where_addressing_is_ours_as_a_row_of_interface_does(planned: Files) -> None:
    stranger = {"INTERFACE": {"Ethernet200": {}, "Ethernet200|192.0.2.128/31": {}}}
    running = with_rows(planned, {**OF_SECOND_ENGINEER, **stranger})
    assert equal(candidate(planned, running, AREAS), planned)
    left = tables(candidate(planned, running, [area for area in AREAS if area != "addressing"]))
    assert {name: left[name] for name in ("VLAN", "VLAN_MEMBER", "VLAN_INTERFACE", "INTERFACE")} == {
        name: tables(running)[name] for name in ("VLAN", "VLAN_MEMBER", "VLAN_INTERFACE", "INTERFACE")
    }


def moved(running: Files, wanted: Files) -> Steps:
    return steps(running, wanted, "20261130T120000Z-7")


def patch_of(found: Steps) -> list[dict[str, object]]:
    operations: list[dict[str, object]] = json.loads(
        next(s.content for s in found.prepare if s.path.endswith("json-patch"))
    )
    return operations


def paths(found: Steps) -> list[str]:
    return [f"{operation['op']} {operation['path']}" for operation in patch_of(found)]


LESS = with_rows(IN_VLAN, {"INTERFACE": {"Ethernet0": {}, "Ethernet0|192.0.2.0/31": {}}})
LESS = {
    **LESS,
    "config_db.json": json.dumps(
        {
            **tables(LESS),
            "VLAN_MEMBER": {"Vlan1000|Ethernet4": {"tagging_mode": "untagged"}},
        }
    ),
}
"""A leaf whose first host has not moved into the VLAN yet."""


def test_a_port_leaves_its_interface_before_it_comes_into_the_vlan() -> None:
    assert paths(moved(LESS, IN_VLAN)) == [
        "remove /INTERFACE/Ethernet0|192.0.2.0~131",
        "remove /INTERFACE/Ethernet0",
        "add /VLAN_MEMBER/Vlan1000|Ethernet0",
    ]
    assert paths(moved(IN_VLAN, LESS)) == [
        "remove /VLAN_MEMBER/Vlan1000|Ethernet0",
        "add /INTERFACE/Ethernet0",
        "add /INTERFACE/Ethernet0|192.0.2.0~131",
    ]


def test_a_vlan_comes_before_its_ports_and_they_before_its_interface_and_goes_after_them() -> None:
    both = with_rows(IN_VLAN, OF_SECOND_ENGINEER)
    assert paths(moved(IN_VLAN, both)) == [
        "add /VLAN/Vlan42",
        "add /VLAN_MEMBER/Vlan42|Ethernet192",
        "add /VLAN_INTERFACE/Vlan42",
        "add /VLAN_INTERFACE/Vlan42|192.0.2.1~124",
    ]
    assert paths(moved(both, IN_VLAN)) == [
        "remove /VLAN_INTERFACE/Vlan42|192.0.2.1~124",
        "remove /VLAN_INTERFACE/Vlan42",
        "remove /VLAN_MEMBER/Vlan42|Ethernet192",
        "remove /VLAN/Vlan42",
    ]


def test_a_change_that_takes_hosts_out_of_their_vlan_is_no_change_without_impact() -> None:
    both = with_rows(IN_VLAN, OF_SECOND_ENGINEER)
    assert moved(both, IN_VLAN).impact is Impact.FLAP, "its ports are cut off"
    assert moved(IN_VLAN, both).impact is Impact.NONE, "it comes beside what is there"
    assert moved(LESS, IN_VLAN).impact is Impact.NONE
    assert moved(IN_VLAN, LESS).impact is Impact.FLAP


CHANGES = {
    "from a VLAN to a /31 a port": (IN_VLAN, ROUTED),
    "from a /31 a port to a VLAN": (ROUTED, IN_VLAN),
    "a port more": (LESS, IN_VLAN),
    "a VLAN of somebody else": (with_rows(IN_VLAN, OF_SECOND_ENGINEER), IN_VLAN),
    "a VLAN of somebody else on a routed leaf": (with_rows(ROUTED, OF_SECOND_ENGINEER), ROUTED),
    "another number": (
        render(Expected(fabric(FOURTH.replace("attach: vlan", "attach: vlan, vlan: 42"))).device(LEAF)),
        IN_VLAN,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_made_by_a_patch_that_gcu_takes_or_by_a_reload(name: str) -> None:
    running, wanted = CHANGES[name]
    found = moved(running, wanted)
    assert yang_problems(tables(wanted)) == []
    loads = [step.name for step in found.apply if step.name in ("apply patch", "reload")]
    if loads == ["reload"]:
        assert found.impact is Impact.DRAIN
        assert next(s.content for s in found.prepare if s.name == "upload config_db.json") == wanted["config_db.json"]
    else:
        assert loads == ["apply patch"]
        old: dict[str, dict[str, dict[str, object]]] = tables(running)
        made = gcu.apply_patch(old, patch_of(found)).config  # type: ignore[arg-type]
        assert {k: v for k, v in made.items() if v} == tables(wanted)
    assert moved(wanted, wanted) == Steps()


def test_an_sonic_switch_as_it_ships_for_a_rack_is_read_whole() -> None:
    """A ToR of SONiC's own: VLAN 1000 with DHCP relays, its ports untagged, a gateway of IPv4."""
    database = {
        "PORT": {name: {"lanes": str(n), "speed": "10000", "index": str(n)} for n, name in enumerate(KEYS, 1)},
        "VLAN": {"Vlan1000": {"dhcp_servers": ["192.0.0.1"], "members": list(KEYS), "vlanid": "1000"}},
        "VLAN_MEMBER": {f"Vlan1000|{name}": {"tagging_mode": "untagged"} for name in KEYS},
        "VLAN_INTERFACE": {"Vlan1000": {}, "Vlan1000|192.168.0.1/21": {}},
    }
    device = read_config({"config_db.json": json.dumps(database)}, "tor")
    assert device.vlans == {"1000": Vlan(members=frozenset(device.ports or {}), tagged=frozenset())}
    assert (device.interfaces or {})["Vlan1000"].addresses == {"192.168.0.1/21"}


def test_what_a_switch_of_both_families_renders_is_what_the_models_accept() -> None:
    expected = Expected(fabric(TEXT))
    for name in (LEAF, "a-su2-r1-leaf", "a-spine1"):
        files = render(expected.device(name))
        assert yang_problems(tables(files)) == []
        assert platforms.platform("sonic").problems(files) == ()
