"""What `show` and `export` say of hosts in a VLAN: the gateway, and the address of each host."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from expect.test_attached_by_vlan import LEAF, SIXTH, TEXT
from expect.test_families import NUMBERED

from netaudit.cli.run import run

PORT = f"{LEAF}:1/2"


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    file = tmp_path / "fabric.yml"
    file.write_text(TEXT)
    return file


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_addresses_of_a_leaf_are_the_gateway_and_one_of_each_host(
    intent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, "show", "addresses", intent, LEAF)
    assert "10.0.0.8/29, fd00:aa::4/126   2 of 2 hosts; announced as one prefix" in text
    assert "gateway     10.0.0.9/29, fd00:aa::5/126   of Vlan1000" in text
    rows = json.loads(said(capsys, "show", "addresses", intent, LEAF, "-o", "json"))["ports"]
    assert rows[1] == {
        "port": "1/2",
        "address": "10.0.0.9/29, fd00:aa::5/126",
        "far_end": "su1-h2:r2/a",
        "far_address": "10.0.0.11/29, fd00:aa::7/126",
        "why": "in Vlan1000, the gateway of all hosts",
    }
    assert [row["port"] for row in rows] == ["1/1", "1/2", "63", "64"]


def test_what_a_page_says_to_do_next_works(intent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for where in (LEAF, PORT):
        last = said(capsys, "show", "addresses", intent, where).splitlines()[-1]
        assert last.startswith("Next: netaudit show explain ")
        assert "ADR-07" in said(capsys, *last.removeprefix("Next: netaudit ").split())


def test_the_gateway_is_explained_as_a_leaf_of_the_device(intent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "explain", intent, LEAF, "interfaces.Vlan1000.addresses")
    assert "VLAN_INTERFACE|Vlan1000|10.0.0.9/29" in text
    assert "gNMI CONFIG_DB VLAN_INTERFACE (running)" in text
    assert run(["show", "explain", str(intent), PORT, "address"]) == 4, "the port has none"


def test_a_link_to_a_host_is_shown_with_both_addresses(intent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "links", intent, PORT)
    assert "10.0.0.9/29, fd00:aa::5/126; at the other end 10.0.0.11/29, fd00:aa::7/126" in text
    links = json.loads(said(capsys, "show", "links", intent, LEAF, "-o", "json"))["links"]
    by_end = {link["a"]: (link["a_addresses"], link["b_addresses"]) for link in links}
    assert by_end[PORT] == (["10.0.0.9/29", "fd00:aa::5/126"], ["10.0.0.11/29", "fd00:aa::7/126"])
    assert by_end[f"{LEAF}:64"] == ([], [])


def test_the_cable_plan_has_the_addresses_of_hosts(intent: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["label"]: row for row in csv.DictReader(io.StringIO(said(capsys, "export", intent, "cables")))}
    row = rows[f"su1-h2:r2/a - {PORT}"]
    assert (row["a_addresses"], row["b_addresses"]) == ("10.0.0.11/29 fd00:aa::7/126", "10.0.0.9/29 fd00:aa::5/126")
    assert {row["a_addresses"] for row in rows.values() if row["kind"] == "leaf-spine"} == {""}
    links = json.loads(said(capsys, "export", intent, "json"))["links"]
    assert {"device": "su1-h2", "port": "r2/a", "name": "", "addresses": ["10.0.0.11/29", "fd00:aa::7/126"]} in [
        link["a"] for link in links
    ]


@pytest.mark.parametrize(
    ("attach", "host", "leaf"),
    [("routed", "10.0.0.7/31", "10.0.0.6/31"), ("bgp", "10.0.0.7/31", "10.0.0.6/31")],
)
def test_the_cable_plan_has_those_of_a_link_a_port_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], attach: str, host: str, leaf: str
) -> None:
    file = tmp_path / "fabric.yml"
    file.write_text(TEXT.replace("attach: vlan", f"attach: {attach}"))
    rows = {row["label"]: row for row in csv.DictReader(io.StringIO(said(capsys, "export", file, "cables")))}
    row = rows[f"su1-h2:r2/a - {PORT}"]
    assert (row["a_addresses"].split()[0], row["b_addresses"].split()[0]) == (host, leaf)


def test_numbered_links_are_shown_with_their_addresses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fabric.yml"
    file.write_text(NUMBERED)
    rows = {row["label"]: row for row in csv.DictReader(io.StringIO(said(capsys, "export", file, "cables")))}
    row = rows["a-su2-r1-leaf:63 - a-spine2:3"]
    assert (row["a_addresses"], row["b_addresses"]) == ("10.64.1.4/31", "10.64.1.5/31")
    ports = json.loads(said(capsys, "show", "addresses", file, "a-spine2", "-o", "json"))["ports"]
    found = next(port for port in ports if port["far_end"] == "a-su2-r1-leaf:63")
    assert (found["address"], found["far_address"], found["why"]) == ("10.64.1.5/31", "10.64.1.4/31", "a numbered link")


def test_a_fabric_of_ipv6_alone_shows_no_address_of_ipv4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fabric.yml"
    file.write_text(SIXTH)
    rows = json.loads(said(capsys, "show", "addresses", file, LEAF, "-o", "json"))["ports"]
    assert (rows[0]["address"], rows[0]["far_address"]) == ("fd00:aa::5/126", "fd00:aa::6/126")
