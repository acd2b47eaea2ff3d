"""What the answers of a switch say: those of a simulated box, whose texts come from code that knows nothing of this."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab.nos import nvue_lab
from lab.sim.example import ASNS, LEAVES

from netaudit.lab.sim import faults
from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.nos.nvue.box import Nvue
from netaudit.lab.sim.nos.nvue.cli import NvueCli
from netaudit.lab.sim.serve import boot_fabric
from netaudit.platforms import Answer, Miss, Reading
from netaudit.platforms.nvue.answers import NO_BGPD, read, running_files
from netaudit.platforms.nvue.answers_live import Heard as Received
from netaudit.platforms.nvue.answers_live import by_port, oc_lldp, oc_oper, read_lldp, read_oper, read_sessions
from netaudit.platforms.nvue.ask import LENGTH_QUERIES, PUSH_QUERIES, QUERIES, SESSION_QUERIES
from netaudit.state import ABSENT, LldpNeighbor, Port, Store

SILENT = Answer(miss=Miss.FAILED, reason="gNMI: connection refused")
UPLINKS = {"5", "6", "7", "8"}


@pytest.fixture(scope="module")
def fabric(tmp_path_factory: pytest.TempPathFactory) -> Fabric:
    made = boot_fabric(nvue_lab.write(tmp_path_factory.mktemp("lab")))
    for leaf in LEAVES:
        box = made.switches[leaf]
        assert isinstance(box, Nvue)
        (box.folder / "tmp/a.txt").write_text(nvue_lab.lines(leaf))
        for line in ("nv config patch /tmp/a.txt", "nv config apply -y"):
            assert NvueCli(made, box, {}).run(line).code == 0
    return made


def answers_of(fabric: Fabric, name: str = "leaf1") -> dict[str, Answer]:
    """Every query asked as a client would, gNMI being off."""
    box = fabric.switches[name]
    assert isinstance(box, Nvue)
    found = {}
    for query in QUERIES:
        if query.transport == "gnmi":
            found[query.id] = SILENT
            continue
        done = NvueCli(fabric, box, {}).run(query.command)
        text = done.out if isinstance(done.out, str) else done.out.decode()
        bad = Answer(miss=Miss.FAILED, reason=f"SSH exit code {done.code}: {done.err.strip()}")
        found[query.id] = Answer(text=text) if done.code == 0 else bad
    return found


def read_from(fabric: Fabric, name: str = "leaf1", **changed: Answer) -> Reading:
    return read({**answers_of(fabric, name), **{key.replace("_", "-"): one for key, one in changed.items()}}, name)


def test_a_switch_that_works_is_read_without_a_problem(fabric: Fabric) -> None:
    reading = read_from(fabric)
    assert reading.problems == ()
    state = reading.stores[Store.STATE]
    assert state.version == "5.17.0"
    assert state.system is not None
    assert state.system.serial == "MTleaf1"
    assert {key for key, port in (state.ports or {}).items() if port.oper_up is True} == {*UPLINKS, "1/1"}
    assert state.bgp is not None
    assert state.bgp.asn == ASNS["leaf1"]
    assert {key: (one.session, one.remote_asn) for key, one in (state.bgp.neighbors or {}).items()} == dict.fromkeys(
        UPLINKS, ("Established", ASNS["spine1"])
    )


def test_what_runs_and_what_is_saved_are_read_apart(fabric: Fabric) -> None:
    reading = read_from(fabric)
    running, saved = reading.stores[Store.RUNNING], reading.stores[Store.SAVED]
    assert running.system is not None
    assert running.system.hostname == "leaf1"
    assert running == saved
    other = Answer(text=answers_of(fabric)["saved"].text.replace("hostname: leaf1", "hostname: older"))
    assert (read_from(fabric, saved=other).stores[Store.SAVED].system or running.system).hostname == "older"


def test_routes_leave_by_the_position_of_ports_and_have_their_as_paths(fabric: Fabric) -> None:
    routes = read_from(fabric).stores[Store.STATE].routes or {}
    route = routes["default", "10.0.2.0/29"]
    assert route.hops == frozenset(UPLINKS)
    assert route.as_paths == frozenset({(ASNS["spine1"], ASNS["leaf2"])})
    assert routes["default", "10.0.1.0/29"].hops == frozenset()


def test_each_port_has_its_neighbor_and_one_that_hears_nobody_is_known(fabric: Fabric) -> None:
    lldp = read_from(fabric).stores[Store.STATE].lldp
    assert lldp is not None
    heard = lldp.neighbors or {}
    assert heard["8"] == LldpNeighbor(system="spine1", port="etp1")
    assert heard["1/1"] == LldpNeighbor(system="su1-h1:r1", port="nic1p1") or heard["1/1"] is not ABSENT
    assert heard["2"] is ABSENT


def test_no_secret_leaves_the_switch(fabric: Fabric) -> None:
    assert all("simulated.hash" not in one.text for one in answers_of(fabric).values())
    assert answers_of(fabric)["saved"].text.count("hashed-password") == 1


def test_gnmi_counts_where_it_says_something(fabric: Fabric) -> None:
    oper = Answer(text=json.dumps({"interfaces": {"interface": [{"name": "swp5", "state": {"oper-status": "DOWN"}}]}}))
    ports = read_from(fabric, oc_interfaces=oper).stores[Store.STATE].ports
    assert ports == {"5": Port(oper_up=False)}


def test_without_bgpd_each_session_that_is_configured_is_down(fabric: Fabric) -> None:
    faults.make(fabric, "bgpd", ["leaf1"])
    try:
        reading = read_from(fabric)
    finally:
        faults.heal(fabric)
    bgp = reading.stores[Store.STATE].bgp
    assert bgp is not None
    assert {one.session for one in (bgp.neighbors or {}).values()} == {NO_BGPD}
    assert reading.stores[Store.STATE].routes is None
    assert {query for query, _ in reading.problems} == {"bgp4", "bgp6"}


def test_a_box_as_it_ships_has_no_sessions_and_no_routes_and_that_is_no_problem(tmp_path: Path) -> None:
    reading = read_from(boot_fabric(nvue_lab.write(tmp_path / "lab")))
    state = reading.stores[Store.STATE]
    assert state.bgp is not None
    assert state.bgp.neighbors == {}
    assert state.routes == {}
    assert reading.problems == ()


@pytest.mark.parametrize("query", [query.id for query in QUERIES if query.transport == "ssh"])
@pytest.mark.parametrize("text", ["", "{", "[]", "null", "- set: {", "Error: not found", '{"default": 3}', "\x00", "7"])
def test_an_answer_that_makes_no_sense_is_a_problem_and_nothing_absent(fabric: Fabric, query: str, text: str) -> None:
    reading = read_from(fabric, **{query: Answer(text=text)})
    unread = {"running": Store.RUNNING, "saved": Store.SAVED}.get(query)
    if unread is not None:
        assert query in dict(reading.problems)
        assert reading.stores[unread].ports is None
    elif query in dict(reading.problems):
        state = reading.stores[Store.STATE]
        parts = {"interfaces": state.ports, "sessions": state.bgp, "lldp": (state.lldp and state.lldp.neighbors)}
        assert parts.get(query) is None


def test_what_was_not_asked_is_a_problem() -> None:
    reading = read({}, "leaf1")
    assert {query for query, _ in reading.problems} >= {
        "running",
        "saved",
        "platform",
        "interfaces",
        "lldp",
        "sessions",
    }
    with pytest.raises(ValueError, match="not asked"):
        running_files({})


def test_the_running_text_is_the_one_that_was_sent(fabric: Fabric) -> None:
    answers = {query.id: answers_of(fabric)[query.id] for query in PUSH_QUERIES}
    files, serial = running_files(answers)
    assert (list(files), serial) == (["nvue.yaml"], "MTleaf1")
    assert files["nvue.yaml"] == answers["running"].text
    with pytest.raises(ValueError, match="the header that NVUE begins one with is missing"):
        running_files({**answers, "running": Answer(text="- set: {}\n")})


def test_the_parts_of_the_questions_are_questions() -> None:
    ids = {query.id for query in QUERIES}
    assert {*SESSION_QUERIES, *LENGTH_QUERIES} <= ids
    assert all(query.stream for query in QUERIES if query.transport == "gnmi")


def sessions(**row: object) -> Mapping[str, object]:
    found = read_sessions(json.dumps({"default": {"vrfId": 0, "swp1": {"bgpState": "Established", **row}}}))
    return {"asn": found.asn, **{key: one.remote_asn for key, one in (found.neighbors or {}).items()}}


@pytest.mark.parametrize("spelled", [4259840010, "4259840010", "65000.10"])
def test_an_asn_is_read_in_each_of_its_spellings(spelled: object) -> None:
    assert sessions(remoteAs=spelled, localAs=spelled) == {"asn": 4259840010, "1": 4259840010}


def test_a_number_with_a_dot_that_json_has_is_no_float() -> None:
    text = '{"default": {"swp1": {"bgpState": "Established", "remoteAs": 65000.10, "localAs": 65000.2}}}'
    found = read_sessions(text)
    assert (found.asn, found.neighbors and found.neighbors["1"].remote_asn) == (4259840002, 4259840010)


@pytest.mark.parametrize("nobody", [0, "0"])
def test_a_neighbor_that_never_said_its_asn_has_none_and_not_a_wrong_one(nobody: object) -> None:
    assert sessions(remoteAs=nobody, localAs=65001) == {"asn": 65001, "1": None}


@pytest.mark.parametrize("wrong", [4294967296, "65536.70000", "65000.", -1, True, "x"])
def test_what_is_no_asn_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="AS of swp1 is"):
        sessions(remoteAs=wrong, localAs=65001)


def test_an_address_of_a_neighbor_is_read_in_any_text_form() -> None:
    text = json.dumps({"default": {"FC00:0::2": {"bgpState": "Active"}, "10.0.0.1": {"bgpState": "Idle"}}})
    assert set(read_sessions(text).neighbors or {}) == {"fc00::2", "10.0.0.1"}


@pytest.mark.parametrize(
    ("port", "description", "read_as"),
    [
        ("02:00:00:aa:bb:01", "Ethernet124", "Ethernet124"),
        ("02:00:00:aa:bb:01", "swp1s0", "swp1s0"),
        ("0200.00aa.bb01", "et-0/0/1:0", "et-0/0/1:0"),
        ("etp32", "to spine01", "etp32"),
        ("02:00:00:aa:bb:03", "leaf03 uplink", "02:00:00:aa:bb:03"),
        ("Ethernet1/1/1", "", "Ethernet1/1/1"),
    ],
)
def test_a_neighbor_that_sends_its_mac_may_describe_its_port_by_name(port: str, description: str, read_as: str) -> None:
    found = by_port([Received(local="swp3", system="leaf", port=port, description=description)])
    assert found == {"3": LldpNeighbor(system="leaf", port=read_as)}


def test_names_with_quotes_in_them_lose_them() -> None:
    text = {"lldp": [{"interface": [{"name": "swp1", "chassis": [{"name": [{"value": "s1"}]}], "port": [
        {"id": [{"type": "ifname", "value": "\"Ethernet1\""}]}]}]}]}  # fmt: skip
    assert read_lldp(json.dumps(text)) == {"1": LldpNeighbor(system="s1", port="Ethernet1")}


def test_openconfig_is_read_with_module_prefixes_and_without() -> None:
    plain = {"interfaces": {"interface": [{"name": "swp1s1", "state": {"name": "swp1s1", "oper-status": "UP"}}]}}
    prefixed = {
        "openconfig-interfaces:interfaces": {
            "openconfig-interfaces:interface": [
                {"name": "swp1s1", "openconfig-interfaces:state": {"name": "swp1s1", "oper-status": "UP"}}
            ]
        }
    }
    assert oc_oper(json.dumps(plain)) == oc_oper(json.dumps(prefixed)) == {"1/2": Port(oper_up=True)}
    assert oc_lldp("{}") is None
    with pytest.raises(ValueError, match="no front panel port"):
        read_oper("{}")


KEYS = st.sampled_from(
    ["default", "routes", "swp1", "lldp", "interface", "name", "port", "link", "10.0.0.0/8", "nexthops"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=3),
    max_leaves=12,
)


@settings(max_examples=200)
@given(st.sampled_from([query.id for query in QUERIES]), st.text(max_size=200) | JSON.map(json.dumps))
def test_no_text_of_a_device_raises(query: str, text: str) -> None:
    reading = read({query: Answer(text=text)}, "leaf1")
    assert set(reading.stores) == {Store.RUNNING, Store.SAVED, Store.STATE}
