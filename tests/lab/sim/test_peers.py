"""External neighbors and hosts that speak BGP: who they are is a file, what they say is heard by the switches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.sim import example
from lab.sim.conftest import Lab
from netaudit.diag import Diagnostic, Invalid
from netaudit.lab.sim import faults
from netaudit.lab.sim.cabling import Cable, End
from netaudit.lab.sim.peers import read_peers

HEAD = "name,end,asn,address,neighbor,prefixes\n"
CORE = "core1,core1.example.net:et-0/0/1,64512,,,10.160.0.0/16 fd00:99::/32 203.0.113.0/24\n"
NUMBERED = "core2,core2:xe-1:0,64513,10.64.0.1/31,10.64.0.0,10.161.0.0/16\n"
CABLES = (
    "core1.example.net:et-0/0/1,leaf1:2,et-0/0/1\nleaf2:2,core2:xe-1:0,\ncore1.example.net:et-0/0/2,leaf2:3,et-0/0/2\n"
)
SECOND = "core1,core1.example.net:et-0/0/2,64512,,,\n"


def with_outsiders(peers: str = HEAD + CORE + NUMBERED + SECOND) -> dict[str, str]:
    """Files of the example with core1 at leaf1:2 and leaf2:3, and core2 by address at leaf2:2."""
    files = {"peers.csv": peers, "cables.csv": example.cables() + CABLES}
    for name, lines, rows in (
        (
            "leaf1",
            " neighbor Ethernet8 interface peer-group FABRIC",
            {"Ethernet8": {"ipv6_use_link_local_only": "enable"}},
        ),
        (
            "leaf2",
            " neighbor Ethernet16 interface peer-group FABRIC\n neighbor 10.64.0.1 peer-group FABRIC",
            {"Ethernet16": {"ipv6_use_link_local_only": "enable"}, "Ethernet8": {}, "Ethernet8|10.64.0.0/31": {}},
        ),
    ):
        config = example.config(name)
        config["INTERFACE"] |= rows
        for port in ("Ethernet8", "Ethernet16"):
            config["PORT"][port]["admin_status"] = "up"
        marker = " neighbor Ethernet56 interface peer-group FABRIC"
        files[f"devices/{name}/etc/sonic/config_db.json"] = json.dumps(config)
        files[f"devices/{name}/etc/sonic/frr/frr.conf"] = example.frr_conf(name).replace(marker, f"{marker}\n{lines}")
    return files


@pytest.fixture
def lab(boot: Callable[..., Lab]) -> Lab:
    return boot(with_outsiders())


def test_sessions_come_up_unnumbered_and_by_address_and_say_who_is_there(lab: Lab) -> None:
    assert lab.states("leaf1")["Ethernet8"] == "Established"
    states = lab.states("leaf2")
    assert (states["Ethernet16"], states["10.64.0.1"]) == ("Established", "Established")
    peers = lab.show("leaf2", "show bgp summary json")["ipv4Unicast"]["peers"]
    assert (peers["10.64.0.1"]["remoteAs"], peers["10.64.0.1"]["hostname"]) == (64513, "core2")
    assert (peers["Ethernet16"]["remoteAs"], peers["Ethernet16"]["hostname"]) == (64512, "core1.example.net")


def test_what_they_announce_is_taken_in_as_far_as_our_policy_goes(lab: Lab) -> None:
    assert lab.paths("leaf1", "10.160.0.0/16") == ["64512"]
    assert lab.hops("leaf1", "10.160.0.0/16") == {"Ethernet8"}
    assert lab.hops("leaf1", "fd00:99::/32") == {"Ethernet8"}
    assert lab.hops("leaf2", "10.161.0.0/16") == {"Ethernet8"}
    assert lab.paths("leaf1", "203.0.113.0/24") == []
    assert set(lab.paths("spine1", "10.160.0.0/16")) == {"4200000000 64512", "4200000001 64512"}


def test_they_take_what_they_are_told_and_pass_none_of_it_on(lab: Lab) -> None:
    peers = lab.show("leaf1", "show bgp summary json")["ipv4Unicast"]["peers"]
    assert peers["Ethernet8"]["pfxSnt"] > 0
    told = [path.split() for path in lab.paths("leaf2", "10.255.0.1/32")]
    assert told
    assert not any("64512" in path for path in told)


def test_their_next_hop_is_a_link_local_address_of_their_own_or_that_of_the_link(lab: Lab) -> None:
    (route,) = lab.show("leaf1", "show ip route json")["10.160.0.0/16"]
    assert [hop["ip"][:6] for hop in route["nexthops"]] == ["fe80::"]
    (route,) = lab.show("leaf2", "show ip route json")["10.161.0.0/16"]
    assert [hop["ip"] for hop in route["nexthops"]] == ["10.64.0.1"]


@pytest.mark.parametrize(
    ("words", "leaf", "prefix", "before", "after"),
    [
        ("asn core1 64999", "leaf1", "10.160.0.0/16", ["64512"], ["64999"]),
        ("withdraw core1 10.160.0.0/16", "leaf1", "10.160.0.0/16", ["64512"], []),
        ("announce core2 10.170.0.0/16", "leaf2", "10.170.0.0/16", [], ["64513"]),
        ("announce core2 198.51.100.0/24", "leaf2", "198.51.100.0/24", [], []),
        ("asn core2 4200000001", "leaf2", "10.161.0.0/16", ["64513"], []),
        ("session leaf1:2", "leaf1", "fd00:99::/32", ["64512"], None),
        ("link leaf2:2", "leaf2", "10.161.0.0/16", ["64513"], []),
    ],
)
def test_a_fault_of_a_neighbor_changes_what_is_heard_and_heal_takes_it_back(
    lab: Lab, words: str, leaf: str, prefix: str, before: list[str], after: list[str] | None
) -> None:
    assert lab.paths(leaf, prefix) == before
    kind, *arguments = words.split()
    faults.make(lab.fabric, kind, arguments)
    found = lab.paths(leaf, prefix)
    if after is None:  # by the other port of core1, through a spine
        assert found
        assert all(path.endswith("4200000001 64512") for path in found)
    else:
        assert found == after
    faults.heal(lab.fabric)
    assert lab.paths(leaf, prefix) == before


def test_a_refused_asn_leaves_the_session_idle_and_a_silent_neighbor_leaves_it_active(lab: Lab) -> None:
    faults.make(lab.fabric, "asn", ["core2", "4200000001"])
    assert lab.states("leaf2")["10.64.0.1"] == "Idle"
    faults.heal(lab.fabric)
    faults.make(lab.fabric, "session", ["leaf2:2"])
    assert lab.states("leaf2")["10.64.0.1"] == "Active"


def test_a_neighbor_is_named_as_the_intent_or_as_its_lldp_says_and_is_no_switch(lab: Lab) -> None:
    assert "core1 no longer" in faults.make(lab.fabric, "withdraw", ["core1.example.net", "10.160.0.0/16"])
    with pytest.raises(Invalid, match="does not announce") as refused:
        faults.make(lab.fabric, "withdraw", ["core2", "10.162.0.0/16"])
    assert "10.161.0.0/16" in refused.value.diagnostics[0].hint
    with pytest.raises(Invalid, match="core1 is no switch") as refused:
        faults.make(lab.fabric, "unreachable", ["core1"])
    assert "asn, withdraw and announce" in refused.value.diagnostics[0].hint


def test_without_the_file_nobody_speaks_and_the_sessions_wait(boot: Callable[..., Lab]) -> None:
    lab = boot(with_outsiders(peers=""))
    assert lab.states("leaf1")["Ethernet8"] == "Active"
    assert lab.paths("leaf1", "10.160.0.0/16") == []


WRONG = {
    "a column is missing": ("name,end\n", "lacks the columns address, asn, neighbor, prefixes"),
    "an end without a cable": (HEAD + "x,core9:1,1,,,\n", "`core9:1` is no end of cables.csv"),
    "an end of a switch": (HEAD + "x,leaf1:2,1,,,\n", "`leaf1:2` is no end of cables.csv"),
    "no ASN": (HEAD + "x,core1:e,x,,,\n", "`x` is no ASN"),
    "an ASN of 33 bits": (HEAD + "x,core1:e,4294967296,,,\n", "`4294967296` is no ASN"),
    "one address": (HEAD + "x,core1:e,1,10.0.0.1/31,,\n", "two addresses, or none"),
    "no address": (HEAD + "x,core1:e,1,10.0.0.300/31,10.0.0.0,\n", "10.0.0.300"),
    "no prefix": (HEAD + "x,core1:e,1,,,10.0.0.1/24\n", "10.0.0.1/24"),
    "two ASNs": (HEAD + "x,core1:e,1,,,\nx,core1:e,2,,,\n", "core1 is x, AS 1 further up, and x, AS 2 here"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_told_with_its_number(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "peers.csv").write_text(text, encoding="utf-8")
    cable = Cable(a=End(device="core1", port="e"), b=End(device="leaf1", port="2"))
    problems: list[Diagnostic] = []
    read_peers(tmp_path / "peers.csv", (cable,), problems)
    (problem,) = problems
    assert message in problem.message
    assert "lacks" in message or (problem.source is not None and problem.source.line == text.count("\n"))
