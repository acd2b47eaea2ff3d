"""Recorded answers of real Cumulus switches say what TRUTH.md says, which small scripts of others counted in them.

They are reference data beside the repository: without it these tests are skipped.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from netaudit.platforms.nvue.answers_live import read_lldp, read_neighbors, read_sessions
from netaudit.state import LldpNeighbor

HOSTS = ("exit01", "exit02", "leaf01", "leaf02", "leaf03", "leaf04", "spine01", "spine02")
ONE_SIDED = {
    ("exit01", "swp5", "edge01", "eth1"),
    ("exit01", "swp6", "internet", "swp1"),
    ("exit02", "swp5", "edge01", "eth2"),
    ("exit02", "swp6", "internet", "swp2"),
}


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    return shared / "field" / "real"


def text(real: Path, fabric: str, file: str) -> str:
    return (real / "frr" / fabric / file).read_text(encoding="utf-8")


def truth(real: Path, heading: str, line: str) -> str:
    """A line of TRUTH.md under a heading, what stands behind its beginning."""
    part = (real / "TRUTH.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    return next(found.removeprefix(line).strip() for found in part.splitlines() if found.startswith(line))


def test_the_cables_of_the_recorded_fabric_are_those_of_the_truth(real: Path) -> None:
    heard = {
        (host, one.local, one.system, one.port)
        for host in HOSTS
        for one in read_neighbors(text(real, "fabric_unnumbered", f"{host}.lldp.json"))
        if one.local.startswith("swp")
    }
    both = {frozenset({f"{a}:{p}", f"{b}:{q}"}) for a, p, b, q in heard if (b, q, a, p) in heard}
    told = truth(real, "## frr/fabric_unnumbered", "- links:").split("; ")
    assert len(heard) == 40
    assert both == {frozenset(link.split("<->")) for link in told}
    assert {(a, p, b, q) for a, p, b, q in heard if (b, q, a, p) not in heard} == ONE_SIDED


def test_neighbors_stand_by_the_position_of_the_port_and_the_management_port_is_left_out(real: Path) -> None:
    found = read_lldp(text(real, "fabric_unnumbered", "leaf01.lldp.json"))
    assert found["1"] == LldpNeighbor(system="spine01", port="swp1")
    assert set(found) == {"1", "2", "3", "4", "5", "6"} & set(found)


TOLD = re.compile(r"([\w-]+):([\w.]+) AS(\d+) (\w+) local(\d+) host=\w+")


@pytest.mark.parametrize(
    ("fabric", "host"),
    [*(("fabric_unnumbered", host) for host in HOSTS), ("fabric_numbered", "leaf01"), ("fabric_numbered", "spine01")],
)
def test_the_sessions_of_the_recorded_fabrics_are_those_of_the_truth(real: Path, fabric: str, host: str) -> None:
    told = [found.groups() for found in TOLD.finditer(truth(real, "## BGP sessions", f"- frr/{fabric} {host}:"))]
    bgp = read_sessions(text(real, fabric, f"{host}.bgp_neighbors.json"))
    assert told
    assert {key.removeprefix("swp"): (one.remote_asn, one.session) for key, one in (bgp.neighbors or {}).items()} == {
        name.removeprefix("swp"): (int(asn), state) for _, name, asn, state, _ in told
    }
    assert bgp.asn == int(told[0][4])
