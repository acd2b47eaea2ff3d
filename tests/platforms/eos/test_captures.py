"""Recorded answers of real EOS switches say what TRUTH.md says, which small scripts of others counted in them.

They are reference data beside the repository: without it these tests are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from netaudit.platforms.eos.answers import refuse_pending
from netaudit.platforms.eos.answers_bgp import read_neighbors_text, read_routes, read_sessions, tables, vrfs
from netaudit.platforms.eos.answers_json import Unreadable, asn, parsed
from netaudit.platforms.eos.answers_live import is_front, neighbors, read_lldp, read_oper
from netaudit.state import ABSENT, Bgp, BgpNeighbor, LldpNeighbor, Route

HOSTS = ("exit01", "exit02", "leaf01", "leaf02", "leaf03", "leaf04", "spine01", "spine02")


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / "field" / "real"


def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def told(file: Path) -> Mapping[str, object]:
    return vrfs(text(file))


def truth(real: Path, heading: str, line: str) -> str:
    """A line of TRUTH.md under a heading, what stands behind its beginning."""
    part = text(real / "TRUTH.md").partition(heading)[2].partition("\n## ")[0]
    return next(found.removeprefix(line).strip() for found in part.splitlines() if found.startswith(line))


def test_the_cables_of_the_recorded_fabric_are_those_of_the_truth(real: Path) -> None:
    heard = {
        (host, port, str(one.system), str(one.port))
        for host in HOSTS
        for port, one in read_lldp(text(real / "eos" / "fabric" / f"{host}.lldp.json"), {}).items()
        if isinstance(one, LldpNeighbor)
    }
    both = {frozenset({f"{a}:{p}", f"{b}:{q}"}) for a, p, b, q in heard if (b, q, a, p) in heard}
    assert len(heard) == 34
    assert both == {frozenset(link.split("<->")) for link in truth(real, "## eos", "- links:").split("; ")}
    # TRUTH.md has the port ids 516 and 517 here: SNMP indexes, beside which the description has the name (A15)
    assert {one for one in heard if (one[2], one[3], one[0], one[1]) not in heard} == {
        ("exit01", "Ethernet4", "dcedge01", "xe-0/0/0"),
        ("exit02", "Ethernet4", "dcedge01", "xe-0/0/1"),
    }


TOLD = re.compile(r"([\w-]+):([\d.]+) AS(\d+) (\w+) transitions=\d+")


@pytest.mark.parametrize("host", HOSTS)
def test_the_sessions_of_the_recorded_fabric_are_those_of_the_truth(real: Path, host: str) -> None:
    line = truth(real, "## BGP sessions", f'- eos {host} (text inside JSON key "output"):')
    wanted = {
        address: BgpNeighbor(session=state, remote_asn=int(number))
        for _, address, number, state in (found.groups() for found in TOLD.finditer(line))
    }
    assert len(wanted) == line.count(" AS")
    assert read_neighbors_text(text(real / "eos" / "fabric" / f"{host}.bgp.json"), {}) == wanted


@pytest.mark.parametrize("host", HOSTS)
def test_links_of_the_recorded_fabric_are_up_where_eos_says_connected(real: Path, host: str) -> None:
    recorded = text(real / "eos" / "fabric" / f"{host}.interfaces.json")
    rows = json.loads(recorded)["interfaces"]
    wanted = {name: row["interfaceStatus"] == "connected" for name, row in rows.items() if is_front(name)}
    assert {name: port.oper_up for name, port in read_oper(recorded, {}).items()} == wanted
    assert len(wanted) > 3


def test_a_summary_gives_sessions_by_address_and_the_speakers_number(real: Path) -> None:
    bgp = read_sessions((told(real / "eos" / "show_ip_bgp_summary_vrf_all.json"),), {}, None)
    assert bgp == Bgp(
        asn=65001,
        neighbors={
            "10.0.0.1": BgpNeighbor(session="Established", remote_asn=65002),
            "10.0.0.3": BgpNeighbor(session="Active", remote_asn=65003),
        },
    )


def test_a_session_over_a_link_local_address_is_that_of_its_port_and_asdot_is_a_number(real: Path) -> None:
    keys = {"Ethernet1": "1", "Ethernet3": "3"}
    bgp = read_sessions((told(real / "eos" / "show_ip_bgp_summary_issue1759.json"),), keys, None)
    assert bgp.asn == 65002 * 65536 + 2048
    assert {key: n.remote_asn for key, n in (bgp.neighbors or {}).items()} == {
        "3": 65001 * 65536 + 1028,
        "Ethernet2": 65001 * 65536 + 1027,  # a port that no list has keeps its name, in full
        "1": 65001 * 65536 + 1026,
    }


def test_a_switch_without_bgp_has_no_sessions(real: Path) -> None:
    bgp = read_sessions((told(real / "eos" / "nobgp_show_ip_bgp_summary_vrf_all.json"),), {}, None)
    assert bgp == Bgp(asn=ABSENT, neighbors={})


def test_a_prefix_has_the_paths_that_share_its_load(real: Path) -> None:
    routes = read_routes(told(real / "eos" / "show_ip_bgp_prefix_vrf_default.json"), {}, {})
    (key, route), *others = routes.items()
    assert key == ("default", "1.0.4.0/24")
    assert not others
    assert route.as_paths == {(65418, 65419)}
    assert route.hops >= {"169.254.232.160", "169.254.232.156"}


def test_the_letter_of_the_origin_is_no_part_of_a_path(real: Path) -> None:
    routes = read_routes(told(real / "eos" / "show_ip_bgp_confed_origin_suffix.json"), {}, {})
    assert routes["default", "1.0.4.0/25"] == Route(frozenset({"10.253.18.200"}), frozenset({(65001, 65239)}))


def test_routes_of_other_protocols_are_not_bgps(real: Path) -> None:
    recorded = text(real / "eos" / "fabric" / "leaf01.routes.json")
    assert read_routes({"vrfs": {"default": {"bgpRouteEntries": {}}}}, tables(recorded), {}) == {}


def test_neighbors_that_send_a_mac_address_keep_it_unless_they_describe_the_port(real: Path) -> None:
    heard = {one.local: one for one in neighbors(text(real / "eos" / "lldp_neighbors_detail_issue1153.json"))}
    assert heard["Ethernet1/1"].port.startswith("1ce7.1003.5")
    found = read_lldp(text(real / "eos" / "lldp_neighbors_detail_issue1153.json"), {})
    assert isinstance(found["Ethernet1/1"], LldpNeighbor)


def test_the_words_of_lldp_say_what_their_json_would(real: Path) -> None:
    heard = read_lldp(text(real / "eos" / "show_lldp_neighbors_detail_text.txt"), {})
    assert heard["Ethernet1"] == LldpNeighbor(system="spine2.company.com", port="Ethernet1")
    recorded = text(real / "eos" / "show_lldp_neighbors_detail_text.txt")
    assert len(heard) == sum(
        int(count) > 0 for count in re.findall(r"(?m)^Interface Ethernet\S+ detected (\d+)", recorded)
    )


def test_openconfig_as_a_real_switch_answers_it_is_read(real: Path) -> None:
    state = json.loads(text(real / "gnmi" / "eos_oc_interface_state.json"))
    tree = {"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet24", "state": state}]}}
    assert read_oper(json.dumps(tree), {"Ethernet24": "24"})["24"].oper_up is True


@pytest.mark.parametrize(
    ("written", "number"), [("4259840010", 4259840010), ("65000.10", 4259840010), ("65000.2", 4259840002), ("0", None)]
)
def test_an_asn_is_one_number_in_each_of_its_spellings(written: str, number: int | None) -> None:
    assert asn(written) == number
    assert asn(str(parsed(f'{{"as": {written}}}')["as"])) == number


@pytest.mark.parametrize("written", ["65536.70000", "65000.", "-1", "4294967296", "true"])
def test_an_asn_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(Unreadable):
        asn(written)


CASES: Mapping[str, str] = {
    "sessions_4_31.json": "the commit of session na-1 awaits confirmation until 2025-02-17 23:44:11 UTC",
    "sessions_4_32.json": "the commit of session na-1 awaits confirmation until 2025-02-17 22:45:20 UTC",
}


@pytest.mark.parametrize("name", CASES)
def test_a_commit_of_somebody_else_that_awaits_confirmation_refuses_a_push(shared: Path, name: str) -> None:
    sessions = parsed(text(shared / "field" / "cases" / "A22" / name))
    with pytest.raises(Unreadable) as refused:
        refuse_pending(sessions)
    assert str(refused.value) == CASES[name]


def test_a_full_table_of_sessions_refuses_a_push_unless_one_is_ours_to_abort(shared: Path) -> None:
    sessions = text(shared / "field" / "cases" / "A22" / "sessions_full.json")
    refuse_pending(parsed(sessions))
    with pytest.raises(Unreadable, match="all 5 configuration sessions are open"):
        refuse_pending(parsed(sessions.replace("netaudit-", "nb-")))
