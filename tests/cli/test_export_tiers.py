"""`netaudit export` and `show fabric` of three tiers and rail-only spines: pictures, labs, schedulers, NCCL."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from netaudit.cli.run import run
from netaudit.export import as_svg, rails
from netaudit.fabric import HOST_LEAF, Fabric, build
from netaudit.intent import load

FOLDER = Path(__file__).resolve().parents[2] / "intent"
THREE, RAILS = FOLDER / "three-tier.yml", FOLDER / "rail-only.yml"
SVG = "{http://www.w3.org/2000/svg}"


def fabric(file: Path) -> Fabric:
    return build(load(file))


def exported(capsys: pytest.CaptureFixture[str], file: Path, *arguments: str) -> str:
    assert run(["export", str(file), *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("file", [THREE, RAILS, FOLDER / "two-plane.yml"], ids=lambda file: file.stem)
def test_the_picture_has_every_switch_and_pair_once_and_no_two_boxes_on_each_other(file: Path) -> None:
    built = fabric(file)
    root = ElementTree.fromstring(as_svg(built))
    told = [title.text or "" for title in root.iter(f"{SVG}title")]
    for name in built.devices:
        assert sum(text.startswith(f"{name}, ") for text in told) == 1
    pairs = {(k.a.device, k.b.device) for k in built.links() if k.kind != HOST_LEAF}
    assert len(list(root.iter(f"{SVG}line"))) == len(pairs)
    rows: dict[str, list[tuple[float, float]]] = {}
    for box in root.iter(f"{SVG}rect"):
        rows.setdefault(box.attrib["y"], []).append((float(box.attrib["x"]), float(box.attrib["width"])))
    for boxes in rows.values():
        assert all(x + width <= after + 1 for (x, width), (after, _) in pairwise(sorted(boxes)))


def test_the_hosts_of_a_unit_are_one_box_of_the_picture(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yml"
    file.write_text(THREE.read_text().replace("u1: ", "u-1: "), encoding="utf-8")
    assert "u-1: 4 hosts" in as_svg(fabric(file))


def test_show_fabric_writes_the_picture_beside_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "fabric.svg"
    assert run(["show", "fabric", str(THREE), "-o", f"svg={picture},json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert picture.read_text() == as_svg(fabric(THREE))
    assert {group["group"]: group["below"] for group in data["groups"] if group["group"].startswith("c: super")} == {
        "c: superspines 1": ["c-spine1", "c-spine3"],
        "c: superspines 2": ["c-spine2", "c-spine4"],
    }


def test_show_fabric_says_who_meets_whom(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "fabric", str(RAILS)]) == 0
    said = re.sub(r" +", " ", capsys.readouterr().out)
    assert "r: rail 2 r-spine3, r-spine4 r-ro1-r2-leaf, r-ro2-r2-leaf 2 each" in said


def test_the_lab_has_a_node_for_each_switch_and_host_and_every_cable_by_the_names_of_its_ports(
    capsys: pytest.CaptureFixture[str],
) -> None:
    built = fabric(THREE)
    topology = yaml.safe_load(exported(capsys, THREE, "containerlab"))["topology"]
    assert set(topology["nodes"]) == {*built.devices, *built.hosts}
    ends = [end for link in topology["links"] for end in link["endpoints"]]
    assert len(topology["links"]) == len(list(built.links()))
    assert len(set(ends)) == len(ends)
    assert "c-u1-r1-leaf:Ethernet504" in ends
    assert all(len(end.partition(":")[2]) <= 15 for end in ends)


def test_slurm_has_every_host_below_its_unit_pod_and_fabric(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in exported(capsys, THREE, "slurm").splitlines() if not line.startswith("#")]
    below = {name: members.split(",") for name, members in (re.split(r" \w+=", line[11:]) for line in lines)}
    assert below["three-tier"] == ["pod1", "pod2"]
    assert below["pod2"] == ["u5", "u6"]
    hosts = [host for unit in ("u1", "u2", "u5", "u6") for host in below[unit]]
    assert sorted(hosts) == sorted(fabric(THREE).hosts)
    flat = exported(capsys, RAILS, "slurm").splitlines()
    assert flat[-1] == "SwitchName=rail-only Switches=ro1,ro2"


def test_nodes_are_labelled_with_unit_pod_and_fabric(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(exported(capsys, THREE, "k8s", "-o", "json"))
    key = "network.topology.nvidia.com"
    assert found["u5-h1"] == {f"{key}/leaf": "u5", f"{key}/spine": "pod2", f"{key}/core": "three-tier"}
    said = exported(capsys, THREE, "k8s").splitlines()
    assert f"kubectl label node u5-h1 --overwrite {key}/leaf=u5 {key}/spine=pod2 {key}/core=three-tier" in said
    assert json.loads(exported(capsys, RAILS, "k8s", "-o", "json"))["ro1-h1"] == {
        f"{key}/leaf": "ro1",
        f"{key}/spine": "rail-only",
    }


def test_every_nic_port_has_its_rail_and_its_leaf(capsys: pytest.CaptureFixture[str]) -> None:
    built = fabric(THREE)
    rows = list(csv.DictReader(io.StringIO(exported(capsys, THREE, "rails"))))
    assert rows == [dict(row) for row in rails(built)]
    assert len(rows) == 16 * 2 * 2
    one = next(row for row in rows if (row["host"], row["rail"], row["plane"]) == ("u5-h2", "2", "d"))
    assert (one["leaf"], one["leaf_port"], one["nic_port"], one["group"]) == ("d-u5-r2-leaf", "1/2", "nic2p2", "2")
    assert one["address"] == "10.152.0.147/31"  # leaf index 9, blocks of 16, host 2: 9 × 16 + 3


def test_nccl_is_kept_on_its_rail_where_rails_do_not_meet(capsys: pytest.CaptureFixture[str]) -> None:
    def settings(text: str) -> set[str]:
        return {line for line in text.splitlines() if not line.startswith("#")}

    alone = settings(exported(capsys, RAILS, "nccl"))
    assert alone == {"NCCL_CROSS_NIC=0", "NCCL_PXN_DISABLE=0", "NCCL_P2P_PXN_LEVEL=2"}
    assert settings(exported(capsys, THREE, "nccl")) == {"NCCL_CROSS_NIC=0"}
