"""What the answers of a switch become, store by store; and what is said where one of them cannot be used."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netaudit.platforms import Answer, Answers, Miss, eos
from netaudit.platforms.eos.answers import NOT_RUNNING, configuration
from netaudit.platforms.eos.answers_bgp import NOT_FOUND
from netaudit.platforms.eos.answers_json import Unreadable
from netaudit.state import ABSENT, BgpNeighbor, LldpNeighbor, Route, Store

RUNNING = """! Command: show running-config
! device: leaf1 (DCS-7060X6-64PE, EOS-4.36.1F)
!
hostname leaf1
!
interface Ethernet1/1
   speed 400g-4
   no switchport
   ip address 10.0.0.1/31
!
interface Ethernet1/5
   speed 400g-4
   no switchport
   ipv6 enable
!
interface Ethernet2/1
   speed 800g-8
   no switchport
   ipv6 enable
!
router bgp 65101
   neighbor FABRIC peer group
   neighbor 10.0.0.0 peer group FABRIC
   neighbor 10.0.0.0 remote-as 65001
   neighbor interface Ethernet1/5 peer-group FABRIC remote-as 65001
   neighbor interface Ethernet2/1 peer-group FABRIC remote-as 65001
   !
   address-family ipv4
      neighbor FABRIC activate
