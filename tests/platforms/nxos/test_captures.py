"""Recorded answers of real NX-OS switches say what TRUTH.md says, which small scripts of others counted in them.

They are reference data beside the repository: without it these tests are skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from netaudit.platforms.nxos.answers_bgp import Session, read_sessions, read_summary, read_table, used
from netaudit.platforms.nxos.answers_live import read_neighbors, read_oper
from netaudit.platforms.nxos.answers_routes import read_rib
from netaudit.platforms.nxos.answers_text import key_of

HOSTS = ("exit01", "exit02", "leaf01", "leaf02", "leaf03", "leaf04", "spine01", "spine02")


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / "field" / "real"


def truth(real: Path, heading: str, line: str) -> str:
    """A line of TRUTH.md under a heading, what stands behind its beginning."""
    part = (real / "TRUTH.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    return next(found.removeprefix(line).strip() for found in part.splitlines() if found.startswith(line))


def test_the_cables_of_the_recorded_fabric_are_those_of_the_truth(real: Path) -> None:
    heard = {
        (host, one.local.replace("Eth", "Ethernet"), one.system, one.port)
        for host in HOSTS
        for one in read_neighbors((real / "nxos" / "fabric" / f"{host}.lldp.json").read_text(encoding="utf-8"))
    }
    both = {frozenset({f"{a}:{p}", f"{b}:{q}"}) for a, p, b, q in heard if (b, q, a, p) in heard}
    told = truth(real, "## nxos", "- links:").split("; ")
    assert len(heard) == 34
    assert both == {frozenset(link.split("<->")) for link in told}
    assert {(a, p, b, q) for a, p, b, q in heard if (b, q, a, p) not in heard} == {
        ("exit01", "Ethernet1/4", "dcedge01", "516"),
        ("exit02", "Ethernet1/4", "dcedge01", "517"),
    }


TOLD = re.compile(r"([\w-]+)/(IPv4 Unicast|L2VPN EVPN):([\d.]+) AS(\d+) (\w+) pfx=(\d+)")


@pytest.mark.parametrize("host", HOSTS)
def test_the_sessions_of_the_recorded_fabric_are_those_of_the_truth(real: Path, host: str) -> None:
    line = truth(real, "## BGP sessions", f"- nxos {host} (local AS 64520):")
    wanted = {
        Session(vrf, family, neighbor, int(asn), state, int(count))
        for vrf, family, neighbor, asn, state, count in (found.groups() for found in TOLD.finditer(line))
    }
    summary = read_summary((real / "nxos" / "fabric" / f"{host}.bgp_summary.json").read_text(encoding="utf-8"))
    assert set(summary.sessions) == wanted
    assert len(wanted) == line.count(";") + 1
    assert summary.own["default"] == 64520


def nxos(real: Path, name: str) -> str:
    return (real / "nxos" / name).read_text(encoding="utf-8")


def test_an_asn_with_a_dot_is_the_number_that_it_means(real: Path) -> None:
    summary = read_summary(nxos(real, "show_bgp_all_summary_vrf_all_asdot.json"))
    assert set(summary.own.values()) == {8 * 65536 + 1201}
    assert Counter(one.family for one in summary.sessions) == {"IPv4 Unicast": 12, "L2VPN EVPN": 2}


def test_a_session_of_another_family_alone_is_a_session(real: Path) -> None:
    bgp = read_sessions(nxos(real, "show_bgp_all_summary_vrf_all_l2vpn.json"))
    assert {key: (one.session, one.remote_asn) for key, one in (bgp.neighbors or {}).items()} == {
        "10.55.8.134": ("Established", 64861),
        "10.55.8.135": ("Established", 64861),
    }


def test_an_address_that_is_too_long_for_its_column_is_the_neighbor_of_the_next_line(real: Path) -> None:
    summary = read_summary(nxos(real, "show_bgp_all_summary_multi_vrf_ipv6.txt"))
    assert Counter((one.vrf, one.family) for one in summary.sessions) == {
        ("default", "IPv4 Unicast"): 2,
        ("RED2", "IPv4 Unicast"): 3,
        ("RED3", "IPv4 Unicast"): 3,
        ("RED3", "IPv6 Unicast"): 3,
    }
    assert Session("RED3", "IPv6 Unicast", "2001:db8:e0:dd::1", 10, "Established", 4) in summary.sessions


def test_a_table_with_as_sets_gives_the_numbers_in_front_of_them(real: Path) -> None:
    table = read_table(nxos(real, "show_ip_bgp_with_as_set.txt"))
    paths = {net: [path.as_path for path in used(found)] for (_, net), found in table.items()}
    assert len(table) == 26
    assert paths["10.10.0.1/32"] == [()]
    assert paths["10.10.0.2/32"] == [(64101, 64002)]  # the deleted path (`x`) in front of it is none
    assert paths["100.100.100.108/30"] == [(64102,)]
    assert paths["100.100.100.112/30"] == [(64102, 64203)]


def test_a_table_whose_blanks_were_squeezed_is_read_by_its_weights(real: Path) -> None:
    table = read_table(nxos(real, "show_ip_bgp1.txt"))
    paths = {net: {(path.hop, path.as_path) for path in used(found)} for (_, net), found in table.items()}
    assert paths["0.0.0.0/0"] == {("1.1.1.1", ())}
    assert paths["10.1.0.0/19"] == {("3.3.3.3", (12345,)), ("5.5.5.5", (12345,))}
    assert sum(map(len, table.values())) == nxos(real, "show_ip_bgp1.txt").count("4294967295") + 1


NEIGHBORS: Mapping[str, tuple[int, tuple[str, str, str]]] = {
    "show_lldp_neighbors.txt": (3, ("Eth1/2", "n9k2.ntc.com", "Ethernet1/2")),
    "show_lldp_neighbors_detail.txt": (3, ("Eth1/1", "n9k2.ntc.com", "Ethernet1/1")),
    "show_lldp_neighbors_multiline.txt": (15, ("Eth4/1", "cr-park.org.local", "Fo1/0/8")),
}


@pytest.mark.parametrize("name", NEIGHBORS)
def test_recorded_neighbors_in_words_are_all_read(real: Path, name: str) -> None:
    found = [(one.local, one.system, one.port) for one in read_neighbors(nxos(real, name))]
    count, one = NEIGHBORS[name]
    assert len(found) == count
    assert one in found


def test_a_link_is_up_where_the_brief_table_says_so(real: Path) -> None:
    """The long text of the same switch says the same of each port in its first line."""
    for host in HOSTS:
        brief = read_oper(nxos(real, f"fabric/{host}.intf_brief.json"))
        text = nxos(real, f"fabric/{host}.intf_text.txt")
        told = {key_of(name): state == "up" for name, state in re.findall(r"(?m)^(Ethernet[\d/]+) is (up|down)", text)}
        assert {key: port.oper_up for key, port in brief.items()} == told


def test_no_port_without_a_plug_is_up(real: Path) -> None:
    found = read_oper(nxos(real, "show_interface_status.txt"))
    assert set(found) >= {"1", "10", "48"}
    assert not any(port.oper_up for port in found.values())


def test_every_route_of_the_recorded_fabric_is_read(real: Path) -> None:
    counts = {
        vrf: (len(rib.all), len(rib.bgp)) for vrf, rib in read_rib(nxos(real, "fabric/exit01.ip_route.json")).items()
    }
    assert counts == {"default": (28, 10), "management": (3, 0), "evpn-vrf": (16, 14), "internet-vrf": (13, 9)}
