"""VRFs of a SONiC switch: names, what FRR says of all of them, what is left to others, and in which order they come."""

from __future__ import annotations

import json

import pytest
from expect.test_vrfs import TEXT
from fabric.made import fabric
from hypothesis import given
from hypothesis import strategies as st

from netaudit.expect import Expected
from netaudit.platforms import Files, Impact, sonic
from netaudit.platforms.sonic.frr import read_frr
from netaudit.platforms.sonic.routing import read_routes, read_sessions
from netaudit.platforms.sonic.vrf import native_vrf, vrf_of, vrf_problem
from netaudit.render import render
from netaudit.state import ABSENT, Route

ONE, RED = "Vrf_storage", "Vrf-red"
AREAS = ("ports", "addressing", "bgp", "qos", "buffers")


@pytest.fixture(scope="module")
def files() -> Files:
    return render(Expected(fabric(TEXT)).device("a-border1"))


@given(st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?", fullmatch=True))
def test_every_name_of_an_intent_reads_back_as_it_was_written(name: str) -> None:
    assert vrf_of(native_vrf(name)) == name
    assert name == "default" or vrf_problem(name) or len(native_vrf(name)) <= 15


@pytest.mark.parametrize(
    ("native", "name"),
    [
        ("Vrf_storage", "storage"),
        ("Vrf-red", "Vrf-red"),
        ("Vrfred", "Vrfred"),
        ("Vrf_Vrfx", "Vrf_Vrfx"),
        ("Vrf_mgmt", "Vrf_mgmt"),
        ("Vrf_default", "Vrf_default"),
        ("Vrf_", "Vrf_"),
        ("mgmt", "mgmt"),
        ("default", "default"),
        ("storage", "native storage"),
    ],
)
def test_another_name_is_never_taken_for_one_of_an_intent(native: str, name: str) -> None:
    assert vrf_of(native) == name


HEAD = "frr defaults datacenter\n"


def test_what_stands_in_a_vrf_is_not_read_as_if_it_stood_outside() -> None:
    text = f"{HEAD}router bgp 65001\nexit\nvrf mgmt\n ip route 10.0.0.0/8 blackhole\nexit-vrf\n"
    text += "router bgp 65002 vrf storage\n address-family ipv4 unicast\n  network 10.1.0.0/16\n"
    found = read_frr(text, {})
    assert (found.asn, found.discards, found.networks, found.vrfs) == (65001, frozenset(), frozenset(), {})
    assert found.unmodelled == {"vrf mgmt", "ip route 10.0.0.0/8 blackhole", "router bgp 65002 vrf storage"}


def test_peer_groups_of_two_vrfs_may_have_one_name() -> None:
    """As FRR 8.4.4 prints them."""
    block = (
        " neighbor FABRIC peer-group\n neighbor FABRIC remote-as {remote}\n"
        " neighbor {port} interface peer-group FABRIC\n"
        " address-family ipv4 unicast\n  neighbor FABRIC activate\n  neighbor FABRIC route-map {policy} in\n"
        " exit-address-family\nexit\n"
    )
    text = HEAD + "router bgp 65001\n" + block.format(remote="external", port="Ethernet0", policy="A")
    text += f"router bgp 65001 vrf {ONE}\n" + block.format(remote="internal", port="Ethernet8", policy="B")
    neighbors = read_frr(text, {"Ethernet0": "1", "Ethernet8": "2"}).neighbors or {}
    assert {key: (n.vrf, n.remote, n.import_policy) for key, n in neighbors.items()} == {
        "1": ("default", "external", "A"),
        "2": ("storage", "internal", "B"),
    }


def test_a_neighbor_in_two_vrfs_is_that_of_the_later_one_and_a_line_too_many() -> None:
    text = f"{HEAD}router bgp 1\n neighbor Ethernet0 interface remote-as external\nexit\n"
    text += f"router bgp 1 vrf {ONE}\n neighbor Ethernet0 interface remote-as external\nexit\n"
    found = read_frr(text, {"Ethernet0": "1"})
    assert (found.neighbors or {})["1"].vrf == "storage"
    assert found.unmodelled == {"neighbor Ethernet0 in VRF default and in storage"}


def peers(**states: str) -> dict[str, object]:
    rows = {key: {"remoteAs": 65002, "state": state} for key, state in states.items()}
    return {"ipv4Unicast": {"as": 65001, "peers": rows}}


def test_sessions_of_all_vrfs_are_read_and_the_number_is_that_of_the_default_one() -> None:
    other = {"ipv4Unicast": {"as": 65099, "peers": {"Ethernet8": {"remoteAs": 65003, "state": "Idle"}}}}
    found = read_sessions({"default": peers(Ethernet0="Established"), ONE: other}, {"Ethernet0": "1", "Ethernet8": "2"})
    assert found.asn == 65001
    assert {key: n.session for key, n in (found.neighbors or {}).items()} == {"1": "Established", "2": "Idle"}
    assert read_sessions({ONE: other}, {}).asn is ABSENT


def table(path: str) -> dict[str, object]:
    return {"routes": {"10.9.0.0/24": [{"valid": True, "bestpath": True, "path": path}]}}


def rib(vrf: str, port: str) -> dict[str, object]:
    hops = [{"interfaceName": port, "active": True, "fib": True}]
    return {"10.9.0.0/24": [{"protocol": "bgp", "selected": True, "vrfName": vrf, "nexthops": hops}]}


ONE_AFTER_THE_OTHER = [rib(ONE, "Ethernet8"), {}, rib("default", "Ethernet0")]
BY_NAME = [{ONE: rib(ONE, "Ethernet8"), RED: {}, "default": rib("default", "Ethernet0")}]


@pytest.mark.parametrize("routes", [ONE_AFTER_THE_OTHER, BY_NAME], ids=["before FRR 10.1", "since FRR 10.1"])
def test_the_same_prefix_in_two_vrfs_has_the_ports_of_each(routes: list[object]) -> None:
    found = read_routes({"default": table("65001"), ONE: table("65002")}, routes, {"Ethernet0": "1", "Ethernet8": "2"})
    assert found == {
        ("default", "10.9.0.0/24"): Route(frozenset({"1"}), frozenset({(65001,)})),
        ("storage", "10.9.0.0/24"): Route(frozenset({"2"}), frozenset({(65002,)})),
    }


def beside(files: Files, **tables: object) -> Files:
    """The rendered files with rows of somebody else's."""
    database = json.loads(files["config_db.json"])
    for name, rows in tables.items():
        assert isinstance(rows, dict)
        database[name] = {**database.get(name, {}), **rows}
    return {**files, "config_db.json": json.dumps(database)}


def test_rows_of_a_foreign_vrf_stay_with_what_is_bound_to_it_and_fields_of_ours_too(files: Files) -> None:
    running = beside(
        files,
        VRF={RED: {"vni": "7"}, ONE: {"fallback": "true"}},
        INTERFACE={"Ethernet128": {"vrf_name": RED}, "Ethernet128|192.0.2.1/31": {}, "Ethernet136": {}},
        LOOPBACK_INTERFACE={"Loopback7": {"vrf_name": RED}, "Loopback7|192.0.2.9/32": {}, "Loopback8": {}},
    )
    found = json.loads(sonic.candidate(files, running, AREAS)["config_db.json"])
    assert found["VRF"] == {RED: {"vni": "7"}, ONE: {"fallback": "true"}}
    assert {"Ethernet128", "Ethernet128|192.0.2.1/31"} <= found["INTERFACE"].keys()
    assert "Ethernet136" not in found["INTERFACE"]
    assert {"Loopback7", "Loopback7|192.0.2.9/32"} <= found["LOOPBACK_INTERFACE"].keys()
    assert "Loopback8" not in found["LOOPBACK_INTERFACE"]


def test_a_port_of_ours_is_taken_out_of_a_foreign_vrf(files: Files) -> None:
    running = beside(files, VRF={RED: {}}, INTERFACE={"Ethernet16": {"vrf_name": RED}})
    found = json.loads(sonic.candidate(files, running, AREAS)["config_db.json"])
    assert found["INTERFACE"]["Ethernet16"] == {"ipv6_use_link_local_only": "enable"}


def test_where_addressing_is_not_ours_nothing_of_vrfs_changes(files: Files) -> None:
    running = beside(files, VRF={RED: {}}, INTERFACE={"Ethernet0": {"vrf_name": RED}})
    found = json.loads(sonic.candidate(files, running, ("ports", "bgp"))["config_db.json"])
    assert found["INTERFACE"]["Ethernet0"] == {"vrf_name": RED}


def less(files: Files, table: str, *keys: str) -> Files:
    database = json.loads(files["config_db.json"])
    database[table] = {k: row for k, row in database[table].items() if k not in keys}
    return {**files, "config_db.json": json.dumps({name: rows for name, rows in database.items() if rows})}


def test_a_vrf_comes_before_what_is_bound_to_it_and_by_a_patch(files: Files) -> None:
    running = less(less(files, "VRF", ONE), "INTERFACE", "Ethernet0")
    found = sonic.steps(running, files, "r1")
    patch = next(json.loads(step.content) for step in found.prepare if step.name == "upload patch")
    assert [operation["path"] for operation in patch] == ["/VRF", "/INTERFACE/Ethernet0"]
    assert found.impact is Impact.NONE


def test_an_interface_that_changes_its_vrf_takes_a_reload(files: Files) -> None:
    running = beside(files, INTERFACE={"Ethernet0": {"ipv6_use_link_local_only": "enable"}})
    found = sonic.steps(running, files, "r1")
    assert found.impact is Impact.DRAIN
    assert any(step.name == "reload" for step in found.apply)


def test_a_session_in_another_vrf_than_its_port_is_told_before_a_push(files: Files) -> None:
    other = beside(files, INTERFACE={"Ethernet0": {"ipv6_use_link_local_only": "enable"}})
    (problem,) = sonic.problems(other)
    assert "vrf_name" in problem
    assert "Ethernet0" in problem
    text = files["frr.conf"].replace("  neighbor FABRIC3 route-map VRF_storage-IN in\n", "", 1)
    assert any("without a route-map in" in one for one in sonic.problems({**files, "frr.conf": text}))
