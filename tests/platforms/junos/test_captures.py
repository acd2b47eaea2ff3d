"""Recorded answers of real Junos switches say what TRUTH.md says, which small scripts of others counted in them.

They are reference data beside the repository: without it these tests are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from netaudit.platforms.junos.answers_live import read_neighbors, read_sessions
from netaudit.platforms.junos.answers_routes import read_routes
from netaudit.state import ABSENT, BgpNeighbor, Route

HOSTS = ("dcedge01", "exit01", "exit02", "leaf01", "leaf02", "spine01", "spine02")


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / "field" / "real"


def same(name: str) -> str:
    return name


def text(real: Path, name: str) -> str:
    return (real / "junos" / name).read_text(encoding="utf-8")


def truth(real: Path, heading: str, line: str) -> str:
    """A line of TRUTH.md under a heading, what stands behind its beginning."""
    part = (real / "TRUTH.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    return next(found.removeprefix(line).strip() for found in part.splitlines() if found.startswith(line))


def test_the_cables_of_the_recorded_fabric_are_those_of_the_truth(real: Path) -> None:
    heard = {
        (host, port, said.system, said.port)
        for host in HOSTS
        for port, said in read_neighbors(text(real, f"fabric/{host}.lldp.json"), same).items()
    }
    told = truth(real, "## junos", "- links:").split("; ")
    assert len(heard) == 20
    assert {frozenset({f"{a}:{p}", f"{b}:{q}"}) for a, p, b, q in heard} == {
        frozenset(link.split("<->")) for link in told
    }
    assert all((b, q, a, p) in heard for a, p, b, q in heard)


TOLD = re.compile(r"([\d.]+) AS(\d+) (\w+) flaps=")


def sessions(real: Path, name: str) -> Mapping[str, BgpNeighbor]:
    return read_sessions(text(real, name), same).neighbors or {}


@pytest.mark.parametrize("host", HOSTS)
def test_the_sessions_of_the_recorded_fabric_are_those_of_the_truth(real: Path, host: str) -> None:
    line = truth(real, "## BGP sessions", f"- junos {host}:")
    wanted = {peer: BgpNeighbor(session=state, remote_asn=int(asn)) for peer, asn, state in TOLD.findall(line)}
    assert sessions(real, f"fabric/{host}.bgp_summary.json") == wanted
    assert len(wanted) > 1


@pytest.mark.parametrize("host", ["exit01", "leaf01", "leaf02", "spine01"])
def test_the_long_answer_tells_the_same_sessions_and_the_own_number(real: Path, host: str) -> None:
    long = read_sessions(text(real, f"fabric/{host}.bgp_neighbor.json"), same)
    assert long.neighbors == sessions(real, f"fabric/{host}.bgp_summary.json")
    assert long.asn == 64520


def test_sessions_in_xml_are_read_as_those_in_json(real: Path) -> None:
    assert sessions(real, "get-bgp-neighbor-information.xml") == {
        "192.168.100.1": BgpNeighbor(session="Established", remote_asn=4436),
        "172.17.17.1": BgpNeighbor(session="Established", remote_asn=1299),
    }
    states = {peer: n.session for peer, n in sessions(real, "get-bgp-summary-information_master.xml").items()}
    assert states == {"10.3.1.254": "Established", "192.168.0.0": "Established", "192.169.1.0": "Active"}


def test_neighbors_in_xml_have_their_ports_whichever_element_holds_them(real: Path) -> None:
    short = read_neighbors(text(real, "get-lldp-neighbors-information.xml"), same)
    assert {port: (n.system, n.port) for port, n in short.items()} == {
        "xe-4/3/6": ("peer00.lab.demo", "Ethernet1"),
        "ge-0/0/0": ("rtr00.demo", "ge-0/0/0"),
        "xe-0/1/0": ("spine00", "xe-0/0/0"),
    }
    long = read_neighbors(text(real, "lldp_qfx5110.xml"), same)
    assert {port: (n.system, n.port) for port, n in long.items()} == {"ge-2/0/0": ("EX9208", "ge-3/3/1")}


def test_a_neighbor_without_a_port_id_is_known_by_its_description(real: Path) -> None:
    heard = read_neighbors(text(real, "lldp_missing_port_ids.xml"), same)
    assert {port: (n.system, n.port) for port, n in heard.items()} == {"fe-0/0/2": ("Meraki MX64", "lan port 0")}


def test_routes_of_bgp_alone_are_read_with_their_vrf(real: Path) -> None:
    routes = read_routes(text(real, "fabric/exit01.route.json"), same, None)
    assert len(routes) == 8
    assert {vrf for vrf, _ in routes} == {"internet-vrf"}
    assert routes["internet-vrf", "0.0.0.0/0"] == Route(frozenset({"xe-0/0/3"}), frozenset({(65534,)}))
    assert routes["internet-vrf", "172.16.1.0/24"] == Route(frozenset({"xe-0/0/2"}), frozenset({(65533, 64520)}))


@pytest.mark.parametrize("host", ["leaf01", "leaf02", "spine01"])
def test_a_fabric_of_ospf_has_no_routes_of_bgp(real: Path, host: str) -> None:
    assert read_routes(text(real, f"fabric/{host}.route.json"), same, None) == {}


def test_a_route_over_two_ports_has_both(real: Path) -> None:
    routes = read_routes(text(real, "get-route-information.xml"), same, None)
    path = (6939, 4637, 1221, 38803, 56203)
    assert routes == {("default", "1.0.4.0/24"): Route(frozenset({"ae10", "xe-2/3/2"}), frozenset({path}))}


def test_routes_with_blanks_around_every_value_are_read(real: Path) -> None:
    direct = read_routes(text(real, "route_direct.xml"), same, None)
    assert direct == {("default", "1.1.1.0/24"): Route(frozenset({"xe-0/1/1"}), frozenset({(1299, 13335)}))}
    indirect = read_routes(text(real, "route_indirect.xml"), same, None)
    assert indirect["default", "199.34.94.96/30"].hops == frozenset({"et-0/0/2"})


@pytest.mark.parametrize("name", ["show_bgp_summary_text.txt", "show_lldp_neighbors_text.txt"])
def test_a_table_for_people_is_refused(real: Path, name: str) -> None:
    with pytest.raises(ValueError, match="neither JSON nor XML"):
        read_sessions(text(real, name), same)


def test_a_silent_answer_is_no_neighbor(real: Path) -> None:
    heard = read_neighbors('{"lldp-neighbors-information": [{}]}', same)
    assert heard == {}
    assert ABSENT not in heard.values()
