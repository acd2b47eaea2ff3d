"""`netaudit export … nics` and `… dscp`: what servers must match, and the class of each of the 64 values."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from netaudit.cli.run import run
from netaudit.expect import Expected
from netaudit.export import dscp_csv, dscp_markdown, dscp_rows, nics, nics_markdown
from netaudit.export.nics import traffic_class
from netaudit.fabric import build
from tests.intent.example import read, small

INTENT = str(Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml")


def told(folder: Path, **changes: str) -> Any:
    expected = Expected(build(read(folder, small(**changes))))
    return nics(expected.built, tuple(expected.devices))


def exported(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["export", INTENT, *arguments]) == 0
    return capsys.readouterr().out


def test_the_settings_are_those_of_the_default_classes(tmp_path: Path) -> None:
    assert told(tmp_path)["settings"] == {
        "trust": "dscp",
        "rdma.roce.dscp": 26,
        "rdma.roce.nccl_ib_tc": 106,
        "rdma.roce.priority": 3,
        "pfc": [0, 0, 0, 1, 0, 0, 0, 0],
        "global_pause": False,
        "dcbx_willing": False,
        "congestion_control": "dcqcn",
        "rdma.roce.ecn_np": True,
        "rdma.roce.ecn_rp": True,
        "cnp.dscp": 48,
        "cnp.priority": 6,
        "mtu.ip": 9000,
        "mtu.rdma": 4096,
    }


def test_the_traffic_class_is_the_dscp_with_or_without_the_ecn_bits() -> None:
    assert (traffic_class(26, ecn=True), traffic_class(26, ecn=False), traffic_class(0, ecn=False)) == (106, 104, 0)


def test_each_port_has_its_address_its_gateway_and_its_plane_as_the_leaf_has_them(tmp_path: Path) -> None:
    expected = Expected(build(read(tmp_path, small(addressing='{hosts: [10.0.0.0/10, "fd00:10::/32"]}'))))
    data: Any = nics(expected.built, tuple(expected.devices))
    assert len(data["ports"]) == 2 * 2 * 2, "hosts, rails, planes"
    for port in data["ports"]:
        interfaces = expected.device(port["leaf"]).interfaces or {}
        ours = {str(address).partition("/")[0] for address in interfaces[port["leaf_port"]].addresses or ()}  # type: ignore[union-attr]
        assert set(port["gateways"]) == ours
        assert len(port["addresses"]) == 2
        assert not set(port["gateways"]) & {address.partition("/")[0] for address in port["addresses"]}
    first = data["ports"][0]
    assert (first["host"], first["port"], first["plane"], first["speed_mbps"]) == ("su1-h1", "nic1p1", "a", 400_000)
    assert first["prefixes"] == ["10.0.0.0/11", "fd00:10::/33"]
    assert first["cable_length_m"] == 3


def test_hosts_in_a_vlan_get_an_address_of_the_subnet_and_its_gateway(tmp_path: Path) -> None:
    data = told(tmp_path, hosts="{nic: cx8, speed: 400G, attach: vlan}")
    on_one_leaf = [port for port in data["ports"] if port["leaf"] == data["ports"][0]["leaf"]]
    assert len({gateway for port in on_one_leaf for gateway in port["gateways"]}) == 1
    assert len({address for port in on_one_leaf for address in port["addresses"]}) == len(on_one_leaf)


def test_an_override_of_the_speed_and_a_measured_cable_are_in_the_file(tmp_path: Path) -> None:
    override = '[{where: "a-su1-r1-leaf:1/1", set: {speed: 200G}, reason: CHG-1, until: 2027-01-31}]'
    cables = "{host-leaf: 3m dac, leaf-spine: 40m dr8, measured: cables.csv}"
    text = small(overrides=override, cables=cables)
    expected = Expected(build(read(tmp_path, text, cables="a,b,length\nsu1-h1:r1/a,a-su1-r1-leaf:1/1,2m\n")))
    data: Any = nics(expected.built, ("a-su1-r1-leaf",))
    first, second = data["ports"]
    assert (first["speed_mbps"], first["cable_length_m"]) == (200_000, 2)
    assert (second["speed_mbps"], second["cable_length_m"]) == (400_000, 3)


@pytest.mark.parametrize(("cc", "np"), [("dcqcn", True), ("rtt", False), ("none", False)])
def test_marks_are_answered_only_by_dcqcn(cc: str, np: bool, tmp_path: Path) -> None:
    settings = told(tmp_path, hosts=f"{{nic: cx8, speed: 400G, cc: {cc}}}")["settings"]
    assert (settings["rdma.roce.ecn_np"], settings["rdma.roce.ecn_rp"]) == (np, np)
    assert ("cnp.dscp" in settings) == np


@pytest.mark.parametrize(
    ("mode", "name"), [("ecmp", None), ("spray", "out_of_order"), ("qp-pin", "source_port_per_qp")]
)
def test_what_a_way_of_balancing_asks_of_nics_is_said(mode: str, name: str | None, tmp_path: Path) -> None:
    settings = told(tmp_path, load_balancing=f"{{mode: {mode}}}")["settings"]
    assert {"out_of_order", "source_port_per_qp"} & set(settings) == ({name} if name else set())


def test_every_setting_says_why_in_both_forms(tmp_path: Path) -> None:
    expected = Expected(build(read(tmp_path, small())))
    data: Any = nics(expected.built, tuple(expected.devices))
    text = nics_markdown(expected.built, tuple(expected.devices))
    assert data["why"].keys() == data["settings"].keys()
    assert [name for name, why in data["why"].items() if f"| {name} | " not in text or f" | {why} |" not in text] == []
    assert text.count("| su1-h") == len(data["ports"])


def test_the_command_writes_both_forms_and_keeps_to_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    json_file, markdown = tmp_path / "nics.json", tmp_path / "nics.md"
    out = exported(capsys, "nics", "--where", "a-su1-r1-leaf", "-o", f"json={json_file},markdown={markdown}")
    assert out == ""
    assert len(json.loads(json_file.read_text())["ports"]) == 4
    assert markdown.read_text().startswith("# NICs of two-plane\n")


# --- dscp


def test_every_dscp_is_placed_on_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(exported(capsys, "dscp", "-o", "json"))
    assert [row["dscp"] for row in rows] == list(range(64))
    assert {row["dscp"]: (row["class"], row["queue"], row["priority_group"]) for row in rows if row["tc"]} == {
        26: ("roce", 3, 3),
        48: ("control", 6, 0),
    }
    assert {row["why"] for row in rows} == {
        "traffic.roce.dscp", "traffic.control.dscp", "no class names it: `default`"
    }  # fmt: skip


def test_the_rows_are_what_the_switches_get(tmp_path: Path) -> None:
    expected = Expected(build(read(tmp_path, small())))
    qos = expected.device("a-spine1").qos
    assert qos is not None
    assert {row["dscp"]: row["tc"] for row in dscp_rows(expected.built.intent)} == (qos.dscp_to_tc or {})["ROCE"]


def test_as_csv_and_as_tables_there_is_a_line_for_each(tmp_path: Path) -> None:
    intent = read(tmp_path, small())
    assert len(list(csv.DictReader(io.StringIO(dscp_csv(intent))))) == 64
    text = dscp_markdown(intent, ("sonic", "nxos"))
    assert "| roce | 3 | 60 % | type DWRR, weight 60 | bandwidth remaining percent 60 |" in text
    assert "| control | 6 | strict, 5 % at most | type STRICT, pir 5 % | priority level 1 |" in text
    assert len(text.splitlines()) == 2 + 3 + 1 + 2 + 64


def test_caps_that_leave_nothing_have_no_words_and_no_traceback(tmp_path: Path) -> None:
    traffic = "{a: {dscp: [40], queue: 5, strict: true, cap: 100%}, default: {share: 100%}}"
    assert "| a | 5 | strict, 100 % at most |" in dscp_markdown(read(tmp_path, small(traffic=traffic)), ("junos",))
