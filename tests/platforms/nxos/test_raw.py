"""Text of the site's own for nxos.cfg: what is refused, and what of it a switch must have."""

from __future__ import annotations

import pytest

from netaudit.platforms import nxos

ALL = ("ports", "addressing", "bgp", "qos", "buffers", "lldp")
FINE = (
    "! a comment\nntp server 192.0.2.1 use-vrf management\n\nline vty\n  exec-timeout 15\nlogging server 192.0.2.2 5\n"
)


def test_lines_of_nobodys_are_taken() -> None:
    assert list(nxos.raw_problems(FINE, ALL)) == []


def test_a_line_is_known_by_those_it_stands_below() -> None:
    assert nxos.raw_lines(FINE) == {
        "ntp server 192.0.2.1 use-vrf management",
        "line vty",
        "line vty > exec-timeout 15",
        "logging server 192.0.2.2 5",
    }


def test_what_is_raw_is_found_in_a_configuration_that_has_it() -> None:
    rows = (nxos.read_config({"nxos.cfg": f"hostname x\n{FINE}"}, "x").raw or {})["nxos.cfg"] or {}
    assert nxos.raw_lines(FINE) <= rows.keys()


OURS = {
    "a port": ("interface Ethernet1/5\n  storm-control broadcast level 1\n", "ports", 2),
    "a shortened port": ("interface Eth1/5\n", "ports", 1),
    "a loopback": ("interface loopback0\n", "addressing", 1),
    "a VRF": ("vrf context red\n", "addressing", 1),
    "BGP": ("router bgp 65001\n  neighbor 10.0.0.1\n", "bgp", 2),
    "a route-map": ("route-map X permit 10\n", "bgp", 1),
    "a prefix-list that goes": ("no ip prefix-list X seq 5 permit 10.0.0.0/8\n", "bgp", 1),
    "a route to nowhere": ("ip route 10.0.0.0/8 Null0\n", "bgp", 1),
    "a class": ("class-map type qos match-any X\n  match dscp 26\n", "qos", 2),
    "PFC": ("priority-flow-control watch-dog-interval off\n", "qos", 1),
    "LLDP": ("no feature lldp\n", "lldp", 1),
}


@pytest.mark.parametrize(("text", "area", "lines"), OURS.values(), ids=OURS)
def test_lines_of_an_area_of_ours_are_refused(text: str, area: str, lines: int) -> None:
    told = list(nxos.raw_problems(text, ALL))
    assert [number for number, _, _ in told] == list(range(1, lines + 1))
    assert all(f"the area {area}, which is ours" in message for _, message, _ in told)


@pytest.mark.parametrize(("text", "area", "lines"), OURS.values(), ids=OURS)
def test_where_the_area_is_not_ours_they_would_not_be_audited(text: str, area: str, lines: int) -> None:
    told = list(nxos.raw_problems(text, [a for a in ALL if a != area]))
    assert len(told) == lines
    assert all("would not be audited" in message and f"add {area}" in hint for _, message, hint in told)


NOT_OURS = [
    "ip route 10.0.0.0/8 10.0.0.1",
    "copp profile strict",
    "vrf context management",
    "interface mgmt0",
    "feature nxapi",
]


@pytest.mark.parametrize("text", NOT_OURS)
def test_what_only_looks_like_ours_is_taken(text: str) -> None:
    assert list(nxos.raw_problems(text, ALL)) == []


ODD = {
    "a secret": ("username admin password 5 x", "may hold a secret"),
    "a community": ("snmp-server community public", "may hold a secret"),
    "the name of the switch": ("hostname other", "names the switch"),
    "an end": ("end", "stands in no configuration"),
    "a comment of another NOS": ("# hello", "does not keep"),
    "a control character": ("ntp\x07server", "does not keep"),
}


@pytest.mark.parametrize(("text", "said"), ODD.values(), ids=ODD)
def test_what_could_not_be_audited_is_refused(text: str, said: str) -> None:
    (told,) = nxos.raw_problems(text, ALL)
    assert told[0] == 1
    assert said in told[1]
    assert told[2]


def test_a_secret_is_not_repeated() -> None:
    (told,) = nxos.raw_problems("tacacs-server key 7 HIDDEN", ALL)
    assert "HIDDEN" not in "".join(map(str, told))


def test_nxos_has_no_tables() -> None:
    assert nxos.raw_table_problem(("NTP",), ALL) is not None
    assert nxos.RAW_TABLES == ()
