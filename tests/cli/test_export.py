"""`netaudit export`: the cable plan and the graph, for other people and other tools."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from netaudit.cli.run import run
from netaudit.export import as_csv, as_dot, as_markdown, cables, graph
from tests.cli.showing import example, fabric

INTENT = str(Path(__file__).resolve().parents[2] / "intent" / "two-plane.yml")


def exported(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["export", INTENT, *arguments]) == 0
    return capsys.readouterr().out


def test_the_cable_plan_has_every_cable_once_with_its_ends_and_length(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(capsys, "cables"))))
    assert len(rows) == len(example().links)
    assert len({row["label"] for row in rows}) == len(rows)
    by_label = {row["label"]: row for row in rows}
    row = by_label["a-su1-r1-leaf:64 - a-spine1:1"]
    assert (row["a"], row["b"], row["a_port_name"], row["b_port_name"]) == (
        "a-su1-r1-leaf:64", "a-spine1:1", "Ethernet504", "Ethernet0"
    )  # fmt: skip
    assert (row["length_m"], row["length_from"], row["medium"], row["speed"]) == ("34", "measured", "dr8", "800G")
    host = by_label["su1-h1:r1/a - a-su1-r1-leaf:1/1"]
    assert (host["length_m"], host["length_from"], host["speed"], host["a_port_name"]) == ("3", "class", "400G", "")


def test_its_ends_and_lengths_are_what_cables_csv_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan comes back with measured lengths: three of its columns are a table of measured cables."""
    rows = list(csv.DictReader(io.StringIO(exported(capsys, "cables"))))
    text = "a,b,length\n" + "".join(f"{r['a']},{r['b']},{r['length_m']}m\n" for r in rows)
    (tmp_path / "two-plane").mkdir()
    (tmp_path / "two-plane" / "cables.csv").write_text(text)
    folder = Path(INTENT).parent
    (tmp_path / "two-plane" / "devices.csv").write_text((folder / "two-plane" / "devices.csv").read_text())
    (tmp_path / "two-plane.yml").write_text(Path(INTENT).read_text())
    assert run(["diff", INTENT, str(tmp_path / "two-plane.yml"), "--detailed-exitcode"]) == 0


def test_where_keeps_the_cables_of_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(exported(capsys, "cables", "--where", "a-spine1", "-o", "json"))
    assert len(rows) == 16
    assert all(row["b"].startswith("a-spine1:") for row in rows)


def test_markdown_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = exported(capsys, "cables", "--where", "a-spine1", "-o", "markdown").splitlines()
    assert len(lines) == 2 + 16
    assert len({line.count("|") for line in lines}) == 1


def test_a_rack_that_looks_like_a_formula_is_made_inert(tmp_path: Path) -> None:
    built = fabric(tmp_path, devices='place,rack\na/su1/r1,"=1+1|x"\n').built
    plan = tuple(cables(built, built.devices))
    row = next(r for r in csv.DictReader(io.StringIO(as_csv(plan))) if r["a"].startswith("a-su1-r1-leaf:"))
    assert row["a_rack"] == "'=1+1|x"
    assert "=1+1\\|x" in as_markdown(plan)


def test_the_graph_has_every_node_that_a_link_names() -> None:
    built = example().built
    data = graph(built, tuple(built.devices))
    nodes, links = data["nodes"], data["links"]
    assert isinstance(nodes, list)
    assert isinstance(links, list)
    names = [node["name"] for node in nodes]
    assert len(names) == len({*names}) == len(built.devices) + len(built.hosts)
    assert {end["device"] for link in links for end in (link["a"], link["b"])} <= {*names}
    assert {node["kind"] for node in nodes} == {"switch", "host"}


def test_dot_is_balanced_and_draws_parallel_cables_as_one_line() -> None:
    built = example().built
    text = as_dot(built, tuple(built.devices))
    assert text.count("{") == text.count("}")
    assert text.count('"') % 2 == 0
    edges = re.findall(r'^  "(\S+)" -- "(\S+)"', text, re.MULTILINE)
    assert len(edges) == len({*edges})
    assert ("a-su1-r1-leaf", "a-spine1") in edges
    assert '[label="2 × 800G", tooltip="63-2 64-1"]' in text


def test_the_same_fabric_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    for what in ("cables", "dot", "json"):
        assert exported(capsys, what) == exported(capsys, what)


def test_a_file_is_written_where_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported(capsys, "dot", "-o", f"dot={tmp_path / 'a.dot'}") == ""
    assert (tmp_path / "a.dot").read_text().startswith('graph "two-plane" {')


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["containers"], "`containers` is not exported"), (["dot", "-o", "csv"], "unknown format `csv`; known: dot")],
)
def test_what_is_not_exported_is_said(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", INTENT, *arguments]) == 4
    assert told in capsys.readouterr().err