!
end
"""
PEER = {"asn": "65001", "peerState": "Established"}
SUMMARY = {"asn": "65101", "peers": {"10.0.0.0": PEER, "fe80::1%Et1/5": {"asn": "0.65001", "peerState": "Active"}}}


def path(hop: str, as_path: str, *, best: bool = True) -> Mapping[str, object]:
    kind = {"valid": True, "active": best, "ecmp": True, "ecmpContributor": True}
    return {"asPathEntry": {"asPath": as_path}, "nextHop": hop, "routeType": kind}


TABLE = {
    "10.1.0.0/28": {"bgpRoutePaths": [path("", "")]},
    "10.2.0.0/28": {
        "bgpRoutePaths": [path("10.0.0.0", "65001 65102"), path("fe80::1%Et1/5", "65001 65102", best=False)]
    },
    "10.3.0.0/28": {"bgpRoutePaths": [{"routeType": {"valid": False}}]},
}
RIB = {
    "10.2.0.0/28": {
        "routeType": "eBGP",
        "vias": [{"interface": "Ethernet1/1", "nexthopAddr": "10.0.0.0"}, {"interface": "Ethernet1/5"}],
    },
    "10.9.0.0/28": {"routeType": "OSPF", "vias": [{"interface": "Ethernet1/1"}]},
}
LLDP = {
    "lldp": {
        "interfaces": {
            "interface": [
                {
                    "name": "Ethernet1/1",
                    "neighbors": {
                        "neighbor": [
                            {
                                "id": "1",
                                "state": {
                                    "system-name": "spine1",
                                    "port-id": '"Ethernet1"',
                                    "port-id-type": "INTERFACE_NAME",
                                },
                            }
                        ]
                    },
                },
                {"name": "Management1", "neighbors": {"neighbor": [{"id": "1", "state": {"system-name": "oob"}}]}},
            ]
        }
    }
}
UP = {
    "interfaces": {
        "interface": [
            {"name": name, "state": {"oper-status": state}}
            for name, state in (("Ethernet1/1", "UP"), ("Ethernet1/5", "DOWN"), ("Management1", "UP"))
        ]
    }
}
GOOD: Mapping[str, object] = {
    "running": RUNNING,
    "saved": RUNNING.replace("! Command: show running-config", "! Startup-config last modified at Mon by admin"),
    "version": {"version": "4.36.1F", "serialNumber": "SN1"},
    "sessions": {"vrfs": {"default": SUMMARY}},
    "sessions6": {"vrfs": {"default": {"asn": "65101", "peers": {}}}},
    "bgp4": {"vrfs": {"default": {"bgpRouteEntries": TABLE}}},
    "bgp6": {"vrfs": {"default": {"bgpRouteEntries": {}}}},
    "route4": {"vrfs": {"default": {"routes": RIB}}},
    "route6": {"vrfs": {"default": {"routes": {}}}},
    "oc-interfaces": UP,
    "oc-lldp": LLDP,
    "commits": {"sessions": {}},
}


def answers(**changed: object) -> Answers:
    given_ = {**GOOD, **{name.replace("oc_", "oc-"): value for name, value in changed.items()}}
    return {
        name: value
        if isinstance(value, Answer)
        else Answer(text=value if isinstance(value, str) else json.dumps(value))
        for name, value in given_.items()
    }


FAILED = Answer(miss=Miss.FAILED, reason="no answer in 60 s")
NONE = Answer(miss=Miss.ABSENT)


def test_every_query_has_an_answer_here() -> None:
    assert {query.id for query in (*eos.QUERIES, *eos.PUSH_QUERIES)} == set(GOOD)


def test_the_live_state_is_by_the_names_of_the_model() -> None:
    reading = eos.read(answers(), "leaf1")
    state = reading.stores[Store.STATE]
    assert reading.problems == ()
    assert {key: port.oper_up for key, port in (state.ports or {}).items()} == {"1/1": True, "1/2": False}
    assert state.system is not None
    assert state.system.serial == "SN1"
    assert state.bgp is not None
    assert state.bgp.asn == 65101
    assert state.bgp.neighbors == {
        "10.0.0.0": BgpNeighbor(session="Established", remote_asn=65001),
        "1/2": BgpNeighbor(session="Active", remote_asn=65001),
        "2": BgpNeighbor(session=NOT_FOUND),
    }
    assert state.lldp is not None
    assert state.lldp.neighbors == {
        "1/1": LldpNeighbor(system="spine1", port="Ethernet1"),
        "1/2": ABSENT,
        "2": ABSENT,
    }
    assert state.routes == {
        ("default", "10.1.0.0/28"): Route(frozenset(), frozenset({()})),
        ("default", "10.2.0.0/28"): Route(frozenset({"1/1", "1/2"}), frozenset({(65001, 65102)})),
    }
    assert {device.version for device in reading.stores.values()} == {"4.36.1F"}


def test_configurations_are_read_by_store_without_what_says_when_they_were_shown() -> None:
    stores = eos.read(answers(), "leaf1").stores
    assert stores[Store.RUNNING].ports == stores[Store.SAVED].ports
    assert set(stores[Store.RUNNING].ports or {}) == {"1/1", "1/2", "2"}


@pytest.mark.parametrize(
    ("query", "unseen"),
    [
        ("oc_interfaces", "ports"),
        ("oc_lldp", "lldp"),
        ("sessions", "bgp"),
        ("sessions6", "bgp"),
        ("bgp4", "routes"),
        ("bgp6", "routes"),
        ("route6", "routes"),
        ("version", "system"),
    ],
)
@pytest.mark.parametrize("bad", [FAILED, "% Invalid input\n", '{"errors": ["no"]}', "{", "[]", '{"vrfs": 1}', ""])
def test_an_answer_that_cannot_be_used_is_a_problem_and_never_an_absent_value(
    query: str, unseen: str, bad: object
) -> None:
    reading = eos.read(answers(**{query: bad}), "leaf1")
    state = reading.stores[Store.STATE]
    if query in ("version",) and bad in ('{"vrfs": 1}',):
        assert reading.problems == (("version", "the switch tells no serial number"),)
    else:
        assert [name for name, _ in reading.problems] == [query.replace("oc_", "oc-")]
    found = getattr(state, unseen)
    assert (
        found is None or (unseen == "lldp" and found.neighbors is None) or (unseen == "system" and found.serial is None)
    )


def test_without_running_configuration_ports_are_named_by_the_saved_one() -> None:
    reading = eos.read(answers(running=FAILED), "leaf1")
    assert reading.problems == (("running", "no answer in 60 s"),)
    assert reading.stores[Store.RUNNING].ports is None
    assert set(reading.stores[Store.STATE].ports or {}) == {"1/1", "1/2"}


def test_a_configuration_that_is_cut_off_is_none() -> None:
    for text in (RUNNING.removesuffix("end\n"), RUNNING[:300], "% Authorization denied\n"):
        with pytest.raises(Unreadable):
            configuration(text)


def test_a_switch_that_never_saved_comes_up_with_nothing() -> None:
    reading = eos.read(answers(saved=NONE), "leaf1")
    assert reading.problems == ()
    assert reading.stores[Store.SAVED].ports == {}


def test_a_switch_without_bgp_has_no_sessions_and_no_routes() -> None:
    quiet = {"vrfs": {}}
    without = RUNNING[: RUNNING.index("router bgp")] + "end\n"
    reading = eos.read(
        answers(running=without, sessions=NONE, sessions6=quiet, bgp4=NONE, bgp6=quiet, route4=quiet), "leaf1"
    )
    assert reading.problems == ()
    state = reading.stores[Store.STATE]
    assert state.bgp is not None
    assert (state.bgp.asn, state.bgp.neighbors, state.routes) == (ABSENT, {}, {})


def test_bgp_that_is_configured_and_does_not_run_is_told_and_its_sessions_are_down() -> None:
    quiet = {"vrfs": {}}
    reading = eos.read(answers(sessions=quiet, sessions6=quiet, bgp4=quiet, bgp6=quiet), "leaf1")
    assert reading.problems == (("sessions", NOT_RUNNING),)
    state = reading.stores[Store.STATE]
    assert state.routes is None
    assert state.bgp is not None
    assert {n.session for n in (state.bgp.neighbors or {}).values()} == {NOT_RUNNING}
    assert state.bgp.asn is None


def test_the_running_files_are_text_and_serial() -> None:
    files, serial = eos.running_files(answers())
    assert serial == "SN1"
    assert files["eos.cfg"].startswith("! device: leaf1")
    assert files["eos.cfg"].endswith("end\n")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"running": FAILED}, "no answer in 60 s"),
        ({"running": RUNNING.removesuffix("end\n")}, "cut off"),
        (
            {"commits": {"sessions": {"x": {"state": "pendingCommitTimer", "commitBy": 5000.0}}}},
            "5000 s after its start",
        ),
        ({"version": "{"}, "not JSON"),
    ],
)
def test_a_push_is_refused_where_what_runs_cannot_be_told(changed: Mapping[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        eos.running_files(answers(**changed))


def test_a_commit_of_ours_that_waits_does_not_refuse_the_look_at_it() -> None:
    waiting = {"commitTimerSessionName": "netaudit-1", "commitTimerExpireTime": 1.0, "sessions": {}}
    assert eos.running_files(answers(commits=waiting))[1] == "SN1"


NAMES = (
    *("vrfs", "default", "peers", "asn", "peerState", "routes", "vias", "interface", "bgpRouteEntries", "10.0.0.0/8"),
    *("bgpRoutePaths", "routeType", "asPathEntry", "asPath", "interfaces", "lldpNeighbors", "lldpNeighborInfo", "name"),
    *("sessions", "state", "version", "serialNumber", "fe80::1%Et1/1"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=20,
)


@given(st.sampled_from(sorted(GOOD)), JSON)
@settings(max_examples=300, deadline=None)
def test_no_text_of_a_device_raises(query: str, told: object) -> None:
    reading = eos.read({**answers(), query: Answer(text=json.dumps(told))}, "leaf1")
    assert set(reading.stores) == {Store.RUNNING, Store.SAVED, Store.STATE}


@pytest.mark.parametrize("store", list(Store))
def test_what_a_store_is_asked_is_named_for_each_leaf_that_it_holds(store: Store) -> None:
    asked = {
        path: eos.asked(store, path)
        for path in [
            ("ports", "1", "oper_up"),
            ("ports", "1", "mtu_bytes"),
            ("bgp", "neighbors", "1", "session"),
            ("bgp", "policies", "IN", "permits"),
            ("lldp", "neighbors", "1"),
            ("system", "serial"),
            ("qos", "dscp_to_tc"),
            ("routes", "default", "10.0.0.0/8"),
        ]
    }
    held = {path for path, what in asked.items() if what}
    live = {path for path in asked if path[-1] in ("oper_up", "session", "serial") or path[0] in ("lldp", "routes")}
    wanted = {Store.STATE: live, Store.APPLIED: set()}.get(store, set(asked) - live)
    assert held == wanted
